//! What a lane of a vector holds: the element types, and the wider ones that instructions give.

use windrow_dsl::ir::Type;

/// The type of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    U64,
    I64,
    F64,
}

impl Lane {
    /// The lane of an element type; a truth value is a mask, which the caller gives a width.
    pub fn of(ty: Type) -> Self {
        match ty {
            Type::Bool | Type::U8 => Lane::U8,
            Type::I8 => Lane::I8,
            Type::U16 => Lane::U16,
            Type::I16 => Lane::I16,
            Type::U32 => Lane::U32,
            Type::I32 => Lane::I32,
            Type::F32 => Lane::F32,
        }
    }

    /// The unsigned lane of a width: that of a mask.
    pub fn mask(width: u32) -> Self {
        match width {
            8 => Lane::U8,
            16 => Lane::U16,
            32 => Lane::U32,
            _ => Lane::U64,
        }
    }

    /// The Rust type of its scalars.
    pub fn scalar(self) -> &'static str {
        match self {
            Lane::U8 => "u8",
            Lane::I8 => "i8",
            Lane::U16 => "u16",
            Lane::I16 => "i16",
            Lane::U32 => "u32",
            Lane::I32 => "i32",
            Lane::F32 => "f32",
            Lane::U64 => "u64",
            Lane::I64 => "i64",
            Lane::F64 => "f64",
        }
    }

    /// Its width.
    pub fn bits(self) -> u32 {
        match self {
            Lane::U8 | Lane::I8 => 8,
            Lane::U16 | Lane::I16 => 16,
            Lane::U32 | Lane::I32 | Lane::F32 => 32,
            Lane::U64 | Lane::I64 | Lane::F64 => 64,
        }
    }

    /// The unsigned lane of the same width.
    pub fn unsigned(self) -> Self {
        Self::mask(self.bits())
    }

    /// The signed lane of the same width.
    pub fn signed(self) -> Self {
        match self.bits() {
            8 => Lane::I8,
            16 => Lane::I16,
            32 => Lane::I32,
            _ => Lane::I64,
        }
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Lane::I8 | Lane::I16 | Lane::I32 | Lane::I64)
    }

    /// The integer lane of twice the width and the same sign.
    pub fn wide(self) -> Self {
        let wide = Self::mask(self.bits() * 2);
        if self.is_signed() { wide.signed() } else { wide }
    }
}
