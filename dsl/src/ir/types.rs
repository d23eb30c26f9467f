//! The element types as data: a kind and a width, and one row of names for each.

use std::fmt;

/// How a type reads its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A truth value; in vector code a mask as wide as the operands it came from.
    Bool,
    /// An integer without negative values.
    Unsigned,
    /// An integer in two's complement.
    Signed,
    /// A float of IEEE 754.
    Float,
    /// A float with the exponent of binary32 and the upper half of its bits.
    Brain,
}

/// A type of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    bits: u8,
    kind: Kind,
}

/// The names of a type.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// In Rust.
    pub rust: &'static str,
    /// As a variant of an enum, such as the runtime's `ElementType`.
    pub variant: &'static str,
    /// In OpenCL C.
    pub opencl: &'static str,
    /// At the end of NEON's intrinsics.
    pub neon: &'static str,
}

/// Declares the types, one row each.
macro_rules! types {
    ($($variant:ident $kind:ident $bits:literal $rust:literal $opencl:literal $neon:literal $doc:literal;)*) => {
        impl Type {
            $(#[doc = $doc] pub const $variant: Type = Type { bits: $bits, kind: Kind::$kind };)*

            /// Every type, the narrow before the wide.
            pub const ALL: &'static [Type] = &[$(Type::$variant),*];

            const fn row(self) -> Option<Names> {
                match self {
                    $(Type { bits: $bits, kind: Kind::$kind } => Some(Names {
                        rust: $rust, variant: stringify!($variant), opencl: $opencl, neon: $neon,
                    }),)*
                    _ => None,
                }
            }
        }
    };
}

types! {
    BOOL Bool      1 "bool" "bool"   "u8"   "A truth value.";
    U8   Unsigned  8 "u8"   "uchar"  "u8"   "Unsigned 8 bits.";
    I8   Signed    8 "i8"   "char"   "s8"   "Signed 8 bits.";
    U16  Unsigned 16 "u16"  "ushort" "u16"  "Unsigned 16 bits.";
    I16  Signed   16 "i16"  "short"  "s16"  "Signed 16 bits.";
    F16  Float    16 "f16"  "ushort" "f16"  "IEEE 754 binary16.";
    BF16 Brain    16 "bf16" "ushort" "bf16" "The upper half of a binary32.";
    U32  Unsigned 32 "u32"  "uint"   "u32"  "Unsigned 32 bits; also what a run-time `usize` (an index with bounds) becomes.";
    I32  Signed   32 "i32"  "int"    "s32"  "Signed 32 bits.";
    F32  Float    32 "f32"  "float"  "f32"  "IEEE 754 binary32.";
    U64  Unsigned 64 "u64"  "ulong"  "u64"  "Unsigned 64 bits.";
    I64  Signed   64 "i64"  "long"   "s64"  "Signed 64 bits.";
    F64  Float    64 "f64"  "double" "f64"  "IEEE 754 binary64.";
}

/// The rows by [`Type::code`].
static ROWS: [Option<Names>; Type::CODES] = {
    let (mut rows, mut place) = ([None; Type::CODES], 0);
    while place < Type::ALL.len() {
        let ty = Type::ALL[place];
        rows[ty.code()] = ty.row();
        place += 1;
    }
    rows
};

impl Type {
    /// How many numbers [`Type::code`] gives.
    pub const CODES: usize = 40;

    /// How it reads its bits.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// The width in bits.
    pub const fn bits(self) -> u32 {
        self.bits as u32
    }

    /// The type of a kind and a width, where there is one.
    pub fn of(kind: Kind, bits: u32) -> Option<Self> {
        let ty = Self { bits: u8::try_from(bits).ok()?, kind };
        ty.row().map(|_| ty)
    }

    /// A number of its own, for tables and keys.
    pub const fn code(self) -> usize {
        self.kind as usize * 8 + self.bits.trailing_zeros() as usize
    }

    /// Its names.
    fn names(self) -> Names {
        // Every type has a row: there is no other way to make one than by these constants, or by changing the kind of integers.
        ROWS[self.code()].unwrap_or(Names { rust: "", variant: "", opencl: "", neon: "" })
    }

    /// The Rust name.
    pub fn name(self) -> &'static str {
        self.names().rust
    }

    /// The name in OpenCL C.
    pub fn opencl(self) -> &'static str {
        self.names().opencl
    }

    /// The name at the end of NEON's intrinsics.
    pub fn neon(self) -> &'static str {
        self.names().neon
    }

    /// The type of this Rust name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ty| ty.name() == name)
    }

    /// Whether it is a type of integers.
    pub const fn is_integer(self) -> bool {
        matches!(self.kind, Kind::Unsigned | Kind::Signed)
    }

    /// Whether it is a type of floats.
    pub const fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Brain)
    }

    /// Whether it has negative integers.
    pub const fn is_signed(self) -> bool {
        matches!(self.kind, Kind::Signed)
    }

    /// The unsigned type of the same width; a type without negative integers itself.
    pub const fn unsigned(self) -> Self {
        if self.is_signed() { Self { kind: Kind::Unsigned, ..self } } else { self }
    }

    /// The least and the greatest value of an integer type; truth values count as 0 and 1, and floats lie beyond all
    /// integer types.
    pub const fn limits(self) -> (i128, i128) {
        let bits = self.bits;
        match self.kind {
            Kind::Bool => (0, 1),
            Kind::Unsigned => (0, (1 << bits) - 1),
            Kind::Signed => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Kind::Float | Kind::Brain => (-(1 << 100), 1 << 100),
        }
    }

    /// Whether every value is a value of another type, both of integers.
    pub const fn widens_to(self, to: Self) -> bool {
        let ((from_lo, from_hi), (to_lo, to_hi)) = (self.limits(), to.limits());
        self.is_integer() && to.is_integer() && to_lo <= from_lo && from_hi <= to_hi
    }

    /// Whether it is a float of 16 bits. Memory holds halves, and nothing computes with them: they are converted to f32 and back.
    pub const fn is_half(self) -> bool {
        self.is_float() && self.bits == 16
    }

    /// The type of the values that stand for its elements in a body: the bits of a half as a u16, any other type itself.
    pub const fn value_type(self) -> Self {
        if self.is_half() { Self::U16 } else { self }
    }

    /// The widths of integers.
    pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];

    /// The least width of a type that holds both bounds; 64 where none does.
    pub fn least_width(lo: i128, hi: i128) -> u32 {
        Self::WIDTHS.into_iter().find(|&width| Self::of_width(width, lo, hi).is_some()).unwrap_or(64)
    }

    /// The narrowest type of `width` bits that holds both bounds: unsigned bytes and signed wider integers before the
    /// others, as more machines compare and multiply those.
    pub fn of_width(width: u32, lo: i128, hi: i128) -> Option<Self> {
        let kinds = if width == 8 { [Kind::Unsigned, Kind::Signed] } else { [Kind::Signed, Kind::Unsigned] };
        let candidates = kinds.into_iter().filter_map(|kind| Self::of(kind, width));
        candidates.into_iter().find(|ty| ty.limits().0 <= lo && hi <= ty.limits().1)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.names().variant)
    }
}

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Types(u64);

