//! Placement by stage: each stage runs on the processor, on the device, or on both at once, as the caller says.
//!
//! The transfers follow from the places, and are planned once: a value is copied right before the first stage that reads it where it
//! is not, and stays valid in both memories until something is computed in its place.

use crate::{
    DeviceManager, DeviceTarget, Tuner,
    chain::{generated::SharedTuner, placed::PlacedChain},
};
use std::{
    fmt,
    sync::{Arc, Mutex},
};
use windrow_runtime::{
    function::{Chain, ChainBuilder, Composite, Executor, FunctionError, Processor, Stage, Target},
    memory::{Allocator, Heap},
};

/// Where a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StagePlace {
    /// On the processor.
    #[default]
    Processor,
    /// On the device.
    Device,
    /// On both at once: the device computes this share of the rows, 0 to 1.
    Split(f64),
}

/// Runs chains stage by stage, each where the caller places it, with intermediates in the processor's memory, the device's, or both.
///
/// ```
/// use std::sync::Arc;
/// use windrow::chain::{ChainBuilder, Composite, Executor, FunctionError};
/// use windrow::opencl::{ByStage, DeviceManager, StagePlace};
///
/// /// The first stage on the device, the others on the processor; what is copied is printed.
/// fn place(chain: ChainBuilder, manager: Arc<DeviceManager>) -> Result<Composite, FunctionError> {
///     let composite = ByStage::new(manager).with(0, StagePlace::Device).compile(chain)?;
///     print!("{}", composite.listing());
///     Ok(composite)
/// }
/// ```
#[derive(Clone)]
pub struct ByStage {
    manager: Arc<DeviceManager>,
    allocator: Arc<dyn Allocator>,
    places: Vec<(usize, StagePlace)>,
    otherwise: StagePlace,
    tuner: SharedTuner,
}

impl ByStage {
    /// Returns every stage on the processor, with the device's intermediates in pools of `manager` and the processor's
    /// on the heap.
    pub fn new(manager: Arc<DeviceManager>) -> ByStage {
        ByStage {
            manager,
            allocator: Arc::new(Heap),
            places: Vec::new(),
            otherwise: StagePlace::Processor,
            tuner: None,
        }
    }

    /// Places stage `stage`, counted in the order in which they were added, in this place.
    #[must_use]
    pub fn with(mut self, stage: usize, place: StagePlace) -> ByStage {
        self.places.push((stage, place));
        self
    }

    /// Returns every stage that [`ByStage::with`] doesn't name in this place.
    #[must_use]
    pub fn otherwise(self, place: StagePlace) -> ByStage {
        ByStage { otherwise: place, ..self }
    }

    /// Returns the processor's intermediates in memory of `allocator`.
    #[must_use]
    pub fn with_allocator(self, allocator: Arc<dyn Allocator>) -> ByStage {
        ByStage { allocator, ..self }
    }

    /// Returns the generated kernels on the device as `tuner` has them: see
    /// [`OnDevice::with_tuner`](super::OnDevice::with_tuner).
    #[must_use]
    pub fn with_tuner(self, tuner: Arc<Mutex<Tuner>>) -> ByStage {
        ByStage { tuner: Some(tuner), ..self }
    }

    /// Returns where a stage runs.
    pub fn place(&self, stage: usize) -> StagePlace {
        let placed = self.places.iter().rev().find(|(index, _)| *index == stage);
        placed.map_or(self.otherwise, |(_, place)| *place)
    }
}

impl Executor for ByStage {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        let device = DeviceTarget::new(self.manager.memory());
        let target = |stage: usize| match self.place(stage) {
            StagePlace::Device => &device as &dyn Target,
            StagePlace::Processor | StagePlace::Split(_) => &Processor,
        };
        let chain = chain.finish_for(&target)?;
        let places: Vec<StagePlace> = (0..chain.stages().len()).map(|stage| self.place(stage)).collect();
        Ok(Composite::new(PlacedChain::new(chain, places, &self.manager, self.allocator.clone(), &self.tuner)?))
    }
}

impl fmt::Debug for ByStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByStage")
            .field("places", &self.places)
            .field("otherwise", &self.otherwise)
            .finish_non_exhaustive()
    }
}

/// One thing that a run does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    /// Copies a value to the device.
    Upload(usize),
    /// Copies a value to the processor.
    Download(usize),
    /// Runs a stage.
    Run(usize, StagePlace),
}

/// Where a value is valid.
#[derive(Clone, Copy, Debug, Default)]
struct Valid {
    host: bool,
    device: bool,
}

/// What a run does, in order, and which values need memory where.
#[derive(Debug)]
pub(super) struct Schedule {
    pub actions: Vec<Action>,
    /// For each value: whether it lies in the processor's memory at some time.
    pub on_host: Vec<bool>,
    /// For each value, the first and the last action that need it on the device.
    pub on_device: Vec<Option<(usize, usize)>>,
}

impl Schedule {
    /// Returns the stages in their order, with each transfer right before the first that needs it.
    pub fn new(chain: &Chain, places: &[StagePlace]) -> Schedule {
        let count = chain.values().len();
        let mut valid = vec![Valid::default(); count];
        for (value, def) in chain.values().iter().enumerate() {
            valid[value].host = def.input.is_some();
        }
        let mut schedule = Schedule {
            actions: Vec::new(),
            on_host: valid.iter().map(|valid| valid.host).collect(),
            on_device: vec![None; count],
        };
        for (index, (stage, place)) in chain.stages().iter().zip(places).enumerate() {
            let on_device = *place == StagePlace::Device;
            for value in reads(chain, stage) {
                schedule.bring(&mut valid, value, on_device);
            }
            let now = schedule.actions.len();
            schedule.actions.push(Action::Run(index, *place));
            reads(chain, stage).for_each(|value| schedule.need(value, on_device, now));
            for &value in stage.outputs().iter().flatten() {
                valid[value] = Valid { host: !on_device, device: on_device };
                schedule.need(value, on_device, now);
            }
        }
        for &value in chain.outputs() {
            schedule.bring(&mut valid, value, false);
        }
        schedule
    }

    /// Makes a value valid in a memory.
    fn bring(&mut self, valid: &mut [Valid], value: usize, to_device: bool) {
        let there = if to_device { &mut valid[value].device } else { &mut valid[value].host };
        if core::mem::replace(there, true) {
            return;
        }
        let now = self.actions.len();
        self.actions.push(if to_device { Action::Upload(value) } else { Action::Download(value) });
        self.need(value, true, now);
        self.need(value, false, now);
    }

    fn need(&mut self, value: usize, on_device: bool, now: usize) {
        if on_device {
            let first = self.on_device[value].map_or(now, |(first, _)| first);
            self.on_device[value] = Some((first, now));
        } else {
            self.on_host[value] = true;
        }
    }
}

/// The values whose memory a stage reads: what a view is of stands for the view.
fn reads<'c>(chain: &'c Chain, stage: &'c Stage) -> impl Iterator<Item = usize> + 'c {
    let tables = stage.table_values().flatten();
    let uniforms = stage.computed_uniforms().map(|(_, _, value)| value);
    stage.inputs().iter().copied().chain(tables).chain(uniforms).map(|value| chain.viewed(value))
}
