//! Narrow edges of many rows, side by side in a tile: each size of pixel and edge, and no more groups than a tile holds.

use std::{cell::RefCell, marker::PhantomData};

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Scalar, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
    limits::MIN_DIRECT_COLUMNS,
    spec::{ArgumentSpec, OutputSpec},
};

thread_local! {
    /// The first row and the columns of each call from the first column on.
    static CALLS: RefCell<Vec<(i32, usize)>> = const { RefCell::new(Vec::new()) };
}

/// A pixel of 1 to 8 bytes.
trait Pixel: windrow_runtime::KernelElement {
    fn channels(self) -> Vec<i32>;
}

impl Pixel for u8 {
    fn channels(self) -> Vec<i32> {
        vec![self.into()]
    }
}

macro_rules! pixels {
    ($($pixel:ty)*) => {$(
        impl Pixel for $pixel {
            fn channels(self) -> Vec<i32> {
                self.map(i32::from).to_vec()
            }
        }
    )*};
}

pixels! { [u8; 2] [u8; 3] [u8; 4] [i16; 4] }

/// What lies `D` columns to the right, less twice what lies as far to the left; each channel has a weight of its own.
struct Across<P, const D: i32, const L: u32, const R: u32>(PhantomData<P>);

impl<P: Pixel, const D: i32, const L: u32, const R: u32> Across<P, D, L, R> {
    const INPUTS: &'static [ArgumentSpec] = &[input("src", P::CHANNEL, P::CHANNELS, around(-D, D, 0, 0), (1, 1), None)];
    const OUTPUTS: &'static [OutputSpec] = &[output("out", ElementType::I32, false)];
    const SPEC: &'static KernelSpec = &kernel("across", Self::INPUTS, Self::OUTPUTS, (1, 1), &BorderMode::ALL);
}

fn difference(left: impl Pixel, right: impl Pixel) -> i32 {
    let weighted = |channels: Vec<i32>| channels.into_iter().fold(0, |sum, channel| 3 * sum + channel);
    weighted(right.channels()) - 2 * weighted(left.channels())
}

