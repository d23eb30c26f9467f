//! Blocks, statements, patterns and expressions.

use super::{ExprId, ItemId, LocalId, TypeExpr};
use proc_macro2::Span;
use syn::{Ident, Token};

/// `{ .. }`.
pub struct CodeBlock {
    /// The items that it declares; visible in all of it.
    pub items: Vec<ItemId>,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// Its value.
    pub tail: Option<Box<Expr>>,
    /// The closing brace.
    pub end: Span,
}

/// A statement.
pub enum Statement {
    /// `let pattern: ty = value;`
    Let {
        /// What it binds.
        pattern: Pattern,
        /// The written type.
        ty: Option<Box<TypeExpr>>,
        /// The value; without one, the binding is assigned later.
        value: Option<Expr>,
    },
    /// `value;`, or a block-like expression that needs no semicolon.
    Expr(Expr, Option<Token![;]>),
}

/// A pattern.
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Its first token.
    pub start: Span,
    /// Its last token.
    pub end: Span,
}

/// The forms of pattern.
pub enum PatternKind {
    /// `_`.
    Wild,
    /// `name`, `mut name`; in a `match` it may also name a constant.
    Binding {
        /// The `mut` token.
        mutable: Option<Token![mut]>,
        /// Its number.
        local: LocalId,
    },
    /// `(a, b)`.
    Tuple(Vec<Pattern>),
    /// `[a, b]`.
    Array(Vec<Pattern>),
    /// `3`, `-1`, `true`, `u8::MAX`, `Overflow::Wrap`.
    Value(Box<Expr>),
    /// `1..=3`, `5..`.
    Range {
        /// The first value.
        start: Option<Box<Expr>>,
        /// The last value, or the one behind it.
        end: Option<Box<Expr>>,
        /// The dots.
        limits: syn::RangeLimits,
    },
    /// `a | b`.
    Or(Vec<Pattern>),
    /// `Some(a)`.
    Some(Box<Pattern>),
    /// `None`.
    None,
}

/// An expression.
pub struct Expr {
    /// Its number.
    pub id: ExprId,
    /// What it is.
    pub kind: ExprKind,
    /// Its first token.
    pub start: Span,
    /// Its last token.
    pub end: Span,
}

impl Expr {
    /// The token that says what is done: an operator, `as`, a method's name. A mistake of the operation stands there.
    pub fn mark(&self) -> Span {
        match &self.kind {
            ExprKind::Binary(_, op, _) | ExprKind::AssignOp(_, op, _) => of_binary(op).unwrap_or(self.start),
            ExprKind::Unary(op, _) => of_unary(op).unwrap_or(self.start),
            ExprKind::Method { name, .. } => name.span(),
            ExprKind::Cast(_, keyword, _) => *keyword,
            ExprKind::Paren(inner) => inner.mark(),
            _ => self.start,
        }
    }
}

/// The first character of an operator: read from it, as building its tokens is expensive inside the compiler.
fn of_binary(op: &syn::BinOp) -> Option<Span> {
    use syn::BinOp::*;
    Some(match op {
        Add(token) => token.spans[0],
        Sub(token) => token.spans[0],
        Mul(token) => token.spans[0],
        Div(token) => token.spans[0],
        Rem(token) => token.spans[0],
        And(token) => token.spans[0],
        Or(token) => token.spans[0],
        BitXor(token) => token.spans[0],
        BitAnd(token) => token.spans[0],
        BitOr(token) => token.spans[0],
        Shl(token) => token.spans[0],
        Shr(token) => token.spans[0],
        Eq(token) => token.spans[0],
        Lt(token) => token.spans[0],
        Le(token) => token.spans[0],
        Ne(token) => token.spans[0],
        Ge(token) => token.spans[0],
        Gt(token) => token.spans[0],
        AddAssign(token) => token.spans[0],
        SubAssign(token) => token.spans[0],
        MulAssign(token) => token.spans[0],
        DivAssign(token) => token.spans[0],
        RemAssign(token) => token.spans[0],
        BitXorAssign(token) => token.spans[0],
        BitAndAssign(token) => token.spans[0],
        BitOrAssign(token) => token.spans[0],
        ShlAssign(token) => token.spans[0],
        ShrAssign(token) => token.spans[0],
        _ => return None,
    })
}

