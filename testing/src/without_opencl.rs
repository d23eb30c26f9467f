//! In the place of the module `opencl`, in a build without OpenCL.

use crate::bench::DeviceRun;
use crate::{
    bench::BenchDevice,
    block::Blocks,
    chains::{ChainUnderTest, ChainWays, Sizes},
    run::{Failure, Outcome},
    selection::Selection,
    subject::Subject,
};
use windrow_reference::testing::Mode;
use windrow_runtime::configure::KernelPlan;

/// What a build without OpenCL says where a device is asked for.
const WHY: &str = "this build has no OpenCL";

pub(crate) fn run(_: Subject, _: Mode, _: &Selection<'_>) -> Result<Outcome, Failure> {
    Ok(Outcome::NotRun(WHY.into()))
}

/// A device that doesn't exist.
pub(crate) enum Nowhere {}

impl BenchDevice for Nowhere {
    fn name(&self) -> String {
        match *self {}
    }

    fn ready(&self, _: &KernelPlan, _: &Blocks<'_>, _: &[Vec<u8>]) -> Result<Box<dyn DeviceRun>, String> {
        match *self {}
    }

    fn copy(&self, _: usize) -> Result<Box<dyn DeviceRun>, String> {
        match *self {}
    }
}

pub(crate) fn bench_device() -> Result<Option<Nowhere>, String> {
    Ok(None)
}

pub(crate) fn on_device_ways(_: &dyn Fn(&ChainWays<'_>, Sizes)) {
    panic!("{WHY}");
}

/// Tests a chain on the machine's OpenCL device.
///
/// # Panics
/// This build has none.
pub fn check_chain_on_device(chain: &ChainUnderTest<'_>) {
    panic!("{}: {WHY}", chain.name);
}

/// Tests a chain with its stages in mixed places.
///
/// # Panics
/// This build has no device.
pub fn check_chain_placed(chain: &ChainUnderTest<'_>) {
    panic!("{}: {WHY}", chain.name);
}
