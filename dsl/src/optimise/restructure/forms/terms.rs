//! Linear sums: what Σ coefficient · value a value is, read from whatever form the author wrote.

use super::grid::{Grid, Source, tap};
use super::survey::Known;
use crate::arithmetic::wrap;
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::{BinaryOp, Body, CastMode, Constant, Kind, Node, Op, Type, UnaryOp, ValueId};
use crate::optimise::build::shifted::Member;
use std::collections::{BTreeMap, BTreeSet};

/// The fewest taps that make a sum worth a form of its own.
const FEWEST: usize = 3;
/// Coefficients stay below this, so that intervals of sums stay within 64 bits.
const GREATEST: i128 = 1 << 31;

/// A term: its coefficient, its value, and the interval of the value.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub coefficient: i128,
    pub value: ValueId,
    pub interval: (i128, i128),
}

/// A sum modulo 2ⁿ, n the width of its type. Values narrower than that are meant widened.
#[derive(Debug, Default)]
pub struct Terms {
    pub taps: BTreeMap<Source, Grid<Term>>,
    /// Other values that are one expression at several places, as the squares of a window are: by their class.
    pub alike: BTreeMap<u32, Grid<Term>>,
    pub others: Vec<Term>,
    pub constant: i128,
}

impl Terms {
    /// The sum that ends in `root`; nothing where it has few taps.
    pub fn of(body: &Body, known: &Known, root: ValueId) -> Option<Self> {
        let ty = body.node(root).ty;
        if let Opened::Leaf = open(body, known, ty, body.node(root)) {
            return None;
        }
        let mut terms = Terms::default();
        // Operands have lower numbers than their users: the greatest one has its whole coefficient.
        let mut pending = BTreeMap::from([(root, 1i128)]);
        let mut inner = BTreeSet::from([root]);
        let mut leaves = Vec::new();
        while let Some((value, coefficient)) = pending.pop_last() {
            known.charge(1)?;
            if coefficient == 0 {
                continue;
            }
            let node = body.node(value);
            let opened = match open(body, known, ty, node) {
                // A sum that others use too is computed anyway.
                Opened::Parts(parts) if parts.len() > 1 && value != root && !known.is_private(value, &inner) => {
                    Opened::Leaf
                }
                opened => opened,
            };
            match opened {
                Opened::Constant(constant) => {
                    terms.constant = wrap(terms.constant.wrapping_add(coefficient.wrapping_mul(constant)), ty);
                }
                Opened::Parts(parts) => {
                    inner.insert(value);
                    for (factor, part) in parts {
                        let sum = pending.entry(part).or_insert(0);
                        *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
                        if sum.abs() > GREATEST {
                            return None;
                        }
                    }
                }
                Opened::Leaf => leaves.push((value, nearest_zero(coefficient, ty))),
            }
        }
        if leaves.len() < FEWEST {
            return None;
        }
        let alike = alike(body, known, leaves.iter().map(|&(value, _)| value));
        let is_placed =
            |value: ValueId| is_load(body, value) || alike.contains_key(&value) || factor_place(body, value).is_some();
        if leaves.iter().filter(|&&(value, _)| is_placed(value)).count() < FEWEST {
            return None;
        }
        let values: Vec<ValueId> = leaves.iter().map(|&(value, _)| value).collect();
        // What computes them is analysed.
        known.charge(leaves.iter().map(|&(value, _)| value.0 as usize + 1).max().unwrap_or(0))?;
        for ((value, coefficient), interval) in leaves.into_iter().zip(known.intervals(&values)) {
            terms.add(body, &alike, Term { coefficient, value, interval });
        }
        // Products with uniform values go row by row, as rows of a block then read each tap at the same time.
        terms.others.sort_by_key(|term| (factor_place(body, term.value), term.value));
        let products = terms.others.iter().filter(|term| factor_place(body, term.value).is_some()).count();
        let placed = terms.taps.values().chain(terms.alike.values()).map(|grid| grid.0.len()).sum::<usize>();
        (placed + products >= FEWEST).then_some(terms)
    }

    fn add(&mut self, body: &Body, alike: &Alike, term: Term) {
        let Term { coefficient, value, .. } = term;
        let found = match body.node(value).op {
            Op::Load(_) => tap(body, value).map(|(_, source, place)| (self.taps.entry(source).or_default(), place)),
            _ => alike.get(&value).map(|&(class, place)| (self.alike.entry(class).or_default(), place)),
        };
        match found {
            Some((grid, place)) => {
                grid.0.entry(place).and_modify(|term| term.coefficient += coefficient).or_insert(term);
            }
            None => self.others.push(term),
        }
    }

