//! Two turns of a loop at a time: where each turn adds a product of 16-bit values to a sum of 32 bits, an instruction
//! multiplies the factors of two turns and adds both products. One factor is the same for all lanes: those of two turns are
//! one number of 32 bits.
//!
//! The loop becomes two: one that takes turns by twos, and one for a last turn that has no second. Sums of integers wrap, so that
//! the terms may be added in any order.

use super::machine::Machine;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::{has_loops, turn_of, variables};
use windrow_dsl::ir::{Axes, AxisId, BinaryOp, Body, CastMode, Node, Op, Order, Type, ValueId, along, check_vector};
use windrow_dsl::optimise::{Builder, free_axes, remove_dead};

/// The body whose innermost loops take two turns at a time, where their terms are such products.
pub fn two_turns(machine: &Machine, body: Body) -> Body {
    if !machine.multiplies_pairs || !has_loops(&body.nodes) {
        return body;
    }
    let loops = loops_of_products(&body);
    if loops.is_empty() {
        return body;
    }
    let pass = Pass {
        body: &body,
        along: along(&body.nodes),
        loops: &loops,
        axes: free_axes(&body),
        out: Builder::with_capacity(2 * body.nodes.len()),
        ids: Vec::with_capacity(body.nodes.len()),
    };
    let Some(made) = pass.rewritten() else { return body };
    check_vector(&made, "two turns at a time");
    made
}

/// A loop whose variables are sums of products.
#[derive(Debug)]
struct Products {
    turn: ValueId,
    axis: AxisId,
    /// Its variables: what a turn finds in each and leaves there, and the factors of what it adds.
    sums: Vec<Sum>,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    carried: ValueId,
    before: ValueId,
    after: ValueId,
    factors: [ValueId; 2],
}

/// The innermost loops whose variables are all sums of products that differ from lane to lane.
fn loops_of_products(body: &Body) -> Vec<Products> {
    let along = along(&body.nodes);
    let readers = readers(body);
    let mut found: Vec<Products> = Vec::new();
    for node in &body.nodes {
        let Op::Outcome { end, .. } = node.op else { continue };
        let turn = turn_of(&body.nodes, end);
        let Op::Turn { axis, order: Order::Written, .. } = body.node(turn).op else { continue };
        if found.iter().any(|known| known.turn == turn) || !is_innermost(body, &along, turn, axis) {
            continue;
        }
        let sums = variables(&body.nodes, end).into_iter().map(|variable| {
            let is_alone = readers[variable.carried.0 as usize] == 1 && readers[variable.after.0 as usize] == 0;
            let is_vector = along[variable.carried.0 as usize].has(AxisId::X);
            let term = added(body, variable.after, variable.carried).filter(|_| is_alone && is_vector)?;
            let factors = factors(body, term)?;
            // Two that differ from lane to lane would both have to be brought beside those of the next turn.
            let are_lanes = factors.map(|factor| along[factor.0 as usize].has(AxisId::X));
            if are_lanes == [true; 2] {
                return None;
            }
            Some(Sum { carried: variable.carried, before: variable.before, after: variable.after, factors })
        });
        if let Some(sums) = sums.collect() {
            found.push(Products { turn, axis, sums });
        }
    }
    found
}

/// Whether no loop stands inside another one's turns.
fn is_innermost(body: &Body, along: &[Axes], turn: ValueId, axis: AxisId) -> bool {
    let mut inside = (0..body.nodes.len() as u32).map(ValueId).filter(|id| along[id.0 as usize].has(axis));
    inside.all(|id| id == turn || !matches!(body.node(id).op, Op::Turn { .. } | Op::Outcome { .. }))
}

/// How many values read each one, but for what says what a loop leaves.
fn readers(body: &Body) -> Vec<u32> {
    let mut readers = vec![0; body.nodes.len()];
    for node in &body.nodes {
        if !matches!(node.op, Op::Advance { .. } | Op::Outcome { .. }) {
            node.op.for_operands(|id| readers[id.0 as usize] += 1);
        }
    }
    body.stores.iter().for_each(|store| readers[store.value.0 as usize] += 1);
    readers
}

/// What is added to a variable of 32 bits.
fn added(body: &Body, sum: ValueId, carried: ValueId) -> Option<ValueId> {
    let node = body.node(sum);
    match node.op {
        Op::Binary(BinaryOp::Add(Never | Wrap), a, b) if matches!(node.ty, Type::I32 | Type::U32) => match carried {
            _ if a == b => None,
            _ if a == carried => Some(b),
            _ if b == carried => Some(a),
            _ => None,
        },
        _ => None,
    }
}

