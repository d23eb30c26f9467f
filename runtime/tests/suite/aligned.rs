//! Wide regions: the second step of several rows begins where stores are aligned, wherever the first one does.

use std::cell::RefCell;

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
};

const LANES: u32 = 8;

thread_local! {
    /// Each call's width and the address of its second step.
    static CALLS: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
}

/// The greatest of 3×3 elements, `R` rows a call.
enum Greatest<const R: u32> {}

static GREATEST: KernelSpec = kernel(
    "greatest",
    &[input("src", ElementType::U8, 1, around(-1, 1, -1, 1), (1, 1), None)],
    &[output("out", ElementType::U8, false)],
    (1, 1),
    &[BorderMode::Undefined, BorderMode::Replicate, BorderMode::Constant],
);

// SAFETY: the code takes these views.
unsafe impl<const R: u32> Kernel for Greatest<R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &GREATEST,
            &[Body::new(Tier::Scalar, 0, (LANES, R), &[around(-1, 1, -1, 1)], true, greatest::<R>)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn greatest<const R: u32>(rows: &Rows<'_>) {
    CALLS.with_borrow_mut(|calls| calls.push((rows.width, rows.outputs[0].addr() + rows.head)));
    // SAFETY: one element on each side.
    unsafe {
        wide::<u8, LANES, R>(rows, |x, row| {
            let column = |dx: isize| (row..row + 3).map(|row| load::<u8>(rows, row, x as isize + dx)).max();
            column(-1).max(column(0)).max(column(1)).unwrap_or(0)
        });
    }
}

/// Computes the part `part` of three of the columns, or all, of an image whose output begins `first` bytes behind a vector's
/// alignment; whether the widest call's stores are aligned.
fn is_aligned<const R: u32>([height, width]: [usize; 2], border: Border, part: Option<usize>, first: usize) -> bool {
    let src = Tensor::from_fn([height, width], |[y, x]| noise(3, x, y, 0)).unwrap();
    let mut memory = vec![0xEE; width * height + 16];
    let first = memory.as_ptr().align_offset(LANES as usize) + first;
    let out = ViewMut::from_slice(&mut memory[first..first + width * height], [height, width]).unwrap();
    let configured = configure::<Greatest<R>>(&request(&[src.info()], &[Some(out.info())], border)).unwrap();
    let window = part.map_or(configured.window(), |part| configured.window().split(0, part, 3).unwrap());
    CALLS.take();
    configured.run_window(&Serial, src.view(), out, &window).unwrap();
    let (columns, rows) = (window.dimension(0), window.dimension(1));
    let at = |x: isize, y: isize| match border {
        Border::Constant(_) if x < 0 || y < 0 || x as usize >= width || y as usize >= height => 250,
        _ => {
            src.view().get([y.clamp(0, height as isize - 1) as usize, x.clamp(0, width as isize - 1) as usize]).unwrap()
        }
    };
    for (index, &found) in memory.iter().enumerate() {
        let place = index.checked_sub(first).filter(|place| *place < width * height);
        let expected = place
            .map(|place| (place % width, place / width))
            .filter(|(x, y)| (columns.start()..columns.end()).contains(x) && (rows.start()..rows.end()).contains(y));
        let expected = expected.map_or(0xEE, |(x, y)| {
            let (x, y) = (x as isize, y as isize);
            (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|(dx, dy)| at(x + dx, y + dy)).max().unwrap()
        });
        assert_eq!(found, expected, "byte {index} of {width}×{height}, {border}, part {part:?}, {first} bytes on");
    }
    let calls = CALLS.take();
    let (_, address) = calls.into_iter().max_by_key(|(width, _)| *width).unwrap();
    address.is_multiple_of(LANES as usize)
}

const BORDERS: [Border; 3] = [Border::Undefined, Border::Replicate, Border::Constant(windrow_runtime::Scalar::U8(250))];

#[test]
#[cfg_attr(miri, ignore = "long: a narrow image of each kind is below")]
fn several_rows_are_stored_aligned_wherever_they_begin() {
    for first in 0..LANES as usize {
        for (border, part) in BORDERS.into_iter().flat_map(|border| [None, Some(1)].map(|part| (border, part))) {
            // Rows keep their alignment from one to the next where the width is one of whole vectors.
            assert!(is_aligned::<4>([11, 3200], border, part, first), "{border}, {part:?}, {first}");
        }
    }
}

/// A group of the last rows is moved up, rows at the top and bottom are others' or constants, and rows may be too few.
#[test]
#[cfg_attr(miri, ignore = "long: a narrow image of each kind is below")]
fn regions_of_any_height_begin_aligned() {
    for (height, border) in (3..=9).chain([35, 67]).flat_map(|height| BORDERS.map(|border| (height, border))) {
        for part in [None, Some(0), Some(1), Some(2)] {
            is_aligned::<4>([height, 3079], border, part, 3);
            is_aligned::<3>([height, 3079], border, part, 5);
        }
    }
}

#[test]
fn narrow_regions_and_single_rows_begin_where_they_begin() {
    for (border, part) in BORDERS.into_iter().flat_map(|border| [None, Some(1)].map(|part| (border, part))) {
        is_aligned::<4>([6, 104], border, part, 1);
        is_aligned::<1>([6, 104], border, part, 1);
    }
    assert!(
        !is_aligned::<4>([6, 104], Border::Undefined, None, 0),
        "columns from the second on, and no vector before them"
    );
}

/// Where no border is read and all fits, no tile is needed, and memory for few row pointers is enough unless there are many.
#[test]
fn groups_of_many_rows_are_whole() {
    for height in [26, 27, 50, 51, 70] {
        is_aligned::<16>([height, 40], Border::Undefined, None, 0);
        is_aligned::<24>([height, 40], Border::Undefined, None, 0);
        is_aligned::<40>([height, 40], Border::Undefined, None, 0);
    }
}
