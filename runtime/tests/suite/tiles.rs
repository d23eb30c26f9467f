//! What a body finds in a staged tile: the image with its border, zeros behind it, rows as far apart as they must be.

use std::cell::RefCell;

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut, Window,
    code::{Body, Rows},
    configure,
};

/// What a body saw in one call.
#[derive(Debug)]
struct Call {
    x: i32,
    width: usize,
    /// The elements of each input row that the body may read, input after input.
    rows: Vec<Vec<u8>>,
    /// Bytes from row to row of the inputs, and of the outputs.
    pitches: (Vec<usize>, Vec<usize>),
}

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// Records the bytes of `columns` columns from `left` of each input row.
///
/// # Safety
/// The columns are those that the body's `Reads` name.
unsafe fn record(rows: &Rows<'_>, left: isize, columns: usize) {
    // SAFETY: the caller's.
    let row = |row: usize| (0..columns as isize).map(|x| unsafe { load::<u8>(rows, row, left + x) }).collect();
    let inputs: Vec<usize> = rows.inputs.iter().map(|row| row.addr()).collect();
    let outputs: Vec<usize> = rows.outputs.iter().map(|row| row.addr()).collect();
    let pitches = |rows: Vec<usize>| rows.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect();
    let call = Call {
        x: rows.x,
        width: rows.width,
        rows: (0..rows.inputs.len()).map(row).collect(),
        pitches: (pitches(inputs), pitches(outputs)),
    };
    CALLS.with_borrow_mut(|calls| calls.push(call));
}

/// Reads around an element; writes zeros.
enum Around<const L: u32> {}

static AROUND: KernelSpec = kernel(
    "around",
    &[input("src", ElementType::U8, 1, around(-1, 1, -1, 1), (1, 1), None)],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &BorderMode::ALL,
);

// SAFETY: the code takes these views.
unsafe impl<const L: u32> Kernel for Around<L> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &AROUND,
            &[Body::new(Tier::Scalar, 0, (L, 2), &[around(-1, 1, -1, 1)], true, around_body::<L>)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn around_body<const L: u32>(rows: &Rows<'_>) {
    // SAFETY: `width` columns and one on either side.
    unsafe {
        record(rows, -1, rows.width + 2);
        wide::<i32, L, 2>(rows, |_, _| 0);
    }
}

fn calls<const L: u32>(border: Border, src: &Tensor<u8>) -> Vec<Call> {
    let mut out = Tensor::<i32>::new([src.shape().height(), src.shape().width()]).unwrap();
    let info = *out.info();
    let configured = configure::<Around<L>>(&request(&[src.info()], &[Some(&info)], border)).unwrap();
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    CALLS.take()
}

#[test]
fn a_tile_holds_the_image_its_border_and_zeros() {
    let src = Tensor::from_fn([2, 5], |[y, x]| noise(1, x, y, 0) | 1).unwrap();
    for (border, left, right, above, below) in
        [(Border::Replicate, 0, 4, 0, 1), (Border::Wrap, 4, 0, 1, 0), (Border::Reflect101, 1, 3, 1, 0)]
    {
        let calls = calls::<8>(border, &src);
        let [call] = &calls[..] else { panic!("{border:?}: {} calls", calls.len()) };
        let row = |y: usize| {
            let at = |x: usize| src.view().get([y, x]).unwrap();
            // One column more than the image on either side; the vector reads three more, which are not used.
            [left, 0, 1, 2, 3, 4, right].map(at).into_iter().chain([0; 3]).collect::<Vec<u8>>()
        };
        assert_eq!(call.rows, [above, 0, 1, below].map(row), "{border:?}");
        assert_eq!((call.x, call.width), (0, 8));
    }
}

#[test]
fn rows_that_only_rows_not_computed_read_are_left_out() {
    let src = Tensor::from_fn([1, 3], |[y, x]| noise(2, x, y, 0) | 1).unwrap();
    let calls = calls::<4>(Border::constant(9u8), &src);
    let [a, b, c] = [0, 1, 2].map(|x| src.view().get([0, x]).unwrap());
    assert_eq!(calls[0].rows, [[9, 9, 9, 9, 9, 0], [9, a, b, c, 9, 0], [9, 9, 9, 9, 9, 0], [0; 6]]);
}

#[test]
fn rows_of_a_tile_are_as_near_as_their_alignment_allows() {
    fn pitches<const L: u32>() -> (Vec<usize>, Vec<usize>) {
        let src = Tensor::<u8>::new([2, 3]).unwrap();
        calls::<L>(Border::Replicate, &src).remove(0).pitches
    }
    // A vector's columns and two more are read; an output's element has four bytes.
    assert_eq!(pitches::<14>(), (vec![16; 3], vec![64]));
    assert_eq!(pitches::<15>(), (vec![32; 3], vec![64]));
    assert_eq!(pitches::<16>(), (vec![32; 3], vec![64]));
    assert_eq!(pitches::<17>(), (vec![32; 3], vec![80]));
    assert_eq!(pitches::<30>(), (vec![32; 3], vec![128]));
    assert_eq!(pitches::<31>(), (vec![48; 3], vec![128]));
}

/// 2·4 bytes out and 4 in for each column: 2,728 of them, whose rows take 2·10,912 + 4·2,736 bytes, fill the scratch.
#[test]
fn long_rows_are_staged_in_tiles_that_fill_the_scratch() {
    let src = Tensor::<u8>::new([1, 7_000]).unwrap();
    let found: Vec<_> = calls::<8>(Border::Replicate, &src).iter().map(|call| (call.x, call.width)).collect();
    assert_eq!(found, [(0, 2_728), (2_728, 2_728), (5_456, 1_544)]);
}

/// Adds one to each element, in place.
enum Increment {}

static INCREMENT: KernelSpec = kernel(
    "increment",
    &[input("acc", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), Some(0))],
    &[output("acc", ElementType::U8, false)],
    (2, 2),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Increment {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &INCREMENT,
            &[Body::new(Tier::Scalar, 0, (4, 4), &[around(0, 0, 0, 0)], true, increment)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = ();
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn increment(rows: &Rows<'_>) {
    // SAFETY: only the element itself is read.
    unsafe {
        record(rows, 0, rows.width);
        wide::<u8, 4, 4>(rows, |x, row| load::<u8>(rows, row, x as isize) + 1);
    }
}

/// The elements of other parts are other threads': an in-place run doesn't even read them.
#[test]
fn a_part_in_place_reads_its_own_elements_only() {
    let mut acc = Tensor::from_fn([6, 10], |[y, x]| (10 * y + x + 1) as u8).unwrap();
    let info = *acc.info();
    let configured = configure::<Increment>(&request(&[], &[Some(&info)], Border::Undefined)).unwrap();
    let strips: Vec<Window> = configured.window().parts(1, 3).collect();
    for (x, y) in (0..5).flat_map(|x| (0..3).map(move |y| (x, y))) {
        let part = strips[y].split(0, x, 5).unwrap();
        configured.run_window(&Serial, (), acc.view_mut(), &part).unwrap();
        let calls = CALLS.take();
        let element = |dx: usize, dy: usize| (10 * (2 * y + dy) + 2 * x + dx + 1) as u8;
        let row = |dy: usize| vec![element(0, dy), element(1, dy), 0, 0];
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].rows, [row(0), row(1), vec![0; 4], vec![0; 4]], "part ({x}, {y})");
    }
    let expect: Vec<u8> = (2..=61).collect();
    assert_eq!(acc.to_vec(), expect);
}
