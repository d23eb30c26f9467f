//! The cases of kernels and chains on the machine's OpenCL device.
//!
//! `WINDROW_OPENCL_DEVICE` names the device, by index or by a part of its name.

mod bench;
mod chains;
mod device;

pub(crate) use bench::bench_device;
pub use chains::{check_chain_on_device, check_chain_placed};
#[cfg(test)]
pub(crate) use device::turn;

use crate::{
    device::run_on,
    run::{Failure, Outcome},
    selection::Selection,
};
use windrow_reference::testing::Mode;
use windrow_runtime::code::Kernel;

/// Runs the cases of `K` up to the first that does not agree.
///
/// # Errors
/// The smallest case found that does not agree.
pub(crate) fn run<K: Kernel>(mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    run_on::<device::OpenCl, K>(mode, selection)
}
