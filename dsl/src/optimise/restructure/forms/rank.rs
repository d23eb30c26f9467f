//! Rank filters: a graph of minima and maxima, whatever its shape, is known by its truth table.
//!
//! By the 0-1 principle such a graph is decided by what it makes of zeros and ones. Where that is "at least t of n", it
//! is the n-th of its leaves in order: t = n is the least, t = 1 the greatest. A table has 2ⁿ bits, so n is at most 16;
//! a larger graph is looked at only as one minimum or one maximum.

use super::fold::{self, Fold, apply};
use super::grid::{Grid, tap};
use super::network::{self, Exchange};
use super::survey::{Known, Plan};
use super::writer::{FormWriter, WindowOrder};
use crate::ir::{BinaryOp, Body, Op, ValueId};
use std::collections::BTreeMap;

/// The most leaves of a graph that is known by its truth table.
const MOST_LEAVES: usize = 16;
/// The most words of all truth tables of a graph.
const MOST_WORDS: usize = 1 << 19;
/// Words of truth tables that take as long as looking at a value.
const WORDS_OF_A_VALUE: usize = 16;

/// A rank filter over taps.
#[derive(Debug)]
pub struct Rank {
    /// The elements, in their own type.
    pub taps: Grid<ValueId>,
    /// Which of them in ascending order, from 0.
    pub rank: usize,
}

/// What a minimum or a maximum is.
pub fn find(body: &Body, known: &Known<'_>, root: ValueId) -> Option<Plan> {
    let Op::Binary(op, a, b) = body.node(root).op else { return None };
    let (first, second) = (is_extreme(&body.node(a).op), is_extreme(&body.node(b).op));
    // Two taps are none of a window; and of a network, most values are used by two.
    if !first && !second || first && known.is_used_after(a, root) || second && known.is_used_after(b, root) {
        return None;
    }
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    // Whether the graph of such operations ends where it begins: at an operand that others use.
    let ends_here = |is_inside: &dyn Fn(ValueId) -> bool| {
        let last = if is_inside(high) { high } else { low };
        is_inside(last) && !known.is_used_by(last, root)
    };
    if !ends_here(&|id| is_extreme(&body.node(id).op))
        && let Some(graph) = Graph::of(body, known, root, MOST_LEAVES, |_| true)
        && let Some(ones) = graph.threshold(body, known)
    {
        let taps = window(body, &graph.leaves)?;
        let count = taps.0.len();
        // Two leaves that are one tap, once widened and once not, would be counted twice.
        if count == graph.leaves.len() {
            return match ones {
                _ if ones == count => Some(Plan::Fold(Fold { op: BinaryOp::Min, taps })),
                1 => Some(Plan::Fold(Fold { op: BinaryOp::Max, taps })),
                _ => Some(Plan::Rank(Rank { taps, rank: count - ones })),
            };
        }
    }
    let is_alike = |id: ValueId| matches!(body.node(id).op, Op::Binary(own, ..) if own == op);
    if !is_alike(a) && !is_alike(b) || ends_here(&is_alike) {
        return None;
    }
    let graph = Graph::of(body, known, root, usize::MAX, |own| own == op)?;
    Some(Plan::Fold(Fold { op, taps: window(body, &graph.leaves)? }))
}

fn is_extreme(op: &Op) -> bool {
    matches!(op, Op::Binary(BinaryOp::Min | BinaryOp::Max, ..))
}

/// Leaves that are taps of one channel of one input, by place.
fn window(body: &Body, leaves: &[ValueId]) -> Option<Grid<ValueId>> {
    let mut taps = Grid::default();
    let mut only = None;
    for &leaf in leaves {
        let (value, source, place) = tap(body, leaf)?;
        if *only.get_or_insert(source) != source {
            return None;
        }
        taps.0.insert(place, value);
    }
    (taps.0.len() >= fold::FEWEST).then_some(taps)
}

/// Values for which a graph has room from the start.
const ROOM: usize = 32;

/// A graph of minima and maxima.
struct Graph {
    /// Its operations, operands first.
    inner: Vec<ValueId>,
    leaves: Vec<ValueId>,
}

