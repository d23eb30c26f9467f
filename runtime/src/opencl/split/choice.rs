//! Which way a kernel runs that may be shared: each part alone first, then shared by their rates, then what took least.
//!
//! Rates alone do not tell: parts that run at once share the memory, and handing work over costs as much for a small image
//! as for a large one. So the time of a whole run decides, and a kernel is shared only where that has been the fastest.

use std::{time::Duration, vec, vec::Vec};

/// Runs of each part alone, of which the first makes room, wakes what sleeps, and does not count.
const ALONE: usize = 3;
/// Shared runs, likewise; each follows the rates of those before.
const SHARED: usize = 5;
/// The least gain that rates must promise for sharing to be tried.
const PROMISE: f64 = 1.05;
/// How much of the last run's time goes into what is expected of the next.
const RECENT: f64 = 0.125;

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
    parts: Vec<Part>,
    shared_runs: usize,
    /// The shares that took least, and their time.
    best: Option<(Vec<f64>, Duration)>,
    settled: Option<Way>,
    /// Seconds that shared runs take, since that was settled.
    recent: f64,
}

/// The processor, or a device.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    runs: usize,
    /// The least time of a run alone.
    alone: Option<Duration>,
    /// Rows a second when last measured.
    rate: Option<f64>,
}

impl Choice {
    pub fn of(parts: usize) -> Self {
        Choice { parts: vec![Part::default(); parts], shared_runs: 0, best: None, settled: None, recent: 0.0 }
    }

    /// Rows a second of each part; none where not yet measured.
    pub fn rates(&self) -> Vec<Option<f64>> {
        self.parts.iter().map(|part| part.rate).collect()
    }

    /// The way of the next run.
    pub fn next(&mut self) -> Way {
        if let Some(settled) = &self.settled {
            return settled.clone();
        }
        if let Some(part) = self.parts.iter().position(|part| part.runs < ALONE) {
            return Way::Alone(part);
        }
        let rates: Vec<f64> = self.parts.iter().map(|part| part.rate.unwrap_or(0.0)).collect();
        let fastest = rates.iter().copied().fold(0.0, f64::max);
        if rates.iter().sum::<f64>() >= fastest * PROMISE && self.shared_runs < SHARED {
            return Way::Shared(rates);
        }
        let alone = self.fastest_alone();
        let settled = match &self.best {
            Some((shares, time)) if *time < self.time_alone(alone) => {
                self.recent = time.as_secs_f64();
                Way::Shared(shares.clone())
            }
            _ => Way::Alone(alone),
        };
        self.settled.insert(settled).clone()
    }

    /// Takes in what a run of the whole window took, and the rates of the parts that took part in it.
    pub fn note(&mut self, way: &Way, time: Duration, rates: &[Option<f64>]) {
        match way {
            Way::Alone(part) => {
                let part = &mut self.parts[*part];
                part.runs += 1;
                if part.runs > 1 {
                    part.alone = Some(part.alone.map_or(time, |least| least.min(time)));
                }
            }
            Way::Shared(shares) => {
                self.shared_runs += 1;
                if self.shared_runs > 1 && self.best.as_ref().is_none_or(|(_, least)| time < *least) {
                    self.best = Some((shares.clone(), time));
                }
                self.recent += RECENT * (time.as_secs_f64() - self.recent);
            }
        }
        self.note_rates(rates);
        let alone = self.fastest_alone();
        if matches!(self.settled, Some(Way::Shared(_))) && self.recent > self.time_alone(alone).as_secs_f64() {
            self.settled = Some(Way::Alone(alone));
        }
    }

    /// Takes in the rates of the parts that took part in a run.
    pub fn note_rates(&mut self, rates: &[Option<f64>]) {
        for (part, rate) in self.parts.iter_mut().zip(rates) {
            part.rate = rate.or(part.rate);
        }
    }

    fn fastest_alone(&self) -> usize {
        (0..self.parts.len()).min_by_key(|&part| self.time_alone(part)).unwrap_or(0)
    }

    fn time_alone(&self, part: usize) -> Duration {
        self.parts.get(part).and_then(|part| part.alone).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way after many runs, where rows of 1000 take `seconds` by each part alone, and a shared run `handing` more than
    /// its slower part, which works at `slowed` of its rate.
    fn settle(seconds: [f64; 2], handing: f64, slowed: f64) -> (Way, Vec<Way>) {
        let mut choice = Choice::of(2);
        let mut ways = Vec::new();
        for run in 0..40 {
            let way = choice.next();
            let (time, rates) = match &way {
                Way::Alone(part) => {
                    let cold = if run == 0 || run == ALONE { 10.0 } else { 1.0 };
                    let time = seconds[*part] * cold;
                    (time, [0, 1].map(|other| (other == *part).then(|| 1000.0 / time)))
                }
                Way::Shared(shares) => {
                    let all: f64 = shares.iter().sum();
                    let times = [0, 1].map(|part| shares[part] / all * seconds[part] / slowed);
                    (
                        times[0].max(times[1]) + handing,
                        [0, 1].map(|part| Some(1000.0 * shares[part] / all / times[part])),
                    )
                }
            };
            choice.note(&way, Duration::from_secs_f64(time), &rates);
            ways.push(way);
        }
        (choice.next(), ways)
    }

    #[test]
    fn each_part_is_tried_alone_before_all_together() {
        let (_, ways) = settle([0.2, 0.3], 0.0, 1.0);
        assert!(ways[..ALONE].iter().all(|way| *way == Way::Alone(0)));
        assert!(ways[ALONE..2 * ALONE].iter().all(|way| *way == Way::Alone(1)));
        assert!(matches!(ways[2 * ALONE], Way::Shared(_)));
    }

    #[test]
    fn the_fastest_way_stays() {
        let is_shared = |(way, _): (Way, Vec<Way>)| matches!(way, Way::Shared(_));
        assert!(is_shared(settle([0.2, 0.3], 0.01, 1.0)));
        assert!(is_shared(settle([0.2, 0.2], 0.0, 0.6)));
        // Handing over costs more than it brings; both only slow each other down; one part would bring next to nothing.
        assert_eq!(settle([0.0002, 0.0003], 0.0002, 1.0).0, Way::Alone(0));
        assert_eq!(settle([0.3, 0.2], 0.0, 0.5).0, Way::Alone(1));
        let (way, ways) = settle([0.01, 1.0], 0.0, 1.0);
        assert_eq!(way, Way::Alone(0));
        assert!(!ways.iter().any(|way| matches!(way, Way::Shared(_))));
    }

    #[test]
    fn sharing_ends_when_it_becomes_slow() {
        let mut choice = Choice::of(2);
        let slow = Duration::from_secs(3);
        let mut ways = Vec::new();
        for run in 0..60 {
            let way = choice.next();
            let time = match &way {
                Way::Alone(_) => Duration::from_secs(2),
                Way::Shared(_) => {
                    if run < 20 {
                        Duration::from_secs(1)
                    } else {
                        slow
                    }
                }
            };
            choice.note(&way, time, &[Some(1.0), Some(1.0)]);
            ways.push(way);
        }
        assert!(matches!(ways[19], Way::Shared(_)));
        assert_eq!(ways[59], Way::Alone(0));
    }
}
