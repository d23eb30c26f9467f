//! Every rule on integers of 8 bits and on truth values, for all values of its operands, against the interpreter.
//!
//! No rule is named here: every operation is asked for on every kind of operands, and what becomes another one is compared.
//! Where Rust would panic, the proof has excluded the values.

use super::*;
use crate::interpret::evaluate;
use crate::ir::{Body, InputId, Tap, legal};
use crate::optimise::testing::{Leaves, binary_operations, unary_operations};
use proc_macro2::Span;

/// A builder with two inputs of a type, two truth values, and all constants of these types.
struct Bench {
    builder: Builder,
    ty: Type,
    /// Two numbers, and two truth values.
    numbers: [ValueId; 2],
    truths: [ValueId; 2],
    constants: Vec<ValueId>,
    both: [ValueId; 2],
    amounts: Vec<ValueId>,
    /// What was asked for, and what it became.
    found: Vec<(Node, Op, Type)>,
}

impl Bench {
    fn new(ty: Type) -> Self {
        let mut builder = Builder::with_capacity(2_000);
        let mut push = |op, ty| builder.push(node(op, ty));
        let mut input = |number, ty| push(Tap { input: InputId(number), channel: 0, dx: 0, dy: 0 }.op(), ty);
        let numbers = [input(0, ty), input(1, ty)];
        let truths = [input(2, Type::BOOL), input(3, Type::BOOL)];
        let both = [false, true].map(|value| push(Op::Constant(Constant::Bool(value)), Type::BOOL));
        let mut int = |value, ty| push(Op::Constant(Constant::Int(value)), ty);
        let (least, most) = ty.limits();
        let constants = (least..=most).map(|value| int(value, ty)).collect();
        let amounts = (0..=255).map(|value| int(value, Type::U32)).collect();
        Self { builder, ty, numbers, truths, constants, both, amounts, found: Vec::new() }
    }

    /// Asks for an operation.
    fn ask(&mut self, op: Op, ty: Type) {
        let asked = node(op, ty);
        match simplify(&mut self.builder, &asked) {
            Value(id) => {
                // A conversion to its own type is the value.
                let op = Op::Cast(CastMode::Value, id);
                assert_eq!(self.builder.node(id).ty, ty, "{asked:?}");
                self.found.push((asked, op, ty));
            }
            Simplified::Op(op) => self.found.push((asked, op, ty)),
            Kept => {}
        }
    }

    fn unary(&mut self, x: ValueId) {
        let own = self.builder.node(x).ty;
        for op in unary_operations() {
            if let Some(ty) = legal::unary(op, own) {
                self.ask(Op::Unary(op, x), ty);
            }
        }
    }

    fn casts(&mut self, x: ValueId) {
        let own = self.builder.node(x).ty;
        for &to in Type::ALL {
            for mode in [CastMode::Value, CastMode::Saturating, CastMode::Wrapping] {
                if to == own || legal::cast(mode, own, to) {
                    self.ask(Op::Cast(mode, x), to);
                }
            }
        }
    }

    /// All operations on two values; a shift only by an amount.
    fn binary(&mut self, x: ValueId, y: ValueId) {
        let [own, other] = [x, y].map(|id| self.builder.node(id).ty);
        let shifts = own != other;
        if shifts && other != Type::U32 {
            return;
        }
        for op in binary_operations().filter(|op| op.shifts() == shifts) {
            if let Some(ty) = legal::binary(op, own) {
                self.ask(Op::Binary(op, x, y), ty);
            }
        }
    }

    /// A value with each other that is read.
    fn with_others(&mut self, x: ValueId) {
        self.unary(x);
        for y in self.numbers.into_iter().chain(self.truths) {
            self.binary(x, y);
            self.binary(y, x);
        }
    }

    /// The same, with every constant and with itself, and converted.
    fn with_all(&mut self, x: ValueId) {
        self.with_others(x);
        self.casts(x);
        self.binary(x, x);
        for y in self.both {
            self.binary(x, y);
            self.binary(y, x);
        }
        for place in 0..self.constants.len() {
            for y in [self.constants[place], self.amounts[place]] {
                self.binary(x, y);
                self.binary(y, x);
            }
        }
    }

    fn select(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) {
        let ty = self.builder.node(then).ty;
        self.ask(Op::Select { condition, then, otherwise }, ty);
    }

