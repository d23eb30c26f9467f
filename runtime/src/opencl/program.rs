//! A kernel's source, built for one device.
//!
//! The flags make floats mean what they mean in Rust: OpenCL C 1.2, correctly rounded division and square root where
//! the device offers them. (`FP_CONTRACT OFF` stands in the source.) A device whose floats can't is refused.

use super::{
    context::Context,
    device::IntegerUnits,
    driver::{self, Object},
    error::OpenClError,
};
use opencl3::{error_codes::CL_BUILD_PROGRAM_FAILURE, kernel::Kernel};
use std::{
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
    program: Arc<Object<opencl3::program::Program>>,
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
        let turn = driver::turn();
        let mut program = opencl3::program::Program::create_from_source(context.raw(), source)
            .map_err(OpenClError::call("clCreateProgramWithSource"))?;
        match program.build(context.raw().devices(), &options) {
            Ok(()) => {
                drop(turn);
                Ok(Self { program: Arc::new(Object::new(program)) })
            }
            Err(error) if error.0 == CL_BUILD_PROGRAM_FAILURE => Err(OpenClError::Build {
                device: context.device().to_string(),
                options,
                log: build_log(context, &program),
            }),
            Err(error) => Err(OpenClError::call("clBuildProgram")(error)),
        }
    }

    /// The entry point `name`.
    pub(super) fn entry(&self, name: &str) -> Result<Kernel, OpenClError> {
        if name.contains('\0') {
            return Err(OpenClError::Nul { what: "the entry's name" });
        }
        let _turn = driver::turn();
        Kernel::create(&self.program, name).map_err(OpenClError::call("clCreateKernel"))
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

fn build_log(context: &Context, program: &opencl3::program::Program) -> String {
    match program.get_build_log(context.device().handle.id()) {
        Ok(log) => log.trim().to_string(),
        Err(error) => std::format!("(the driver gave no log: {error})"),
    }
}
