//! The types of OpenCL C.

use windrow_dsl::ir::{Kind, Type};

/// The OpenCL C type of some values of one type: a scalar, or a vector of 2, 4, 8 or 16. How it is spelled, `floats` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CType {
    /// The element type. `Bool` is a scalar truth value; a vector of truth values is a mask of a signed type.
    pub ty: Type,
    /// 1 for a scalar.
    pub lanes: u32,
}

impl CType {
    /// The same number of values of another type.
    pub fn of(self, ty: Type) -> Self {
        Self { ty, lanes: self.lanes }
    }

    /// One value of the type.
    pub fn scalar(ty: Type) -> Self {
        Self { ty, lanes: 1 }
    }

    /// The unsigned integers of the same width.
    pub fn unsigned(self) -> Self {
        self.of(self.ty.unsigned())
    }

    /// `u8`, `u8x4`: how names of helpers end.
    pub fn suffix(self) -> String {
        let name = self.ty.name();
        if self.lanes == 1 { name.to_owned() } else { format!("{name}x{}", self.lanes) }
    }
}

/// The number of lanes as a part of a name: nothing for one.
pub fn digits(lanes: u32) -> &'static str {
    match lanes {
        16 => "16",
        8 => "8",
        4 => "4",
        2 => "2",
        _ => "",
    }
}

/// Bits of a value; of a truth value as a mask of bytes, 8.
pub fn bits(ty: Type) -> u32 {
    ty.bits().max(8)
}

/// Bytes of an element in memory.
pub fn bytes(ty: Type) -> u32 {
    bits(ty) / 8
}

/// The signed integer of the same width: the type of a mask over values of `ty`.
pub fn signed(ty: Type) -> Type {
    Type::of(Kind::Signed, bits(ty)).unwrap_or(Type::I32)
}
