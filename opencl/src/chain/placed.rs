//! A chain whose stages run in different places.

use crate::{
    DeviceManager, MemMode, OpenClError, Precision, StagePlace,
    chain::{
        generated::SharedTuner,
        places::{Action, Schedule},
        stage::{DeviceStage, format_of},
        values::{DeviceValues, ValueImages},
    },
    host::HostImages,
    kernel::Runner,
};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use windrow_runtime::{
    configure::KernelPlan,
    function::{Chain, ChainRun, Executable, Function, FunctionError, Listing, Step, ValueDef},
    memory::{Allocator, MemoryRecording},
    region::Rect,
    schedule::{Scheduler, schedule_with_scratch},
    view::{AnyView, AnyViewMut},
    window::Window,
};

/// A chain whose stages run in different places. Its runs are serialised.
pub(super) struct PlacedChain {
    values: DeviceValues,
    schedule: Schedule,
    stages: Vec<PlacedStage>,
    turn: Mutex<()>,
}

enum PlacedStage {
    Processor,
    Device(DeviceStage),
    Split(Box<Runner>, f64),
}

impl PlacedChain {
    pub fn new(
        chain: Chain,
        places: Vec<StagePlace>,
        manager: &Arc<DeviceManager>,
        allocator: Arc<dyn Allocator>,
        tuner: &SharedTuner,
    ) -> Result<PlacedChain, FunctionError> {
        let memory = manager.memory();
        let mut stages = Vec::new();
        for (stage, place) in chain.stages().iter().zip(&places) {
            stages.push(match place {
                StagePlace::Processor => PlacedStage::Processor,
                StagePlace::Device => PlacedStage::Device(DeviceStage::new(memory, stage, MemMode::Buffer, tuner)?),
                StagePlace::Split(share) => {
                    let refused =
                        |reason: &str| FunctionError::refused(stage.name(), "on processor and device at once", reason);
                    let code = stage.generated().ok_or_else(|| refused("it is not a generated kernel"))?;
                    if stage.computed_uniforms().len() > 0 {
                        return Err(refused("an earlier stage computes its uniforms"));
                    }
                    PlacedStage::Split(Runner::new(memory.context(), code.plan(), Precision::F32)?.into(), *share)
                }
            });
        }
        let mut on_device = Vec::new();
        for (stage, placed) in chain.stages().iter().zip(&stages) {
            if let PlacedStage::Device(device) = placed {
                on_device.push((stage, device));
            }
        }
        let format = format_of(on_device.into_iter())?;
        let schedule = Schedule::new(&chain, &places);
        let (on_device, on_host) = (device_lives(&chain, &schedule), home_needs(&chain, &schedule));
        let chain = chain.with_memory_for(MemoryRecording::immediate(allocator), &|value| on_host[value])?;
        let values = DeviceValues::new(chain, manager, on_device, format)?;
        Ok(PlacedChain { values, schedule, stages, turn: Mutex::new(()) })
    }

    fn act(
        &self,
        action: Action,
        run: &mut ChainRun<'_>,
        images: &ValueImages,
        scheduler: &dyn Scheduler,
    ) -> Result<(), FunctionError> {
        let (chain, context) = (&self.values.chain, self.values.context());
        let ordered = || if context.queue().options().out_of_order { context.sync() } else { Ok(()) };
        match action {
            Action::Upload(value) => {
                ordered()?;
                Ok(images.of(value)?.write(&run.value(value)?)?)
            }
            Action::Download(value) => {
                ordered()?;
                let valid = chain.values()[value].info.valid_region();
                Ok(images.of(value)?.download(&valid, &mut run.value_mut(value)?)?)
            }
            Action::Run(index, _) => match &self.stages[index] {
                PlacedStage::Processor => run.stage(scheduler, index),
                PlacedStage::Device(device) => {
                    device.enqueue(&chain.stages()[index], &self.values, images, context.queue())
                }
                PlacedStage::Split(runner, share) => split(run, index, runner, *share, scheduler),
            },
        }
    }

    /// How messages and lists name a value.
    fn name(&self, value: usize) -> String {
        match self.values.chain.values()[value] {
            ValueDef { input: Some(index), .. } => format!("input {index}"),
            ValueDef { writer: Some(writer), .. } => {
                let stage = &self.values.chain.stages()[writer];
                let number = stage.outputs().iter().position(|output| *output == Some(value));
                format!("{} {}", stage.name(), number.unwrap_or(0))
            }
            _ => format!("value {value}"),
        }
    }
}

