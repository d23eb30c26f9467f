//! Ways to compute something take turns in rounds, so that what slows the machine down for a while slows all of them down.

use super::{BenchOptions, WayTimes};
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// How long a timed run of an author's function may take.
pub(super) const TIMED: Duration = Duration::from_millis(100);

/// How long a way is timed, over all its rounds but the last: that an element repeats the sums of its row is slow on an OpenCL device
/// too.
const LONGEST: Duration = Duration::from_secs(5);

/// What is timed, on images of some kind.
pub(super) trait TimedRun<Images> {
    /// Computes it once; returns the share of the elements that it has computed.
    fn run(&mut self, images: &mut Images) -> Result<f64, String>;
}

/// A way to compute something, and how long its runs took.
pub(super) struct Timed<R> {
    pub name: String,
    pub run: Result<R, String>,
    times: Vec<Duration>,
    /// How long its rounds took.
    spent: Duration,
    /// The least share of the elements that a run computed, whose time was then scaled to all.
    share: f64,
}

impl<R> Timed<R> {
    pub fn new(name: String, run: Result<R, String>) -> Self {
        Self { name, run, times: Vec::new(), spent: Duration::ZERO, share: 1.0 }
    }

    pub fn share(&self) -> f64 {
        self.share
    }

    /// Runs once; what fails is not run again.
    pub fn run<Images>(&mut self, images: &mut Images) -> Duration
    where
        R: TimedRun<Images>,
    {
        let start = Instant::now();
        let result = self.run.as_mut().map_or(Ok(1.0), |run| run.run(images));
        let share = *result.as_ref().unwrap_or(&1.0);
        let time = start.elapsed().div_f64(share);
        self.share = self.share.min(share);
        if let Err(error) = result {
            self.run = Err(error);
        }
        time
    }
}

impl<R> From<Timed<R>> for WayTimes {
    fn from(way: Timed<R>) -> Self {
        Self { name: way.name, times: way.run.map(|_| way.times) }
    }
}

/// Runs all ways once a round; each round begins with another.
pub(super) fn rounds<Images, R: TimedRun<Images>>(options: &BenchOptions, ways: &mut [Timed<R>], images: &mut Images) {
    let start = Instant::now();
    let mut round = 0;
    while round < options.rounds || start.elapsed() < options.budget {
        let first = round % ways.len();
        for place in (first..ways.len()).chain(0..first) {
            if ways[place].spent < LONGEST {
                let start = Instant::now();
                // All ways take the same images, and each copy has memory of its own: without a run just before, copies alone
                // would find theirs out of the caches.
                if ways[place].times.last().is_some_and(|time| *time < TIMED) {
                    ways[place].run(images);
                }
                let time = ways[place].run(images);
                ways[place].spent += start.elapsed();
                ways[place].times.push(time);
            }
        }
        round += 1;
    }
}

/// Bytes after which processors take an address for another one.
const PAGE: usize = 4096;

/// A copy of as many bytes as something reads and writes, from one half of them to the other, which lies somewhere in `to`.
pub(super) struct HostCopy {
    from: Vec<u8>,
    to: Vec<u8>,
    all_threads: bool,
}

impl HostCopy {
    pub fn new(bytes: usize, all_threads: bool) -> Self {
        Self { from: vec![1; bytes / 2], to: vec![0; bytes / 2 + PAGE], all_threads }
    }

    /// Copies to a part of `to`, in parts for all threads where they are wanted. What is read and what is written lie half a page
    /// apart: a read at the place in its page of an earlier store waits for that, and a copy of such memory takes up to ten times as
    /// long.
    pub fn run(&mut self) {
        const PART: usize = 1 << 20;
        let Self { from, to, all_threads } = self;
        let distance = to.as_ptr().addr().wrapping_sub(from.as_ptr().addr()) % PAGE;
        let start = (PAGE + PAGE / 2 - distance) % PAGE;
        let to = &mut to[start..start + from.len()];
        if *all_threads {
            to.par_chunks_mut(PART).zip(from.par_chunks(PART)).for_each(|(to, from)| to.copy_from_slice(from));
        } else {
            to.copy_from_slice(from);
        }
        std::hint::black_box(to);
    }
}