    /// All of one operation, and all of an operation on the result of another.
    fn of_operations(&mut self) {
        let ([x, y], [t, u], [no, yes]) = (self.numbers, self.truths, self.both);
        let leaves = [x, y, t, u];
        leaves.into_iter().for_each(|leaf| self.with_all(leaf));
        let mut inner = Vec::new();
        let mut keep = |bench: &mut Self, op, ty| inner.push(bench.builder.push_as_is(node(op, ty)));
        for own in [x, t] {
            let ty = self.builder.node(own).ty;
            unary_operations().filter_map(|op| Some((op, legal::unary(op, ty)?))).for_each(|(op, to)| {
                keep(self, Op::Unary(op, own), to);
            });
            for &to in Type::ALL.iter().filter(|to| **to != ty) {
                for mode in [CastMode::Value, CastMode::Saturating, CastMode::Wrapping] {
                    if legal::cast(mode, ty, to) {
                        keep(self, Op::Cast(mode, own), to);
                    }
                }
            }
        }
        for (a, b) in [(x, y), (t, u)] {
            let ty = self.builder.node(a).ty;
            for op in binary_operations().filter(|op| !op.shifts()) {
                if let Some(to) = legal::binary(op, ty) {
                    keep(self, Op::Binary(op, a, b), to);
                }
            }
        }
        for id in inner {
            // Whether an operand is an operation on two values is asked for beside unary ones, and beside its own operands.
            match self.builder.node(id).op {
                Op::Binary(..) => self.with_others(id),
                _ => self.with_all(id),
            }
            if self.builder.node(id).ty == Type::BOOL {
                self.select(id, x, y);
                self.select(id, y, x);
            }
        }
        for condition in [t, no, yes] {
            for arms in [[x, y], [x, x], [t, u], [u, no], [u, yes], [no, u], [yes, u], [no, yes], [yes, no]] {
                self.select(condition, arms[0], arms[1]);
            }
        }
    }

    /// All of an operation on a choice between two constants: each constant as each arm, and 0 as the other.
    fn of_choices(&mut self) {
        let condition = self.truths[0];
        let count = self.constants.len();
        let zero = self.constants[(-self.ty.limits().0) as usize];
        let mut choices = vec![self.builder.push_as_is(node(Op::Cast(CastMode::Value, condition), self.ty))];
        for &arm in &self.constants {
            for [then, otherwise] in [[arm, zero], [zero, arm]] {
                choices.push(self.builder.push_as_is(node(Op::Select { condition, then, otherwise }, self.ty)));
            }
        }
        for choice in choices {
            self.unary(choice);
            self.casts(choice);
            for place in 0..count {
                self.binary(choice, self.constants[place]);
                self.binary(choice, self.amounts[place]);
            }
        }
    }

    /// Compares all that was found, and counts it.
    fn compare(self) -> usize {
        let (least, most) = self.ty.limits();
        let body = Body::plain(Vec::new(), self.builder.nodes().to_vec(), Vec::new());
        let mut values = vec![None; body.nodes.len()];
        for (index, node) in body.nodes.iter().enumerate() {
            if let Op::Constant(constant) = node.op {
                values[index] = Some(constant);
            }
        }
        for (asked, op, ty) in &self.found {
            let became = node(op.clone(), *ty);
            let order = order(&body, [asked, &became]);
            let reads = |leaf: ValueId| order.contains(&leaf);
            let range = |id| if reads(id) { least..=most } else { least..=least };
            let truths = |id| if reads(id) { 0..=1 } else { 0..=0 };
            // A value that its type lacks was converted by an `as` that changes values.
            let of_type = |value: Option<Constant>, ty| value.filter(|value| value.is_of(ty));
            for (x, y) in range(self.numbers[0]).flat_map(|x| range(self.numbers[1]).map(move |y| (x, y))) {
                for (t, u) in truths(self.truths[0]).flat_map(|t| truths(self.truths[1]).map(move |u| (t, u))) {
                    let leaves = Leaves { numbers: [x, y], truths: [t == 1, u == 1] };
                    for id in &order {
                        let node = body.node(*id);
                        values[id.0 as usize] = of_type(evaluate(&body, node, &values, &leaves), node.ty);
                    }
                    let Some(expected) = of_type(evaluate(&body, asked, &values, &leaves), *ty) else { continue };
                    let found = evaluate(&body, &became, &values, &leaves);
                    assert_eq!(found, Some(expected), "{:?} became {op:?}: {leaves:?}", asked.op);
                }
            }
        }
        self.found.len()
    }
}

fn node(op: Op, ty: Type) -> Node {
    Node { op, ty, guard: None, name: None, span: Span::call_site() }
}

/// What two nodes are computed from, constants excepted, in order.
fn order(body: &Body, roots: [&Node; 2]) -> Vec<ValueId> {
    let mut order: Vec<ValueId> = Vec::new();
    let mut waiting: Vec<ValueId> = roots.iter().flat_map(|node| node.op.operands()).collect();
    while let Some(id) = waiting.pop() {
        if !matches!(body.node(id).op, Op::Constant(_)) && !order.contains(&id) {
            order.push(id);
            waiting.extend(body.node(id).op.operands());
        }
    }
    order.sort_unstable();
    order
}

fn check(ty: Type) {
    let mut bench = Bench::new(ty);
    bench.of_operations();
    let operations = bench.found.len();
    bench.of_choices();
    let all = bench.compare();
    assert!(operations > 5_000 && all > 1_000_000, "{operations} of {all}");
}

#[test]
fn rules_hold_for_all_unsigned_bytes() {
    check(Type::U8);
}

#[test]
fn rules_hold_for_all_signed_bytes() {
    check(Type::I8);
}
