//! What a node can compute: the operations of the language, each defined by its comment.
//!
//! A new one has a variant here; the compiler lists the matches that must know it.

use super::{Axis, Constant, InputId, TableId, Type, UniformId, ValueId};
use std::fmt;

/// What an operation does with an exact result that its type lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Overflow {
    /// It has none: an obligation before [`crate::analyse`], a fact after it. On floats, which have no overflow in this
    /// sense, the only one.
    Never,
    /// It gives the result modulo 2^width; integers only.
    Wrap,
    /// It gives the nearest value of the type; integers only.
    Saturate,
}

/// Operations on one value. The result has the operand's type where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// `-x`.
    Neg(Overflow),
    /// `!x`, bitwise or logical.
    Not,
    /// `abs`.
    Abs(Overflow),
    /// `unsigned_abs`: the unsigned type of the same width.
    UnsignedAbs,
    /// `signum` of an integer: −1, 0 or 1.
    Signum,
    /// `sqrt`, correctly rounded.
    Sqrt,
    /// `isqrt`: the integer square root, rounded down (unsigned types).
    Isqrt,
    /// `count_ones`, as u32.
    CountOnes,
    /// `leading_zeros`, as u32.
    LeadingZeros,
    /// `trailing_zeros`, as u32.
    TrailingZeros,
    /// `floor`.
    Floor,
    /// `ceil`.
    Ceil,
    /// `trunc`.
    Trunc,
    /// `round_ties_even`.
    RoundTiesEven,
    /// `is_nan`, as Bool.
    IsNan,
    /// `f32::from_bits` of a u32.
    FromBits,
    /// `to_bits` of an f32, as u32.
    ToBits,
}

/// Operations on two values of one type. Comparisons give `Bool`; everything else the operands' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// `+`.
    Add(Overflow),
    /// `-`.
    Sub(Overflow),
    /// `*`.
    Mul(Overflow),
    /// `/`: toward zero for integers (divisor ≠ 0, no MIN / −1), IEEE for floats.
    Div,
    /// `%`: the sign of the dividend (divisor ≠ 0, no MIN % −1); integers only.
    Rem,
    /// `<<`; the right operand is u32. Without overflow it is below the width, and the value changes by the power of two
    /// alone; where it wraps, it is taken modulo the width. There is no saturating one.
    Shl(Overflow),
    /// `>>`; the right operand is u32, below the width; arithmetic for signed types.
    Shr,
    /// `&`, on integers and Bool.
    And,
    /// `|`, on integers and Bool.
    Or,
    /// `^`, on integers and Bool.
    Xor,
    /// The lesser; floats by IEEE 754-2019 minimumNumber (a NaN is ignored, −0 < +0).
    Min,
    /// The greater; floats by maximumNumber.
    Max,
    /// `abs_diff`: |a − b| in the unsigned type of the same width.
    AbsDiff,
    /// `halving_add`: ⌊(a + b) / 2⌋ with no intermediate overflow.
    HalvingAdd,
    /// `rounding_halving_add`: ⌊(a + b + 1) / 2⌋ with no intermediate overflow.
    RoundingHalvingAdd,
    /// `mul_high`: the upper half of the double-width product.
    MulHigh,
    /// `rounding_shr`: ⌊(a + 2^(n−1)) / 2^n⌋ computed without overflow; the right operand n is u32, below the width;
    /// n = 0 gives a.
    RoundingShr,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

/// The operations that compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl UnaryOp {
    /// How many operations there are, their modes not counted.
    pub const KINDS: usize = UNARY_NAMES.len();
    /// How many numbers [`UnaryOp::code`] gives.
    pub const CODES: usize = 3 * Self::KINDS;

    /// A number of its own, whatever the mode.
    pub const fn kind(self) -> usize {
        use UnaryOp::*;
        match self {
            Neg(_) => 0,
            Not => 1,
            Abs(_) => 2,
            UnsignedAbs => 3,
            Signum => 4,
            Sqrt => 5,
            Isqrt => 6,
            CountOnes => 7,
            LeadingZeros => 8,
            TrailingZeros => 9,
            Floor => 10,
            Ceil => 11,
            Trunc => 12,
            RoundTiesEven => 13,
            IsNan => 14,
            FromBits => 15,
            ToBits => 16,
        }
    }

    /// A number of its own in each mode, for tables and keys.
    pub const fn code(self) -> usize {
        let mode = match self.overflow() {
            None => 0,
            Some(overflow) => overflow as usize,
        };
        3 * self.kind() + mode
    }

    /// Its mode, where it has one.
    pub const fn overflow(self) -> Option<Overflow> {
        match self {
            Self::Neg(overflow) | Self::Abs(overflow) => Some(overflow),
            _ => None,
        }
    }

    /// The same operation in another mode, where it has modes.
    pub const fn with(self, overflow: Overflow) -> Self {
        match self {
            Self::Neg(_) => Self::Neg(overflow),
            Self::Abs(_) => Self::Abs(overflow),
            _ => self,
        }
    }
}

