//! The test harness: a kernel on every target against the author's own function, compared to the bit.
//!
//! The generated tests call [`check`], one test for each target: first a fixed list of cases, which holds everything that is
//! known to be awkward, and then random ones, drawn by the crate `proptest`. A case that fails is shrunk to the smallest that
//! does, and printed as a test to paste, which calls [`replay`]. An author adds shapes, contents, seeds and random cases by
//! `windrow::property_tests!`. [`digest`] fingerprints a kernel's results for the committed table.
//!
//! A target that the machine lacks is an ignored test, with a reason. Whether a processor has an instruction set, and whether
//! an OpenCL driver is installed, is looked up where the test is built: Rust's test harness can't ignore a test while it runs.
//! A test that does not find its target all the same fails, and says so.
//!
//! Cases are data with readable ids (see `case`). Environment variables:
//!
//! | Variable | Meaning |
//! |---|---|
//! | `WINDROW_TEST` | `quick` (the default), whose random cases are the same on each run, or `full`, whose cases are new ones; in quick tests a processor's OpenCL driver optimises the programs of one kernel in eight |
//! | `PROPTEST_CASES` | random cases of each test; 16 in quick mode, 64 in full mode; on a device a quarter of them |
//! | `WINDROW_CASE` | run only the cases whose ids start so |
//! | `WINDROW_REQUIRE` | targets, with commas, whose tests must not be ignored: `opencl,neon` |
//! | `WINDROW_BLESS` | write the committed digests instead of comparing |
//! | `WINDROW_OPENCL_DEVICE` | the OpenCL device, by index or by a part of its name |
//!
//! On the Oclgrind simulator fewer and smaller cases run, and every report of the simulator fails its case; start it
//! with `OPENCL_DYLIB_PATH=…/liboclgrind-rt.so OCLGRIND_LOG=FILE`, on one test thread.

mod again;
mod arguments;
mod bench;
mod block;
mod case;
mod cases;
mod chains;
mod check;
mod counted;
mod cpu;
mod device;
mod digests;
mod fault;
mod memory;
#[cfg(feature = "opencl")]
mod opencl;
#[cfg(not(feature = "opencl"))]
#[path = "without_opencl.rs"]
mod opencl;
mod oracle;
mod own;
mod picture;
mod pipelines;
mod property;
mod run;
mod scene;
mod selection;
mod subject;
mod target;
mod uniforms;
mod whole;
mod windowed;
mod words;

#[cfg(test)]
mod tests;

pub use again::run_again;
pub use bench::{
    BenchDevice, BenchOptions, BenchTimes, DeviceRun, PipelineTimes, WayTimes, bench, bench_on, bench_pipeline,
};
pub use block::{Block, Blocks};
pub use case::CASE_VARIABLE;
pub use chains::{BuildChain, ChainUnderTest, ChainWays, Input, check_chain, processor_ways};
pub use check::{check, check_more, check_required, replay, replay_with, report, target_of};
pub use counted::Counted;
pub use device::{Device, NoDevice, run_on};
pub use digests::{BLESS_VARIABLE, check_digest};
pub use opencl::{check_chain_on_device, check_chain_placed};
pub use own::{Additions, OwnData};
pub use pipelines::{Draw, Drawn, DrawnWithin, Pipeline, check_pipeline};
pub use run::{Failure, MODE_VARIABLE, Outcome, digest, mode, run, run_selected};
pub use selection::Selection;
pub use target::{REQUIRE_VARIABLE, Target};
pub use windrow_reference::testing::Place;
