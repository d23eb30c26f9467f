//! Tokens to syntax: refuses, at the author's own token, every form that is not part of the language.
//!
//! [`kernel`] and [`module`] are the two doors. syn reads Rust's grammar; what is read is turned into
//! [`crate::syntax`], which has room only for what a kernel may say.

pub(crate) mod attribute;
pub(crate) mod expression;
mod guard;
pub(crate) mod option;
mod pattern;
pub(crate) mod signature;
mod span;
mod statement;
pub(crate) mod types;

pub use guard::too_deep;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::messages::{self, Located, Tokens};
use crate::syntax::*;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::Ident;

/// How deep expressions and blocks may nest.
const MAX_DEPTH: u32 = 160;

/// Names of types that a kernel's signature may use, besides those of scalars.
const TYPES: [&str; 7] = ["usize", "Neighbourhood", "View", "At", "Table", "Overflow", "Rounding"];

/// The most named items of a unit.
const MAX_ITEMS: usize = 512;

/// Reads a function and its attribute.
pub fn kernel(attribute: TokenStream, item: TokenStream) -> Result<Unit, Vec<Diagnostic>> {
    let is_kind = |item: &syn::Item| matches!(item, syn::Item::Fn(_));
    let source = read::<syn::ItemFn>(&item, messages::NOT_A_FUNCTION, is_kind).map_err(|error| vec![error])?;
    let mut parser = Parser::default();
    parser.kernel(attribute, &source);
    parser.finish()
}

/// Reads a module of kernels and its attribute.
pub fn module(attribute: TokenStream, item: TokenStream) -> Result<Unit, Vec<Diagnostic>> {
    let is_kind = |item: &syn::Item| matches!(item, syn::Item::Mod(_));
    let source = read::<syn::ItemMod>(&item, messages::NOT_A_MODULE, is_kind).map_err(|error| vec![error])?;
    let mut parser = Parser::default();
    parser.module(attribute, &source);
    parser.finish()
}

/// The items of a Rust file.
pub fn file(source: &str) -> Result<Vec<syn::Item>, Diagnostic> {
    let tokens: TokenStream = match source.parse() {
        Ok(tokens) => tokens,
        Err(error) => {
            let refused = messages::SYNTAX.at(error.span(), &["a bracket or a quote here has no partner"]);
            return Err(refused.helped("close what is open, or take out what closes nothing"));
        }
    };
    guard::check(&tokens)?;
    let file = syn::parse2::<syn::File>(tokens.clone()).map_err(|error| syntax_error(&tokens, &error))?;
    Ok(file.items)
}

/// The units among items, in order: each kernel, and each module of kernels, those in plain modules too.
pub fn units(items: &[syn::Item]) -> Vec<Result<Unit, Vec<Diagnostic>>> {
    let mut units = Vec::new();
    find_units(items, &mut units);
    units
}

fn find_units(items: &[syn::Item], units: &mut Vec<Result<Unit, Vec<Diagnostic>>>) {
    let mut names = BTreeSet::new();
    for item in items {
        units.extend(misplaced(item).map(|error| Err(vec![error])));
        match item {
            syn::Item::Fn(function) => {
                if let Some(attribute) = function.attrs.iter().find(|a| is_attribute(a, "kernel")) {
                    let mut parser = Parser::default();
                    parser.unique(&mut names, &function.sig.ident);
                    parser.kernel(options(attribute), function);
                    units.push(parser.finish());
                }
            }
            syn::Item::Mod(inner) => match inner.attrs.iter().find(|a| is_attribute(a, "kernels")) {
                Some(attribute) => {
                    let mut parser = Parser::default();
                    parser.module(options(attribute), inner);
                    units.push(parser.finish());
                }
                None => find_units(inner.content.as_ref().map_or(&[], |(_, items)| items), units),
            },
            syn::Item::Impl(inner) => units.extend(inner.items.iter().filter_map(|item| match item {
                syn::ImplItem::Fn(function) => not_free(&function.attrs, &function.sig),
                _ => None,
            })),
            syn::Item::Trait(inner) => units.extend(inner.items.iter().filter_map(|item| match item {
                syn::TraitItem::Fn(function) => not_free(&function.attrs, &function.sig),
                _ => None,
            })),
            _ => {}
        }
    }
}

