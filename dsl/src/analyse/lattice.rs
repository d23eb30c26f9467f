//! The order of two values that are made of `min` and `max` alone, decided exactly.
//!
//! Such a value is at least t where a monotone Boolean function of "this leaf is at least t" is true. So one value is
//! never above another if and only if its function implies the other's, for every choice of the leaves: a sorting
//! network's outputs are in order because their truth tables are.

use std::collections::HashMap;
use std::rc::Rc;

use super::analysis::Analysis;
use super::context::ContextId;
use super::polynomial::Polynomial;
use crate::ir::{BinaryOp, Op, ValueId};

/// Leaves of which all choices are tried.
const MAX_LEAVES: usize = 12;
/// Operations between the leaves and the two values.
const MAX_NODES: usize = 200;

/// A value of the network.
enum Part {
    /// What is neither `min` nor `max`: its index among the leaves.
    Leaf(usize),
    Min(ValueId, ValueId),
    Max(ValueId, ValueId),
}

#[derive(Default)]
struct Network {
    leaves: Vec<Rc<Polynomial>>,
    parts: HashMap<ValueId, Part>,
    /// Every part after its operands.
    order: Vec<ValueId>,
}

impl Analysis<'_> {
    /// Whether `less ≤ greater` follows from the `min` and `max` that both are made of.
    pub(super) fn lattice_le(&self, less: ValueId, greater: ValueId, context: ContextId) -> bool {
        let mut network = Network::default();
        let known = self.enter(&mut network, less, context) && self.enter(&mut network, greater, context);
        known && network.implies(less, greater)
    }

    /// Adds a value and what it is made of; `false` where that is too much.
    fn enter(&self, network: &mut Network, value: ValueId, context: ContextId) -> bool {
        if network.parts.contains_key(&value) {
            return true;
        }
        if network.parts.len() == MAX_NODES {
            return false;
        }
        let canon = |operand: ValueId| self.canon[operand.0 as usize];
        let is_atom = *self.polynomial_of(value, context) == Polynomial::atom(value);
        let part = match self.body.node(value).op {
            Op::Binary(BinaryOp::Min, a, b) if is_atom && self.is_computed(value, context) => {
                Part::Min(canon(a), canon(b))
            }
            Op::Binary(BinaryOp::Max, a, b) if is_atom && self.is_computed(value, context) => {
                Part::Max(canon(a), canon(b))
            }
            _ => {
                let polynomial = self.polynomial_of(value, context);
                let known = network.leaves.iter().position(|leaf| *leaf == polynomial);
                if known.is_none() {
                    network.leaves.push(polynomial);
                }
                Part::Leaf(known.unwrap_or(network.leaves.len() - 1))
            }
        };
        let entered = match part {
            Part::Leaf(_) => network.leaves.len() <= MAX_LEAVES,
            Part::Min(a, b) | Part::Max(a, b) => self.enter(network, a, context) && self.enter(network, b, context),
        };
        network.parts.insert(value, part);
        network.order.push(value);
        entered
    }
}

impl Network {
    /// Whether the truth table of `less` implies that of `greater`.
    fn implies(&self, less: ValueId, greater: ValueId) -> bool {
        let words = (1usize << self.leaves.len()).div_ceil(64);
        (0..words).all(|word| {
            let table = self.table(word as u64);
            table.get(&less).zip(table.get(&greater)).is_some_and(|(less, greater)| less & !greater == 0)
        })
    }

    /// One word of every part's truth table: its bits are 64 choices of the leaves.
    fn table(&self, word: u64) -> HashMap<ValueId, u64> {
        /// The words of the first six leaves, whose values change within a word.
        const WITHIN: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let mut table: HashMap<ValueId, u64> = HashMap::with_capacity(self.order.len());
        for value in &self.order {
            let of = |operand: ValueId| table.get(&operand).copied().unwrap_or(0);
            let bits = match self.parts[value] {
                Part::Leaf(leaf) => match WITHIN.get(leaf) {
                    Some(bits) => *bits,
                    None => 0u64.wrapping_sub(word >> (leaf - WITHIN.len()) & 1),
                },
                Part::Min(a, b) => of(a) & of(b),
                Part::Max(a, b) => of(a) | of(b),
            };
            table.insert(*value, bits);
        }
        table
    }
}
