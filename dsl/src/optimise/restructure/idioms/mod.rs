//! Fixed-point idioms: what an author spells out in plain arithmetic becomes the operation that machines have.
//!
//! Absolute differences, saturating sums, means, rounding shifts, saturating conversions, upper halves of products: the
//! operations are ordinary ones of the IR ([`crate::ir::BinaryOp`]), so a target that lacks one decomposes it like any
//! other. Widening and narrowing forms have no operation of their own: `Add` of two conversions *is* the widening sum,
//! and a conversion of a `Shr` the narrowing shift. [`rules`] is the table; what intervals alone decide (a sum that
//! cannot wrap, a bound that is never reached) stands in [`known`].

#[cfg(test)]
mod decide;
mod known;
mod pattern;
#[cfg(test)]
mod proofs;
mod rules;
#[cfg(test)]
mod tests;

use crate::ir::Range;
use crate::ir::{BinaryOp, Body, CastMode, Op, Type, UnaryOp, ValueId};
use crate::optimise::build::ranged::Ranged;
use pattern::{Bindings, Condition, LETTERS, Pattern, Sight, matches};

/// How often one value is rewritten: rules feed each other, but not for long.
const ROUNDS: u32 = 8;

/// How often the values that one value leads to are rewritten, all together: choices between choices lead to many.
const WORK: u32 = 400;

/// A body in terms of idioms.
pub struct Idiomatic {
    /// The body.
    pub body: Body,
    /// What its values can be.
    pub ranges: Vec<Range>,
    /// Whether numbering it once more would change nothing.
    pub is_stable: bool,
    /// Where each value of the body before went.
    pub ids: Vec<ValueId>,
    /// Each rule that was applied, with the value of the body before to which it was.
    pub applied: Vec<(&'static str, ValueId)>,
}

/// The body in terms of idioms; `ranges` is what was proved about the values of `body`.
pub fn idioms(body: &Body, ranges: &[Range]) -> Idiomatic {
    let values = Ranged::with_capacity(body.nodes.len());
    let is_shared = Vec::with_capacity(body.nodes.len());
    let mut out = Search { values, place: ValueId(0), work: WORK, is_shared, applied: Vec::new() };
    let uses = body.uses();
    let ids = body.rewrite(|value, op| {
        let range = ranges[value.id.0 as usize];
        out.place = value.id;
        out.work = WORK;
        let id = out.push_known(value.with(op), range);
        let better = rewrite(&mut out, id, ROUNDS);
        out.learn(better, range);
        out.adopt_name(better, value.node.name.clone());
        out.share(better, uses[value.id.0 as usize]);
        better
    });
    let (applied, is_stable) = (out.applied, out.values.is_stable());
    let (body, ranges) = out.values.finish(body, &ids);
    Idiomatic { body, ranges, is_stable, ids, applied }
}

/// A body being rewritten.
struct Search {
    values: Ranged,
    /// The value of the body before that is looked at.
    place: ValueId,
    /// Rewritings that are left for it.
    work: u32,
    /// Of each value, whether several others read it, or a store does; none yet of the newest.
    is_shared: Vec<Option<bool>>,
    applied: Vec<(&'static str, ValueId)>,
}

impl Search {
    /// Records how often the author's body reads a value.
    fn share(&mut self, id: ValueId, uses: u32) {
        let place = id.0 as usize;
        if self.is_shared.len() <= place {
            self.is_shared.resize(place + 1, None);
        }
        // What several of the author's values became is read by the readers of all.
        let known = &mut self.is_shared[place];
        *known = Some(uses > 1 || known.is_some());
    }

    /// Whether several others read a value.
    fn is_shared(&self, id: ValueId) -> bool {
        let known = |id: ValueId| self.is_shared.get(id.0 as usize).copied().flatten();
        [id, self.source(id)].into_iter().any(|id| known(id) == Some(true))
    }

