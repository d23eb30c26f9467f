//! Which operation is which instruction: one row an operation and a set of types.
//!
//! An operation without a row for its type is first decomposed (`super::decompose`) or is a short sequence
//! (`super::sequence`). A row's intrinsic ends in the lane's suffix; `Reads::Signed` reads unsigned operands as
//! signed ones, which gives the same bits. The row of what never overflows is also that of what wraps.

use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Type, Types, UnaryOp};

/// Lanes of 64 bits, which are not multiplied and have no least.
const LONG: Types = Types::of(&[Type::U64, Type::I64]);
const DOUBLE: Types = Types::of(&[Type::F64]);
/// What is multiplied.
const SHORT: Types = Types::NUMBERS;
const ALL: Types = SHORT.and(DOUBLE);
const WIDE: Types = ALL.and(LONG);
const INTEGERS: Types = Types::INTEGERS;
const BITS: Types = INTEGERS.and(LONG);
const SIGNED: Types = Types::SIGNED;
const SIGNED_OR_FLOAT: Types = SIGNED.and(FLOAT).and(Types::of(&[Type::I64]));
const UNSIGNED: Types = Types::UNSIGNED;
const FLOAT: Types = Types::FLOATS.and(DOUBLE);

/// As which lanes a row's intrinsic reads its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// As they are.
    Same,
    /// As signed ones.
    Signed,
}

/// One operand, one instruction.
#[derive(Clone, Copy, Debug)]
pub struct UnaryRow {
    /// The operation.
    pub op: UnaryOp,
    /// The operand's types.
    pub types: Types,
    /// The intrinsic, without suffix.
    pub intrinsic: &'static str,
    /// The lanes of its name.
    pub reads: Reads,
}

/// Two operands of one type, one instruction.
#[derive(Clone, Copy, Debug)]
pub struct BinaryRow {
    /// The operation.
    pub op: BinaryOp,
    /// The operands' types.
    pub types: Types,
    /// The intrinsic, without suffix.
    pub intrinsic: &'static str,
}

const fn unary(op: UnaryOp, types: Types, intrinsic: &'static str) -> UnaryRow {
    UnaryRow { op, types, intrinsic, reads: Reads::Same }
}

const fn signed(op: UnaryOp, types: Types, intrinsic: &'static str) -> UnaryRow {
    UnaryRow { op, types, intrinsic, reads: Reads::Signed }
}

const fn binary(op: BinaryOp, types: Types, intrinsic: &'static str) -> BinaryRow {
    BinaryRow { op, types, intrinsic }
}

/// The rows of operations on one value.
#[rustfmt::skip]
pub const UNARY: &[UnaryRow] = &[
    unary (UnaryOp::Neg(Never),    SIGNED_OR_FLOAT, "vnegq"),
    signed(UnaryOp::Neg(Never),    UNSIGNED,        "vnegq"),
    unary (UnaryOp::Abs(Never),    SIGNED_OR_FLOAT, "vabsq"),
    unary (UnaryOp::UnsignedAbs,   SIGNED,          "vabsq"),
    unary (UnaryOp::Neg(Saturate), SIGNED,          "vqnegq"),
    unary (UnaryOp::Abs(Saturate), SIGNED,          "vqabsq"),
    unary (UnaryOp::Not,           INTEGERS,        "vmvnq"),
    unary (UnaryOp::LeadingZeros,  INTEGERS,        "vclzq"),
    unary (UnaryOp::Sqrt,          FLOAT,           "vsqrtq"),
    unary (UnaryOp::Floor,         FLOAT,           "vrndmq"),
    unary (UnaryOp::Ceil,          FLOAT,           "vrndpq"),
    unary (UnaryOp::Trunc,         FLOAT,           "vrndq"),
    unary (UnaryOp::RoundTiesEven, FLOAT,           "vrndnq"),
];

