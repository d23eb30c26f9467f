//! How floats compare, and what x86 calls it.

use windrow_dsl::ir::BinaryOp;

/// How two floats compare. All but `Different` and `Unordered` are false where one is a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatComparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// Neither is a NaN.
    Ordered,
    /// One is a NaN.
    Unordered,
}

impl FloatComparison {
    /// SSE's instruction, but for how it calls the lanes.
    pub(super) fn instruction(self) -> &'static str {
        match self {
            FloatComparison::Equal => "cmpeq",
            FloatComparison::Different => "cmpneq",
            FloatComparison::Less => "cmplt",
            FloatComparison::LessOrEqual => "cmple",
            FloatComparison::Greater => "cmpgt",
            FloatComparison::GreaterOrEqual => "cmpge",
            FloatComparison::Ordered => "cmpord",
            FloatComparison::Unordered => "cmpunord",
        }
    }

    /// AVX's constant: quiet, whatever the order.
    pub(super) fn predicate(self) -> u32 {
        match self {
            FloatComparison::Equal => 0,
            FloatComparison::Different => 4,
            FloatComparison::Less => 17,
            FloatComparison::LessOrEqual => 18,
            FloatComparison::Greater => 30,
            FloatComparison::GreaterOrEqual => 29,
            FloatComparison::Ordered => 7,
            FloatComparison::Unordered => 3,
        }
    }
}

/// How an operation compares floats.
pub fn order_of(op: BinaryOp) -> FloatComparison {
    match op {
        BinaryOp::Eq => FloatComparison::Equal,
        BinaryOp::Lt => FloatComparison::Less,
        BinaryOp::Le => FloatComparison::LessOrEqual,
        BinaryOp::Gt => FloatComparison::Greater,
        BinaryOp::Ge => FloatComparison::GreaterOrEqual,
        _ => FloatComparison::Different,
    }
}
