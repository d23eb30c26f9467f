//! What a lane of a vector holds: the types of values, but for truth values.

use std::fmt;
use windrow_dsl::ir::{Kind, Type};

/// The type of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane(Type);

impl Lane {
    pub const U8: Self = Self(Type::U8);
    pub const I8: Self = Self(Type::I8);
    pub const U16: Self = Self(Type::U16);
    pub const I16: Self = Self(Type::I16);
    pub const U32: Self = Self(Type::U32);
    pub const I32: Self = Self(Type::I32);
    /// What instructions that convert halves read and give; what is computed with is none.
    pub const F16: Self = Self(Type::F16);
    pub const F32: Self = Self(Type::F32);
    pub const U64: Self = Self(Type::U64);
    pub const I64: Self = Self(Type::I64);
    pub const F64: Self = Self(Type::F64);
    /// That of a predicate, whose lanes are bits; what is computed with is none.
    pub const PREDICATE: Self = Self(Type::BOOL);

    /// The lane of an element type; a truth value is a mask, which the caller gives a width.
    pub fn of(ty: Type) -> Self {
        if ty == Type::BOOL { Self::U8 } else { Self(ty) }
    }

    /// The type of its values.
    pub fn ty(self) -> Type {
        self.0
    }

    /// The unsigned lane of a width: that of a mask.
    pub fn mask(width: u32) -> Self {
        Type::of(Kind::Unsigned, width).map_or(Self::U64, Self)
    }

    /// The Rust type of its scalars.
    pub fn scalar(self) -> &'static str {
        self.0.name()
    }

    /// Its width.
    pub fn bits(self) -> u32 {
        self.0.bits()
    }

    /// The unsigned lane of the same width.
    pub fn unsigned(self) -> Self {
        Self::mask(self.bits())
    }

    /// The signed lane of the same width.
    pub fn signed(self) -> Self {
        Type::of(Kind::Signed, self.bits()).map_or(Self::I64, Self)
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        self.0.is_signed()
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        self.0.is_float()
    }

    /// The integer lane of twice the width and the same sign.
    pub fn wide(self) -> Self {
        let wide = Self::mask(self.bits() * 2);
        if self.is_signed() { wide.signed() } else { wide }
    }
}

impl fmt::Debug for Lane {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
