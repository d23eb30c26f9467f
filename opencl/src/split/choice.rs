//! Which way a kernel runs that may be shared: each part alone first, then shared by their rates, then what took least.
//!
//! Rates alone do not tell: parts that run at once share the memory, and handing work over costs as much for a small image
//! as for a large one. So the time of whole runs decides. The ways are looked at in turn, for times of one machine differ by
//! more than ways do: what is hopeless once, what is near until enough is known of it, and from time to time again.

use std::{time::Duration, vec, vec::Vec};

/// Runs in a row of a way that is looked at. The first makes room, wakes what sleeps, and does not count.
const LOOK: usize = 4;
/// Shared runs in a look: each follows the rates of those before.
const LOOK_SHARED: usize = 6;
/// Times kept of each way, whose median counts: what is known of a way that is near the best, before one is taken.
const KEPT: usize = 9;
/// The least gain that rates must promise for sharing to be tried.
const PROMISE: f64 = 1.05;
/// How much faster another way must have been to be taken instead.
const GAIN: f64 = 1.03;
/// Runs between looks at the other ways.
const PATIENCE: usize = 128;
/// A way that takes this much longer than the best is not looked at again while the best stays as it is.
const HOPELESS: f64 = 1.25;
/// How much of a part's last rate goes into what is expected of the next.
const RECENT: f64 = 0.5;

/// A way to compute the whole window.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Way {
    /// By one part.
    Alone(usize),
    /// By all, with rows in these proportions.
    Shared(Vec<f64>),
}

/// What is known of the ways, and which is taken next.
#[derive(Debug)]
pub(super) struct Choice {
    /// Rows a second of each part: alone, until it was measured beside the others.
    rates: Vec<Option<f64>>,
    /// Each part alone, then all together.
    times: Vec<Times>,
    /// The way that is taken, by its place in `times`.
    taken: usize,
    /// Runs of it since others were looked at.
    runs: usize,
    /// The ways that are being looked at, the last one now, and the runs left of each.
    looks: Vec<(usize, usize)>,
    /// The way of the last run.
    last: Option<usize>,
}

/// The last times of a way, in seconds.
#[derive(Clone, Debug)]
struct Times {
    kept: [f64; KEPT],
    count: usize,
    /// Of those kept; infinite for a way that was never taken.
    median: f64,
}

impl Times {
    const NONE: Self = Times { kept: [0.0; KEPT], count: 0, median: f64::INFINITY };

    fn add(&mut self, time: Duration) {
        self.kept[self.count % KEPT] = time.as_secs_f64();
        self.count += 1;
        let known = self.count.min(KEPT);
        let mut sorted = self.kept;
        sorted[..known].sort_unstable_by(f64::total_cmp);
        self.median = sorted[known / 2];
    }
}

impl Choice {
    pub fn of(parts: usize) -> Self {
        Choice {
            rates: vec![None; parts],
            times: vec![Times::NONE; parts + 1],
            taken: 0,
            runs: 0,
            looks: (0..parts).rev().map(|part| (part, LOOK)).collect(),
            last: None,
        }
    }

    /// Rows a second of each part; none where not yet measured.
    pub fn rates(&self) -> &[Option<f64>] {
        &self.rates
    }

    /// The way of the next run.
    pub fn next(&self) -> Way {
        let way = self.looks.last().map_or(self.taken, |&(way, _)| way);
        if way < self.rates.len() { Way::Alone(way) } else { Way::Shared(self.shares()) }
    }

    /// Takes in what a run of the whole window by one part took, and its rate.
    pub fn note_alone(&mut self, part: usize, time: Duration, rate: Option<f64>) {
        // A part beside others has another rate than alone, and sharing wants that one.
        if self.times[self.rates.len()].count == 0 {
            self.rates[part] = rate;
        }
        self.note(part, time);
    }

