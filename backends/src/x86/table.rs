//! Which operation is which instruction: one row an operation, one column a type.
//!
//! A name lacks its prefix, `_mm` or `_mm256`, and `_si` lacks the vector's bits. Where a column is empty the operation was
//! decomposed before (`vector::decompose`), is a row of `vector::expansions`, or is a short sequence.

use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Type, UnaryOp};

/// The types of the operands, a column each.
pub const COLUMNS: [Type; 10] =
    [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::U64, Type::I64, Type::F32, Type::F64];

/// The instructions of one operation.
#[derive(Clone, Copy, Debug)]
pub struct Row<Op> {
    /// The operation.
    pub op: Op,
    /// A column each.
    pub intrinsics: [&'static str; COLUMNS.len()],
}

const fn row<Op>(op: Op, intrinsics: [&'static str; COLUMNS.len()]) -> Row<Op> {
    Row { op, intrinsics }
}

/// The rows of operations on one value.
#[rustfmt::skip]
pub const UNARY: &[Row<UnaryOp>] = &[
    //                         u8  i8          u16 i16          u32 i32          u64 i64 f32 f64
    row(UnaryOp::Abs(Never),  ["", "abs_epi8", "", "abs_epi16", "", "abs_epi32", "", "", "", ""]),
    row(UnaryOp::UnsignedAbs, ["", "abs_epi8", "", "abs_epi16", "", "abs_epi32", "", "", "", ""]),
    row(UnaryOp::Sqrt,        ["", "",         "", "",          "", "",          "", "", "sqrt_ps", "sqrt_pd"]),
    row(UnaryOp::Floor,       ["", "",         "", "",          "", "",          "", "", "floor_ps", "floor_pd"]),
    row(UnaryOp::Ceil,        ["", "",         "", "",          "", "",          "", "", "ceil_ps", "ceil_pd"]),
];

/// The rows of operations on two values.
#[rustfmt::skip]
pub const BINARY: &[Row<BinaryOp>] = &[
    //                                 u8           i8           u16            i16            u32            i32            u64          i64          f32         f64
    row(BinaryOp::Add(Never),         ["add_epi8",  "add_epi8",  "add_epi16",   "add_epi16",   "add_epi32",   "add_epi32",   "add_epi64", "add_epi64", "add_ps", "add_pd"]),
    row(BinaryOp::Add(Saturate),      ["adds_epu8", "adds_epi8", "adds_epu16",  "adds_epi16",  "",            "",            "",          "",          "", ""]),
    row(BinaryOp::RoundingHalvingAdd, ["avg_epu8",  "",          "avg_epu16",   "",            "",            "",            "",          "",          "", ""]),
    row(BinaryOp::Sub(Never),         ["sub_epi8",  "sub_epi8",  "sub_epi16",   "sub_epi16",   "sub_epi32",   "sub_epi32",   "sub_epi64", "sub_epi64", "sub_ps", "sub_pd"]),
    row(BinaryOp::Sub(Saturate),      ["subs_epu8", "subs_epi8", "subs_epu16",  "subs_epi16",  "",            "",            "",          "",          "", ""]),
    row(BinaryOp::Mul(Never),         ["",          "",          "mullo_epi16", "mullo_epi16", "mullo_epi32", "mullo_epi32", "",          "",          "mul_ps", "mul_pd"]),
    row(BinaryOp::MulHigh,            ["",          "",          "mulhi_epu16", "mulhi_epi16", "",            "",            "",          "",          "", ""]),
    row(BinaryOp::Div,                ["",          "",          "",            "",            "",            "",            "",          "",          "div_ps", "div_pd"]),
    row(BinaryOp::Min,                ["min_epu8",  "min_epi8",  "min_epu16",   "min_epi16",   "min_epu32",   "min_epi32",   "",          "",          "", ""]),
    row(BinaryOp::Max,                ["max_epu8",  "max_epi8",  "max_epu16",   "max_epi16",   "max_epu32",   "max_epi32",   "",          "",          "", ""]),
    row(BinaryOp::And,                ["and_si",    "and_si",    "and_si",      "and_si",      "and_si",      "and_si",      "and_si",    "and_si",    "", ""]),
    row(BinaryOp::Or,                 ["or_si",     "or_si",     "or_si",       "or_si",       "or_si",       "or_si",       "or_si",     "or_si",     "", ""]),
    row(BinaryOp::Xor,                ["xor_si",    "xor_si",    "xor_si",      "xor_si",      "xor_si",      "xor_si",      "xor_si",    "xor_si",    "", ""]),
];

/// The place of the row of each operation on two values, plus one; 0: none.
static PLACES: [u8; BinaryOp::CODES] = {
    let (mut places, mut place) = ([0; BinaryOp::CODES], 0);
    while place < BINARY.len() {
        places[BINARY[place].op.code()] = place as u8 + 1;
        place += 1;
    }
    places
};

/// The names of these rows, each a stem and how the lanes are called: what [`super::X86::name`] finds.
static SPLIT: [[(&str, &str); COLUMNS.len()]; BINARY.len()] = {
    let (mut split, mut place) = ([[("", ""); COLUMNS.len()]; BINARY.len()], 0);
    while place < BINARY.len() {
        let mut column = 0;
        while column < COLUMNS.len() {
            split[place][column] = split_name(BINARY[place].intrinsics[column]);
            column += 1;
        }
        place += 1;
    }
    split
};

/// `add` and `_epi8` of `add_epi8`.
pub const fn split_name(base: &'static str) -> (&'static str, &'static str) {
    let mut end = base.len();
    while end > 0 && base.as_bytes()[end - 1] != b'_' {
        end -= 1;
    }
    base.split_at(end.saturating_sub(1))
}

/// The place of an operation's row, plus one; what never overflows and what wraps have one row.
fn place_of(op: BinaryOp) -> u8 {
    PLACES[if op.overflow() == Some(Wrap) { op.with(Never) } else { op }.code()]
}

/// The instruction of an operation on one value of a type, where one does it.
pub fn unary(op: UnaryOp, ty: Type) -> Option<&'static str> {
    let op = if op.overflow() == Some(Wrap) { op.with(Never) } else { op };
    in_row(UNARY.iter().find(|row| row.op == op)?, ty)
}

/// The instruction of an operation on two values of a type, where one does it.
pub fn binary(op: BinaryOp, ty: Type) -> Option<&'static str> {
    match place_of(op) {
        0 => None,
        place => in_row(&BINARY[place as usize - 1], ty),
    }
}

/// The same as a stem and how the lanes are called.
pub fn binary_split(op: BinaryOp, ty: Type) -> Option<(&'static str, &'static str)> {
    match (place_of(op), column(ty)) {
        (0, _) | (_, None) => None,
        (place, Some(column)) => Some(SPLIT[place as usize - 1][column]).filter(|(stem, _)| !stem.is_empty()),
    }
}

fn in_row<Op>(row: &Row<Op>, ty: Type) -> Option<&'static str> {
    match row.intrinsics[column(ty)?] {
        "" => None,
        name => Some(name),
    }
}

fn column(ty: Type) -> Option<usize> {
    COLUMNS.iter().position(|&own| own == ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_found() {
        for row in BINARY {
            let names = COLUMNS.map(|ty| binary(row.op, ty));
            assert_eq!(names.map(Option::unwrap_or_default), row.intrinsics, "{:?}", row.op);
        }
        assert_eq!((binary(BinaryOp::Rem, Type::U8), unary(UnaryOp::Sqrt, Type::F32)), (None, Some("sqrt_ps")));
    }
}
