//! One operator on the processor and on devices at once: the rows of its window are shared out by measured rates.
//!
//! Each part writes rows of its own, so that any shares give the same result. What does not pay is not shared (`choice`).

mod choice;

use super::{context::Context, error::OpenClError, format::Precision, host::HostImages, kernel::OpenClKernel};
use choice::{Choice, Way};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
    vec,
    vec::Vec,
};
use windrow_runtime::{
    code::Kernel,
    configure::{Configured, Plan},
    region::Rect,
    schedule::{Scheduler, schedule_with_scratch},
    window::Window,
};

/// A configured kernel on the processor and some devices.
pub struct SplitKernel<K: Kernel> {
    configured: Configured<K>,
    devices: Vec<OpenClKernel<K>>,
    /// The processor is the first part, then come the devices.
    choice: Mutex<Choice>,
}

impl<K: Kernel> SplitKernel<K> {
    /// Builds the kernel for each of `contexts`, in the processor's precision.
    pub fn new(contexts: &[Context], configured: &Configured<K>) -> Result<Self, OpenClError> {
        let build = |context: &Context| OpenClKernel::with_precision(context, configured.clone(), Precision::F32);
        let devices: Vec<_> = contexts.iter().map(build).collect::<Result<_, _>>()?;
        let choice = Mutex::new(Choice::of(devices.len() + 1));
        Ok(Self { configured: configured.clone(), devices, choice })
    }

    /// The kernels on the devices.
    pub fn devices(&self) -> &[OpenClKernel<K>] {
        &self.devices
    }

    /// Rows a second of the processor and of each device; none where not yet measured.
    pub fn rates(&self) -> Vec<Option<f64>> {
        self.choice().rates().to_vec()
    }

    /// The proportions in which the next [`SplitKernel::run`] gives its rows to the processor and to each device; their sum
    /// is 1.
    pub fn shares(&self) -> Vec<f64> {
        let mut shares = match self.choice().next() {
            Way::Alone(part) => (0..=self.devices.len()).map(|other| f64::from(u8::from(other == part))).collect(),
            Way::Shared(shares) => shares,
        };
        let all: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        shares
    }