/// `#[kernel]` on a function of an `impl` or a trait. The attribute itself can't see where it stands, but that there is a `self`.
fn not_free(attributes: &[syn::Attribute], signature: &syn::Signature) -> Option<Result<Unit, Vec<Diagnostic>>> {
    attributes.iter().find(|attribute| is_attribute(attribute, "kernel"))?;
    Some(Err(vec![match signature.receiver() {
        Some(receiver) => messages::SELF_PARAMETER.at(Tokens(receiver), &[]),
        None => messages::NOT_FREE.at(&signature.ident, &[]),
    }]))
}

/// What carries `#[pipeline]` in a Rust file that can be read, in order, those in plain modules too: its options, and the item.
pub fn pipelines(source: &str) -> Vec<(TokenStream, TokenStream)> {
    let mut found = Vec::new();
    find_pipelines(&items(source).unwrap_or_default(), &mut found);
    found
}

/// The items of a Rust file that can be read.
pub fn items(source: &str) -> Option<Vec<syn::Item>> {
    let tokens = source.parse::<TokenStream>().ok()?;
    guard::check(&tokens).ok()?;
    Some(syn::parse2::<syn::File>(tokens).ok()?.items)
}

fn find_pipelines(items: &[syn::Item], found: &mut Vec<(TokenStream, TokenStream)>) {
    for item in items {
        match (pipeline(item), item) {
            (Some(pipeline), _) => found.push(pipeline),
            (None, syn::Item::Mod(module)) if !module.attrs.iter().any(|a| is_attribute(a, "kernels")) => {
                find_pipelines(module.content.as_ref().map_or(&[], |(_, items)| items), found);
            }
            (None, _) => {}
        }
    }
}

/// The options and the tokens of an item that carries `#[pipeline]`.
pub fn pipeline(item: &syn::Item) -> Option<(TokenStream, TokenStream)> {
    let attribute = attributes(item).iter().find(|attribute| is_attribute(attribute, "pipeline"))?;
    Some((options(attribute), item.to_token_stream()))
}

/// Whether an item carries `#[helper]`.
pub fn is_helper(item: &syn::Item) -> bool {
    attributes(item).iter().any(|attribute| is_attribute(attribute, "helper"))
}

/// What an item defines for other modules: its attribute of windrow's, and the item without it.
pub fn defining(item: &syn::Item) -> Option<(&syn::Attribute, syn::Item)> {
    let is_own =
        |attribute: &syn::Attribute| ["kernel", "pipeline", "helper"].iter().any(|name| is_attribute(attribute, name));
    let attribute = attributes(item).iter().find(|attribute| is_own(attribute))?;
    let mut plain = item.clone();
    match &mut plain {
        syn::Item::Fn(function) => function.attrs.retain(|attribute| !is_own(attribute)),
        syn::Item::Const(constant) => constant.attrs.retain(|attribute| !is_own(attribute)),
        _ => return None,
    }
    Some((attribute, plain))
}

/// Tokens that all stand at one place.
pub fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let token = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = proc_macro2::Group::new(group.delimiter(), respanned(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(token).collect()
}

/// The attributes of an item that may carry one of windrow's.
fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// An attribute of windrow's on an item of another kind than it belongs on.
fn misplaced(item: &syn::Item) -> Option<Diagnostic> {
    use syn::Item::{Const, Fn, Mod};
    let kinds = [
        ("kernel", messages::NOT_A_FUNCTION, matches!(item, Fn(_))),
        ("kernels", messages::NOT_A_MODULE, matches!(item, Mod(_))),
        ("helper", messages::NOT_A_HELPER, matches!(item, Fn(_) | Const(_))),
    ];
    let wrong = |attribute: &syn::Attribute| {
        let of_another =
            |(name, _, is_kind): &&(&str, messages::Message, bool)| !is_kind && is_attribute(attribute, name);
        let (_, message, _) = kinds.iter().find(of_another)?;
        Some(message.at(Tokens(attribute.path()), &[]))
    };
    attributes(item).iter().find_map(wrong)
}

/// Whether an attribute's options hold `types`.
pub fn declares_types(options: TokenStream) -> bool {
    options.into_iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == "types"))
}