impl Graph {
    /// The graph that ends in `root`; none where anything else uses a value inside it, or where it has more leaves than `most`.
    fn of(
        body: &Body,
        known: &Known<'_>,
        root: ValueId,
        most: usize,
        wanted: impl Fn(BinaryOp) -> bool,
    ) -> Option<Self> {
        let mut is_inner = vec![false; root.0 as usize + 1];
        let (mut inner, mut leaves) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        // In order, so that a value comes after all its users.
        let mut pending = Vec::with_capacity(ROOM);
        pending.push(root);
        while let Some(id) = pending.pop() {
            known.charge(1)?;
            match body.node(id).op {
                Op::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) if wanted(op) => {
                    // All its users inside stand behind it, and were met before.
                    if id != root && !known.is_used_inside(id, &is_inner) {
                        return None;
                    }
                    insert(&mut pending, a);
                    insert(&mut pending, b);
                    is_inner[id.0 as usize] = true;
                    inner.push(id);
                }
                _ if leaves.len() == most => return None,
                _ => leaves.push(id),
            }
        }
        inner.reverse();
        leaves.reverse();
        Some(Self { inner, leaves })
    }

    /// The t of "at least t of all leaves", where the graph is that.
    fn threshold(&self, body: &Body, known: &Known<'_>) -> Option<usize> {
        let leaves = self.leaves.len();
        let words = (1usize << leaves).div_ceil(64);
        let all = (self.inner.len() + leaves) * words;
        if all > MOST_WORDS {
            return None;
        }
        known.charge(all / WORDS_OF_A_VALUE)?;
        let mut tables: BTreeMap<ValueId, Vec<u64>> =
            self.leaves.iter().enumerate().map(|(place, &leaf)| (leaf, variable(place, leaves, words))).collect();
        let mut last = None;
        for &id in &self.inner {
            let Op::Binary(op, a, b) = body.node(id).op else { return None };
            let (a, b) = (tables.get(&a)?, tables.get(&b)?);
            let table = if op == BinaryOp::Min { both(a, b) } else { either(a, b) };
            tables.insert(id, table);
            last = Some(id);
        }
        threshold(tables.get(&last?)?, leaves)
    }
}

/// Enters a value into an ascending list, once.
fn insert(list: &mut Vec<ValueId>, id: ValueId) {
    let known = list.as_slice();
    let mut place = known.len();
    while place > 0 && known[place - 1].0 > id.0 {
        place -= 1;
    }
    if place == 0 || known[place - 1].0 != id.0 {
        list.insert(place, id);
    }
}

fn both(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut table = a.to_vec();
    let mut word = 0;
    while word < table.len() {
        table[word] &= b[word];
        word += 1;
    }
    table
}

fn either(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut table = a.to_vec();
    let mut word = 0;
    while word < table.len() {
        table[word] |= b[word];
        word += 1;
    }
    table
}

/// The truth table of a leaf: bit k is bit `place` of k.
fn variable(place: usize, leaves: usize, words: usize) -> Vec<u64> {
    const PATTERNS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let used = if leaves < 6 { (1u64 << (1 << leaves)) - 1 } else { u64::MAX };
    match PATTERNS.get(place) {
        Some(pattern) => vec![pattern & used; words],
        None => (0..words).map(|word| if word >> (place - 6) & 1 == 1 { u64::MAX } else { 0 }).collect(),
    }
}

/// The t of a truth table that is "at least t of all", from 1 on.
fn threshold(table: &[u64], leaves: usize) -> Option<usize> {
    // Bit k has as many ones as k: the lowest k with t ones is 2^t - 1.
    let is_set = |t: &usize| table[((1 << t) - 1) / 64] >> (((1 << t) - 1) % 64) & 1 == 1;
    let t = (1..=leaves).find(is_set)?;
    let used = if leaves < 6 { (1u64 << (1 << leaves)) - 1 } else { u64::MAX };
    let is_threshold = |word: usize| {
        let missing = t.saturating_sub(word.count_ones() as usize);
        table[word] == AT_LEAST[missing.min(7)] & used
    };
    (0..table.len()).all(is_threshold).then_some(t)
}

/// Which of the numbers below 64 have at least so many ones.
const AT_LEAST: [u64; 8] = {
    let (mut masks, mut ones) = ([0; 8], 0);
    while ones < 8 {
        let mut number = 0u32;
        while number < 64 {
            masks[ones] |= ((number.count_ones() as usize >= ones) as u64) << number;
            number += 1;
        }
        ones += 1;
    }
    masks
};

