//! Which way rows are computed: from the images themselves wherever that is possible, and once.

use std::{cell::RefCell, ptr::NonNull};

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, Borders, Dimension, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, TensorInfo,
    Tier, View, ViewMut, Window,
    code::{Body, Rows},
    configure,
    limits::MIN_DIRECT_COLUMNS,
    validate::Request,
};

const LANES: usize = 4;
const ROWS: usize = 2;

/// A kernel that records the calls of its body, and how far its rows are apart.
enum Record {}

static RECORD: KernelSpec = kernel(
    "record",
    &[input("src", ElementType::U8, 1, around(-1, 1, -1, 1), (1, 1), None)],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &BorderMode::ALL,
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Record {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &RECORD,
            &[Body::new(Tier::Scalar, 0, (LANES as u32, ROWS as u32), &[around(-1, 1, -1, 1)], true, record)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

/// A call: x, y and the columns; and whether the body read the image itself.
type Call = (i32, i32, usize, bool);

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
    /// Whether the body of [`Record`] wrote the image itself, call by call.
    static STORED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

/// The images of these tests are as wide, so that a tile's rows can't be as far apart.
const WIDTH: usize = 1000;

unsafe fn record(rows: &Rows<'_>) {
    assert_eq!(
        (rows.inputs.len(), rows.outputs.len()),
        (ROWS + 2, ROWS),
        "no more rows than the body reads and writes"
    );
    // The rows of the elements themselves, between those above and below.
    let direct = rows.inputs[2].addr() - rows.inputs[1].addr() == WIDTH;
    CALLS.with_borrow_mut(|calls| calls.push((rows.x, rows.y, rows.width, direct)));
    let stored = rows.outputs[1].addr() - rows.outputs[0].addr() == WIDTH * size_of::<i32>();
    STORED.with_borrow_mut(|calls| calls.push(stored));
    // SAFETY: nothing is read.
    unsafe { wide::<i32, { LANES as u32 }, { ROWS as u32 }>(rows, |_, _| 0) };
}

/// The calls for a region of `width` columns and `height` rows.
fn calls(border: Border, width: usize, height: usize) -> Vec<Call> {
    let (src, mut out) = (Tensor::<u8>::new([50, WIDTH]).unwrap(), Tensor::<i32>::new([50, WIDTH]).unwrap());
    let src = src.view().region([0, 0], [height, width]).unwrap();
    let out = out.view_mut().region([0, 0], [height, width]).unwrap();
    let configured = configure::<Record>(&request(&[src.info()], &[Some(out.info())], border)).unwrap();
    configured.run(&Serial, src, out).unwrap();
    CALLS.take()
}

#[test]
fn an_undefined_border_needs_no_tile() {
    // 1..=8 of ten columns, 1..=5 of seven rows: the third group is moved up by a row.
    assert_eq!(calls(Border::Undefined, 10, 7), [(1, 1, 8, true), (1, 3, 8, true), (1, 4, 8, true)]);
    assert_eq!(calls(Border::Undefined, 11, 6), [(1, 1, 9, true), (1, 3, 9, true)]);
    assert_eq!(calls(Border::Undefined, 6, 4), [(1, 1, 4, true)]);
    assert_eq!(calls(Border::Undefined, 5, 4), [(1, 1, 4, false)]);
    assert_eq!(calls(Border::Undefined, 6, 3), [(1, 1, 4, false)]);
}

/// As many columns, between narrow edges, are computed from the images' own rows.
const M: usize = MIN_DIRECT_COLUMNS;

/// Where rows outside are read, each edge has a tile of its own.
#[test]
fn tiles_take_a_vector_at_each_edge() {
    let right = |x: usize| (x as i32, 0, 4, false);
    assert_eq!(calls(Border::Replicate, M + 5, 2), [(1, 0, M + 3, true), (0, 0, 4, false), right(M + 1)]);
    assert_eq!(calls(Border::Wrap, M + 4, 2), [(1, 0, M + 2, true), (0, 0, 4, false), right(M)]);
    assert_eq!(calls(Border::Replicate, M + 2, 2), [(1, 0, M, true), (0, 0, 4, false), right(M - 2)]);
    assert_eq!(calls(Border::Replicate, M + 1, 2), [(0, 0, M + 4, false)]);
    assert_eq!(calls(Border::Replicate, 5, 2), [(0, 0, 8, false)]);
}

/// Each edge of each group of rows takes the three columns that it reads, of one tile.
#[test]
fn edges_inside_stand_side_by_side() {
    let rows = |found: Vec<Call>| found.into_iter().filter(|call| call.1 > 0).collect::<Vec<_>>();
    let (width, last) = (M + 13, M as i32 + 9);
    let direct = |y: i32| (1, y, M + 11, true);
    // Of eight rows, 1..=6 read rows of the image: three groups. The last row has tiles of its own.
    let found = rows(calls(Border::Replicate, width, 8));
    let edges = [(0, 1, 18, false), (0, 7, 4, false), (last, 7, 4, false)];
    assert_eq!(found, [&[2, 4, 6].map(direct)[..], &edges].concat());
    // Of seven, 1..=5: two groups, and one that is moved up.
    let found = rows(calls(Border::Replicate, width, 7));
    let edges = [(0, 1, 12, false), (0, 4, 6, false), (0, 6, 4, false), (last, 6, 4, false)];
    assert_eq!(found, [&[2, 4, 5].map(direct)[..], &edges].concat());
}

#[test]
fn rows_of_a_constant_are_staged_and_the_others_not() {
    let (width, staged) = (M + 12, |y: i32| (0, y, M + 12, false));
    let expected = [staged(0), (1, 2, M + 10, true), (0, 2, 6, false), staged(4)];
    assert_eq!(calls(Border::constant(0u8), width, 6), expected);
    // Rows 2 and 3 read up to the last of five rows; row 4 alone reads beyond, and is staged alone.
    assert_eq!(calls(Border::constant(0u8), width, 5), expected);
}

/// A tile holds 32 rows of an image no wider than a vector; the group of the last row is moved up.
#[test]
fn the_last_rows_of_a_narrow_image_are_a_whole_group() {
    let found = calls(Border::Replicate, LANES, 33);
    assert_eq!(found.len(), 32 / ROWS + 1);
    assert_eq!(found[32 / ROWS - 1..], [(0, 30, LANES, false), (0, 31, LANES, false)]);
}

/// What is whole vectors wide and a group high is written where it belongs, from tiles too; what is less goes through a tile.
#[test]
fn results_of_whole_groups_are_not_copied() {
    let stored = |border, width, height| {
        STORED.take();
        calls(border, width, height);
        STORED.take()
    };
    assert_eq!(stored(Border::Replicate, M + 13, 2), [true; 3]);
    assert_eq!(stored(Border::Replicate, 4, 2), [true]);
    assert_eq!(stored(Border::Replicate, 5, 2), [false]);
    assert_eq!(stored(Border::Replicate, 8, 1), [false]);
    // The rows above and below are the constant's. Of the five, the last alone is no group, and edges are no vectors.
    assert_eq!(stored(Border::constant(0u8), M + 12, 5), [true, true, false, false]);
}

/// A kernel of two images that reads the one below each element and the other above it; it records its calls.
enum Two {}

static TWO: KernelSpec = kernel(
    "two",
    &[
        input("lower", ElementType::U8, 1, around(0, 0, 0, 1), (1, 1), None),
        input("upper", ElementType::U8, 1, around(0, 0, -1, 0), (1, 1), None),
    ],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &BorderMode::ALL,
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Two {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &TWO,
            &[Body::new(
                Tier::Scalar,
                0,
                (LANES as u32, ROWS as u32),
                &[around(0, 0, 0, 1), around(0, 0, -1, 0)],
                true,
                two,
            )],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, u8>, View<'a, u8>);
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn two(rows: &Rows<'_>) {
    // The elements' own rows of the second image, behind the first's and the one above.
    let own = ROWS + 1 + 1;
    let direct = rows.inputs[own + 1].addr() - rows.inputs[own].addr() == WIDTH;
    CALLS.with_borrow_mut(|calls| calls.push((rows.x, rows.y, rows.width, direct)));
    // SAFETY: nothing is read.
    unsafe { wide::<i32, { LANES as u32 }, { ROWS as u32 }>(rows, |_, _| 0) };
}

/// A row that repeats lies in memory; and an image with a constant is read down to its last row.
#[test]
fn rows_that_repeat_are_not_staged_for_the_constant_of_another_image() {
    let (src, mut out) = (Tensor::<u8>::new([6, WIDTH]).unwrap(), Tensor::<i32>::new([6, WIDTH]).unwrap());
    let src = src.view().region([0, 0], [6, 8]).unwrap();
    let out = out.view_mut().region([0, 0], [6, 8]).unwrap();
    let border = Borders::each(&[Border::Replicate, Border::constant(0u8)]);
    let configured = configure::<Two>(&Request {
        border,
        ..request(&[src.info(), src.info()], &[Some(out.info())], Border::Replicate)
    });
    configured.unwrap().run(&Serial, (src, src), out).unwrap();
    assert_eq!(CALLS.take(), [(0, 0, 8, false), (0, 2, 8, true), (0, 4, 8, true)]);
}

/// Copies a row at a time, and records the calls.
enum Copied {}

static COPIED: KernelSpec = kernel(
    "copied",
    &[input("src", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None)],
    &[output("out", ElementType::U8, false)],
    (1, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Copied {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &COPIED,
            &[Body::new(Tier::Scalar, 0, (LANES as u32, 1), &[around(0, 0, 0, 0)], true, copied)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn copied(rows: &Rows<'_>) {
    CALLS.with_borrow_mut(|calls| calls.push((rows.x, rows.y, rows.width, true)));
    // SAFETY: only the element itself is read.
    unsafe { wide::<u8, { LANES as u32 }, 1>(rows, |x, _| load::<u8>(rows, 0, x as isize)) };
}

/// The calls for the rows `rows` of an image of `width` columns and four rows in memory of `stride` columns; they are all that
/// is written.
fn copies(width: usize, stride: usize, rows: std::ops::Range<usize>) -> Vec<Call> {
    let (height, end) = (4, rows.end);
    let memory = Tensor::from_fn([height, stride], |[y, x]| noise(1, x, y, 0) | 1).unwrap();
    let mut out = Tensor::<u8>::new([height, stride]).unwrap();
    let src = memory.view().region([0, 0], [height, width]).unwrap();
    let info = *src.info();
    let configured = configure::<Copied>(&request(&[&info], &[Some(&info)], Border::Undefined)).unwrap();
    let y = Dimension::new(rows.start, end, 1).unwrap();
    let part = Window::new(&[Dimension::new(0, width, 1).unwrap(), y]).unwrap();
    let target = out.view_mut().region([0, 0], [height, width]).unwrap();
    configured.run_window(&Serial, src, target, &part).unwrap();
    for (x, y) in (0..stride).flat_map(|x| (0..height).map(move |y| (x, y))) {
        let expect = if x < width && rows.contains(&y) { memory.view().get([y, x]) } else { Some(0) };
        assert_eq!(out.view().get([y, x]), expect, "({x}, {y})");
    }
    CALLS.take()
}

#[test]
fn rows_that_follow_each_other_are_one_row() {
    assert_eq!(copies(5, 5, 0..4), [(0, 0, 20, true)]);
    assert_eq!(copies(5, 5, 1..3), [(0, 1, 10, true)]);
    assert_eq!(copies(5, 5, 2..3), [(0, 2, 5, true)]);
    // Less than a vector, on a tile.
    assert_eq!(copies(1, 1, 1..3), [(0, 0, LANES, true)]);
    assert_eq!(copies(5, 6, 1..3), [(0, 1, 5, true), (0, 2, 5, true)]);
}

#[test]
fn a_long_row_begins_with_a_vector_for_aligned_stores() {
    let (width, height) = (130, 130);
    let length = width * height;
    let memory: Vec<u8> = (0..length + 2).map(|at| noise(1, at, 0, 0) | 1).collect();
    for first in 0..LANES {
        let mut out = vec![0u8; length + 2 * LANES];
        let start = first + out.as_ptr().addr().wrapping_neg() % LANES;
        let src = View::from_slice(&memory[1..1 + length], [height, width]).unwrap();
        let target = ViewMut::from_slice(&mut out[start..start + length], [height, width]).unwrap();
        let info = *src.info();
        let configured = configure::<Copied>(&request(&[&info], &[Some(&info)], Border::Undefined)).unwrap();
        configured.run(&Serial, src, target).unwrap();
        assert!(out[start..start + length] == memory[1..1 + length], "{first}");
        assert!(out[..start].iter().chain(&out[start + length..]).all(|&byte| byte == 0), "{first}");
        let calls = CALLS.take();
        let skipped = (LANES - first) % LANES;
        let whole = (0, 0, length - skipped, true);
        assert_eq!(calls, if first == 0 { vec![whole] } else { vec![(0, 0, LANES, true), whole] });
    }
}

#[test]
fn a_long_row_in_place_is_staged_up_to_aligned_stores() {
    let calls = |width: usize, height: usize| {
        let mut memory: Vec<u8> = (0..width * height + LANES).map(|at| noise(1, at, 0, 0)).collect();
        let expect = memory.clone();
        let start = 1 + memory.as_ptr().addr().wrapping_neg() % LANES;
        let (base, info) =
            (NonNull::from(&mut memory[start..]).cast(), TensorInfo::of::<u8>(&[height, width]).unwrap());
        let configured = configure::<Copied>(&request(&[&info], &[Some(&info)], Border::Undefined)).unwrap();
        // SAFETY: the memory holds the image, which is read and written in the same run.
        let (src, out) = unsafe { (View::from_raw(base, info).unwrap(), ViewMut::from_raw(base, info).unwrap()) };
        configured.run(&Serial, src, out).unwrap();
        assert!(memory == expect);
        CALLS.take()
    };
    assert_eq!(calls(4092, 4), [(0, 0, 4 * 4092, true)]);
    assert_eq!(calls(128, 128), [(3, 0, 16380, true), (0, 0, LANES, true), (16383, 0, LANES, true)]);
}
