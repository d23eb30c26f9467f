//! Runs mutated kernels against the compiler: an answer for every input without much work, a third of them analysed, and never a panic.
//!
//! `WINDROW_FUZZ` says how many inputs, `WINDROW_SEED` where to begin, `WINDROW_WORK` how many allocations an input may take.

use crate::mutate::Mutator;
use crate::probe::{Reached, probe};
use std::sync::atomic::{AtomicU64, Ordering};

/// What became of some inputs.
#[derive(Default)]
struct Tally {
    analysed: u64,
    accepted: u64,
    hardest: (u64, u64),
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.analysed += other.analysed;
        self.accepted += other.accepted;
        self.hardest = self.hardest.max(other.hardest);
    }
}

/// Tries the seeds that `next` gives, until it gives one from `end` on.
fn probe_all(next: &AtomicU64, end: u64, most: u64) -> Tally {
    let (mutator, mut tally) = (Mutator::new(), Tally::default());
    assert!(mutator.seeds() > 200, "only {} seeds", mutator.seeds());
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return tally;
        }
        let source = mutator.input(seed).to_string();
        let faulty = |fault: String| format!("WINDROW_SEED={seed} WINDROW_FUZZ=1: {fault}\n{source}");
        let (reached, work) =
            probe(&source, seed.is_multiple_of(4)).unwrap_or_else(|fault| panic!("{}", faulty(fault)));
        assert!(work < most, "{}", faulty(format!("{work} allocations")));
        let (analysed, accepted) = (reached != Reached::Refused, reached == Reached::Accepted);
        tally.add(&Tally { analysed: analysed.into(), accepted: accepted.into(), hardest: (work, seed) });
    }
}

/// Tries `inputs` of them, each with at most so many allocations, where the environment does not say otherwise. On every processor; what an
/// input is depends on its seed alone.
///
/// # Panics
/// Where an input takes more, or too few are analysed.
pub fn run(inputs: u64, most: u64) {
    let (inputs, first) = (number("WINDROW_FUZZ", inputs), number("WINDROW_SEED", 1));
    let most = number("WINDROW_WORK", most);
    let next = AtomicU64::new(first);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(inputs as usize);
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let work = || probe_all(&next, first + inputs, most);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all.add(&worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    let Tally { analysed, accepted, hardest } = all;
    println!("{inputs} inputs, {analysed} analysed, {accepted} accepted; the hardest (allocations, seed) {hardest:?}");
    assert!(inputs < 1_000 || analysed * 3 >= inputs, "only {analysed} of {inputs} reached the analyses");
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
