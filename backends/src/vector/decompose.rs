//! Makes a body legal for vectors: what no instruction set has, in terms of what they have, as IR.
//!
//! Conversions go one doubling or halving at a time; a division becomes a multiplication or, by a value of the element,
//! a division of floats that is exact after truncation; `isqrt` is a float's root, corrected. Three operations take a
//! form that only vector targets know: bit counts have their operand's width, shift amounts of an element have the
//! shifted value's width, small tables are indexed by u8, and others by u32 where
//! the machine wants that.

use super::machine::Machine;
use std::borrow::Cow;
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::{BinaryOp, Body, CastMode, Constant, Kernel, Node, Op, Type, UnaryOp, ValueId};
use windrow_dsl::optimise::{Builder, quotient_of_constant, remove_dead};

/// The body in terms of what a [`super::Target`] is asked for, without what nothing needs.
pub fn needed(machine: &Machine, kernel: &Kernel, body: &Body) -> Body {
    remove_dead(&decompose(machine, kernel, body))
}

/// The body in terms of what a [`super::Target`] is asked for; something in it may be needed by nothing.
///
/// Most bodies are in these terms already, and every node that is built takes as long as looking at twenty.
pub fn decompose<'a>(machine: &Machine, kernel: &Kernel, body: &'a Body) -> Cow<'a, Body> {
    match is_legal(body) {
        true => Cow::Borrowed(body),
        false => Cow::Owned(rebuilt(machine, kernel, body)),
    }
}

/// Whether no node becomes others, by its operation alone.
fn is_legal(body: &Body) -> bool {
    let nodes = body.nodes.as_slice();
    let mut place = 0;
    while place < nodes.len() {
        let is_legal = match nodes[place].op {
            Op::Lookup { .. } | Op::Cast(..) => false,
            Op::Unary(op, _) => !matches!(
                op,
                UnaryOp::Signum | UnaryOp::Isqrt | UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros
            ),
            Op::Binary(op, a, b) => match op {
                BinaryOp::Div | BinaryOp::Rem => nodes[place].ty == Type::F32,
                BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr => {
                    matches!(nodes[b.0 as usize].op, Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. })
                }
                _ => nodes[place].ty != Type::Bool || nodes[a.0 as usize].ty != Type::Bool,
            },
            Op::Constant(_)
            | Op::Input { .. }
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Select { .. } => true,
        };
        if !is_legal {
            return false;
        }
        place += 1;
    }
    true
}

