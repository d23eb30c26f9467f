//! What stands in place of an item with mistakes, so that rustc adds nothing to what windrow says of it.
//!
//! The item itself can't stand: rustc would find the same mistakes again, in its own words. Without it callers would
//! find no `name::apply`. So its names stand with a type that rustc takes for a mistake already told: a name that is not
//! there, which rustc passes over in silence in a scope with a `compile_error!`, and whose every use it passes over too.
//!
//! rust-analyzer is shown the item as it is written: it completes names while the author still writes.

use crate::keep;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{FnArg, Item, ItemFn, ItemMod, Visibility};

/// Names that a kernel may import and say: mentioned, so that rustc calls no import of them unused.
const IMPORTED: [&str; 6] = ["At", "Neighbourhood", "Overflow", "Rounding", "Table", "View"];

/// What stands in place of a function with mistakes.
pub fn kernel(attribute: &TokenStream, item: TokenStream) -> TokenStream {
    kernel_by(attribute, item, &quote!(__refused))
}

/// What stands in place of a module with mistakes.
pub fn module(item: TokenStream) -> TokenStream {
    module_by(item, &quote!(__refused))
}

/// What stands in place of a function that uses a helper with mistakes: they are told there, and `helper` is a type that
/// rustc takes for one of them.
pub fn kernel_by(attribute: &TokenStream, item: TokenStream, helper: &TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) if is_method(&function) => method(&function),
        Ok(function) => {
            let written = written(item);
            let names = names(&function, crate::parse::declares_types(attribute.clone()), helper);
            quote! { #written #names }
        }
        Err(_) => item_itself(item),
    }
}

/// What stands in place of a module that uses a helper with mistakes.
pub fn module_by(item: TokenStream, helper: &TokenStream) -> TokenStream {
    let Ok(mut module) = syn::parse2::<ItemMod>(item.clone()) else { return item_itself(item) };
    let Some((_, items)) = &mut module.content else { return item_itself(item) };
    let mut names = BTreeSet::new();
    // A second kernel of a name is a mistake that has been told.
    let is_first = |item: &Item| kernel_of(item).is_none_or(|(function, _)| names.insert(function.sig.ident.clone()));
    let inside = std::mem::take(items).into_iter().filter(is_first);
    *items = inside.map(|item| Item::Verbatim(shared(item, helper))).collect();
    quote! { #[allow(warnings, clippy::all)] #module }
}

/// What stands in place of a helper with mistakes: its name as a value, and as the type for [`kernel_by`].
pub fn helper(item: TokenStream, refused: &TokenStream) -> TokenStream {
    let Ok(item) = syn::parse2::<Item>(item.clone()) else { return item_itself(item) };
    let named = match &item {
        Item::Fn(function) => alias(&function.vis, &function.sig.ident, false, refused),
        Item::Const(constant) => alias(&constant.vis, &constant.ident, false, refused),
        _ => TokenStream::new(),
    };
    let shared = shared(item, refused);
    quote! { #named #shared }
}

/// An item that is neither a function nor a module, or text that can't be read: as the author wrote it.
fn item_itself(item: TokenStream) -> TokenStream {
    let kept = keep::without_attributes(item);
    quote! { #[allow(warnings, clippy::all)] #kept }
}

/// The item for rust-analyzer: apart, so that rustc doesn't warn of a condition that it does not know.
fn written(item: TokenStream) -> TokenStream {
    let kept = keep::without_attributes(item);
    quote! { #[allow(warnings)] const _: () = { #[cfg(rust_analyzer)] #kept }; }
}

/// What stands in place of an item of a module.
fn shared(item: Item, refused: &TokenStream) -> TokenStream {
    let written = written(item.to_token_stream());
    let names = match &item {
        Item::Fn(function) => match kernel_of(&item) {
            Some((_, options)) => names(function, crate::parse::declares_types(options), refused),
            None => value(function, refused),
        },
        Item::Const(item) => {
            let (visibility, name) = (&item.vis, &item.ident);
            quote! { #visibility const #name: #refused = loop {}; }
        }
        Item::Type(item) => alias(&item.vis, &item.ident, false, refused),
        _ => return keep::without_attributes(item.to_token_stream()),
    };
    quote! { #written #names }
}

/// An item's function and its options, where it is a kernel.
fn kernel_of(item: &Item) -> Option<(&ItemFn, TokenStream)> {
    let Item::Fn(function) = item else { return None };
    let attribute = function.attrs.iter().find(|attribute| crate::parse::is_attribute(attribute, "kernel"))?;
    Some((function, crate::parse::options(attribute)))
}

/// The names of a kernel: the type beside it, and the function.
fn names(function: &ItemFn, has_types: bool, refused: &TokenStream) -> TokenStream {
    let (ty, value) = (alias(&function.vis, &function.sig.ident, has_types, refused), value(function, refused));
    let mentioned = mentioned(function);
    quote! { #ty #value #mentioned }
}

fn alias(visibility: &Visibility, name: &syn::Ident, has_types: bool, refused: &TokenStream) -> TokenStream {
    match has_types {
        true => quote! { #[allow(warnings)] #visibility type #name<T> = (#refused, T); },
        false => quote! { #[allow(warnings)] #visibility type #name = #refused; },
    }
}

/// The function, with as many arguments as the author's.
fn value(function: &ItemFn, refused: &TokenStream) -> TokenStream {
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let parameters = function.sig.inputs.iter().map(|_| quote!(_: #refused));
    quote! { #[allow(warnings)] #visibility fn #name(#(#parameters),*) -> #refused { loop {} } }
}

/// A method with its own signature: inside an `impl` neither a type nor a nameless constant may stand.
fn method(function: &ItemFn) -> TokenStream {
    let kept = keep::without_attributes(
        ItemFn { block: syn::parse_quote!({ loop {} }), ..function.clone() }.into_token_stream(),
    );
    quote! { #[allow(warnings)] #kept }
}

fn is_method(function: &ItemFn) -> bool {
    function.sig.inputs.iter().any(|argument| matches!(argument, FnArg::Receiver(_)))
}

/// Says the names that the author imported for the function.
fn mentioned(function: &ItemFn) -> TokenStream {
    let mut said: Vec<syn::Ident> = Vec::new();
    words(function.to_token_stream(), &mut said);
    let types = said.iter().map(|name| match name.to_string().as_str() {
        "At" => quote!(#name<1>),
        "Table" => quote!(#name<u8, 1>),
        "Neighbourhood" | "View" => quote!(#name<u8>),
        _ => quote!(#name),
    });
    match said.is_empty() {
        true => TokenStream::new(),
        false => quote! {
            #[allow(warnings)]
            const _: () = { type Imported = fn(#(#types),*); };
        },
    }
}

fn words(tokens: TokenStream, said: &mut Vec<syn::Ident>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words(group.stream(), said),
            TokenTree::Ident(word) if IMPORTED.iter().any(|name| word == name) && !said.contains(&word) => {
                said.push(word);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
