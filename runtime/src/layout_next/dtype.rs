//! The types of numbers that memory may hold: an open set, of which kernels take some.

use crate::text::named;

/// The type of a number in memory.
///
/// Kernels refuse those that they don't take, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DType {
    /// Unsigned 8 bits.
    U8,
    /// Signed 8 bits.
    I8,
    /// Unsigned 16 bits.
    U16,
    /// Signed 16 bits.
    I16,
    /// Unsigned 32 bits.
    U32,
    /// Signed 32 bits.
    I32,
    /// Unsigned 64 bits.
    U64,
    /// Signed 64 bits.
    I64,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32: 8 bits of exponent, 7 of fraction.
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// A byte that is 0 or 1.
    Bool,
}

/// What the bits of a number mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Integers from 0 on.
    Unsigned,
    /// Integers in two's complement.
    Signed,
    /// IEEE 754 floats.
    Float,
    /// Floats with the exponent of a binary32.
    Bfloat,
    /// 0 or 1.
    Bool,
}

impl DType {
    /// Every type.
    pub const ALL: [DType; 13] = [
        DType::U8,
        DType::I8,
        DType::U16,
        DType::I16,
        DType::U32,
        DType::I32,
        DType::U64,
        DType::I64,
        DType::F16,
        DType::Bf16,
        DType::F32,
        DType::F64,
        DType::Bool,
    ];

    /// The name, as Rust has it.
    pub const fn name(self) -> &'static str {
        match self {
            DType::U8 => "u8",
            DType::I8 => "i8",
            DType::U16 => "u16",
            DType::I16 => "i16",
            DType::U32 => "u32",
            DType::I32 => "i32",
            DType::U64 => "u64",
            DType::I64 => "i64",
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::Bool => "bool",
        }
    }

    /// What its bits mean.
    pub const fn kind(self) -> Kind {
        match self {
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Kind::Unsigned,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::F16 | DType::F32 | DType::F64 => Kind::Float,
            DType::Bf16 => Kind::Bfloat,
            DType::Bool => Kind::Bool,
        }
    }

    /// Bytes of a number, a power of two.
    pub const fn size(self) -> usize {
        match self {
            DType::U8 | DType::I8 | DType::Bool => 1,
            DType::U16 | DType::I16 | DType::F16 | DType::Bf16 => 2,
            DType::U32 | DType::I32 | DType::F32 => 4,
            DType::U64 | DType::I64 | DType::F64 => 8,
        }
    }

    /// Bytes of which a number's address is a multiple: its size.
    pub const fn alignment(self) -> usize {
        self.size()
    }

    /// Bits of a number.
    pub const fn bits(self) -> u32 {
        8 * self.size() as u32
    }

    /// The least and the greatest integer; `None` for floats, and for `u64`, whose greatest an `i64` doesn't hold.
    pub const fn integers(self) -> Option<(i64, i64)> {
        match self {
            DType::U8 => Some((0, u8::MAX as i64)),
            DType::I8 => Some((i8::MIN as i64, i8::MAX as i64)),
            DType::U16 => Some((0, u16::MAX as i64)),
            DType::I16 => Some((i16::MIN as i64, i16::MAX as i64)),
            DType::U32 => Some((0, u32::MAX as i64)),
            DType::I32 => Some((i32::MIN as i64, i32::MAX as i64)),
            DType::I64 => Some((i64::MIN, i64::MAX)),
            DType::Bool => Some((0, 1)),
            DType::U64 | DType::F16 | DType::Bf16 | DType::F32 | DType::F64 => None,
        }
    }
}

named! { DType, "type of numbers", "u8"; }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_what_their_names_say() {
        for (place, dtype) in DType::ALL.into_iter().enumerate() {
            assert_eq!(dtype.name().parse(), Ok(dtype));
            assert_eq!(dtype.bits() as usize, 8 * dtype.size());
            assert!(dtype.size().is_power_of_two() && dtype.alignment() == dtype.size());
            assert!(DType::ALL.iter().skip(place + 1).all(|other| other.name() != dtype.name()));
            // The number at the end of the name is that of its bits.
            let digits = dtype.name().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            assert!(digits.parse().is_ok_and(|bits: u32| bits == dtype.bits()) || dtype == DType::Bool);
            let initial = match dtype.kind() {
                Kind::Unsigned => "u",
                Kind::Signed => "i",
                Kind::Float => "f",
                Kind::Bfloat => "bf",
                Kind::Bool => "bool",
            };
            assert!(dtype.name().starts_with(initial));
        }
    }
}
