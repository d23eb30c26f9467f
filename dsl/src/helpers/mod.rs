//! Helpers: constants and functions that kernels of any module and crate share.
//!
//! `#[helper]` marks one, and `uses(path)` of a kernel names it. What a kernel uses becomes an item of its body, here, before
//! anything reads the kernel: so no phase behind this one knows of helpers, and a kernel that is handed to a pipeline brings them
//! along. The tokens come from the macro beside a helper, or from a [`Library`](crate::library::Library) where there are only files.

mod nested;

use crate::diagnostic::Diagnostic;
use crate::macro_names::is_standard;
use crate::messages::{self, Tokens};
use crate::{infer, keep, parse, refuse};
use nested::{insert, nested};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Ident, Item, Path, Token};

pub(crate) use nested::mentions;
pub use nested::{Member, members};

/// What `uses(..)` names in the options of a kernel, of a module of kernels or of a helper.
pub struct Uses {
    /// The paths, in the author's order.
    pub paths: Vec<Path>,
    /// The other options.
    pub options: TokenStream,
    /// The word `uses`.
    pub span: Span,
}

/// A helper's definition, read.
pub struct Helper {
    /// What stands in its place.
    pub items: TokenStream,
    /// The mistakes; empty where there are none.
    pub errors: Vec<Diagnostic>,
}

impl Uses {
    /// Reads options; `None` where they name nothing, and where what they name can't be read: the parser refuses that.
    pub fn of(options: &TokenStream) -> Option<Uses> {
        let (mut uses, mut others) = (None, Vec::new());
        for option in split(options) {
            match named(&option) {
                Some(named) if uses.is_none() => uses = Some((named, option[0].span())),
                _ => others.push(option.into_iter().collect::<TokenStream>()),
            }
        }
        uses.map(|(paths, span)| Uses { paths, options: quote!(#(#others),*), span })
    }

    /// Returns an item with the helpers that its options name, in their order, as items of its functions' bodies.
    ///
    /// # Errors
    /// A name that is said twice, or that the item does not mention; more tokens than a kernel may have.
    pub fn bind(&self, item: TokenStream, helpers: Vec<TokenStream>) -> Result<TokenStream, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let mut seen: Vec<&Ident> = Vec::new();
        for name in self.paths.iter().filter_map(name) {
            if seen.contains(&name) {
                mistakes.push(messages::OPTION_TWICE.at(name, &[&name.to_string()]));
            } else if !mentions(&item, name) {
                mistakes.push(messages::USES_NOTHING.at(name, &[&name.to_string()]));
            }
            seen.push(name);
        }
        mistakes.extend(parse::too_large(&item));
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let Ok(mut bound) = syn::parse2::<Item>(item.clone()) else { return Ok(item) };
        let names = self.paths.iter().filter_map(name);
        let nested = names.zip(helpers).filter_map(|(name, helper)| nested(name, syn::parse2(helper).ok()?));
        let nested: Vec<Item> = nested.collect();
        insert(&mut bound, &nested);
        let bound = bound.into_token_stream();
        match parse::too_large(&bound) {
            // Helpers that use helpers grow with every step.
            Some(mut mistake) => {
                (mistake.start, mistake.end) = (self.span, self.span);
                Err(vec![mistake])
            }
            None => Ok(bound),
        }
    }
}

/// Returns the name by which a body calls what a path leads to.
pub fn name(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

/// Reads a helper's definition: `#[helper(options)] item`, bound to what it uses itself.
///
/// ```
/// let item = "pub fn twice(a: u8) -> u16 { a as u16 * 2 }".parse()?;
/// let helper = windrow_dsl::helpers::read(Default::default(), item);
/// assert!(helper.errors.is_empty());
///
/// let wrong = "pub fn twice(a: u8) -> u16 { a * 2 }".parse()?;
/// assert_eq!(windrow_dsl::helpers::read(Default::default(), wrong).errors[0].message, "expected `u16`, found `u8`");
/// # Ok::<(), proc_macro2::LexError>(())
/// ```
pub fn read(options: TokenStream, item: TokenStream) -> Helper {
    let errors = mistakes(&options, &item);
    let items = match errors.is_empty() {
        // Kernels have a copy of their own.
        true => {
            let kept = keep::item(item);
            quote!(#[allow(dead_code)] #kept)
        }
        false => refuse::helper(item, &quote!(__refused)),
    };
    Helper { items, errors }
}

/// The mistakes that a definition has whatever it is called with: the proof runs where a kernel calls it.
fn mistakes(options: &TokenStream, item: &TokenStream) -> Vec<Diagnostic> {
    let is_kind = |item: &Item| matches!(item, Item::Fn(_) | Item::Const(_));
    let mut found = Vec::new();
    if !options.is_empty() {
        found.push(messages::HELPER_OPTION.at(Tokens(options), &[]));
    }
    match parse::read::<Item>(item, messages::NOT_A_HELPER, is_kind) {
        Err(error) => found.push(error),
        Ok(
            Item::Fn(syn::ItemFn { sig: syn::Signature { ident, .. }, .. }) | Item::Const(syn::ItemConst { ident, .. }),
        ) => {
            if is_standard(&ident) {
                found.push(messages::HELPER_NAME.at(&ident, &[&ident.to_string()]));
            }
            found.extend(types(item).err().unwrap_or_default());
        }
        Ok(_) => found.push(messages::NOT_A_HELPER.at(parse::keyword(item), &[])),
    }
    found
}

/// Finds the types of a helper by itself.
fn types(item: &TokenStream) -> Result<(), Vec<Diagnostic>> {
    let module = quote! { mod helper { #item #[kernel] fn __windrow_kernel(a: u8) -> u8 { a } } };
    let unit = parse::module(TokenStream::new(), module)?;
    unit.kernels.iter().try_for_each(|kernel| infer::infer(&unit, kernel, None).map(drop))
}

/// The options between commas.
fn split(options: &TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in options.clone() {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(Vec::new()),
            (_, Some(part)) => part.push(token),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What `uses(a::b, c)` names; `None` for any other option.
fn named(option: &[TokenTree]) -> Option<Vec<Path>> {
    let [TokenTree::Ident(word), TokenTree::Group(contents)] = option else { return None };
    if word != "uses" || contents.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    paths(contents.stream()).ok().filter(|paths| !paths.is_empty())
}

/// Paths between commas.
pub(crate) fn paths(tokens: TokenStream) -> syn::Result<Vec<Path>> {
    let parser = |input: syn::parse::ParseStream| {
        Punctuated::<Path, Token![,]>::parse_terminated_with(input, Path::parse_mod_style)
    };
    syn::parse::Parser::parse2(parser, tokens).map(|paths| paths.into_iter().collect())
}
