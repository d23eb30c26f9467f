//! Generated tests of chains on the machine's device, and with their stages in mixed places.

use super::device::{context, is_simulator, turn};
use crate::chains::{ChainUnderTest, ChainWays, Sizes, check_chain_of};
use std::sync::Arc;
use windrow_opencl::{ByStage, DeviceManager, DeviceMemory, MemMode, OnDevice, StagePlace};
use windrow_runtime::{
    function::{ChainBuilder, Composite, Executor, FunctionError},
    memory::Planner,
};

type Ways = Vec<(String, Result<Composite, FunctionError>)>;

/// Tests a chain on the machine's device, over buffers and over images.
///
/// # Panics
/// Where it does not agree with its operators one after another, or there is no device.
pub fn check_chain_on_device(chain: &ChainUnderTest<'_>) {
    let memory = memory();
    let _turn = turn();
    check_chain_of(chain, "on_device", &|builder| on_device(&memory, builder), sizes(&memory));
}

/// Has `check` run with the ways of a chain on the machine's device, and the sizes of its tensors.
///
/// # Panics
/// As [`check_chain_on_device`].
pub(crate) fn on_device_ways(check: &dyn Fn(&ChainWays<'_>, Sizes)) {
    let memory = memory();
    let _turn = turn();
    check(&|builder| on_device(&memory, builder), sizes(&memory));
}

fn on_device(memory: &DeviceMemory, builder: &ChainBuilder) -> Ways {
    let modes = [("on the device", MemMode::Buffer), ("on the device, over images", MemMode::Auto)];
    let way = |(name, mode): (&str, MemMode)| {
        way(memory, builder, name.into(), |manager| OnDevice::new(manager).with_mode(mode))
    };
    modes.map(way).into()
}

/// Tests a chain with each stage by itself on the device, all but it, and each split between processor and device.
///
/// # Panics
/// As [`check_chain_on_device`].
pub fn check_chain_placed(chain: &ChainUnderTest<'_>) {
    let memory = memory();
    let _turn = turn();
    let by_stage = |builder: &ChainBuilder| {
        let mut ways: Ways = Vec::new();
        for (stage, name) in builder.stage_names().enumerate() {
            let placed = |manager, here, others| ByStage::new(manager).otherwise(others).with(stage, here);
            let (processor, device) = (StagePlace::Processor, StagePlace::Device);
            let alone = format!("`{name}` on the device");
            ways.push(way(&memory, builder, alone, |manager| placed(manager, device, processor)));
            let others = format!("all but `{name}` on the device");
            ways.push(way(&memory, builder, others, |manager| placed(manager, processor, device)));
            let split = format!("`{name}` on both");
            let share = StagePlace::Split(0.5);
            let both = way(&memory, builder, split, |manager| placed(manager, share, processor));
            // A stage that can't be split is told so: the other ways hold for it.
            if !matches!(both.1, Err(FunctionError::Refused { .. })) {
                ways.push(both);
            }
        }
        ways
    };
    check_chain_of(chain, "placed", &by_stage, sizes(&memory));
}

/// What the device runs in a moment.
fn sizes(memory: &DeviceMemory) -> Sizes {
    if is_simulator(memory.context().device()) { Sizes::SIMULATED } else { Sizes::RUN }
}

fn memory() -> DeviceMemory {
    match context(true) {
        Ok(context) => DeviceMemory::new(&context),
        Err(error) => panic!("no device to test chains on: {error}"),
    }
}

/// The chain as an executor with memory of its own makes it.
fn way<E: Executor>(
    memory: &DeviceMemory,
    builder: &ChainBuilder,
    name: String,
    executor: impl FnOnce(Arc<DeviceManager>) -> E,
) -> (String, Result<Composite, FunctionError>) {
    let manager = Arc::new(DeviceManager::new(memory, Planner::Arena));
    let composite = builder.clone().compose(&executor(manager.clone()));
    let populated = composite.and_then(|composite| Ok(manager.populate(1).map(|()| composite)?));
    (name, populated)
}
