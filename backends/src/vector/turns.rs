//! Bodies with loops at run time as vectors: what is the same for all lanes is a scalar, everything else is in vectors.

use super::Target;
use super::program::{Arg, Base, Lane, Operand, Place, Shape, Source, Variable, VectorId};
use super::selection::Select;
use super::value::Value;
use crate::value_name::wanted;
use windrow_dsl::ir::loops::turn_of;
use windrow_dsl::ir::{Axes, AxisId, BinaryOp, Body, CastMode, Constant, InputId, Node, Op, Order, ValueId};

/// A loop whose statements are being selected.
#[derive(Clone, Debug)]
pub struct Open {
    /// Its [`Op::Turn`], and its number in the program.
    turn: ValueId,
    number: usize,
    /// Its variables: their [`Op::Carried`].
    variables: Vec<(ValueId, Variable)>,
}

impl<T: Target> Select<'_, T> {
    /// What a value that belongs to a loop becomes.
    pub(super) fn of_loop(&mut self, id: ValueId) -> Value {
        match self.body.node(id).op {
            Op::Turn { axis, start, end, order } => self.open_loop(id, (axis, order), [start, end]),
            Op::Carried { turn, before, .. } => self.carried(id, turn, before),
            Op::Advance { carried, after, rest } => self.advance(carried, after, turn_of(&self.body.nodes, rest)),
            Op::Outcome { end, carried } => self.outcome(turn_of(&self.body.nodes, end), carried),
            _ => Value::Vectors(Vec::new()),
        }
    }

    fn open_loop(&mut self, turn: ValueId, (axis, order): (AxisId, Order), ends: [ValueId; 2]) -> Value {
        let body = self.body;
        let is_own = |node: &Op| matches!(node, Op::Carried { turn: own, .. } if *own == turn);
        let carried: Vec<ValueId> =
            (0..body.nodes.len() as u32).map(ValueId).filter(|id| is_own(&body.node(*id).op)).collect();
        let shapes = carried.iter().map(|&id| {
            let node = body.node(id);
            let count = if self.is_uniform(id) { None } else { Some(self.count(node.ty)) };
            Shape { name: wanted(self.kernel, node), lane: Lane::of(node.ty), count, along: self.axes(id) }
        });
        let shapes: Vec<Shape> = shapes.collect();
        let most = most_turns(body, ends);
        let ends = ends.map(|id| self.operand(id));
        let name = wanted(self.kernel, body.node(turn));
        let (number, made, now) = self.program.open((axis, order), &name, (ends, most), &shapes);
        let variable = |now| Variable { now, before: Vec::new(), after: Vec::new() };
        let variables = carried.into_iter().zip(now.into_iter().map(variable)).collect();
        self.open.push(Open { turn, number, variables });
        Value::Scalar(made)
    }

    fn carried(&mut self, id: ValueId, turn: ValueId, before: ValueId) -> Value {
        let before = self.parts(id, before);
        let Some(variable) = self.variable(turn, id) else { return Value::Vectors(Vec::new()) };
        variable.before = before;
        let now = variable.now.clone();
        match (now.as_slice(), self.is_uniform(id)) {
            (&[one], true) => Value::Scalar(one),
            _ => Value::Vectors(now),
        }
    }

    fn advance(&mut self, carried: ValueId, after: ValueId, turn: ValueId) -> Value {
        let after = self.parts(carried, after);
        if let Some(variable) = self.variable(turn, carried) {
            variable.after = after;
        }
        Value::Vectors(Vec::new())
    }

    /// What is in a variable behind a loop, which ends where the first is asked for.
    fn outcome(&mut self, turn: ValueId, carried: ValueId) -> Value {
        if let Some(place) = self.open.iter().position(|open| open.turn == turn) {
            let open = self.open.remove(place);
            self.program.close(open.number, open.variables.into_iter().map(|(_, variable)| variable).collect());
        }
        self.values[carried.0 as usize].clone()
    }

    fn variable(&mut self, turn: ValueId, carried: ValueId) -> Option<&mut Variable> {
        let open = self.open.iter_mut().find(|open| open.turn == turn)?;
        open.variables.iter_mut().find(|(id, _)| *id == carried).map(|(_, variable)| variable)
    }

    /// What a variable is given: a scalar, or vectors.
    fn parts(&mut self, variable: ValueId, value: ValueId) -> Vec<Operand> {
        match self.is_uniform(variable) {
            true => vec![self.operand(value)],
            false => self.vectors(value).into_iter().map(Operand::Made).collect(),
        }
    }

    /// Whether a value of a body with loops is the same for all lanes.
    pub(super) fn is_uniform(&self, id: ValueId) -> bool {
        self.along.get(id.0 as usize).is_some_and(|axes| !axes.has(AxisId::X) && !axes.has(AxisId::LANE))
    }

    /// What a value varies along in the program, for which a step of vectors is one along the row.
    fn axes(&self, id: ValueId) -> Axes {
        let axes = self.along[id.0 as usize].without(AxisId::LANE);
        if axes.has(AxisId::STEP) { axes.without(AxisId::STEP) | Axes::of(AxisId::X) } else { axes }
    }

    /// A scalar as statements read it.
    pub(super) fn operand(&mut self, id: ValueId) -> Operand {
        match &self.values[id.0 as usize] {
            Value::Scalar(made) => Operand::Made(*made),
            Value::Word(text) => Operand::Text(text.clone()),
            Value::Vector(_) | Value::Vectors(_) | Value::Masks(_) | Value::Waiting(_) => Operand::Text(String::new()),
        }
    }

    /// A value that is the same for all lanes.
    pub(super) fn scalar(&mut self, id: ValueId) -> Value {
        let node = self.body.node(id);
        let operands = node.op.operands().into_iter().map(|operand| self.operand(operand)).collect();
        let source = Source::Scalar { value: id, operands, along: self.axes(id) };
        Value::Scalar(self.source(&[Lane::of(node.ty)], source)[0])
    }

    /// What the lanes of a value have in common: a scalar.
    pub(super) fn across(&mut self, node: &Node, op: BinaryOp, value: ValueId) -> Value {
        let (lane, vectors) = (Lane::of(node.ty), self.vectors(value));
        Value::Scalar(self.source(&[lane], Source::Across { op, lane, vectors })[0])
    }

    /// A scalar in all lanes of vectors of its type.
    pub(super) fn splat_scalar(&mut self, id: ValueId, made: VectorId) -> VectorId {
        let lane = Lane::of(self.body.node(id).ty);
        let call = self.target.splat(lane, Arg::Scalar(String::new(), made, String::new()));
        let name = wanted(self.kernel, self.body.node(id));
        self.program.call(lane, &name, call)
    }

    /// Neighbouring elements of a row of a whole input. Those of vectors side by side have one pointer.
    pub(super) fn contiguous(&mut self, id: ValueId) -> Vec<VectorId> {
        self.contiguous_or(id, None)
    }

    /// The same where a condition holds, and another value elsewhere, of which both are the same for all lanes: a choice of pointers.
    pub(super) fn contiguous_or(&mut self, id: ValueId, choice: Option<[ValueId; 2]>) -> Vec<VectorId> {
        let Some(span) = self.spans.iter().find(|span| span.members.iter().any(|(member, _)| *member == id)) else {
            return Vec::new();
        };
        let Span { input, at, least, greatest, .. } = *span;
        let offset = span.members.iter().find(|(member, _)| *member == id).map_or(0, |(_, offset)| offset - least);
        let (name, lane) = (self.name(), Lane::of(self.kernel.inputs[input.0 as usize].ty));
        let (machine, lanes) = (self.target.machine(), self.lanes);
        let at = at.map(|id| self.operand(id));
        let count = lanes + (greatest - least) as u32;
        let pointer = Source::Contiguous { input, at, count, lane };
        let mut pointer = self.program.source(&[lane], &format!("{name}_at").into(), pointer)[0];
        if let Some([condition, otherwise]) = choice.map(|choice| choice.map(|id| self.operand(id))) {
            let repeated = Source::Repeated { value: otherwise, count, lane };
            let repeated = self.program.source(&[lane], &format!("{name}_otherwise").into(), repeated)[0];
            let either = Source::Either { condition, pointers: [pointer, repeated] };
            pointer = self.program.source(&[lane], &format!("{name}_from").into(), either)[0];
        }
        let place = Place { base: Base::Pointer(pointer), factor: 1, offset: 0, apart: machine.apart(lanes), lane };
        let mut vectors = Vec::new();
        for part in 0..machine.vectors_of(lane.ty(), lanes) as i64 {
            let place = Place { offset: offset + part * i64::from(machine.lanes_in_run(lane)), ..place };
            vectors.extend(self.target.load(&mut self.program, place, 1, &name));
        }
        vectors
    }
}

