//! Tokens compared, and with other names.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Path};

/// Whether two paths are written with the same tokens.
pub(super) fn same(left: &Path, right: &Path) -> bool {
    text(left) == text(right)
}

/// Tokens as text: what is compared.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// Tokens with other names, where `rename` has one.
pub(super) fn renamed(tokens: TokenStream, rename: &dyn Fn(&Ident) -> Option<Ident>) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Ident(name) => rename(&name).unwrap_or(name).into(),
        TokenTree::Group(group) => Group::new(group.delimiter(), renamed(group.stream(), rename)).into(),
        other => other,
    };
    tokens.into_iter().map(token).collect()
}