fn of_unary(op: &syn::UnOp) -> Option<Span> {
    match op {
        syn::UnOp::Deref(token) => Some(token.spans[0]),
        syn::UnOp::Not(token) => Some(token.spans[0]),
        syn::UnOp::Neg(token) => Some(token.spans[0]),
        _ => None,
    }
}

/// The forms of expression.
pub enum ExprKind {
    /// `12`, `12u8`, `1.5`, `true`.
    Literal(Literal),
    /// `name`, `u8::MAX`, `core::f32::consts::PI`.
    Path(Vec<Ident>),
    /// `-a`, `!a`.
    Unary(syn::UnOp, Box<Expr>),
    /// `a + b`, `a < b`, `a && b`.
    Binary(Box<Expr>, syn::BinOp, Box<Expr>),
    /// `place = value`; the place may be a tuple or an array of places, or `_`.
    Assign(Box<Expr>, Box<Expr>),
    /// `place += value`.
    AssignOp(Box<Expr>, syn::BinOp, Box<Expr>),
    /// `_` on the left of an assignment.
    Underscore,
    /// `value as ty`, with the place of `as`.
    Cast(Box<Expr>, Span, TypeExpr),
    /// `if condition { .. } else ..`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Where it is true.
        then: CodeBlock,
        /// Where it is false: a block or another `if`.
        otherwise: Option<Box<Expr>>,
    },
    /// `match value { .. }`.
    Match(Box<Expr>, Vec<Arm>),
    /// `{ .. }`.
    Block(CodeBlock),
    /// `for pattern in items { .. }`.
    For {
        /// What it binds.
        pattern: Pattern,
        /// What it runs over.
        items: Box<Expr>,
        /// What it does.
        body: CodeBlock,
    },
    /// `callee(arguments)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `receiver.name::<turbofish>(arguments)`.
    Method {
        /// What it is called on.
        receiver: Box<Expr>,
        /// Its name.
        name: Ident,
        /// What stands in `::<..>`.
        turbofish: Vec<Generic>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `array[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `tuple.0`; a name is refused where the type of the base is known.
    Field(Box<Expr>, syn::Member),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[a; n]`.
    Repeat(Box<Expr>, Box<syn::Expr>),
    /// `(a, b)`; `()` is empty.
    Tuple(Vec<Expr>),
    /// `(a)`.
    Paren(Box<Expr>),
    /// `a..b`, `a..=b`.
    Range {
        /// The first value.
        start: Option<Box<Expr>>,
        /// The last value, or the one behind it.
        end: Option<Box<Expr>>,
        /// The dots.
        limits: syn::RangeLimits,
    },
    /// `|a, b| body`.
    Closure(Closure),
}

/// `|a, b: u8| -> u8 { .. }`.
pub struct Closure {
    /// Its parameters, with the types that the author wrote.
    pub parameters: Vec<(Pattern, Option<TypeExpr>)>,
    /// The written result type.
    pub output: Option<TypeExpr>,
    /// Its body.
    pub body: Box<Expr>,
}

/// What stands between `::<` and `>`.
pub enum Generic {
    /// A type (or the name of a constant: they look alike).
    Type(Box<TypeExpr>),
    /// A constant.
    Constant(Box<syn::Expr>),
}

/// An arm of a `match`.
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// `if condition`.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A literal.
#[derive(Clone)]
pub struct Literal {
    /// Its value.
    pub value: LiteralValue,
    /// The type written behind it.
    pub suffix: Option<Suffix>,
    /// The author's token.
    pub token: syn::Lit,
}

/// The type written behind a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// A type of elements.
    Type(crate::ir::Type),
    /// `usize`.
    Usize,
}

/// The value of a literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LiteralValue {
    /// An integer.
    Int(i128),
    /// A float, rounded once to either type.
    Float {
        /// As an `f32`.
        single: f32,
        /// As an `f64`.
        double: f64,
    },
    /// A truth value.
    Bool(bool),
}
