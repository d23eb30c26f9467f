//! Makes a body legal for vectors: what no instruction set has, in terms of what they have, as IR.
//!
//! Conversions go one doubling or halving at a time; a division becomes a multiplication or, by a value of the element,
//! a division of floats that is exact after truncation; `isqrt` is a float's root, corrected; a place in a whole input is a
//! number of bytes. Three operations take a
//! form that only vector targets know: bit counts have their operand's width, shift amounts of an element have the
//! shifted value's width, small tables are indexed by u8, and others by u32 where
//! the machine wants that.

use super::expansions::{self, Operation, Stage, Tree};
use super::lockstep::{has_scalars, in_vectors};
use super::machine::Machine;
use std::borrow::Cow;
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::{
    BinaryOp, Body, CastMode, Constant, InputId, Kernel, Node, Op, Type, UnaryOp, ValueId, check_vector,
};
use windrow_dsl::optimise::{Builder, quotient_of_constant, remove_dead};

/// The body in terms of what a [`super::Target`] is asked for, without what nothing needs.
pub fn needed(machine: &Machine, kernel: &Kernel, body: &Body) -> Body {
    remove_dead(&decompose(machine, kernel, body))
}

/// The body in terms of what a [`super::Target`] is asked for; something in it may be needed by nothing.
///
/// Most bodies are in these terms already, and every node that is built takes as long as looking at twenty.
pub fn decompose<'a>(machine: &Machine, kernel: &Kernel, body: &'a Body) -> Cow<'a, Body> {
    match !has_scalars(body) && is_legal(body) {
        true => Cow::Borrowed(body),
        false => Cow::Owned(rebuilt(machine, kernel, body)),
    }
}

/// Whether no node becomes others, by its operation alone.
fn is_legal(body: &Body) -> bool {
    body.nodes.iter().all(|node| match node.op {
        Op::Lookup { .. } | Op::Plane { .. } | Op::Gather { .. } | Op::Cast(..) => false,
        Op::Unary(op, _) => !matches!(
            op,
            UnaryOp::Signum | UnaryOp::Isqrt | UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros
        ),
        Op::Binary(op, a, b) => match op {
            BinaryOp::Div | BinaryOp::Rem => node.ty.is_float(),
            BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr => body.node(b).op.is_word(),
            _ => node.ty != Type::BOOL || body.node(a).ty != Type::BOOL,
        },
        Op::Constant(_)
        | Op::Load(_)
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Extent { .. }
        | Op::Stride { .. }
        | Op::Fetch { .. }
        | Op::Contiguous { .. }
        | Op::Across { .. }
        | Op::Local { .. }
        | Op::Turn { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. }
        | Op::Derived { .. }
        | Op::MulAdd(..)
        | Op::Select { .. } => true,
    })
}

fn rebuilt(machine: &Machine, kernel: &Kernel, body: &Body) -> Body {
    let mut legal = Decompose { machine, kernel, out: Builder::with_capacity(body.nodes.len()) };
    // What is the same for all lanes is computed by the scalar instructions of the language.
    let in_vectors = in_vectors(body);
    let ids = body.rewrite(|value, op| {
        let node = Node { op, name: None, ..*value.node };
        let id = if in_vectors[value.id.0 as usize] { legal.node(&node) } else { legal.out.push(node) };
        legal.out.adopt_name(id, value.node.name.clone());
        id
    });
    let decomposed = legal.out.finish(body, &ids);
    check_vector(&decomposed, "decomposition");
    decomposed
}

struct Decompose<'a> {
    machine: &'a Machine,
    kernel: &'a Kernel,
    out: Builder,
}

