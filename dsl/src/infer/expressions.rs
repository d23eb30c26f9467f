//! The type of each form of expression.

use super::types::{Kind, Shape, Ty};
use super::{Infer, Late, LateCheck, Resolution, Signature};
use crate::ir::Type;
use crate::messages::{self, Located};
use crate::operators::Class;
use crate::syntax::*;

impl Infer<'_> {
    /// Infers an expression that must have this type; a mistake is reported where the value is written.
    pub(super) fn against(&mut self, expr: &Expr, expected: &Ty) {
        match &expr.kind {
            ExprKind::Paren(inner) => {
                self.against(inner, expected);
                self.note(expr, expected.clone());
            }
            ExprKind::Block(block) => {
                self.block_against(block, expected);
                self.note(expr, expected.clone());
            }
            ExprKind::If { condition, then, otherwise: Some(otherwise) } => {
                self.condition(condition);
                self.block_against(then, expected);
                self.against(otherwise, expected);
                self.note(expr, expected.clone());
            }
            _ => {
                let found = self.expr(expr, Some(expected));
                self.same_value(expr, expected, &found);
            }
        }
    }

    /// Infers an expression; `hint` is the type that its surroundings would like.
    pub(super) fn expr(&mut self, expr: &Expr, hint: Option<&Ty>) -> Ty {
        let ty = self.kind(expr, hint);
        self.note(expr, ty.clone());
        ty
    }

    fn note(&mut self, expr: &Expr, ty: Ty) {
        if let Some(slot) = self.types.expressions.get_mut(expr.id.0 as usize) {
            *slot = ty;
        }
    }

    fn kind(&mut self, expr: &Expr, hint: Option<&Ty>) -> Ty {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(expr, literal, hint, false),
            ExprKind::Path(path) => self.path(expr, path),
            ExprKind::Unary(op, value) => self.unary(expr, op, value, hint),
            ExprKind::Binary(left, op, right) => self.binary(expr, left, op, right),
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(place, op, value) => self.assign_op(expr, place, op, value),
            ExprKind::Underscore => self.wrong(messages::NOT_A_PLACE.at(expr, &[])),
            ExprKind::Cast(value, _, ty) => self.cast(expr, value, ty),
            ExprKind::If { condition, then, otherwise } => {
                self.choice(expr, condition, then, otherwise.as_deref(), hint)
            }
            ExprKind::Match(value, arms) => self.arms(expr, value, arms, hint),
            ExprKind::Block(block) => self.block(block, hint),
            ExprKind::For { pattern, items, body } => self.for_loop(pattern, items, body),
            ExprKind::Call(callee, arguments) => self.call(expr, callee, arguments, hint),
            ExprKind::Method { receiver, name, turbofish, arguments } => {
                self.method(expr, receiver, name, turbofish, arguments, hint)
            }
            ExprKind::Index(base, index) => self.index(base, index),
            ExprKind::Field(base, member) => self.field(base, member),
            ExprKind::Array(elements) => self.array(expr, elements, hint),
            ExprKind::Repeat(value, length) => self.repeat(expr, value, length, hint),
            ExprKind::Tuple(parts) => self.tuple(expr, parts, hint),
            ExprKind::Paren(inner) => self.expr(inner, hint),
            ExprKind::Range { start, end, .. } => self.range(expr, start.as_deref(), end.as_deref()),
            ExprKind::Closure(closure) => self.closure(expr, closure, &[]),
        }
    }

    pub(super) fn literal(&mut self, expr: &Expr, literal: &Literal, hint: Option<&Ty>, negative: bool) -> Ty {
        let text = literal_text(&literal.token);
        let hint = hint.map(|hint| self.unifier.shallow(hint));
        let ty = match (literal.value, literal.suffix) {
            (LiteralValue::Bool(_), _) => return Ty::BOOL,
            (_, Some(Suffix::Usize)) => Ty::Usize,
            (_, Some(Suffix::Type(ty))) => Ty::Scalar(ty),
            (LiteralValue::Float { .. }, None) => {
                let ty = match hint {
                    Some(ty @ Ty::Scalar(Type::F32 | Type::F64)) => ty,
                    _ => self.unifier.fresh(Kind::Float),
                };
                return ty;
            }
            (LiteralValue::Int(_), None) => match hint {
                Some(ty) if self.unifier.shape(&ty) == Shape::Integer => ty,
                _ => self.unifier.fresh(Kind::Integer),
            },
        };
        self.late(expr, LateCheck::Literal { value: literal.value, negative, text, ty: ty.clone() });
        ty
    }

    fn path(&mut self, expr: &Expr, path: &[syn::Ident]) -> Ty {
        let Some((resolution, ty)) = self.resolve_path(expr, path) else { return Ty::Error };
        self.types.resolutions.insert(expr.id, resolution);
        ty
    }

    fn cast(&mut self, expr: &Expr, value: &Expr, ty: &TypeExpr) -> Ty {
        let to = self.written(ty);
        let from = self.expr(value, Some(&to));
        self.late(expr, LateCheck::Cast(from, to.clone()));
        to
    }

    fn choice(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: &CodeBlock,
        otherwise: Option<&Expr>,
        hint: Option<&Ty>,
    ) -> Ty {
        self.condition(condition);
        let Some(otherwise) = otherwise else {
            let found = self.block(then, hint);
            return match self.unifier.unify(&Ty::UNIT, &found) {
                true => Ty::UNIT,
                false => self.wrong(messages::NO_ELSE.at(expr.start, &[])),
            };
        };
        let ty = self.block(then, hint);
        self.against(otherwise, &ty);
        ty
    }

    fn arms(&mut self, expr: &Expr, value: &Expr, arms: &[Arm], hint: Option<&Ty>) -> Ty {
        let scrutinee = self.expr(value, None);
        let mut covers = Vec::new();
        let mut result: Option<Ty> = None;
        for arm in arms {
            self.open_scope();
            covers.push(self.match_pattern(&arm.pattern, &scrutinee, arm.guard.is_some()));
            if let Some(guard) = &arm.guard {
                self.condition(guard);
            }
            match &result {
                Some(ty) => {
                    let ty = ty.clone();
                    self.against(&arm.body, &ty);
                }
                None => result = Some(self.expr(&arm.body, hint)),
            }
            self.scopes.pop();
        }
        self.late(expr, LateCheck::Arms(scrutinee, covers));
        result.unwrap_or(Ty::Error)
    }

    fn for_loop(&mut self, pattern: &Pattern, items: &Expr, body: &CodeBlock) -> Ty {
        let found = self.expr(items, None);
        let item = self.item_type(items, &found);
        self.open_scope();
        self.bind(pattern, &item);
        self.block_against(body, &Ty::UNIT);
        self.scopes.pop();
        Ty::UNIT
    }

    /// What running over a value gives.
    pub(super) fn item_type(&mut self, place: impl Located, ty: &Ty) -> Ty {
        match self.unifier.shallow(ty) {
            Ty::Iterator(item) => *item,
            Ty::Array(element, _) => *element,
            Ty::Error => Ty::Error,
            other => {
                let found = self.show(&other);
                self.wrong(messages::NOT_ITERABLE.at(place, &[&found]))
            }
        }
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Ty {
        if let ExprKind::Path(path) = &base.kind
            && let [name] = &path[..]
            && self.is_unknown(name)
        {
            self.expr(index, None);
            let help = format!(
                "take it as a parameter: a lookup table is `{name}: Table<u8, 256>`, a few values that all elements share are \
                 `#[uniform] {name}: [u8; 3]`"
            );
            return self.wrong(messages::UNKNOWN_NAME.at(name, &[&name.to_string(), &help]));
        }
        let found = self.expr(base, None);
        match self.unifier.shallow(&found) {
            // A part of an array: what is called on it is not a mistake of its own.
            Ty::Array(..) if matches!(index.kind, ExprKind::Range { .. }) => {
                let refused = messages::INDEX_TYPE.at(index, &["a..b"]);
                self.wrong(
                    refused.helped("arrays have no parts: run over the indices, `for i in 1..3`, or name the elements"),
                )
            }
            Ty::Array(element, _) => {
                let found = self.expr(index, Some(&Ty::Usize));
                if !self.unifier.unify(&Ty::Usize, &found) {
                    let found = self.show(&found);
                    self.report(messages::INDEX_TYPE.at(index, &[&found]));
                }
                *element
            }
            Ty::Table(entry, _) => {
                let ty = self.expr(index, None);
                self.late(index, LateCheck::Index(ty));
                Ty::Scalar(entry)
            }
            Ty::View(pixel, rank) => self.view_element(index, *pixel, rank),
            Ty::Error => {
                self.expr(index, None);
                Ty::Error
            }
            Ty::Var(_) => self.unknown_use(base, "[ ]"),
            other => {
                let found = self.show(&other);
                self.expr(index, None);
                self.wrong(messages::NOT_INDEXABLE.at(base, &[&found]))
            }
        }
    }

    fn field(&mut self, base: &Expr, member: &syn::Member) -> Ty {
        let found = self.expr(base, None);
        match (self.unifier.shallow(&found), member) {
            (Ty::Error, _) => Ty::Error,
            (_, syn::Member::Named(name)) => self.wrong(messages::NAMED_FIELD.at(name, &[])),
            (Ty::Tuple(parts), syn::Member::Unnamed(index)) if (index.index as usize) < parts.len() => {
                parts[index.index as usize].clone()
            }
            (Ty::Var(_), syn::Member::Unnamed(index)) => self.unknown_use(base, &format!(".{}", index.index)),
            (other, syn::Member::Unnamed(index)) => {
                let found = self.show(&other);
                self.wrong(messages::FIELD.at(index.span, &[&found, &index.index.to_string()]))
            }
        }
    }

    /// A value whose type must be known here, and isn't.
    pub(super) fn unknown_use(&mut self, expr: &Expr, what: &str) -> Ty {
        match self.unifier.shape(&self.types.of(expr).clone()) {
            Shape::Integer | Shape::Float => {
                let found = self.show(&self.types.of(expr).clone());
                self.wrong(messages::OPERATOR.at(expr, &[what, &found, "use a value that has it"]))
            }
            Shape::Bool | Shape::Other | Shape::Unknown => self.wrong(messages::RECEIVER_UNKNOWN.at(expr, &[what])),
        }
    }

    fn array(&mut self, expr: &Expr, elements: &[Expr], hint: Option<&Ty>) -> Ty {
        let element = match hint.map(|hint| self.unifier.shallow(hint)) {
            Some(Ty::Array(element, _)) => *element,
            _ => self.fresh(),
        };
        for value in elements {
            self.against(value, &element);
        }
        self.sized(expr, Ty::Array(Box::new(element), elements.len() as u64))
    }

    fn repeat(&mut self, expr: &Expr, value: &Expr, length: &syn::Expr, hint: Option<&Ty>) -> Ty {
        let element = match hint.map(|hint| self.unifier.shallow(hint)) {
            Some(Ty::Array(element, _)) => *element,
            _ => self.fresh(),
        };
        self.against(value, &element);
        let Some(n) = self.length(length) else { return Ty::Error };
        self.types.lengths.insert(expr.id, n);
        self.sized(expr, Ty::Array(Box::new(element), n))
    }

    fn tuple(&mut self, expr: &Expr, parts: &[Expr], hint: Option<&Ty>) -> Ty {
        let hints = match hint.map(|hint| self.unifier.shallow(hint)) {
            Some(Ty::Tuple(hints)) if hints.len() == parts.len() => hints,
            _ => Vec::new(),
        };
        let types = parts.iter().enumerate().map(|(i, part)| self.expr(part, hints.get(i))).collect();
        self.sized(expr, Ty::Tuple(types))
    }

    fn range(&mut self, expr: &Expr, start: Option<&Expr>, end: Option<&Expr>) -> Ty {
        let (Some(start), Some(end)) = (start, end) else {
            return self.wrong(messages::OPEN_RANGE.at(expr, &[]));
        };
        let ty = self.expr(start, None);
        self.against(end, &ty);
        self.late(expr, LateCheck::Operator("..".to_owned(), Class::Integers, ty.clone()));
        Ty::Iterator(Box::new(ty))
    }

    /// A closure; `wanted` are the parameters' types where its use says them.
    pub(super) fn closure(&mut self, expr: &Expr, closure: &Closure, wanted: &[Ty]) -> Ty {
        self.open_scope();
        let mut parameters = Vec::new();
        for (position, (pattern, written)) in closure.parameters.iter().enumerate() {
            let ty = match written {
                Some(written) => self.written(written),
                None => self.fresh(),
            };
            if let Some(wanted) = wanted.get(position) {
                self.same(pattern, wanted, &ty);
            }
            self.bind(pattern, &ty);
            parameters.push(ty);
        }
        let result = match &closure.output {
            Some(written) => {
                let ty = self.written(written);
                self.against(&closure.body, &ty);
                ty
            }
            None => self.expr(&closure.body, None),
        };
        self.scopes.pop();
        self.types.closures.insert(expr.id, Signature { parameters, result });
        Ty::Closure(expr.id)
    }

    /// What an assignment assigns to: a place, or a tuple or an array of places.
    fn assign(&mut self, place: &Expr, value: &Expr) -> Ty {
        let ty = self.place(place);
        self.against(value, &ty);
        Ty::UNIT
    }

    fn place(&mut self, place: &Expr) -> Ty {
        let ty = match &place.kind {
            ExprKind::Underscore => self.fresh(),
            ExprKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.place(part)).collect()),
            ExprKind::Array(parts) => {
                let element = self.fresh();
                for part in parts {
                    let found = self.place(part);
                    self.same(part, &element, &found);
                }
                Ty::Array(Box::new(element), parts.len() as u64)
            }
            ExprKind::Paren(inner) => self.place(inner),
            ExprKind::Path(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let ty = self.expr(place, None);
                self.check_place(place);
                ty
            }
            _ => self.wrong(messages::NOT_A_PLACE.at(place, &[])),
        };
        self.note(place, ty.clone());
        ty
    }

    /// Only variables, and parts of variables, can be assigned.
    fn check_place(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Index(base, _) | ExprKind::Field(base, ..) | ExprKind::Paren(base) => self.check_place(base),
            ExprKind::Path(_) => match self.types.resolutions.get(place.id) {
                Some(Resolution::Local(_)) | None => {}
                Some(
                    Resolution::Constant(_)
                    | Resolution::Known(..)
                    | Resolution::EnumValue(_)
                    | Resolution::Callable(_),
                ) => {
                    self.report(messages::NOT_A_PLACE.at(place, &[]));
                }
            },
            _ => self.report(messages::NOT_A_PLACE.at(place, &[])),
        }
    }

    fn assign_op(&mut self, expr: &Expr, place: &Expr, op: &syn::BinOp, value: &Expr) -> Ty {
        let left = match &place.kind {
            ExprKind::Path(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Paren(_) => {
                let ty = self.expr(place, None);
                self.check_place(place);
                ty
            }
            _ => self.wrong(messages::NOT_A_PLACE.at(place, &[])),
        };
        let right = self.expr(value, None);
        let result = self.operator(expr, op, &left, &right);
        self.same(expr, &left, &result);
        Ty::UNIT
    }

    pub(super) fn late(&mut self, place: impl Located, check: LateCheck) {
        self.late.push(Late { place: place.place(), check });
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push(super::Scope { names: Vec::new(), items: Vec::new(), barrier: false });
    }
}

/// A literal as the author wrote it, without a suffix.
fn literal_text(token: &syn::Lit) -> String {
    match token {
        syn::Lit::Int(int) => int.to_string(),
        syn::Lit::Float(float) => float.to_string(),
        other => quote::ToTokens::to_token_stream(other).to_string(),
    }
}
