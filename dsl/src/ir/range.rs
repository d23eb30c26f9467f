//! What a value can be: the proved range of a node, and the intervals that the analysis computes with.
//!
//! [`Range`] is what the rest of the compiler sees. [`Interval`] holds exact integers, wider than any type of the
//! language, so that a result outside its type can be seen before it is refused; [`Floats`] holds bounds of floats: those of any type are binary64.

use super::Type;

/// What is known about the values of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// One range for each node, in order: its values wherever its path condition holds.
    pub ranges: Vec<Range>,
}

/// The values that a node can have whenever its path condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// An integer between two bounds, inclusive.
    Int {
        /// The least value.
        lo: i128,
        /// The greatest value.
        hi: i128,
    },
    /// A float between two bounds, inclusive (a bound that is zero stands for both zeros), or NaN.
    Float {
        /// The least value that is a number.
        lo: f64,
        /// The greatest value that is a number.
        hi: f64,
        /// Whether NaN is possible.
        nan: bool,
    },
    /// A truth value.
    Bool {
        /// Whether it can be false.
        can_be_false: bool,
        /// Whether it can be true.
        can_be_true: bool,
    },
}

impl Range {
    /// Every value of a type.
    pub fn of_type(ty: Type) -> Self {
        match limits(ty) {
            Some(limits) => limits.range(),
            None if ty == Type::BOOL => Self::Bool { can_be_false: true, can_be_true: true },
            None => Floats::ALL.range(),
        }
    }

    /// The bounds of an integer range.
    pub fn as_int(self) -> Option<(i128, i128)> {
        match self {
            Self::Int { lo, hi } => Some((lo, hi)),
            Self::Float { .. } | Self::Bool { .. } => None,
        }
    }

    /// Whether every value is an integer of `ty`.
    pub fn fits(self, ty: Type) -> bool {
        match (self, limits(ty)) {
            (Self::Int { lo, hi }, Some(limits)) => limits.contains(&Interval::new(lo, hi)),
            (Self::Int { .. } | Self::Float { .. } | Self::Bool { .. }, _) => false,
        }
    }

    /// Whether `value` is possible. Bool values are 0 and 1.
    pub fn contains_int(self, value: i128) -> bool {
        match self {
            Self::Int { lo, hi } => lo <= value && value <= hi,
            Self::Bool { can_be_false, can_be_true } => (value == 0 && can_be_false) || (value == 1 && can_be_true),
            Self::Float { .. } => false,
        }
    }

    /// Whether `value` is possible.
    pub fn contains_float(self, value: f64) -> bool {
        match self {
            Self::Float { lo, hi, nan } => (value.is_nan() && nan) || (lo <= value && value <= hi),
            Self::Int { .. } | Self::Bool { .. } => false,
        }
    }

    /// The least range that holds both; `self` where the kinds differ.
    pub fn hull(self, other: Self) -> Self {
        match (self, other) {
            (Self::Int { lo, hi }, Self::Int { lo: l, hi: h }) => Self::Int { lo: lo.min(l), hi: hi.max(h) },
            (Self::Float { lo, hi, nan }, Self::Float { lo: l, hi: h, nan: n }) => {
                Self::Float { lo: lo.min(l), hi: hi.max(h), nan: nan || n }
            }
            (
                Self::Bool { can_be_false, can_be_true },
                Self::Bool { can_be_false: other_false, can_be_true: other_true },
            ) => Self::Bool { can_be_false: can_be_false || other_false, can_be_true: can_be_true || other_true },
            (Self::Int { .. } | Self::Float { .. } | Self::Bool { .. }, _) => self,
        }
    }

