//! Choices between values that are computed alike: the operands are chosen first, and what is expensive is computed once.
//!
//! `if c { p / d } else { q / d }` divides once, whichever was chosen. It is the same operation on the same operands, so that
//! floats have the same bits. What costs little stays as it is: a choice between sums of products takes them in.

use crate::ir::{Axes, BinaryOp, Body, Constant, Node, Op, Range, Type, UnaryOp, ValueId, along};
use crate::optimise::Builder;
use crate::optimise::build::builder::carried;

/// Operations above one another that are looked at.
const DEPTH: u32 = 6;

/// What a choice costs; a choice between truth values is made of three operations.
const CHOICE: i32 = 1;
const CHOICE_OF_TRUTHS: i32 = 3;

/// The body with operands chosen first where that costs less, and what is known about its values.
pub fn joined(body: Body, known: Vec<Option<Range>>) -> (Body, Vec<Option<Range>>) {
    let has_choices = body.nodes.iter().any(|node| matches!(node.op, Op::Select { .. }));
    if !has_choices || !body.nodes.iter().any(may_be_dear) {
        return (body, known);
    }
    let (axes, uses) = (along(&body.nodes), body.uses());
    let mut join = Join { builder: Builder::with_capacity(body.nodes.len()), values: Vec::new(), has_joined: false };
    let ids = body.rewrite(|value, op| {
        let id = match op {
            Op::Select { condition, then, otherwise } if value.node.ty != Type::BOOL => {
                join.choice(&value.with(op), condition, [then, otherwise], axes[value.id.0 as usize])
            }
            op => join.builder.push(value.with(op)),
        };
        join.read(id, uses[value.id.0 as usize]);
        join.know(id, axes[value.id.0 as usize]);
        id
    });
    if !join.has_joined {
        return (body, known);
    }
    let joined = join.builder.finish(&body, &ids);
    let known = if known.len() == ids.len() { carried(&known, &ids, joined.nodes.len()) } else { Vec::new() };
    (joined, known)
}

/// Whether an operation may cost more than a choice.
fn may_be_dear(node: &Node) -> bool {
    matches!(
        node.op,
        Op::Binary(BinaryOp::Div | BinaryOp::Rem, ..)
            | Op::Unary(UnaryOp::Sqrt | UnaryOp::Isqrt, _)
            | Op::Lookup { .. }
    )
}

/// What is known of a value of the body under construction.
#[derive(Clone, Copy, Default)]
struct Known {
    axes: Axes,
    uses: u32,
}

/// A body in the making.
struct Join {
    builder: Builder,
    values: Vec<Known>,
    has_joined: bool,
}

/// The arms of a choice: what it asks, and along which axes that varies.
#[derive(Clone, Copy)]
struct Alternatives {
    condition: ValueId,
    axes: Axes,
}

impl Join {
    fn known(&self, id: ValueId) -> Known {
        self.values.get(id.0 as usize).copied().unwrap_or_default()
    }

    fn entry(&mut self, id: ValueId) -> &mut Known {
        let count = self.builder.count();
        self.values.resize(count, Known::default());
        &mut self.values[id.0 as usize]
    }

    fn read(&mut self, id: ValueId, times: u32) {
        self.entry(id).uses += times;
    }

    fn know(&mut self, id: ValueId, axes: Axes) {
        let entry = self.entry(id);
        entry.axes = entry.axes | axes;
    }

    /// A choice, or what is computed from chosen operands.
    fn choice(&mut self, node: &Node, condition: ValueId, arms: [ValueId; 2], axes: Axes) -> ValueId {
        let choice = Alternatives { condition, axes };
        if self.saved(choice, arms, DEPTH).is_none_or(|saved| saved <= 0) {
            return self.builder.push(node.clone());
        }
        self.has_joined = true;
        let id = self.join(choice, arms, DEPTH);
        self.builder.adopt_name(id, node.name.clone());
        id
    }

