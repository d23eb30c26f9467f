//! What a network runs on: threads of the processor, a device, or both.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use windrow::{
    Rayon, Scheduler, Serial,
    opencl::{Context, DeviceMemory},
    schedule::ScheduleError,
};
use windrow_graph::{DevicePlan, Placement, Plan, StepPlace};

use super::{Run, RunError};

/// What a network runs on.
pub(super) enum Place {
    Processor(Arc<dyn Scheduler + Send + Sync>),
    Device(Box<DevicePlan>),
}

impl Run {
    /// Brings the network where it is asked to run.
    pub(super) fn place(&self, plan: &Arc<Plan>) -> Result<Place, RunError> {
        let is_mixed = self.fall_back || !self.on_processor.is_empty();
        if self.opencl && !is_mixed && self.threads.is_some() {
            let rule =
                "is for steps of the processor, and all run on the device: `--on-processor` places some".to_owned();
            return Err(RunError::Option { option: "threads", rule });
        }
        let scheduler = self.scheduler()?;
        if !self.opencl {
            return Ok(Place::Processor(scheduler));
        }
        let placement = Placement::on_device().with_scheduler(scheduler);
        let placement = if self.fall_back { placement.fall_back() } else { placement };
        let placement = self.on_processor.iter().fold(placement, |placement, node| placement.on_processor(node));
        let context = Context::open().map_err(|error| RunError::OpenCl(Box::new(error)))?;
        let placed = DevicePlan::with_placement(Arc::clone(plan), &DeviceMemory::new(&context), &placement)?;
        Ok(Place::Device(Box::new(placed)))
    }

    fn scheduler(&self) -> Result<Arc<dyn Scheduler + Send + Sync>, RunError> {
        Ok(match self.threads {
            Some(1) => Arc::new(Serial),
            Some(threads) => {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                Arc::new(Pool(pool.map_err(|error| RunError::Option { option: "threads", rule: error.to_string() })?))
            }
            None => Arc::new(Rayon::new()),
        })
    }

    /// The place as the line of the whole has it.
    pub(super) fn place_name(&self, place: &Place) -> String {
        let threads = match self.threads {
            Some(1) => "1 thread".to_owned(),
            Some(threads) => format!("{threads} threads"),
            None => "all threads".to_owned(),
        };
        match place {
            Place::Processor(_) => threads,
            Place::Device(placed) => {
                let device = &placed.context().device().name;
                match placed.places().filter(|step| step.place == StepPlace::Processor).count() {
                    0 => device.clone(),
                    1 => format!("{device}, 1 step on {threads}"),
                    steps => format!("{device}, {steps} steps on {threads}"),
                }
            }
        }
    }
}

/// Threads of the command's own.
struct Pool(ThreadPool);

impl Scheduler for Pool {
    fn num_threads(&self) -> usize {
        self.0.current_num_threads()
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        Rayon::on(&self.0).run(workers, worker)
    }
}