    /// What both hold; `None` where that is nothing.
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Int { lo, hi }, Self::Int { lo: l, hi: h }) => {
                let (lo, hi) = (lo.max(l), hi.min(h));
                (lo <= hi).then_some(Self::Int { lo, hi })
            }
            (Self::Float { lo, hi, nan }, Self::Float { lo: l, hi: h, nan: n }) => {
                let (lo, hi, nan) = (lo.max(l), hi.min(h), nan && n);
                match (lo <= hi, nan) {
                    (true, _) => Some(Self::Float { lo, hi, nan }),
                    // NaN only: there is no narrower form for it.
                    (false, true) => Some(Floats::ALL.range()),
                    (false, false) => None,
                }
            }
            (
                Self::Bool { can_be_false, can_be_true },
                Self::Bool { can_be_false: other_false, can_be_true: other_true },
            ) => {
                let (can_be_false, can_be_true) = (can_be_false && other_false, can_be_true && other_true);
                (can_be_false || can_be_true).then_some(Self::Bool { can_be_false, can_be_true })
            }
            (Self::Int { .. } | Self::Float { .. } | Self::Bool { .. }, _) => Some(self),
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Int { lo, hi } => Interval::new(lo, hi).fmt(f),
            Self::Float { lo, hi, nan } => {
                write!(f, "{}..={}", shortest(lo), shortest(hi))?;
                if nan { f.write_str(" or NaN") } else { Ok(()) }
            }
            Self::Bool { can_be_false, can_be_true } => f.write_str(match (can_be_false, can_be_true) {
                (true, false) => "false",
                (false, true) => "true",
                (true, true) | (false, false) => "false or true",
            }),
        }
    }
}

/// A float in as few digits as tell it apart, among those of 32 bits where it is one of them.
pub(crate) fn shortest(value: f64) -> String {
    let single = value as f32;
    if f64::from(single) == value { format!("{single:?}") } else { format!("{value:?}") }
}

/// Exact integers between two bounds, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Interval {
    /// The bounds in order.
    pub(crate) fn new(lo: i128, hi: i128) -> Self {
        if lo <= hi { Self { lo, hi } } else { Self { lo: hi, hi: lo } }
    }

    /// One value.
    pub(crate) fn point(value: i128) -> Self {
        Self { lo: value, hi: value }
    }

    /// The least interval that holds all of `values`; zero where there are none.
    pub(crate) fn of(values: impl IntoIterator<Item = i128>) -> Self {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return Self::point(0) };
        let (mut lo, mut hi) = (first, first);
        for value in values {
            if value < lo {
                lo = value;
            } else if value > hi {
                hi = value;
            }
        }
        Self { lo, hi }
    }

    /// The value, where there is only one.
    pub(crate) fn single(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub(crate) fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What both hold; `None` where that is nothing.
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        let lo = if self.lo >= other.lo { self.lo } else { other.lo };
        let hi = if self.hi <= other.hi { self.hi } else { other.hi };
        (lo <= hi).then_some(Self { lo, hi })
    }

    pub(crate) fn contains(self, inner: &Self) -> bool {
        self.lo <= inner.lo && inner.hi <= self.hi
    }

    pub(crate) fn holds(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// As a range; bounds that no integer type reaches are cut there.
    pub(crate) fn range(self) -> Range {
        let (least, greatest) = (Type::I64.limits().0, Type::U64.limits().1);
        Range::Int { lo: self.lo.clamp(least, greatest), hi: self.hi.clamp(least, greatest) }
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.single(), self.lo, self.hi) {
            (Some(value), ..) => write!(f, "{value}"),
            // An end that 128 bits do not hold has been cut.
            (None, i128::MIN, i128::MAX) => write!(f, ".."),
            (None, lo, i128::MAX) => write!(f, "{lo}.."),
            (None, i128::MIN, hi) => write!(f, "..={hi}"),
            (None, lo, hi) => write!(f, "{lo}..={hi}"),
        }
    }
}

/// Numbers of a type of floats between two bounds, inclusive, and perhaps NaN. A zero bound stands for both zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Floats {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) nan: bool,
}

impl Floats {
    /// Every float.
    pub(crate) const ALL: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: true };

    /// One value.
    pub(crate) fn point(value: f64) -> Self {
        if value.is_nan() { Self::ALL } else { Self { lo: value, hi: value, nan: false } }
    }

    pub(crate) fn holds_zero(self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }

    pub(crate) fn holds_infinity(self) -> bool {
        self.lo == f64::NEG_INFINITY || self.hi == f64::INFINITY
    }

    pub(crate) fn range(self) -> Range {
        Range::Float { lo: self.lo, hi: self.hi, nan: self.nan }
    }
}

/// The least and the greatest value of an integer type; `None` for others.
pub(crate) fn limits(ty: Type) -> Option<Interval> {
    if !ty.is_integer() {
        return None;
    }
    let (lo, hi) = ty.limits();
    Some(Interval { lo, hi })
}