    /// Whether the operation that an arm of the choice is, by a rule, is read by it alone.
    fn saves_arm(&self, rule: &Pattern, id: ValueId) -> bool {
        let Op::Select { then, otherwise, .. } = self.node(self.source(id)).op else { return false };
        let Pattern::Select(_, x, y) = *rule else { return false };
        let has_bits = |pattern: &Pattern| matches!(pattern, Pattern::Binary(BinaryOp::Or | BinaryOp::Xor, ..));
        [(x, then), (y, otherwise)].into_iter().all(|(pattern, arm)| !has_bits(pattern) || !self.is_shared(arm))
    }
}

impl std::ops::Deref for Search {
    type Target = Ranged;
    fn deref(&self) -> &Ranged {
        &self.values
    }
}

impl std::ops::DerefMut for Search {
    fn deref_mut(&mut self) -> &mut Ranged {
        &mut self.values
    }
}

/// The best form of a value.
fn rewrite(out: &mut Search, id: ValueId, rounds: u32) -> ValueId {
    if rounds == 0 || out.work == 0 {
        return id;
    }
    out.work -= 1;
    let better = known::decide(out, id).or_else(|| by_rule(out, id, rounds)).or_else(|| choose_wide(out, id, rounds));
    better.map_or(id, |better| {
        let range = out.range(id);
        out.learn(better, range);
        rewrite(out, better, rounds - 1)
    })
}

/// What the first rule that matches gives, in the type of the value.
fn by_rule(out: &mut Search, id: ValueId, rounds: u32) -> Option<ValueId> {
    let ty = out.ty(id);
    let is_candidate = match out.node(id).op {
        Op::Binary(..) | Op::Select { .. } | Op::Unary(..) | Op::Cast(CastMode::Saturating, _) => ty.is_integer(),
        _ => false,
    };
    if !is_candidate {
        return None;
    }
    let root = &out.node(out.source(id)).op;
    let kinds = match *root {
        Op::Binary(_, a, b) => [Sight::of(out, a).kinds(), Sight::of(out, b).kinds()],
        _ => [rules::ANY; 2],
    };
    let found = rules::at_root(root, kinds).find_map(|rule| {
        let mut letters: Bindings = [None; LETTERS];
        let holds = matches(out, rule.from, id, &mut letters)
            && rule.when.iter().all(|condition| condition.holds(out, &letters))
            && (!rule.when.contains(&Condition::Saved) || out.saves_arm(rule.from, id))
            && letters.iter().flatten().all(|&letter| rule.to.is_legal(out.ty(letter)));
        holds.then_some((rule, letters))
    });
    let (rule, letters) = found?;
    out.applied.push((rule.name, out.place));
    let build = Build { letters, like: id, rounds };
    let value = build.value(out, rule.to, ty);
    Some(out.convert(value, ty)).filter(|&value| value != id)
}

/// A choice between narrowed values, made before they are narrowed, where that shows that nothing was lost:
/// `if s > 255 { 255 } else { s as u8 }` is the lesser of `s` and 255.
fn choose_wide(out: &mut Search, id: ValueId, rounds: u32) -> Option<ValueId> {
    let ty = out.ty(id);
    let Op::Select { then, otherwise, .. } = out.node(id).op else { return None };
    let wide = [then, otherwise].into_iter().find_map(|arm| wide_type(out, arm, rounds))?;
    let chosen = widened(out, id, wide, rounds)?;
    out.fits(chosen, ty).then(|| out.convert(chosen, ty))
}

/// The type from which a value was narrowed, in one of its arms where it is a choice.
fn wide_type(out: &Ranged, id: ValueId, rounds: u32) -> Option<Type> {
    match out.node(id).op {
        Op::Cast(CastMode::Wrapping, x) if out.ty(x).bits() > out.ty(id).bits() => Some(out.ty(x)),
        Op::Select { then, otherwise, .. } if rounds > 0 => {
            [then, otherwise].into_iter().find_map(|arm| wide_type(out, arm, rounds - 1))
        }
        _ => None,
    }
}

/// A value before it was narrowed from `wide`, or converted to it.
fn widened(out: &mut Search, id: ValueId, wide: Type, rounds: u32) -> Option<ValueId> {
    match out.node(id).op {
        Op::Cast(CastMode::Wrapping, x) if out.ty(x) == wide => Some(x),
        Op::Select { condition, then, otherwise } if rounds > 0 => {
            let then = widened(out, then, wide, rounds - 1)?;
            let otherwise = widened(out, otherwise, wide, rounds - 1)?;
            let chosen = out.op(Op::Select { condition, then, otherwise }, wide, id);
            Some(rewrite(out, chosen, rounds - 1))
        }
        _ => out.fits(id, wide).then(|| out.convert(id, wide)),
    }
}

/// What a rule gives, in the making.
struct Build {
    letters: Bindings,
    like: ValueId,
    rounds: u32,
}

impl Build {
    /// The pattern's value; its operations in `ty`, where they don't find a type of their own.
    fn value(&self, out: &mut Search, pattern: &Pattern, ty: Type) -> ValueId {
        match *pattern {
            Pattern::Value(letter) | Pattern::Constant(letter) | Pattern::Truth(letter) => {
                self.letters[letter].unwrap_or(self.like)
            }
            Pattern::Opposite(letter) => {
                let truth = self.letters[letter].unwrap_or(self.like);
                out.op(Op::Unary(UnaryOp::Not, truth), Type::BOOL, self.like)
            }
            Pattern::Int(value) => out.int(value, ty, self.like),
            Pattern::Less(letter, less) => {
                let own = self.letters[letter].and_then(|id| out.integer(id)).unwrap_or(0);
                out.int(own - less, ty, self.like)
            }
            Pattern::In(own, inner) => self.value(out, inner, own),
            Pattern::Unary(op, x) => {
                let x = self.operand(out, x, ty);
                self.push(out, Op::Unary(op, x), ty)
            }
            Pattern::Saturated(own, x) => {
                let x = self.value(out, x, ty);
                self.push(out, Op::Cast(CastMode::Saturating, x), own)
            }
            Pattern::Select(c, x, y) => {
                let condition = self.value(out, c, ty);
                let (then, otherwise) = (self.operand(out, x, ty), self.operand(out, y, ty));
                self.push(out, Op::Select { condition, then, otherwise }, ty)
            }
            Pattern::Binary(op @ (BinaryOp::Shr | BinaryOp::RoundingShr), x, n) => {
                let x = self.value(out, x, ty);
                let n = self.value(out, n, Type::U32);
                let n = out.convert(n, Type::U32);
                let fits = out.interval(n).is_some_and(|(_, n)| n < i128::from(out.ty(x).bits()));
                let x = if fits { x } else { out.convert(x, ty) };
                let ty = out.ty(x);
                self.push(out, Op::Binary(op, x, n), ty)
            }
            Pattern::Binary(op, x, y) => {
                let (x, y) = (self.value(out, x, ty), self.value(out, y, ty));
                let ty = if chooses_type(op) { common_type(out, x, y).unwrap_or(ty) } else { ty };
                // Whether a sum may wrap is found out by looking at it again.
                let op = op.wrapping();
                let operands = [out.convert(x, ty), out.convert(y, ty)];
                let result = if op == BinaryOp::AbsDiff { ty.unsigned() } else { ty };
                self.push(out, Op::Binary(op, operands[0], operands[1]), result)
            }
        }
    }

    fn operand(&self, out: &mut Search, pattern: &Pattern, ty: Type) -> ValueId {
        let value = self.value(out, pattern, ty);
        out.convert(value, ty)
    }

    fn push(&self, out: &mut Search, op: Op, ty: Type) -> ValueId {
        let id = out.op(op, ty, self.like);
        rewrite(out, id, self.rounds - 1)
    }
}

/// Whether an operation gives the same integer in every type that holds its operands.
fn chooses_type(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Min | Max | AbsDiff | HalvingAdd | RoundingHalvingAdd)
}

/// The type of one of two values that holds both, or else the narrowest that does.
fn common_type(out: &Ranged, x: ValueId, y: ValueId) -> Option<Type> {
    let own = [out.ty(x), out.ty(y)].into_iter().filter(|&ty| out.fits(x, ty) && out.fits(y, ty));
    let least = own.min_by_key(|&ty| ty.bits());
    least.or_else(|| {
        let ((a, b), (c, d)) = (out.interval(x)?, out.interval(y)?);
        [8, 16, 32].into_iter().find_map(|width| Type::of_width(width, a.min(c), b.max(d)))
    })
}
