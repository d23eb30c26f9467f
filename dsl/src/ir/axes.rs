//! The axes of the element and of the loops of its body, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr};

/// An axis of the element, a dimension of the output along which elements are computed; or the turns of a loop of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AxisId(pub u32);

impl AxisId {
    /// Across rows.
    pub const Y: Self = Self(0);
    /// Along a row.
    pub const X: Self = Self(1);
    /// Along a row, from step to step: where the first lane of a step's vectors is. Only behind a target's decomposition.
    pub const STEP: Self = Self(30);
    /// The lanes of a reduction: its terms side by side, those of a step's elements being the same. Only behind a target's
    /// decomposition.
    pub const LANE: Self = Self(31);
    /// Across the rows of a work-group's elements. Only behind a target's decomposition.
    pub const GROUP_Y: Self = Self(33);
    /// Along the rows of a work-group's elements. Only behind a target's decomposition.
    pub const GROUP_X: Self = Self(34);
    /// The first axis across the planes of a work-group.
    const GROUP_PLANES: u32 = 35;
    /// How many axes a plane has. Those from here on are the loops of a body.
    pub const COUNT: u32 = 2;
    /// How many loops a body can have.
    pub const LOOPS: u32 = 24;
    /// The first axis across planes.
    const PLANES: u32 = Self::COUNT + Self::LOOPS;
    /// The greatest number of axes across planes.
    pub const OUTER: u32 = 4;

    /// Across planes: the `number`-th dimension outside rows and columns, counted from the innermost, 0 that of a plane itself.
    pub const fn outer(number: u32) -> Self {
        Self(Self::PLANES + number)
    }

    /// The same axis as one of a work-group's elements, where it is one of the element's. Only behind a target's decomposition.
    pub const fn of_group(self) -> Self {
        match self.as_outer() {
            Some(number) => Self(Self::GROUP_PLANES + number),
            None if self.0 == Self::Y.0 => Self::GROUP_Y,
            None => Self::GROUP_X,
        }
    }

    /// Which of the dimensions outside rows and columns it is for a work-group.
    pub const fn as_outer_of_group(self) -> Option<u32> {
        match self.0.checked_sub(Self::GROUP_PLANES) {
            Some(number) if number < Self::OUTER => Some(number),
            _ => None,
        }
    }

    /// Which of the dimensions outside rows and columns it is.
    pub const fn as_outer(self) -> Option<u32> {
        match self.0.checked_sub(Self::PLANES) {
            Some(number) if number < Self::OUTER => Some(number),
            _ => None,
        }
    }
}

impl fmt::Display for AxisId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Y => out.write_str("y"),
            Self::X => out.write_str("x"),
            Self::STEP => out.write_str("step"),
            Self::LANE => out.write_str("lane"),
            Self::GROUP_Y => out.write_str("group_y"),
            Self::GROUP_X => out.write_str("group_x"),
            Self(other) => match self.as_outer() {
                Some(number) => write!(out, "outer{number}"),
                None => match self.as_outer_of_group() {
                    Some(number) => write!(out, "group_outer{number}"),
                    None => write!(out, "axis{other}"),
                },
            },
        }
    }
}

/// What a value varies along: a set of axes. One more stands for the runs of a configured kernel, as memory may hold
/// something else in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Axes(u64);

impl Axes {
    /// Nothing: the value is fixed when the kernel is configured.
    pub const NONE: Self = Self(0);
    /// Everything.
    pub const ALL: Self = Self(u64::MAX);
    /// From run to run.
    pub const RUNS: Self = Self(1 << 32);

    /// One axis.
    pub fn of(axis: AxisId) -> Self {
        Self(1 << axis.0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The others, without one.
    pub fn without(self, axis: AxisId) -> Self {
        Self(self.0 & !Self::of(axis).0)
    }

    /// Those of loops at run time.
    pub fn of_loops(self) -> Self {
        Self(self.0 & (((1 << AxisId::LOOPS) - 1) << AxisId::COUNT))
    }

    /// Those of planes.
    pub fn of_planes(self) -> Self {
        Self(self.0 & (((1 << AxisId::OUTER) - 1) << AxisId::PLANES))
    }

    /// Those of a work-group's elements.
    pub fn of_group(self) -> Self {
        Self(self.0 & (((1 << (AxisId::OUTER + 2)) - 1) << AxisId::GROUP_Y.0))
    }

    /// The others, without these.
    pub fn without_all(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether this axis is among them.
    pub fn has(self, axis: AxisId) -> bool {
        self.0 & Self::of(axis).0 != 0
    }
}

impl BitAnd for Axes {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Axes {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Self> for Axes {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::NONE, Self::bitor)
    }
}
