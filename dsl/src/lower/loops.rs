//! Loops whose ends are computed: the body is lowered once, for any turn.
//!
//! What the body assigns to is carried from turn to turn, number by number; a truth value as 0 or 1. All else is what it was.

use super::items::{Ends, Iter};
use super::value::{Scalar, Value};
use super::{Lower, Stop};
use crate::infer::Resolution;
use crate::infer::types::Reduction;
use crate::ir::Overflow::Never;
use crate::ir::*;
use crate::messages;
use crate::syntax::*;
use std::collections::BTreeSet;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// `for pattern in start..end { body }`.
    pub(super) fn loop_at_run_time(
        &mut self,
        pattern: &'a Pattern,
        ends: &Ends<'a>,
        body: &'a CodeBlock,
    ) -> Result<Value<'a>, Stop> {
        let span = ends.place.start;
        let (turn, id, [start, end]) = self.turn(ends, Order::Written)?;
        let mut assigned = BTreeSet::new();
        self.assigned_in(body, &mut assigned);
        let outer = self.guard;
        let carried = self.inside(id, [start, end], span, |lower| {
            let mut carried: Vec<(LocalId, Value<'a>, Vec<ValueId>)> = Vec::new();
            let mut index = 0;
            for local in assigned {
                let Some(before) = lower.locals[local.0 as usize].take() else { continue };
                let mut nodes = Vec::new();
                let value = lower.carry(id, &before, outer, (&mut index, &mut nodes), span);
                let name = lower.name_of(local);
                lower.name_value(&value, &name, lower.type_of(local));
                lower.locals[local.0 as usize] = Some(value.clone());
                carried.push((local, value, nodes));
            }
            let item = lower.cast(CastMode::Value, ends.ty, turn, span);
            lower.bind(pattern, Value::Scalar(item))?;
            lower.block(body)?;
            lower.forget(pattern);
            Ok(carried)
        })?;
        self.behind(id, outer, carried, ends.place)?;
        Ok(self.unit_value.clone())
    }

    /// The variable of a loop: as a scalar, as a value, and between which ends it counts.
    fn turn(&mut self, ends: &Ends<'a>, order: Order) -> Result<(Scalar, ValueId, [ValueId; 2]), Stop> {
        let span = ends.place.start;
        let axis = AxisId(AxisId::COUNT + self.loops);
        if self.loops == AxisId::LOOPS || ends.ty.bits() > 32 {
            let (message, words): (_, &[&str]) = match ends.ty.bits() {
                64 => (messages::LOOP_TYPE, &[]),
                _ => (messages::TOO_MANY_LOOPS, &[&AxisId::LOOPS.to_string()]),
            };
            self.report(&message, ends.place, words);
            return Err(Stop);
        }
        self.loops += 1;
        let counts_in = if ends.ty == Type::U32 { Type::U32 } else { Type::I32 };
        let [start, end] = [ends.start, ends.end].map(|end| {
            let end = self.cast(CastMode::Value, counts_in, end, span);
            self.materialise(end, span)
        });
        let turn = self.emit(Op::Turn { axis, start, end, order }, counts_in, span);
        Ok((turn, self.materialise(turn, span), [start, end]))
    }

    /// `sum(start..end, |i| term)`, and the least and the greatest term: a loop with one variable. A sum of floats is one in lanes.
    /// `argmax` has another variable, the place of the greatest term so far.
    pub(super) fn reduction(
        &mut self,
        place: &'a Expr,
        reduction: Reduction,
        range: Value<'a>,
        term: &Value<'a>,
    ) -> Result<Value<'a>, Stop> {
        let ends = match self.iterate(range)? {
            Iter::AtRunTime(ends) => Rc::clone(&ends),
            Iter::Range { ty, next, end } => {
                let [start, end] = [next, end].map(|end| Scalar::int(ty, end));
                Rc::new(Ends { ty, start, end, place })
            }
            _ => return Err(Stop),
        };
        self.check_term(reduction, term)?;
        let span = place.start;
        let ty = match self.types.terms.get(&place.id) {
            Some(terms) => terms.scalar().ok_or(Stop)?,
            None => self.scalar_type(place)?,
        };
        let is_float_sum = reduction == Reduction::Sum && ty.is_float();
        let (turn, id, limits) = self.turn(&ends, if is_float_sum { Order::Lanes } else { Order::Written })?;
        if let Value::Closure(Expr { kind: ExprKind::Closure(closure), .. }) = term
            && let [(Pattern { kind: PatternKind::Binding { local, .. }, .. }, _)] = closure.parameters.as_slice()
        {
            let name = self.name_of(*local);
            self.name_node(turn, &name);
        }
        let before = self.materialise(neutral(reduction, ty), span);
        let carried = self.emit(Op::Carried { turn: id, before, index: 0 }, ty, span);
        self.name_node(carried, &reduction.name().into());
        let variable = self.materialise(carried, span);
        let found = (reduction == Reduction::Argmax).then(|| self.place_of_first(id, limits[0], span));
        let after = self.inside(id, limits, span, |lower| {
            let item = lower.cast(CastMode::Value, ends.ty, turn, span);
            let Value::Scalar(term) = lower.call_value(place, term, vec![Value::Scalar(item)])? else {
                return Err(Stop);
            };
            let op = match reduction {
                Reduction::Sum => BinaryOp::Add(Never),
                Reduction::Least => BinaryOp::Min,
                Reduction::Greatest => BinaryOp::Max,
                Reduction::Argmax => {
                    let is_greater = lower.binary_op(BinaryOp::Gt, term, carried, span);
                    let condition = lower.materialise(is_greater, span);
                    let mut afters = Vec::new();
                    for (own, now) in [(term, carried)].into_iter().chain(found.map(|found| (turn, found))) {
                        let after = lower.select_scalar(condition, own, now, span);
                        afters.push(lower.materialise(after, span));
                    }
                    return Ok(afters);
                }
            };
            let after = lower.binary_op(op, carried, term, span);
            Ok(vec![lower.materialise(after, span)])
        })?;
        let mut rest = id;
        let mut outcome = (variable, ty);
        let variables =
            [(variable, ty)].into_iter().chain(found.map(|found| (self.materialise(found, span), found.ty)));
        for (variable, after) in variables.collect::<Vec<_>>().into_iter().zip(after) {
            let next = self.emit(Op::Advance { carried: variable.0, after, rest }, self.body.node(id).ty, span);
            (rest, outcome) = (self.materialise(next, span), variable);
        }
        let (carried, ty) = outcome;
        let outcome = self.emit(Op::Outcome { end: rest, carried }, ty, span);
        // What is counted in 32 bits is of the range's type.
        Ok(Value::Scalar(if reduction == Reduction::Argmax {
            self.cast(CastMode::Value, ends.ty, outcome, span)
        } else {
            outcome
        }))
    }

    /// The variable that holds where the first greatest term is: at first the beginning of the range.
    fn place_of_first(&mut self, turn: ValueId, start: ValueId, span: proc_macro2::Span) -> Scalar {
        let ty = self.body.node(turn).ty;
        let place = self.emit(Op::Carried { turn, before: start, index: 1 }, ty, span);
        self.name_node(place, &Reduction::Argmax.name().into());
        place
    }

    /// A term changes no variable: it is one of no turn.
    fn check_term(&mut self, reduction: Reduction, term: &Value<'a>) -> Result<(), Stop> {
        let Value::Closure(closure) = term else { return Ok(()) };
        let mut assigned = BTreeSet::new();
        Assigned { lower: self, found: &mut assigned, closures: BTreeSet::new() }.expr(closure);
        match assigned.into_iter().find(|local| self.locals[local.0 as usize].is_some()) {
            Some(changed) => {
                let name = self.name_of(changed).to_string();
                self.report(&messages::REDUCTION_STATE, *closure, &[reduction.name(), &name]);
                Err(Stop)
            }
            None => Ok(()),
        }
    }

    /// Evaluates what a turn does, where it is known that there is a turn.
    fn inside<R>(
        &mut self,
        turn: ValueId,
        [start, end]: [ValueId; 2],
        span: proc_macro2::Span,
        work: impl FnOnce(&mut Self) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        let outer = self.guard;
        for (op, limit) in [(BinaryOp::Ge, start), (BinaryOp::Lt, end)] {
            let condition = self.emit(Op::Binary(op, turn, limit), Type::BOOL, span);
            let condition = self.materialise(condition, span);
            self.body.guards.push(Guard { parent: self.guard, condition, polarity: true });
            self.guard = Some(GuardId(self.body.guards.len() as u32 - 1));
        }
        let result = work(self);
        self.guard = outer;
        result
    }

    /// What a variable holds when a turn begins.
    fn carry(
        &mut self,
        turn: ValueId,
        before: &Value<'a>,
        outer: Option<GuardId>,
        (index, nodes): (&mut u32, &mut Vec<ValueId>),
        span: proc_macro2::Span,
    ) -> Value<'a> {
        match before {
            Value::Scalar(scalar) => {
                let inner = std::mem::replace(&mut self.guard, outer);
                let before = self.as_number(*scalar, span);
                self.guard = inner;
                let ty = self.body.node(before).ty;
                let carried = self.emit(Op::Carried { turn, before, index: *index }, ty, span);
                *index += 1;
                nodes.push(self.materialise(carried, span));
                Value::Scalar(self.as_of(carried, scalar.ty, span))
            }
            Value::Parts(parts) => {
                let parts = parts.iter().map(|part| self.carry(turn, part, outer, (index, nodes), span));
                Value::parts(parts.collect())
            }
            other => other.clone(),
        }
    }

    /// A scalar as what a loop carries.
    fn as_number(&mut self, scalar: Scalar, span: proc_macro2::Span) -> ValueId {
        let number = if scalar.ty == Type::BOOL { self.cast(CastMode::Value, Type::U8, scalar, span) } else { scalar };
        self.materialise(number, span)
    }

    /// What a loop carries as a scalar of the author's type.
    fn as_of(&mut self, number: Scalar, ty: Type, span: proc_macro2::Span) -> Scalar {
        match ty {
            Type::BOOL => self.binary_op(BinaryOp::Ne, number, Scalar::int(number.ty, 0), span),
            _ => number,
        }
    }

    /// What the variables hold behind the loop.
    fn behind(
        &mut self,
        turn: ValueId,
        outer: Option<GuardId>,
        carried: Vec<(LocalId, Value<'a>, Vec<ValueId>)>,
        place: &'a Expr,
    ) -> Result<(), Stop> {
        let span = place.start;
        let mut end = turn;
        for (local, before, nodes) in &carried {
            let Some(after) = self.locals[local.0 as usize].clone() else { continue };
            let mut numbers = Vec::new();
            self.numbers_of(before, &after, &mut numbers, place)?;
            for (&carried, after) in nodes.iter().zip(numbers) {
                let after = self.as_number(after, span);
                let next = self.emit(Op::Advance { carried, after, rest: end }, self.body.node(turn).ty, span);
                end = self.materialise(next, span);
            }
        }
        debug_assert!(self.guard == outer, "a turn leaves the path condition that it found");
        for (local, before, nodes) in carried {
            let mut nodes = nodes.into_iter();
            let behind = self.outcome(end, &before, &mut nodes, span);
            let name = self.name_of(local);
            self.name_value(&behind, &name, self.type_of(local));
            self.locals[local.0 as usize] = Some(behind);
        }
        Ok(())
    }

    /// The scalars of a value that was `before`, in the order of its parts.
    fn numbers_of(
        &mut self,
        before: &Value<'a>,
        after: &Value<'a>,
        numbers: &mut Vec<Scalar>,
        place: &'a Expr,
    ) -> Result<(), Stop> {
        match (before, after) {
            (Value::Scalar(_), Value::Scalar(scalar)) => numbers.push(*scalar),
            (Value::Parts(before), Value::Parts(after)) => {
                for (before, after) in before.iter().zip(after.iter()) {
                    self.numbers_of(before, after, numbers, place)?;
                }
            }
            (before, after) if before.same(after) => {}
            (_, _) => {
                self.report(&messages::RUN_TIME_STORE, place, &[]);
                return Err(Stop);
            }
        }
        Ok(())
    }

    fn outcome(
        &mut self,
        end: ValueId,
        before: &Value<'a>,
        nodes: &mut impl Iterator<Item = ValueId>,
        span: proc_macro2::Span,
    ) -> Value<'a> {
        match before {
            Value::Scalar(scalar) => match nodes.next() {
                Some(carried) => {
                    let ty = self.body.node(carried).ty;
                    let behind = self.emit(Op::Outcome { end, carried }, ty, span);
                    Value::Scalar(self.as_of(behind, scalar.ty, span))
                }
                None => before.clone(),
            },
            Value::Parts(parts) => {
                let mut behind = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    behind.push(self.outcome(end, part, nodes, span));
                }
                Value::parts(behind)
            }
            other => other.clone(),
        }
    }

    /// The variables that a block assigns to, itself or by the closures that it names.
    fn assigned_in(&self, block: &'a CodeBlock, found: &mut BTreeSet<LocalId>) {
        let mut walk = Assigned { lower: self, found, closures: BTreeSet::new() };
        walk.block(block);
    }
}