    /// What is saved where the operands of two values are chosen first, less what their choices cost more than that between
    /// the values; none where they are not computed alike.
    fn saved(&mut self, choice: Alternatives, [a, b]: [ValueId; 2], depth: u32) -> Option<i32> {
        let both = [a, b].map(|id| self.known(id));
        // What another value reads is computed anyway.
        if depth == 0 || a == b || both.iter().any(|known| known.uses != 1) || !self.are_alike(a, b) {
            return None;
        }
        // It would be computed more often than before; and what is the same for the whole run is computed once as it is.
        if choice.axes.is_empty() || both.iter().all(|known| known.axes != choice.axes) {
            return None;
        }
        let mut saved = self.weight(a) + self.cost_of_choice(a);
        for pair in self.operands(choice, [a, b]) {
            if pair[0] == pair[1] {
                continue;
            }
            let plain = -self.cost_of_choice(pair[0]);
            saved += self.saved(choice, pair, depth - 1).map_or(plain, |inner| (plain + inner).max(plain));
        }
        Some(saved)
    }

    /// Builds what [`Self::saved`] found.
    fn join(&mut self, choice: Alternatives, [a, b]: [ValueId; 2], depth: u32) -> ValueId {
        let pairs = self.operands(choice, [a, b]);
        let mut operands = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let is_joined = pair[0] != pair[1] && self.saved(choice, pair, depth - 1).is_some_and(|saved| saved > 0);
            operands.push(match pair {
                [a, b] if a == b => a,
                pair if is_joined => {
                    let id = self.join(choice, pair, depth - 1);
                    self.made(id, choice.axes)
                }
                [then, otherwise] => {
                    let like = self.builder.node(then).clone();
                    let op = Op::Select { condition: choice.condition, then, otherwise };
                    let id = self.builder.op(op, like.ty, &like);
                    self.made(id, choice.axes)
                }
            });
        }
        let mut operands = operands.into_iter();
        let node = self.builder.node(a).clone();
        let op = node.op.map_operands(|operand| operands.next().unwrap_or(operand));
        self.builder.push(Node { op, name: None, ..node })
    }

    /// A value that one other reads.
    fn made(&mut self, id: ValueId, axes: Axes) -> ValueId {
        self.read(id, 1);
        self.know(id, axes);
        id
    }

    /// The operands of two values, pair by pair, as they are where the condition chooses them.
    fn operands(&mut self, choice: Alternatives, arms: [ValueId; 2]) -> Vec<[ValueId; 2]> {
        let [a, b] = arms.map(|id| self.builder.node(id).op.operands());
        let pairs: Vec<[ValueId; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        let assumed = |join: &mut Self, [a, b]: [ValueId; 2]| match a == b {
            true => [a, b],
            false => [join.assumed(choice.condition, true, a), join.assumed(choice.condition, false, b)],
        };
        pairs.into_iter().map(|pair| assumed(self, pair)).collect()
    }

    /// What a value is where a condition has a truth value: guards choose divisors so.
    fn assumed(&mut self, condition: ValueId, holds: bool, id: ValueId) -> ValueId {
        let node = self.builder.node(id).clone();
        let Op::Select { condition: own, then, otherwise } = node.op else { return id };
        let reduced = self.reduced(condition, holds, own);
        if reduced == own {
            return id;
        }
        let op = Op::Select { condition: reduced, then, otherwise };
        let known = self.known(id);
        let id = self.builder.op(op, node.ty, &node);
        self.know(id, known.axes);
        id
    }

    /// What a truth value is where a condition has one.
    fn reduced(&mut self, condition: ValueId, holds: bool, id: ValueId) -> ValueId {
        if let Some(value) = self.says(condition, id) {
            let like = self.builder.node(id).clone();
            return self.builder.op(Op::Constant(Constant::Bool(value == holds)), Type::BOOL, &like);
        }
        let node = self.builder.node(id).clone();
        let Op::Binary(BinaryOp::And, a, b) = node.op else { return id };
        let (x, y) = (self.reduced(condition, holds, a), self.reduced(condition, holds, b));
        if (x, y) == (a, b) { id } else { self.builder.op(Op::Binary(BinaryOp::And, x, y), Type::BOOL, &node) }
    }

    /// Whether a truth value is a condition, or its opposite.
    fn says(&self, condition: ValueId, id: ValueId) -> Option<bool> {
        let opposite = |id: ValueId, other: ValueId| match (&self.builder.node(id).op, &self.builder.node(other).op) {
            (&Op::Unary(UnaryOp::Not, inner), _) => inner == other,
            (&Op::Binary(op, a, b), &Op::Binary(own, x, y)) => {
                (a, b) == (x, y) && own.inverse(self.builder.node(x).ty) == Some(op)
            }
            _ => false,
        };
        match id == condition {
            true => Some(true),
            false if opposite(id, condition) || opposite(condition, id) => Some(false),
            false => None,
        }
    }

    /// Whether two values are the same operation on operands of the same types, which may be chosen first.
    fn are_alike(&self, a: ValueId, b: ValueId) -> bool {
        let [a, b] = [a, b].map(|id| self.builder.node(id));
        let has_form =
            matches!(a.op, Op::Unary(..) | Op::Binary(..) | Op::Cast(..) | Op::MulAdd(..) | Op::Lookup { .. });
        let form = |node: &Node| node.op.map_operands(|_| ValueId(0));
        if !has_form || a.ty != b.ty || form(a) != form(b) {
            return false;
        }
        let ty = |id: ValueId| self.builder.node(id).ty;
        let pairs: Vec<(ValueId, ValueId)> = a.op.operands().into_iter().zip(b.op.operands()).collect();
        // By what is the same for all elements, machines shift, multiply and divide otherwise.
        let is_chosen = |(a, b): (ValueId, ValueId)| a == b || !self.is_uniform(a) && !self.is_uniform(b);
        let keeps = match a.op {
            Op::Binary(op, ..) if !is_by_bits(op) => pairs.iter().skip(1).copied().all(is_chosen),
            _ => true,
        };
        keeps && pairs.into_iter().all(|(a, b)| ty(a) == ty(b))
    }

    fn is_uniform(&self, id: ValueId) -> bool {
        self.builder.node(id).op.is_word() || self.known(id).axes.is_empty()
    }

    /// What an operation costs that is saved. Of what costs no more than a choice, nothing: an instruction of its user's may
    /// take it in.
    fn weight(&self, id: ValueId) -> i32 {
        let node = self.builder.node(id);
        match node.op {
            Op::Binary(BinaryOp::Div, ..) | Op::Unary(UnaryOp::Sqrt, _) if node.ty.is_float() => 4,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) if self.is_uniform(divisor) => {
                match self.builder.constant(divisor) {
                    Some(Constant::Int(divisor)) if divisor.count_ones() == 1 => 0,
                    _ => 3,
                }
            }
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, ..) | Op::Unary(UnaryOp::Isqrt, _) => 8,
            Op::Lookup { .. } => 3,
            _ => 0,
        }
    }

    fn cost_of_choice(&self, id: ValueId) -> i32 {
        if self.builder.node(id).ty == Type::BOOL { CHOICE_OF_TRUTHS } else { CHOICE }
    }
}