    /// Takes in what a shared run took, and the rates of the parts.
    pub fn note_shared(&mut self, time: Duration, rates: &[Option<f64>]) {
        self.note_rates(rates);
        self.note(self.rates.len(), time);
    }

    /// Takes in the rates of the parts that took part in a run.
    pub fn note_rates(&mut self, rates: &[Option<f64>]) {
        for (known, new) in self.rates.iter_mut().zip(rates) {
            *known = match (*known, *new) {
                (Some(known), Some(new)) => Some(known + RECENT * (new - known)),
                (known, new) => new.or(known),
            };
        }
    }

    fn note(&mut self, way: usize, time: Duration) {
        if self.last.replace(way) == Some(way) {
            self.times[way].add(time);
        }
        match self.looks.last_mut() {
            Some((looked, left)) if *looked == way => {
                *left -= 1;
                if *left == 0 {
                    self.looks.pop();
                }
            }
            Some(_) => {}
            None => self.runs += 1,
        }
        if self.looks.is_empty() {
            self.take_the_fastest();
            self.look_again();
        }
    }

    fn shares(&self) -> Vec<f64> {
        self.rates.iter().map(|rate| rate.unwrap_or(0.0)).collect()
    }

    fn take_the_fastest(&mut self) {
        let median = |way: usize| self.times[way].median;
        let fastest = (0..self.times.len()).min_by(|&a, &b| median(a).total_cmp(&median(b))).unwrap_or(0);
        if median(fastest) * GAIN < median(self.taken) {
            (self.taken, self.runs) = (fastest, 0);
        }
    }

    /// Looks at sharing where rates promise something, at what is near the best until enough is known, and at all that is
    /// near after many runs.
    fn look_again(&mut self) {
        let all = self.rates.len();
        if self.times[all].count == 0 && self.runs == 0 && self.promises() {
            self.looks.push((all, self.look_at(all)));
            return;
        }
        let limit = self.times[self.taken].median * HOPELESS;
        let is_near = |way: &usize| self.times[*way].median <= limit;
        if (0..=all).filter(is_near).count() < 2 {
            return;
        }
        let is_due = self.runs >= PATIENCE;
        let is_wanted = |way: &usize| if is_due { *way != self.taken } else { self.times[*way].count < KEPT };
        let looks: Vec<_> = (0..=all).filter(is_near).filter(is_wanted).map(|way| (way, self.look_at(way))).collect();
        if !looks.is_empty() {
            (self.looks, self.runs) = (looks, 0);
        }
    }

    /// The runs of a look.
    fn look_at(&self, way: usize) -> usize {
        if way < self.rates.len() { LOOK } else { LOOK_SHARED }
    }