impl Types {
    /// No type.
    pub const NONE: Self = Self(0);
    /// Truth values.
    pub const BOOL: Self = Self::of(&[Type::BOOL]);
    /// Unsigned integers of up to 32 bits.
    pub const UNSIGNED: Self = Self::of(&[Type::U8, Type::U16, Type::U32]);
    /// Signed integers of up to 32 bits.
    pub const SIGNED: Self = Self::of(&[Type::I8, Type::I16, Type::I32]);
    /// Integers of up to 32 bits.
    pub const INTEGERS: Self = Self::UNSIGNED.and(Self::SIGNED);
    /// Floats that kernels compute with.
    pub const FLOATS: Self = Self::of(&[Type::F32]);
    /// Floats that memory holds, and kernels convert.
    pub const HALVES: Self = Self::of(&[Type::F16, Type::BF16]);
    /// Integers of up to 32 bits, and floats.
    pub const NUMBERS: Self = Self::INTEGERS.and(Self::FLOATS);

    /// The set of these.
    pub const fn of(members: &[Type]) -> Self {
        let (mut set, mut place) = (0, 0);
        while place < members.len() {
            set |= 1 << members[place].code();
            place += 1;
        }
        Self(set)
    }

    /// Those of either set.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a type is one of them.
    pub const fn contains(self, ty: Type) -> bool {
        self.0 >> ty.code() & 1 == 1
    }

    /// The types.
    pub fn members(self) -> impl Iterator<Item = Type> {
        Type::ALL.iter().copied().filter(move |&ty| self.contains(ty))
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.members()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_row_and_a_code_of_its_own() {
        let mut codes = std::collections::BTreeSet::new();
        for &ty in Type::ALL {
            assert!(codes.insert(ty.code()) && ty.code() < Type::CODES);
            assert_eq!((Type::named(ty.name()), Type::of(ty.kind(), ty.bits())), (Some(ty), Some(ty)));
            assert_eq!(format!("{ty:?}").to_lowercase(), ty.name());
        }
        assert_eq!((Type::of(Kind::Brain, 32), Type::of(Kind::Bool, 8)), (None, None));
        assert!(Type::ALL.is_sorted_by_key(|ty| ty.bits()));
    }

    #[test]
    fn limits_are_rusts() {
        assert_eq!(Type::I8.limits(), (i8::MIN.into(), i8::MAX.into()));
        assert_eq!(Type::U32.limits(), (0, u32::MAX.into()));
        assert_eq!(Type::I64.limits(), (i64::MIN.into(), i64::MAX.into()));
        assert_eq!(Type::U64.limits(), (0, u64::MAX.into()));
        assert!(Type::U32.widens_to(Type::I64) && !Type::U64.widens_to(Type::I64) && !Type::I8.widens_to(Type::F32));
    }

    #[test]
    fn sets_have_their_members() {
        assert_eq!(Types::SIGNED.members().collect::<Vec<_>>(), [Type::I8, Type::I16, Type::I32]);
        assert!(Types::NUMBERS.contains(Type::F32) && !Types::NUMBERS.contains(Type::F64));
        assert_eq!((Types::NONE.members().count(), Types::BOOL.and(Types::NONE)), (0, Types::of(&[Type::BOOL])));
    }
}
