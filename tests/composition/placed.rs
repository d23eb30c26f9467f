//! Stages placed one by one: every placement gives what the operators give one after another, and lists what it copies.

use crate::{
    add_into, darker,
    everywhere::{device, image, whole},
    half, of, scaled, spread, widen,
};
use std::sync::Arc;
use windrow::{
    chain::*,
    memory::Planner,
    opencl::{ByStage, DeviceManager, StagePlace},
    prelude::*,
};

/// Every kind of edge: values read by several, computed in place, viewed, and given as a uniform.
fn chain(extents: [usize; 2]) -> ChainBuilder {
    let (bytes, words, one) = (of::<u8>(extents), of::<i16>(extents), of::<i32>([1, 1]));
    let part = of::<u8>([10, 20]);
    let mut chain = ChainBuilder::new();
    let (src, by) = (chain.input(bytes), chain.input(one));
    let [a] = chain.add(&spread::configure(&bytes, &bytes, Border::Replicate).unwrap(), &[src]).unwrap();
    let [wide] = chain.add(&widen::configure(&bytes, &words).unwrap(), &[a]).unwrap();
    let [sum] = chain.add(&add_into::configure(&bytes, &words).unwrap(), &[a, wide]).unwrap();
    let [by] = chain.add(&half::configure(&one, &one).unwrap(), &[by]).unwrap();
    let cropped = chain.crop(a, &[3, 5], &[10, 20]).unwrap();
    let [scaled] =
        chain.add_with_uniforms(&scaled::configure(&part, 0, &part).unwrap(), &[cropped], &[("by", by)]).unwrap();
    let [dark] = chain.add(&darker::configure(&part, &part).unwrap(), &[scaled]).unwrap();
    for value in [sum, dark] {
        chain.output(value).unwrap();
    }
    chain
}

type Found = (Vec<i16>, Vec<u8>);

fn run(composite: &Composite, src: &Tensor<u8>, by: &Tensor<i32>) -> Found {
    let mut sum = Tensor::<i16>::new([src.info().height(), src.info().width()]).unwrap();
    let mut dark = Tensor::<u8>::new([10, 20]).unwrap();
    let inputs = [src.view().any(), by.view().any()];
    composite.run(&Rayon::new(), &inputs, &mut [sum.view_mut().any(), dark.view_mut().any()]).unwrap();
    (sum.to_vec(), dark.to_vec())
}

#[test]
fn every_placement_gives_the_same() {
    let Some(memory) = device() else { return };
    let extents = [21, 40];
    let (src, by) = (image::<u8>(11, extents), Tensor::from_vec(vec![301], [1, 1]).unwrap());
    let expected = run(&chain(extents).compose(&whole()).unwrap(), &src, &by);
    for mask in 0u32..64 {
        let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
        let place = |stage: usize| if mask >> stage & 1 == 1 { StagePlace::Device } else { StagePlace::Processor };
        let by_stage = (0..6).fold(ByStage::new(manager.clone()), |placed, stage| placed.with(stage, place(stage)));
        let composite = chain(extents).compose(&by_stage).unwrap();
        manager.populate(1).unwrap();
        for _ in 0..2 {
            assert_eq!(run(&composite, &src, &by), expected, "stages on the device: {mask:06b}");
        }
        let listing = composite.listing();
        assert_eq!(listing.steps.iter().filter(|step| matches!(step, Step::Run { .. })).count(), 6, "{listing}");
        assert_eq!(listing.bytes_copied() == 0, mask == 0, "{listing}");
    }
}

#[test]
fn stages_are_split_between_both() {
    let Some(memory) = device() else { return };
    let extents = [21, 40];
    let (src, by) = (image::<u8>(12, extents), Tensor::from_vec(vec![77], [1, 1]).unwrap());
    let expected = run(&chain(extents).compose(&whole()).unwrap(), &src, &by);
    for (share, others) in
        [(0.0, StagePlace::Device), (0.4, StagePlace::Processor), (0.5, StagePlace::Device), (1.0, StagePlace::Device)]
    {
        let manager = Arc::new(DeviceManager::new(&memory, Planner::Pooled));
        let placed = ByStage::new(manager.clone()).otherwise(others);
        let placed = [0, 2, 5].into_iter().fold(placed, |placed, stage| placed.with(stage, StagePlace::Split(share)));
        let composite = chain(extents).compose(&placed).unwrap();
        manager.populate(1).unwrap();
        assert_eq!(run(&composite, &src, &by), expected, "{share}, {others:?}");
    }
    let placed = ByStage::new(Arc::new(DeviceManager::new(&memory, Planner::Arena))).with(4, StagePlace::Split(0.5));
    let refused = chain(extents).compose(&placed).unwrap_err();
    assert!(matches!(&refused, FunctionError::Refused { stage, .. } if stage == "scaled"), "{refused}");
}

#[test]
fn transfers_are_planned_once_and_shown() {
    let Some(memory) = device() else { return };
    let extents = [8, 16];
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let spread = spread::configure(&bytes, &bytes, Border::Replicate).unwrap();
    let dark = darker::configure(&bytes, &bytes).unwrap();
    let [a] = chain.add(&spread, &[src]).unwrap();
    let [b] = chain.add(&dark, &[a]).unwrap();
    let [c] = chain.add(&spread, &[a]).unwrap();
    let [d] = chain.add(&dark, &[b]).unwrap();
    for value in [c, d] {
        chain.output(value).unwrap();
    }
    let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
    let placed = ByStage::new(manager).with(1, StagePlace::Device).with(2, StagePlace::Device);
    let listing = chain.compose(&placed).unwrap().listing().to_string();
    let device = &memory.context().device().name;
    let expected = [
        "run spread on the processor".to_owned(),
        format!("copy spread 0 (128 bytes) from the processor to {device}"),
        format!("run darker on {device}"),
        // `a` is there already.
        format!("run spread on {device}"),
        format!("copy darker 0 (128 bytes) from {device} to the processor"),
        "run darker on the processor".to_owned(),
        format!("copy spread 0 (128 bytes) from {device} to the processor"),
    ];
    assert_eq!(listing.lines().collect::<Vec<_>>(), expected);
}
