//! Rows that follow each other in memory run as one, where nothing can tell.

mod common;

use std::cell::Cell;

use common::{NO_OPENCL, around, derive_nothing, input, kernel, load, output, request, wide};
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Adds one, and counts the calls of its body; `COORDINATES`: says that it depends on them.
#[derive(Debug)]
enum Next<const COORDINATES: bool> {}

impl<const COORDINATES: bool> Next<COORDINATES> {
    const SPEC: KernelSpec = KernelSpec {
        coordinates: COORDINATES,
        ..kernel(
            "next",
            &[input("src", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None)],
            &[output("out", ElementType::U8, false)],
            (4, 1),
            &[BorderMode::Undefined],
        )
    };
}

impl<const COORDINATES: bool> Kernel for Next<COORDINATES> {
    const CODE: &'static KernelCode = &KernelCode {
        spec: &Self::SPEC,
        bodies: &[Body { tier: Tier::Scalar, index: 0, lanes: 4, rows: 1, reads: &[around(0, 0, 0, 0)], run: next }],
        derive: derive_nothing,
        reference: |point| point.write(0, point.element::<u8>(0).wrapping_add(1)),
        opencl: &NO_OPENCL,
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn next(rows: &Rows<'_>) {
    CALLS.set(CALLS.get() + 1);
    // SAFETY: the element itself is read.
    unsafe { wide::<u8, 4, 1>(rows, |x, row| load::<u8>(rows, row, x as isize).wrapping_add(1)) };
}

/// The body's calls for an image of 10×7, whose rows lie `stride` elements apart.
fn calls<const COORDINATES: bool>(stride: usize) -> usize {
    let source: Vec<u8> = (0..stride * 7).map(|k| (k * 37 % 256) as u8).collect();
    let mut written = vec![0xEE; stride * 7];
    let src = View::with_strides(&source, &[10, 7], &[1, stride]).unwrap();
    let out = ViewMut::with_strides(&mut written, &[10, 7], &[1, stride]).unwrap();
    let configured =
        configure::<Next<COORDINATES>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    CALLS.set(0);
    configured.run(&Serial, src, out).unwrap();
    for (index, (found, from)) in written.iter().zip(&source).enumerate() {
        let expected = if index % stride < 10 { from.wrapping_add(1) } else { 0xEE };
        assert_eq!(*found, expected, "element {index} of rows {stride} apart");
    }
    CALLS.get()
}

#[test]
fn rows_without_gaps_are_one_row() {
    assert_eq!(calls::<false>(10), 1);
    assert_eq!(calls::<false>(11), 7);
}

#[test]
fn a_kernel_that_asks_where_it_is_keeps_its_rows() {
    assert_eq!(calls::<true>(10), 7);
}

#[test]
fn a_part_of_the_columns_keeps_its_rows() {
    let src = Tensor::<u8>::new([12, 5]).unwrap();
    let mut out = Tensor::<u8>::new([12, 5]).unwrap();
    let configured = configure::<Next<false>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    let window = configured.window().split(0, 1, 3).unwrap();
    CALLS.set(0);
    configured.run_window(&Serial, src.view(), out.view_mut(), &window).unwrap();
    assert_eq!(CALLS.get(), 5);
    for y in 0..5 {
        assert_eq!(out.view().row(y).unwrap(), [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
    }
}
