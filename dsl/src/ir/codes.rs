//! The operations as numbers, for tables and keys, as names, for people, and in another mode of overflow.

use super::{BinaryOp, Overflow, UnaryOp};
use std::fmt;

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
            FromHalf => 17,
            ToHalf => 18,
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
}

/// The names of the operations on one value, in the order of their codes.
const UNARY_NAMES: [&str; 19] = [
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
    "FromHalf",
    "ToHalf",
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
            let rest = [Trunc, RoundTiesEven, IsNan, FromBits, ToBits, FromHalf, ToHalf, Neg(mode), Abs(mode)];
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
        assert_eq!(names.len(), 19 + 4 * 3 + 17 + 2 * 3);
        assert!(names.keys().all(|&code| code < BinaryOp::CODES + UnaryOp::CODES));
    }
}
