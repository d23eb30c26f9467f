//! The table of operators: what each takes, what it becomes, what it means.
//!
//! Inference, lowering and the language reference read it, as they read the methods of [`crate::builtins`]. `&&` and
//! `||` are not in it: they are choices, not operations.

use crate::builtins::{self, Lowering, Receivers};
use crate::ir::Overflow::Never;
use crate::ir::{BinaryOp, CastMode, Type, UnaryOp};

/// What operands an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Integers and floats.
    Numbers,
    /// Integers.
    Integers,
    /// Integers, and truth values.
    IntegersOrBool,
    /// Signed integers and floats.
    Signed,
    /// Numbers, truth values and, for `==` and `!=`, enums.
    Comparable,
}

impl Class {
    /// The types of elements among them.
    pub fn receivers(self) -> Receivers {
        let (unsigned, float) = match self {
            Self::Numbers | Self::Comparable => (true, true),
            Self::Integers | Self::IntegersOrBool => (true, false),
            Self::Signed => (false, true),
        };
        Receivers { unsigned, signed: true, float, usize: false }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The operator's token.
    pub symbol: &'static str,
    /// What it takes.
    pub class: Class,
    /// What it becomes.
    pub lowering: Lowering,
    /// What it means, for the language reference.
    pub doc: &'static str,
}

impl Operator {
    /// The operands in words.
    pub fn types_in_words(&self) -> String {
        let numbers = builtins::types_in_words(self.class.receivers(), self.lowering);
        match self.class {
            Numbers | Integers | Signed => numbers,
            IntegersOrBool => format!("{numbers} and bool"),
            Comparable => format!("{} and bool", numbers.replace(" and ", ", ")),
        }
    }
}

const fn unary(symbol: &'static str, class: Class, op: UnaryOp, doc: &'static str) -> Operator {
    Operator { symbol, class, lowering: Lowering::Unary(op), doc }
}

const fn binary(symbol: &'static str, class: Class, op: BinaryOp, doc: &'static str) -> Operator {
    Operator { symbol, class, lowering: Lowering::Binary(op), doc }
}

use Class::{Comparable, Integers, IntegersOrBool, Numbers, Signed};

/// The table.
#[rustfmt::skip]
pub const OPERATORS: &[Operator] = &[
    binary("+",  Numbers,        BinaryOp::Add(Never), "the sum"),
    binary("-",  Numbers,        BinaryOp::Sub(Never), "the difference"),
    binary("*",  Numbers,        BinaryOp::Mul(Never), "the product"),
    binary("/",  Numbers,        BinaryOp::Div, "the quotient; of integers toward zero"),
    binary("%",  Integers,       BinaryOp::Rem, "the remainder, with the dividend's sign"),
    binary("<<", Integers,       BinaryOp::Shl(Never), "a * 2^n; the amount may have another type"),
    binary(">>", Integers,       BinaryOp::Shr, "a / 2^n rounded down; the amount may have another type"),
    binary("&",  IntegersOrBool, BinaryOp::And, "and, bit by bit"),
    binary("|",  IntegersOrBool, BinaryOp::Or,  "or, bit by bit"),
    binary("^",  IntegersOrBool, BinaryOp::Xor, "exclusive or, bit by bit"),
    binary("==", Comparable,     BinaryOp::Eq,  "whether equal"),
    binary("!=", Comparable,     BinaryOp::Ne,  "whether not equal"),
    binary("<",  Comparable,     BinaryOp::Lt,  "whether less"),
    binary("<=", Comparable,     BinaryOp::Le,  "whether less or equal"),
    binary(">",  Comparable,     BinaryOp::Gt,  "whether greater"),
    binary(">=", Comparable,     BinaryOp::Ge,  "whether greater or equal"),
    unary ("-",  Signed,         UnaryOp::Neg(Never),  "the negative"),
    unary ("!",  IntegersOrBool, UnaryOp::Not,  "not, bit by bit"),
    Operator {
        symbol: "as", class: Numbers, lowering: Lowering::Cast(CastMode::Value),
        doc: "the same value in another type; from a float to an integer truncated and saturated, NaN is 0; to a float rounded to nearest even",
    },
];

/// The row of an operator on two values, assigning or not.
pub fn of_binary(op: &syn::BinOp) -> Option<&'static Operator> {
    use syn::BinOp::*;
    let wanted = match op {
        Add(_) | AddAssign(_) => BinaryOp::Add(Never),
        Sub(_) | SubAssign(_) => BinaryOp::Sub(Never),
        Mul(_) | MulAssign(_) => BinaryOp::Mul(Never),
        Div(_) | DivAssign(_) => BinaryOp::Div,
        Rem(_) | RemAssign(_) => BinaryOp::Rem,
        Shl(_) | ShlAssign(_) => BinaryOp::Shl(Never),
        Shr(_) | ShrAssign(_) => BinaryOp::Shr,
        BitAnd(_) | BitAndAssign(_) => BinaryOp::And,
        BitOr(_) | BitOrAssign(_) => BinaryOp::Or,
        BitXor(_) | BitXorAssign(_) => BinaryOp::Xor,
        Eq(_) => BinaryOp::Eq,
        Ne(_) => BinaryOp::Ne,
        Lt(_) => BinaryOp::Lt,
        Le(_) => BinaryOp::Le,
        Gt(_) => BinaryOp::Gt,
        Ge(_) => BinaryOp::Ge,
        _ => return None,
    };
    OPERATORS.iter().find(|row| row.lowering == Lowering::Binary(wanted))
}

/// The token of an operation that has one, whatever it does with overflow.
pub fn symbol(op: BinaryOp) -> Option<&'static str> {
    let op = if op.overflow().is_some() { op.with(Never) } else { op };
    OPERATORS.iter().find(|row| row.lowering == Lowering::Binary(op)).map(|row| row.symbol)
}

/// The families of targets that lack an operator for values of a type that its class has, in words.
pub fn lacked_by(symbol: &str, class: Class, ty: Type) -> Option<String> {
    let symbol = symbol.strip_suffix('=').filter(|_| class != Comparable).unwrap_or(symbol);
    let row = OPERATORS.iter().find(|row| row.symbol == symbol && row.class == class)?;
    if class.receivers().contain(ty) { row.lowering.lacked_by(ty) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assigning_operator_is_the_plain_one() {
        let row = |text: &str| of_binary(&syn::parse_str(text).unwrap()).map(|row| row.lowering);
        assert_eq!(row("+="), row("+"));
        assert_eq!(row("<<="), Some(Lowering::Binary(BinaryOp::Shl(Never))));
        assert_eq!(row("<="), Some(Lowering::Binary(BinaryOp::Le)));
        assert_eq!(row("-"), Some(Lowering::Binary(BinaryOp::Sub(Never))));
        assert_eq!(row("&&"), None);
    }
}
