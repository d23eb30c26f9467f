//! The tests of kernels on OpenCL devices: the harness's cases, on the machine's device.
//!
//! The generated tests call [`check`], which is the runtime's ([`windrow_runtime::testing`]) with the target
//! [`Target::OpenCl`] in it. `WINDROW_OPENCL_DEVICE` names the device, by index or by a part of its name.
//!
//! On the Oclgrind simulator fewer and smaller cases run, and every report of the simulator fails its case; start it
//! with `OPENCL_DYLIB_PATH=…/liboclgrind-rt.so OCLGRIND_LOG=FILE`, on one test thread.

mod device;
#[cfg(test)]
mod tests;

use device::OpenCl;
use windrow_runtime::{
    Kernel,
    reference::testing::Mode,
    testing::{Failure, Outcome, Target, check_with, run_on},
};

/// Tests `K` on `target`: every generated test is one call of it.
///
/// A target that the machine lacks is reported, and is an error where `WINDROW_REQUIRE` names it.
///
/// # Panics
/// Where a case does not agree, a required target is missing, or an environment variable makes no sense.
pub fn check<K: Kernel>(target: Target) {
    check_with::<K>(target, |mode| run::<K>(target, mode));
}

/// Runs the cases of `K` on `target` up to the first that does not agree.
///
/// # Errors
/// The first case that does not agree.
pub fn run<K: Kernel>(target: Target, mode: Mode) -> Result<Outcome, Failure> {
    match target {
        Target::OpenCl => run_on::<OpenCl, K>(mode),
        Target::Scalar | Target::Neon | Target::Sse41 | Target::Avx2 => {
            windrow_runtime::testing::run::<K>(target, mode)
        }
    }
}
