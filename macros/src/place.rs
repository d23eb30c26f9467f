//! Where a kernel stands.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the items of a kernel so that an `impl` or a trait refuses them with one message that says so.
///
/// An attribute isn't told where it stands, and rustc would refuse each item by itself. So the items are the argument of a macro
/// that is defined just before: where no macro can be defined, rustc says that it finds none of its name, and reads no item.
/// Names differ, since a second macro of a name in one scope makes the first ambiguous.
pub fn in_a_module(items: TokenStream) -> TokenStream {
    static DEFINED: AtomicUsize = AtomicUsize::new(0);
    let number = DEFINED.fetch_add(1, Ordering::Relaxed);
    let name = format!("a_kernel_stands_in_a_module_and_not_in_an_impl_or_a_trait_{number}");
    let definition = format!("macro_rules! {name} {{ ($($items:tt)*) => {{ $($items)* }} }}");
    let mut out: TokenStream = definition.parse().unwrap_or_default();
    out.extend([
        TokenTree::from(Ident::new(&name, Span::call_site())),
        Punct::new('!', Spacing::Alone).into(),
        Group::new(Delimiter::Brace, items).into(),
    ]);
    out
}
