//! Work-groups: how a run's work-items are grouped, and what a device takes.

use serde::{Deserialize, Serialize};
use std::array;

/// How a run's work-items are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum LocalSize {
    /// As the driver likes; for a kernel that windrow writes, long sides are rounded up to multiples of 8, of which groups can be
    /// made.
    #[default]
    Driver,
    /// Groups of this many work-items, (x, y); the global size is rounded up to whole groups.
    Fixed(u32, u32),
}

impl LocalSize {
    /// These work-items in whole groups.
    pub(super) fn sizes(self, items: [usize; 3]) -> Sizes {
        let Self::Fixed(x, y) = self else { return Sizes { global: items, local: None } };
        Sizes::in_groups(items, [x.max(1) as usize, y.max(1) as usize, 1])
    }
}

/// The sizes of a launch: work-items, and those of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub global: [usize; 3],
    pub local: Option<[usize; 3]>,
}

impl Sizes {
    /// These work-items in whole groups.
    pub fn in_groups(items: [usize; 3], local: [usize; 3]) -> Self {
        Self { global: array::from_fn(|axis| items[axis].next_multiple_of(local[axis])), local: Some(local) }
    }

    /// At least these work-items, (x, y, plane), in groups that the driver forms. Their sides divide those of the whole, so that of 683
    /// work-items, a prime, each would be a group of its own.
    pub fn for_driver([x, y, planes]: [usize; 3]) -> Self {
        let divisible = |side: usize| if side < 64 { side } else { side.next_multiple_of(8) };
        Self { global: [divisible(x), divisible(y), planes], local: None }
    }
}

/// What a device takes as a work-group of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalLimits {
    /// Work-items of a group.
    pub group: usize,
    /// Work-items along x and along y.
    pub items: [usize; 2],
    /// A group is best a multiple of this.
    pub multiple: usize,
    /// The group that the kernel is written for, where that is one alone.
    pub only: Option<[u32; 3]>,
}

/// A work-group that a device doesn't take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum IllegalLocalSize {
    /// A side of zero.
    #[error("a work-group of {0}×{1} holds no work-item")]
    Empty(u32, u32),
    /// A side that is too long.
    #[error("a work-group of {x}×{y} is too long: the device takes {}×{} at most", most[0], most[1])]
    TooLong { x: u32, y: u32, most: [usize; 2] },
    /// Too many work-items.
    #[error("a work-group of {x}×{y} has more than the {most} work-items that this kernel takes on the device")]
    TooMany { x: u32, y: u32, most: usize },
    /// A group for which the schedule is not written.
    #[error("this schedule is written for work-groups of {}×{}×{}: for {x}×{y}, set another schedule", only[0], only[1], only[2])]
    Other { x: u32, y: u32, only: [u32; 3] },
}

impl LocalLimits {
    /// Returns whether the device takes this work-group. The driver's own choice is always legal.
    pub fn check(&self, local: LocalSize) -> Result<(), IllegalLocalSize> {
        let LocalSize::Fixed(x, y) = local else { return Ok(()) };
        if let Some(only) = self.only {
            return if only == [x, y, 1] { Ok(()) } else { Err(IllegalLocalSize::Other { x, y, only }) };
        }
        let most = self.items;
        match (x as usize, y as usize) {
            (0, _) | (_, 0) => Err(IllegalLocalSize::Empty(x, y)),
            (width, height) if width > most[0] || height > most[1] => Err(IllegalLocalSize::TooLong { x, y, most }),
            (width, height) if width.saturating_mul(height) > self.group => {
                Err(IllegalLocalSize::TooMany { x, y, most: self.group })
            }
            (_, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_can_divide_long_sides_into_groups() {
        assert_eq!(Sizes::for_driver([683, 1366, 3]), Sizes { global: [688, 1368, 3], local: None });
        assert_eq!(Sizes::for_driver([61, 64, 7]), Sizes { global: [61, 64, 7], local: None });
    }
}
