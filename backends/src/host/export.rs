//! The macro beside a kernel or a helper that hands out its tokens: a pipeline of any crate can fuse the kernel, and a kernel of any
//! crate use the helper.
//!
//! It has the item's name, so that whatever imports the item imports it too. It calls back with what it was given, the version
//! of the language, the options and the item.

use super::beside;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};
use syn::{Item, Visibility};
use windrow_dsl::helpers::{Member, members};
use windrow_dsl::{Ends, macro_names::is_standard};

/// The version of the language that tokens are handed out in: who reads another version takes none of them.
const VERSION: u32 = 1;

/// The macro of `#[kernel(options)] item`; nothing where there is no function.
pub fn kernel(options: &TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2(item.clone()) {
        Ok(syn::ItemFn { sig, .. }) if sig.receiver().is_some() => TokenStream::new(),
        Ok(function) => {
            Exported::of(&Item::Fn(function)).map_or_else(TokenStream::new, |exported| exported.whole(options, item))
        }
        Err(_) => TokenStream::new(),
    }
}

/// The macro of `#[helper] item`, bound to what it uses. One with mistakes says so: they are told.
pub fn helper(item: &TokenStream, is_refused: bool) -> TokenStream {
    let read = syn::parse2(item.clone()).ok();
    let exported = read.as_ref().and_then(Exported::of);
    let options = if is_refused { quote!(refused) } else { quote!(helper) };
    exported.map_or_else(TokenStream::new, |exported| exported.whole(&options, item))
}

/// The macros of a module's kernels and helpers, and the module, which imports them: each hands itself out with what it shares with
/// others, or nothing, where that can't be part of it.
pub fn module(item: TokenStream) -> (TokenStream, TokenStream) {
    let Ok(mut module) = syn::parse2::<syn::ItemMod>(item.clone()) else { return (TokenStream::new(), item) };
    let Some((_, items)) = &mut module.content else { return (TokenStream::new(), item) };
    let members = members(items);
    let (mut names, mut macros) = (BTreeSet::new(), TokenStream::new());
    for Member { is_kernel, options, item, closed } in &members {
        let Some(exported) = Exported::of(item).filter(|exported| names.insert(exported.name)) else { continue };
        let options = if *is_kernel { options.clone() } else { quote!(helper) };
        let import = match closed {
            Some(closed) => {
                let (definition, import) = exported.parts(&options, &closed.to_token_stream());
                macros.extend(definition);
                import
            }
            None => exported.nothing(),
        };
        items.push(Item::Verbatim(import));
    }
    (macros, module.into_token_stream())
}

/// A macro that answers a pipeline for a function that hands out nothing.
pub(super) fn nothing(function: &syn::ItemFn) -> TokenStream {
    Exported::of(&Item::Fn(function.clone())).map_or_else(TokenStream::new, |exported| exported.nothing())
}

/// An item that a macro of its name hands out.
struct Exported<'i> {
    visibility: &'i Visibility,
    name: &'i Ident,
    ends: Ends,
}

impl Exported<'_> {
    /// `None` for a name that a macro can't have.
    fn of(item: &Item) -> Option<Exported<'_>> {
        let exported = match item {
            Item::Fn(function) => {
                Exported { visibility: &function.vis, name: &function.sig.ident, ends: Ends::of(function) }
            }
            Item::Const(constant) => {
                let first = constant.vis.to_token_stream().into_iter().next();
                let first = first.map_or(constant.const_token.span, |token| token.span());
                let ends = Ends { first, last: constant.semi_token.span };
                Exported { visibility: &constant.vis, name: &constant.ident, ends }
            }
            _ => return None,
        };
        (!is_standard(exported.name)).then_some(exported)
    }

    /// The macro and its import.
    fn whole(&self, options: &TokenStream, item: &TokenStream) -> TokenStream {
        let (definition, import) = self.parts(options, item);
        quote!(#definition #import)
    }

    fn parts(&self, options: &TokenStream, item: &TokenStream) -> (TokenStream, TokenStream) {
        // Exported macros of a crate share one name space.
        static EXPORTED: AtomicUsize = AtomicUsize::new(0);
        let number = EXPORTED.fetch_add(1, Ordering::Relaxed);
        // Written where its import is: a macro is found by names of the same expansion.
        let macro_name = format_ident!("__windrow_{}_{number}", self.name, span = self.ends.first);
        let version = VERSION;
        let definition = quote! {
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! #macro_name {
                ($back:path [ $($state:tt)* ]) => { $back! { [ $($state)* ] #version { #options } { #item } } };
            }
        };
        (definition, self.import(quote!(#macro_name as)))
    }

    /// The import of the macro that hands out nothing.
    fn nothing(&self) -> TokenStream {
        self.import(quote!(::windrow::__no_kernel as))
    }

    fn import(&self, path: TokenStream) -> TokenStream {
        let import = beside::import(self.visibility, self.ends, path, self.name);
        quote!(#[doc(hidden)] #import)
    }
}

/// What a macro has said: the options and the item, where it is of this version of the language.
pub(super) fn said(tokens: TokenStream) -> Option<(TokenStream, TokenStream)> {
    let said: Vec<TokenTree> = tokens.into_iter().collect();
    let [TokenTree::Literal(version), TokenTree::Group(options), TokenTree::Group(item)] = said.as_slice() else {
        return None;
    };
    let is_ours = version.to_string() == Literal::u32_suffixed(VERSION).to_string();
    is_ours.then(|| (options.stream(), item.stream()))
}
