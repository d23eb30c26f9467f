//! A tuner for the kernels of a device.
//!
//! It runs candidates on scratch outputs, so that a kernel that accumulates, or works in place, is safe to tune with the
//! caller's own images.

use crate::{
    Buffer, Candidate, Context, DeviceImage, Event, InvalidTable, OpenClError, OpenClKernel, Space, Submission, Timer,
    TuneKey, TuneMode, TuneOutcome, TuneSettings, TuneTable, Tuning,
    arguments::{Given, Inputs},
    kernel::settings::Planned,
    search,
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use windrow_runtime::code::Kernel;

/// Finds and keeps the best schedules and work-groups.
///
/// ```no_run
/// use windrow::opencl::{TuneLevel, TuneMode, TuneSettings, Tuner};
///
/// let mut tuner = Tuner::new(TuneMode::of_environment()?, TuneSettings::new(TuneLevel::Normal));
/// tuner.load(std::path::Path::new("tunings.json"))?;
/// // … tuner.apply(&mut kernel)?, or tuner.tune(&mut kernel, &inputs, &tables, &outputs)? …
/// tuner.save()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tuner {
    mode: TuneMode,
    settings: TuneSettings,
    table: TuneTable,
    file: Option<PathBuf>,
    factor: f64,
}

/// What became of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum TuneApplied {
    /// It runs as the device likes: there is no tuning, or none may be used.
    Default,
    /// It has the tuning of its class of shapes.
    Exact(Tuning),
    /// It has the tuning of another class, this factor away.
    Near(Tuning, f64),
    /// It was tuned now.
    Tuned(TuneOutcome<OpenClError>),
}

impl Tuner {
    /// Returns a tuner with no tunings. It takes those of shapes up to twice as long or short as near.
    pub fn new(mode: TuneMode, settings: TuneSettings) -> Self {
        Self { mode, settings, table: TuneTable::new(), file: None, factor: 2.0 }
    }

    /// Takes tunings of shapes up to `factor` times as long or short as near; 1 for none.
    #[must_use]
    pub fn with_factor(self, factor: f64) -> Self {
        Self { factor, ..self }
    }

    /// Takes the tunings of a file in, to which [`Tuner::save`] saves.
    ///
    /// # Errors
    /// An [`InvalidTable`].
    pub fn load(&mut self, file: &Path) -> Result<(), InvalidTable> {
        self.table.merge(TuneTable::load(file)?);
        self.file = Some(file.to_owned());
        Ok(())
    }

    /// Saves the tunings, where they came from a file and may have changed.
    ///
    /// # Errors
    /// An [`InvalidTable`].
    pub fn save(&self) -> Result<(), InvalidTable> {
        match (&self.file, self.mode) {
            (Some(file), TuneMode::Tune) => self.table.save(file),
            (Some(_), TuneMode::Off | TuneMode::Load) | (None, _) => Ok(()),
        }
    }

    /// Returns what becomes of tunings.
    pub fn mode(&self) -> TuneMode {
        self.mode
    }

    /// Returns the tunings.
    pub fn table(&self) -> &TuneTable {
        &self.table
    }

    /// Returns the tunings, to add some.
    pub fn table_mut(&mut self) -> &mut TuneTable {
        &mut self.table
    }

    /// Lets a kernel run as its tuning says: the one of its class of shapes, or else the nearest one. One that is not
    /// legal here is not used; a near one, which was measured for other shapes, only after the device launched it once.
    ///
    /// # Errors
    /// Where a call of the driver fails.
    pub fn apply<K: Kernel>(&self, kernel: &mut OpenClKernel<K>) -> Result<TuneApplied, OpenClError> {
        self.apply_to(&mut kernel.planned(), on_scratch)
    }

    /// Lets what an operator lowers to run as its tuning says, or tunes it, on scratch images alone.
    pub(crate) fn tune_planned(&mut self, planned: &mut Planned<'_>) -> Result<TuneApplied, OpenClError> {
        self.tune_with(planned, on_scratch)
    }

