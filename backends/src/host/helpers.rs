//! What windrow's attributes write of a kernel, a module of kernels and a helper, once it is bound to the helpers that it uses.
//!
//! The tokens of the helpers are collected one after another: each helper's macro ([`export`](super::export)) calls [`collect`], which
//! calls the next one's.

use super::{build::per_architecture, export, refusal};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::helpers::{self, Uses, name};
use windrow_dsl::{messages, refused_helper, refused_kernel, refused_kernel_by, refused_module, refused_module_by};

/// What carries an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function with `#[kernel]`.
    Kernel,
    /// A module with `#[kernels]`.
    Kernels,
    /// A function or a constant with `#[helper]`.
    Helper,
}

/// An item, its options, and the helpers that have come so far.
struct Collected {
    kind: Kind,
    options: TokenStream,
    item: TokenStream,
    helpers: Vec<TokenStream>,
}

/// What an attribute writes in its item's place: the item bound to what it uses, or the call of the first helper's macro.
pub fn attribute(kind: Kind, options: TokenStream, item: TokenStream) -> TokenStream {
    Collected { kind, options, item, helpers: Vec::new() }.next()
}

/// Whether an item is a function, and no method.
pub fn is_free_function(item: &TokenStream) -> bool {
    syn::parse2::<syn::ItemFn>(item.clone()).is_ok_and(|function| function.sig.receiver().is_none())
}

/// A helper's tokens have come, or those of what is none.
pub fn collect(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let Some(TokenTree::Group(state)) = tokens.next() else { return TokenStream::new() };
    let Some(mut collected) = Collected::read(state.stream()) else { return TokenStream::new() };
    let said = tokens.collect::<TokenStream>();
    match export::said(said.clone()) {
        Some((options, item)) if options.to_string() == "helper" => {
            collected.helpers.push(item);
            collected.next()
        }
        Some((options, _)) if options.to_string() == "refused" => collected.refused_with_helper(),
        handed => collected.refused_helper(handed.is_some(), said.is_empty()),
    }
}

/// A path as a module inside says it.
fn from_inside(path: Option<Path>) -> TokenStream {
    let Some(path) = path else { return TokenStream::new() };
    let is = |word: &str| path.segments.first().is_some_and(|first| first.ident == word);
    let behind = path.segments.iter().skip(1);
    match (path.leading_colon.is_some() || is("crate"), is("self")) {
        (true, _) => path.into_token_stream(),
        (false, true) => quote!(super #(::#behind)*),
        (false, false) => quote!(super::#path),
    }
}

impl Kind {
    const ALL: [(&'static str, Kind); 3] =
        [("kernel", Kind::Kernel), ("kernels", Kind::Kernels), ("helper", Kind::Helper)];

    fn word(self) -> Ident {
        let word = Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word);
        Ident::new(word, Span::call_site())
    }
}

impl Collected {
    fn read(state: TokenStream) -> Option<Collected> {
        let mut tokens = state.into_iter();
        let Some(TokenTree::Ident(word)) = tokens.next() else { return None };
        let (_, kind) = Kind::ALL.into_iter().find(|(known, _)| word == known)?;
        let mut groups = tokens.filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        });
        Some(Collected { kind, options: groups.next()?, item: groups.next()?, helpers: groups.collect() })
    }

    fn state(&self) -> TokenStream {
        let mut state = TokenStream::from(TokenTree::from(self.kind.word()));
        for part in [&self.options, &self.item].into_iter().chain(&self.helpers) {
            state.extend([TokenTree::from(Group::new(Delimiter::Brace, part.clone()))]);
        }
        state
    }

    /// The call of the next helper's macro, or the item with all of them.
    fn next(self) -> TokenStream {
        let Some(uses) = Uses::of(&self.options) else { return self.written(Span::call_site()) };
        if let Some(path) = uses.paths.get(self.helpers.len()) {
            let state = self.state();
            return quote!(#path! { ::windrow::__rt::collect_helpers [ #state ] });
        }
        match uses.bind(self.item.clone(), self.helpers.clone()) {
            Ok(item) => {
                // What calls here is the last helper's macro: rustc shall show the attribute instead.
                let span = Span::call_site().located_at(uses.span);
                Collected { options: uses.options, item, helpers: Vec::new(), ..self }.written(span)
            }
            Err(mistakes) => self.refused(&mistakes),
        }
    }

    /// What an attribute at `span` writes of an item that uses nothing, or that what it uses is part of.
    fn written(self, span: Span) -> TokenStream {
        let Collected { kind, options, item, .. } = self;
        match kind {
            Kind::Kernel => {
                let mut out = export::kernel(&options, &item);
                out.extend(per_architecture("expand_kernel", span, options, item));
                out
            }
            Kind::Kernels => {
                let (mut out, module) = export::module(item);
                out.extend(per_architecture("expand_kernels", span, options, module));
                out
            }
            Kind::Helper => {
                let helper = helpers::read(options, item.clone());
                let macro_of = export::helper(&item, !helper.errors.is_empty());
                let (items, refusal) = (helper.items, refusal(&helper.errors));
                quote!(#items #macro_of #refusal)
            }
        }
    }

    /// The path of the next helper.
    fn path(&self) -> Option<Path> {
        Uses::of(&self.options)?.paths.get(self.helpers.len()).cloned()
    }

    /// The next helper has mistakes, which are told where it is defined.
    fn refused_with_helper(self) -> TokenStream {
        let path = self.path();
        let helper = path.to_token_stream();
        match self.kind {
            Kind::Kernel => refused_kernel_by(&self.options, self.item, &helper),
            Kind::Kernels => refused_module_by(self.item, &from_inside(path)),
            Kind::Helper => {
                let (stand_in, macro_of) =
                    (refused_helper(self.item.clone(), &helper), export::helper(&self.item, true));
                quote!(#stand_in #macro_of)
            }
        }
    }

    /// The path at which the next helper should be leads to something else.
    fn refused_helper(self, is_kernel: bool, is_nothing: bool) -> TokenStream {
        let path = self.path();
        let Some(name) = path.as_ref().and_then(name) else { return TokenStream::new() };
        let help = match (is_kernel, is_nothing) {
            (true, _) => messages::HELPER_NOT_KERNEL,
            (false, true) => {
                "it hands out nothing: mark a function or a constant with `#[helper]`; in a module of kernels its signature names nothing of the module"
            }
            (false, false) => {
                "its crate is built with another version of windrow's language: give both the same version"
            }
        };
        let mistake = messages::USES_NO_HELPER.at(name, &[&name.to_string(), help]);
        self.refused(&[mistake])
    }

    fn refused(self, mistakes: &[Diagnostic]) -> TokenStream {
        let stand_in = match self.kind {
            Kind::Kernel => refused_kernel(&self.options, self.item),
            Kind::Kernels => refused_module(self.item),
            Kind::Helper => refused_helper(self.item, &quote!(__refused)),
        };
        let refusal = refusal(mistakes);
        quote!(#stand_in #refusal)
    }
}
