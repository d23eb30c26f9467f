//! Uniforms: their types, their bounds, and the relations between them.

use super::Reader;
use crate::arithmetic;
use crate::infer::types::Ty;
use crate::ir::*;
use crate::messages::{self, Located, Tokens, nearest};
use crate::parse::option::signed;
use crate::syntax::*;
use windrow_reference::limits::MAX_WORDS;

impl Reader<'_> {
    pub(super) fn uniform(&mut self, parameter: &KernelParameter, ty: &Ty, bound: &UniformBound) {
        let mut dims = Vec::new();
        let mut scalar = ty;
        while let Ty::Array(element, n) = scalar {
            dims.push(*n as u32);
            scalar = element;
        }
        let (element, is_usize) = match scalar {
            Ty::Scalar(element) if *element != Type::BOOL => (*element, false),
            Ty::Usize => (Type::U32, true),
            Ty::Error => return,
            _ => {
                let found = self.show(ty);
                return self.errors.report(messages::UNIFORM_TYPE.at(&parameter.ty, &[&found]));
            }
        };
        if !legal::UNIFORMS.everywhere(element) {
            let refused = messages::UNIFORM_TYPE.at(&parameter.ty, &[element.name()]);
            let word = if element.is_half() { "f32" } else { "i32" };
            return self
                .errors
                .report(refused.helped(format!("a uniform is a word of 32 bits: use `{word}`, and convert it")));
        }
        let size = dims.iter().fold(1u32, |size, n| size.saturating_mul(*n));
        if size == 0 || size as usize > MAX_WORDS {
            return self.errors.report(messages::UNIFORM_SIZE.at(&parameter.ty, &[&size.to_string()]));
        }
        let bounds = match bound {
            UniformBound::Range(lo, hi) => self.bounds(element, is_usize, lo, hi),
            UniformBound::None | UniformBound::SumOfMagnitudes(..) => None,
        };
        let sum_of_magnitudes = match bound {
            UniformBound::SumOfMagnitudes(_, span) if dims.is_empty() || element == Type::F32 => {
                self.errors.report(messages::SUM_NEEDS_ARRAY.at(*span, &[]));
                None
            }
            UniformBound::SumOfMagnitudes(limit, _) => Some(*limit),
            UniformBound::None | UniformBound::Range(..) => None,
        };
        if is_usize && bounds.is_none() && !matches!(bound, UniformBound::Range(..)) {
            self.errors.report(messages::USIZE_BOUNDS.at(&parameter.pattern, &[]));
        }
        let name = self.name(&parameter.pattern);
        self.kernel.parameters.push(Parameter::Uniform(UniformId(self.kernel.uniforms.len() as u32)));
        let span = parameter.pattern.start;
        self.kernel.uniforms.push(Uniform { name, ty: element, is_usize, dims, bounds, sum_of_magnitudes, span });
    }

    fn bounds(&mut self, ty: Type, is_usize: bool, lo: &syn::Expr, hi: &syn::Expr) -> Option<(Bound, Bound)> {
        let sides = [lo, hi].map(|side| self.constant(side, ty));
        if let Some(wrong) = sides.iter().position(Option::is_none) {
            let refused = messages::UNIFORM_BOUNDS.at(Tokens([lo, hi][wrong]), &[]);
            self.errors.report(match limits(ty, is_usize) {
                Some((least, most)) => refused.helped(format!("its constants lie in {least} ..= {most}")),
                None => refused.helped("write floats: `#[uniform(0.0..=1.0)]`"),
            });
        }
        let [Some(from), Some(to)] = sides else { return None };
        match (from, to) {
            (Bound::Int(a), Bound::Int(b)) if a <= b => {}
            (Bound::Float(a), Bound::Float(b)) if a <= b => {}
            (Bound::Int(_) | Bound::Float(_), _) => {
                let [lo_text, hi_text] = [hi, lo].map(|side| tidy(&quote::ToTokens::to_token_stream(side).to_string()));
                let refused = messages::UNIFORM_BOUNDS.at(Tokens(lo), &[]);
                self.errors.report(refused.helped(format!("write `#[uniform({lo_text}..={hi_text})]`")));
                return None;
            }
        }
        // One more must have a place in u32, which the index is in the targets.
        if let (true, Bound::Int(4_294_967_295)) = (is_usize, to) {
            let refused = messages::UNIFORM_BOUNDS.at(Tokens(hi), &[]);
            self.errors.report(refused.helped("an index is at most 4294967294: write a smaller upper bound"));
            return None;
        }
        Some((from, to))
    }

    /// A constant of a type: a literal, or a constant of the library.
    fn constant(&self, value: &syn::Expr, ty: Type) -> Option<Bound> {
        if ty == Type::F32 {
            return float(value).filter(|value| !value.is_nan()).map(Bound::Float);
        }
        let value = match value {
            syn::Expr::Path(path) => {
                let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
                let [of, constant] = &segments[..] else { return None };
                let of = crate::parse::expression::scalar_type(of)?;
                match crate::builtins::associated_constant(of, constant)? {
                    (Constant::Int(value), _) => value,
                    (Constant::Bool(_) | Constant::Float(_) | Constant::Double(_), _) => return None,
                }
            }
            value => signed(value)?,
        };
        arithmetic::fits(value, ty).then_some(Bound::Int(value))
    }

    pub(super) fn requires(&mut self) {
        for require in &self.item.attribute.requires {
            let (left, right) = (self.term(&require.left, &require.right), self.term(&require.right, &require.left));
            let (Some((left, a)), Some((right, b))) = (left, right) else { continue };
            if a != b {
                let words = [a.name(), b.name()];
                self.errors.report(messages::REQUIRE_TYPES.at(Tokens(&require.whole), &words));
                continue;
            }
            if let (RequireTerm::Constant(_), RequireTerm::Constant(_)) = (left, right) {
                self.errors.report(messages::BAD_REQUIRE.at(Tokens(&require.whole), &[]));
                continue;
            }
            let text = tidy(&quote::ToTokens::to_token_stream(&require.whole).to_string());
            let span = Tokens(&require.whole).place().0;
            self.kernel.requires.push(Require { op: require.op, left, right, text, span });
        }
    }

    /// A side of a requirement, with its type; a constant has the other side's.
    fn term(&mut self, side: &syn::Expr, other: &syn::Expr) -> Option<(RequireTerm, Type)> {
        if let Some(id) = self.scalar_uniform(side) {
            return Some((RequireTerm::Uniform(id), self.kernel.uniforms[id.0 as usize].ty));
        }
        let ty = self.scalar_uniform(other).map(|id| self.kernel.uniforms[id.0 as usize].ty);
        if let Some(value) = self.constant(side, ty.unwrap_or(Type::I32)) {
            return Some((RequireTerm::Constant(value), ty.unwrap_or(Type::I32)));
        }
        match side {
            syn::Expr::Path(path) => {
                let word = quote::ToTokens::to_token_stream(path).to_string();
                let known = self.kernel.uniforms.iter().filter(|uniform| uniform.dims.is_empty());
                let help = match nearest(&word, known.map(|uniform| uniform.name.as_str())) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => "compare scalar parameters marked with `#[uniform]`".to_owned(),
                };
                self.errors.report(messages::REQUIRE_UNKNOWN.at(Tokens(side), &[&word, &help]));
            }
            _ => self.errors.report(messages::BAD_REQUIRE.at(Tokens(side), &[])),
        }
        None
    }

    fn scalar_uniform(&self, side: &syn::Expr) -> Option<UniformId> {
        let syn::Expr::Path(path) = side else { return None };
        let name = path.path.get_ident()?.to_string();
        let index = self.kernel.uniforms.iter().position(|uniform| uniform.name == name && uniform.dims.is_empty())?;
        Some(UniformId(index as u32))
    }
}

/// What a uniform of integers can be.
fn limits(ty: Type, is_usize: bool) -> Option<(i128, i128)> {
    match ty {
        Type::U32 if is_usize => Some((0, i128::from(u32::MAX) - 1)),
        _ => ty.is_integer().then(|| ty.limits()),
    }
}

/// A float constant, perhaps behind a minus sign.
fn float(value: &syn::Expr) -> Option<f32> {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(float), .. }) => float.base10_digits().parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Some(-float(expr)?),
        syn::Expr::Paren(paren) => float(&paren.expr),
        syn::Expr::Path(path) => {
            let last = path.path.segments.last()?.ident.to_string();
            match crate::builtins::associated_constant(Type::F32, &last)? {
                (Constant::Float(bits), _) => Some(f32::from_bits(bits)),
                (Constant::Bool(_) | Constant::Int(_) | Constant::Double(_), _) => None,
            }
        }
        _ => None,
    }
}

/// Tokens printed as an author writes them.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("- ", "-")
}
