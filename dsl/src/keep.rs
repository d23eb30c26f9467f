//! The author's items as they stand in the output: untouched, but for windrow's own attributes and the names of `min`,
//! `max` and `clamp`.
//!
//! Rust leaves open what these do with a signalling NaN and with zeros of both signs; windrow does not. So the methods
//! get the names of a prelude trait's, whatever the receiver, at the author's spans.

use crate::infer::types;
use crate::ir::Type;
use crate::parse::expression::scalar_type;
use crate::parse::{is_attribute, signature::is_parameter_attribute};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};

/// A kernel's function in its place.
pub fn function(source: &syn::ItemFn) -> TokenStream {
    let mut function = source.clone();
    Rename.visit_item_fn_mut(&mut function);
    quote! { #[allow(clippy::all)] #function }
}

/// The copy of a function for one type.
pub fn copy(source: &syn::ItemFn, parameter: &str, ty: Type) -> TokenStream {
    let function = function(source);
    let parameter = Ident::new(parameter, proc_macro2::Span::call_site());
    let ty = Ident::new(types::name(ty), proc_macro2::Span::call_site());
    quote! { #[allow(dead_code)] type #parameter = #ty; #function }
}

/// A module of kernels in its place; `without_copies` leaves out the functions that stand in copies instead.
pub fn module(source: &syn::ItemMod, without_copies: bool) -> TokenStream {
    let mut module = source.clone();
    if let Some((_, items)) = &mut module.content
        && without_copies
    {
        items.retain(|item| !is_copied(item));
    }
    Rename.visit_item_mod_mut(&mut module);
    quote! { #[allow(clippy::all)] #module }
}

/// An item that could not be read at all: as it is, without attributes that only windrow knows.
pub fn unreadable(item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::File>(item) {
        Ok(mut file) => {
            Rename.visit_file_mut(&mut file);
            file.into_token_stream()
        }
        Err(_) => TokenStream::new(),
    }
}

/// Whether an item is a kernel with `types`.
fn is_copied(item: &syn::Item) -> bool {
    let syn::Item::Fn(function) = item else { return false };
    let attribute = function.attrs.iter().find(|attribute| is_attribute(attribute, "kernel"));
    attribute.is_some_and(|attribute| crate::parse::declares_types(crate::parse::options(attribute)))
}

/// The name that stands for `min`, `max` or `clamp`.
pub fn renamed(name: &Ident) -> Option<Ident> {
    ["min", "max", "clamp"]
        .iter()
        .any(|known| name == known)
        .then(|| Ident::new(&format!("__windrow_{name}"), name.span()))
}

struct Rename;

impl VisitMut for Rename {
    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        function.attrs.retain(|attribute| !is_attribute(attribute, "kernel"));
        for argument in &mut function.sig.inputs {
            if let syn::FnArg::Typed(typed) = argument {
                typed.attrs.retain(|attribute| !is_parameter_attribute(attribute));
            }
        }
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        if let Some(name) = renamed(&call.method) {
            call.method = name;
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    /// `u8::min`, with the type parameter's name too.
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let segments = &mut path.path.segments;
        let count = segments.len();
        let of_type = count >= 2 && {
            let ty = segments[count - 2].ident.to_string();
            scalar_type(&ty).is_some() || ty.chars().next().is_some_and(char::is_uppercase)
        };
        if let Some(last) = segments.last_mut()
            && let Some(name) = renamed(&last.ident)
            && of_type
        {
            last.ident = name;
        }
    }
}
