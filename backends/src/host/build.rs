//! For which build items are written: a kernel is expanded for the architecture that it is compiled for, and has its OpenCL
//! programs where the facade runs them.
//!
//! A macro is not told the architecture. So the attribute writes another in its own place, once for each architecture that
//! has bodies, behind a `cfg_attr`: rustc expands the one that holds. `macros` calls this.

use crate::targets::{CPU, CpuTarget};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// What a build needs of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// The `target_arch` whose bodies are written, beside plain Rust.
    pub architecture: Architecture,
    /// Whether OpenCL programs are written.
    pub has_opencl: bool,
    /// The features whose targets' bodies are written too: [`CpuTarget::feature`].
    pub features: &'static [&'static str],
}

/// Architectures that bodies are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Each that has bodies.
    Every,
    /// One of them.
    One(&'static str),
    /// One that has none.
    Other,
}

impl Build {
    /// Any build without features for targets.
    pub const EVERY: Self = Self { architecture: Architecture::Every, has_opencl: true, features: &[] };

    /// The targets whose bodies are written.
    pub fn targets(self) -> impl Iterator<Item = &'static CpuTarget> {
        let is_of_architecture = move |target: &&CpuTarget| match (self.architecture, target.architecture) {
            (Architecture::Every, _) | (_, None) => true,
            (Architecture::One(wanted), Some(own)) => wanted == own,
            (Architecture::Other, Some(_)) => false,
        };
        let is_on = move |target: &&CpuTarget| target.feature.is_none_or(|feature| self.features.contains(&feature));
        CPU.iter().filter(is_of_architecture).filter(is_on)
    }

    /// The build that comes before the options of an attribute, as `per_architecture` writes it, and these options.
    pub fn of(attribute: TokenStream, has_opencl: bool, features: &'static [&'static str]) -> (Self, TokenStream) {
        let mut tokens = attribute.into_iter();
        let architecture = match tokens.next() {
            Some(TokenTree::Ident(name)) => architectures()
                .find(|architecture| name == *architecture)
                .map_or(Architecture::Other, Architecture::One),
            _ => Architecture::Every,
        };
        // A comma parts them.
        (Self { architecture, has_opencl, features }, tokens.skip(1).collect())
    }
}

/// The architectures that have bodies, each once.
fn architectures() -> impl Iterator<Item = &'static str> {
    let own = |place: usize| CPU[place].architecture;
    (0..CPU.len()).filter(move |&place| (0..place).all(|before| own(before) != own(place))).filter_map(own)
}

/// The item behind the attribute `name` of the facade's, whose options say for which architecture it is expanded. The attribute
/// stands at `span`.
pub fn per_architecture(name: &str, span: Span, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let name = Ident::new(name, span);
    let mut out = TokenStream::new();
    for architecture in architectures() {
        let word = Ident::new(architecture, span);
        out.extend(
            quote_spanned!(span=> #[cfg_attr(target_arch = #architecture, ::windrow::__rt::#name(#word, #attribute))]),
        );
    }
    let known = architectures();
    let any = quote!(any(#(target_arch = #known),*));
    out.extend(quote_spanned!(span=> #[cfg_attr(not(#any), ::windrow::__rt::#name(other, #attribute))]));
    out.extend(item);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{expand_kernel, expand_kernel_for};
    use std::collections::BTreeMap;

    const KERNEL: &str = "fn half(#[uniform(1..=8)] by: u8, a: u8) -> u8 { a / by }";

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap_or_default()
    }

    #[test]
    fn each_architecture_has_its_attribute() {
        let written = per_architecture("expand_kernel", Span::call_site(), tokens("step(32, 1)"), tokens(KERNEL));
        let file: syn::File = syn::parse2(written).unwrap_or_else(|error| panic!("{error}"));
        let [syn::Item::Fn(function)] = file.items.as_slice() else { panic!("no function") };
        let of = |attribute: &syn::Attribute| match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        let attributes: Vec<String> = function.attrs.iter().map(of).collect();
        let options = |text: &String| text.split_once("expand_kernel (").map(|(_, options)| options.to_owned());
        let found: Vec<_> = attributes.iter().filter_map(options).collect();
        assert_eq!(found, ["aarch64 , step (32 , 1))", "x86_64 , step (32 , 1))", "other , step (32 , 1))"]);
    }

    #[test]
    fn options_follow_the_architecture() {
        let of = |text: &str| {
            let (build, options) = Build::of(tokens(text), false, &[]);
            (build.architecture, options.to_string())
        };
        assert_eq!(of("x86_64, step(32, 1)"), (Architecture::One("x86_64"), tokens("step(32, 1)").to_string()));
        assert_eq!(of("other,"), (Architecture::Other, String::new()));
    }

    /// The functions that are items of constants, by name.
    fn functions(tokens: TokenStream) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let file: syn::File = syn::parse2(tokens).unwrap_or_else(|error| panic!("{error}"));
        let mut items = file.items;
        while let Some(item) = items.pop() {
            match item {
                syn::Item::Fn(function) => {
                    _ = found.insert(function.sig.ident.to_string(), quote!(#function).to_string())
                }
                syn::Item::Const(syn::ItemConst { expr, .. }) => {
                    let syn::Expr::Block(block) = *expr else { continue };
                    let of = |statement| if let syn::Stmt::Item(item) = statement { Some(item) } else { None };
                    items.extend(block.block.stmts.into_iter().filter_map(of));
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn a_build_has_its_own_bodies() {
        let every = functions(expand_kernel(TokenStream::new(), tokens(KERNEL)));
        let cases = [
            (Architecture::One("x86_64"), ["avx2_0", "sse41_0", "scalar_0"].as_slice()),
            (Architecture::One("aarch64"), &["neon_0", "scalar_0"]),
            (Architecture::Other, &["scalar_0"]),
        ];
        for (architecture, bodies) in cases {
            let build = Build { architecture, has_opencl: true, features: &[] };
            let own = functions(expand_kernel_for(build, TokenStream::new(), tokens(KERNEL)));
            assert!(own.iter().all(|(name, text)| every[name] == *text), "{architecture:?}");
            let is_left_out = |name: &&String| name.ends_with("_0") && !bodies.contains(&name.as_str());
            assert_eq!(own.len() + every.keys().filter(is_left_out).count(), every.len(), "{architecture:?}");
            assert!(bodies.iter().all(|body| own.contains_key(*body)), "{architecture:?}");
        }
    }

    #[test]
    fn a_build_without_opencl_has_no_program() {
        let of = |has_opencl| {
            let build = Build { architecture: Architecture::Other, has_opencl, features: &[] };
            expand_kernel_for(build, TokenStream::new(), tokens(KERNEL)).to_string()
        };
        assert!(of(true).contains("__kernel void") && !of(false).contains("__kernel void"));
    }
}
