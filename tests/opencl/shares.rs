//! Kernels whose rows a device and the processor share.

use crate::case::{add_to, contexts, image};
use std::sync::Arc;
use windrow::{
    Border, Serial, Tensor,
    chain::{ChainBuilder, Composite, Function},
    memory::Planner,
    opencl::{ByStage, Context, DeviceManager, DeviceMemory, StagePlace},
    prelude::*,
};

/// Reads its neighbours: parts of a split need rows of the other part.
#[kernel(neighbourhood(x = -1..=1, y = -2..=1))]
pub fn cross(src: Neighbourhood<u8>, level: u8) -> u8 {
    src.at(0, -2).max(src.at(0, 1)).max(src.at(-1, 0)).max(src.at(1, 0)).abs_diff(level)
}

/// The chain with its only stage on both, this share of the rows on the device.
fn shared(context: &Context, chain: ChainBuilder, share: f64) -> Composite {
    let manager = Arc::new(DeviceManager::new(&DeviceMemory::new(context), Planner::Arena));
    let composite = chain.compose(&ByStage::new(manager.clone()).with(0, StagePlace::Split(share))).unwrap();
    manager.populate(1).unwrap();
    composite
}

#[test]
fn every_share_of_processor_and_device_gives_the_same() {
    let (src, level) = (image(1, [35, 40]), image(2, [35, 1]));
    for (context, border) in contexts().iter().flat_map(|context| {
        [Border::Replicate, Border::Undefined, Border::Reflect101, Border::Wrap].map(|border| (context, border))
    }) {
        let out = Tensor::<u8>::new([35, 40]).unwrap();
        let configured = cross::configure(src.info(), level.info(), out.info(), border).unwrap();
        let mut expected = out.clone();
        configured.run_reference((src.view(), level.view()), expected.view_mut()).unwrap();
        for sixteenths in 0..=16 {
            let mut chain = ChainBuilder::new();
            let inputs = [chain.input(*src.info()), chain.input(*level.info())];
            let [value] = chain.add(&configured, &inputs).unwrap();
            chain.output(value).unwrap();
            let composite = shared(context, chain, f64::from(sixteenths) / 16.0);
            let mut found = out.clone();
            let given = [src.view().any(), level.view().any()];
            composite.run(&Serial, &given, &mut [found.view_mut().any()]).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec(), "{sixteenths} sixteenths on the device, {border}");
        }
    }
}

#[test]
fn in_place_runs_are_split_too() {
    let start = image(1, [9, 40]);
    for context in contexts() {
        let mut chain = ChainBuilder::new();
        let value = chain.input(*start.info());
        let [sum] = chain.add(&add_to::configure(start.info(), 9).unwrap(), &[value]).unwrap();
        chain.output(sum).unwrap();
        let composite = shared(&context, chain, 0.6);
        let mut found = Tensor::<u8>::new([9, 40]).unwrap();
        for _ in 0..2 {
            composite.run(&Serial, &[start.view().any()], &mut [found.view_mut().any()]).unwrap();
        }
        assert_eq!(found.to_vec(), start.to_vec().iter().map(|v| v.wrapping_add(9)).collect::<Vec<u8>>());
    }
}
