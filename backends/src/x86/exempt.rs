//! The operations that the x86 tiers have no vector form for.

use crate::vector::exempt::{Builtin, Exemption};
use windrow_dsl::ir::Type;

/// Those of SSE4.1.
pub const SSE41: &[Exemption] = &[
    LONG_TABLE,
    Exemption {
        builtin: Builtin::Table { above: 0 },
        types: &[Type::U16, Type::I16, Type::U32, Type::I32, Type::F32, Type::U64, Type::I64, Type::F64],
        reason: "SSE4.1 cannot gather",
    },
    Exemption {
        builtin: Builtin::Gather,
        types: &[Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32],
        reason: "SSE4.1 cannot gather",
    },
    Exemption { builtin: Builtin::MulAdd, types: &[Type::F32], reason: "SSE4.1 has no fused multiplication" },
];

/// Those of AVX2.
pub const AVX2: &[Exemption] = &[
    LONG_TABLE,
    Exemption {
        builtin: Builtin::Table { above: 0 },
        types: &[Type::U16, Type::I16, Type::U64, Type::I64, Type::F64],
        reason: "AVX2 gathers entries of 32 bits",
    },
    Exemption { builtin: Builtin::Gather, types: NARROW, reason: "AVX2 gathers elements of 32 bits" },
];

/// Those of AVX-512.
pub const AVX512: &[Exemption] = &[
    LONG_TABLE,
    Exemption {
        builtin: Builtin::Table { above: 0 },
        types: &[Type::U16, Type::I16, Type::U64, Type::I64, Type::F64],
        reason: "AVX-512 gathers entries of 32 bits here",
    },
    Exemption { builtin: Builtin::Gather, types: NARROW, reason: "AVX-512 gathers elements of 32 bits" },
];

/// Elements that no x86 tier gathers.
const NARROW: &[Type] = &[Type::U8, Type::I8, Type::U16, Type::I16];

const LONG_TABLE: Exemption = Exemption {
    builtin: Builtin::Table { above: 256 },
    types: &[Type::U8, Type::I8],
    reason: "shuffles look bytes up in up to 256 entries",
};
