//! The language of the rules: trees of operations over letters, what must be known about the letters, and the search
//! for a tree in a body.
//!
//! A tree stands for integers, not for a width: conversions that keep a value are looked through, and `+` is the sum
//! itself, never one that may wrap.

use super::rules;
use crate::arithmetic::wrap;
use crate::ir::Overflow::Wrap;
use crate::ir::{BinaryOp, CastMode, Op, Type, UnaryOp, ValueId, legal};
use crate::optimise::build::ranged::Ranged;

/// A tree of operations over letters.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// A value; where the letter stands again, the same value.
    Value(usize),
    /// A value that is a constant.
    Constant(usize),
    /// A truth value.
    Truth(usize),
    /// This integer.
    Int(i128),
    /// An operation on one value.
    Unary(UnaryOp, &'static Pattern),
    /// An operation on two values; the operands of a commutative one stand in either order.
    Binary(BinaryOp, &'static Pattern, &'static Pattern),
    /// One of two values.
    Select(&'static Pattern, &'static Pattern, &'static Pattern),
    /// The nearest value of a type.
    Saturated(Type, &'static Pattern),
    /// In what a rule gives: the opposite of a truth value.
    Opposite(usize),
    /// In what a rule gives: a constant less an integer.
    Less(usize, i128),
    /// In what a rule gives: computed in this type, whatever the type around.
    In(Type, &'static Pattern),
}

/// What must be known about the letters of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All values of the letter are values of the type.
    Holds(Type, usize),
    /// Some values of the letter are beyond the type, and all fit twice its width.
    Exceeds(Type, usize),
    /// No value of the letter is below the type.
    NotBelow(Type, usize),
    /// The first letter is 2^(n − 1) for the second, n.
    Half(usize, usize),
    /// The first constant is at most the second.
    Ordered(usize, usize),
    /// The letter is a constant of at least this.
    AtLeast(usize, i128),
    /// The letter is not a constant.
    Varies(usize),
    /// Of each bit, one of the two constants has it.
    Complement(usize, usize),
    /// Nothing but the choice at the root reads the operation that one of its arms is: it is saved.
    Saved,
    /// Two values fit lanes that their sum does not.
    SumIsWider(usize, usize),
}

/// How many letters a rule may have.
pub const LETTERS: usize = 5;

/// The values of the letters.
pub type Bindings = [Option<ValueId>; LETTERS];

impl Pattern {
    /// Whether the language has each of its operations for values of a type.
    pub fn is_legal(&self, ty: Type) -> bool {
        match *self {
            Self::Value(_) | Self::Constant(_) | Self::Truth(_) | Self::Opposite(_) | Self::Int(_) | Self::Less(..) => {
                true
            }
            Self::Unary(op, a) => legal::unary(op, ty).is_some() && a.is_legal(ty),
            Self::Binary(op, a, b) => legal::binary(op, ty).is_some() && a.is_legal(ty) && b.is_legal(ty),
            Self::Select(a, b, c) => [a, b, c].into_iter().all(|part| part.is_legal(ty)),
            Self::Saturated(_, a) | Self::In(_, a) => a.is_legal(ty),
        }
    }
}

impl Condition {
    /// Whether it holds in a body.
    pub fn holds(self, body: &Ranged, letters: &Bindings) -> bool {
        let interval = |letter: usize| letters[letter].and_then(|id| body.interval(id));
        match self {
            Condition::Holds(ty, x) => letters[x].is_some_and(|id| body.fits(id, ty)),
            Condition::Exceeds(ty, x) => interval(x).is_some_and(|(lo, hi)| {
                let (least, greatest) = ty.limits();
                (lo < least || greatest < hi) && Type::least_width(lo, hi) == 2 * Type::least_width(least, greatest)
            }),
            Condition::NotBelow(ty, x) => interval(x).is_some_and(|(lo, _)| ty.limits().0 <= lo),
            Condition::Half(c, n) => {
                let known = |letter: usize| letters[letter].and_then(|id| body.integer(id));
                matches!((known(c), known(n)), (Some(c), Some(n)) if (1..32).contains(&n) && c == 1 << (n - 1))
            }
            Condition::Ordered(c, d) => {
                let known = |letter: usize| letters[letter].and_then(|id| body.integer(id));
                matches!((known(c), known(d)), (Some(c), Some(d)) if c <= d)
            }
            Condition::AtLeast(n, least) => letters[n].and_then(|id| body.integer(id)).is_some_and(|n| n >= least),
            Condition::Varies(x) => letters[x].is_some_and(|id| body.integer(id).is_none()),
            // The search knows who reads what.
            Condition::Saved => true,
            Condition::Complement(c, d) => {
                let known = |letter: usize| letters[letter].and_then(|id| body.integer(id));
                let ty = letters[c].map(|id| body.ty(id));
                matches!((known(c), known(d), ty), (Some(c), Some(d), Some(ty)) if wrap(!c, ty) == d)
            }
            Condition::SumIsWider(x, y) => match (interval(x), interval(y)) {
                (Some((a, b)), Some((c, d))) => {
                    Type::least_width(a.min(c), b.max(d)) < Type::least_width(a + c, b + d + 1)
                }
                _ => false,
            },
        }
    }
}

/// What a value is at first sight, behind conversions that keep it.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// What computes it.
    op: &'a Op,
    integer: Option<i128>,
}

impl<'a> Sight<'a> {
    /// That of a value.
    pub fn of(body: &'a Ranged, id: ValueId) -> Self {
        let source = body.source(id);
        Self { op: &body.node(source).op, integer: body.integer(source) }
    }

    /// What rules are passed over by: most match neither their roots nor what stands directly below.
    pub fn kinds(self) -> u64 {
        rules::kinds_of(self.op, self.integer.is_some())
    }
}

/// Whether a value at first sight can be what a pattern says.
fn may_be(pattern: &Pattern, sight: Sight<'_>) -> bool {
    match (pattern, sight.op) {
        (&Pattern::Int(value), _) => sight.integer == Some(value),
        (Pattern::Constant(_), op) => matches!(op, Op::Constant(_)),
        (&Pattern::Binary(op, ..), &Op::Binary(own, ..)) => {
            own == op || own.wrapping() == op || op.mirrored() == Some(own)
        }
        (&Pattern::Unary(op, _), &Op::Unary(own, _)) => own == op,
        (Pattern::Select(..), Op::Select { .. }) | (Pattern::Saturated(..), Op::Cast(CastMode::Saturating, _)) => true,
        (Pattern::Binary(..) | Pattern::Unary(..) | Pattern::Select(..) | Pattern::Saturated(..), _) => false,
        (Pattern::Value(_) | Pattern::Truth(_) | Pattern::Opposite(_) | Pattern::Less(..) | Pattern::In(..), _) => true,
    }
}

/// Whether the value `id` is what the pattern says; binds its letters.
pub fn matches(body: &Ranged, pattern: &Pattern, id: ValueId, letters: &mut Bindings) -> bool {
    let source = body.source(id);
    let node = body.node(source);
    match *pattern {
        Pattern::Value(letter) => node.ty.is_integer() && bind(letters, letter, source),
        Pattern::Constant(letter) => {
            matches!(node.op, Op::Constant(_)) && node.ty.is_integer() && bind(letters, letter, source)
        }
        Pattern::Truth(letter) => node.ty == Type::BOOL && bind(letters, letter, source),
        Pattern::Int(value) => node.ty.is_integer() && body.integer(source) == Some(value),
        Pattern::Unary(op, x) => match node.op {
            Op::Unary(found, a) => found == op && body.ty(a).is_integer() && matches(body, x, a, letters),
            _ => false,
        },
        Pattern::Binary(op, x, y) => match node.op {
            // A sum that may wrap does so in its own type: no conversion may stand around it.
            Op::Binary(BinaryOp::Add(Wrap) | BinaryOp::Sub(Wrap), ..) if source != id => false,
            Op::Binary(found, a, b) => binary(body, (op, x, y), (found, a, b), letters),
            _ => false,
        },
        Pattern::Select(c, x, y) => match node.op {
            Op::Select { condition, then, otherwise } => {
                all(body, &[(c, condition), (x, then), (y, otherwise)], letters)
            }
            _ => false,
        },
        Pattern::Saturated(ty, x) => match node.op {
            Op::Cast(CastMode::Saturating, a) => {
                node.ty == ty && body.ty(a).is_integer() && matches(body, x, a, letters)
            }
            _ => false,
        },
        Pattern::In(_, x) => matches(body, x, id, letters),
        Pattern::Less(..) | Pattern::Opposite(_) => false,
    }
}

type Tree = (BinaryOp, &'static Pattern, &'static Pattern);

fn binary(body: &Ranged, (op, x, y): Tree, found: (BinaryOp, ValueId, ValueId), letters: &mut Bindings) -> bool {
    let (own, a, b) = found;
    // A sum that may wrap is asked for by name, and a checked one is as good.
    let same = own == op || own.wrapping() == op;
    let mirror = op.mirrored() == Some(own);
    let exchanged = mirror || same && op.commutes();
    same && all(body, &[(x, a), (y, b)], letters) || exchanged && all(body, &[(x, b), (y, a)], letters)
}

/// Whether all pairs match; no letter is bound where one does not.
fn all(body: &Ranged, pairs: &[(&Pattern, ValueId)], letters: &mut Bindings) -> bool {
    for (pattern, id) in pairs {
        if !may_be(pattern, Sight::of(body, *id)) {
            return false;
        }
    }
    let before = *letters;
    let matched = pairs.iter().all(|(pattern, id)| matches(body, pattern, *id, letters));
    if !matched {
        *letters = before;
    }
    matched
}

fn bind(letters: &mut Bindings, letter: usize, id: ValueId) -> bool {
    *letters[letter].get_or_insert(id) == id
}
