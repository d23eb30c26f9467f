//! Random chains of the kernels written by hand, of every neighbourhood, stride and border.

use windrow_runtime::{
    Border, Element, Shape, Tensor, TensorInfo, configure,
    function::{ChainBuilder, Value},
};

use crate::common::*;

/// How a chain is made: the same choices make the same chain.
#[derive(Clone, Debug)]
pub struct Choices {
    pub extents: Vec<usize>,
    /// For each step: which kernel, of which slots, with which border, and whether its result is an output.
    pub steps: Vec<(usize, usize, usize, usize, bool)>,
}

/// The chain, and what its outputs hold when each kernel's reference has run on its own.
pub struct Built {
    pub builder: ChainBuilder,
    pub expect: Vec<Tensor<u8>>,
}

/// A slot, and what it holds.
#[derive(Clone)]
struct Held {
    slot: Value,
    image: Tensor<u8>,
}

/// What images hold where nothing is computed.
const MARK: u8 = 0xCD;

/// Adds the steps, each a kernel of `u8` images; what shapes make impossible is left out.
pub fn build(choices: &Choices, sources: &[Tensor<u8>; 2]) -> Built {
    let mut builder = ChainBuilder::new();
    let input = |source: &Tensor<u8>| Held { slot: builder.input(*source.info()), image: source.clone() };
    let mut held: Vec<Held> = sources.iter().map(input).collect();
    let mut wanted = Vec::new();
    for &(kind, first, second, border, is_output) in &choices.steps {
        let (first, second) = (&held[first % held.len()], &held[second % held.len()]);
        let border = EVERY_BORDER[border % 6];
        let step = match kind % 9 {
            0 => Some(weighted::<0, 8, 4>(&mut builder, first, border)),
            1 => Some(weighted::<1, 5, 3>(&mut builder, first, border)),
            2 => Some(weighted::<2, 4, 1>(&mut builder, first, border)),
            3 => Some(weighted::<3, 8, 2>(&mut builder, first, border)),
            4 => Some(weighted::<4, 4, 3>(&mut builder, first, border)),
            5 => Some(weighted::<5, 8, 1>(&mut builder, first, border)),
            6 => Some(weighted::<7, 4, 4>(&mut builder, first, border)),
            7 => differences(&mut builder, first, second),
            _ => differences(&mut builder, second, first),
        };
        if let Some(step) = step {
            held.push(step);
            wanted.push(is_output);
        }
    }
    if wanted.is_empty() {
        let step = weighted::<0, 8, 4>(&mut builder, &held[0], Border::Wrap);
        held.push(step);
        wanted.push(true);
    }
    // The last one at least.
    *wanted.last_mut().unwrap() = true;
    let mut expect = Vec::new();
    for (held, _) in held.into_iter().skip(2).zip(wanted).filter(|(_, wanted)| *wanted) {
        builder.output(held.slot).unwrap();
        expect.push(held.image);
    }
    Built { builder, expect }
}

impl Built {
    /// Outputs in padding, full of the mark.
    pub fn canvases(&self) -> Vec<Tensor<u8>> {
        self.expect.iter().map(|image| canvas(image.shape())).collect()
    }

    /// Each output is what the references computed, and its padding untouched.
    pub fn check(expect: &[Tensor<u8>], found: &[Tensor<u8>]) {
        assert_eq!(expect.len(), found.len());
        for (expect, found) in expect.iter().zip(found) {
            assert_eq!(expect.storage(), found.storage());
        }
    }
}

fn canvas<T: Element + From<u8>>(shape: Shape) -> Tensor<T> {
    let padding = windrow_runtime::Padding { left: 1, right: 2, top: 1, bottom: 1 };
    let mut tensor = Tensor::<T>::with_info(info::<T>(shape).with_padding(padding).unwrap()).unwrap();
    tensor.storage_mut().fill(MARK.into());
    tensor
}

fn info<T: Element>(shape: Shape) -> TensorInfo {
    TensorInfo::of::<T>(&shape.extents()).unwrap()
}

/// The images that a chain of these extents reads.
pub fn sources(extents: &[usize], seed: usize) -> [Tensor<u8>; 2] {
    let &[planes, height, width] = extents else { panic!("a chain has three extents") };
    [1, 2].map(|k| Tensor::from_fn([planes, height, width], |at| noise_at(seed + k, at)).unwrap())
}

/// A weighted sum, and its low byte.
fn weighted<const KIND: usize, const L: u32, const R: u32>(
    chain: &mut ChainBuilder,
    src: &Held,
    border: Border,
) -> Held {
    let (info, stride) = (chain.info(src.slot).unwrap(), KINDS[KIND].1);
    let [planes, height, width] = info.shape().extents()[..].try_into().unwrap();
    let extents = [planes, height.div_ceil(stride.1 as usize), width.div_ceil(stride.0 as usize)];
    let (wide, small) = (TensorInfo::of::<i32>(&extents).unwrap(), TensorInfo::of::<u8>(&extents).unwrap());
    let (mut sum, mut low) = (canvas::<i32>(wide.shape()), canvas::<u8>(wide.shape()));
    let blur = configure::<Weighted<L, R, KIND>>(&request(&[&info], &[Some(&wide)], border)).unwrap();
    blur.run_reference(src.image.view(), sum.view_mut()).unwrap();
    let [slot] = chain.add(&blur, &[src.slot]).unwrap();
    let wide = chain.info(slot).unwrap();
    let narrow = configure::<Narrow>(&request(&[&wide], &[Some(&small)], Border::Undefined)).unwrap();
    narrow.run_reference(sum.view(), low.view_mut()).unwrap();
    let [slot] = chain.add(&narrow, &[slot]).unwrap();
    Held { slot, image: low }
}

/// |a − b|, where both have one shape.
fn differences(chain: &mut ChainBuilder, a: &Held, b: &Held) -> Option<Held> {
    let [x, y] = [a, b].map(|held| chain.info(held.slot).unwrap());
    if x.shape() != y.shape() {
        return None;
    }
    let mut image = canvas::<u8>(x.shape());
    let out = info::<u8>(x.shape());
    let abs = configure::<AbsDiff<16, 2>>(&request(&[&x, &y], &[Some(&out)], Border::Undefined)).unwrap();
    abs.run_reference((a.image.view(), b.image.view()), image.view_mut()).unwrap();
    let [slot] = chain.add(&abs, &[a.slot, b.slot]).unwrap();
    Some(Held { slot, image })
}
