//! Bodies whose lanes go together: what is the same for all of them is computed once, all take a turn of a loop together, and read
//! neighbouring elements of a row of a whole input by one load.
//!
//! A loop whose ends are the same for all lanes is so already. One whose ends move along the row together counts its turns from 0
//! instead, and adds the count to where it began; so does one whose ends move from row to row, as the rows of a block can then
//! take their turns together. Where the number of turns differs from lane to lane there is no vector form.

use std::collections::BTreeMap;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{
    Axes, AxisId, BinaryOp, Body, CastMode, InputId, Kernel, Node, Op, Order, Type, ValueId, along, check_vector,
};
use windrow_dsl::optimise::{Builder, remove_dead};

/// The body in lockstep; none where the number of turns of a loop differs between lanes, and for a body without loops that has no
/// neighbouring elements to read.
pub fn lockstep(kernel: &Kernel, body: &Body) -> Option<Body> {
    let has_loops = has_loops(&body.nodes);
    if !has_loops && !body.nodes.iter().any(|node| matches!(node.op, Op::Gather { .. })) {
        return None;
    }
    together(kernel, body).filter(|made| has_loops || made.nodes.iter().any(is_contiguous))
}

fn together(kernel: &Kernel, body: &Body) -> Option<Body> {
    let along = along(&body.nodes);
    let moves = |id: usize| along[id].has(AxisId::X) || along[id].has(AxisId::Y);
    let mut pass = Lockstep::new(kernel, body.nodes.len());
    // A loop is named by its turn, and what is computed with the turn may be another value.
    let (mut ids, mut loops) = (Vec::with_capacity(body.nodes.len()), BTreeMap::new());
    for (index, node) in body.nodes.iter().enumerate() {
        let id = ValueId(index as u32);
        let of_loop = |id: &ValueId| loops.get(id).copied().unwrap_or(ids[id.0 as usize]);
        let op = match node.op {
            Op::Carried { turn, before, index } => {
                Op::Carried { turn: of_loop(&turn), before: ids[before.0 as usize], index }
            }
            Op::Advance { carried, after, rest } => {
                Op::Advance { carried: ids[carried.0 as usize], after: ids[after.0 as usize], rest: of_loop(&rest) }
            }
            ref op => op.map_operands(|id| ids[id.0 as usize]),
        };
        let made = match op {
            Op::Turn { axis, start, end, order } if moves(index) => {
                match pass.turn(node, (axis, order), [start, end]) {
                    Some([turn, value]) => {
                        loops.insert(id, turn);
                        value
                    }
                    None if along[index].has(AxisId::X) => return None,
                    None => pass.out.push(Node { op, name: None, ..*node }),
                }
            }
            Op::Gather { input, plane, at, .. } => pass.gather(&Node { op, name: None, ..*node }, (input, plane), at),
            op => pass.out.push(Node { op, name: None, ..*node }),
        };
        if let Op::Carried { .. } = node.op {
            pass.carried.insert(made, along[index]);
        }
        pass.out.adopt_name(made, node.name.clone());
        ids.push(made);
    }
    let made = remove_dead(&pass.out.finish(body, &ids));
    check_vector(&made, "lockstep");
    Some(made)
}

/// Whether what is the same for all lanes is computed once: in a body in lockstep.
pub fn has_scalars(body: &Body) -> bool {
    has_loops(&body.nodes) || body.nodes.iter().any(is_contiguous)
}

/// Which values are in vectors: of a body in lockstep, those that differ from lane to lane, and all of another.
pub fn in_vectors(body: &Body) -> Vec<bool> {
    match has_scalars(body) {
        true => along(&body.nodes).into_iter().map(|axes| axes.has(AxisId::X) || axes.has(AxisId::LANE)).collect(),
        false => vec![true; body.nodes.len()],
    }
}

fn is_contiguous(node: &Node) -> bool {
    matches!(node.op, Op::Contiguous { .. })
}

/// A body in lockstep that is being built.
pub(super) struct Lockstep<'a> {
    kernel: &'a Kernel,
    pub(super) out: Builder,
    /// What the values that are built vary along, and those of them that are variables of loops.
    along: Vec<Axes>,
    pub(super) carried: BTreeMap<ValueId, Axes>,
}