impl Decompose<'_> {
    fn ty(&self, id: ValueId) -> Type {
        self.out.node(id).ty
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, a: ValueId) -> ValueId {
        let span = self.out.node(a).span;
        self.out.push(Node { op: Op::Unary(op, a), ty, guard: None, name: None, span })
    }

    fn node(&mut self, node: &Node) -> ValueId {
        match node.op {
            Op::Cast(mode, a) => self.cast(mode, node.ty, a),
            Op::Unary(op, a) => self.unary_op(node, op, a),
            Op::Binary(op, a, b) => self.binary_op(node, op, a, b),
            Op::Lookup { table, index } => {
                let length = self.kernel.tables[table.0 as usize].length;
                let is_small = node.ty.bits() == 8 && length <= 256;
                let index = match is_small {
                    true => self.cast(CastMode::Wrapping, Type::U8, index),
                    false if self.machine.has_word_indices => self.cast(CastMode::Wrapping, Type::U32, index),
                    false => index,
                };
                self.out.push(Node { op: Op::Lookup { table, index }, ..node.clone() })
            }
            Op::Plane { input, dimension, outside, index } => {
                let own = self.bytes(node, input, dimension, index);
                outside.map_or(own, |outside| self.out.binary(BinaryOp::Add(Wrap), outside, own))
            }
            Op::Gather { input, channel, plane, at } => {
                let offset = self.offset(node, input, at);
                let offset = plane.map_or(offset, |plane| self.out.binary(BinaryOp::Add(Wrap), plane, offset));
                self.out.push(Node { op: Op::Fetch { input, channel, offset }, ..node.clone() })
            }
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Select { .. } => self.out.push(node.clone()),
        }
    }

    /// The bytes from a plane's first element to the one at a row and a column, which fit an i32.
    fn offset(&mut self, like: &Node, input: InputId, [row, column]: [ValueId; 2]) -> ValueId {
        let last = self.kernel.inputs[input.0 as usize].dimensions() - 1;
        let column = self.bytes(like, input, last, column);
        // A tensor of one dimension has one row.
        let Some(dimension) = last.checked_sub(1) else { return column };
        let row = self.bytes(like, input, dimension, row);
        self.out.binary(BinaryOp::Add(Wrap), row, column)
    }

    /// The bytes that an index along a dimension of a whole input is from its beginning.
    fn bytes(&mut self, like: &Node, input: InputId, dimension: u32, index: ValueId) -> ValueId {
        let stride = self.out.op(Op::Stride { input, dimension }, Type::I32, like);
        self.out.binary(BinaryOp::Mul(Wrap), index, stride)
    }

    fn unary_op(&mut self, node: &Node, op: UnaryOp, a: ValueId) -> ValueId {
        let ty = self.ty(a);
        match op {
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let count = self.unary(op, ty.unsigned(), a);
                self.cast(CastMode::Value, node.ty, count)
            }
            _ => match expansions::of(Operation::Unary(op), ty, Stage::Body) {
                Some(tree) => self.expand(node, tree, ty, [a; 3]),
                None => self.out.push(node.clone()),
            },
        }
    }

    fn binary_op(&mut self, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.ty(a);
        if let (BinaryOp::Div, Some(Constant::Int(divisor))) = (op, self.out.constant(b)) {
            return match ty.is_signed() && is_power_of_two(divisor) {
                true => self.signed_power(a, divisor),
                false => quotient_of_constant(&mut self.out, a, divisor, ty.limits()),
            };
        }
        match op {
            BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr => {
                let b = self.amount(ty, op, b);
                self.out.push(Node { op: Op::Binary(op, a, b), ..node.clone() })
            }
            _ => match expansions::of(Operation::Binary(op), ty, Stage::Body) {
                Some(tree) => self.expand(node, tree, ty, [a, b, a]),
                None => self.out.push(Node { op: Op::Binary(op, a, b), ..node.clone() }),
            },
        }
    }

    /// A shift amount: a word as it is, an element's as wide as what is shifted.
    fn amount(&mut self, ty: Type, op: BinaryOp, amount: ValueId) -> ValueId {
        if is_word(&self.out, amount) {
            return amount;
        }
        let narrow = self.cast(CastMode::Wrapping, ty.unsigned(), amount);
        if op != BinaryOp::Shl(Wrap) {
            return narrow;
        }
        let mask = self.out.int(i128::from(ty.bits()) - 1, ty.unsigned());
        self.out.binary(BinaryOp::And, narrow, mask)
    }

    /// What an operation is in terms of others. The letters are its operands, and what a tree names.
    fn expand(&mut self, node: &Node, tree: &Tree, ty: Type, letters: [ValueId; 3]) -> ValueId {
        let mut at = |tree: &Tree| self.expand(node, tree, ty, letters);
        match *tree {
            Tree::X => letters[0],
            Tree::Y => letters[1],
            Tree::Z => letters[2],
            Tree::Int(value) => self.out.int(value, ty),
            Tree::Least => self.out.int(ty.limits().0, ty),
            Tree::Greatest => self.out.int(ty.limits().1, ty),
            Tree::Unary(op, a) => {
                let a = at(a);
                self.unary(op, self.ty(a), a)
            }
            Tree::Binary(BinaryOp::Shr, a, Tree::Int(by)) => {
                let a = at(a);
                let by = self.out.int(*by, Type::U32);
                self.out.binary(BinaryOp::Shr, a, by)
            }
            Tree::Binary(BinaryOp::Div, a, b) => {
                let (a, b) = (at(a), at(b));
                let ty = self.ty(a);
                let op = Op::Binary(BinaryOp::Div, a, b);
                self.binary_op(&Node { op, ty, name: None, ..node.clone() }, BinaryOp::Div, a, b)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                self.out.binary(op, a, b)
            }
            Tree::Cast(mode, to, a) => {
                let a = at(a);
                self.cast(mode, to, a)
            }
            Tree::Back(a) => {
                let a = at(a);
                self.cast(CastMode::Value, ty, a)
            }
            Tree::Let(bound, then) => {
                let bound = at(bound);
                self.expand(node, then, ty, [letters[0], letters[1], bound])
            }
            // Rows of bodies have nothing that the language lacks.
            Tree::Unsigned(a) | Tree::Compare(_, a, _) | Tree::Choose(a, ..) | Tree::BySign(a, ..) => at(a),
            Tree::LowProduct(a, _) => at(a),
        }
    }

    /// a / 2^k: toward zero, so a negative dividend is raised by 2^k − 1 first.
    fn signed_power(&mut self, a: ValueId, divisor: i128) -> ValueId {
        let ty = self.ty(a);
        let top = self.out.int(i128::from(ty.bits()) - 1, Type::U32);
        let sign = self.out.binary(BinaryOp::Shr, a, top);
        let mask = self.out.int(divisor - 1, ty);
        let bias = self.out.binary(BinaryOp::And, sign, mask);
        let sum = self.out.binary(BinaryOp::Add(Wrap), a, bias);
        let shift = self.out.int(i128::from(divisor.trailing_zeros()), Type::U32);
        self.out.binary(BinaryOp::Shr, sum, shift)
    }

    /// A conversion, one doubling or halving at a time.
    fn cast(&mut self, mode: CastMode, to: Type, a: ValueId) -> ValueId {
        let from = self.ty(a);
        if from == to {
            return a;
        }
        if is_word(&self.out, a) || from == Type::BOOL {
            return self.out.cast(mode, to, a);
        }
        match () {
            _ if from.is_float() && to.is_integer() && to.bits() < 32 => {
                let is_unsigned = !to.is_signed() && self.machine.has_unsigned_floats;
                let wide = self.exact_cast(CastMode::Value, if is_unsigned { Type::U32 } else { Type::I32 }, a);
                self.cast(CastMode::Saturating, to, wide)
            }
            _ if to.is_float() && from.is_integer() && from.bits() < 32 => {
                let wide = if from.is_signed() { Type::I32 } else { Type::U32 };
                let wide = self.cast(CastMode::Value, wide, a);
                self.exact_cast(CastMode::Value, to, wide)
            }
            _ if from.is_integer() && to.is_integer() => self.integer_cast(mode, from, to, a),
            _ => self.exact_cast(mode, to, a),
        }
    }

    fn integer_cast(&mut self, mode: CastMode, from: Type, to: Type, a: ValueId) -> ValueId {
        let mut a = a;
        if mode == CastMode::Saturating {
            let ((from_lo, from_hi), (lo, hi)) = (from.limits(), to.limits());
            let narrows = to.bits() < from.bits();
            // Only narrowing from signed lanes, or to unsigned ones, saturates by itself.
            if from_hi > hi && (!narrows || !from.is_signed() && to.is_signed()) {
                let bound = self.out.int(hi, from);
                a = self.out.binary(BinaryOp::Min, a, bound);
            }
            if from_lo < lo && !narrows {
                let bound = self.out.int(lo, from);
                a = self.out.binary(BinaryOp::Max, a, bound);
            }
            if !narrows || !from.is_signed() && to.is_signed() {
                return self.integer_cast(CastMode::Wrapping, from, to, a);
            }
        }
        let mut own = from;
        while let Some(next) = step(own, to, mode) {
            a = self.exact_cast(mode, next, a);
            own = next;
        }
        self.exact_cast(mode, to, a)
    }

    /// One step of a conversion, kept from being merged with the other.
    fn exact_cast(&mut self, mode: CastMode, to: Type, a: ValueId) -> ValueId {
        let Node { guard, span, .. } = *self.out.node(a);
        self.out.push_as_is(Node { op: Op::Cast(mode, a), ty: to, guard, name: None, span })
    }
}

