//! Numbers that stand for types and borders, and the version of the interface.

use windrow::{Border, ElementType, Scalar, tensor::DType};

use crate::status::Failure;

/// The greatest number of dimensions of a tensor.
pub const WINDROW_MAX_RANK: usize = 6;

/// The version of this header: a program compares it with `windrow_abi_version()`.
///
/// It changes when a program that was compiled before would not run with the library any more.
pub const WINDROW_ABI_VERSION: u32 = 1;

const _: () = assert!(WINDROW_MAX_RANK == windrow::tensor::MAX_DIMENSIONS);

/// Returns the version of the interface that the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_abi_version() -> u32 {
    WINDROW_ABI_VERSION
}

/// The type of a number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WindrowType {
    /// No type: an output that is left out, or whatever type the operator has.
    None = 0,
    /// Unsigned 8 bits.
    U8 = 1,
    /// Signed 8 bits.
    I8 = 2,
    /// Unsigned 16 bits.
    U16 = 3,
    /// Signed 16 bits.
    I16 = 4,
    /// Unsigned 32 bits.
    U32 = 5,
    /// Signed 32 bits.
    I32 = 6,
    /// Unsigned 64 bits.
    U64 = 7,
    /// Signed 64 bits.
    I64 = 8,
    /// IEEE 754 binary16.
    F16 = 9,
    /// The upper half of a binary32. Tensors may hold it; no operator reads it.
    BF16 = 10,
    /// IEEE 754 binary32.
    F32 = 11,
    /// IEEE 754 binary64. Tensors may hold it; no operator reads it.
    F64 = 12,
    /// A byte that is 0 or 1. Tensors may hold it; no operator reads it.
    Bool = 13,
}

/// What reads outside an image find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WindrowBorderMode {
    /// Nothing: elements that need them are not computed.
    Undefined = 0,
    /// The value of the border.
    Constant = 1,
    /// The nearest edge element.
    Replicate = 2,
    /// The mirrored image, its edge repeated.
    Reflect = 3,
    /// The mirrored image, its edge once.
    Reflect101 = 4,
    /// The image's opposite side.
    Wrap = 5,
}

/// Returns the number of bytes of a number of a `WindrowType`; 0 where there is no such type.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_type_size(element: u32) -> usize {
    dtype(element).map_or(0, DType::size)
}

/// The type with this number.
pub fn dtype(element: u32) -> Result<DType, Failure> {
    let index = (element as usize).checked_sub(1);
    let found = index.and_then(|index| DType::ALL.get(index).copied());
    found.ok_or_else(|| Failure::number(format!("{element} is no WindrowType")))
}

/// The type with this number, where kernels compute with it.
pub fn element(number: u32) -> Result<ElementType, Failure> {
    let dtype = dtype(number)?;
    let found = ElementType::ALL.into_iter().find(|&element| DType::from(element) == dtype);
    found.ok_or_else(|| Failure::number(format!("kernels have no values of {}", dtype.name())))
}

/// The number of a type.
pub fn number(dtype: impl Into<DType>) -> u32 {
    let dtype = dtype.into();
    DType::ALL.iter().position(|&known| known == dtype).map_or(0, |index| index as u32 + 1)
}

/// The border of this mode, with a value if it is a constant.
pub fn border(mode: u32, value: impl FnOnce() -> Result<Scalar, Failure>) -> Result<Border, Failure> {
    match mode {
        0 => Ok(Border::Undefined),
        1 => Ok(Border::Constant(value()?)),
        2 => Ok(Border::Replicate),
        3 => Ok(Border::Reflect),
        4 => Ok(Border::Reflect101),
        5 => Ok(Border::Wrap),
        _ => Err(Failure::number(format!("{mode} is no WindrowBorderMode"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow::BorderMode;

    #[test]
    fn numbers_are_those_of_the_header() {
        let named = [
            (WindrowType::U8, DType::U8),
            (WindrowType::I8, DType::I8),
            (WindrowType::U16, DType::U16),
            (WindrowType::I16, DType::I16),
            (WindrowType::U32, DType::U32),
            (WindrowType::I32, DType::I32),
            (WindrowType::U64, DType::U64),
            (WindrowType::I64, DType::I64),
            (WindrowType::F16, DType::F16),
            (WindrowType::BF16, DType::BF16),
            (WindrowType::F32, DType::F32),
            (WindrowType::F64, DType::F64),
            (WindrowType::Bool, DType::Bool),
        ];
        assert_eq!(named.len(), DType::ALL.len());
        for (name, expected) in named {
            assert_eq!((dtype(name as u32).unwrap(), number(expected)), (expected, name as u32));
            assert_eq!(windrow_type_size(name as u32), expected.size());
        }
        for none in [0, 14, u32::MAX] {
            assert!(dtype(none).is_err());
            assert_eq!(windrow_type_size(none), 0);
        }
        assert!(element(WindrowType::Bool as u32).is_err());
    }

    #[test]
    fn borders_are_those_of_the_header() {
        let named = [
            (WindrowBorderMode::Undefined, BorderMode::Undefined),
            (WindrowBorderMode::Constant, BorderMode::Constant),
            (WindrowBorderMode::Replicate, BorderMode::Replicate),
            (WindrowBorderMode::Reflect, BorderMode::Reflect),
            (WindrowBorderMode::Reflect101, BorderMode::Reflect101),
            (WindrowBorderMode::Wrap, BorderMode::Wrap),
        ];
        assert_eq!(named.len(), BorderMode::ALL.len());
        for (name, mode) in named {
            assert_eq!(border(name as u32, || Ok(Scalar::U8(7))).unwrap().mode(), mode);
        }
        assert!(border(6, || Ok(Scalar::U8(7))).is_err());
    }
}
