//! What stands for a value of the body, and how a pair is brought to where an operation can take it.

use super::packer::Packer;
use windrow_dsl::arithmetic::fits;
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::Range;
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Node, Op, Type, ValueId};

/// 1 in each half.
pub const ONES: i128 = 0x0001_0001;
/// The uppermost bit of each half.
pub const TOPS: i128 = 0x8000_8000;
/// The greatest value that a half can hold.
pub const MOST: i128 = 0xffff;
/// The greatest value that two halves can be compared at.
pub const MOST_COMPARED: i128 = 0x7fff;

/// What stands for a value of the body.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// The same for all elements: the value itself, in its own type.
    Scalar(ValueId),
    /// Two integers.
    Pair(Pair),
    /// Two truth values: all bits of a half, or none.
    Mask(ValueId),
}

/// Two integers in one word.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Σ (vᵢ + bias)·2^16ᵢ modulo 2³².
    pub word: ValueId,
    /// What was added to each.
    pub bias: i128,
    /// The least and the greatest value.
    pub range: (i128, i128),
    /// Whether these are the node's values only modulo 2^width of its type: they may lie outside it.
    pub wraps: bool,
}

impl Pair {
    /// The same word as a pair of values that differ by a constant.
    pub fn plus(self, constant: i128) -> Self {
        let (lo, hi) = self.range;
        Self { bias: self.bias - constant, range: (lo + constant, hi + constant), ..self }
    }

    /// Whether each half holds its value at this bias.
    fn holds_at(&self, bias: i128, most: i128) -> bool {
        self.range.0 + bias >= 0 && self.range.1 + bias <= most
    }
}

/// Whether each half of all pairs holds its value at this bias.
fn hold_at(pairs: &[Pair], bias: i128, most: i128) -> bool {
    let mut place = 0;
    while place < pairs.len() && pairs[place].holds_at(bias, most) {
        place += 1;
    }
    place == pairs.len()
}

/// The two's complement bits of `value` as a constant of a word.
pub fn word_of(value: i128) -> i128 {
    value & 0xffff_ffff
}

/// `value` in both halves, as a constant of a word.
pub fn both(value: i128) -> i128 {
    word_of(value.wrapping_mul(ONES))
}

