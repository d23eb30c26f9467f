//! Items of a module as items of a function's body.

use crate::parse;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Item, Stmt, parse_quote};

/// Whether tokens hold a name.
pub(crate) fn mentions(tokens: &impl ToTokens, name: &Ident) -> bool {
    fn holds(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == *name,
            TokenTree::Group(group) => holds(group.stream(), name),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    holds(tokens.to_token_stream(), name)
}

/// An item of a body, by the name that is known there: rustc has said of its definition what there is to say.
pub(super) fn nested(name: &Ident, mut item: Item) -> Option<Item> {
    let (attributes, visibility, own) = match &mut item {
        Item::Fn(function) => (&mut function.attrs, &mut function.vis, &mut function.sig.ident),
        Item::Const(constant) => (&mut constant.attrs, &mut constant.vis, &mut constant.ident),
        Item::Type(alias) => (&mut alias.attrs, &mut alias.vis, &mut alias.ident),
        _ => return None,
    };
    *own = Ident::new(&name.to_string(), own.span());
    *attributes = vec![parse_quote!(#[allow(warnings, clippy::all)])];
    *visibility = syn::Visibility::Inherited;
    Some(item)
}

/// Puts items where the bodies of an item see them: each function of a module has its own.
pub(super) fn insert(item: &mut Item, helpers: &[Item]) {
    match item {
        Item::Fn(function) => {
            function.block.stmts.splice(..0, helpers.iter().cloned().map(Stmt::Item));
        }
        Item::Const(constant) => {
            let value = &constant.expr;
            constant.expr = parse_quote!({ #(#helpers)* #value });
        }
        Item::Mod(module) => {
            let functions = module.content.iter_mut().flat_map(|(_, items)| items);
            functions.filter(|item| matches!(item, Item::Fn(_))).for_each(|item| insert(item, helpers));
        }
        _ => {}
    }
}

/// A kernel or a helper in a module of kernels.
pub struct Member {
    /// Whether it carries `#[kernel]`.
    pub is_kernel: bool,
    /// The options of its attribute.
    pub options: TokenStream,
    /// Itself, without the attribute.
    pub item: Item,
    /// As it means the same outside: the module's items that it mentions, and that these mention, are items of its body. `None` where
    /// its signature mentions one, or where one is an enum: no body holds that.
    pub closed: Option<Item>,
}

/// Returns the kernels and helpers of a module, in order.
pub fn members(module: &[Item]) -> Vec<Member> {
    let shared: Vec<(&Ident, &Item)> = module.iter().filter_map(|item| Some((shared_name(item)?, item))).collect();
    let member = |item: &Item| {
        let (attribute, plain) = parse::defining(item)?;
        let is_kernel = parse::is_attribute(attribute, "kernel");
        let closed = closed(item, plain.clone(), &shared);
        Some(Member { is_kernel, options: parse::options(attribute), item: plain, closed })
    };
    module.iter().filter_map(member).collect()
}

/// An item with what it shares with others of its module in its body.
fn closed(item: &Item, mut plain: Item, shared: &[(&Ident, &Item)]) -> Option<Item> {
    let outside = match &plain {
        Item::Fn(function) => function.sig.to_token_stream(),
        Item::Const(constant) => constant.ty.to_token_stream(),
        _ => return None,
    };
    let own = shared_name(item);
    if shared.iter().any(|(name, _)| own != Some(*name) && mentions(&outside, name)) {
        return None;
    }
    let mut found: Vec<(&Ident, &Item)> = Vec::new();
    let mut pending = vec![item];
    while let Some(next) = pending.pop() {
        for (name, item) in shared {
            let is_new = own != Some(*name) && found.iter().all(|(known, _)| known != name);
            if is_new && mentions(next, name) {
                found.push((name, item));
                pending.push(item);
            }
        }
    }
    let inside = found.into_iter().map(|(name, item)| nested(name, item.clone())).collect::<Option<Vec<Item>>>()?;
    insert(&mut plain, &inside);
    Some(plain)
}

/// The name of an item that the kernels of a module share.
fn shared_name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(function) if function.attrs.iter().any(|attribute| parse::is_attribute(attribute, "kernel")) => None,
        Item::Fn(function) => Some(&function.sig.ident),
        Item::Const(constant) => Some(&constant.ident),
        Item::Type(alias) => Some(&alias.ident),
        Item::Enum(closed) => Some(&closed.ident),
        _ => None,
    }
}
