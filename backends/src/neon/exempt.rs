//! The operations that NEON has no vector form for. Division by an element's own value is not among them: it is a division
//! of floats, exact after truncation.

use crate::vector::exempt::{Builtin, Exemption};
use windrow_dsl::ir::Type;

/// The table.
pub const EXEMPTIONS: &[Exemption] = &[
    Exemption {
        builtin: Builtin::Table { above: 256 },
        types: &[Type::U8, Type::I8],
        reason: "table instructions reach 256 entries",
    },
    Exemption {
        builtin: Builtin::Table { above: 0 },
        types: &[Type::U16, Type::I16, Type::U32, Type::I32, Type::F32, Type::U64, Type::I64, Type::F64],
        reason: "NEON cannot gather entries wider than a byte",
    },
    Exemption {
        builtin: Builtin::Gather,
        types: &[Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32],
        reason: "NEON cannot gather",
    },
];