/// The names of the operations on one value, in the order of their codes.
const UNARY_NAMES: [&str; 17] = [
    "Neg",
    "Not",
    "Abs",
    "UnsignedAbs",
    "Signum",
    "Sqrt",
    "Isqrt",
    "CountOnes",
    "LeadingZeros",
    "TrailingZeros",
    "Floor",
    "Ceil",
    "Trunc",
    "RoundTiesEven",
    "IsNan",
    "FromBits",
    "ToBits",
];

/// The names of the operations on two values, in the order of their codes.
const BINARY_NAMES: [&str; 23] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Shl",
    "Shr",
    "And",
    "Or",
    "Xor",
    "Min",
    "Max",
    "AbsDiff",
    "HalvingAdd",
    "RoundingHalvingAdd",
    "MulHigh",
    "RoundingShr",
    "Eq",
    "Ne",
    "Lt",
    "Le",
    "Gt",
    "Ge",
];

/// Writes the mode before the name: `WrappingAdd`.
fn write_name(out: &mut fmt::Formatter<'_>, overflow: Option<Overflow>, name: &str) -> fmt::Result {
    out.write_str(match overflow {
        None | Some(Overflow::Never) => "",
        Some(Overflow::Wrap) => "Wrapping",
        Some(Overflow::Saturate) => "Saturating",
    })?;
    out.write_str(name)
}

impl fmt::Display for UnaryOp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(out, self.overflow(), UNARY_NAMES[self.kind()])
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(out, self.overflow(), BINARY_NAMES[self.kind()])
    }
}

impl BinaryOp {
    /// How many operations there are, their modes not counted.
    pub const KINDS: usize = BINARY_NAMES.len();
    /// How many numbers [`BinaryOp::code`] gives.
    pub const CODES: usize = 3 * Self::KINDS;

    /// A number of its own, whatever the mode.
    pub const fn kind(self) -> usize {
        use BinaryOp::*;
        match self {
            Add(_) => 0,
            Sub(_) => 1,
            Mul(_) => 2,
            Div => 3,
            Rem => 4,
            Shl(_) => 5,
            Shr => 6,
            And => 7,
            Or => 8,
            Xor => 9,
            Min => 10,
            Max => 11,
            AbsDiff => 12,
            HalvingAdd => 13,
            RoundingHalvingAdd => 14,
            MulHigh => 15,
            RoundingShr => 16,
            Eq => 17,
            Ne => 18,
            Lt => 19,
            Le => 20,
            Gt => 21,
            Ge => 22,
        }
    }

    /// A number of its own in each mode, for tables and keys.
    pub const fn code(self) -> usize {
        let mode = match self.overflow() {
            None => 0,
            Some(overflow) => overflow as usize,
        };
        3 * self.kind() + mode
    }

    /// Its mode, where it has one.
    pub const fn overflow(self) -> Option<Overflow> {
        match self {
            Self::Add(overflow) | Self::Sub(overflow) | Self::Mul(overflow) | Self::Shl(overflow) => Some(overflow),
            _ => None,
        }
    }

    /// The same operation in another mode, where it has modes.
    pub const fn with(self, overflow: Overflow) -> Self {
        match self {
            Self::Add(_) => Self::Add(overflow),
            Self::Sub(_) => Self::Sub(overflow),
            Self::Mul(_) => Self::Mul(overflow),
            Self::Shl(_) => Self::Shl(overflow),
            _ => self,
        }
    }

    /// The comparison that it is, if it is one.
    pub fn comparison(self) -> Option<Comparison> {
        use BinaryOp::*;
        match self {
            Eq => Some(Comparison::Eq),
            Ne => Some(Comparison::Ne),
            Lt => Some(Comparison::Lt),
            Le => Some(Comparison::Le),
            Gt => Some(Comparison::Gt),
            Ge => Some(Comparison::Ge),
            Add(_) | Sub(_) | Mul(_) | Div | Rem | Shl(_) | Shr | And | Or | Xor | Min | Max | AbsDiff => None,
            HalvingAdd | RoundingHalvingAdd | MulHigh | RoundingShr => None,
        }
    }

