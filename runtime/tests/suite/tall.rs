//! The columns at an image's edges, in tiles several rows tall: how tall, down to the last byte of the scratch.

use std::cell::RefCell;

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
};

/// Where a call computes, and where the first row that it reads lies.
#[derive(Clone, Copy, Debug)]
struct Call {
    x: i32,
    y: i32,
    address: usize,
}

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// Reads one column on either side: a tile of `L` columns has rows of `L` bytes out, and of `L + 2` in.
enum Beside<const L: u32, const R: u32> {}

/// It says that it asks for coordinates: its edges can't stand side by side.
static BESIDE: KernelSpec = KernelSpec {
    coordinates: true,
    ..kernel(
        "beside",
        &[input("src", ElementType::U8, 1, around(-1, 1, 0, 0), (1, 1), None)],
        &[output("out", ElementType::U8, false)],
        (1, 1),
        &[BorderMode::Replicate],
    )
};

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Beside<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &BESIDE,
            &[Body::new(Tier::Scalar, 0, (L, R), &[around(-1, 1, 0, 0)], true, beside::<L, R>)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn beside<const L: u32, const R: u32>(rows: &Rows<'_>) {
    let call = Call { x: rows.x, y: rows.y, address: rows.inputs[0].addr() };
    CALLS.with_borrow_mut(|calls| calls.push(call));
    // SAFETY: one column on either side.
    unsafe {
        wide::<u8, L, R>(rows, |x, row| {
            let at = |dx: isize| load::<u8>(rows, row, x as isize + dx);
            at(-1).max(at(1))
        });
    }
}

/// The rows of each tile on the left edge, from the top, of an image of three vectors and `height` rows.
fn tiles<const L: u32, const R: u32>(height: usize) -> Vec<usize> {
    tiles_of::<L, R>(3 * L as usize, height)
}

/// The same of an image of `width` columns.
fn tiles_of<const L: u32, const R: u32>(width: usize, height: usize) -> Vec<usize> {
    let src = Tensor::from_fn([height, width], |[y, x]| noise(3, x, y, 0)).unwrap();
    let mut out = Tensor::<u8>::new([height, width]).unwrap();
    let info = *out.info();
    let configured = configure::<Beside<L, R>>(&request(&[src.info()], &[Some(&info)], Border::Replicate)).unwrap();
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    for (index, found) in out.to_vec().into_iter().enumerate() {
        let (x, y) = (index % width, index / width);
        let at = |x: usize| src.view().get([y, x]).unwrap();
        assert_eq!(found, at(x.saturating_sub(1)).max(at((x + 1).min(width - 1))), "({x}, {y}) of {height} rows");
    }
    let pitch = (L as usize + 2).next_multiple_of(16);
    let mut tiles: Vec<usize> = Vec::new();
    let mut next = None;
    for call in CALLS.take().into_iter().filter(|call| call.x == 0) {
        assert_eq!(call.y as usize, tiles.iter().sum::<usize>(), "rows are computed in order, once");
        // The next rows of the same tile, or the first of the next.
        if next != Some(call.address) {
            tiles.push(0);
        }
        *tiles.last_mut().unwrap() += R as usize;
        next = Some(call.address + R as usize * pitch);
    }
    tiles
}

/// 512 bytes out and 512 in for a row: 32 of them are 32 KiB.
#[test]
fn a_tile_is_filled_to_the_last_byte() {
    assert_eq!(tiles::<504, 1>(70), [32, 32, 6]);
    assert_eq!(tiles::<504, 1>(31), [31]);
    assert_eq!(tiles::<504, 1>(33), [32, 1]);
    assert_eq!(tiles::<504, 2>(64), [32, 32]);
}

/// One line more a row, and 32 rows are too many, though 31 are not: half of them.
#[test]
fn rows_that_do_not_fit_are_halved() {
    assert_eq!(tiles::<512, 1>(70), [16, 16, 16, 16, 6]);
    assert_eq!(tiles::<512, 1>(31), [31]);
    assert_eq!(tiles::<1_016, 1>(33), [16, 16, 1]);
    assert_eq!(tiles::<2_040, 1>(32), [8; 4]);
}

/// Eleven groups of three rows are too many; half of them are five.
#[test]
fn groups_of_rows_are_halved_as_a_whole() {
    assert_eq!(tiles::<512, 3>(36), [15, 15, 3, 3]);
    assert_eq!(tiles::<256, 3>(36), [33, 3]);
    // Two groups fill the scratch; a third is alone.
    assert_eq!(tiles::<1_016, 8>(40), [16, 16, 8]);
}

/// What is no wider than a vector is staged as tall as edges are.
#[test]
fn narrow_images_are_staged_as_tall_as_edges() {
    assert_eq!(tiles_of::<16, 4>(13, 70), [32, 32, 8]);
    assert_eq!(tiles_of::<16, 1>(16, 33), [32, 1]);
    assert_eq!(tiles_of::<16, 3>(5, 36), [33, 3]);
}
