//! The parts of generated code are put together by unsafe constructors alone.

use windrow::{
    HandWritten, KernelCode, KernelSpec, Tier,
    code::{Body, Rows, Strips},
};

enum mine {}

fn code(spec: &'static KernelSpec, other: &'static KernelCode) -> KernelCode {
    KernelCode { spec, ..*other }
}

fn body(run: unsafe fn(&Rows<'_>)) -> Body {
    Body { tier: Tier::Scalar, index: 0, lanes: 4096, rows: 1, reads: &[], has_head: false, carries_rows: false, strips: Strips::NONE, run }
}

fn hand_written(run: unsafe fn(&Rows<'_>)) -> HandWritten<mine> {
    HandWritten { lanes: 4096, rows: 1, index: None, run, kernel: std::marker::PhantomData }
}

fn main() {}