/// A walk over expressions for what they assign to.
struct Assigned<'w, 'a> {
    lower: &'w Lower<'a>,
    found: &'w mut BTreeSet<LocalId>,
    /// The closures that were walked over.
    closures: BTreeSet<ExprId>,
}

impl<'a> Assigned<'_, 'a> {
    fn block(&mut self, block: &'a CodeBlock) {
        for statement in &block.statements {
            match statement {
                Statement::Let { value, .. } => value.iter().for_each(|value| self.expr(value)),
                Statement::Expr(value, _) => self.expr(value),
            }
        }
        block.tail.iter().for_each(|tail| self.expr(tail));
    }

    /// The variables of which a place is a part.
    fn place(&mut self, place: &'a Expr) {
        match &place.kind {
            ExprKind::Path(_) => {
                if let Some(Resolution::Local(local)) = self.lower.types.resolutions.get(place.id) {
                    self.found.insert(*local);
                }
            }
            ExprKind::Paren(inner) | ExprKind::Field(inner, ..) => self.place(inner),
            ExprKind::Index(base, index) => {
                self.place(base);
                self.expr(index);
            }
            ExprKind::Tuple(places) | ExprKind::Array(places) => places.iter().for_each(|place| self.place(place)),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) | ExprKind::AssignOp(place, _, value) => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Path(_) => self.named(expr),
            ExprKind::Unary(_, a) | ExprKind::Cast(a, ..) | ExprKind::Field(a, ..) | ExprKind::Paren(a) => self.expr(a),
            ExprKind::Repeat(a, _) => self.expr(a),
            ExprKind::Binary(a, _, b) | ExprKind::Index(a, b) => [a, b].into_iter().for_each(|part| self.expr(part)),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                otherwise.iter().for_each(|otherwise| self.expr(otherwise));
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    arm.guard.iter().for_each(|guard| self.expr(guard));
                    self.expr(&arm.body);
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::For { items, body, .. } => {
                self.expr(items);
                self.block(body);
            }
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Method { receiver, arguments, .. } => {
                self.expr(receiver);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Range { start, end, .. } => {
                start.iter().chain(end).for_each(|end| self.expr(end));
            }
            ExprKind::Closure(closure) => self.expr(&closure.body),
            ExprKind::Literal(_) | ExprKind::Underscore => {}
        }
    }

    /// A closure changes the variables around it wherever it is called.
    fn named(&mut self, expr: &'a Expr) {
        let Some(Resolution::Local(local)) = self.lower.types.resolutions.get(expr.id) else { return };
        if let Some(Value::Closure(closure)) = &self.lower.locals[local.0 as usize]
            && self.closures.insert(closure.id)
        {
            self.expr(closure);
        }
    }
}

/// What no term changes: the sum, the least or the greatest of none.
fn neutral(reduction: Reduction, ty: Type) -> Scalar {
    let float = |value: f64| Scalar::known(ty, Constant::of_float(value, ty));
    match (reduction, ty.is_float()) {
        (Reduction::Sum, true) => float(0.0),
        (Reduction::Least, true) => float(f64::INFINITY),
        (Reduction::Greatest | Reduction::Argmax, true) => float(f64::NEG_INFINITY),
        (Reduction::Sum, false) => Scalar::int(ty, 0),
        (Reduction::Least, false) => Scalar::int(ty, ty.limits().1),
        (Reduction::Greatest | Reduction::Argmax, false) => Scalar::int(ty, ty.limits().0),
    }
}

/// Behind the last item of a closed range.
pub(super) fn behind(lower: &mut Lower<'_>, last: Scalar, place: &Expr) -> Scalar {
    lower.binary_op(BinaryOp::Add(Never), last, Scalar::int(last.ty, 1), place.start)
}