/// The factors of a product in 32 bits, each a value of 16 signed bits or fewer.
fn factors(body: &Body, term: ValueId) -> Option<[ValueId; 2]> {
    let of_product = |id: ValueId| match body.node(id).op {
        Op::Binary(BinaryOp::Mul(overflow), a, b) => Some((overflow, [a, b])),
        _ => None,
    };
    let widened = |id: ValueId| match body.node(id).op {
        Op::Cast(CastMode::Value, inner) if is_of_16_bits(body.node(inner).ty) => Some(inner),
        _ => None,
    };
    match body.node(term).op {
        // A product that 16 bits hold.
        Op::Cast(CastMode::Value, inner) => match of_product(inner)? {
            (Never, factors) if body.node(inner).ty == Type::I16 => Some(factors),
            (Never, [a, b]) if body.node(inner).ty == Type::U16 => Some([widened(a)?, widened(b)?]),
            _ => None,
        },
        Op::Binary(..) => {
            let (_, [a, b]) = of_product(term).filter(|(overflow, _)| matches!(overflow, Never | Wrap))?;
            Some([widened(a)?, widened(b)?])
        }
        _ => None,
    }
}

/// Whether 16 signed bits hold all values of a type.
fn is_of_16_bits(ty: Type) -> bool {
    matches!(ty, Type::I16 | Type::I8 | Type::U8)
}

struct Pass<'a> {
    body: &'a Body,
    along: Vec<Axes>,
    loops: &'a [Products],
    /// Axes for the loops of last turns.
    axes: std::vec::IntoIter<AxisId>,
    out: Builder,
    /// What each value has become; what a turn computes, in its last copy.
    ids: Vec<ValueId>,
}

