//! A kernel's signature: its parameters with their roles, and what it returns.

use super::{Parser, option::signed};
use crate::messages::{self, Located, Tokens};
use crate::syntax::*;
use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser as _};

/// The attributes of a parameter.
const PARAMETER_ATTRIBUTES: [&str; 5] = ["uniform", "variant", "inout", "stride", "shape"];

impl Parser {
    /// Refuses `async`, `unsafe`, generics and their like on a kernel.
    pub(super) fn check_modifiers(&mut self, source: &syn::ItemFn) {
        self.check_signature(&source.sig);
        if source.sig.inputs.is_empty() {
            self.report(messages::NO_INPUT.at(&source.sig.ident, &[]));
        }
    }

    /// Refuses `async`, `unsafe`, generics and their like on any function.
    pub(super) fn check_signature(&mut self, signature: &syn::Signature) {
        let safety = match &signature.safety {
            syn::Safety::Unsafe(keyword) => Some((Tokens(keyword).place(), "unsafe")),
            syn::Safety::Safe(keyword) => Some((Tokens(keyword).place(), "safe")),
            syn::Safety::Default => None,
        };
        let modifiers = [
            signature.asyncness.as_ref().map(|keyword| (Tokens(keyword).place(), "async")),
            signature.abi.as_ref().map(|abi| (Tokens(abi).place(), "extern")),
            signature.variadic.as_ref().map(|dots| (Tokens(dots).place(), "...")),
            safety,
        ];
        for (place, word) in modifiers.into_iter().flatten() {
            self.report(messages::SIGNATURE_MODIFIER.at(place, &[word]));
        }
        self.check_generics(&signature.generics);
        if let Some(clause) = &signature.generics.where_clause {
            self.report(messages::SIGNATURE_GENERIC.at(Tokens(clause), &[]));
        }
    }

    fn check_generics(&mut self, generics: &syn::Generics) {
        let is_lifetime = |parameter: &syn::GenericParam| matches!(parameter, syn::GenericParam::Lifetime(_));
        let constant = generics.const_params().next();
        if generics.params.is_empty() {
            return;
        }
        if generics.params.iter().all(is_lifetime) {
            self.report(messages::SIGNATURE_LIFETIME.at(Tokens(generics), &[]));
        } else {
            let refused = messages::SIGNATURE_GENERIC.at(Tokens(generics), &[]);
            self.report(match constant.map(|constant| &constant.ident) {
                Some(name) => {
                    refused.helped(format!("write the number itself, as `const {name}: usize = 3;` in the body"))
                }
                None => refused,
            });
        }
    }

    /// Reads the parameters.
    pub(super) fn parameters(&mut self, signature: &syn::Signature) -> Vec<KernelParameter> {
        let mut parameters = Vec::new();
        for argument in &signature.inputs {
            match argument {
                syn::FnArg::Receiver(receiver) => self.report(messages::SELF_PARAMETER.at(Tokens(receiver), &[])),
                syn::FnArg::Typed(typed) => {
                    let role = self.role(&typed.attrs);
                    let shape = typed.attrs.iter().find(|attribute| is_shape(attribute));
                    let shape = shape.and_then(|attribute| self.shape(attribute));
                    let ty = self.ty(&typed.ty);
                    self.has_references |= matches!(*typed.ty, syn::Type::Reference(_) | syn::Type::Ptr(_));
                    let pattern = self.pattern(&typed.pat);
                    self.check_parameter_pattern(&pattern);
                    parameters.push(KernelParameter { pattern, ty, role, shape });
                }
            }
        }
        parameters
    }

    fn check_parameter_pattern(&mut self, pattern: &Pattern) {
        let is_name = |pattern: &Pattern| matches!(pattern.kind, PatternKind::Binding { .. } | PatternKind::Wild);
        let good = match &pattern.kind {
            PatternKind::Binding { .. } => true,
            PatternKind::Array(parts) => parts.iter().all(is_name),
            PatternKind::Wild
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::Some(_)
            | PatternKind::None => false,
        };
        if !good {
            self.report(messages::PARAMETER_PATTERN.at(pattern, &[]));
        }
    }

    /// What a kernel returns.
    pub(super) fn output(&mut self, signature: &syn::Signature) -> Option<TypeExpr> {
        match &signature.output {
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
            // That a parameter is a reference was said, and what to do instead.
            syn::ReturnType::Default if has_mutable_reference(signature) => None,
            syn::ReturnType::Default => {
                let refused = messages::NO_RESULT.at(&signature.ident, &[]);
                self.report(match has_table(signature) {
                    true => refused.helped(messages::RESULT_OF_SEVERAL),
                    false => refused,
                });
                None
            }
        }
    }