/// Whether an attribute is the one of this name, written alone or behind a path.
pub fn is_attribute(attribute: &syn::Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
}

/// The attribute's own options.
pub fn options(attribute: &syn::Attribute) -> TokenStream {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => TokenStream::new(),
    }
}

/// Reads an item of one kind.
pub(crate) fn read<S: syn::parse::Parse>(
    item: &TokenStream,
    wrong_kind: messages::Message,
    is_kind: impl Fn(&syn::Item) -> bool,
) -> Result<S, Diagnostic> {
    guard::check(item)?;
    syn::parse2::<S>(item.clone()).map_err(|error| match syn::parse2::<syn::Item>(item.clone()) {
        Ok(other) if !is_kind(&other) => wrong_kind.at(keyword(item), &[]),
        Ok(_) | Err(_) => syntax_error(item, &error),
    })
}

/// What is wrong with tokens that a parser can't be given.
pub fn too_large(tokens: &TokenStream) -> Option<Diagnostic> {
    guard::check(tokens).err()
}

/// The word that says what an item is: the first behind attributes and visibility.
pub(crate) fn keyword(item: &TokenStream) -> Span {
    let idents = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) if ident != "pub" => Some(ident.span()),
        TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    idents.into_iter().next().unwrap_or_else(Span::call_site)
}

/// What syn refused, or the reason that a reader of Rust would give.
pub fn syntax_error(tokens: &TokenStream, error: &syn::Error) -> Diagnostic {
    cast_then_shift(tokens.clone()).unwrap_or_else(|| {
        let (said, refused) = (error.to_string(), |said: &str| messages::SYNTAX.at(error.span(), &[said]));
        match said.as_str() {
            "unexpected token, expected `]`" => refused(&said)
                .helped("an index is one value: the place of an element has brackets of its own, `src[[y, x]]`"),
            "expected `;`" => refused(&said).helped("end the statement before this by `;`"),
            said if said.ends_with("expected an expression") => {
                refused(said).helped("write the value that is missing here")
            }
            said => refused(said),
        }
    })
}

/// Finds `as i16 <<` and `as i16 <`, which Rust reads as the start of generic arguments.
fn cast_then_shift(tokens: TokenStream) -> Option<Diagnostic> {
    let mut pending = vec![tokens];
    while let Some(stream) = pending.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        for window in tokens.windows(4) {
            if let [TokenTree::Ident(word), TokenTree::Ident(ty), TokenTree::Punct(first), second] = window
                && word == "as"
                && first.as_char() == '<'
            {
                let shift = matches!(second, TokenTree::Punct(p) if p.as_char() == '<');
                let operator = if shift { "<<" } else { "<" };
                return Some(messages::CAST_THEN_SHIFT.at((word.span(), first.span()), &[&ty.to_string(), operator]));
            }
        }
        pending.extend(tokens.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }));
    }
    None
}

/// Builds a unit, numbers its expressions and bindings, and collects the mistakes.
#[derive(Default)]
struct Parser {
    unit: Unit,
    errors: Diagnostics,
    depth: u32,
    too_deep: bool,
    /// Whether a parameter is a reference, which was refused: that says what dereferencing it would.
    has_references: bool,
}

impl Parser {
    fn finish(self) -> Result<Unit, Vec<Diagnostic>> {
        self.errors.finish().map(|()| self.unit)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.report(diagnostic);
    }

    /// Numbers an expression.
    fn make(&mut self, kind: ExprKind, place: impl Located) -> Expr {
        let id = ExprId(self.unit.expressions);
        self.unit.expressions += 1;
        let (start, end) = place.place();
        Expr { id, kind, start, end }
    }

