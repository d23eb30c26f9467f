//! What the author wrote: the subset of Rust that a kernel may use, as a tree in which every node keeps its tokens'
//! spans.
//!
//! [`crate::parse`] builds it and refuses everything that has no place here; [`crate::infer`], [`crate::lower`] and
//! [`crate::witness`] read it. Expressions and bindings are numbered, so that later phases keep what they find out in
//! plain vectors next to the tree.

mod expression;

pub use expression::*;

use crate::ir::{Block as Grain, BorderMode, Schedule};
use proc_macro2::Span;
use quote::ToTokens;
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
    /// Where the function stands.
    pub ends: Ends,
    /// The author's tokens, attributes and all, where copies are made of them: with `types`.
    pub tokens: Option<proc_macro2::TokenStream>,
    /// The doc comment, lines without markers.
    pub docs: Vec<String>,
    /// Its parameters.
    pub parameters: Vec<KernelParameter>,
    /// What it returns.
    pub output: TypeExpr,
    /// Its body.
    pub body: CodeBlock,
}

/// Where a function stands: the places of its first and its last token, attributes excepted.
#[derive(Clone, Copy)]
pub struct Ends {
    /// The first token, of the visibility or of the signature.
    pub first: Span,
    /// The brace that closes the body.
    pub last: Span,
}

impl Ends {
    /// Where this function stands.
    pub fn of(function: &syn::ItemFn) -> Self {
        let mut tokens = function.vis.to_token_stream();
        function.sig.to_tokens(&mut tokens);
        let first = tokens.into_iter().next().map_or_else(Span::call_site, |token| token.span());
        Self { first, last: function.block.brace_token.span.close() }
    }
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
    /// `window(n, h, w)`.
    pub window: Option<WindowExprs>,
    /// `neon = path`.
    pub hand_written: Vec<HandWritten>,
}

/// What `window(..)` says.
#[derive(Clone)]
pub struct WindowExprs {
    /// The extents of the output, outermost first.
    pub extents: Vec<syn::Expr>,
    /// The word `window`.
    pub span: Span,
}

/// What `#[shape(..)]` says of a parameter.
#[derive(Clone)]
pub struct ShapeNames {
    /// A name for each dimension, outermost first; none for `_`.
    pub names: Vec<Option<Ident>>,
    /// The attribute's name.
    pub span: Span,
}

/// The bodies that the author wrote by hand for one target.
#[derive(Clone)]
pub struct HandWritten {
    /// The target's name.
    pub target: Ident,
    /// The constant that holds them.
    pub path: syn::ExprPath,
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
    /// A type behind `:`, which is refused.
    pub ty: Option<syn::Type>,
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
    /// `#[shape(..)]`.
    pub shape: Option<ShapeNames>,
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
    /// `View<T>`, `View<T, N>`.
    View(Box<TypeExpr>, Option<Box<syn::Expr>>),
    /// `At<N>`.
    At(Box<syn::Expr>),
    /// `Table<T, N>`.
    Table(Box<TypeExpr>, Box<syn::Expr>),
    /// `_`.
    Infer,
}