impl Packer<'_> {
    /// A word constant.
    pub fn constant(&mut self, value: i128) -> ValueId {
        self.builder.int(word_of(value), Type::U32)
    }

    /// Two words combined.
    pub fn combine(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.builder.binary(op, a, b)
    }

    /// A word and a constant.
    pub fn with(&mut self, op: BinaryOp, a: ValueId, constant: i128) -> ValueId {
        let constant = self.constant(constant);
        self.builder.binary(op, a, constant)
    }

    /// The integer that a scalar is, where it is a constant.
    pub fn integer(&self, value: Value) -> Option<i128> {
        match value {
            Value::Scalar(id) => match self.builder.constant(id) {
                Some(Constant::Int(value)) => Some(value),
                Some(Constant::Bool(_) | Constant::Float(_) | Constant::Double(_)) | None => None,
            },
            Value::Pair(_) | Value::Mask(_) => None,
        }
    }

    /// What is known of a node's values.
    pub fn known(&self, node: ValueId) -> (i128, i128) {
        let limits = self.body.node(node).ty.limits();
        if self.selects {
            return limits;
        }
        match self.range(node) {
            Range::Int { lo, hi } => (lo.max(limits.0), hi.min(limits.1)),
            Range::Float { .. } | Range::Bool { .. } => limits,
        }
    }

    /// The value of `node` as a pair that holds exactly its values.
    pub fn exact(&mut self, values: &[Value], node: ValueId) -> Option<Pair> {
        match values[node.0 as usize] {
            Value::Pair(pair) if !pair.wraps => Some(pair),
            value => self.exact_value(value, node),
        }
    }

    /// `value`, which stands for `node`, as a pair that holds exactly its values.
    pub fn exact_value(&mut self, value: Value, node: ValueId) -> Option<Pair> {
        let pair = self.pair_of(value, node)?;
        self.settle(pair, self.body.node(node).ty)
    }

    /// The value of `node` as a pair.
    pub fn pair(&mut self, values: &[Value], node: ValueId) -> Option<Pair> {
        self.pair_of(values[node.0 as usize], node)
    }

    fn pair_of(&mut self, value: Value, node: ValueId) -> Option<Pair> {
        match value {
            Value::Pair(pair) => Some(pair),
            Value::Mask(_) => None,
            Value::Scalar(id) => self.spread(id, node),
        }
    }

    /// A scalar in both halves.
    fn spread(&mut self, id: ValueId, node: ValueId) -> Option<Pair> {
        if let Some(value) = self.integer(Value::Scalar(id)) {
            let word = self.constant(both(value));
            return Some(Pair { word, bias: 0, range: (value, value), wraps: false });
        }
        let ty = self.body.node(node).ty;
        if !ty.is_integer() {
            return None;
        }
        let range = self.known(node);
        let word = self.scalar_word(id);
        let word = self.with(BinaryOp::Mul(Wrap), word, ONES);
        Some(Pair { word, bias: 0, range, wraps: false })
    }

    /// The bits of an integer scalar as a word.
    pub fn scalar_word(&mut self, id: ValueId) -> ValueId {
        if self.builder.node(id).ty == Type::U32 { id } else { self.builder.cast(CastMode::Wrapping, Type::U32, id) }
    }

    /// A truth value as a mask.
    pub fn mask(&mut self, values: &[Value], node: ValueId) -> Option<ValueId> {
        match values[node.0 as usize] {
            Value::Mask(mask) => Some(mask),
            Value::Pair(_) => None,
            Value::Scalar(condition) => {
                let like: Node = self.body.node(node).clone();
                let (then, otherwise) = (self.constant(0xffff_ffff), self.constant(0));
                Some(self.word(Op::Select { condition, then, otherwise }, &like))
            }
        }
    }

    /// The pair at another bias.
    pub fn rebias(&mut self, pair: Pair, bias: i128) -> Pair {
        let word = match bias - pair.bias {
            0 => pair.word,
            more if more > 0 => self.with(BinaryOp::Add(Wrap), pair.word, both(more)),
            less => self.with(BinaryOp::Sub(Wrap), pair.word, both(-less)),
        };
        Pair { word, bias, ..pair }
    }

    /// The pair with each half between 0 and `most`, at a bias that is a multiple of `grain`.
    pub fn clean(&mut self, pair: Pair, grain: i128, most: i128) -> Option<Pair> {
        let bias = self.clean_bias(&[pair], grain, most)?;
        Some(self.rebias(pair, bias))
    }

    /// Both pairs at one bias, with each half between 0 and `most`.
    pub fn clean_both(&mut self, a: Pair, b: Pair, most: i128) -> Option<(Pair, Pair)> {
        let are_clean = a.bias == b.bias && a.holds_at(a.bias, most) && b.holds_at(b.bias, most);
        if are_clean && !a.wraps && !b.wraps {
            return Some((a, b));
        }
        let bias = self.clean_bias(&[a, b], 1, most)?;
        Some((self.rebias(a, bias), self.rebias(b, bias)))
    }

    /// The bias at which each half of all pairs holds its value: one that some pair has, where that does.
    fn clean_bias(&self, pairs: &[Pair], grain: i128, most: i128) -> Option<i128> {
        let mut least = 0;
        for pair in pairs {
            if pair.wraps {
                return None;
            }
            if pair.range.0 < least {
                least = pair.range.0;
            }
        }
        for pair in pairs {
            if (grain == 1 || pair.bias % grain == 0) && hold_at(pairs, pair.bias, most) {
                return Some(pair.bias);
            }
        }
        let needed = (-least + grain - 1) / grain * grain;
        hold_at(pairs, needed, most).then_some(needed)
    }

    /// Takes values that lie outside an 8-bit type back into it.
    fn settle(&mut self, pair: Pair, ty: Type) -> Option<Pair> {
        if !pair.wraps {
            return Some(pair);
        }
        if ty.bits() != 8 {
            return None;
        }
        let above = if ty.is_signed() { 128 } else { 0 };
        let (lo, hi) = pair.range;
        let bias = above + (-(lo + above).min(0) + 255) / 256 * 256;
        if hi + bias > MOST {
            return None;
        }
        let word = self.rebias(pair, bias).word;
        let word = self.with(BinaryOp::And, word, both(0xff));
        Some(Pair { word, bias: above, range: ty.limits(), wraps: false })
    }

    /// The pair of a node of type `ty`, narrowed by what is known of the node; `checked`: it is proved to stay in its
    /// type.
    pub fn result(&self, pair: Pair, node: ValueId, checked: bool) -> Value {
        let ty = self.body.node(node).ty;
        let inside = fits(pair.range.0, ty) && fits(pair.range.1, ty);
        let wraps = !inside && (pair.wraps || !checked);
        if wraps {
            return Value::Pair(Pair { wraps, ..pair });
        }
        let (lo, hi) = self.known(node);
        let range = (pair.range.0.max(lo), pair.range.1.min(hi));
        let range = if range.0 <= range.1 { range } else { (lo, hi) };
        Value::Pair(Pair { range, wraps, ..pair })
    }
}
