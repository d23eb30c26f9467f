//! The names beside the author's function: a type, on which everything else hangs, and the macro that hands out the function's tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::Visibility;
use windrow_dsl::Ends;

/// The import of `path` by `name`, in the function's own place; `path` ends before the name.
///
/// rustc says once that a name is defined again in a place. So of two functions of one name it says what it says without windrow,
/// and nothing of what is imported by that name.
pub(super) fn import(visibility: &Visibility, ends: Ends, path: TokenStream, name: &Ident) -> TokenStream {
    let path = path.into_iter().map(|mut token| {
        token.set_span(ends.first);
        token
    });
    let name = Ident::new(&name.to_string(), ends.last);
    quote! {
        #[allow(unused_imports)]
        #visibility use #(#path)* #name;
    }
}

/// A function that holds the place of one with `types`, which stands in its copies alone: so rustc tells two of one name as it
/// tells any two functions.
pub(super) fn function(visibility: &Visibility, ends: Ends, name: &Ident) -> TokenStream {
    let (keyword, mut body) = (Ident::new("fn", ends.first), Group::new(Delimiter::Brace, TokenStream::new()));
    body.set_span(ends.last);
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #visibility #keyword #name() #body
    }
}

/// The items that declare a type called `name`, and the module that it is in.
///
/// Each has a module of its own: what hangs on the types of two functions of one name does not meet.
pub(super) fn named_type(
    name: &Ident,
    visibility: &Visibility,
    ends: Ends,
    docs: TokenStream,
    declaration: TokenStream,
) -> (TokenStream, Ident) {
    static NAMED: AtomicUsize = AtomicUsize::new(0);
    let number = NAMED.fetch_add(1, Ordering::Relaxed);
    let module = format_ident!("__windrow_type_{name}_{number}", span = Span::call_site());
    let import = import(visibility, ends, quote!(#module::), name);
    let items = quote! {
        #[allow(non_snake_case, unused_imports)]
        mod #module {
            // Links in the author's comment are read from here.
            use super::*;
            #docs
            #[allow(non_camel_case_types)]
            pub #declaration
        }
        #import
    };
    (items, module)
}
