//! The cases of kernels and chains on the machine's OpenCL device.
//!
//! `WINDROW_OPENCL_DEVICE` names the device, by index or by a part of its name.

mod bench;
mod chains;
mod device;

pub(crate) use bench::bench_device;
pub(crate) use chains::on_device_ways;
pub use chains::{check_chain_on_device, check_chain_placed};
#[cfg(test)]
pub(crate) use device::turn;

use crate::{
    device::run_subject_on,
    run::{Failure, Outcome},
    selection::Selection,
    subject::Subject,
};
use windrow_reference::testing::Mode;

/// Runs the cases of a kernel up to the first that does not agree.
///
/// # Errors
/// The smallest case found that does not agree.
pub(crate) fn run(subject: Subject, mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    run_subject_on::<device::OpenCl>(subject, mode, selection)
}