    /// Names stand in the texts of all targets.
    fn check_name(&mut self, name: &Ident) {
        let text = name.to_string();
        if text.starts_with("r#") || !text.is_ascii() {
            self.report(messages::NAME.at(name, &[&text]));
        }
    }

    /// A kernel's name becomes a type's, and must not hide one.
    fn check_kernel_name(&mut self, name: &Ident) {
        let text = name.to_string();
        self.check_name(name);
        if expression::scalar_type(&text).is_some() || TYPES.contains(&text.as_str()) {
            self.report(messages::NAME_OF_TYPE.at(name, &[&text]));
        }
    }

    /// Numbers a binding.
    fn bind(&mut self, name: &Ident, mutable: bool) -> LocalId {
        self.check_name(name);
        self.unit.locals.push(Local { name: name.clone(), mutable });
        LocalId(self.unit.locals.len() as u32 - 1)
    }

    /// Numbers an item.
    fn declare(&mut self, name: &Ident, kind: ItemKind) -> ItemId {
        if self.unit.items.len() == MAX_ITEMS {
            let words = (format!("more than {MAX_ITEMS}"), MAX_ITEMS.to_string());
            self.report(messages::TOO_MANY_ITEMS.at(name, &[&words.0, "items", &words.1]));
        }
        self.unit.items.push(Item { name: name.clone(), kind });
        ItemId(self.unit.items.len() as u32 - 1)
    }

    fn kernel(&mut self, attribute: TokenStream, source: &syn::ItemFn) {
        let attribute = self.attribute(attribute);
        self.check_modifiers(source);
        self.check_kernel_name(&source.sig.ident);
        let parameters = self.parameters(&source.sig);
        let output = self.output(&source.sig);
        let body = self.block(&source.block);
        if let (Some(output), false) = (output, self.too_deep) {
            let tokens = attribute.types.is_some().then(|| source.to_token_stream());
            self.unit.kernels.push(KernelItem {
                attribute,
                name: source.sig.ident.clone(),
                visibility: source.vis.clone(),
                ends: Ends::of(source),
                tokens,
                docs: docs(&source.attrs),
                parameters,
                output,
                body,
            });
        }
    }

    /// Reports a kernel that is called as another of its module.
    fn unique<'a>(&mut self, names: &mut BTreeSet<&'a Ident>, name: &'a Ident) {
        if !names.insert(name) {
            self.report(messages::KERNEL_TWICE.at(name, &[&name.to_string()]));
        }
    }

    /// Reads the items that kernels share, then the kernels.
    fn module(&mut self, attribute: TokenStream, source: &syn::ItemMod) {
        if !attribute.is_empty() {
            self.report(messages::KERNELS_OPTION.at(Tokens(&attribute), &[]));
        }
        let Some((_, items)) = &source.content else {
            return self.report(messages::NOT_A_MODULE.at(&source.ident, &[]));
        };
        for item in items {
            let helper = attributes(item).iter().find(|attribute| is_attribute(attribute, "helper"));
            if let Some(options) = helper.map(options).filter(|options| !options.is_empty()) {
                self.report(messages::USES_INSIDE.at(Tokens(&options), &[]));
            }
            if let Some(id) = self.shared_item(item) {
                self.unit.shared.push(id);
            }
        }
        let mut names = BTreeSet::new();
        for item in items {
            if let syn::Item::Fn(function) = item
                && let Some(attribute) = function.attrs.iter().find(|a| is_attribute(a, "kernel"))
            {
                self.unique(&mut names, &function.sig.ident);
                self.kernel(options(attribute), function);
            }
        }
        if names.is_empty() {
            self.report(messages::KERNELS_EMPTY.at(&source.ident, &[]));
        }
    }
}

/// The lines of a doc comment.
fn docs(attributes: &[syn::Attribute]) -> Vec<String> {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            path,
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }),
            ..
        }) if path.is_ident("doc") => Some(text.value()),
        _ => None,
    });
    lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect()
}