/// The rows of operations on two values.
#[rustfmt::skip]
pub const BINARY: &[BinaryRow] = &[
    binary(BinaryOp::Add(Never),         WIDE,     "vaddq"),
    binary(BinaryOp::Add(Saturate),      INTEGERS, "vqaddq"),
    binary(BinaryOp::HalvingAdd,         INTEGERS, "vhaddq"),
    binary(BinaryOp::RoundingHalvingAdd, INTEGERS, "vrhaddq"),
    binary(BinaryOp::Sub(Never),         WIDE,     "vsubq"),
    binary(BinaryOp::Sub(Saturate),      INTEGERS, "vqsubq"),
    binary(BinaryOp::AbsDiff,            INTEGERS, "vabdq"),
    binary(BinaryOp::Mul(Never),         ALL,      "vmulq"),
    binary(BinaryOp::Div,                FLOAT,    "vdivq"),
    binary(BinaryOp::Min,                INTEGERS, "vminq"),
    binary(BinaryOp::Max,                INTEGERS, "vmaxq"),
    binary(BinaryOp::And,                BITS,     "vandq"),
    binary(BinaryOp::Or,                 BITS,     "vorrq"),
    binary(BinaryOp::Xor,                BITS,     "veorq"),
];

/// The rows of operations on two values that lie side by side in memory: lanes by pairs, of two vectors.
#[rustfmt::skip]
pub const PAIRWISE: &[BinaryRow] = &[
    binary(BinaryOp::Add(Never),  SHORT,    "vpaddq"),
    binary(BinaryOp::Min,         INTEGERS, "vpminq"),
    binary(BinaryOp::Max,         INTEGERS, "vpmaxq"),
];

/// Comparisons: the result is a mask as wide as the operands. `!=` is the inverse of `==`.
#[rustfmt::skip]
pub const COMPARE: &[BinaryRow] = &[
    binary(BinaryOp::Eq, ALL, "vceqq"),
    binary(BinaryOp::Ne, ALL, "vceqq"),
    binary(BinaryOp::Lt, ALL, "vcltq"),
    binary(BinaryOp::Le, ALL, "vcleq"),
    binary(BinaryOp::Gt, ALL, "vcgtq"),
    binary(BinaryOp::Ge, ALL, "vcgeq"),
];

/// The row of an operation on one value.
pub fn unary_row(op: UnaryOp, ty: Type) -> Option<&'static UnaryRow> {
    let op = if op.overflow() == Some(Wrap) { op.with(Never) } else { op };
    UNARY.iter().find(|row| row.op == op && row.types.contains(ty))
}

/// The place of the row of each operation on two values of each type, plus one; 0: none.
static PLACES: [[u8; Type::CODES]; BinaryOp::CODES] = {
    let (mut places, mut place) = ([[0; Type::CODES]; BinaryOp::CODES], 0);
    while place < BINARY.len() {
        let (row, mut member) = (&BINARY[place], 0);
        while member < Type::ALL.len() {
            let ty = Type::ALL[member];
            if row.types.contains(ty) {
                places[row.op.code()][ty.code()] = place as u8 + 1;
            }
            member += 1;
        }
        place += 1;
    }
    places
};

/// The row of an operation on two values.
pub fn binary_row(op: BinaryOp, ty: Type) -> Option<&'static BinaryRow> {
    let op = if op.overflow() == Some(Wrap) { op.with(Never) } else { op };
    match PLACES[op.code()][ty.code()] {
        0 => None,
        place => Some(&BINARY[place as usize - 1]),
    }
}

/// The row of an operation on two values that lie side by side.
pub fn pairwise_row(op: BinaryOp, ty: Type) -> Option<&'static BinaryRow> {
    let op = if op.overflow() == Some(Wrap) { op.with(Never) } else { op };
    PAIRWISE.iter().find(|row| row.op == op && row.types.contains(ty))
}

/// The row of a comparison.
pub fn compare_row(op: BinaryOp) -> Option<&'static BinaryRow> {
    COMPARE.iter().find(|row| row.op == op)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_found() {
        for row in BINARY {
            let found = |ty| binary_row(row.op, ty).map(|found| found.intrinsic);
            assert!(row.types.members().all(|ty| found(ty) == Some(row.intrinsic)), "{:?}", row.op);
        }
        assert!(binary_row(BinaryOp::Div, Type::U8).is_none() && binary_row(BinaryOp::Rem, Type::U8).is_none());
    }
}
