//! One operator on the processor and on devices at once: the rows of its window are shared out by measured rates.
//!
//! Each part writes rows of its own, so that any shares give the same result. A share that would not pay is not given.

use super::{context::Context, error::OpenClError, host::HostImages, kernel::OpenClKernel, precision::Precision};
use crate::{
    code::Kernel,
    configure::Configured,
    region::Rect,
    run::{Bound, bind},
    schedule::{Scheduler, schedule_with_scratch},
    window::Window,
};
use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
    vec,
    vec::Vec,
};

/// The least gain for which work is shared: what a part costs beyond its rows must be made up for.
const LEAST_GAIN: f64 = 1.05;

/// A configured kernel on the processor and some devices.
pub struct SplitKernel<K: Kernel> {
    configured: Configured<K>,
    devices: Vec<OpenClKernel<K>>,
    /// The processor's, then each device's.
    rates: Mutex<Vec<Rate>>,
}

/// How fast a part is.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    /// Whether it has run: a first run also makes room, and wakes what sleeps.
    has_run: bool,
    /// Rows a second when last measured.
    rows: Option<f64>,
}

impl<K: Kernel> SplitKernel<K> {
    /// Builds the kernel for each of `contexts`, in the processor's precision.
    pub fn new(contexts: &[Context], configured: &Configured<K>) -> Result<Self, OpenClError> {
        let build = |context: &Context| OpenClKernel::with_precision(context, configured.clone(), Precision::F32);
        let devices: Vec<_> = contexts.iter().map(build).collect::<Result<_, _>>()?;
        let rates = Mutex::new(vec![Rate::default(); devices.len() + 1]);
        Ok(Self { configured: configured.clone(), devices, rates })
    }

    /// The kernels on the devices.
    pub fn devices(&self) -> &[OpenClKernel<K>] {
        &self.devices
    }

    /// Rows a second of the processor and of each device; none where not yet measured.
    pub fn rates(&self) -> Vec<Option<f64>> {
        self.rates.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|rate| rate.rows).collect()
    }

    /// Computes the whole window. The first runs try each part alone, and the second of each measures it; later ones share
    /// by the rates, and keep measuring.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        let shares = shares(&self.rates());
        self.run_shared(scheduler, &shares, inputs, outputs)
    }

    /// Computes the whole window, with rows in proportion to `shares`: the processor's, then each device's.
    pub fn run_shared(
        &self,
        scheduler: &dyn Scheduler,
        shares: &[f64],
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        let expected = self.devices.len() + 1;
        if shares.len() != expected {
            return Err(OpenClError::Count { what: "shares", found: shares.len(), expected });
        }
        let plan = &self.configured.plan;
        let parts = cut(plan.valid.plane(), plan.spec().step.1 as usize, shares);
        let job = bind(plan, inputs, outputs)?;
        let host = HostImages::of(&job);
        let mut bound = Bound::new(plan, job);
        let (own, others) = parts.split_first().map_or((Rect::default(), &[][..]), |(own, others)| (*own, others));
        let mut times = vec![None; expected];
        std::thread::scope(|scope| {
            let running: Vec<_> = self
                .devices
                .iter()
                .zip(others)
                .map(|(device, part)| {
                    let run = move || timed(*part, || device.run_part(&host, *part));
                    (!part.is_empty()).then(|| scope.spawn(run))
                })
                .collect();
            let mut failed = None;
            let mut run = || schedule_with_scratch(scheduler, &mut bound, &self.window(own), &mut []);
            match timed(own, || if own.is_empty() { Ok(()) } else { run().map_err(OpenClError::from) }) {
                Ok(rate) => times[0] = rate,
                Err(error) => failed = Some(error),
            }
            for (time, running) in times[1..].iter_mut().zip(running) {
                // A thread ends without a panic: a run gives errors only.
                match running.map(std::thread::ScopedJoinHandle::join) {
                    Some(Ok(Ok(rate))) => *time = rate,
                    Some(Ok(Err(error))) => failed = failed.take().or(Some(error)),
                    Some(Err(panic)) => std::panic::resume_unwind(panic),
                    None => {}
                }
            }
            failed.map_or(Ok(()), Err)
        })?;
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        for (rate, time) in rates.iter_mut().zip(times) {
            let time = time.filter(|_| std::mem::replace(&mut rate.has_run, true));
            rate.rows = time.or(rate.rows);
        }
        Ok(())
    }

    /// The part of the window that computes `rows`: it begins where a step does.
    fn window(&self, rows: Rect) -> Window {
        let plan = &self.configured.plan;
        let (mut start, mut end) = (plan.valid.start, plan.valid.end);
        (start[1], end[1]) = (rows.y0, rows.y1);
        Window::covering(start, end, plan.spec().step)
    }
}

/// What `run` takes, as rows a second.
fn timed(part: Rect, run: impl FnOnce() -> Result<(), OpenClError>) -> Result<Option<f64>, OpenClError> {
    let started = Instant::now();
    run()?;
    let seconds = started.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    Ok((part.height() > 0).then(|| part.height() as f64 / seconds))
}

/// The shares that follow from rates: one that isn't known gets everything once; what gains little is left out.
fn shares(rates: &[Option<f64>]) -> Vec<f64> {
    if let Some(unknown) = rates.iter().position(Option::is_none) {
        return (0..rates.len()).map(|part| if part == unknown { 1.0 } else { 0.0 }).collect();
    }
    let known: Vec<f64> = rates.iter().map(|rate| rate.unwrap_or(0.0)).collect();
    let (all, best) = (known.iter().sum::<f64>(), known.iter().copied().fold(0.0, f64::max));
    if all >= best * LEAST_GAIN {
        return known;
    }
    let fastest = known.iter().position(|rate| *rate == best);
    (0..known.len()).map(|part| if Some(part) == fastest { 1.0 } else { 0.0 }).collect()
}

/// Rows for each share, in order. Every part but the first begins a whole number of steps below the top.
fn cut(plane: Rect, step: usize, shares: &[f64]) -> Vec<Rect> {
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

    #[test]
    fn unknown_parts_are_measured_and_slow_ones_left_out() {
        assert_eq!(shares(&[None, None]), [1.0, 0.0]);
        assert_eq!(shares(&[Some(5.0), None]), [0.0, 1.0]);
        assert_eq!(shares(&[Some(100.0), Some(50.0)]), [100.0, 50.0]);
        assert_eq!(shares(&[Some(100.0), Some(1.0)]), [1.0, 0.0]);
        assert_eq!(shares(&[Some(1.0), Some(100.0)]), [0.0, 1.0]);
    }
}