/// The most turns of a loop from 0 to what a mask leaves of a number, or to the lesser of two of which one is known.
fn most_turns(body: &Body, [start, end]: [ValueId; 2]) -> Option<u32> {
    let mut end = body.node(end);
    while let Op::Cast(CastMode::Value | CastMode::Wrapping, inner) = end.op {
        end = body.node(inner);
    }
    let Op::Binary(BinaryOp::And | BinaryOp::Min, _, most) = end.op else { return None };
    let most = body.node(most).op.integer().filter(|_| body.node(start).op.integer() == Some(0))?;
    u32::try_from(most).ok()
}

/// Reads of a row of a whole input that lie a constant number of columns apart.
#[derive(Clone, Debug)]
pub struct Span {
    input: InputId,
    /// The row, the first column of the first of them, and the greatest column.
    at: [ValueId; 3],
    /// What the columns have in common, and the first and the last constant.
    common: Vec<(ValueId, bool)>,
    least: i64,
    greatest: i64,
    /// Each [`Op::Contiguous`], and its constant.
    members: Vec<(ValueId, i64)>,
}

/// The greatest distance of the columns of a span: what is read of a row beyond them would be copied at its ends.
const MOST_APART: i64 = 256;

/// The spans of a body.
pub fn spans(body: &Body) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (index, node) in body.nodes.iter().enumerate() {
        let Op::Contiguous { input, row, first, last, .. } = node.op else { continue };
        let (id, (common, offset)) = (ValueId(index as u32), column(body, first));
        let is_near = |span: &&mut Span| {
            span.input == input
                && [span.at[0], span.at[2]] == [row, last]
                && span.common == common
                && (span.least..=span.least + MOST_APART).contains(&offset)
        };
        match spans.iter_mut().find(is_near) {
            // The first is known before all others are.
            Some(span) => {
                span.greatest = span.greatest.max(offset);
                span.members.push((id, offset));
            }
            None => spans.push(Span {
                input,
                at: [row, first, last],
                common,
                least: offset,
                greatest: offset,
                members: vec![(id, offset)],
            }),
        }
    }
    spans
}

/// A column as terms, each added or subtracted, and a constant.
pub(super) fn column(body: &Body, id: ValueId) -> (Vec<(ValueId, bool)>, i64) {
    let (mut terms, mut offset, mut waiting) = (Vec::new(), 0, vec![(id, true)]);
    while let Some((id, is_added)) = waiting.pop() {
        let sign = if is_added { 1 } else { -1 };
        match body.node(id).op {
            Op::Binary(BinaryOp::Add(_), a, b) => waiting.extend([(a, is_added), (b, is_added)]),
            Op::Binary(BinaryOp::Sub(_), a, b) => waiting.extend([(a, is_added), (b, !is_added)]),
            Op::Constant(Constant::Int(value)) => offset += sign * value as i64,
            // Steps differ in their offsets alone.
            Op::Coordinate { axis: AxisId::STEP, offset: own } if is_added => offset += i64::from(own),
            _ => terms.push((id, is_added)),
        }
    }
    terms.sort_unstable();
    (terms, offset)
}
