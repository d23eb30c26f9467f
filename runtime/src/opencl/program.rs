//! A kernel's source, built for one device.
//!
//! The flags make floats mean what they mean in Rust: OpenCL C 1.2, correctly rounded division and square root where
//! the device offers them. (`FP_CONTRACT OFF` stands in the source.) A device whose floats can't is refused.

use super::{
    context::Context,
    device::IntegerUnits,
    driver::{Call, Handle, KernelObject, ProgramObject},
    error::OpenClError,
};
use opencl3::error_codes::CL_BUILD_PROGRAM_FAILURE;
use std::{
    ffi::CString,
    string::{String, ToString},
    sync::Arc,
};

const STANDARD: &str = "-cl-std=CL1.2";
const CORRECT_DIVISION: &str = " -cl-fp32-correctly-rounded-divide-sqrt";
/// Lets a program use instructions on pairs: see `IntegerUnits::ScalarsWithPairs`.
const PAIRS: &str = " -DWINDROW_NVIDIA_PAIRS";

/// A built program. Its clones share it.
#[derive(Clone, Debug)]
pub struct Program {
    program: Arc<Handle<ProgramObject>>,
}

impl Program {
    /// Builds the program of `K`.
    pub fn of<K: crate::code::Kernel>(context: &Context) -> Result<Self, OpenClError> {
        Self::build(context, K::CODE.spec.name, K::CODE.opencl.source)
    }

    /// Builds `source`, the program of `kernel`, with the flags that the device needs.
    pub fn build(context: &Context, kernel: &str, source: &str) -> Result<Self, OpenClError> {
        check_floats(context, kernel, source)?;
        Self::build_for_any_floats(context, source)
    }

    /// [`Self::build`], on a device whose floats may give other bits.
    pub(crate) fn build_for_any_floats(context: &Context, source: &str) -> Result<Self, OpenClError> {
        if source.contains('\0') {
            return Err(OpenClError::Nul { what: "the source" });
        }
        let options = options(context);
        let text = CString::new(options.as_str()).map_err(|_| OpenClError::Nul { what: "the options" })?;
        let program = context.driver().create_program_with_source(context.handle(), source)?;
        match context.driver().build_program(&program, context.device().id, &text) {
            Ok(()) => Ok(Self { program: Arc::new(program) }),
            Err(OpenClError::Call { call: Call::BuildProgram, code: CL_BUILD_PROGRAM_FAILURE, .. }) => {
                let log = build_log(context, &program);
                Err(OpenClError::Build { device: context.device().to_string(), options, log })
            }
            Err(error) => Err(error),
        }
    }

    /// The entry point `name`.
    pub(super) fn entry(&self, name: &str) -> Result<Handle<KernelObject>, OpenClError> {
        let name = CString::new(name).map_err(|_| OpenClError::Nul { what: "the entry's name" })?;
        self.program.driver().create_kernel(&self.program, &name)
    }
}

/// Whether a program computes with floats.
pub(crate) fn uses_floats(source: &str) -> bool {
    code(source).any(|line| line.contains("float"))
}

/// A program that computes with floats needs a device that keeps them.
fn check_floats(context: &Context, kernel: &str, source: &str) -> Result<(), OpenClError> {
    if !uses_floats(source) {
        return Ok(());
    }
    // A program whose floats are divided says so at its head: elsewhere a slash divides integers.
    let divides = source.contains(CORRECT_DIVISION.trim()) || code(source).any(|line| line.contains("sqrt"));
    let lacks = context.device().floats.lacks(divides);
    if lacks.is_empty() {
        return Ok(());
    }
    Err(OpenClError::Inexact { device: context.device().to_string(), kernel: kernel.to_string(), lacks })
}

/// The lines of a program without their comments.
fn code(source: &str) -> impl Iterator<Item = &str> {
    source.lines().map(|line| line.split("//").next().unwrap_or(line))
}

fn options(context: &Context) -> String {
    let mut options = STANDARD.to_string();
    if context.device().floats.correctly_rounded_division {
        options += CORRECT_DIVISION;
    }
    match context.device().integers {
        IntegerUnits::ScalarsWithPairs => options += PAIRS,
        IntegerUnits::Vectors | IntegerUnits::Scalars => {}
    }
    options
}

fn build_log(context: &Context, program: &Handle<ProgramObject>) -> String {
    match context.driver().build_log(program, context.device().id) {
        Ok(log) => log,
        Err(error) => std::format!("(the driver gave no log: {error})"),
    }
}
