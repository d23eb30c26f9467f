//! What is the same for the whole run is computed once: expressions over uniforms alone become derived words.
//!
//! A body reads them by [`Op::Derived`]; the [`Derive`] program fills them in `configure`. A uniform itself, and a
//! conversion that keeps its value, stay where they are, as reading a word costs the same. An integer division by a
//! uniform becomes a multiplication by a derived multiplier (see [`super::divide`]).

use super::divide::{Parts, quotient};
use crate::analyse::ranges;
use crate::ir::Overflow::Wrap;
use crate::ir::{Axes, BinaryOp, Body, Bound, CastMode, FloatBounds, Kernel, Node, Op, Range, Type, ValueId, along};
use crate::optimise::build::dead::keep_needed;
use crate::optimise::{Builder, number};
use std::cell::OnceCell;

/// The program that fills the derived words: values over uniforms, and what each word takes from them.
#[derive(Clone, Debug)]
pub struct Derive {
    /// Only constants, uniforms and operations on them. The guard of a division may be gone, so emitters must give a
    /// division by zero a result.
    pub body: Body,
    /// The words, in order.
    pub words: Vec<Word>,
}

/// One derived word: the value zero- or sign-extended, or the bits of an `f32`; a truth value is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The type as which a body reads it.
    pub ty: Type,
    /// What it holds.
    pub formula: Formula,
}

/// How a word is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A value of the program.
    Value(ValueId),
    /// A part of the [`crate::optimise::magic`] of a divisor.
    Divisor {
        /// The divisor, a value of the program.
        divisor: ValueId,
        /// Which part.
        part: Part,
    },
}

/// The parts of [`crate::optimise::Magic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `multiplier`
    Multiplier,
    /// `first`
    First,
    /// `last`
    Last,
}

/// Collects the derived words of all bodies of a kernel.
#[derive(Default)]
pub struct Hoist {
    program: Builder,
    words: Vec<Word>,
}

impl Hoist {
    /// The body with its uniform expressions replaced by derived words; its nodes must be numbered. Where it `is_stable`,
    /// numbering them once more would change nothing.
    pub fn hoist(&mut self, kernel: &Kernel, body: Body, is_stable: bool) -> Body {
        let uniform = uniform_values(&body);
        let is_kept = |(index, node): (usize, &Node)| match node.op {
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => !uniform[divisor.0 as usize],
            _ => !uniform[index] || stays(&body, node),
        };
        if body.nodes.iter().enumerate().all(is_kept) {
            return if is_stable { body } else { number(&body) };
        }
        let body = &body;
        let mut moved = Moved { body, ids: vec![None; body.nodes.len()] };
        let known = OnceCell::new();
        let bounds = |id: ValueId| match known.get_or_init(|| ranges(kernel, body).ranges)[id.0 as usize] {
            Range::Float { lo, hi, nan: false } => Some(FloatBounds { least: lo.to_bits(), greatest: hi.to_bits() }),
            Range::Float { .. } | Range::Int { .. } | Range::Bool { .. } => None,
        };
        let mut builder = Builder::with_capacity(body.nodes.len());
        let ids = body.rewrite(|value, op| {
            let node = value.node;
            if uniform[value.id.0 as usize] && !stays(body, node) {
                let hoisted = self.value(&mut moved, value.id);
                let index = self.word(Word { ty: node.ty, formula: Formula::Value(hoisted) });
                let bounds = if node.ty == Type::F32 { bounds(value.id) } else { None };
                return builder.push(value.with(Op::Derived { index, bounds }));
            }
            if let Op::Binary(operation @ (BinaryOp::Div | BinaryOp::Rem), n, d) = op
                && !node.ty.is_float()
                && let Op::Binary(_, _, divisor) = node.op
                && uniform[divisor.0 as usize]
                && !matches!(body.node(divisor).op, Op::Constant(_))
            {
                let parts = self.parts(&mut builder, &mut moved, divisor);
                let q = quotient(&mut builder, n, parts, is_positive(kernel, body, divisor));
                return if operation == BinaryOp::Div { q } else { remainder(&mut builder, n, q, d) };
            }
            builder.push(value.with(op))
        });
        number(&builder.finish(body, &ids))
    }

    /// The program, with what the words need and no more.
    pub fn finish(self) -> Derive {
        let all = self.program.into_body(Vec::new(), Vec::new());
        let roots = self.words.iter().map(|word| match word.formula {
            Formula::Value(value) | Formula::Divisor { divisor: value, .. } => value,
        });
        let (nodes, ids) = keep_needed(&all.nodes, roots);
        let at = |id: ValueId| ids[id.0 as usize];
        let words = self.words.iter().map(|word| Word {
            formula: match word.formula {
                Formula::Value(value) => Formula::Value(at(value)),
                Formula::Divisor { divisor, part } => Formula::Divisor { divisor: at(divisor), part },
            },
            ..*word
        });
        Derive { words: words.collect(), body: Body { nodes, ..all } }
    }

    /// A uniform value of a body, as a value of the program: behind what it is computed from.
    fn value(&mut self, moved: &mut Moved<'_>, id: ValueId) -> ValueId {
        // With a stack of its own, as chains may be long.
        let mut pending = vec![id];
        while let Some(&next) = pending.last() {
            let node = moved.body.node(next);
            let mut missing = None;
            if moved.ids[next.0 as usize].is_none() {
                node.op.for_operands(|operand| {
                    if moved.ids[operand.0 as usize].is_none() {
                        missing.get_or_insert(operand);
                    }
                });
            }
            if let Some(operand) = missing {
                pending.push(operand);
                continue;
            }
            if moved.ids[next.0 as usize].is_none() {
                let op = node.op.map_operands(|operand| moved.ids[operand.0 as usize].unwrap_or(operand));
                moved.ids[next.0 as usize] = Some(self.program.push(Node { op, ..node.clone() }));
            }
            pending.pop();
        }
        moved.ids[id.0 as usize].unwrap_or(id)
    }

