//! Where the steps of a plan are computed.

use std::{fmt, sync::Arc};

use windrow::{Error, Rayon, Scheduler};

use crate::{device::error::DevicePlanError, plan::Plan, step::Step};

/// Says where each step of a plan is computed: on the device unless stated otherwise.
///
/// A step that the device can't compute is an error with its node's name. Nodes that are named are computed with the processor
/// ([`Placement::on_processor`]), and with [`Placement::fall_back`] so is whatever the device refuses.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use windrow::opencl::{Context, DeviceMemory};
/// use windrow_graph::{DevicePlan, DevicePlanError, Placement, Plan};
///
/// /// All but one node on the device; what is moved for that is printed.
/// fn place(plan: Arc<Plan>, memory: &DeviceMemory) -> Result<DevicePlan, DevicePlanError> {
///     let placed = DevicePlan::with_placement(plan, memory, &Placement::on_device().on_processor("my_scores"))?;
///     placed.transfers().for_each(|transfer| println!("{transfer}"));
///     Ok(placed)
/// }
/// ```
#[derive(Clone)]
pub struct Placement {
    on_processor: Vec<String>,
    falls_back: bool,
    scheduler: Arc<dyn Scheduler + Send + Sync>,
}

impl Placement {
    /// Returns the placement of every step on the device.
    pub fn on_device() -> Placement {
        Placement { on_processor: Vec::new(), falls_back: false, scheduler: Arc::new(Rayon::new()) }
    }

    /// Places all steps of a node with the processor: those that belong to it, and the one that it is fused into. A node that is named
    /// twice is placed once.
    #[must_use]
    pub fn on_processor(mut self, node: &str) -> Placement {
        self.on_processor.push(node.to_owned());
        self
    }

    /// Leaves with the processor what the device refuses; [`DevicePlan::places`](crate::DevicePlan::places) says which steps those are,
    /// and why.
    #[must_use]
    pub fn fall_back(self) -> Placement {
        Placement { falls_back: true, ..self }
    }

    /// Returns `self` with the processor's steps on the threads of `scheduler`; those of rayon's global pool unless stated otherwise.
    #[must_use]
    pub fn with_scheduler(self, scheduler: Arc<dyn Scheduler + Send + Sync>) -> Placement {
        Placement { scheduler, ..self }
    }

    pub(super) fn falls_back(&self) -> bool {
        self.falls_back
    }

    pub(super) fn scheduler(&self) -> &Arc<dyn Scheduler + Send + Sync> {
        &self.scheduler
    }

    /// Whether each step is to be computed on the device.
    pub(super) fn of(&self, plan: &Plan) -> Result<Vec<bool>, DevicePlanError> {
        let mut on_device = vec![true; plan.steps.len()];
        for node in &self.on_processor {
            let mut is_known = false;
            for (step, on_device) in plan.steps.iter().zip(&mut on_device) {
                if names(step).any(|name| name == node) {
                    (*on_device, is_known) = (false, true);
                }
            }
            if !is_known {
                let mut known: Vec<String> = plan.steps.iter().flat_map(names).map(str::to_owned).collect();
                known.dedup();
                return Err(DevicePlanError::UnknownNode { node: node.clone(), known });
            }
        }
        Ok(on_device)
    }
}

impl Default for Placement {
    fn default() -> Placement {
        Placement::on_device()
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut placement = f.debug_struct("Placement");
        placement.field("on_processor", &self.on_processor).field("falls_back", &self.falls_back);
        placement.field("threads", &self.scheduler.num_threads()).finish()
    }
}

/// The nodes that a step computes.
fn names(step: &Step) -> impl Iterator<Item = &str> {
    [step.node()].into_iter().chain(step.fused().iter().map(|fused| fused.node()))
}

/// Where a step of a plan is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPlace {
    /// On the device.
    Device,
    /// With the processor.
    Processor,
}

impl fmt::Display for StepPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StepPlace::Device => "device",
            StepPlace::Processor => "processor",
        })
    }
}

/// A step of a plan, and where it is computed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlacedStep<'p> {
    /// The step.
    pub step: &'p Step,
    /// Where it is computed.
    pub place: StepPlace,
    /// Why the device refuses it, where it was placed there and is left with the processor ([`Placement::fall_back`]).
    pub refused: Option<&'p Error>,
}
