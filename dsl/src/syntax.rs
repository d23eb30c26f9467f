//! What the author wrote: the subset of Rust that a kernel may use, as a tree in which every node keeps its tokens'
//! spans.
//!
//! [`crate::parse`] builds it and refuses everything that has no place here; [`crate::infer`], [`crate::lower`] and
//! [`crate::witness`] read it. Expressions and bindings are numbered, so that later phases keep what they find out in
//! plain vectors beside the tree.

use crate::ir::{Block as Grain, BorderMode, Schedule};
use proc_macro2::Span;
use syn::{Ident, Token};

/// The number of an expression in its [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// The number of a binding (`let`, parameter, pattern) in its [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// The number of a named item (`const`, `fn`, `enum`, `type`) in its [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemId(pub u32);

/// Everything that one attribute stands on: one function, or a module of kernels and what they share.
#[derive(Default)]
pub struct Unit {
    /// Every named item, wherever it is nested; [`ItemId`] counts here.
    pub items: Vec<Item>,
    /// The items that all kernels see.
    pub shared: Vec<ItemId>,
    /// The kernels, in the author's order.
    pub kernels: Vec<KernelItem>,
    /// How many expressions have been numbered.
    pub expressions: u32,
    /// The bindings; [`LocalId`] counts here.
    pub locals: Vec<Local>,
}

impl Unit {
    /// The item of `id`.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0 as usize]
    }

    /// The name of the binding `id`.
    pub fn local(&self, id: LocalId) -> &Ident {
        &self.locals[id.0 as usize].name
    }
}

/// A binding.
pub struct Local {
    /// The author's name.
    pub name: Ident,
    /// Whether it is declared `mut`.
    pub mutable: bool,
}

/// A kernel: what its attribute says, its parameters, its body.
pub struct KernelItem {
    /// What stands in the attribute.
    pub attribute: Attribute,
    /// The function's name.
    pub name: Ident,
    /// Its visibility.
    pub visibility: syn::Visibility,
    /// The author's tokens, attributes and all.
    pub tokens: proc_macro2::TokenStream,
    /// The doc comment, lines without markers.
    pub docs: Vec<String>,
    /// Its parameters.
    pub parameters: Vec<KernelParameter>,
    /// What it returns.
    pub output: TypeExpr,
    /// Its body.
    pub body: CodeBlock,
}

/// What `#[kernel(..)]` says.
#[derive(Default)]
pub struct Attribute {
    /// `step(x, y)`.
    pub step: Option<Grain>,
    /// `schedule(..)`.
    pub schedule: Schedule,
    /// `neighbourhood(x = a..=b, y = c..=d)`.
    pub neighbourhood: Option<Declared>,
    /// `output(name, name?)`.
    pub outputs: Option<Vec<OutputName>>,
    /// `border(..)`.
    pub borders: Option<(Vec<BorderMode>, Span)>,
    /// `require(a <= b)`.
    pub requires: Vec<RequireExpr>,
    /// `types(T = u8, i16)`.
    pub types: Option<TypeList>,
    /// `fast`.
    pub fast: bool,
    /// `deny(scalar)`.
    pub deny_scalar: bool,
}

/// A declared neighbourhood.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The offsets.
    pub extent: crate::ir::Neighbourhood,
    /// The word `neighbourhood`.
    pub span: Span,
}

/// One name of `output(..)`.
#[derive(Clone)]
pub struct OutputName {
    /// The name.
    pub name: Ident,
    /// Whether `?` stands behind it.
    pub optional: bool,
}

/// One relation of `require(..)`.
#[derive(Clone)]
pub struct RequireExpr {
    /// The left side.
    pub left: syn::Expr,
    /// The comparison.
    pub op: crate::ir::BinaryOp,
    /// The right side.
    pub right: syn::Expr,
    /// The whole.
    pub whole: syn::ExprBinary,
}

/// `types(T = u8, i16)`.
#[derive(Clone)]
pub struct TypeList {
    /// `T`.
    pub name: Ident,
    /// The types, in the author's order.
    pub types: Vec<(crate::ir::Type, Ident)>,
}

/// A kernel's parameter.
pub struct KernelParameter {
    /// The name, or the names of a pixel's channels.
    pub pattern: Pattern,
    /// Its type.
    pub ty: TypeExpr,
    /// What its attributes make of it.
    pub role: Role,
}

/// What a parameter is.
pub enum Role {
    /// An image (or a table: its type says so), read at `stride`.
    Plain {
        /// `#[stride(x, y)]`.
        stride: Option<(u32, u32)>,
        /// `#[inout]`.
        inout: Option<Span>,
    },
    /// `#[uniform]`, with what is declared about it.
    Uniform(UniformBound),
    /// `#[variant]`.
    Variant,
}

/// What is declared about a uniform.
pub enum UniformBound {
    /// Nothing.
    None,
    /// `#[uniform(lo..=hi)]`.
    Range(Box<syn::Expr>, Box<syn::Expr>),
    /// `#[uniform(sum_of_magnitudes <= n)]`.
    SumOfMagnitudes(u64, Span),
}

/// A named item.
pub struct Item {
    /// Its name.
    pub name: Ident,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of named item.
pub enum ItemKind {
    /// `const NAME: ty = value;`
    Const {
        /// Its type.
        ty: Box<TypeExpr>,
        /// Its value.
        value: Box<Expr>,
    },
    /// A helper function: inlined where it is called.
    Function(Box<Function>),
    /// A closed enum, for variants.
    Enum {
        /// Its values.
        values: Vec<Ident>,
    },
    /// `type Name = ty;`
    Alias {
        /// What it stands for.
        ty: Box<TypeExpr>,
    },
}

/// A helper function.
pub struct Function {
    /// Whether `const` stands before it.
    pub constant: Option<Token![const]>,
    /// Its parameters.
    pub parameters: Vec<(Pattern, TypeExpr)>,
    /// What it returns; `None`: nothing.
    pub output: Option<TypeExpr>,
    /// Its body.
    pub body: CodeBlock,
}

/// A type that the author wrote.
#[derive(Clone)]
pub struct TypeExpr {
    /// What it says.
    pub kind: TypeKind,
    /// The author's tokens.
    pub source: syn::Type,
}

/// The forms of type.
#[derive(Clone)]
pub enum TypeKind {
    /// A name: a scalar type, `usize`, the type parameter, an alias, an enum.
    Name(Ident),
    /// `[T; N]`.
    Array(Box<TypeExpr>, Box<syn::Expr>),
    /// `(A, B)`; `()` is empty.
    Tuple(Vec<TypeExpr>),
    /// `Neighbourhood<T>`.
    Neighbourhood(Box<TypeExpr>),
    /// `Table<T, N>`.
    Table(Box<TypeExpr>, Box<syn::Expr>),
    /// `_`.
    Infer,
}

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
            ExprKind::Binary(_, op, _) | ExprKind::AssignOp(_, op, _) => first_token(op).unwrap_or(self.start),
            ExprKind::Unary(op, _) => first_token(op).unwrap_or(self.start),
            ExprKind::Method { name, .. } => name.span(),
            ExprKind::Cast(_, keyword, _) => *keyword,
            ExprKind::Paren(inner) => inner.mark(),
            _ => self.start,
        }
    }
}

fn first_token(node: &impl quote::ToTokens) -> Option<Span> {
    node.to_token_stream().into_iter().next().map(|token| token.span())
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
    /// `tuple.0`.
    Field(Box<Expr>, u32, Span),
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
    Int(i64),
    /// A float, rounded once to `f32`.
    Float(f32),
    /// A truth value.
    Bool(bool),
}