    fn role(&mut self, attributes: &[syn::Attribute]) -> Role {
        let mut stride = None;
        let mut roles: Vec<(Role, Span)> = Vec::new();
        for attribute in attributes {
            let span = Tokens(attribute.path()).place().0;
            match attribute.path().segments.last().map(|segment| segment.ident.to_string()).as_deref() {
                Some("uniform") => roles.push((Role::Uniform(self.uniform_bound(attribute)), span)),
                Some("variant") => roles.push((Role::Variant, span)),
                Some("inout") => roles.push((Role::Plain { stride: None, inout: Some(span) }, span)),
                Some("stride") => stride = Some((self.stride(attribute), span)),
                Some("allow" | "expect" | "doc" | "shape") => {}
                other => {
                    let name = other.unwrap_or_default().to_owned();
                    let help = match messages::nearest(&name, PARAMETER_ATTRIBUTES) {
                        Some(known) => format!("did you mean `#[{known}]`?"),
                        None => "use `#[uniform]`, `#[variant]`, `#[inout]`, `#[stride(x, y)]` or `#[shape(h, w)]`"
                            .to_owned(),
                    };
                    self.report(messages::PARAMETER_ATTRIBUTE.at(Tokens(attribute.path()), &[&name, &help]));
                }
            }
        }
        if let Some((_, second)) = roles.get(1) {
            self.report(messages::PARAMETER_ROLES.at(*second, &[]));
        }
        match (roles.into_iter().next(), stride) {
            (None, stride) => Role::Plain { stride: stride.map(|(stride, _)| stride), inout: None },
            (Some((role, _)), None) => role,
            (Some((role, _)), Some((_, span))) => {
                let message = match role {
                    Role::Plain { .. } => messages::INOUT_ROLE,
                    Role::Uniform(_) | Role::Variant => messages::STRIDE_ROLE,
                };
                self.report(message.at(span, &[]));
                role
            }
        }
    }

    /// `#[shape(n, _, w, c)]`.
    fn shape(&mut self, attribute: &syn::Attribute) -> Option<ShapeNames> {
        let names = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated
            .parse2(super::options(attribute));
        let name = |written: syn::Expr| match written {
            syn::Expr::Infer(_) => Some(None),
            syn::Expr::Path(path) => path.path.get_ident().cloned().map(Some),
            _ => None,
        };
        let names: Option<Vec<_>> = names.ok().and_then(|names| names.into_iter().map(name).collect());
        match names.filter(|names| !names.is_empty()) {
            Some(names) => Some(ShapeNames { names, span: Tokens(attribute.path()).place().0 }),
            None => {
                self.report(messages::BAD_SHAPE.at(contents(attribute), &[]));
                None
            }
        }
    }

    fn stride(&mut self, attribute: &syn::Attribute) -> (u32, u32) {
        let pair = |input: ParseStream| {
            let x: syn::LitInt = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let y: syn::LitInt = input.parse()?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok((x.base10_parse::<u32>()?, y.base10_parse::<u32>()?))
        };
        match pair.parse2(super::options(attribute)) {
            Ok((x, y)) if (1..=16).contains(&x) && (1..=16).contains(&y) => (x, y),
            Ok(_) | Err(_) => {
                self.report(messages::BAD_STRIDE.at(contents(attribute), &[]));
                (1, 1)
            }
        }
    }

    /// `#[uniform]`, `#[uniform(lo..=hi)]`, `#[uniform(sum_of_magnitudes <= n)]`.
    fn uniform_bound(&mut self, attribute: &syn::Attribute) -> UniformBound {
        let syn::Meta::List(list) = &attribute.meta else { return UniformBound::None };
        let Ok(value) = syn::parse2::<syn::Expr>(list.tokens.clone()) else {
            self.report(messages::UNIFORM_FORM.at(contents(attribute), &[]));
            return UniformBound::None;
        };
        match value {
            syn::Expr::Range(syn::ExprRange {
                start: Some(lo),
                end: Some(hi),
                limits: syn::RangeLimits::Closed(_),
                ..
            }) => UniformBound::Range(lo, hi),
            syn::Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::Le(_), right, .. })
                if left.to_token_stream().to_string() == "sum_of_magnitudes"
                    && signed(&right).is_some_and(|limit| limit >= 0) =>
            {
                let limit = signed(&right).and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
                UniformBound::SumOfMagnitudes(limit, Tokens(&*left).place().0)
            }
            other => {
                let refused = messages::UNIFORM_FORM.at(Tokens(&other), &[]);
                self.report(match other {
                    syn::Expr::Range(syn::ExprRange {
                        end: Some(_), limits: syn::RangeLimits::HalfOpen(_), ..
                    }) => refused.helped("both ends belong to the bounds: write `..=`, and the last value behind it"),
                    _ => refused,
                });
                UniformBound::None
            }
        }
    }
}

/// What stands inside an attribute's brackets, or else its name.
fn contents(attribute: &syn::Attribute) -> (Span, Span) {
    match &attribute.meta {
        syn::Meta::List(list) if !list.tokens.is_empty() => Tokens(&list.tokens).place(),
        syn::Meta::List(_) | syn::Meta::Path(_) | syn::Meta::NameValue(_) => Tokens(attribute.path()).place(),
    }
}

/// Whether an attribute is `#[shape(..)]`.
fn is_shape(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "shape")
}

/// Whether a parameter is there to be written.
fn has_mutable_reference(signature: &syn::Signature) -> bool {
    types_of(signature).any(|ty| match ty {
        syn::Type::Reference(reference) => reference.mutability.is_some(),
        syn::Type::Ptr(pointer) => matches!(pointer.mutability, syn::PointerMutability::Mut(_)),
        _ => false,
    })
}

/// Whether a parameter is a table, which an author without a result may mean to write.
fn has_table(signature: &syn::Signature) -> bool {
    let is_table = |path: &syn::TypePath| path.path.segments.last().is_some_and(|last| last.ident == "Table");
    types_of(signature).any(|ty| matches!(ty, syn::Type::Path(path) if is_table(path)))
}

fn types_of(signature: &syn::Signature) -> impl Iterator<Item = &syn::Type> {
    signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(&*typed.ty),
        syn::FnArg::Receiver(_) => None,
    })
}
