//! The rows in which AVX-512 differs from x86's other tiers, in the columns of their table.

use crate::x86::table::{COLUMNS, Row, split_name};
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, Type, UnaryOp};

/// Operations on one value: an empty column beside `MISSING` is that of the other tiers.
#[rustfmt::skip]
pub const UNARY: &[Row<UnaryOp>] = &[
    //                                 u8  i8  u16 i16 u32 i32 u64 i64          f32 f64
    Row { op: UnaryOp::Abs(Never),  intrinsics: ["", "", "", "", "", "", "", "abs_epi64", "", ""] },
    Row { op: UnaryOp::UnsignedAbs, intrinsics: ["", "", "", "", "", "", "", "abs_epi64", "", ""] },
    // A rounding with the direction as a constant.
    Row { op: UnaryOp::Floor,       intrinsics: ["", "", "", "", "", "", "", "", MISSING, MISSING] },
    Row { op: UnaryOp::Ceil,        intrinsics: ["", "", "", "", "", "", "", "", MISSING, MISSING] },
];

/// What the other tiers have, and AVX-512 lacks.
pub const MISSING: &str = "-";

/// Operations on two values that the other tiers have no instruction for.
#[rustfmt::skip]
pub const BINARY: &[Row<BinaryOp>] = &[
    //                                 u8  i8  u16 i16 u32 i32 u64          i64          f32 f64
    Row { op: BinaryOp::Min, intrinsics: ["", "", "", "", "", "", "min_epu64", "min_epi64", "", ""] },
    Row { op: BinaryOp::Max, intrinsics: ["", "", "", "", "", "", "max_epu64", "max_epi64", "", ""] },
];

/// The instruction of an operation on one value; `known` is that of the other tiers.
pub fn of_one(op: UnaryOp, ty: Type, known: Option<&'static str>) -> Option<&'static str> {
    let op = if op.overflow() == Some(Wrap) { op.with(Never) } else { op };
    match in_rows(UNARY, |row| row.op == op, ty) {
        None => known,
        Some(MISSING) => None,
        own => own,
    }
}

/// That of an operation on two values, as a stem and how the lanes are called.
pub fn of_two(op: BinaryOp, ty: Type) -> Option<(&'static str, &'static str)> {
    in_rows(BINARY, |row| row.op == op, ty).map(split_name)
}

fn in_rows<Op>(rows: &[Row<Op>], is_own: impl Fn(&Row<Op>) -> bool, ty: Type) -> Option<&'static str> {
    let column = COLUMNS.iter().position(|&own| own == ty)?;
    let row = rows.iter().find(|row| is_own(row))?;
    Some(row.intrinsics[column]).filter(|name| !name.is_empty())
}