/// A sum: its terms that vary along some axes, and the others; each added or subtracted.
#[derive(Default)]
struct Sum {
    same: Vec<(ValueId, bool)>,
    varying: Vec<(ValueId, bool)>,
    /// Whether it is one modulo 2³² alone: one of its sums may leave the type.
    wraps: bool,
}

impl<'a> Lockstep<'a> {
    /// Nothing yet, with room for this many values.
    pub(super) fn new(kernel: &'a Kernel, count: usize) -> Self {
        Self { kernel, out: Builder::with_capacity(count), along: Vec::new(), carried: BTreeMap::new() }
    }

    /// How often a loop turns, an i64 from 0 to the greatest i32, where the terms of its ends that are left out are the same.
    pub(super) fn count_of_turns(&mut self, start: &[(ValueId, bool)], end: &[(ValueId, bool)]) -> ValueId {
        let mut count = self.out.int(0, Type::I64);
        for (term, is_added) in start.iter().map(|&(term, is_added)| (term, !is_added)).chain(end.iter().copied()) {
            let term = self.out.cast(CastMode::Value, Type::I64, term);
            count = self.add(count, term, is_added);
        }
        let [none, most] = [0, Type::I32.limits().1].map(|bound| self.out.int(bound, Type::I64));
        let count = self.out.binary(BinaryOp::Max, count, none);
        self.out.binary(BinaryOp::Min, count, most)
    }

    /// A loop that counts from 0, and what its turn is: its beginning and the count. None where elements may take different numbers
    /// of turns.
    fn turn(
        &mut self,
        node: &Node,
        (axis, order): (AxisId, Order),
        [start, end]: [ValueId; 2],
    ) -> Option<[ValueId; 2]> {
        let moves = Axes::of(AxisId::X) | Axes::of(AxisId::Y);
        let (mut first, mut behind) = (self.sum(start, moves), self.sum(end, moves));
        first.varying.sort_unstable();
        behind.varying.sort_unstable();
        // Where a sum wraps for some elements, others have other turns.
        if first.varying != behind.varying || first.wraps || behind.wraps {
            return None;
        }
        let count = self.count_of_turns(&first.same, &behind.same);
        let count = self.out.cast(CastMode::Wrapping, Type::I32, count);
        let none = self.out.int(0, Type::I32);
        let turn = Op::Turn { axis, start: none, end: count, order };
        let turn = self.out.push(Node { op: turn, ty: Type::I32, guard: None, name: None, span: node.span });
        let by = self.out.cast(CastMode::Wrapping, node.ty, turn);
        Some([turn, self.add(start, by, true)])
    }

    /// A read of a whole input: of neighbouring elements, where the columns of the lanes follow each other in one row.
    fn gather(&mut self, node: &Node, of: (InputId, Option<ValueId>), at: [ValueId; 2]) -> ValueId {
        self.contiguous(node, of, at, AxisId::X).unwrap_or_else(|| self.out.push(node.clone()))
    }

    /// A read of elements of a row that follow each other along an axis, one a lane.
    pub(super) fn contiguous(
        &mut self,
        node: &Node,
        (input, plane): (InputId, Option<ValueId>),
        [row, column]: [ValueId; 2],
        axis: AxisId,
    ) -> Option<ValueId> {
        let argument = &self.kernel.inputs[input.0 as usize];
        if argument.channels > 1 || self.varies(row, axis) || plane.is_some_and(|plane| self.varies(plane, axis)) {
            return None;
        }
        let [first, last] = self.columns(column, axis)?;
        let row = self.row(node, (input, plane), row);
        Some(self.out.push(Node { op: Op::Contiguous { input, row, first, last, axis }, ..node.clone() }))
    }

    /// The bytes to the first element of a row.
    fn row(&mut self, like: &Node, (input, plane): (InputId, Option<ValueId>), row: ValueId) -> ValueId {
        // A tensor of one dimension has one row, the first.
        let Some(dimension) = self.kernel.inputs[input.0 as usize].dimensions().checked_sub(2) else { return row };
        let stride = self.out.op(Op::Stride { input, dimension }, Type::I32, like);
        let row = self.out.binary(BinaryOp::Mul(Wrap), row, stride);
        plane.map_or(row, |plane| self.out.binary(BinaryOp::Add(Wrap), plane, row))
    }

