//! Blocks, statements and the items that stand in them.

use super::Parser;
use crate::messages::{self, Tokens};
use crate::syntax::*;
use quote::ToTokens;

impl Parser {
    /// Reads a block: its items first, since all of it sees them.
    pub(super) fn block(&mut self, source: &syn::Block) -> CodeBlock {
        let end = source.brace_token.span.close();
        let mut block = CodeBlock { items: Vec::new(), statements: Vec::new(), tail: None, end };
        let Some(()) = self.descend(source.brace_token.span.open()) else { return block };
        for statement in &source.stmts {
            if let syn::Stmt::Item(item) = statement
                && let Some(id) = self.nested_item(item)
            {
                block.items.push(id);
            }
        }
        let last = source.stmts.len().saturating_sub(1);
        for (position, statement) in source.stmts.iter().enumerate() {
            match statement {
                syn::Stmt::Local(local) => {
                    let statement = self.local(local);
                    block.statements.push(statement);
                }
                syn::Stmt::Item(_) => {}
                syn::Stmt::Expr(value, None) if position == last => block.tail = Some(Box::new(self.expr(value))),
                syn::Stmt::Expr(value, semicolon) => {
                    let value = self.expr(value);
                    block.statements.push(Statement::Expr(value, *semicolon));
                }
                syn::Stmt::Macro(statement) => self.refused_macro(&statement.mac),
            }
        }
        self.depth -= 1;
        block
    }

    fn local(&mut self, local: &syn::Local) -> Statement {
        self.refuse_attributes(&local.attrs);
        let value = local.init.as_ref().map(|init| {
            if let Some((keyword, _)) = &init.diverge {
                self.report(messages::LET_ELSE.at(Tokens(keyword), &[]));
            }
            self.expr(&init.expr)
        });
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(Box::new(self.ty(&typed.ty)))),
            pattern => (pattern, None),
        };
        Statement::Let { pattern: self.pattern(pattern), ty, value }
    }

    /// An item inside a body.
    fn nested_item(&mut self, item: &syn::Item) -> Option<ItemId> {
        match item {
            syn::Item::Use(item) => {
                self.report(messages::USE_ITEM.at(Tokens(&item.use_token), &[]));
                None
            }
            syn::Item::Enum(item) => {
                self.report(messages::ITEM.at(Tokens(&item.enum_token), &[]));
                None
            }
            other => self.shared_item(other),
        }
    }

    /// An item that kernels share, or one inside a body. Kernels themselves, and `use`, are none.
    pub(super) fn shared_item(&mut self, item: &syn::Item) -> Option<ItemId> {
        match item {
            syn::Item::Const(item) => {
                let ty = self.ty(&item.ty);
                let value = self.expr(&item.expr);
                Some(self.declare(&item.ident, ItemKind::Const { ty: Box::new(ty), value: Box::new(value) }))
            }
            syn::Item::Fn(item) if item.attrs.iter().any(|a| super::is_attribute(a, "kernel")) => None,
            syn::Item::Fn(item) => self.helper(item),
            syn::Item::Type(item) => {
                let ty = self.ty(&item.ty);
                Some(self.declare(&item.ident, ItemKind::Alias { ty: Box::new(ty) }))
            }
            syn::Item::Enum(item) => self.closed_enum(item),
            syn::Item::Use(_) => None,
            other => {
                let first = other.to_token_stream().into_iter().next();
                self.report(messages::ITEM.at(first.map_or_else(proc_macro2::Span::call_site, |t| t.span()), &[]));
                None
            }
        }
    }

    fn closed_enum(&mut self, item: &syn::ItemEnum) -> Option<ItemId> {
        for value in &item.variants {
            if !matches!(value.fields, syn::Fields::Unit) {
                self.report(messages::ENUM_FIELDS.at(Tokens(value), &[]));
            }
        }
        let values = item.variants.iter().map(|value| value.ident.clone()).collect();
        Some(self.declare(&item.ident, ItemKind::Enum { values }))
    }

    fn helper(&mut self, item: &syn::ItemFn) -> Option<ItemId> {
        self.check_signature(&item.sig);
        let mut parameters = Vec::new();
        for argument in &item.sig.inputs {
            match argument {
                syn::FnArg::Receiver(receiver) => self.report(messages::SELF_PARAMETER.at(Tokens(receiver), &[])),
                syn::FnArg::Typed(typed) => {
                    self.refuse_attributes(&typed.attrs);
                    let ty = self.ty(&typed.ty);
                    parameters.push((self.pattern(&typed.pat), ty));
                }
            }
        }
        let output = match &item.sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        let body = self.block(&item.block);
        let function = Function { constant: item.sig.constness, parameters, output, body };
        Some(self.declare(&item.sig.ident, ItemKind::Function(Box::new(function))))
    }

    /// Attributes would be seen by rustc, and not by windrow.
    pub(super) fn refuse_attributes(&mut self, attributes: &[syn::Attribute]) {
        for attribute in attributes.iter().filter(|a| !["allow", "expect", "doc"].iter().any(|name| is_plain(a, name)))
        {
            self.report(messages::ATTRIBUTE.at(Tokens(attribute), &[]));
        }
    }
}

fn is_plain(attribute: &syn::Attribute, name: &str) -> bool {
    attribute.path().is_ident(name)
}
