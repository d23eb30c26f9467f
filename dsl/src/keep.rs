//! The author's items as they stand in the output: token for token, but for windrow's own attributes and the names of
//! `min`, `max`, `clamp` and the elementary functions.
//!
//! Rust leaves open what the first three do with a signalling NaN and with zeros of both signs, and which bits the
//! functions have; windrow does not. So the methods get the names of a prelude trait's, whatever the receiver, at the
//! author's spans.

use crate::ir::Type;
use crate::parse::expression::scalar_type;
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use windrow_reference::functions::Definition;

/// The attributes that windrow alone knows.
const ATTRIBUTES: [&str; 8] = ["kernel", "kernels", "helper", "uniform", "variant", "inout", "stride", "shape"];

/// The methods, besides the elementary functions, that get another name.
const RENAMED: [&str; 3] = ["min", "max", "clamp"];

/// An item in its place.
pub fn item(tokens: TokenStream) -> TokenStream {
    let kept = rewrite(tokens);
    quote! { #[allow(clippy::all)] #kept }
}

/// An item as the author wrote it, without windrow's attributes, and without any attribute of a parameter, known or not.
pub fn without_attributes(tokens: TokenStream) -> TokenStream {
    strip(tokens, false)
}

fn strip(tokens: TokenStream, all: bool) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group)
                if ends_with_hash(&out)
                    && group.delimiter() == Delimiter::Bracket
                    && (all || is_own_attribute(&group)) =>
            {
                out.pop();
            }
            TokenTree::Group(group) => {
                let all = all || group.delimiter() == Delimiter::Parenthesis;
                let mut inner = Group::new(group.delimiter(), strip(group.stream(), all));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// The copy of a function for one type.
pub fn copy(tokens: TokenStream, parameter: &str, ty: Type) -> TokenStream {
    let function = item(tokens);
    let parameter = Ident::new(parameter, proc_macro2::Span::call_site());
    let ty = type_path(ty);
    quote! { #[allow(dead_code)] type #parameter = #ty; #function }
}

/// A type's name in Rust, whose core lacks the halves.
pub fn type_path(ty: Type) -> TokenStream {
    let name = Ident::new(ty.name(), proc_macro2::Span::call_site());
    if ty.is_half() {
        quote! { ::windrow::__rt::#name }
    } else {
        name.into_token_stream()
    }
}

/// A module without the functions that stand in copies instead.
pub fn module_without_copies(mut module: syn::ItemMod) -> TokenStream {
    if let Some((_, items)) = &mut module.content {
        items.retain(|item| !is_copied(item));
    }
    item(module.into_token_stream())
}

/// Whether an item is a kernel with `types`.
fn is_copied(item: &syn::Item) -> bool {
    let syn::Item::Fn(function) = item else { return false };
    let attribute = function.attrs.iter().find(|attribute| crate::parse::is_attribute(attribute, "kernel"));
    attribute.is_some_and(|attribute| crate::parse::declares_types(crate::parse::options(attribute)))
}

/// The name that stands for `min`, `max`, `clamp` or an elementary function.
pub fn renamed(name: &Ident) -> Option<Ident> {
    let word = name.to_string();
    let is_renamed = RENAMED.contains(&word.as_str()) || Definition::of(&word).is_some();
    is_renamed.then(|| Ident::new(&format!("__windrow_{word}"), name.span()))
}

fn rewrite(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if ends_with_hash(&out) && is_own_attribute(&group) => {
                out.pop();
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rewrite(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            TokenTree::Ident(name) => {
                let other = if names_a_method(&out) { renamed(&name) } else { None };
                out.push(TokenTree::Ident(other.unwrap_or(name)));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(token),
        }
    }
    out.into_iter().collect()
}

fn ends_with_hash(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
}

/// `[kernel(..)]`, `[windrow::kernel]`, `[uniform(..)]`.
fn is_own_attribute(group: &Group) -> bool {
    let mut name = None;
    for token in group.stream() {
        match token {
            TokenTree::Ident(ident) => name = Some(ident),
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => break,
        }
    }
    group.delimiter() == Delimiter::Bracket && name.is_some_and(|name| ATTRIBUTES.iter().any(|known| name == known))
}

/// Whether the next name is a method's: behind `.`, or behind `u8::` (the type parameter's name counts as a type).
fn names_a_method(before: &[TokenTree]) -> bool {
    let is = |token: &TokenTree, letter: char| matches!(token, TokenTree::Punct(p) if p.as_char() == letter);
    match before {
        [.., TokenTree::Ident(ty), first, second] if is(first, ':') && is(second, ':') => {
            let ty = ty.to_string();
            scalar_type(&ty).is_some() || ty.chars().next().is_some_and(char::is_uppercase)
        }
        [.., first, second] if is(first, '.') && is(second, '.') => !joined(first),
        [.., dot] => is(dot, '.'),
        [] => false,
    }
}

/// Whether a dot belongs to the next one: `..`.
fn joined(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(source: &str) -> String {
        let tokens: TokenStream = source.parse().unwrap();
        let kept = rewrite(tokens).to_string();
        kept.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn plain(source: &str) -> String {
        let tokens: TokenStream = source.parse().unwrap();
        tokens.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn own_attributes_go_and_others_stay() {
        let source =
            "/// Text.\n#[inline] #[windrow::kernel(step(1, 1))] fn f(#[uniform(0..=1)] a: u8, #[allow(x)] b: u8) {}";
        assert_eq!(kept(source), plain("/// Text.\n#[inline] fn f(a: u8, #[allow(x)] b: u8) {}"));
    }

    #[test]
    fn without_attributes_an_item_has_its_names_and_no_attribute_of_a_parameter() {
        let source: TokenStream = "#[kernel] #[inline] fn f(#[param] a: u8) -> u8 { a.min(3) }".parse().unwrap();
        let expected = "#[inline] fn f(a: u8) -> u8 { a.min(3) }";
        assert_eq!(without_attributes(source).to_string(), expected.parse::<TokenStream>().unwrap().to_string());
    }

    #[test]
    fn extrema_are_renamed_wherever_they_are_methods() {
        let source = "{ let min = a.min(b); u8::max; T::clamp; a.max::<u8>(); min..max; f(min) }";
        let expected = "{ let min = a.__windrow_min(b); u8::__windrow_max; T::__windrow_clamp; \
                        a.__windrow_max::<u8>(); min..max; f(min) }";
        assert_eq!(kept(source), plain(expected));
    }
}
