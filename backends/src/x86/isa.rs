//! The instruction sets of x86-64, and what their names have in common.

use crate::vector::Target;

/// A tier of x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum X86 {
    /// 16 bytes, two operands; the floor.
    Sse41,
    /// 32 bytes, with FMA.
    Avx2,
    /// AVX2's vectors and instructions on a processor with AVX-512: twice the registers, and dot products of bytes.
    Vnni,
    /// 64 bytes, comparisons to predicates.
    Avx512,
}

impl X86 {
    pub(super) fn prefix(self) -> &'static str {
        match self {
            X86::Sse41 => "_mm",
            X86::Avx2 | X86::Vnni => "_mm256",
            X86::Avx512 => "_mm512",
        }
    }

    pub(super) fn bits(self) -> u32 {
        self.machine().bits()
    }

    /// A vector of integers read as floats, as text.
    pub(super) fn as_floats(self, vector: String) -> String {
        format!("{}_castsi{}_ps({vector})", self.prefix(), self.bits())
    }
}
