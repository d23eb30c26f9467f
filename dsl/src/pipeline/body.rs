//! A pipeline's body: calls of kernels, one a statement, and whatever else stands between them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, GenericArgument, Ident, ItemFn, Local, Pat, Path, PathArguments, PathSegment, Stmt, Type};

use super::flat::flat;

/// A statement.
pub(super) enum Step {
    /// `let a = k::apply(..)?;`, or `k::apply(..)` at the end.
    Call(Box<Call>),
    /// Anything else.
    Other {
        /// Its tokens.
        tokens: TokenStream,
        /// Whether no call may be moved to its other side: it may change what a call is given, or leave the function.
        is_barrier: bool,
    },
}

/// A call of a kernel.
pub(super) struct Call {
    /// The whole statement.
    pub tokens: TokenStream,
    /// What is called, without `apply`.
    pub path: Path,
    /// The type that a kernel of several is called with: `k::<u8>::apply`.
    pub ty: Option<Type>,
    pub arguments: Vec<Expr>,
    /// The names of the images that it computes; `None` for one that is dropped.
    pub values: Vec<Option<Ident>>,
    /// What is behind `let`; nothing at the end of the body.
    pub pattern: Option<Pat>,
}

impl Step {
    pub fn call(&self) -> Option<&Call> {
        match self {
            Step::Call(call) => Some(call),
            Step::Other { .. } => None,
        }
    }
}

/// Splits a body. Where a name is bound twice, a call can't be moved, and all is taken as it is.
pub(super) fn read(function: &ItemFn) -> Vec<Step> {
    let mut names: Vec<String> = Vec::new();
    for argument in &function.sig.inputs {
        if let syn::FnArg::Typed(typed) = argument {
            collect(&typed.pat, &mut names);
        }
    }
    for statement in &function.block.stmts {
        if let Stmt::Local(local) = statement {
            collect(&local.pat, &mut names);
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    if names.len() == count {
        return flat(&function.block.stmts).iter().map(step).collect();
    }
    let whole = |statement: &Stmt| Step::Other { tokens: statement.to_token_stream(), is_barrier: true };
    function.block.stmts.iter().map(whole).collect()
}

fn step(statement: &Stmt) -> Step {
    let other = |is_barrier| Step::Other { tokens: statement.to_token_stream(), is_barrier };
    match statement {
        Stmt::Local(local) => {
            local_call(local).map_or_else(|| other(!is_plain(local)), |call| Step::Call(Box::new(call)))
        }
        Stmt::Expr(expression, None) => match kernel_call(expression) {
            Some((path, ty, arguments)) => {
                let tokens = statement.to_token_stream();
                Step::Call(Box::new(Call { tokens, path, ty, arguments, values: Vec::new(), pattern: None }))
            }
            None => other(true),
        },
        Stmt::Expr(_, Some(_)) | Stmt::Item(_) | Stmt::Macro(_) => other(true),
    }
}

/// `let pattern = k::apply(..)?;`
fn local_call(local: &Local) -> Option<Call> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Expr::Try(tried) = &*init.expr else { return None };
    let (path, ty, arguments) = kernel_call(&tried.expr)?;
    let (values, pattern) = (values(&local.pat)?, Some(local.pat.clone()));
    Some(Call { tokens: local.to_token_stream(), path, ty, arguments, values, pattern })
}

/// A `let` of immutable names that leaves the function on no path: no `?`, block or macro in its value.
fn is_plain(local: &Local) -> bool {
    let stays = |init: &syn::LocalInit| init.diverge.is_none() && !may_leave(&init.expr);
    values(&local.pat).is_some() && local.init.as_ref().is_some_and(stays)
}

/// Whether an expression may leave the function.
pub(super) fn may_leave(expression: &Expr) -> bool {
    has_token(&expression.to_token_stream(), &|token| match token {
        TokenTree::Punct(mark) => matches!(mark.as_char(), '?' | '!'),
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(word) => word == "return",
        TokenTree::Literal(_) => false,
    })
}

/// The names of a pattern of images: a name, or a tuple of names.
fn values(pattern: &Pat) -> Option<Vec<Option<Ident>>> {
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().map(name).collect(),
        Pat::Type(typed) => values(&typed.pat),
        one => Some(vec![name(one)?]),
    }
}

fn name(pattern: &Pat) -> Option<Option<Ident>> {
    match pattern {
        Pat::Wild(_) => Some(None),
        Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none() => {
            Some(Some(name.ident.clone()))
        }
        _ => None,
    }
}

/// The names that a pattern binds.
fn collect(pattern: &Pat, names: &mut Vec<String>) {
    struct Names<'n>(&'n mut Vec<String>);
    impl<'a> syn::visit::Visit<'a> for Names<'_> {
        fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
            self.0.push(pattern.ident.to_string());
            syn::visit::visit_pat_ident(self, pattern);
        }
    }
    syn::visit::Visit::visit_pat(&mut Names(names), pattern);
}

/// What `path::apply(arguments)` calls, the type in `path::<T>::apply`, and what it is given.
pub(super) fn kernel_call(expression: &Expr) -> Option<(Path, Option<Type>, Vec<Expr>)> {
    let Expr::Call(call) = expression else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let mut path = function.path.clone();
    if function.qself.is_some() || path.segments.len() < 2 || !is_plain_name(&path.segments.pop()?, "apply") {
        return None;
    }
    path.segments.pop_punct();
    let arguments = std::mem::replace(&mut path.segments.last_mut()?.arguments, PathArguments::None);
    let ty = match arguments {
        PathArguments::None => None,
        PathArguments::AngleBracketed(own) => match own.args.first() {
            Some(GenericArgument::Type(ty)) if own.args.len() == 1 => Some(ty.clone()),
            _ => return None,
        },
        PathArguments::Parenthesized(_) => return None,
    };
    let is_plain = path.segments.iter().all(|segment| segment.arguments.is_empty());
    is_plain.then(|| (path, ty, call.args.iter().cloned().collect()))
}

fn is_plain_name(segment: &PathSegment, name: &str) -> bool {
    segment.ident == name && segment.arguments.is_empty()
}

/// Whether a name stands anywhere in tokens.
pub(super) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    has_token(tokens, &|token| matches!(token, TokenTree::Ident(ident) if ident == name))
}

fn has_token(tokens: &TokenStream, is: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens
        .clone()
        .into_iter()
        .any(|token| is(&token) || matches!(&token, TokenTree::Group(group) if has_token(&group.stream(), is)))
}