/// Whether an operation takes as long whatever its second operand is.
fn is_by_bits(op: BinaryOp) -> bool {
    use BinaryOp::*;
    !matches!(op, Div | Rem | Mul(_) | MulHigh | Shl(_) | Shr | RoundingShr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::prepare;

    /// How often the kernel of a source computes something expensive, once it is prepared.
    fn expensive(source: &str) -> usize {
        let compiled = crate::compile_file(source);
        let [kernel] = compiled.kernels.as_slice() else { panic!("{source}: {:?}", compiled.errors) };
        prepare(&kernel.kernel).bodies[0].nodes.iter().filter(|node| may_be_dear(node)).count()
    }

    fn of_three(ty: &str, expression: &str) -> usize {
        expensive(&format!(
            "#[kernel] fn k(p: {ty}, q: {ty}, d: {ty}, #[uniform(1..=9)] by: u8) -> {ty} {{ {expression} }}"
        ))
    }

    #[test]
    fn what_is_expensive_is_computed_once() {
        for (ty, expression) in [
            ("f32", "if p > q { p / d } else { q / d }"),
            ("f32", "if p > q { d / p } else { d / q }"),
            ("f32", "if p > q { p / q } else { q / p }"),
            ("f32", "if p > q { p.sqrt() } else { q.sqrt() }"),
            ("f32", "if p > q { p / d + 1.0 } else { q / d + 1.0 }"),
            ("f32", "if p > q { p / d } else if q > d { q / d } else { 3.0 / d }"),
            ("u8", "let d = d.max(1); if p > q { p / d } else { q / d }"),
            ("u8", "if d == 0 { 0 } else if p > q { p / d } else { q / d }"),
            ("u8", "if p > q { p / 3 } else { q / 3 }"),
            (
                "u8",
                "let d = d.max(1) as i32; if p > q { (p as i32 * 60 / d).min(9) as u8 } else { (q as i32 * 60 / d).min(9) as u8 }",
            ),
        ] {
            assert_eq!(of_three(ty, expression), 1, "{expression}");
        }
        let table = "#[kernel] fn k(p: u8, q: u8, t: Table<'_, u8, 256>) -> u8 { if p > q { t[p as usize] } else { t[q as usize] } }";
        assert_eq!(expensive(table), 1);
    }

    #[test]
    fn what_would_cost_more_stays() {
        for (ty, expression, count) in [
            // Another value reads it.
            ("f32", "let a = p / d; (if p > q { a } else { q / d }) + a", 2),
            // By a constant it is a multiplication.
            ("u8", "if p > q { p / 3 } else { q / 7 }", 2),
            ("u8", "if p > q { p / by } else { q / 7 }", 1),
            ("f32", "if p > q { p / 3.0 } else { q / 7.0 }", 2),
            ("f32", "if p > q { p / d } else { q.sqrt() }", 2),
        ] {
            assert_eq!(of_three(ty, expression), count, "{expression}");
        }
        // A row's own value is computed once for the row.
        let rows = "#[kernel(window(h, w))] fn k([y, x]: At<2>, #[shape(h, w)] a: View<u8, 2>) -> f32 {
            if a[[y, x]] > 9 { (y as f32).sqrt() } else { (y as f32 + 1.0).sqrt() }
        }";
        assert_eq!(expensive(rows), 2);
    }

    #[test]
    fn sums_stay_beside_their_products() {
        let source =
            "#[kernel] fn k(p: i16, q: i16) -> i32 { if p > q { p as i32 * 3 + 1 } else { q as i32 * 5 + 1 } }";
        let compiled = crate::compile_file(source);
        let body = &prepare(&compiled.kernels[0].kernel).bodies[0];
        let last = body.node(body.stores[0].value);
        assert!(matches!(last.op, Op::Select { .. }), "{last:?}");
    }

    #[test]
    fn the_chosen_operands_give_the_same_bits() {
        use crate::interpret::{Arguments, stores};
        use crate::ir::{Access, AxisId, TableId, UniformId};
        struct Three([i128; 3]);
        impl Arguments for Three {
            fn element(&self, access: &Access) -> Constant {
                Constant::Int(self.0[access.tensor.0 as usize])
            }
            fn uniform(&self, _: UniformId, _: u32) -> Constant {
                Constant::Int(5)
            }
            fn derived(&self, _: u32) -> Constant {
                Constant::Int(0)
            }
            fn table(&self, _: TableId, _: i128) -> Option<Constant> {
                None
            }
            fn coordinate(&self, _: AxisId) -> i32 {
                0
            }
        }
        for expression in [
            "if d == 0 { 0 } else if p > q { p / d } else { q / d }",
            "if p == 0 || q == 0 { d } else if p > q { d % p } else { d % q }",
            "if d > 3 { if p > q { p / d } else { (q & 15) / d } } else { p / 3 }",
        ] {
            let source = format!("#[kernel] fn k(p: u8, q: u8, d: u8) -> u8 {{ {expression} }}");
            let compiled = crate::compile_file(&source);
            let harmless = super::super::guards::make_harmless(&compiled.kernels[0].kernel.bodies[0]).body;
            let (after, _) = joined(harmless.clone(), Vec::new());
            assert!(after.nodes.len() != harmless.nodes.len(), "{expression}");
            for p in (0..256).step_by(15) {
                for q in (0..256).step_by(17) {
                    for d in (0..12).chain([255]) {
                        let three = Three([p, q, d]);
                        assert_eq!(stores(&after, &three), stores(&harmless, &three), "{expression} {:?}", three.0);
                    }
                }
            }
        }
    }
}
