//! The element types, and what is known of them.

/// The element types of the language; `Bool` occurs in bodies only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A truth value; in vector code a mask as wide as the operands it came from.
    Bool,
    /// Unsigned 8 bits.
    U8,
    /// Signed 8 bits.
    I8,
    /// Unsigned 16 bits.
    U16,
    /// Signed 16 bits.
    I16,
    /// Unsigned 32 bits; also what a run-time `usize` (an index with bounds) becomes.
    U32,
    /// Signed 32 bits.
    I32,
    /// IEEE 754 binary32.
    F32,
}

impl Type {
    /// The Rust name.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::U8 => "u8",
            Type::I8 => "i8",
            Type::U16 => "u16",
            Type::I16 => "i16",
            Type::U32 => "u32",
            Type::I32 => "i32",
            Type::F32 => "f32",
        }
    }

    /// The width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Type::Bool => 1,
            Type::U8 | Type::I8 => 8,
            Type::U16 | Type::I16 => 16,
            Type::U32 | Type::I32 | Type::F32 => 32,
        }
    }

    /// Whether it is a type of integers.
    pub fn is_integer(self) -> bool {
        !matches!(self, Type::Bool | Type::F32)
    }

    /// Whether it is a type of floats.
    pub fn is_float(self) -> bool {
        self == Type::F32
    }

    /// Whether it has negative integers.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32)
    }

    /// The unsigned type of the same width; a type without negative integers itself.
    pub fn unsigned(self) -> Self {
        match self {
            Type::I8 => Type::U8,
            Type::I16 => Type::U16,
            Type::I32 => Type::U32,
            Type::Bool | Type::U8 | Type::U16 | Type::U32 | Type::F32 => self,
        }
    }

    /// The least and the greatest value of an integer type; truth values count as 0 and 1.
    pub fn limits(self) -> (i64, i64) {
        match self {
            Type::Bool => (0, 1),
            Type::U8 => (0, u8::MAX as i64),
            Type::I8 => (i8::MIN as i64, i8::MAX as i64),
            Type::U16 => (0, u16::MAX as i64),
            Type::I16 => (i16::MIN as i64, i16::MAX as i64),
            Type::U32 => (0, u32::MAX as i64),
            Type::I32 => (i32::MIN as i64, i32::MAX as i64),
            Type::F32 => (i64::MIN, i64::MAX),
        }
    }

    /// Whether every value is a value of another type, both of integers.
    pub fn widens_to(self, to: Self) -> bool {
        let ((from_lo, from_hi), (to_lo, to_hi)) = (self.limits(), to.limits());
        self.is_integer() && to.is_integer() && to_lo <= from_lo && from_hi <= to_hi
    }

    /// The narrowest type of `width` bits that holds both bounds: unsigned bytes and signed wider integers before the
    /// others, as more machines compare and multiply those.
    pub fn of_width(width: u32, lo: i64, hi: i64) -> Option<Self> {
        let candidates = match width {
            8 => [Type::U8, Type::I8],
            16 => [Type::I16, Type::U16],
            _ => [Type::I32, Type::U32],
        };
        candidates.into_iter().find(|ty| ty.limits().0 <= lo && hi <= ty.limits().1)
    }
}
