//! Random chains of the kernels written by hand, of every neighbourhood, stride and border.

use std::sync::Arc;

use windrow_runtime::{
    Border, Element, InvalidConfiguration, Kernel, Tensor, TensorInfo, configure,
    function::{Chain, ChainBuilder, Slot},
    memory::{Heap, Recording},
};

use super::*;

/// How a chain is made: the same choices make the same chain.
#[derive(Clone, Debug)]
pub struct Choices {
    pub extents: Vec<usize>,
    /// For each step: which kernel, of which slots, with which border, and whether its result is an output.
    pub steps: Vec<(usize, usize, usize, usize, bool)>,
}

/// The chain, and the shapes of its outputs.
pub struct Built {
    pub builder: ChainBuilder,
    pub outputs: Vec<TensorInfo>,
}

/// Adds the steps, each a kernel of `u8` images; what shapes make impossible is left out.
pub fn build(choices: &Choices) -> Built {
    let mut builder = ChainBuilder::new();
    let pixel = TensorInfo::of::<u8>(&choices.extents).unwrap();
    let mut slots = vec![builder.input(pixel), builder.input(pixel)];
    let mut made = Vec::new();
    for &(kind, first, second, border, is_output) in &choices.steps {
        let (first, second) = (slots[first % slots.len()], slots[second % slots.len()]);
        let border = EVERY_BORDER[border % 6];
        let step = match kind % 9 {
            0 => weighted::<0, 8, 4>(&mut builder, first, border),
            1 => weighted::<1, 5, 3>(&mut builder, first, border),
            2 => weighted::<2, 4, 1>(&mut builder, first, border),
            3 => weighted::<3, 8, 2>(&mut builder, first, border),
            4 => weighted::<4, 4, 3>(&mut builder, first, border),
            5 => weighted::<5, 8, 1>(&mut builder, first, border),
            6 => weighted::<7, 4, 4>(&mut builder, first, border),
            7 => differences(&mut builder, first, second),
            _ => differences(&mut builder, second, first),
        };
        if let Some(slot) = step {
            slots.push(slot);
            made.push((slot, is_output));
        }
    }
    if made.is_empty() {
        made.push((weighted::<0, 8, 4>(&mut builder, slots[0], Border::Wrap).unwrap(), true));
    }
    let last = made.len() - 1;
    let mut outputs = Vec::new();
    for (slot, _) in
        made.into_iter().enumerate().filter(|(index, (_, output))| *output || *index == last).map(|(_, m)| m)
    {
        builder.output(slot).unwrap();
        outputs.push(builder.info(slot).unwrap());
    }
    Built { builder, outputs }
}

impl Built {
    pub fn immediate(self) -> Chain {
        self.builder.finish(Recording::immediate(Arc::new(Heap))).unwrap()
    }

    /// Outputs in padding, full of a mark.
    pub fn canvases(&self) -> Vec<Tensor<u8>> {
        let canvas = |info: &TensorInfo| {
            let padding = windrow_runtime::Padding { left: 1, right: 2, top: 1, bottom: 1 };
            let mut tensor = Tensor::<u8>::with_padding(info.shape().extents(), padding).unwrap();
            tensor.storage_mut().fill(0xCD);
            tensor
        };
        self.outputs.iter().map(canvas).collect()
    }
}

/// The images that a chain of these extents reads.
pub fn sources(extents: &[usize], seed: usize) -> [Tensor<u8>; 2] {
    let shape = windrow_runtime::Shape::new(extents).unwrap().extents();
    [1, 2].map(|k| Tensor::from_fn(shape, |x, y, plane| noise(seed + k, x, y, plane)).unwrap())
}

/// A weighted sum, and its low byte.
fn weighted<const KIND: usize, const L: u32, const R: u32>(
    chain: &mut ChainBuilder,
    src: Slot,
    border: Border,
) -> Option<Slot> {
    let info = chain.info(src).unwrap();
    let stride = KINDS[KIND].1;
    let mut extents = info.shape().extents();
    extents[0] = extents[0].div_ceil(stride.0 as usize);
    extents[1] = extents[1].div_ceil(stride.1 as usize);
    let (wide, small) = (TensorInfo::of::<i32>(&extents).unwrap(), TensorInfo::of::<u8>(&extents).unwrap());
    let sum = added::<Weighted<L, R, KIND>, i32>(chain, &[src], &[&info], &wide, border)?;
    added::<Narrow, u8>(chain, &[sum], &[&wide], &small, Border::Undefined)
}

/// |a − b|, where both have one shape.
fn differences(chain: &mut ChainBuilder, a: Slot, b: Slot) -> Option<Slot> {
    let infos = [a, b].map(|slot| chain.info(slot).unwrap());
    let same = infos[0].shape() == infos[1].shape();
    let [x, y] = &infos;
    same.then(|| added::<AbsDiff<16, 2>, u8>(chain, &[a, b], &[x, y], x, Border::Undefined)).flatten()
}

/// Adds a kernel; `None` where there is nothing to compute.
fn added<K: Kernel, T: Element>(
    chain: &mut ChainBuilder,
    slots: &[Slot],
    infos: &[&TensorInfo],
    out: &TensorInfo,
    border: Border,
) -> Option<Slot> {
    let plain = TensorInfo::of::<T>(&out.shape().extents()).unwrap();
    let configured = match configure::<K>(&request(infos, &[Some(&plain)], border)) {
        Ok(configured) => configured,
        Err(InvalidConfiguration::Empty { .. }) => return None,
        Err(error) => panic!("{error}"),
    };
    let [slot] = chain.add(&configured, slots).unwrap();
    Some(slot)
}