/// The filter in the style of `writer`.
pub fn write(writer: &mut FormWriter<'_>, rank: &Rank) -> ValueId {
    let lines =
        if writer.style.order == WindowOrder::Columns { rank.taps.transposed() } else { rank.taps.clone() }.rows();
    let is_square = lines.len() == 3
        && lines.iter().all(|(_, line)| line.len() == 3 && line[0].0 == lines[0].1[0].0)
        && lines.iter().all(|(_, line)| line[2].0 == line[0].0 + 2)
        && lines[2].0 == lines[0].0 + 2;
    let value = if is_square && rank.rank == 4 && writer.style.order != WindowOrder::Direct {
        let lines: Vec<Vec<ValueId>> =
            lines.iter().map(|(_, line)| line.iter().map(|(_, tap)| writer.value.at(*tap)).collect()).collect();
        median_of_lines(writer, &lines)
    } else {
        let values: Vec<ValueId> = rank.taps.0.values().map(|tap| writer.value.at(*tap)).collect();
        by_network(writer, &values, rank.rank)
    };
    fold::widen(writer, value)
}

/// The median of 3×3: each line sorted, which lines of a block share; then the median of the greatest low, the median
/// middle and the least high.
fn median_of_lines(writer: &mut FormWriter<'_>, lines: &[Vec<ValueId>]) -> ValueId {
    let sorted: Vec<[ValueId; 3]> = lines.iter().map(|line| sort(writer, line)).collect();
    let at = |place: usize| -> Vec<ValueId> { sorted.iter().map(|line| line[place]).collect() };
    let is_in_y = writer.style.order != WindowOrder::Columns;
    let low =
        if is_in_y { fold::shared(writer, BinaryOp::Max, &at(0)) } else { fold::chain(writer, BinaryOp::Max, &at(0)) };
    let high =
        if is_in_y { fold::shared(writer, BinaryOp::Min, &at(2)) } else { fold::chain(writer, BinaryOp::Min, &at(2)) };
    let middle = match (at(1).as_slice(), writer.phase()) {
        (&[own, a, b], 0) | (&[a, b, own], _) => median(writer, a, b, own),
        _ => low,
    };
    median(writer, low, high, middle)
}

/// Three values in ascending order.
fn sort(writer: &mut FormWriter<'_>, line: &[ValueId]) -> [ValueId; 3] {
    let &[a, b, c] = line else { return [line[0]; 3] };
    let (less, more) = (apply(writer, BinaryOp::Min, a, b), apply(writer, BinaryOp::Max, a, b));
    let rest = apply(writer, BinaryOp::Min, more, c);
    let sorted = [
        apply(writer, BinaryOp::Min, less, c),
        apply(writer, BinaryOp::Max, less, rest),
        apply(writer, BinaryOp::Max, more, c),
    ];
    for (&value, name) in sorted.iter().zip(["low", "middle", "high"]) {
        writer.builder.adopt_name(value, Some(name.into()));
    }
    sorted
}

/// The median of three, of which two may be ordered for others too.
fn median(writer: &mut FormWriter<'_>, a: ValueId, b: ValueId, own: ValueId) -> ValueId {
    let (less, more) = (apply(writer, BinaryOp::Min, a, b), apply(writer, BinaryOp::Max, a, b));
    let rest = apply(writer, BinaryOp::Min, more, own);
    apply(writer, BinaryOp::Max, less, rest)
}

/// The value of a rank by compare and exchange; an exchange of which one side is needed is one operation.
fn by_network(writer: &mut FormWriter<'_>, values: &[ValueId], rank: usize) -> ValueId {
    let mut wires = values.to_vec();
    let (network, place) = network::select(values.len(), rank);
    for Exchange { low, high, keeps_low, keeps_high } in network {
        let (a, b) = (wires[low], wires[high]);
        if keeps_low {
            wires[low] = apply(writer, BinaryOp::Min, a, b);
        }
        if keeps_high {
            wires[high] = apply(writer, BinaryOp::Max, a, b);
        }
    }
    wires[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_a_threshold_where_it_counts_ones() {
        for leaves in 1..=9usize {
            let words = (1usize << leaves).div_ceil(64);
            let table = |is_set: &dyn Fn(usize) -> bool| {
                let mut table = vec![0u64; words];
                (0..1 << leaves).filter(|&bit| is_set(bit)).for_each(|bit| table[bit / 64] |= 1 << (bit % 64));
                table
            };
            for t in 1..=leaves {
                let counts = |bit: usize| bit.count_ones() as usize >= t;
                assert_eq!(threshold(&table(&counts), leaves), Some(t));
                // One choice of the leaves more, and one less.
                for other in [(1 << leaves) - 1, 0, (1 << t) - 1, (1 << (t - 1)) - 1] {
                    let changed = table(&|bit| counts(bit) != (bit == other));
                    assert_ne!(threshold(&changed, leaves), Some(t), "{leaves} {t} {other}");
                }
            }
            assert_eq!(threshold(&table(&|_| false), leaves), None);
        }
    }
}
