//! The order of two values that are made of `min` and `max` alone, decided exactly.
//!
//! Such a value is at least t where a monotone Boolean function of "this leaf is at least t" is true. So one value is
//! never above another if and only if its function implies the other's, for every choice of the leaves: a sorting
//! network's outputs are in order because their truth tables are.

use std::rc::Rc;

use super::analysis::Analysis;
use super::context::ContextId;
use super::polynomial::Polynomial;
use crate::ir::{BinaryOp, Op, ValueId};
use crate::quick::QuickMap;

/// Leaves of which all choices are tried.
const MAX_LEAVES: usize = 12;
/// Operations between the leaves and the two values.
const MAX_NODES: usize = 200;
/// Words of truth tables that take as long as entering a part.
const WORDS_OF_A_PART: usize = 64;

/// A value of the network. Operands are places among the parts.
enum Part {
    /// What is neither `min` nor `max`: its index among the leaves.
    Leaf(usize),
    Min(usize, usize),
    Max(usize, usize),
}

#[derive(Default)]
struct Network {
    leaves: Vec<Rc<Polynomial>>,
    /// Every part after its operands.
    parts: Vec<Part>,
    places: QuickMap<ValueId, usize>,
}

impl Analysis<'_> {
    /// Whether `less ≤ greater` follows from the `min` and `max` that both are made of.
    pub(super) fn lattice_le(&mut self, less: ValueId, greater: ValueId, context: ContextId) -> bool {
        let key = (less, greater, context);
        if let Some(known) = self.in_order.get(&key) {
            return *known;
        }
        if self.lattice_work == 0 {
            return false;
        }
        let mut network = Network::default();
        let places = (self.enter(&mut network, less, context), self.enter(&mut network, greater, context));
        let (Some(low), Some(high)) = places else {
            self.in_order.insert(key, false);
            return false;
        };
        let entered = (network.parts.len() * WORDS_OF_A_PART) as u32;
        self.lattice_work = self.lattice_work.saturating_sub(entered);
        let implied = network.implies(low, high, &mut self.lattice_work);
        self.in_order.insert(key, implied);
        implied
    }

    /// Adds a value and what it is made of; none where that is too much.
    fn enter(&self, network: &mut Network, value: ValueId, context: ContextId) -> Option<usize> {
        if let Some(place) = network.places.get(&value) {
            return Some(*place);
        }
        if network.parts.len() == MAX_NODES {
            return None;
        }
        let canon = |operand: ValueId| self.canon[operand.0 as usize];
        let is_atom = *self.polynomial_of(value, context) == Polynomial::atom(value);
        let part = match self.body.node(value).op {
            Op::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) if is_atom && self.is_computed(value, context) => {
                let (a, b) = (self.enter(network, canon(a), context)?, self.enter(network, canon(b), context)?);
                if op == BinaryOp::Min { Part::Min(a, b) } else { Part::Max(a, b) }
            }
            _ => {
                let polynomial = self.polynomial_of(value, context);
                let known = network.leaves.iter().position(|leaf| *leaf == polynomial);
                if known.is_none() {
                    network.leaves.push(polynomial);
                }
                if network.leaves.len() > MAX_LEAVES {
                    return None;
                }
                Part::Leaf(known.unwrap_or(network.leaves.len() - 1))
            }
        };
        network.parts.push(part);
        network.places.insert(value, network.parts.len() - 1);
        Some(network.parts.len() - 1)
    }
}

impl Network {
    /// Whether the truth table of `less` implies that of `greater`, as far as there is work left.
    fn implies(&self, less: usize, greater: usize, work: &mut u32) -> bool {
        let words = (1u64 << self.leaves.len()).div_ceil(64);
        let mut table = vec![0; self.parts.len()];
        (0..words).all(|word| {
            let Some(left) = work.checked_sub(self.parts.len() as u32) else { return false };
            *work = left;
            self.fill(word, &mut table);
            table[less] & !table[greater] == 0
        })
    }

    /// One word of every part's truth table: its bits are 64 choices of the leaves.
    fn fill(&self, word: u64, table: &mut [u64]) {
        /// The words of the first six leaves, whose values change within a word.
        const WITHIN: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        for (place, part) in self.parts.iter().enumerate() {
            table[place] = match *part {
                Part::Leaf(leaf) => match WITHIN.get(leaf) {
                    Some(bits) => *bits,
                    None => 0u64.wrapping_sub(word >> (leaf - WITHIN.len()) & 1),
                },
                Part::Min(a, b) => table[a] & table[b],
                Part::Max(a, b) => table[a] | table[b],
            };
        }
    }
}