    fn apply_to<T: Tunable, R>(
        &self,
        kernel: &mut T,
        prepare: impl FnOnce(&T) -> Result<R, OpenClError>,
    ) -> Result<TuneApplied, OpenClError>
    where
        R: FnMut(&mut T, &Submission<'_>) -> Result<Event, OpenClError>,
    {
        if self.mode == TuneMode::Off {
            return Ok(TuneApplied::Default);
        }
        let (key, space) = (kernel.key(), kernel.space()?);
        let exact = self.table.get(&key).map(|tuning| TuneApplied::Exact(*tuning));
        let near = || {
            let (other, tuning) = self.table.nearest(&key, self.factor)?;
            Some(TuneApplied::Near(*tuning, other.shape.factor(&key.shape)))
        };
        match exact.or_else(near) {
            Some(TuneApplied::Exact(tuning)) if space.allows(tuning.candidate) => {
                kernel.set(tuning.candidate)?;
                Ok(TuneApplied::Exact(tuning))
            }
            Some(TuneApplied::Near(tuning, factor)) if space.allows(tuning.candidate) => {
                let before = kernel.present();
                let launched = kernel.set(tuning.candidate).and_then(|()| {
                    let (mut run, context) = (prepare(kernel)?, kernel.context().clone());
                    run(kernel, &Submission::on(context.queue()))?.wait()
                });
                match launched {
                    Ok(()) => Ok(TuneApplied::Near(tuning, factor)),
                    // What the driver says is legal, and doesn't run, is not worth an error: it runs as it did.
                    Err(_) => kernel.set(before).and(Ok(TuneApplied::Default)),
                }
            }
            Some(_) | None => Ok(TuneApplied::Default),
        }
    }

    /// Finds a tuning; where the mode is [`TuneMode::Tune`] and the kernel's class of shapes has no tuning, it is tuned
    /// with these images. They are only read: what candidates write goes to scratch images.
    ///
    /// # Errors
    /// Where the kernel doesn't run as the device likes, or there is no memory for the scratch images.
    pub fn tune<K: Kernel>(
        &mut self,
        kernel: &mut OpenClKernel<K>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<TuneApplied, OpenClError> {
        let scratch =
            |output: &Option<DeviceImage>| output.as_ref().map(|image| image.like(image.info().shape())).transpose();
        self.tune_with(&mut kernel.planned(), |_| {
            let outputs: Vec<Option<DeviceImage>> = outputs.iter().map(scratch).collect::<Result<_, _>>()?;
            Ok(move |planned: &mut Planned<'_>, on: &Submission<'_>| {
                let given = Given { inputs: Inputs::Buffers(inputs), tables, outputs: &outputs };
                planned.runner.submit(planned.plan, on, given)
            })
        })
    }

    /// Tunes a kernel by runs that `prepare` gives, where it has no tuning yet.
    pub(crate) fn tune_with<T: Tunable, R>(
        &mut self,
        kernel: &mut T,
        prepare: impl FnOnce(&T) -> Result<R, OpenClError>,
    ) -> Result<TuneApplied, OpenClError>
    where
        R: FnMut(&mut T, &Submission<'_>) -> Result<Event, OpenClError>,
    {
        let key = kernel.key();
        if self.mode != TuneMode::Tune || self.table.get(&key).is_some() {
            return self.apply_to(kernel, prepare);
        }
        let (space, before, context) = (kernel.space()?, kernel.present(), kernel.context().clone());
        let run = prepare(kernel)?;
        // What brings the inputs there may be on another queue than what reads them now.
        context.sync()?;
        let mut timer = DeviceTimer { kernel, context: &context, run };
        let found = search(&space, &self.settings, &mut timer);
        kernel.set(found.as_ref().map_or(before, |outcome| outcome.best))?;
        let outcome = found?;
        let (candidate, time, default_time) = (outcome.best, outcome.time, outcome.default_time);
        self.table.insert(key, Tuning { candidate, time, default_time });
        Ok(TuneApplied::Tuned(outcome))
    }
}

/// What a tuner asks of a kernel, and sets.
pub(crate) trait Tunable {
    fn context(&self) -> &Context;
    fn key(&self) -> TuneKey;
    fn space(&self) -> Result<Space, OpenClError>;
    fn present(&self) -> Candidate;
    fn set(&mut self, candidate: Candidate) -> Result<(), OpenClError>;
}

/// Runs on scratch images.
fn on_scratch(
    planned: &Planned<'_>,
) -> Result<impl FnMut(&mut Planned<'_>, &Submission<'_>) -> Result<Event, OpenClError> + use<>, OpenClError> {
    let scratch = planned.scratch()?;
    Ok(move |planned: &mut Planned<'_>, on: &Submission<'_>| planned.runner.submit(planned.plan, on, scratch.given()))
}

/// Runs candidates on a device's profiling queue.
struct DeviceTimer<'a, T, R> {
    kernel: &'a mut T,
    context: &'a Context,
    run: R,
}

impl<T: Tunable, R: FnMut(&mut T, &Submission<'_>) -> Result<Event, OpenClError>> Timer for DeviceTimer<'_, T, R> {
    type Error = OpenClError;

    fn run(&mut self, candidate: Candidate) -> Result<Duration, OpenClError> {
        self.kernel.set(candidate)?;
        let event = (self.run)(self.kernel, &Submission::on(self.context.profiling_queue()?))?;
        event.wait()?;
        Ok(event.timestamps()?.run())
    }
}
