//! Evens out the two ports that compute on vectors of 512 bits.
//!
//! Intel's processors have two. Sums and logic go to either, the order of integers, shifts and products only to the first,
//! comparisons and what moves lanes only to the second: a median of least and greatest values leaves one port idle. The least of
//! two values is also what a predicate chooses, which takes a comparison on the second port and a choice on either; the
//! greatest of the same two values shares the comparison. As many of them are written so as the second port has room for.
//! (Ports: LLVM's model of Sapphire Rapids; of Intel's servers since Skylake all are alike in this.)

use super::predicates::{choose, is_less};
use crate::vector::program::{Arg, Call, Lane, Program, Source, VectorId};

/// What takes the least and the greatest of two values.
const LEAST: &str = "_mm512_min_";
const GREATEST: &str = "_mm512_max_";

/// Instructions that only the first port computes, by what their names begin with behind `_mm512_`.
const FIRST: &[&str] = &[
    "min_ep", "max_ep", "adds_", "subs_", "avg_", "abs_", "mul", "madd", "sll", "srl", "sra", "slli", "srli", "srai",
    "rol", "ror", "movepi8", "movepi16",
];
/// Those of the second port.
const SECOND: &[&str] = &["unpack", "pack", "perm", "shuffle", "alignr", "cmp", "insert", "extract", "sad"];
/// What takes no port: memory, and other views of a register.
const NEITHER: &[&str] = &["load", "cast", "set"];

/// How many instructions have to go to the first port, to the second, and to either.
#[derive(Clone, Copy, Default)]
struct Load {
    first: usize,
    second: usize,
    either: usize,
}

impl Load {
    fn of(program: &Program) -> Self {
        let mut load = Self::default();
        for line in program.step() {
            if let Source::Call(call) = &line.source {
                load.count(call);
            }
        }
        load
    }

    fn count(&mut self, call: &Call) {
        let name = call.intrinsic.name();
        if let Some(stem) = name.strip_prefix("_mm512_") {
            let is_one = |stems: &[&str]| stems.iter().any(|own| stem.starts_with(own));
            match (is_one(FIRST), is_one(SECOND), is_one(NEITHER)) {
                (true, ..) => self.first += 1,
                (_, true, _) => self.second += 1,
                (.., true) => {}
                _ => self.either += 1,
            }
        }
        for arg in &call.args {
            if let Arg::Call(inner) | Arg::Hidden(inner) = arg {
                self.count(inner);
            }
        }
    }

    /// Cycles of a step, as far as these ports go, doubled.
    fn cycles(self) -> usize {
        let Self { first, second, either } = self;
        (2 * first).max(2 * second).max(first + second + either)
    }

    /// The same with the order of two values, of which there are `members`, by a predicate.
    fn moved(self, members: usize) -> Self {
        Self { first: self.first - members, second: self.second + 1, either: self.either + members }
    }
}

/// The lines that order the same two values: one, or the least and the greatest.
struct OrderedPair {
    lane: Lane,
    values: [VectorId; 2],
    lines: Vec<usize>,
}

/// Turns least and greatest values into choices by predicates, evenly spread, for as long as that takes a step less time.
pub fn balance(program: &mut Program) {
    let orders = orders(program);
    let mut load = Load::of(program);
    let mut moved = 0;
    while let Some(order) = orders.get(moved) {
        let next = load.moved(order.lines.len());
        if next.cycles() >= load.cycles() {
            break;
        }
        (load, moved) = (next, moved + 1);
    }
    for (place, order) in orders.iter().enumerate() {
        if (place + 1) * moved / orders.len() != place * moved / orders.len() {
            by_predicate(program, order);
        }
    }
}

/// The orders of integers, in the order of their first lines.
fn orders(program: &Program) -> Vec<OrderedPair> {
    let mut orders: Vec<OrderedPair> = Vec::new();
    for (line, statement) in program.step().iter().enumerate() {
        let Some((lane, values)) = ordered(&statement.source) else { continue };
        match orders.iter_mut().find(|order| (order.lane, order.values) == (lane, values)) {
            Some(order) => order.lines.push(line),
            None => orders.push(OrderedPair { lane, values, lines: vec![line] }),
        }
    }
    orders
}

/// Of which two values a statement takes the least or the greatest, the one made earlier first, and their lanes.
fn ordered(source: &Source) -> Option<(Lane, [VectorId; 2])> {
    let Source::Call(call) = source else { return None };
    let name = call.intrinsic.name();
    let lane = match name.strip_prefix(LEAST).or(name.strip_prefix(GREATEST))? {
        "epu8" => Lane::U8,
        "epi8" => Lane::I8,
        "epu16" => Lane::U16,
        "epi16" => Lane::I16,
        "epu32" => Lane::U32,
        "epi32" => Lane::I32,
        _ => return None,
    };
    match call.args[..] {
        [Arg::Whole(a, _), Arg::Whole(b, _)] => Some((lane, [a.min(b), a.max(b)])),
        _ => None,
    }
}

/// Writes least and greatest values as choices. The comparison is the same for both, so that a compiler makes it once, and its
/// outcome is hidden: the compiler would make the same instruction of the choice again.
fn by_predicate(program: &mut Program, order: &OrderedPair) {
    let OrderedPair { lane, values, ref lines } = *order;
    for &line in lines {
        let Source::Call(call) = &mut program.step_mut()[line].source else { continue };
        let [less, not_less] = if call.intrinsic.name().starts_with(LEAST) { [0, 1] } else { [1, 0] };
        *call = choose(lane, Arg::Hidden(Box::new(is_less(lane, values))), values[less], values[not_less]);
    }
}

#[cfg(test)]
mod tests {
    use crate::x86::avx512::TARGET;

    /// The calls of a kernel's body that begin so.
    fn calls(source: &str, names: [&str; 3]) -> [usize; 3] {
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let prepared = windrow_dsl::optimise::prepare(kernel);
        let text =
            (TARGET.emit)(kernel, &prepared, 0, "body", Some(windrow_dsl::ir::Block { x: 1, y: 1 })).unwrap().text;
        names.map(|name| text.matches(name).count())
    }

    const FORMS: [&str; 3] = ["_mm512_min_epu8", "_mm512_max_epu8", "_mm512_cmplt_epu8_mask"];

    #[test]
    fn both_ports_order_values() {
        let source = "#[kernel] pub fn sorted(a: u8, b: u8, c: u8, d: u8, e: u8) -> (u8, u8) {
            let (low, high) = (a.min(b), a.max(b));
            let (low, high) = (low.min(c), high.max(c));
            let (low, high) = (low.min(d), high.max(d));
            (low.min(e), high.max(e))
        }";
        let [least, greatest, compared] = calls(source, FORMS);
        assert!(least > 0 && greatest > 0 && compared > 0, "{least} {greatest} {compared}");
        assert!(least + greatest < 8, "{least} {greatest} {compared}");
    }

    #[test]
    fn a_single_order_stays() {
        assert_eq!(calls("#[kernel] pub fn least(a: u8, b: u8) -> u8 { a.min(b) }", FORMS), [1, 0, 0]);
    }

    /// Where the second port widens and narrows all the time, there is no room on it.
    #[test]
    fn orders_stay_where_the_second_port_is_busy() {
        let source = "#[kernel] pub fn k(a: u8, b: u8, c: u8) -> (u16, u16, u16) {
            (a.min(b) as u16, a as u16 + b as u16, c as u16)
        }";
        assert_eq!(calls(source, FORMS), [1, 0, 0]);
    }
}
