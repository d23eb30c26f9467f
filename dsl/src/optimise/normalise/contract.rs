//! What `fast` allows: a product and the sum that takes it become one operation with one rounding, and a division by a
//! uniform value becomes a multiplication by its reciprocal.
//!
//! The second pays everywhere; the first where a machine has the operation, so each target asks for it.

use crate::ir::Overflow::Never;
use crate::optimise::Builder;

use super::derive::uniform_values;
use crate::ir::{BinaryOp, Body, Constant, Op, Rewriting, Type, UnaryOp, ValueId};

/// The body with its sums of float products contracted.
pub fn contract(body: &Body) -> Body {
    rewrite(body, |site, op, a, b| site.contracted(op, a, b))
}

/// Replaces the divisions of floats by uniform values by multiplications.
pub fn reciprocals(body: &Body) -> Body {
    rewrite(body, |site, op, a, b| site.reciprocal(op, a, b))
}

type Change = fn(&mut Site<'_>, BinaryOp, ValueId, ValueId) -> Option<Op>;

fn rewrite(body: &Body, change: Change) -> Body {
    let mut builder = Builder::with_capacity(body.nodes.len());
    let (words, uses) = (uniform_values(body), body.uses());
    let ids = body.rewrite(|value, op| {
        let changed = match value.node.op {
            Op::Binary(op, a, b) if value.node.ty == Type::F32 && !words[value.id.0 as usize] => {
                let mut site = Site { body, builder: &mut builder, uses: &uses, words: &words, value };
                change(&mut site, op, a, b)
            }
            _ => None,
        };
        builder.push(value.with(changed.unwrap_or(op)))
    });
    crate::optimise::remove_dead(&builder.finish(body, &ids))
}

/// A sum, difference or quotient of floats.
struct Site<'a> {
    body: &'a Body,
    builder: &'a mut Builder,
    uses: &'a [u32],
    words: &'a [bool],
    value: Rewriting<'a>,
}

impl Site<'_> {
    fn contracted(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Op> {
        match op {
            BinaryOp::Add(Never) => match (self.product(b), self.product(a)) {
                (Some((x, y)), _) => Some(Op::MulAdd(x, y, self.at(a))),
                (None, Some((x, y))) => Some(Op::MulAdd(x, y, self.at(b))),
                (None, None) => None,
            },
            BinaryOp::Sub(Never) => match (self.product(b), self.product(a)) {
                (Some((x, y)), _) => {
                    let x = self.negated(x);
                    Some(Op::MulAdd(x, y, self.at(a)))
                }
                (None, Some((x, y))) => {
                    let b = self.at(b);
                    Some(Op::MulAdd(x, y, self.negated(b)))
                }
                (None, None) => None,
            },
            _ => None,
        }
    }

    fn reciprocal(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Op> {
        if op != BinaryOp::Div || !self.words[b.0 as usize] {
            return None;
        }
        let divisor = self.at(b);
        let one = self.push(Op::Constant(Constant::Float(1.0f32.to_bits())));
        let reciprocal = self.push(Op::Binary(BinaryOp::Div, one, divisor));
        Some(Op::Binary(BinaryOp::Mul(Never), self.at(a), reciprocal))
    }

    /// The factors of a product that has no other reader.
    fn product(&self, id: ValueId) -> Option<(ValueId, ValueId)> {
        match self.body.node(id).op {
            Op::Binary(BinaryOp::Mul(Never), x, y) if self.uses[id.0 as usize] == 1 && !self.words[id.0 as usize] => {
                Some((self.at(x), self.at(y)))
            }
            _ => None,
        }
    }

    fn at(&self, id: ValueId) -> ValueId {
        self.value.at(id)
    }

    fn negated(&mut self, id: ValueId) -> ValueId {
        self.push(Op::Unary(UnaryOp::Neg(Never), id))
    }

    fn push(&mut self, op: Op) -> ValueId {
        self.builder.op(op, Type::F32, self.value.node)
    }
}

#[cfg(test)]
mod tests {
    use crate::compile_file;
    use crate::dump;
    use crate::optimise::prepare;

    fn operations(source: &str, contracted: bool) -> Vec<String> {
        let compiled = compile_file(source);
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        let body = prepare(kernel).bodies[0].clone();
        let body = if contracted { super::contract(&body) } else { body };
        let text = dump::body(kernel, &body);
        let words =
            |line: &str| line.split_once(" = ").and_then(|(_, right)| right.split(' ').next().map(str::to_owned));
        text.lines().filter_map(words).filter(|word| word.starts_with(char::is_uppercase)).collect()
    }

    const SUM: &str = "pub fn k(a: f32, b: f32, #[uniform] w: f32, #[uniform] d: f32) -> f32 { (a * w - b * a) / d }";

    #[test]
    fn only_a_fast_kernel_divides_by_multiplying() {
        assert_eq!(operations(&format!("#[kernel(fast)] {SUM}"), false), ["Mul", "Mul", "Sub", "Mul"]);
        assert_eq!(operations(&format!("#[kernel] {SUM}"), false), ["Mul", "Mul", "Sub", "Div"]);
    }

    #[test]
    fn sums_of_products_are_contracted() {
        assert_eq!(operations(&format!("#[kernel(fast)] {SUM}"), true), ["Mul", "Neg", "MulAdd", "Mul"]);
    }
}
