//! What a tuner may try: schedules, and sizes of work-groups, level by level.
//!
//! Each level's set holds the one below it, the driver's own choice stands in all of them, and all of it is legal on the
//! device: a candidate is a matter of speed alone.

use crate::{LocalLimits, LocalSize};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How much a tuner tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TuneLevel {
    /// About a dozen sizes of the default schedule, and the other schedules as the driver likes them.
    Fast,
    /// Every pair of powers of two.
    Normal,
    /// Divisors of the number of work-items and every multiple of what the device likes too, every small height, and all of it
    /// for every schedule.
    Exhaustive,
}

impl TuneLevel {
    /// The level of the schedules that are not the default; none: the driver's choice alone.
    const fn of_other_schedules(self) -> Option<Self> {
        match self {
            Self::Fast => None,
            Self::Normal => Some(Self::Fast),
            Self::Exhaustive => Some(Self::Exhaustive),
        }
    }
}

/// One schedule of a kernel, at one shape, on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleSpace {
    /// Work-items along x and along y.
    pub items: [usize; 2],
    /// What the device takes.
    pub limits: LocalLimits,
}

/// All that may be tried of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Its schedules.
    pub schedules: Vec<ScheduleSpace>,
    /// Which of them is the default.
    pub default: usize,
}

/// A schedule with a size of work-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// Which schedule.
    pub schedule: usize,
    /// Its work-groups.
    pub local: LocalSize,
}

impl Space {
    /// Returns what runs untuned.
    pub fn default_candidate(&self) -> Candidate {
        Candidate { schedule: self.default, local: LocalSize::Driver }
    }

    /// Returns what a level tries: the default first, then the default schedule's, then the others', level by level, so
    /// that a budget that ends early has tried the likely ones.
    pub fn candidates(&self, level: TuneLevel) -> Vec<Candidate> {
        let mut seen = BTreeSet::new();
        let mut candidates = vec![self.default_candidate()];
        seen.extend(&candidates);
        for reached in TuneLevel::ALL.into_iter().filter(|reached| *reached <= level) {
            let others = (0..self.schedules.len()).filter(|schedule| *schedule != self.default);
            for schedule in std::iter::once(self.default).chain(others) {
                let own = if schedule == self.default { Some(reached) } else { reached.of_other_schedules() };
                let locals = self.schedules.get(schedule).map(|space| space.locals(own)).unwrap_or_default();
                let new = locals.into_iter().map(|local| Candidate { schedule, local });
                candidates.extend(new.filter(|candidate| seen.insert(*candidate)));
            }
        }
        candidates
    }

    /// Returns whether a candidate, read from a file, exists and is legal here.
    pub fn allows(&self, candidate: Candidate) -> bool {
        let space = self.schedules.get(candidate.schedule);
        space.is_some_and(|space| space.limits.check(candidate.local).is_ok())
    }
}

impl ScheduleSpace {
    /// The legal work-groups of a level, without regard to those of lower ones; without a level, the driver's choice.
    fn locals(&self, level: Option<TuneLevel>) -> Vec<LocalSize> {
        let Some(level) = level.filter(|_| self.limits.only.is_none()) else { return vec![LocalSize::Driver] };
        let likes = self.limits.multiple.clamp(1, 1 << 10).next_power_of_two();
        let powers = |axis: usize| self.sides(axis, |_, side| side.is_power_of_two());
        let locals: Vec<(usize, usize)> = match level {
            TuneLevel::Fast => pairs(&powers(0), &powers(1))
                .filter(|(x, y)| *y <= 8 && x >= y && [likes, 2 * likes, 4 * likes].contains(&(x * y)))
                .collect(),
            TuneLevel::Normal => pairs(&powers(0), &powers(1)).collect(),
            TuneLevel::Exhaustive => {
                let wide = |items: usize, side: usize| side.is_power_of_two() || items.is_multiple_of(side);
                let x = self.sides(0, |items, side| wide(items, side) || side.is_multiple_of(likes));
                let y = self.sides(1, |items, side| wide(items, side) || side <= 16);
                pairs(&x, &y).collect()
            }
        };
        let fixed = locals.into_iter().map(|(x, y)| LocalSize::Fixed(x as u32, y as u32));
        fixed.filter(|local| self.limits.check(*local).is_ok()).collect()
    }

    /// The sides along an axis that `keep` keeps; none is longer than the work-items need, in whole powers of two.
    fn sides(&self, axis: usize, keep: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        // Groups of more than 2^12 along a side are in no driver.
        let items = self.items[axis].clamp(1, 1 << 12);
        let longest = items.next_power_of_two().min(self.limits.items[axis]).min(self.limits.group);
        (1..=longest).filter(|side| keep(self.items[axis].max(1), *side)).collect()
    }
}

fn pairs<'a>(xs: &'a [usize], ys: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
    xs.iter().flat_map(|x| ys.iter().map(|y| (*x, *y)))
}

#[cfg(test)]
pub(super) mod tests;
