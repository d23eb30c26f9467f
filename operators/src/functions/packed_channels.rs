//! Tensors with their channels by fours (NC4HW4), from planes and back to planes.

use windrow::{
    AnyView, AnyViewMut, Scheduler, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, Function, FunctionError},
    memory::{Allocation, Heap},
};

use std::sync::Arc;

use super::composite_function;
use crate::{pack_channels, unpack_channels};

/// Channels in a packed plane.
const LANES: usize = 4;

/// The planes of C channels, in order, as ⌈C/4⌉ planes of four-channel pixels; channels that the last one lacks are zeros.
#[derive(Debug)]
pub struct PackChannels {
    composite: Composite,
    /// The plane of channels that there are none of; at most three in a run.
    zeros: Option<Allocation>,
}

impl PackChannels {
    /// For `channels` planes of `f32` like `plane`.
    pub fn configure(
        plane: &TensorInfo,
        channels: usize,
        executor: &dyn Executor,
    ) -> Result<PackChannels, FunctionError> {
        let plane = TensorInfo::of::<f32>(&plane.shape().extents())?;
        let packed = TensorInfo::of::<[f32; LANES]>(&plane.shape().extents())?;
        let pack = pack_channels::configure(&plane, &plane, &plane, &plane, &packed)?;
        let mut chain = ChainBuilder::new();
        let planes: Vec<_> = (0..channels).map(|_| chain.input(plane)).collect();
        let is_filled_up = !channels.is_multiple_of(LANES);
        let zeros = is_filled_up.then(|| chain.input(plane));
        for group in planes.chunks(LANES) {
            let lanes: Vec<_> = group.iter().copied().chain(zeros.iter().cycle().copied()).take(LANES).collect();
            let [slot] = chain.add(&pack, &lanes)?;
            chain.output(slot)?;
        }
        let zeros = is_filled_up.then(|| Allocation::new(&(Arc::new(Heap) as _), plane)).transpose()?;
        Ok(PackChannels { composite: chain.compose(executor)?, zeros })
    }
}

impl Function for PackChannels {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        let inputs: Vec<_> = inputs.iter().copied().chain(self.zeros.iter().map(Allocation::view)).collect();
        self.composite.run(scheduler, &inputs, outputs)
    }
}

/// The planes of C channels from ⌈C/4⌉ planes of four-channel pixels; what the last one was filled up with is not written.
#[derive(Debug)]
pub struct UnpackChannels(Composite);

composite_function!(UnpackChannels);

impl UnpackChannels {
    /// For `channels` planes of `f32` like `plane`.
    pub fn configure(
        plane: &TensorInfo,
        channels: usize,
        executor: &dyn Executor,
    ) -> Result<UnpackChannels, FunctionError> {
        let plane = TensorInfo::of::<f32>(&plane.shape().extents())?;
        let packed = TensorInfo::of::<[f32; LANES]>(&plane.shape().extents())?;
        let mut chain = ChainBuilder::new();
        for first in (0..channels).step_by(LANES) {
            let given = |lane: usize| (first + lane < channels).then_some(&plane);
            let unpack = unpack_channels::configure(&packed, &plane, given(1), given(2), given(3))?;
            let pixels = chain.input(packed);
            for slot in chain.stage(&unpack, &[pixels])? {
                chain.output(slot)?;
            }
        }
        Ok(UnpackChannels(chain.compose(executor)?))
    }
}