// SAFETY: the code takes these views.
unsafe impl<P: Pixel, const D: i32, const L: u32, const R: u32> Kernel for Across<P, D, L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            Self::SPEC,
            &[Body::new(Tier::Scalar, 0, (L, R), &[around(-D, D, 0, 0)], true, across::<P, D, L, R>)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, P>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn across<P: Pixel, const D: i32, const L: u32, const R: u32>(rows: &Rows<'_>) {
    if rows.x == 0 {
        CALLS.with_borrow_mut(|calls| calls.push((rows.y, rows.width)));
    }
    // SAFETY: `D` columns on either side.
    unsafe {
        wide::<i32, L, R>(rows, |x, row| {
            let at = |dx: i32| load::<P>(rows, row, x as isize + dx as isize);
            difference(at(-D), at(D))
        });
    }
}

/// Compares an image of pixels that `of` makes of four bytes with the definition; the calls for what is beside the direct columns.
fn calls<P: Pixel, const D: i32, const L: u32, const R: u32>(
    [width, height]: [usize; 2],
    border: Border,
    of: impl Fn([u8; 4]) -> P,
) -> Vec<(i32, usize)> {
    let bytes = |x, y| std::array::from_fn(|channel| noise(3, x, y, channel));
    let src = Tensor::from_fn([height, width], |[y, x]| of(bytes(x, y))).unwrap();
    let mut out = Tensor::<i32>::new([height, width]).unwrap();
    let info = *out.info();
    let configured = configure::<Across<P, D, L, R>>(&request(&[src.info()], &[Some(&info)], border)).unwrap();
    CALLS.take();
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    let at = |x: isize, y: usize| match border.mode().map(x, width) {
        Some(x) => src.view().get([y, x]).unwrap(),
        None => of([77; 4]),
    };
    for (index, found) in out.to_vec().into_iter().enumerate() {
        let (x, y) = ((index % width) as isize, index / width);
        let expect = difference(at(x - D as isize, y), at(x + D as isize, y));
        assert_eq!(found, expect, "({x}, {y}) of {width}×{height}, {border}, {D} beside");
    }
    CALLS.take()
}

const BORDERS: [Border; 5] =
    [Border::Replicate, Border::Reflect, Border::Reflect101, Border::Wrap, Border::Constant(Scalar::U8(77))];

fn check<P: Pixel, const D: i32>(of: impl Fn([u8; 4]) -> P + Copy) {
    for border in BORDERS {
        let border = match (border, P::CHANNEL) {
            (Border::Constant(_), ElementType::I16) => Border::Constant(Scalar::I16(77)),
            _ => border,
        };
        for height in [1, 3, 4, 50] {
            // Narrow images are staged whole.
            for more in [0, MIN_DIRECT_COLUMNS] {
                calls::<P, D, 24, 4>([31 + more, height], border, of);
                calls::<P, D, 24, 1>([67 + more, height], border, of);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long: `edges_are_computed_side_by_side` is not")]
fn pixels_of_every_size_have_edges_of_every_width() {
    check::<u8, 1>(|bytes| bytes[0]);
    check::<u8, 2>(|bytes| bytes[0]);
    check::<u8, 3>(|bytes| bytes[0]);
    check::<u8, 7>(|bytes| bytes[0]);
    check::<[u8; 2], 1>(|[a, b, ..]| [a, b]);
    check::<[u8; 2], 2>(|[a, b, ..]| [a, b]);
    check::<[u8; 3], 1>(|[a, b, c, _]| [a, b, c]);
    check::<[u8; 3], 2>(|[a, b, c, _]| [a, b, c]);
    check::<[u8; 4], 1>(|bytes| bytes);
    check::<[u8; 4], 2>(|bytes| bytes);
    check::<[i16; 4], 1>(|bytes| bytes.map(i16::from));
}

#[test]
fn edges_are_computed_side_by_side() {
    let width = MIN_DIRECT_COLUMNS + 5;
    let height = if cfg!(miri) { 4 } else { 128 };
    // Three columns on either side of each row, all at once; a row more than are taken at once is another call.
    assert_eq!(calls::<u8, 1, 4, 1>([width, height], Border::Reflect101, |bytes| bytes[0]), [(0, 6 * height)]);
    if cfg!(not(miri)) {
        let found = calls::<u8, 1, 4, 1>([width, 129], Border::Reflect101, |bytes| bytes[0]);
        assert_eq!(found, [(0, 768), (128, 6)]);
    }
}

/// Edges are computed apart where there are enough columns between them; else whole rows are, on a tile.
#[test]
fn narrow_images_are_staged_whole() {
    let first = |between: usize| calls::<u8, 1, 4, 1>([between + 2, 1], Border::Replicate, |bytes| bytes[0]);
    assert_eq!(first(MIN_DIRECT_COLUMNS), [(0, 6)]);
    assert_eq!(first(MIN_DIRECT_COLUMNS - 1), [(0, MIN_DIRECT_COLUMNS + 4)], "in vectors of four");
    // A vector that is wider still decides.
    let first = |between: usize| calls::<u8, 1, 320, 1>([between + 2, 1], Border::Replicate, |bytes| bytes[0]);
    assert_eq!(first(320), [(0, 320)]);
    assert_eq!(first(319), [(0, 640)]);
}

/// So many rows as 256 KiB hold are computed before their edges are, of these 81.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn a_tile_holds_so_many_groups() {
    // A slot has 3 · 100 columns; five bytes for each, and 200 more, are 32 KiB for 6 400 columns: ten groups, left and right.
    let found = calls::<u8, 100, 320, 1>([640, 128], Border::Wrap, |bytes| bytes[0]);
    let groups: Vec<usize> = found.iter().map(|(_, columns)| columns / 600).collect();
    assert_eq!(groups, [10, 10, 10, 10, 10, 10, 10, 10, 1, 10, 10, 10, 10, 7]);
    // Of slots of 27 columns 6 528 hold 120 on either side, of a column more or less another number.
    let found = calls::<u8, 9, 32, 1>([MIN_DIRECT_COLUMNS + 18, 128], Border::Wrap, |bytes| bytes[0]);
    let groups: Vec<usize> = found.iter().map(|(_, columns)| columns / 54).collect();
    assert_eq!(groups, [120, 8]);
}

/// Edges as wide as vectors have tiles of their own.
#[test]
fn wide_edges_are_vectors() {
    let extents = [MIN_DIRECT_COLUMNS + 5, 2];
    assert_eq!(calls::<u8, 1, 3, 1>(extents, Border::Replicate, |bytes| bytes[0]), [(0, 12)]);
    assert_eq!(calls::<u8, 1, 2, 1>(extents, Border::Replicate, |bytes| bytes[0]), [(0, 2), (1, 2)]);
}
