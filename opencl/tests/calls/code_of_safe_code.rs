//! A specification with another kernel's code, and a body of any function.

use windrow::{
    HandWritten, KernelCode, KernelSpec,
    code::{OpenClProgram, Rows},
};

enum mine {}

fn code(spec: &'static KernelSpec, other: &'static KernelCode) -> KernelCode {
    KernelCode::new(spec, other.bodies(), other.derive(), other.reference(), &OpenClProgram::NONE)
}

fn hand_written(run: unsafe fn(&Rows<'_>)) -> HandWritten<mine> {
    HandWritten::new(4096, 1, run)
}

fn main() {}
