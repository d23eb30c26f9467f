//! The macro beside a kernel that hands out its tokens, so that a pipeline of any crate can fuse it.
//!
//! It has the kernel's name, so that whatever imports the kernel imports it too. It calls back with what it was given, the version
//! of the language, the kernel's options and its function.

use super::beside;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};
use windrow_dsl::Ends;

/// The version of the language that tokens are handed out in: a pipeline of another version takes none of them.
pub(super) const VERSION: u32 = 1;

/// Macros of the standard library's prelude. A second macro of such a name would make the first ambiguous, so a kernel of this name
/// hands out nothing.
const STANDARD: [&str; 42] = [
    "addr_of",
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "ready",
    "stringify",
    "test",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "derive",
    "global_allocator",
];

/// Whether a kernel of this name hands out its tokens.
pub(super) fn is_exported(name: &Ident) -> bool {
    STANDARD.iter().all(|standard| name != standard)
}

/// The macro of `#[kernel(attribute)] item`; nothing where there is no function.
pub fn kernel(attribute: &TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(function) = syn::parse2::<syn::ItemFn>(item.clone()) else { return TokenStream::new() };
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let is_method = function.sig.receiver().is_some();
    if !is_exported(name) || is_method {
        return TokenStream::new();
    }
    // Exported macros of a crate share one name space.
    static EXPORTED: AtomicUsize = AtomicUsize::new(0);
    let ends = Ends::of(&function);
    // Written where its import is: a macro is found by names of the same expansion.
    let macro_name = format_ident!("__windrow_{name}_{}", EXPORTED.fetch_add(1, Ordering::Relaxed), span = ends.first);
    let import = beside::import(visibility, ends, quote!(#macro_name as), name);
    let version = VERSION;
    quote! {
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! #macro_name {
            ($back:path [ $($state:tt)* ]) => { $back! { [ $($state)* ] #version { #attribute } { #item } } };
        }
        #[doc(hidden)]
        #import
    }
}

/// The macros of the kernels of a module, inside it: they hand out nothing, as they share items with others.
pub fn module(item: TokenStream) -> TokenStream {
    let Ok(mut module) = syn::parse2::<syn::ItemMod>(item.clone()) else { return item };
    let Some((_, items)) = &mut module.content else { return item };
    let mut names = BTreeSet::new();
    let macros = items.iter().filter_map(|item| match item {
        syn::Item::Fn(function) if function.attrs.iter().any(is_kernel) && names.insert(&function.sig.ident) => {
            Some(syn::Item::Verbatim(nothing(function)))
        }
        _ => None,
    });
    let macros: Vec<syn::Item> = macros.collect();
    items.extend(macros);
    module.into_token_stream()
}

fn is_kernel(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "kernel")
}

/// A macro of the name of something that a pipeline may call and that hands out nothing.
pub(super) fn nothing(function: &syn::ItemFn) -> TokenStream {
    let name = &function.sig.ident;
    if !is_exported(name) {
        return TokenStream::new();
    }
    let import = beside::import(&function.vis, Ends::of(function), quote!(::windrow::__no_kernel as), name);
    quote! {
        #[doc(hidden)]
        #import
    }
}