/// The next type on the way between two that differ by more than a factor of two: widening keeps the operand's sign,
/// saturating narrowing keeps it until the last step.
fn step(from: Type, to: Type, mode: CastMode) -> Option<Type> {
    let widens = to.bits() > from.bits();
    let bits = if widens { from.bits() * 2 } else { from.bits() / 2 };
    let kind = if mode == CastMode::Saturating || widens { from.kind() } else { to.kind() };
    let is_between = if widens { bits < to.bits() } else { bits > to.bits() };
    if is_between { Type::of(kind, bits) } else { None }
}

fn is_power_of_two(value: i128) -> bool {
    value > 0 && value & (value - 1) == 0
}

/// Whether a value is a constant or a uniform word, which costs nothing in any type.
pub fn is_word(builder: &Builder, id: ValueId) -> bool {
    match builder.node(id).op {
        ref op if op.is_word() => true,
        Op::Cast(CastMode::Value, inner) => {
            matches!(builder.node(inner).op, Op::Uniform { .. }) && builder.node(inner).ty != Type::BOOL
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::compile_file;
    use windrow_dsl::optimise::prepare;

    /// A body that needs nothing is what building it again would give.
    #[test]
    fn a_legal_body_stays() {
        let of = |source: &str| {
            let compiled = compile_file(source);
            let [kernel] = compiled.kernels.as_slice() else { panic!("no kernel") };
            let body = &prepare(&kernel.kernel).bodies[0];
            let ops = |body: &Body| body.nodes.iter().map(|node| node.op.clone()).collect::<Vec<_>>();
            let is_same = ops(body) == ops(&rebuilt(&crate::x86::AVX2, &kernel.kernel, body));
            (is_legal(body), is_same)
        };
        assert_eq!(of("#[kernel] fn f(a: u8, b: u8) -> u8 { a.min(b).saturating_add(a >> 1) }"), (true, true));
        let operations = "a.signum(); a.wrapping_neg(); a.wrapping_abs(); a.saturating_neg(); a.saturating_abs(); !a; \
            a.wrapping_add(b); a.wrapping_mul(b); a.saturating_sub(b); a.min(b); a.max(b); a & b; a | b; a ^ b; a >> 3; \
            a >> (b & 7); if a < b { a } else { b }";
        for operation in operations.split("; ") {
            let (is_legal, is_same) = of(&format!("#[kernel] fn f(a: i16, b: i16) -> i16 {{ {operation} }}"));
            assert!(!is_legal || is_same, "{operation}");
        }
        assert_eq!(of("#[kernel] fn f(a: u8, b: u8) -> u8 { a / b.max(1) }"), (false, false));
        assert_eq!(of("#[kernel] fn f(a: u8, b: u8) -> u8 { if (a < b) == (a > 3) { a } else { b } }"), (false, false));
    }

    /// What the row of u32 in [`super::expansions`] rests on, for every root; were it rounded, it would be no worse.
    #[test]
    fn a_float_root_is_right_once_corrected() {
        let root = |x: u32| (x as f32).sqrt() as u32;
        let nearest = |x: u32| (x as f32).sqrt().round_ties_even() as u32;
        let corrected =
            |x: u32, root: u32| root.wrapping_add_signed(x.wrapping_sub(root.wrapping_mul(root)).cast_signed() >> 31);
        for n in 0..=65535u32 {
            let (first, last) = (n * n, (n * n).saturating_add(2 * n));
            assert!(root(first) == n && (n..=n + 1).contains(&root(last)), "{n}");
            assert!(nearest(first) == n && (n..=n + 1).contains(&nearest(last)), "{n}");
            for (x, root) in [(first, n), (last, n), (last, n + 1)] {
                assert_eq!(corrected(x, root), n);
            }
        }
    }
}
