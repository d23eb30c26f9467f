//! Array lengths: the constants that types depend on, known before any type is inferred.

use super::names::Found;
use super::types::Ty;
use super::{Infer, builtins};
use crate::messages::{self, Located, Tokens};
use crate::syntax::*;

/// The longest array, with all that is nested in it.
const MAX_ELEMENTS: u64 = 65_536;
/// The most types inside a type.
const MAX_PARTS: usize = 512;

impl Infer<'_> {
    /// A length, or a report.
    pub(super) fn length(&mut self, source: &syn::Expr) -> Option<u64> {
        match self.constant(source).and_then(|n| u64::try_from(n).ok()) {
            Some(n) => Some(n),
            None => {
                self.report(messages::LENGTH.at(Tokens(source), &[]));
                None
            }
        }
    }

    /// A constant written with numbers, `const` items and `+ - * /`.
    fn constant(&mut self, source: &syn::Expr) -> Option<i128> {
        match source {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
            syn::Expr::Paren(paren) => self.constant(&paren.expr),
            syn::Expr::Group(group) => self.constant(&group.expr),
            syn::Expr::Block(block) => match &block.block.stmts[..] {
                [syn::Stmt::Expr(value, None)] => self.constant(value),
                _ => None,
            },
            syn::Expr::Cast(cast) => self.constant(&cast.expr),
            syn::Expr::Path(path) => self.constant_named(&path.path.get_ident()?.to_string()),
            syn::Expr::Binary(binary) => {
                let (left, right) = (self.constant(&binary.left)?, self.constant(&binary.right)?);
                apply(&binary.op, left, right)
            }
            _ => None,
        }
    }

    fn constant_named(&mut self, name: &str) -> Option<i128> {
        let Found::Item(item) = self.find(name) else { return None };
        let ItemKind::Const { value, .. } = &self.unit.item(item).kind else { return None };
        if self.lengths_in_progress.contains(&item) || self.lengths_in_progress.len() > 64 {
            return None;
        }
        self.lengths_in_progress.push(item);
        let value = self.constant_value(value);
        self.lengths_in_progress.pop();
        value
    }

    /// The same over the syntax of a `const` item.
    fn constant_value(&mut self, value: &Expr) -> Option<i128> {
        match &value.kind {
            ExprKind::Literal(Literal { value: LiteralValue::Int(n), .. }) => Some(*n),
            ExprKind::Paren(inner) | ExprKind::Cast(inner, ..) => self.constant_value(inner),
            ExprKind::Path(path) => match &path[..] {
                [name] => self.constant_named(&name.to_string()),
                [ty, name] => match builtins::associated_constant(
                    crate::parse::expression::scalar_type(&ty.to_string())?,
                    &name.to_string(),
                )? {
                    (crate::ir::Constant::Int(value), _) => Some(value),
                    (
                        crate::ir::Constant::Bool(_) | crate::ir::Constant::Float(_) | crate::ir::Constant::Double(_),
                        _,
                    ) => None,
                },
                _ => None,
            },
            ExprKind::Binary(left, op, right) => {
                let (left, right) = (self.constant_value(left)?, self.constant_value(right)?);
                apply(op, left, right)
            }
            _ => None,
        }
    }

    /// The type, where it is not too large.
    pub(super) fn sized(&mut self, place: impl Located, ty: Ty) -> Ty {
        let size = self.size(&ty);
        if size <= MAX_ELEMENTS && self.parts(&ty) <= MAX_PARTS {
            return ty;
        }
        self.wrong(messages::TOO_LONG.at(place, &[&size.to_string()]))
    }

    /// How many types are written inside a type, about.
    fn parts(&self, ty: &Ty) -> usize {
        let mut total = 1;
        for part in self.unifier.shallow(ty).parts() {
            total += self.parts(part);
            if total > MAX_PARTS {
                break;
            }
        }
        total
    }

    /// How many scalars a value of this type holds, about.
    fn size(&self, ty: &Ty) -> u64 {
        match self.unifier.shallow(ty) {
            Ty::Array(element, n) => n.saturating_mul(self.size(&element)),
            Ty::Tuple(parts) => {
                let mut total = 0u64;
                for part in &parts {
                    total = total.saturating_add(self.size(part));
                    if total > MAX_ELEMENTS {
                        break;
                    }
                }
                total
            }
            Ty::Scalar(_)
            | Ty::Usize
            | Ty::Enum(_)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Neighbourhood(_)
            | Ty::View(..)
            | Ty::Option(_)
            | Ty::Table(..)
            | Ty::Iterator(_)
            | Ty::Var(_)
            | Ty::Error => 1,
        }
    }
}

fn apply(op: &syn::BinOp, left: i128, right: i128) -> Option<i128> {
    match op {
        syn::BinOp::Add(_) => left.checked_add(right),
        syn::BinOp::Sub(_) => left.checked_sub(right),
        syn::BinOp::Mul(_) => left.checked_mul(right),
        syn::BinOp::Div(_) => left.checked_div(right),
        _ => None,
    }
}