    /// The column of the first lane and the greatest, of columns that follow each other along an axis between 0 and that.
    fn columns(&mut self, column: ValueId, axis: AxisId) -> Option<[ValueId; 2]> {
        let (mut bounds, mut place, mut added) = (Vec::new(), column, Vec::new());
        let (coordinate, offset) = loop {
            while let Op::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) = self.out.node(place).op {
                let (inner, bound) = if self.varies(a, axis) { (a, b) } else { (b, a) };
                if self.varies(bound, axis) || !self.varies(inner, axis) {
                    return None;
                }
                let bound = added.iter().fold(bound, |bound, &(term, is_added)| self.add(bound, term, is_added));
                bounds.push((op, bound));
                place = inner;
            }
            let Sum { same, varying, wraps } = self.sum(place, Axes::of(axis));
            let [(inner, true)] = *varying.as_slice() else { return None };
            added.extend(same);
            match self.out.node(inner).op {
                Op::Coordinate { axis: own, offset } if own == axis => break (inner, offset),
                // What is added to a bounded number bounds the sum.
                Op::Binary(BinaryOp::Min | BinaryOp::Max, ..) if inner != place && !wraps => place = inner,
                _ => return None,
            }
        };
        // What becomes of the greatest number. No column is negative, so that bounds from below by more than 0 alone count.
        let mut last = None;
        for &(op, bound) in bounds.iter().rev() {
            if op == BinaryOp::Max && self.out.node(bound).op.integer().is_none_or(|least| least > 0) {
                return None;
            }
            last = match (op, last) {
                (BinaryOp::Min, None) => Some(bound),
                (_, last) => last.map(|last| self.out.binary(op, last, bound)),
            };
        }
        let like = self.out.node(coordinate).clone();
        let mut first = match axis {
            AxisId::LANE => self.out.int(offset.into(), Type::I32),
            _ => self.out.op(Op::Coordinate { axis: AxisId::STEP, offset }, Type::I32, &like),
        };
        for (term, is_added) in added {
            first = self.add(first, term, is_added);
        }
        Some([first, last?])
    }

    /// A value as a sum, modulo 2³², of terms that vary along some axes and others.
    fn sum(&mut self, id: ValueId, axes: Axes) -> Sum {
        let mut sum = Sum::default();
        self.add_terms(&mut sum, axes, id, true);
        sum
    }

    fn add_terms(&mut self, sum: &mut Sum, axes: Axes, id: ValueId, is_added: bool) {
        if (self.along(id) & axes).is_empty() {
            return sum.same.push((id, is_added));
        }
        sum.wraps |= match self.out.node(id).op {
            Op::Binary(BinaryOp::Add(overflow) | BinaryOp::Sub(overflow), ..) => overflow != Never,
            Op::Cast(mode, a) => mode != CastMode::Value && self.out.node(a).ty != self.out.node(id).ty,
            _ => false,
        };
        match self.out.node(id).op {
            Op::Binary(BinaryOp::Add(Never | Wrap), a, b) if self.counts(id) => {
                self.add_terms(sum, axes, a, is_added);
                self.add_terms(sum, axes, b, is_added);
            }
            Op::Binary(BinaryOp::Sub(Never | Wrap), a, b) if self.counts(id) => {
                self.add_terms(sum, axes, a, is_added);
                self.add_terms(sum, axes, b, !is_added);
            }
            Op::Cast(CastMode::Value | CastMode::Wrapping, a) if self.counts(id) && self.counts(a) => {
                self.add_terms(sum, axes, a, is_added);
            }
            Op::Coordinate { axis, offset } if offset != 0 => {
                let like = self.out.node(id).clone();
                let coordinate = self.out.op(Op::Coordinate { axis, offset: 0 }, Type::I32, &like);
                sum.varying.push((coordinate, is_added));
                sum.same.push((self.out.int(offset.into(), Type::I32), is_added));
            }
            _ => sum.varying.push((id, is_added)),
        }
    }

    /// Whether a value is an integer of 32 bits.
    fn counts(&self, id: ValueId) -> bool {
        matches!(self.out.node(id).ty, Type::I32 | Type::U32)
    }

    /// `sum` and a term, modulo its width.
    pub(super) fn add(&mut self, sum: ValueId, term: ValueId, is_added: bool) -> ValueId {
        let ty = self.out.node(sum).ty;
        let term = if self.out.node(term).ty == ty { term } else { self.out.cast(CastMode::Wrapping, ty, term) };
        self.out.binary(if is_added { BinaryOp::Add(Wrap) } else { BinaryOp::Sub(Wrap) }, sum, term)
    }

    /// Whether a value that is built differs from lane to lane, which are those of an axis.
    fn varies(&mut self, id: ValueId, axis: AxisId) -> bool {
        self.along(id).has(axis)
    }

    /// What a value that is built varies along.
    fn along(&mut self, id: ValueId) -> Axes {
        for index in self.along.len()..=id.0 as usize {
            let id = ValueId(index as u32);
            let node = self.out.node(id);
            let mut axes = node.op.own_axes() | self.carried.get(&id).copied().unwrap_or_default();
            node.op.for_operands(|operand| axes = axes | self.along[operand.0 as usize]);
            self.along.push(axes);
        }
        self.along[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::optimise::prepare;

    fn of(source: &str) -> Option<Body> {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        lockstep(kernel, &prepare(kernel).bodies[0])
    }

    fn reads(body: &Body) -> [usize; 2] {
        let count = |is: fn(&Node) -> bool| body.nodes.iter().filter(|node| is(node)).count();
        [count(is_contiguous), count(|node| matches!(node.op, Op::Gather { .. }))]
    }

    #[test]
    fn ends_that_move_together_are_as_far_apart_for_all_lanes() {
        let turns = |ends: &str| {
            of(&format!(
                "#[kernel] fn f([y, x]: At<2>, n: u8, #[uniform(0..=9)] r: i32) -> i32 {{
                    let mut sum = n as i32; for i in {ends} {{ sum = sum.wrapping_mul(3) ^ i; }} sum }}"
            ))
        };
        for ends in [
            "0..r",
            "y..y + r",
            "x - r..x + r",
            "x..=x + 2 * r",
            "r - x..3 - x + r",
            "x.min(999) * 2..r + x.min(999) * 2",
        ] {
            let body = turns(ends).unwrap_or_else(|| panic!("{ends}"));
            let along = along(&body.nodes);
            let mut loops = body.nodes.iter().zip(along).filter(|(node, _)| matches!(node.op, Op::Turn { .. }));
            assert!(loops.all(|(_, axes)| !axes.has(AxisId::X) && !axes.has(AxisId::Y)), "{ends}");
        }
        for ends in ["0..x", "x..r", "x..2 * x.min(99)", "0..n as i32", "x - r..r - x"] {
            assert!(turns(ends).is_none(), "{ends}");
        }
    }

    #[test]
    fn columns_that_follow_each_other_are_one_read() {
        let row = |read: &str| {
            let kernel = format!(
                "#[kernel] fn f([y, x]: At<2>, src: View<f32>, #[uniform(0..=9)] r: i32) -> f32 {{
                    let [height, width] = src.extents();
                    let mut sum = 0.0; for k in 0..height {{ sum += {read}; }} sum }}"
            );
            reads(&of(&kernel).unwrap())
        };
        for read in [
            "src[[k, x.min(width - 1)]]",
            "src.get([k, x - r]).unwrap_or(1.0)",
            "src.get([y, x + k - 2 * r]).unwrap_or(1.0)",
        ] {
            assert_eq!(row(read), [1, 0], "{read}");
        }
        // Without a loop too.
        let straight = |read: &str| {
            let kernel = format!(
                "#[kernel] fn f([y, x]: At<2>, src: View<f32>, #[uniform(0..=9)] r: i32) -> f32 {{ {read}.unwrap_or(1.0) }}"
            );
            of(&kernel).map(|body| reads(&body))
        };
        assert_eq!(straight("src.get([y + r, x - r])"), Some([1, 0]));
        assert_eq!(straight("src.get([x, y])"), None);
        // The same for all lanes; backwards, every second one, and down a column.
        for read in [
            "src.get([y, k]).unwrap_or(1.0)",
            "src.get([k, r - x]).unwrap_or(1.0)",
            "src.get([k, 2 * x]).unwrap_or(1.0)",
            "src.get([x, k]).unwrap_or(1.0)",
        ] {
            assert_eq!(row(read), [0, 1], "{read}");
        }
        let pixels = "#[kernel] fn f([y, x]: At<2>, src: View<[u8; 2]>, #[uniform(0..=9)] r: i32) -> u8 {
            let mut sum = 0u8; for k in 0..r { if let Some([a, b]) = src.get([y + k, x]) { sum = sum.wrapping_add(a ^ b); } } sum }";
        assert_eq!(reads(&of(pixels).unwrap()), [0, 2]);
    }
}
