//! The types of numbers that memory may hold: an open set, of which kernels take some.

use crate::{element::ElementType, text::named};

/// The type of a number in memory.
///
/// A [`Layout`](crate::layout::Layout) may be of any of them. [`ElementType`] has those that kernels compute with; an image of another
/// is refused by name.
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
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// A byte that is 0 or 1.
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
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::Bool,
    ];

    /// Returns the name, as Rust has it.
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
            DType::BF16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::Bool => "bool",
        }
    }

    /// Returns the number of bytes of a number, a power of two, which is its alignment too.
    pub const fn size(self) -> usize {
        match self {
            DType::U8 | DType::I8 | DType::Bool => 1,
            DType::U16 | DType::I16 | DType::F16 | DType::BF16 => 2,
            DType::U32 | DType::I32 | DType::F32 => 4,
            DType::U64 | DType::I64 | DType::F64 => 8,
        }
    }

    /// Returns the same type among those that kernels compute with, if it is one of them.
    pub const fn element(self) -> Option<ElementType> {
        match self {
            DType::U8 => Some(ElementType::U8),
            DType::I8 => Some(ElementType::I8),
            DType::U16 => Some(ElementType::U16),
            DType::I16 => Some(ElementType::I16),
            DType::U32 => Some(ElementType::U32),
            DType::I32 => Some(ElementType::I32),
            DType::F32 => Some(ElementType::F32),
            DType::U64 => Some(ElementType::U64),
            DType::I64 => Some(ElementType::I64),
            DType::F16 => Some(ElementType::F16),
            DType::BF16 => Some(ElementType::BF16),
            DType::F64 => Some(ElementType::F64),
            DType::Bool => None,
        }
    }
}

impl ElementType {
    /// Returns the same type among all that memory may hold.
    #[inline]
    pub const fn dtype(self) -> DType {
        match self {
            ElementType::U8 => DType::U8,
            ElementType::I8 => DType::I8,
            ElementType::U16 => DType::U16,
            ElementType::I16 => DType::I16,
            ElementType::U32 => DType::U32,
            ElementType::I32 => DType::I32,
            ElementType::F32 => DType::F32,
            ElementType::U64 => DType::U64,
            ElementType::I64 => DType::I64,
            ElementType::F64 => DType::F64,
            ElementType::F16 => DType::F16,
            ElementType::BF16 => DType::BF16,
        }
    }
}

impl From<ElementType> for DType {
    #[inline]
    fn from(element: ElementType) -> DType {
        element.dtype()
    }
}

impl PartialEq<ElementType> for DType {
    #[inline]
    fn eq(&self, element: &ElementType) -> bool {
        *self == element.dtype()
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
            assert!(DType::ALL.iter().skip(place + 1).all(|other| other.name() != dtype.name()));
            // The number at the end of the name is that of its bits.
            let digits = dtype.name().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            assert!(digits.parse() == Ok(8 * dtype.size()) || dtype == DType::Bool);
        }
    }

    #[test]
    fn kernels_take_some_of_them() {
        for element in ElementType::ALL {
            assert_eq!(element.dtype().element(), Some(element));
            assert_eq!((element.dtype().name(), element.dtype().size()), (element.name(), element.size()));
        }
        assert_eq!(DType::ALL.iter().filter(|dtype| dtype.element().is_some()).count(), ElementType::ALL.len());
    }
}
