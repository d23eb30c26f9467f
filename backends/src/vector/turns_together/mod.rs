//! Several turns of a loop at a time: where each turn adds a product of 16-bit values to a sum of 32 bits, an instruction
//! multiplies the factors of two turns and adds both products; of bytes, those of four. One factor is the same for all lanes: those
//! of the turns are one number of 32 bits.
//!
//! The loop becomes two: one that takes several turns at a time, and one for the turns that are left; of bytes, this takes one at most,
//! of up to three products and of zeros. Sums of integers wrap, so that the terms may be added in any order.
//!
//! The instruction for bytes takes unsigned ones times signed ones, or signed ones alone. What is subtracted from an element before it
//! is multiplied, a zero point, and the 128 that makes a signed one unsigned or the other way, are taken out of the sum:
//! Σ (s − z) · w = Σ u · w − (u − s + z) · Σ w.

mod products;

use super::machine::Machine;
pub use products::multiplies_lanes;
use products::{Bytes, Products};
use windrow_dsl::arithmetic::wrap;
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::loops::{has_loops, turn_of};
use windrow_dsl::ir::{Axes, AxisId, BinaryOp, Body, CastMode, Node, Op, Order, Type, ValueId, along, check_vector};
use windrow_dsl::optimise::{Builder, free_axes, remove_dead};

/// What a sum of weights is called.
const WEIGHTS: &str = "weights";

/// The body whose innermost loops take several turns at a time, where their terms are such products.
pub fn turns_together(machine: &Machine, body: Body) -> Body {
    if !(machine.multiplies_pairs || machine.byte_factor.is_some()) || !has_loops(&body.nodes) {
        return body;
    }
    let loops = products::find(machine, &body);
    if loops.is_empty() {
        return body;
    }
    let pass = Pass {
        body: &body,
        factor: machine.byte_factor.unwrap_or(Type::U8),
        along: along(&body.nodes),
        loops: &loops,
        axes: free_axes(&body),
        out: Builder::with_capacity(2 * body.nodes.len()),
        ids: Vec::with_capacity(body.nodes.len()),
    };
    let Some(made) = pass.rewritten() else { return body };
    check_vector(&made, "several turns at a time");
    made
}

/// Whether some loop adds products of bytes.
pub fn takes_bytes(machine: &Machine, body: &Body) -> bool {
    products::find(machine, body).iter().any(|products| products.bytes.is_some())
}

struct Pass<'a> {
    body: &'a Body,
    /// Of which type bytes are that are multiplied by weights.
    factor: Type,
    along: Vec<Axes>,
    loops: &'a [Products],
    /// Axes for the loops of the turns that are left.
    axes: std::vec::IntoIter<AxisId>,
    out: Builder,
    /// What each value has become; what a turn computes, in its last copy.
    ids: Vec<ValueId>,
}

