//! Which way rows are computed: from the images themselves wherever that is possible, and once.

mod common;

use std::cell::RefCell;

use common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
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

impl Kernel for Record {
    const CODE: &'static KernelCode = &KernelCode {
        spec: &RECORD,
        bodies: &[Body {
            tier: Tier::Scalar,
            index: 0,
            lanes: LANES as u32,
            rows: ROWS as u32,
            reads: &[reads(around(-1, 1, -1, 1))],
            run: record,
        }],
        derive: derive_nothing,
        reference: |_| {},
        opencl: &NO_OPENCL,
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

/// A call: x, y and the columns; and whether the body wrote to the image itself.
type Call = (i32, i32, usize, bool);

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// The images of these tests are as wide, so that a tile's rows can't be as far apart.
const WIDTH: usize = 1000;

unsafe fn record(rows: &Rows<'_>) {
    let direct = rows.outputs[1].addr() - rows.outputs[0].addr() == 4 * WIDTH;
    CALLS.with_borrow_mut(|calls| calls.push((rows.x, rows.y, rows.width, direct)));
    // SAFETY: nothing is read.
    unsafe { wide::<i32, { LANES as u32 }, { ROWS as u32 }>(rows, |_, _| 0) };
}

/// The calls for a region of `width` columns and `height` rows.
fn calls(border: Border, width: usize, height: usize) -> Vec<Call> {
    let (src, mut out) = (Tensor::<u8>::new([WIDTH, 50]).unwrap(), Tensor::<i32>::new([WIDTH, 50]).unwrap());
    let src = src.view().region([0, 0], [width, height]).unwrap();
    let out = out.view_mut().region([0, 0], [width, height]).unwrap();
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

#[test]
fn tiles_take_a_vector_at_each_edge() {
    let edges = [(4, 0, 5, true), (0, 0, 4, false), (9, 0, 4, false)];
    assert_eq!(calls(Border::Replicate, 13, 2), edges);
    assert_eq!(calls(Border::Wrap, 12, 2), [(4, 0, 4, true), (0, 0, 4, false), (8, 0, 4, false)]);
    assert_eq!(calls(Border::Replicate, 11, 2), [(0, 0, 12, false)]);
}

#[test]
fn rows_of_a_constant_are_staged_and_the_others_not() {
    let found = calls(Border::constant(0u8), 12, 6);
    let inside = [(4, 2, 4, true), (0, 2, 4, false), (8, 2, 4, false)];
    assert_eq!(found, [&[(0, 0, 12, false)], &inside[..], &[(0, 4, 12, false)]].concat());
    // Rows 2 and 3 read up to the last of five rows; then rows 3 and 4 read beyond.
    let found = calls(Border::constant(0u8), 12, 5);
    assert_eq!(found, [&[(0, 0, 12, false)], &inside[..], &[(0, 3, 12, false)]].concat());
}
