//! The tests of kernels on OpenCL devices: the harness's cases, on the machine's device.
//!
//! The generated tests call [`check`], which is [`windrow_testing`]'s with the target
//! [`Target::OpenCl`] in it. `WINDROW_OPENCL_DEVICE` names the device, by index or by a part of its name.
//!
//! On the Oclgrind simulator fewer and smaller cases run, and every report of the simulator fails its case; start it
//! with `OPENCL_DYLIB_PATH=…/liboclgrind-rt.so OCLGRIND_LOG=FILE`, on one test thread.

mod bench;
mod chains;
mod device;
pub(crate) mod fault;
pub mod recorded;
#[cfg(test)]
mod tests;

pub use bench::bench;
pub use chains::{check_chain_on_device, check_chain_placed};
use device::OpenCl;
use windrow_runtime::{Kernel, reference::testing::Mode};
use windrow_testing::{Additions, Failure, Outcome, OwnData, Selection, Target, mode, report, run_on, target_of};

/// Tests `K` on `target`: every generated test is one call of it.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check<K: Kernel>(target: Target) {
    report::<K>(target, run::<K>(target, mode()));
}

/// Tests `K` on `target` with what an author adds.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check_more<K: Kernel>(target: Target, additions: &Additions<'_>) {
    report::<K>(target, run_selected::<K>(target, mode(), &Selection::Added(additions)));
}

/// Runs one case again: what a failure prints as a test to paste.
///
/// # Panics
/// Where the case does not agree, `id` is not that of a case of this kernel, or its target is missing.
pub fn replay<K: Kernel>(id: &str) {
    replay_with::<K>(id, &[]);
}

/// Runs one case again that holds contents of an author's own.
///
/// # Panics
/// As [`replay`].
pub fn replay_with<K: Kernel>(id: &str, own: &[OwnData]) {
    let target = target_of::<K>(id);
    report::<K>(target, run_selected::<K>(target, mode(), &Selection::Only(id, own)));
}

/// Runs the cases of `K` on `target` up to the first that does not agree.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run<K: Kernel>(target: Target, mode: Mode) -> Result<Outcome, Failure> {
    run_selected::<K>(target, mode, &Selection::Generated)
}

/// [`run`] with a choice of cases.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run_selected<K: Kernel>(target: Target, mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    match target {
        Target::OpenCl => run_on::<OpenCl, K>(mode, selection),
        Target::Scalar | Target::Neon | Target::Sse41 | Target::Avx2 => {
            windrow_testing::run_selected::<K>(target, mode, selection)
        }
    }
}