fn rebuilt(machine: &Machine, kernel: &Kernel, body: &Body) -> Body {
    let mut legal = Decompose { machine, kernel, out: Builder::with_capacity(body.nodes.len()) };
    let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let op = node.op.map_operands(|id| ids[id.0 as usize]);
        let id = legal.node(&Node { op, name: None, ..*node });
        legal.out.adopt_name(id, node.name.clone());
        ids.push(id);
    }
    legal.out.finish(body, &ids)
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
            Op::Constant(_)
            | Op::Input { .. }
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Select { .. } => self.out.push(node.clone()),
        }
    }

    fn unary_op(&mut self, node: &Node, op: UnaryOp, a: ValueId) -> ValueId {
        let ty = self.ty(a);
        match op {
            UnaryOp::Signum => {
                let (least, greatest) = (self.out.int(-1, ty), self.out.int(1, ty));
                let raised = self.out.binary(BinaryOp::Max, a, least);
                self.out.binary(BinaryOp::Min, raised, greatest)
            }
            UnaryOp::Isqrt => self.isqrt(a),
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let count = self.unary(op, ty.unsigned(), a);
                self.cast(CastMode::Value, node.ty, count)
            }
            UnaryOp::Neg(_)
            | UnaryOp::Not
            | UnaryOp::Abs(_)
            | UnaryOp::UnsignedAbs
            | UnaryOp::Sqrt
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::RoundTiesEven
            | UnaryOp::IsNan
            | UnaryOp::FromBits
            | UnaryOp::ToBits => self.out.push(node.clone()),
        }
    }

    /// ⌊√a⌋. A root of fewer than 24 bits is exact after truncation; a u32 may be rounded up on the way to f32, so its
    /// root may be one too great, and a − root² is negative then as a signed integer. (65536² wraps to 0, which leaves an
    /// a of more than 2³¹.) It is never too small: the root of n² rounded down to f32 still rounds to n.
    fn isqrt(&mut self, a: ValueId) -> ValueId {
        let ty = self.ty(a);
        let float = self.cast(CastMode::Value, Type::F32, a);
        let root = self.unary(UnaryOp::Sqrt, Type::F32, float);
        if ty != Type::U32 {
            return self.cast(CastMode::Value, ty, root);
        }
        let (root, a) = (self.cast(CastMode::Value, Type::I32, root), self.cast(CastMode::Wrapping, Type::I32, a));
        let square = self.out.binary(BinaryOp::Mul(Wrap), root, root);
        let rest = self.out.binary(BinaryOp::Sub(Wrap), a, square);
        let sign = self.out.int(31, Type::U32);
        let less = self.out.binary(BinaryOp::Shr, rest, sign);
        let root = self.out.binary(BinaryOp::Add(Wrap), root, less);
        self.cast(CastMode::Wrapping, Type::U32, root)
    }

    fn binary_op(&mut self, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.ty(a);
        match op {
            BinaryOp::Div if ty != Type::F32 => self.divide(node, a, b),
            BinaryOp::Rem => {
                let like = Node { op: Op::Binary(BinaryOp::Div, a, b), name: None, ..node.clone() };
                let quotient = self.divide(&like, a, b);
                let product = self.out.binary(BinaryOp::Mul(Wrap), quotient, b);
                self.out.binary(BinaryOp::Sub(Wrap), a, product)
            }
            BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr => {
                let b = self.amount(ty, op, b);
                self.out.push(Node { op: Op::Binary(op, a, b), ..node.clone() })
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                if ty == Type::Bool =>
            {
                self.compare_truth(op, a, b)
            }
            BinaryOp::Add(_)
            | BinaryOp::Sub(_)
            | BinaryOp::Mul(_)
            | BinaryOp::Div
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::AbsDiff
            | BinaryOp::HalvingAdd
            | BinaryOp::RoundingHalvingAdd
            | BinaryOp::MulHigh
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => self.out.push(Node { op: Op::Binary(op, a, b), ..node.clone() }),
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
        let mask = self.out.int(i64::from(ty.bits()) - 1, ty.unsigned());
        self.out.binary(BinaryOp::And, narrow, mask)
    }

    fn compare_truth(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let (first, left, right) = match op {
            BinaryOp::Lt => (BinaryOp::And, self.unary(UnaryOp::Not, Type::Bool, a), b),
            BinaryOp::Le => (BinaryOp::Or, self.unary(UnaryOp::Not, Type::Bool, a), b),
            BinaryOp::Gt => (BinaryOp::And, a, self.unary(UnaryOp::Not, Type::Bool, b)),
            BinaryOp::Ge => (BinaryOp::Or, a, self.unary(UnaryOp::Not, Type::Bool, b)),
            BinaryOp::Ne => (BinaryOp::Xor, a, b),
            _ => (BinaryOp::Xor, a, self.unary(UnaryOp::Not, Type::Bool, b)),
        };
        self.out.binary(first, left, right)
    }

    /// a / b, toward zero.
    fn divide(&mut self, node: &Node, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.ty(a);
        match self.out.constant(b) {
            Some(Constant::Int(divisor)) if ty.is_signed() && is_power_of_two(divisor) => self.signed_power(a, divisor),
            Some(Constant::Int(divisor)) => quotient_of_constant(&mut self.out, a, divisor, ty.limits()),
            Some(Constant::Bool(_) | Constant::Float(_)) | None if ty.bits() < 32 => {
                // Both are exact in f32, and the quotient errs by less than its distance from the next integer.
                let (a, b) = (self.cast(CastMode::Value, Type::F32, a), self.cast(CastMode::Value, Type::F32, b));
                let quotient = self.out.binary(BinaryOp::Div, a, b);
                self.cast(CastMode::Value, ty, quotient)
            }
            Some(Constant::Bool(_) | Constant::Float(_)) | None => self.out.push(node.clone()),
        }
    }

    /// a / 2^k: toward zero, so a negative dividend is raised by 2^k − 1 first.
    fn signed_power(&mut self, a: ValueId, divisor: i64) -> ValueId {
        let ty = self.ty(a);
        let top = self.out.int(i64::from(ty.bits()) - 1, Type::U32);
        let sign = self.out.binary(BinaryOp::Shr, a, top);
        let mask = self.out.int(divisor - 1, ty);
        let bias = self.out.binary(BinaryOp::And, sign, mask);
        let sum = self.out.binary(BinaryOp::Add(Wrap), a, bias);
        let shift = self.out.int(i64::from(divisor.trailing_zeros()), Type::U32);
        self.out.binary(BinaryOp::Shr, sum, shift)
    }

    /// A conversion, one doubling or halving at a time.
    fn cast(&mut self, mode: CastMode, to: Type, a: ValueId) -> ValueId {
        let from = self.ty(a);
        if from == to {
            return a;
        }
        if is_word(&self.out, a) || from == Type::Bool {
            return self.out.cast(mode, to, a);
        }
        match (from, to) {
            (Type::F32, Type::U8 | Type::U16) if self.machine.has_unsigned_floats => {
                let wide = self.exact_cast(CastMode::Value, Type::U32, a);
                self.cast(CastMode::Saturating, to, wide)
            }
            (Type::F32, Type::U8 | Type::U16 | Type::I8 | Type::I16) => {
                let wide = self.exact_cast(CastMode::Value, Type::I32, a);
                self.cast(CastMode::Saturating, to, wide)
            }
            (Type::U8 | Type::U16, Type::F32) => {
                let wide = self.cast(CastMode::Value, Type::U32, a);
                self.exact_cast(CastMode::Value, to, wide)
            }
            (Type::I8 | Type::I16, Type::F32) => {
                let wide = self.cast(CastMode::Value, Type::I32, a);
                self.exact_cast(CastMode::Value, to, wide)
            }
            (Type::F32, _) | (_, Type::F32 | Type::Bool) => self.exact_cast(mode, to, a),
            _ => self.integer_cast(mode, from, to, a),
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
        let step = match (from.bits(), to.bits()) {
            (8, 32) | (32, 8) => step(from, to, mode),
            _ => to,
        };
        if step == to {
            return self.exact_cast(mode, to, a);
        }
        let stepped = self.exact_cast(mode, step, a);
        self.exact_cast(mode, to, stepped)
    }

    /// One step of a conversion, kept from being merged with the other.
    fn exact_cast(&mut self, mode: CastMode, to: Type, a: ValueId) -> ValueId {
        let Node { guard, span, .. } = *self.out.node(a);
        self.out.push_as_is(Node { op: Op::Cast(mode, a), ty: to, guard, name: None, span })
    }
}

/// The type between two that differ by a factor of four: widening keeps the operand's sign, saturating narrowing keeps
/// it until the last step.
fn step(from: Type, to: Type, mode: CastMode) -> Type {
    let signed =
        if mode == CastMode::Saturating || to.bits() > from.bits() { from.is_signed() } else { to.is_signed() };
    if signed { Type::I16 } else { Type::U16 }
}

fn is_power_of_two(value: i64) -> bool {
    value > 0 && value & (value - 1) == 0
}

/// Whether a value is a constant or a word of the run, which costs nothing in any type.
pub fn is_word(builder: &Builder, id: ValueId) -> bool {
    match builder.node(id).op {
        Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => true,
        Op::Cast(CastMode::Value, inner) => {
            matches!(builder.node(inner).op, Op::Uniform { .. }) && builder.node(inner).ty != Type::Bool
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

    /// What [`super::Decompose::isqrt`] rests on, for every root of a u32; were it rounded, it would be no worse.
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