impl Pass<'_> {
    /// The body in this form; none where its loops would be too many.
    fn rewritten(mut self) -> Option<Body> {
        let mut done: Vec<ValueId> = Vec::new();
        for node in &self.body.nodes {
            let index = self.ids.len();
            // All of a loop is built where its first outcome stands.
            let is_of_turn = self.loops.iter().any(|products| self.along[index].has(products.axis));
            let made = match node.op {
                _ if is_of_turn => ValueId(0),
                Op::Outcome { end, carried } => {
                    let turn = turn_of(&self.body.nodes, end);
                    match self.loops.iter().find(|products| products.turn == turn) {
                        Some(products) => {
                            if !done.contains(&turn) {
                                self.split(products)?;
                                done.push(turn);
                            }
                            self.ids[carried.0 as usize]
                        }
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
        let op = node.op.map_operands(|id| self.at(id));
        // A loop is named by its turn: no algebra may make another value of that.
        let made = if op.is_of_loop() {
            self.out.push_as_is(Node { op, ..node.clone() })
        } else {
            self.out.push(Node { op, ..node.clone() })
        };
        self.out.adopt_name(made, node.name.clone());
        made
    }

    /// Builds both loops. Behind them, what a turn found in a variable has become what the variable holds.
    fn split(&mut self, products: &Products) -> Option<()> {
        let Op::Turn { start, end, .. } = self.body.node(products.turn).op else { return None };
        let [start, end] = [start, end].map(|id| self.at(id));
        let ty = self.body.node(products.turn).ty;
        // No difference of two ends leaves 32 unsigned bits.
        let behind = self.out.binary(BinaryOp::Max, end, start);
        let count = self.out.binary(BinaryOp::Sub(Wrap), behind, start);
        let count = self.out.cast(CastMode::Wrapping, Type::U32, count);
        let one = self.out.int(1, Type::U32);
        let (twos, rest) = (self.out.binary(BinaryOp::Shr, count, one), self.out.binary(BinaryOp::And, count, one));
        let [twos, rest] = [twos, rest].map(|turns| self.out.cast(CastMode::Wrapping, ty, turns));
        let doubled = self.out.binary(BinaryOp::Shl(Wrap), twos, one);
        let last = self.out.binary(BinaryOp::Add(Wrap), start, doubled);
        let none = self.out.int(0, ty);

        let before: Vec<ValueId> = products.sums.iter().map(|sum| self.at(sum.before)).collect();
        let by_twos = self.open(products, products.axis, [none, twos]);
        let carried = self.carry(products, by_twos, &before);
        self.begin(products, &carried);
        let doubled = self.out.binary(BinaryOp::Shl(Wrap), by_twos, one);
        let one = self.out.int(1, ty);
        let mut terms: Vec<Vec<ValueId>> = vec![Vec::new(); products.sums.len()];
        let mut place = self.out.binary(BinaryOp::Add(Wrap), start, doubled);
        for _ in 0..2 {
            self.turn(products, place);
            for (terms, sum) in terms.iter_mut().zip(&products.sums) {
                terms.push(self.product(sum));
            }
            place = self.out.binary(BinaryOp::Add(Wrap), place, one);
        }
        let mut after = Vec::new();
        for (terms, &carried) in terms.iter().zip(&carried) {
            let both = self.out.binary(BinaryOp::Add(Wrap), terms[0], terms[1]);
            after.push(self.out.binary(BinaryOp::Add(Wrap), carried, both));
        }
        let between = self.close(products, by_twos, &carried, &after);

        let axis = self.axes.next()?;
        let single = self.open(products, axis, [none, rest]);
        let carried = self.carry(products, single, &between);
        self.begin(products, &carried);
        let place = self.out.binary(BinaryOp::Add(Wrap), last, single);
        self.turn(products, place);
        let after: Vec<ValueId> = products.sums.iter().map(|sum| self.at(sum.after)).collect();
        let behind = self.close(products, single, &carried, &after);
        self.begin(products, &behind);
        Some(())
    }

    /// From here on the variables are these values.
    fn begin(&mut self, products: &Products, values: &[ValueId]) {
        for (sum, &value) in products.sums.iter().zip(values) {
            self.ids[sum.carried.0 as usize] = value;
        }
    }

    fn open(&mut self, products: &Products, axis: AxisId, [start, end]: [ValueId; 2]) -> ValueId {
        let node = self.body.node(products.turn);
        let op = Op::Turn { axis, start, end, order: Order::Written };
        self.out.push_as_is(Node { op, ..node.clone() })
    }

    fn carry(&mut self, products: &Products, turn: ValueId, before: &[ValueId]) -> Vec<ValueId> {
        let carried = products.sums.iter().zip(before).enumerate().map(|(index, (sum, &before))| {
            let op = Op::Carried { turn, before, index: index as u32 };
            self.out.push_as_is(Node { op, ..self.body.node(sum.carried).clone() })
        });
        carried.collect()
    }

    /// What a turn computes at a place.
    fn turn(&mut self, products: &Products, place: ValueId) {
        self.ids[products.turn.0 as usize] = place;
        for index in 0..self.ids.len() {
            let node = &self.body.nodes[index];
            if self.along[index].has(products.axis) && !node.op.is_of_loop() {
                self.ids[index] = self.copied(node);
            }
        }
    }

    /// A product of the turn, in 32 bits.
    fn product(&mut self, sum: &Sum) -> ValueId {
        let ty = self.body.node(sum.carried).ty;
        let [a, b] = sum.factors.map(|factor| {
            let factor = self.at(factor);
            let half = if self.out.node(factor).ty == Type::I16 {
                factor
            } else {
                self.out.cast(CastMode::Value, Type::I16, factor)
            };
            let mode = if ty == Type::I32 { CastMode::Value } else { CastMode::Wrapping };
            self.out.cast(mode, ty, half)
        });
        self.out.binary(BinaryOp::Mul(Wrap), a, b)
    }

    /// The end of a loop; what its variables are behind it.
    fn close(&mut self, products: &Products, turn: ValueId, carried: &[ValueId], after: &[ValueId]) -> Vec<ValueId> {
        let mut end = turn;
        for ((sum, &carried), &after) in products.sums.iter().zip(carried).zip(after) {
            let like = Node { ty: Type::I32, name: None, ..self.body.node(sum.carried).clone() };
            end = self.out.push_as_is(Node { op: Op::Advance { carried, after, rest: end }, ..like });
        }
        let outcomes = products.sums.iter().zip(carried).map(|(sum, &carried)| {
            let node = self.body.node(sum.carried);
            self.out.push_as_is(Node { op: Op::Outcome { end, carried }, ..node.clone() })
        });
        outcomes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lockstep::lockstep;
    use super::*;
    use windrow_dsl::optimise::prepare;

    /// A kernel whose loop adds this to a sum, in lockstep, before and behind the pass.
    fn bodies(term: &str) -> [Body; 2] {
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
        [body.clone(), two_turns(&crate::x86::AVX2, body)]
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
            let [before, after] = bodies(term);
            assert_eq!([&before, &after].map(|body| count(body, |op| matches!(op, Op::Turn { .. }))), [1, 2], "{term}");
            assert_eq!(count(&after, is_read), 3 * count(&before, is_read), "{term}");
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
            let [before, after] = bodies(term);
            assert_eq!(count(&after, |op| matches!(op, Op::Turn { .. })), 1, "{term}");
            assert_eq!(before.nodes.len(), after.nodes.len(), "{term}");
        }
    }

    #[test]
    fn machines_without_such_an_instruction_keep_their_loops() {
        let [body, _] = bodies("sum.wrapping_add(a[[row, k]] as i32 * b[[k, column]] as i32)");
        let machine = Machine { multiplies_pairs: false, ..crate::x86::AVX2 };
        assert_eq!(two_turns(&machine, body.clone()).nodes.len(), body.nodes.len());
    }
}
