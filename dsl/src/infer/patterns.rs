//! Patterns: what they bind, and what they cover.

use super::cover::Cover;
use super::names::Found;
use super::types::{Shape, Ty};
use super::{Infer, Resolution};
use crate::ir::Constant;
use crate::messages;
use crate::syntax::*;

impl Infer<'_> {
    /// Binds the names of a pattern that matches every value of a type.
    pub(super) fn bind(&mut self, pattern: &Pattern, ty: &Ty) {
        match &pattern.kind {
            PatternKind::Wild => {}
            PatternKind::Binding { local, .. } => self.bind_name(*local, ty),
            PatternKind::Tuple(parts) => {
                let types = self.tuple_parts(pattern, parts.len(), ty);
                for (part, ty) in parts.iter().zip(&types) {
                    self.bind(part, ty);
                }
            }
            PatternKind::Array(parts) => {
                let element = self.array_element(pattern, parts.len(), ty);
                for part in parts {
                    self.bind(part, &element);
                }
            }
            PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::Some(_)
            | PatternKind::None => {
                self.report(messages::PATTERN.at(pattern, &[]));
            }
        }
    }

    fn bind_name(&mut self, local: LocalId, ty: &Ty) {
        self.types.locals[local.0 as usize] = ty.clone();
        let name = self.unit.local(local).to_string();
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push((name, local));
        }
    }

    fn tuple_parts(&mut self, pattern: &Pattern, count: usize, ty: &Ty) -> Vec<Ty> {
        match self.unifier.shallow(ty) {
            Ty::Tuple(parts) if parts.len() == count => parts,
            Ty::Var(_) if self.unifier.shape(ty) == Shape::Unknown => {
                let parts: Vec<Ty> = (0..count).map(|_| self.fresh()).collect();
                self.unifier.unify(ty, &Ty::Tuple(parts.clone()));
                parts
            }
            Ty::Error => vec![Ty::Error; count],
            other => {
                self.wrong_count(pattern, count, &other);
                vec![Ty::Error; count]
            }
        }
    }

    fn array_element(&mut self, pattern: &Pattern, count: usize, ty: &Ty) -> Ty {
        match self.unifier.shallow(ty) {
            Ty::Array(element, n) if n == count as u64 => *element,
            Ty::Error => Ty::Error,
            other => {
                self.wrong_count(pattern, count, &other);
                Ty::Error
            }
        }
    }

    fn wrong_count(&mut self, pattern: &Pattern, count: usize, found: &Ty) {
        let parts = match found {
            Ty::Tuple(parts) => parts.len().to_string(),
            Ty::Array(_, n) => n.to_string(),
            _ => "none".to_owned(),
        };
        let found = self.show(found);
        self.report(messages::PATTERN_COUNT.at(pattern, &[&count.to_string(), &found, &parts]));
    }

    /// A pattern of a `match` arm, which may refuse values.
    pub(super) fn match_pattern(&mut self, pattern: &Pattern, ty: &Ty, guarded: bool) -> Cover {
        let cover = self.refutable(pattern, ty);
        if guarded { Cover::Nothing } else { cover }
    }

    fn refutable(&mut self, pattern: &Pattern, ty: &Ty) -> Cover {
        match &pattern.kind {
            PatternKind::Wild => Cover::All,
            PatternKind::Binding { mutable: None, local } => match self.constant_in_pattern(*local, ty) {
                Some(cover) => cover,
                None => {
                    self.bind_name(*local, ty);
                    Cover::All
                }
            },
            PatternKind::Binding { mutable: Some(_), local } => {
                self.bind_name(*local, ty);
                Cover::All
            }
            PatternKind::Tuple(parts) => {
                let types = self.tuple_parts(pattern, parts.len(), ty);
                self.cover_parts(parts, &types)
            }
            PatternKind::Array(parts) => {
                let element = self.array_element(pattern, parts.len(), ty);
                self.cover_parts(parts, &vec![element; parts.len()])
            }
            PatternKind::Value(value) => {
                self.against(value, ty);
                if *self.types.of(value) == Ty::Error {
                    return Cover::All;
                }
                self.constant_of(value).map_or(Cover::Nothing, |value| Cover::Ranges(vec![(value, value)]))
            }
            PatternKind::Range { start, end, limits } => {
                self.range_pattern(ty, start.as_deref(), end.as_deref(), limits)
            }
            PatternKind::Or(cases) => self.cases(cases, ty),
            PatternKind::Some(inner) => {
                let value = self.option_value(pattern, ty);
                Cover::Parts(vec![Cover::Ranges(vec![(1, 1)]), self.refutable(inner, &value)])
            }
            PatternKind::None => {
                self.option_value(pattern, ty);
                Cover::Parts(vec![Cover::Ranges(vec![(0, 0)]), Cover::All])
            }
        }
    }

    /// The type of what stands in an option.
    fn option_value(&mut self, pattern: &Pattern, ty: &Ty) -> Ty {
        match self.unifier.shallow(ty) {
            Ty::Option(value) => *value,
            Ty::Error => Ty::Error,
            other => {
                let found = self.show(&other);
                self.wrong(messages::PATTERN_OPTION.at(pattern, &[&found]))
            }
        }
    }

    fn cover_parts(&mut self, parts: &[Pattern], types: &[Ty]) -> Cover {
        Cover::Parts(parts.iter().zip(types).map(|(part, ty)| self.refutable(part, ty)).collect())
    }

    fn cases(&mut self, cases: &[Pattern], ty: &Ty) -> Cover {
        let mut covers = Vec::new();
        for case in cases {
            let before = self.scopes.last().map_or(0, |scope| scope.names.len());
            covers.push(self.refutable(case, ty));
            if self.scopes.last().map_or(0, |scope| scope.names.len()) != before {
                self.report(messages::ARM_BINDING_OR.at(case, &[]));
            }
        }
        Cover::Any(covers)
    }

    fn range_pattern(&mut self, ty: &Ty, start: Option<&Expr>, end: Option<&Expr>, limits: &syn::RangeLimits) -> Cover {
        let mut side = |value: Option<&Expr>, open: i128| match value {
            Some(value) => {
                self.against(value, ty);
                self.constant_of(value)
            }
            None => Some(open),
        };
        let (lo, hi) = (side(start, i128::MIN), side(end, i128::MAX));
        match (lo, hi, limits) {
            (Some(lo), Some(hi), syn::RangeLimits::Closed(_)) => Cover::Ranges(vec![(lo, hi)]),
            (Some(lo), Some(i128::MAX), syn::RangeLimits::HalfOpen(_)) => Cover::Ranges(vec![(lo, i128::MAX)]),
            (Some(lo), Some(hi), syn::RangeLimits::HalfOpen(_)) => Cover::Ranges(vec![(lo, hi - 1)]),
            (_, _, _) => Cover::Nothing,
        }
    }

    /// The value of a simple constant in a pattern.
    fn constant_of(&self, value: &Expr) -> Option<i128> {
        match &value.kind {
            ExprKind::Literal(literal) => match literal.value {
                LiteralValue::Int(n) => Some(n),
                LiteralValue::Bool(b) => Some(i128::from(b)),
                LiteralValue::Float { .. } => None,
            },
            ExprKind::Unary(syn::UnOp::Neg(_), inner) => self.constant_of(inner).map(|n| -n),
            ExprKind::Path(_) => match self.types.resolutions.get(value.id)? {
                Resolution::EnumValue(index) => Some(i128::from(*index)),
                Resolution::Known(Constant::Int(n), _) => Some(*n),
                Resolution::Known(Constant::Bool(_) | Constant::Float(_) | Constant::Double(_), _)
                | Resolution::Local(_)
                | Resolution::Constant(_)
                | Resolution::Callable(_) => None,
            },
            _ => None,
        }
    }

    /// A name in a pattern that is a constant's, not a new variable's.
    fn constant_in_pattern(&mut self, local: LocalId, ty: &Ty) -> Option<Cover> {
        let name = self.unit.local(local).to_string();
        let Found::Item(item) = self.find(&name) else { return None };
        let known = self.types.items.get(&item)?.clone();
        self.types.constants.insert(local, Resolution::Constant(item));
        self.same(self.unit.local(local), ty, &known);
        Some(Cover::Nothing)
    }
}
