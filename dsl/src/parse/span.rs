//! The first and the last token of an expression or a pattern, found without printing it: printing recurses, and what is
//! asked for its place may be nested too deeply for that.

use crate::messages::{Located, Tokens};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprPath, Ident, Member, Pat};

/// The place of an expression.
pub fn of_expr(expr: &Expr) -> (Span, Span) {
    (first(expr), last(expr))
}

/// The place of a pattern.
pub fn of_pattern(pattern: &Pat) -> (Span, Span) {
    match pattern {
        Pat::Ident(name) => (name.mutability.map_or(name.ident.span(), |keyword| keyword.span), name.ident.span()),
        Pat::Tuple(tuple) => (tuple.paren_token.span.open(), tuple.paren_token.span.close()),
        Pat::Slice(slice) => (slice.bracket_token.span.open(), slice.bracket_token.span.close()),
        Pat::Paren(paren) => (paren.paren_token.span.open(), paren.paren_token.span.close()),
        Pat::Reference(reference) => token(&reference.and_token),
        Pat::Wild(wild) => token(&wild.underscore_token),
        other => Tokens(other).place(),
    }
}

fn first(mut expr: &Expr) -> Span {
    loop {
        expr = match expr {
            Expr::Assign(e) => &e.left,
            Expr::Await(e) => &e.base,
            Expr::Binary(e) => &e.left,
            Expr::Call(e) => &e.func,
            Expr::Cast(e) => &e.expr,
            Expr::Field(e) => &e.base,
            Expr::Group(e) => &e.expr,
            Expr::Index(e) => &e.expr,
            Expr::MethodCall(e) => &e.receiver,
            Expr::Try(e) => &e.expr,
            Expr::Range(e) => match &e.start {
                Some(start) => start,
                None => return token(&e.limits).0,
            },
            other => return first_of(other),
        }
    }
}

/// The first token of an expression that does not begin with another one.
fn first_of(expr: &Expr) -> Span {
    match expr {
        Expr::Array(e) => e.bracket_token.span.open(),
        Expr::Async(e) => token(&e.async_token).0,
        Expr::Block(e) => e.label.as_ref().map_or_else(|| e.block.brace_token.span.open(), |l| l.name.ident.span()),
        Expr::Break(e) => token(&e.break_token).0,
        Expr::Closure(e) => e.capture.map_or(e.inputs_begin.span, |keyword| keyword.span),
        Expr::ForLoop(e) => e.label.as_ref().map_or(e.for_token.span, |label| label.name.ident.span()),
        Expr::If(e) => e.if_token.span,
        Expr::Let(e) => e.let_token.span,
        Expr::Lit(e) => e.lit.span(),
        Expr::Loop(e) => e.loop_token.span,
        Expr::Match(e) => e.match_token.span,
        Expr::Paren(e) => e.paren_token.span.open(),
        Expr::Path(e) if let Some(word) = only_word(e) => word.span(),
        Expr::RawAddr(e) => token(&e.and_token).0,
        Expr::Reference(e) => token(&e.and_token).0,
        Expr::Repeat(e) => e.bracket_token.span.open(),
        Expr::Return(e) => e.return_token.span,
        Expr::Tuple(e) => e.paren_token.span.open(),
        Expr::Unary(e) => token(&e.op).0,
        Expr::Unsafe(e) => e.unsafe_token.span,
        Expr::While(e) => e.while_token.span,
        other => Tokens(other).place().0,
    }
}

fn last(mut expr: &Expr) -> Span {
    loop {
        expr = match expr {
            Expr::Assign(e) => &e.right,
            Expr::Binary(e) => &e.right,
            Expr::Closure(e) => &e.body,
            Expr::Group(e) => &e.expr,
            Expr::Let(e) => &e.expr,
            Expr::RawAddr(e) => &e.expr,
            Expr::Reference(e) => &e.expr,
            Expr::Unary(e) => &e.expr,
            Expr::If(e) => match &e.else_branch {
                Some((_, otherwise)) => otherwise,
                None => return e.then_branch.brace_token.span.close(),
            },
            Expr::Range(e) => match &e.end {
                Some(end) => end,
                None => return token(&e.limits).1,
            },
            Expr::Return(e) => match &e.expr {
                Some(value) => value,
                None => return e.return_token.span,
            },
            Expr::Break(e) => match &e.expr {
                Some(value) => value,
                None => return e.break_token.span,
            },
            other => return last_of(other),
        }
    }
}

/// The last token of an expression that does not end with another one.
fn last_of(expr: &Expr) -> Span {
    match expr {
        Expr::Array(e) => e.bracket_token.span.close(),
        Expr::Async(e) => e.block.brace_token.span.close(),
        Expr::Await(e) => e.await_token.span,
        Expr::Block(e) => e.block.brace_token.span.close(),
        Expr::Call(e) => e.paren_token.span.close(),
        Expr::Cast(e) => Tokens(&*e.ty).place().1,
        Expr::Field(e) => match &e.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(number) => number.span,
        },
        Expr::ForLoop(e) => e.body.brace_token.span.close(),
        Expr::Index(e) => e.bracket_token.span.close(),
        Expr::Lit(e) => e.lit.span(),
        Expr::Loop(e) => e.body.brace_token.span.close(),
        Expr::Match(e) => e.brace_token.span.close(),
        Expr::MethodCall(e) => e.paren_token.span.close(),
        Expr::Paren(e) => e.paren_token.span.close(),
        Expr::Path(e) if let Some(word) = only_word(e) => word.span(),
        Expr::Repeat(e) => e.bracket_token.span.close(),
        Expr::Try(e) => e.question_token.span,
        Expr::Tuple(e) => e.paren_token.span.close(),
        Expr::Unsafe(e) => e.block.brace_token.span.close(),
        Expr::While(e) => e.body.brace_token.span.close(),
        other => Tokens(other).place().1,
    }
}

/// The word that is all of a path: most are one.
fn only_word(path: &ExprPath) -> Option<&Ident> {
    if path.attrs.is_empty() { path.path.get_ident() } else { None }
}

fn token(node: &impl ToTokens) -> (Span, Span) {
    Tokens(node).place()
}