    fn promises(&self) -> bool {
        let shares = self.shares();
        let fastest = shares.iter().copied().fold(0.0, f64::max);
        shares.iter().sum::<f64>() >= fastest * PROMISE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of 1000 rows by each of two parts alone; a shared run takes `handing` more than its slower part, which
    /// works at `slowed` of its rate.
    #[derive(Clone, Copy)]
    struct Machine {
        seconds: [f64; 2],
        handing: f64,
        slowed: f64,
    }

    impl Machine {
        fn run(self, choice: &mut Choice) -> Way {
            let Machine { seconds, handing, slowed } = self;
            let way = choice.next();
            match &way {
                Way::Alone(part) => {
                    let cold = if choice.times[*part].count == 0 { 10.0 } else { 1.0 };
                    let time = seconds[*part] * cold;
                    choice.note_alone(*part, Duration::from_secs_f64(time), Some(1000.0 / time));
                }
                Way::Shared(shares) => {
                    let all: f64 = shares.iter().sum();
                    let times = [0, 1].map(|part| shares[part] / all * seconds[part] / slowed);
                    let rates = [0, 1].map(|part| Some(1000.0 * shares[part] / all / times[part]));
                    choice.note_shared(Duration::from_secs_f64(times[0].max(times[1]) + handing), &rates);
                }
            }
            way
        }

        fn runs(self, choice: &mut Choice, runs: usize) -> Vec<Way> {
            (0..runs).map(|_| self.run(choice)).collect()
        }
    }

    fn settled(seconds: [f64; 2], handing: f64, slowed: f64) -> (Way, Vec<Way>) {
        let mut choice = Choice::of(2);
        let ways = Machine { seconds, handing, slowed }.runs(&mut choice, 80);
        (choice.next(), ways)
    }

    fn is_shared(way: &Way) -> bool {
        matches!(way, Way::Shared(_))
    }

    #[test]
    fn each_part_is_tried_alone_before_all_together() {
        let (_, ways) = settled([0.2, 0.3], 0.0, 1.0);
        assert!(ways[..LOOK].iter().all(|way| *way == Way::Alone(0)));
        assert!(ways[LOOK..2 * LOOK].iter().all(|way| *way == Way::Alone(1)));
        assert!(ways[2 * LOOK..][..LOOK_SHARED].iter().all(is_shared));
    }

    #[test]
    fn the_fastest_way_stays() {
        assert!(is_shared(&settled([0.2, 0.3], 0.01, 1.0).0));
        assert!(is_shared(&settled([0.2, 0.2], 0.0, 0.6).0));
        // Handing over costs more than it brings; both only slow each other down; one part would bring next to nothing.
        assert_eq!(settled([0.0002, 0.0003], 0.0002, 1.0).0, Way::Alone(0));
        assert_eq!(settled([0.3, 0.2], 0.0, 0.5).0, Way::Alone(1));
        let (way, ways) = settled([0.01, 1.0], 0.0, 1.0);
        assert_eq!(way, Way::Alone(0));
        assert!(!ways.iter().any(is_shared));
    }

    #[test]
    fn shares_follow_the_rates_of_parts_that_run_at_once() {
        let (way, _) = settled([0.1, 0.2], 0.0, 0.8);
        let Way::Shared(shares) = way else { panic!("alone") };
        assert!((shares[0] / shares[1] - 2.0).abs() < 0.05, "{shares:?}");
    }

    #[test]
    fn a_way_that_becomes_slow_is_left_and_taken_again_when_it_recovers() {
        let mut choice = Choice::of(2);
        let fast = Machine { seconds: [0.2, 0.2], handing: 0.0, slowed: 0.9 };
        assert!(is_shared(fast.runs(&mut choice, 80).last().unwrap()));
        let disturbed = Machine { seconds: [0.2, 0.2], handing: 0.02, slowed: 0.5 };
        assert!(matches!(disturbed.runs(&mut choice, 80).last().unwrap(), Way::Alone(_)));
        assert!(is_shared(fast.runs(&mut choice, 2 * PATIENCE).last().unwrap()));
    }

    #[test]
    fn a_look_that_met_a_busy_machine_is_mended() {
        let mut choice = Choice::of(2);
        let busy = Machine { seconds: [0.24, 0.2], handing: 9.0, slowed: 1.0 };
        assert_eq!(busy.runs(&mut choice, 80).last(), Some(&Way::Alone(1)));
        let calm = Machine { seconds: [0.1, 0.2], ..busy };
        let ways = calm.runs(&mut choice, 2 * PATIENCE);
        assert_eq!(ways.last(), Some(&Way::Alone(0)));
        assert!(!ways.iter().any(is_shared), "a hopeless way was tried again");
    }

    #[test]
    fn looks_at_others_are_few() {
        let mut choice = Choice::of(2);
        let machine = Machine { seconds: [0.2, 0.21], handing: 9.0, slowed: 1.0 };
        machine.runs(&mut choice, 80);
        let ways = machine.runs(&mut choice, 10 * PATIENCE);
        let others = ways.iter().filter(|way| **way != Way::Alone(0)).count();
        assert!((1..=10 * LOOK).contains(&others), "{others}");
    }
}
