//! The items of a file, each bound to the helpers that it uses.

use super::names::Names;
use super::{Library, Module};
use crate::diagnostic::Diagnostic;
use crate::helpers::Uses;
use crate::{helpers, parse};
use quote::ToTokens;
use std::rc::Rc;
use syn::{Attribute, Item, Meta, MetaList};

impl Library<'_> {
    /// Returns the items of a file without mistakes, each with the helpers that it uses in its body and without `uses(..)`.
    pub fn items(&self, text: &str) -> Vec<Item> {
        self.bound(text, parse::items(text).unwrap_or_default(), &mut Vec::new())
    }

    /// Binds the items of a file's text; one that names no helper is left out, with a mistake. A helper of the file is checked, too.
    pub(crate) fn bound(&self, text: &str, items: Vec<Item>, mistakes: &mut Vec<Diagnostic>) -> Vec<Item> {
        let module = Module { krate: None, text: Rc::from(text), names: Names::of(&items) };
        let bound = items.into_iter().map(|item| self.bound_item(&module, item));
        let mut kept = Vec::new();
        for item in bound {
            match item {
                Ok(Item::Mod(mut plain)) if !is(&plain.attrs, "kernels") => {
                    let inner = plain.content.as_mut().map(|(_, items)| items);
                    inner.into_iter().for_each(|items| *items = self.bound(text, std::mem::take(items), mistakes));
                    kept.push(Item::Mod(plain));
                }
                Ok(item) => kept.push(item),
                Err(found) => mistakes.extend(found),
            }
        }
        kept
    }

    fn bound_item(&self, module: &Module, mut item: Item) -> Result<Item, Vec<Diagnostic>> {
        let is_helper = parse::is_helper(&item);
        let name = match &item {
            Item::Mod(_) => "kernels",
            _ if is_helper => "helper",
            _ => "kernel",
        };
        let Some(attributes) = attributes(&mut item) else { return Ok(item) };
        let Some(at) = attributes.iter().position(|attribute| parse::is_attribute(attribute, name)) else {
            return Ok(item);
        };
        let options = parse::options(&attributes[at]);
        if !is_helper && Uses::of(&options).is_none() {
            return Ok(item);
        }
        let mut attribute = attributes.remove(at);
        let (options, bound) = self.bind(module, &options, item.to_token_stream(), 0)?;
        if is_helper {
            let errors = helpers::read(options, bound).errors;
            return if errors.is_empty() { Ok(item) } else { Err(errors) };
        }
        let Ok(mut bound) = syn::parse2::<Item>(bound) else { return Ok(item) };
        attribute.meta = match attribute.meta {
            Meta::List(list) if options.is_empty() => Meta::Path(list.path),
            Meta::List(list) => Meta::List(MetaList { tokens: options, ..list }),
            other => other,
        };
        if let Some(attributes) = self::attributes(&mut bound) {
            attributes.insert(0, attribute);
        }
        Ok(bound)
    }
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Fn(item) => Some(&mut item.attrs),
        Item::Const(item) => Some(&mut item.attrs),
        Item::Mod(item) => Some(&mut item.attrs),
        _ => None,
    }
}

fn is(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| parse::is_attribute(attribute, name))
}
