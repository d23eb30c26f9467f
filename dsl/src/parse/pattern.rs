//! The patterns that an author may write.

use super::{Parser, span};
use crate::messages::{self, Tokens};
use crate::syntax::*;

impl Parser {
    /// Reads a pattern.
    pub(super) fn pattern(&mut self, source: &syn::Pat) -> Pattern {
        let (start, end) = span::of_pattern(source);
        let Some(()) = self.descend(start) else { return Pattern { kind: PatternKind::Wild, start, end } };
        let kind = self.pattern_kind(source).unwrap_or(PatternKind::Wild);
        self.depth -= 1;
        Pattern { kind, start, end }
    }

    fn pattern_kind(&mut self, source: &syn::Pat) -> Option<PatternKind> {
        match source {
            syn::Pat::Wild(_) => Some(PatternKind::Wild),
            syn::Pat::Ident(name) => self.binding(name),
            syn::Pat::Tuple(tuple) => Some(PatternKind::Tuple(self.patterns(&tuple.elems))),
            syn::Pat::Slice(slice) => Some(PatternKind::Array(self.patterns(&slice.elems))),
            syn::Pat::Paren(paren) => self.pattern_kind(&paren.pat),
            syn::Pat::Lit(literal) => {
                let value = self.expr(&syn::Expr::Lit(literal.clone()));
                Some(PatternKind::Value(Box::new(value)))
            }
            syn::Pat::Path(path) => {
                let value = self.expr(&syn::Expr::Path(path.clone()));
                Some(PatternKind::Value(Box::new(value)))
            }
            syn::Pat::Range(range) => Some(PatternKind::Range {
                start: range.start.as_ref().map(|value| Box::new(self.expr(value))),
                end: range.end.as_ref().map(|value| Box::new(self.expr(value))),
                limits: range.limits,
            }),
            syn::Pat::Or(or) => Some(PatternKind::Or(self.patterns(&or.cases))),
            syn::Pat::TupleStruct(variant) if variant.path.is_ident("Some") && variant.elems.len() == 1 => {
                Some(PatternKind::Some(Box::new(self.pattern(&variant.elems[0]))))
            }
            syn::Pat::Rest(rest) => self.refuse(messages::PATTERN_REST.at(Tokens(rest), &[])),
            syn::Pat::Reference(reference) => self.refuse(messages::PATTERN_REF.at(Tokens(reference), &[])),
            syn::Pat::Type(typed) => self.refuse(messages::PATTERN.at(Tokens(typed), &[])),
            other => match negative_literal(other) {
                Some(value) => {
                    let value = self.expr(&value);
                    Some(PatternKind::Value(Box::new(value)))
                }
                None => self.refuse(messages::PATTERN.at(Tokens(other), &[])),
            },
        }
    }

    fn patterns<P>(&mut self, sources: &syn::punctuated::Punctuated<syn::Pat, P>) -> Vec<Pattern> {
        sources.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn binding(&mut self, name: &syn::PatIdent) -> Option<PatternKind> {
        if let Some(reference) = &name.by_ref {
            return self.refuse(messages::PATTERN_REF.at(Tokens(reference), &[]));
        }
        if let Some((at, _)) = &name.subpat {
            return self.refuse(messages::PATTERN_AT.at(Tokens(at), &[]));
        }
        if name.ident == "None" && name.mutability.is_none() {
            return Some(PatternKind::None);
        }
        Some(PatternKind::Binding {
            mutable: name.mutability,
            local: self.bind(&name.ident, name.mutability.is_some()),
        })
    }

    fn refuse<T>(&mut self, diagnostic: crate::diagnostic::Diagnostic) -> Option<T> {
        self.report(diagnostic);
        None
    }
}

/// `-1` as a pattern, in whatever form syn reads it.
fn negative_literal(pattern: &syn::Pat) -> Option<syn::Expr> {
    match pattern {
        syn::Pat::Verbatim(tokens) => syn::parse2(tokens.clone()).ok(),
        _ => None,
    }
}