    /// Computes the whole window. The first runs try each part alone, and then all together, shared by their rates; later
    /// ones go the way that took least, and look at those nearly as fast once in a while.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        let way = self.choice().next();
        let begun = Instant::now();
        match way {
            Way::Shared(shares) => {
                let rates = self.run_parts(scheduler, &shares, inputs, outputs)?;
                self.choice().note_shared(begun.elapsed(), &rates);
            }
            Way::Alone(part) => {
                match part.checked_sub(1).and_then(|device| self.devices.get(device)) {
                    Some(device) => device.run(inputs, outputs)?,
                    None => self.configured.run(scheduler, inputs, outputs)?,
                }
                let time = begun.elapsed();
                self.choice().note_alone(part, time, rate(self.configured.plan().valid_region().plane(), time));
            }
        }
        Ok(())
    }

    /// Computes the whole window, with rows in proportion to `shares`: the processor's, then each device's.
    pub fn run_shared(
        &self,
        scheduler: &dyn Scheduler,
        shares: &[f64],
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        let rates = self.run_parts(scheduler, shares, inputs, outputs)?;
        self.choice().note_rates(&rates);
        Ok(())
    }

    fn choice(&self) -> MutexGuard<'_, Choice> {
        self.choice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes the whole window in parts at once; the rates of those that have rows. The caller's thread computes the
    /// processor's, or else the last device's.
    fn run_parts(
        &self,
        scheduler: &dyn Scheduler,
        shares: &[f64],
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<Vec<Option<f64>>, OpenClError> {
        let expected = self.devices.len() + 1;
        if shares.len() != expected {
            return Err(OpenClError::Count { what: "shares", found: shares.len(), expected });
        }
        let plan = self.configured.plan();
        let parts = cut(plan.valid_region().plane(), plan.spec().step.1 as usize, shares);
        let mut bound = plan.bind(inputs, outputs)?;
        let host = HostImages::of(&bound);
        let mut own = || schedule_with_scratch(scheduler, &mut bound, &window_of(plan, parts[0]), &mut []);
        let on_device = |part: usize| timed(parts[part], || self.devices[part - 1].run_part(&host, parts[part]));
        let mut busy: Vec<usize> = (1..expected).filter(|&part| !parts[part].is_empty()).collect();
        let here = if parts[0].is_empty() { busy.pop() } else { None };
        let mut rates = vec![None; expected];
        std::thread::scope(|scope| {
            let running: Vec<_> = busy.iter().map(|&part| (part, scope.spawn(move || on_device(part)))).collect();
            let first = match here {
                Some(part) => on_device(part).map(|rate| rates[part] = rate),
                None if parts[0].is_empty() => Ok(()),
                None => timed(parts[0], || own().map_err(OpenClError::from)).map(|rate| rates[0] = rate),
            };
            let mut outcome = first;
            for (part, running) in running {
                // A thread ends without a panic: a run gives errors only.
                match running.join() {
                    Ok(Ok(rate)) => rates[part] = rate,
                    Ok(Err(error)) => outcome = outcome.and(Err(error)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            outcome
        })?;
        Ok(rates)
    }
}

/// The part of a plan's window that computes `rows`: it begins where a step does.
pub(super) fn window_of(plan: &Plan, rows: Rect) -> Window {
    let valid = plan.valid_region();
    let along = |d: usize| if d == 1 { rows.y0..rows.y1 } else { valid.inner_range(d) };
    Window::covering(std::array::from_fn(|d| along(d).start), std::array::from_fn(|d| along(d).end), plan.spec().step)
}

/// What `run` takes, as rows a second.
fn timed(part: Rect, run: impl FnOnce() -> Result<(), OpenClError>) -> Result<Option<f64>, OpenClError> {
    let started = Instant::now();
    run()?;
    Ok(rate(part, started.elapsed()))
}

/// Rows a second; none where there are no rows.
fn rate(part: Rect, time: Duration) -> Option<f64> {
    let seconds = time.max(Duration::from_nanos(1)).as_secs_f64();
    (part.height() > 0).then(|| part.height() as f64 / seconds)
}

/// Rows for each share, in order. Every part but the first begins a whole number of steps below the top.
pub(super) fn cut(plane: Rect, step: usize, shares: &[f64]) -> Vec<Rect> {
    let weight = |share: &f64| if share.is_finite() { share.max(0.0) } else { 0.0 };
    let all: f64 = shares.iter().map(weight).sum();
    let steps = plane.height().div_ceil(step.max(1));
    let mut done = 0.0;
    let mut top = plane.y0;
    let mut parts = Vec::with_capacity(shares.len());
    for (index, share) in shares.iter().enumerate() {
        done += weight(share);
        // Without any weight the first part computes everything; rounding leaves no row to nobody.
        let is_last = shares[index + 1..].iter().all(|share| weight(share) == 0.0);
        let until = if is_last { 1.0 } else { done / all };
        let bottom = (plane.y0 + (steps as f64 * until).round() as usize * step.max(1)).clamp(top, plane.y1);
        parts.push(Rect::new(plane.x0, top, plane.x1, bottom));
        top = bottom;
    }
    parts
}

impl<K: Kernel> fmt::Debug for SplitKernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitKernel").field("devices", &self.devices).field("rates", &self.rates()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tile_the_window_whatever_the_shares() {
        for height in [1, 2, 7, 64] {
            for step in [1, 2, 4] {
                for sixteenths in 0..=16 {
                    let plane = Rect::new(2, 3, 9, 3 + height);
                    let parts = cut(plane, step, &[f64::from(sixteenths), f64::from(16 - sixteenths)]);
                    assert_eq!((parts[0].y0, parts[0].y1, parts[1].y1), (3, parts[1].y0, 3 + height));
                    assert!(parts[1].is_empty() || (parts[1].y0 - 3).is_multiple_of(step));
                }
            }
        }
        let odd = cut(Rect::new(0, 0, 4, 8), 1, &[f64::NAN, -1.0, 0.0]);
        assert_eq!(odd.iter().map(Rect::height).sum::<usize>(), 8);
    }
}