    /// The values that the sum is made of.
    pub fn leaves(&self) -> Vec<ValueId> {
        let placed = self.taps.values().chain(self.alike.values()).flat_map(|grid| grid.0.values());
        placed.chain(&self.others).map(|term| term.value).collect()
    }
}

/// The class of a value, and its place (dy, dx) among its like.
type Alike = BTreeMap<ValueId, (u32, (i32, i32))>;

/// Those of a sum's values that are one expression at several places.
fn alike(body: &Body, known: &Known, values: impl Iterator<Item = ValueId>) -> Alike {
    let place = |value: ValueId| match known.member(value) {
        Member { class, steps: Some([dy, dx]) } => Some((value, (class, (dy, dx)))),
        Member { steps: None, .. } => None,
    };
    let members: Alike = values.filter(|&value| !is_load(body, value)).filter_map(place).collect();
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    members.values().for_each(|(class, _)| *counts.entry(*class).or_default() += 1);
    members.into_iter().filter(|(_, (class, _))| counts[class] >= FEWEST).collect()
}

fn is_load(body: &Body, value: ValueId) -> bool {
    matches!(body.node(value).op, Op::Load(_))
}

/// Where the element is that a product multiplies: (dy, dx).
fn factor_place(body: &Body, value: ValueId) -> Option<(i32, i32)> {
    match body.node(value).op {
        Op::Binary(BinaryOp::Mul(Never | Wrap), a, b) => {
            [a, b].into_iter().find_map(|factor| tap(body, factor)).map(|(_, _, place)| place)
        }
        _ => None,
    }
}

/// What a value is, seen from a sum that it is a term of.
enum Opened {
    Constant(i128),
    /// Σ factor · part.
    Parts(Vec<(i128, ValueId)>),
    Leaf,
}

fn open(body: &Body, known: &Known, ty: Type, node: &Node) -> Opened {
    use BinaryOp::*;
    if !node.ty.is_integer() {
        return Opened::Leaf;
    }
    // Below a widening conversion a sum counts as it is, not modulo the sum's width: it must not wrap.
    let is_modular = node.ty.bits() >= ty.bits();
    let opens = |parts: Vec<(i128, ValueId)>| {
        if is_modular || !known.wraps(node) { Opened::Parts(parts) } else { Opened::Leaf }
    };
    match node.op {
        Op::Constant(Constant::Int(value)) => Opened::Constant(value),
        Op::Binary(Add(Never | Wrap), a, b) if a == b => opens(vec![(2, a)]),
        Op::Binary(Add(Never | Wrap), a, b) => opens(vec![(1, a), (1, b)]),
        Op::Binary(Sub(Never | Wrap), a, b) => opens(vec![(1, a), (-1, b)]),
        Op::Unary(UnaryOp::Neg(Never | Wrap), a) => opens(vec![(-1, a)]),
        Op::Binary(Mul(Never | Wrap), a, b) => match (integer(body, a), integer(body, b)) {
            (_, Some(factor)) => opens(vec![(factor, a)]),
            (Some(factor), None) => opens(vec![(factor, b)]),
            (None, None) => Opened::Leaf,
        },
        Op::Binary(Shl(_), a, b) => match integer(body, b).filter(|shift| (0..31).contains(shift)) {
            Some(shift) => opens(vec![(1 << shift, a)]),
            None => Opened::Leaf,
        },
        Op::Cast(mode, inner) => {
            let from = body.node(inner).ty;
            let is_integer = from.is_integer();
            let keeps = from.widens_to(node.ty) || is_modular && mode != CastMode::Saturating;
            if is_integer && keeps { Opened::Parts(vec![(1, inner)]) } else { Opened::Leaf }
        }
        _ => Opened::Leaf,
    }
}

fn integer(body: &Body, id: ValueId) -> Option<i128> {
    match body.node(id).op {
        Op::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    }
}

/// The coefficient nearest to zero that is equal modulo 2ⁿ.
fn nearest_zero(coefficient: i128, ty: Type) -> i128 {
    let wrapped = wrap(coefficient, Type::of(Kind::Signed, ty.bits()).unwrap_or(ty));
    if wrapped.abs() < coefficient.abs() { wrapped } else { coefficient }
}