/// Computes a stage's rows on the processor and on the device at once.
fn split(
    run: &mut ChainRun<'_>,
    index: usize,
    runner: &Runner,
    share: f64,
    scheduler: &dyn Scheduler,
) -> Result<(), FunctionError> {
    run.with_bound(index, &mut |plan, bound| {
        let (here, there) = cut(plan.valid_region().plane(), plan.spec().step.1 as usize, share);
        let (own, host) = (window_of(plan, here), HostImages::of(bound));
        std::thread::scope(|scope| {
            let device = scope.spawn(|| runner.run_part(plan, &host, there));
            let here = match here.is_empty() {
                true => Ok(()),
                false => schedule_with_scratch(scheduler, bound, &own, &mut []).map_err(OpenClError::from),
            };
            match device.join() {
                Ok(there) => Ok(here.and(there)?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    })
}

/// The part of a plan's window that computes `rows`: it begins where a step does.
fn window_of(plan: &KernelPlan, rows: Rect) -> Window {
    let valid = plan.valid_region();
    let along = |d: usize| if d == 1 { rows.y0..rows.y1 } else { valid.inner_range(d) };
    Window::covering(std::array::from_fn(|d| along(d).start), std::array::from_fn(|d| along(d).end), plan.spec().step)
}

/// The rows of the processor, and those of the device, which begin a whole number of steps below the top.
fn cut(plane: Rect, step: usize, share: f64) -> (Rect, Rect) {
    let steps = plane.height().div_ceil(step.max(1));
    // A share that is not a number gives the device nothing.
    let own = (steps as f64 * (1.0 - share.clamp(0.0, 1.0))).round() as usize;
    let own = if share.is_nan() { steps } else { own };
    let middle = (plane.y0 + own * step.max(1)).min(plane.y1);
    (Rect::new(plane.x0, plane.y0, plane.x1, middle), Rect::new(plane.x0, middle, plane.x1, plane.y1))
}

/// The first and the last action that need each value on the device. A value that is computed in place of another shares its memory.
fn device_lives(chain: &Chain, schedule: &Schedule) -> Vec<Option<(usize, usize)>> {
    let mut lives: Vec<Option<(usize, usize)>> = vec![None; chain.values().len()];
    for (value, life) in schedule.on_device.iter().enumerate() {
        let home = chain.home(value);
        lives[home] = match (lives[home], *life) {
            (Some((first, last)), Some((other, later))) => Some((first.min(other), last.max(later))),
            (known, other) => known.or(other),
        };
    }
    lives
}

/// For each value that has memory of its own, whether the processor needs it, or what is computed in its place.
fn home_needs(chain: &Chain, schedule: &Schedule) -> Vec<bool> {
    let mut needs = vec![false; chain.values().len()];
    schedule.on_host.iter().enumerate().for_each(|(value, needed)| needs[chain.home(value)] |= needed);
    needs
}

impl Executable for PlacedChain {
    fn chain(&self) -> &Chain {
        &self.values.chain
    }

    fn listing(&self) -> Listing {
        let (host, device) = ("the processor", self.values.context().device().name.as_str());
        let copy = |value: usize, from, to| {
            self.values.copy(self.name(value), &self.values.chain.values()[value].info, from, to)
        };
        let step = |action: &Action| match *action {
            Action::Upload(value) => copy(value, host, device),
            Action::Download(value) => copy(value, device, host),
            Action::Run(index, place) => {
                let stage = self.values.chain.stages()[index].name().into();
                let place = match place {
                    StagePlace::Processor => host.into(),
                    StagePlace::Device => device.into(),
                    StagePlace::Split(share) => {
                        format!("{host}, and {} % of the rows on {device}", (100.0 * share).round())
                    }
                };
                Step::Run { stage, place }
            }
        };
        Listing { steps: self.schedule.actions.iter().map(step).collect() }
    }
}

impl Function for PlacedChain {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut run = self.values.chain.begin(inputs, outputs)?;
        let mut blocks = self.values.manager.acquire(&self.values.plan)?;
        let images = self.values.images(|_| None, &mut blocks)?;
        let mut actions = self.schedule.actions.iter();
        let done = actions.try_for_each(|action| self.act(*action, &mut run, &images, scheduler));
        // The blocks go back when nothing works on them any more, whatever happened.
        let synced = self.values.context().sync();
        done?;
        Ok(synced?)
    }
}

impl fmt::Debug for PlacedChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chain = f.debug_struct("PlacedChain");
        chain.field("chain", &self.values.chain).field("schedule", &self.schedule).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tile_the_window_whatever_the_share() {
        for (height, step, sixteenths) in [1, 2, 7, 64]
            .into_iter()
            .flat_map(|height| [1, 2, 4].map(|step| (height, step)))
            .flat_map(|(height, step)| (0..=16).map(move |sixteenths| (height, step, sixteenths)))
        {
            let (here, there) = cut(Rect::new(2, 3, 9, 3 + height), step, f64::from(sixteenths) / 16.0);
            assert_eq!((here.y0, here.y1, there.y1), (3, there.y0, 3 + height));
            assert!(there.is_empty() || (there.y0 - 3).is_multiple_of(step));
            assert!((sixteenths > 0 || there.is_empty()) && (sixteenths < 16 || here.is_empty()));
        }
        for odd in [f64::NAN, -1.0] {
            assert!(cut(Rect::new(0, 0, 4, 8), 1, odd).1.is_empty());
        }
        assert!(cut(Rect::new(0, 0, 4, 8), 1, f64::INFINITY).0.is_empty());
    }
}