    /// The type of the result on operands of type `ty`.
    pub fn result(self, ty: Type) -> Type {
        match self {
            BinaryOp::AbsDiff => ty.unsigned(),
            _ if self.comparison().is_some() => Type::Bool,
            _ => ty,
        }
    }
}

/// What a conversion does with a value that the target type lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastMode {
    /// Rust's `as`. Between integers it must be proved to keep the value; float → integer truncates, saturates and
    /// makes NaN zero; integer → float rounds to nearest even; bool → integer is 0 or 1.
    Value,
    /// `wrapping_cast`: modulo 2^width, integers only.
    Wrapping,
    /// `saturating_cast`: the nearest value of the target; from floats as `Value`.
    Saturating,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the node's type.
    Constant(Constant),
    /// An element of an input beside the current one: at (stride·x + dx, stride·y + dy), its channel `channel`.
    Input {
        /// Which input.
        input: InputId,
        /// Which channel of an interleaved pixel; 0 otherwise.
        channel: u32,
        /// Offset in elements of the input along the row.
        dx: i32,
        /// Offset in rows of the input.
        dy: i32,
    },
    /// A scalar of a uniform: its `index`-th in row-major order.
    Uniform {
        /// Which uniform.
        uniform: UniformId,
        /// The flat index into an array uniform; 0 for a scalar.
        index: u32,
    },
    /// The output coordinate plus `offset`, as i32 (`offset` is 0 before a schedule jams).
    Coordinate {
        /// Which dimension.
        axis: Axis,
        /// Added to it.
        offset: i32,
    },
    /// `table[index]`; the index is proved to be below the length.
    Lookup {
        /// Which table.
        table: TableId,
        /// Any integer type.
        index: ValueId,
    },
    /// A value computed once for the whole run from uniforms (see [`crate::optimise`]); only in optimised bodies.
    Derived {
        /// Its place among the derived words.
        index: u32,
    },
    /// One operand.
    Unary(UnaryOp, ValueId),
    /// Two operands.
    Binary(BinaryOp, ValueId, ValueId),
    /// `a.mul_add(b, c)`: a·b + c with one rounding.
    MulAdd(ValueId, ValueId, ValueId),
    /// Both sides are computed, then one is taken.
    Select {
        /// Bool.
        condition: ValueId,
        /// Where it is true.
        then: ValueId,
        /// Where it is false.
        otherwise: ValueId,
    },
    /// A conversion to the node's type.
    Cast(CastMode, ValueId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_those_of_the_operation() {
        let modes = [Overflow::Never, Overflow::Wrap, Overflow::Saturate];
        let binary = modes.into_iter().flat_map(|mode| {
            use BinaryOp::*;
            let fixed = [Div, Rem, Shr, And, Or, Xor, Min, Max, AbsDiff, HalvingAdd, RoundingHalvingAdd, MulHigh];
            let rest = [RoundingShr, Eq, Ne, Lt, Le, Gt, Ge, Add(mode), Sub(mode), Mul(mode), Shl(mode)];
            fixed.into_iter().chain(rest).map(|op| (op.code(), format!("{op:?}"), op.to_string()))
        });
        let unary = modes.into_iter().flat_map(|mode| {
            use UnaryOp::*;
            let fixed = [Not, UnsignedAbs, Signum, Sqrt, Isqrt, CountOnes, LeadingZeros, TrailingZeros, Floor, Ceil];
            let rest = [Trunc, RoundTiesEven, IsNan, FromBits, ToBits, Neg(mode), Abs(mode)];
            let code = |op: UnaryOp| BinaryOp::CODES + op.code();
            fixed.into_iter().chain(rest).map(move |op| (code(op), format!("{op:?}"), op.to_string()))
        });
        let mut names = std::collections::BTreeMap::new();
        for (code, spelled, name) in binary.chain(unary) {
            let expected = match spelled.trim_end_matches(')').split_once('(') {
                Some((op, "Wrap")) => format!("Wrapping{op}"),
                Some((op, "Saturate")) => format!("Saturating{op}"),
                Some((op, _)) => op.to_owned(),
                None => spelled,
            };
            assert_eq!(name, expected);
            assert!(names.insert(code, name.clone()).is_none_or(|other| other == name), "{code}");
        }
        assert_eq!(names.len(), 19 + 4 * 3 + 15 + 2 * 3);
        assert!(names.keys().all(|&code| code < BinaryOp::CODES + UnaryOp::CODES));
    }
}