    fn parts(&mut self, builder: &mut Builder, moved: &mut Moved<'_>, divisor: ValueId) -> Parts {
        let like = moved.body.node(divisor).clone();
        let value = self.value(moved, divisor);
        let mut part = |part, ty| {
            let index = self.word(Word { ty, formula: Formula::Divisor { divisor: value, part } });
            builder.op(Op::Derived { index, bounds: None }, ty, &like)
        };
        let first = if like.ty.is_signed() { like.ty } else { Type::U32 };
        Parts {
            multiplier: part(Part::Multiplier, like.ty),
            first: part(Part::First, first),
            last: part(Part::Last, Type::U32),
        }
    }

    fn word(&mut self, word: Word) -> u32 {
        let known = self.words.iter().position(|known| *known == word);
        let index = known.unwrap_or(self.words.len());
        if known.is_none() {
            self.words.push(word);
        }
        index as u32
    }
}

/// Where the uniform values of a body went in the program.
struct Moved<'a> {
    body: &'a Body,
    ids: Vec<Option<ValueId>>,
}

/// n − q·d.
fn remainder(builder: &mut Builder, n: ValueId, q: ValueId, d: ValueId) -> ValueId {
    let product = builder.binary(BinaryOp::Mul(Wrap), q, d);
    builder.binary(BinaryOp::Sub(Wrap), n, product)
}

/// Which values are the same for the whole run, whatever its tensors and tables hold: they vary along nothing.
pub fn uniform_values(body: &Body) -> Vec<bool> {
    along(&body.nodes).into_iter().map(Axes::is_empty).collect()
}

/// Whether a uniform value stays in the body: it costs nothing there, or no word holds it.
fn stays(body: &Body, node: &Node) -> bool {
    match node.op {
        _ if node.ty.bits() > 32 => true,
        ref op if op.is_word() => true,
        Op::Cast(CastMode::Value, operand) => {
            let operand = body.node(operand);
            matches!(operand.op, Op::Uniform { .. }) && operand.ty.widens_to(node.ty)
        }
        _ => false,
    }
}

/// Whether a uniform's declared bounds say that it is above zero.
fn is_positive(kernel: &Kernel, body: &Body, id: ValueId) -> bool {
    match body.node(id).op {
        Op::Uniform { uniform, .. } => {
            let bounds = kernel.uniforms[uniform.0 as usize].bounds;
            matches!(bounds, Some((Bound::Int(lo), _)) if lo > 0)
        }
        Op::Cast(CastMode::Value, operand) => is_positive(kernel, body, operand),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Overflow::Saturate;
    use crate::optimise::prepare;
    use crate::optimise::testing::{Raw, kernel, lines};

    #[test]
    fn an_expression_over_uniforms_is_computed_once() {
        let mut raw = Raw::default();
        let (a, u) = (raw.input(0, Type::U8), raw.uniform(0, Type::U8));
        let three = raw.int(3, Type::U8);
        let bound = raw.raw(Op::Binary(BinaryOp::Add(Saturate), u, three), Type::U8);
        let value = raw.raw(Op::Binary(BinaryOp::Min, a, bound), Type::U8);
        let prepared = prepare(&kernel(Type::U8, raw.store(value)));
        assert_eq!(lines(&prepared.bodies[0]), ["a.0[0, 0]", "derived.0", "Min v0 v1"]);
        assert_eq!(lines(&prepared.derive.body), ["u.0", "3", "SaturatingAdd v0 v1"]);
    }

    /// Emitters leave out what only a NaN asks for.
    #[test]
    fn derived_floats_keep_their_bounds() {
        let source = "#[kernel] pub fn mix(a: u8, b: u8, #[uniform(0.0..=1.0)] t: f32) -> u8 {
            ((1.0 - t) * b as f32 + t * a as f32) as u8
        }";
        let compiled = crate::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let prepared = prepare(kernel);
        let body = &prepared.bodies[0];
        assert_eq!(prepared.derive.words.len(), 1);
        let found = ranges(kernel, body).ranges;
        let floats = body.nodes.iter().zip(found).filter(|(node, _)| node.ty == Type::F32);
        for (node, range) in floats {
            assert!(matches!(range, Range::Float { nan: false, .. }), "{node:?}: {range:?}");
        }
    }

    #[test]
    fn a_uniform_itself_stays() {
        let mut raw = Raw::default();
        let (a, u) = (raw.input(0, Type::U8), raw.uniform(0, Type::U8));
        let value = raw.raw(Op::Binary(BinaryOp::Min, a, u), Type::U8);
        let prepared = prepare(&kernel(Type::U8, raw.store(value)));
        assert_eq!(lines(&prepared.bodies[0]), ["a.0[0, 0]", "u.0", "Min v0 v1"]);
        assert!(prepared.derive.words.is_empty());
    }

    #[test]
    fn division_by_a_uniform_is_a_multiplication() {
        let mut raw = Raw::default();
        let (a, u) = (raw.input(0, Type::U8), raw.uniform(0, Type::U8));
        let value = raw.raw(Op::Binary(BinaryOp::Div, a, u), Type::U8);
        let prepared = prepare(&kernel(Type::U8, raw.store(value)));
        let body = lines(&prepared.bodies[0]);
        assert!(
            body.iter().any(|line| line.starts_with("MulHigh")) && !body.iter().any(|line| line.starts_with("Div"))
        );
        assert_eq!(prepared.derive.words.len(), 3);
    }
}