impl Pass<'_> {
    /// The body in this form; none where its loops would be too many.
    fn rewritten(mut self) -> Option<Body> {
        for node in &self.body.nodes {
            let index = self.ids.len();
            let made = match node.op {
                // All of a loop is built in the place of its outcome.
                _ if self.loops.iter().any(|products| self.along[index].has(products.axis)) => ValueId(0),
                Op::Outcome { end, .. } => {
                    let turn = turn_of(&self.body.nodes, end);
                    match self.loops.iter().find(|products| products.turn == turn) {
                        Some(products) => self.split(products)?,
                        None => self.copied(node),
                    }
                }
                _ => self.copied(node),
            };
            self.ids.push(made);
        }
        Some(remove_dead(&self.out.finish(self.body, &self.ids)))
    }

    fn at(&self, id: ValueId) -> ValueId {
        self.ids[id.0 as usize]
    }

    fn copied(&mut self, node: &Node) -> ValueId {
        let node = Node { op: node.op.map_operands(|id| self.at(id)), ..node.clone() };
        // A loop is named by its turn: no algebra may make another value of that.
        if node.op.is_of_loop() { self.out.push_as_is(node) } else { self.out.push(node) }
    }

    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.out.binary(BinaryOp::Add(Wrap), a, b)
    }

    /// Builds both loops; what the sum is behind them.
    fn split(&mut self, products: &Products) -> Option<ValueId> {
        let Op::Turn { start, end, .. } = self.body.node(products.turn).op else { return None };
        let [start, end] = [start, end].map(|id| self.at(id));
        let ty = self.body.node(products.turn).ty;
        let log = if products.bytes.is_some() { 2 } else { 1 };
        // No difference of two ends leaves 32 unsigned bits.
        let behind = self.out.binary(BinaryOp::Max, end, start);
        let count = self.out.binary(BinaryOp::Sub(Wrap), behind, start);
        let count = self.out.cast(CastMode::Wrapping, Type::U32, count);
        let [by, mask] = [log, (1 << log) - 1].map(|number| self.out.int(number, Type::U32));
        let (whole, rest) = (self.out.binary(BinaryOp::Shr, count, by), self.out.binary(BinaryOp::And, count, mask));
        let [whole, rest] = [whole, rest].map(|turns| self.out.cast(CastMode::Wrapping, ty, turns));
        let taken = self.out.binary(BinaryOp::Shl(Wrap), whole, by);
        let (left, none) = (self.add(start, taken), self.out.int(0, ty));

        let together = self.open(products, products.axis, [none, whole]);
        let first = self.out.binary(BinaryOp::Shl(Wrap), together, by);
        let first = self.add(start, first);
        if let Some(bytes) = products.bytes {
            let one = self.out.int(1, ty);
            let last = self.out.binary(BinaryOp::Sub(Wrap), end, one);
            let offset = self.offset(bytes, self.body.node(products.sum.carried).ty);
            let weighs = offset.is_some();
            let [sum, of_fours] = self.fours(products, bytes, together, first, weighs);
            let [sum, of_rest] = self.left_over(products, bytes, (left, last, rest), sum, weighs)?;
            let Some(offset) = offset else { return Some(sum) };
            let weights = self.add(of_fours, of_rest);
            let offset = self.out.binary(BinaryOp::Mul(Wrap), weights, offset);
            return Some(self.out.binary(BinaryOp::Sub(Wrap), sum, offset));
        }
        let between = self.twos(products, together, first);
        let axis = self.axes.next()?;
        let single = self.open(products, axis, [none, rest]);
        let sum = self.carry(products, single, between, 0);
        let place = self.add(left, single);
        self.turn(products, sum, place);
        let after = self.at(products.sum.after);
        Some(self.close(single, [(sum, after)])[0])
    }

    /// The turns of a loop that adds two products at a time; what the sum is behind it.
    fn twos(&mut self, products: &Products, together: ValueId, first: ValueId) -> ValueId {
        let (before, ty) = (self.at(products.sum.before), self.body.node(products.sum.carried).ty);
        let sum = self.carry(products, together, before, 0);
        let [a, b] = [0, 1].map(|turn| {
            self.turn_at(products, sum, first, turn);
            let factors = products.factors.map(|factor| self.at(factor));
            self.product(ty, factors)
        });
        let both = self.add(a, b);
        let after = self.add(sum, both);
        self.close(together, [(sum, after)])[0]
    }

    /// The turns of a loop that adds four products of bytes at a time, and where `weighs` four weights beside them; both sums behind the
    /// loop.
    fn fours(
        &mut self,
        products: &Products,
        bytes: Bytes,
        together: ValueId,
        first: ValueId,
        weighs: bool,
    ) -> [ValueId; 2] {
        let (before, ty) = (self.at(products.sum.before), self.body.node(products.sum.carried).ty);
        let sums = self.carry_both(products, together, before);
        let fours = [0, 1, 2, 3].map(|turn| {
            self.turn_at(products, sums[0], first, turn);
            let (element, weight) = (self.factor(bytes.element), self.at(bytes.weight));
            [self.product(ty, [element, weight]), self.widened(ty, weight)]
        });
        let terms = [0, 1].map(|which| {
            let [a, b, c, d] = fours.map(|own| own[which]);
            let (low, high) = (self.add(a, b), self.add(c, d));
            self.add(low, high)
        });
        self.close_both(together, sums, terms, weighs)
    }

    /// The turns from one on that are left, up to three: those that are none are the last one, times 0. Both sums behind them.
    fn left_over(
        &mut self,
        products: &Products,
        bytes: Bytes,
        (left, last, rest): (ValueId, ValueId, ValueId),
        before: ValueId,
        weighs: bool,
    ) -> Option<[ValueId; 2]> {
        let (ty, of_turn) = (self.body.node(products.sum.carried).ty, self.body.node(products.turn).ty);
        let masks = [0, 1, 2].map(|turn| self.below(turn, rest, of_turn));
        let (none, one) = (self.out.int(0, of_turn), self.out.int(1, of_turn));
        let turns = self.out.binary(BinaryOp::Min, rest, one);
        let axis = self.axes.next()?;
        let single = self.open(products, axis, [none, turns]);
        let sums = self.carry_both(products, single, before);
        // They vary along the loop, whose only turn is number 0.
        let first = self.add(left, single);
        let three = [0, 1, 2].map(|turn| {
            let further = self.out.int(turn as i128, of_turn);
            let place = self.add(first, further);
            let place = self.out.binary(BinaryOp::Min, place, last);
            self.turn(products, sums[0], place);
            let (element, weight, unit) =
                (self.factor(bytes.element), self.at(bytes.weight), self.out.int(1, self.factor));
            [element, unit].map(|factor| {
                let factor = self.out.binary(BinaryOp::And, factor, masks[turn]);
                self.product(ty, [factor, weight])
            })
        });
        let terms = [0, 1].map(|which| {
            let [a, b, c] = three.map(|own| own[which]);
            let two = self.add(a, b);
            self.add(two, c)
        });
        Some(self.close_both(single, sums, terms, weighs))
    }

    /// All bits of a factor where a number is below another one, none where it is not; neither is far from 0.
    fn below(&mut self, number: usize, bound: ValueId, ty: Type) -> ValueId {
        let (number, top) = (self.out.int(number as i128, ty), self.out.int(31, Type::U32));
        let difference = self.out.binary(BinaryOp::Sub(Wrap), number, bound);
        let sign = self.out.binary(BinaryOp::Shr, difference, top);
        self.out.cast(CastMode::Wrapping, self.factor, sign)
    }

    /// The variables of a loop: the author's sum, and that of the weights, which begins anew. It would else depend on what the sum does,
    /// as all that a loop leaves depends on all of its variables, and not be the same for all rows.
    fn carry_both(&mut self, products: &Products, turn: ValueId, sum: ValueId) -> [ValueId; 2] {
        let none = self.out.int(0, self.body.node(products.sum.carried).ty);
        [self.carry(products, turn, sum, 0), self.carry(products, turn, none, 1)]
    }

    /// The end of a loop that adds these terms to its variables; the sums behind it, of which that of the weights is only wanted where
    /// the loop `weighs`.
    fn close_both(
        &mut self,
        turn: ValueId,
        [sum, weights]: [ValueId; 2],
        [product, weight]: [ValueId; 2],
        weighs: bool,
    ) -> [ValueId; 2] {
        let after = self.add(sum, product);
        if !weighs {
            return [self.close(turn, [(sum, after)])[0], weights];
        }
        let after_weights = self.add(weights, weight);
        self.close(turn, [(sum, after), (weights, after_weights)])
    }

    /// What a factor has more than what the author multiplies; none for nothing.
    fn offset(&mut self, bytes: Bytes, ty: Type) -> Option<ValueId> {
        let shift = match (self.body.node(bytes.element).ty, self.factor) {
            (Type::I8, Type::U8) => Some(128),
            (Type::U8, Type::I8) => Some(-128),
            _ => None,
        };
        let shift = shift.map(|shift| self.out.int(wrap(shift, ty), ty));
        let zero = bytes.zero.map(|zero| self.widened(ty, self.at(zero)));
        match (shift, zero) {
            (Some(shift), Some(zero)) => Some(self.add(zero, shift)),
            (shift, zero) => shift.or(zero),
        }
    }

    /// A byte as one that the instruction multiplies: with 128 added or subtracted, where it is of the other sign.
    fn factor(&mut self, byte: ValueId) -> ValueId {
        let is_own = self.body.node(byte).ty == self.factor;
        let byte = self.at(byte);
        if is_own {
            return byte;
        }
        let (byte, top) = (self.out.cast(CastMode::Wrapping, Type::U8, byte), self.out.int(128, Type::U8));
        let turned = self.out.binary(BinaryOp::Xor, byte, top);
        self.out.cast(CastMode::Wrapping, self.factor, turned)
    }

    fn widened(&mut self, ty: Type, value: ValueId) -> ValueId {
        let keeps = ty == Type::I32 || !self.out.node(value).ty.is_signed();
        self.out.cast(if keeps { CastMode::Value } else { CastMode::Wrapping }, ty, value)
    }

    /// A product in 32 bits.
    fn product(&mut self, ty: Type, factors: [ValueId; 2]) -> ValueId {
        let [a, b] = factors.map(|factor| self.widened(ty, factor));
        self.out.binary(BinaryOp::Mul(Wrap), a, b)
    }

    fn open(&mut self, products: &Products, axis: AxisId, [start, end]: [ValueId; 2]) -> ValueId {
        let op = Op::Turn { axis, start, end, order: Order::Written };
        self.out.push_as_is(Node { op, ..self.body.node(products.turn).clone() })
    }

    /// A variable of a loop: the author's sum, or that of the weights beside it.
    fn carry(&mut self, products: &Products, turn: ValueId, before: ValueId, index: u32) -> ValueId {
        let like = self.body.node(products.sum.carried).clone();
        let name = if index == 0 { like.name.clone() } else { Some(WEIGHTS.to_owned().into()) };
        self.out.push_as_is(Node { op: Op::Carried { turn, before, index }, name, ..like })
    }

    /// What a turn computes, by its distance from the first of those that are taken together.
    fn turn_at(&mut self, products: &Products, sum: ValueId, first: ValueId, turn: i128) {
        let turn = self.out.int(turn, self.body.node(products.turn).ty);
        let place = self.add(first, turn);
        self.turn(products, sum, place);
    }

    /// What a turn computes at a place, where it finds this in the sum.
    fn turn(&mut self, products: &Products, sum: ValueId, place: ValueId) {
        self.ids[products.sum.carried.0 as usize] = sum;
        self.ids[products.turn.0 as usize] = place;
        for index in 0..self.ids.len() {
            let node = &self.body.nodes[index];
            if self.along[index].has(products.axis) && !node.op.is_of_loop() {
                self.ids[index] = self.copied(node);
            }
        }
    }

    /// The end of a loop, of which this is what its variables hold in a turn and behind it; what they are behind the loop.
    fn close<const N: usize>(&mut self, turn: ValueId, variables: [(ValueId, ValueId); N]) -> [ValueId; N] {
        let mut end = turn;
        for (carried, after) in variables {
            let like = Node { ty: Type::I32, name: None, ..self.out.node(carried).clone() };
            end = self.out.push_as_is(Node { op: Op::Advance { carried, after, rest: end }, ..like });
        }
        variables.map(|(carried, _)| {
            let like = self.out.node(carried).clone();
            self.out.push_as_is(Node { op: Op::Outcome { end, carried }, ..like })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::lockstep::lockstep;
    use super::*;
    use crate::neon::DOTPROD_MACHINE as DOTPROD;
    use crate::x86::AVX2;
    use crate::x86::avx512::MACHINE as AVX512;
    use windrow_dsl::optimise::prepare;

    /// A kernel whose loop adds this to a sum, in lockstep, before and behind the pass.
    fn bodies(machine: &Machine, term: &str) -> [Body; 2] {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel] fn f(
                [y, x]: At<2>, a: View<i8>, b: View<i8>, c: View<i16>, d: View<u8>, e: View<i32>, #[uniform] zero: u8,
            ) -> i32 {{
                let ([rows, width], [height, columns]) = (a.extents(), b.extents());
                let (row, column) = (y.min(rows - 1), x.min(columns - 1));
                let mut sum = e[[0, 0]];
                for k in 0..width.min(height) {{ sum = {term}; }}
                sum
            }}"
        ));
        assert!(compiled.errors.is_empty(), "{term}: {}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let body = lockstep(kernel, &prepare(kernel).bodies[0]).unwrap();
        [body.clone(), turns_together(machine, body)]
    }

    fn count(body: &Body, is: fn(&Op) -> bool) -> usize {
        body.nodes.iter().filter(|node| is(&node.op)).count()
    }

    #[test]
    fn sums_of_products_of_16_bits_take_two_turns_at_a_time() {
        let is_read = |op: &Op| matches!(op, Op::Contiguous { .. });
        for term in [
            "sum.wrapping_add(a[[row, k]] as i32 * b[[k, column]] as i32)",
            "sum.wrapping_add((a[[row, k]] as i32 - zero as i32) * b[[k, column]] as i32)",
            "(d.get([y, k]).unwrap_or(zero) as i32 * c.get([k, x]).unwrap_or(0) as i32).wrapping_add(sum)",
            "sum.wrapping_add(d.get([y, k]).unwrap_or(0) as i32 * d.get([k, x]).unwrap_or(0) as i32)",
        ] {
            let [before, after] = bodies(&AVX2, term);
            assert_eq!([&before, &after].map(|body| count(body, |op| matches!(op, Op::Turn { .. }))), [1, 2], "{term}");
            assert_eq!(count(&after, is_read), 3 * count(&before, is_read), "{term}");
        }
    }

    #[test]
    fn products_of_bytes_take_four_turns_at_a_time() {
        // Up to three that are left are one turn; of others, each is one. With a zero point or a signed element there are two variables, sums
        // of products and of weights, in each loop.
        for (term, turns, variables) in [
            ("a[[row, k]] as i32 * b[[k, column]] as i32", 4 + 3, 4),
            ("(a[[row, k]] as i32 - zero as i32) * b[[k, column]] as i32", 4 + 3, 4),
            ("d.get([y, k]).unwrap_or(zero) as i32 * b[[k, column]] as i32", 4 + 3, 2),
            ("(d.get([y, k]).unwrap_or(zero) as i32 - zero as i32) * b[[k, column]] as i32", 4 + 3, 4),
            // Unsigned weights, weights of 16 bits, and an element minus what differs from turn to turn.
            ("a[[row, k]] as i32 * d.get([k, x]).unwrap_or(0) as i32", 2 + 1, 2),
            ("a[[row, k]] as i32 * c.get([k, x]).unwrap_or(0) as i32", 2 + 1, 2),
            ("(a[[row, k]] as i32 - (k & 7)) * b[[k, column]] as i32", 2 + 1, 2),
        ] {
            let [before, after] = bodies(&AVX512, &format!("sum.wrapping_add({term})"));
            let is_read = |op: &Op| matches!(op, Op::Contiguous { .. });
            assert_eq!(count(&after, is_read), turns * count(&before, is_read), "{term}");
            assert_eq!(count(&after, |op| matches!(op, Op::Carried { .. })), variables, "{term}");
        }
    }

    /// Where signed bytes are multiplied, an unsigned element is the one that something is taken out of the sum for; nothing takes two
    /// turns at a time.
    #[test]
    fn signed_factors_take_four_turns_at_a_time() {
        for (term, turns, variables) in [
            ("a[[row, k]] as i32 * b[[k, column]] as i32", 4 + 3, 2),
            ("(a[[row, k]] as i32 - zero as i32) * b[[k, column]] as i32", 4 + 3, 4),
            ("d.get([y, k]).unwrap_or(zero) as i32 * b[[k, column]] as i32", 4 + 3, 4),
            ("a[[row, k]] as i32 * c.get([k, x]).unwrap_or(0) as i32", 1, 1),
        ] {
            let [before, after] = bodies(&DOTPROD, &format!("sum.wrapping_add({term})"));
            let is_read = |op: &Op| matches!(op, Op::Contiguous { .. });
            assert_eq!(count(&after, is_read), turns * count(&before, is_read), "{term}");
            assert_eq!(count(&after, |op| matches!(op, Op::Carried { .. })), variables, "{term}");
        }
    }

    #[test]
    fn other_loops_stay() {
        for term in [
            // A factor of more than 16 signed bits, one product that is subtracted, and one that is the same for all lanes.
            "sum.wrapping_add((a[[row, k]] as i32).wrapping_mul(e.get([k, x]).unwrap_or(0)))",
            "sum.wrapping_sub(a[[row, k]] as i32 * b[[k, column]] as i32)",
            "sum.wrapping_add((a[[row, k]] as i32 * b[[k, column]] as i32) / 3)",
            // Factors of which both differ from lane to lane.
            "sum.wrapping_add(d.get([k, x]).unwrap_or(0) as i32 * c.get([k, x]).unwrap_or(0) as i32)",
            // Sums that end at their limits, and those that are read in between.
            "sum.saturating_add(a[[row, k]] as i32 * b[[k, column]] as i32)",
            "sum.wrapping_add(a[[row, k]] as i32 * (sum & 7))",
            "sum.wrapping_add(b[[k, column]] as i32).max(0)",
        ] {
            let [before, after] = bodies(&AVX2, term);
            assert_eq!(count(&after, |op| matches!(op, Op::Turn { .. })), 1, "{term}");
            assert_eq!(before.nodes.len(), after.nodes.len(), "{term}");
        }
    }

    #[test]
    fn machines_without_such_an_instruction_keep_their_loops() {
        let [body, _] = bodies(&AVX2, "sum.wrapping_add(a[[row, k]] as i32 * b[[k, column]] as i32)");
        let machine = Machine { multiplies_pairs: false, ..AVX2 };
        assert_eq!(turns_together(&machine, body.clone()).nodes.len(), body.nodes.len());
    }
}
