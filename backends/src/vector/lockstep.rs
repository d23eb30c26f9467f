//! Loops at run time for vectors: all lanes take a turn together, and read neighbouring elements of a row by one load.
//!
//! A loop whose ends are the same for all lanes is so already. One whose ends move along the row together counts its turns from 0
//! instead, and adds the count to where it began; so does one whose ends move from row to row, as the rows of a block can then
//! take their turns together. Where the number of turns differs from lane to lane there is no vector form.

use std::collections::BTreeMap;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{
    Axes, AxisId, BinaryOp, Body, CastMode, InputId, Kernel, Node, Op, Range, Type, ValueId, along, check_vector,
};
use windrow_dsl::optimise::{Builder, ranges_of_copies, remove_dead};

/// The body with such loops; none where the number of turns of one differs between lanes.
pub fn lockstep(kernel: &Kernel, body: &Body) -> Option<Body> {
    let along = along(&body.nodes);
    let moves = |id: usize| along[id].has(AxisId::X) || along[id].has(AxisId::Y);
    let is_apart = |(index, node): (usize, &Node)| matches!(node.op, Op::Turn { .. }) && moves(index);
    let ranges = if body.nodes.iter().enumerate().any(is_apart) { ranges_of_copies(kernel, body) } else { Vec::new() };
    let out = Builder::with_capacity(body.nodes.len());
    let mut pass = Lockstep { kernel, body, ranges, out, along: Vec::new(), carried: BTreeMap::new() };
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
            Op::Turn { axis, start, end } if moves(index) => match pass.turn(node, axis, [start, end], id) {
                Some([turn, value]) => {
                    loops.insert(id, turn);
                    value
                }
                None if along[index].has(AxisId::X) => return None,
                None => pass.out.push(Node { op, name: None, ..*node }),
            },
            Op::Gather { input, at, .. } => pass.gather(&Node { op, name: None, ..*node }, input, at),
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

/// Which values are in vectors: where a body has loops, those that differ from lane to lane, and all where it has none.
pub fn in_vectors(body: &Body) -> Vec<bool> {
    match has_loops(&body.nodes) {
        true => along(&body.nodes).into_iter().map(|axes| axes.has(AxisId::X)).collect(),
        false => vec![true; body.nodes.len()],
    }
}

struct Lockstep<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    /// Of the values of `body`.
    ranges: Vec<Range>,
    out: Builder,
    /// What the values that are built vary along, and those of them that are variables of loops.
    along: Vec<Axes>,
    carried: BTreeMap<ValueId, Axes>,
}

/// A sum: its terms that vary along some axes, and the others; each added or subtracted.
#[derive(Default)]
struct Sum {
    same: Vec<(ValueId, bool)>,
    varying: Vec<(ValueId, bool)>,
}

impl Lockstep<'_> {
    /// A loop that counts from 0, and what its turn is: its beginning and the count. None where lanes take different numbers of turns.
    fn turn(&mut self, node: &Node, axis: AxisId, [start, end]: [ValueId; 2], id: ValueId) -> Option<[ValueId; 2]> {
        let Op::Turn { start: own_start, end: own_end, .. } = self.body.node(id).op else { return None };
        let (least, greatest) = match [own_start, own_end].map(|id| self.ranges[id.0 as usize]) {
            [Range::Int { lo: from, hi: last }, Range::Int { lo, hi }] => (lo - last, hi - from),
            _ => return None,
        };
        let counts = Type::I32.limits();
        let moves = Axes::of(AxisId::X) | Axes::of(AxisId::Y);
        let (mut first, mut behind) = (self.sum(start, moves), self.sum(end, moves));
        first.varying.sort_unstable();
        behind.varying.sort_unstable();
        if first.varying != behind.varying || least < counts.0 || greatest > counts.1 {
            return None;
        }
        let mut count = self.total(&behind.same, node.ty);
        for &(term, is_added) in &first.same {
            count = self.add(count, term, !is_added);
        }
        let count = self.out.cast(CastMode::Wrapping, Type::I32, count);
        let none = self.out.int(0, Type::I32);
        let turn = Op::Turn { axis, start: none, end: count };
        let turn = self.out.push(Node { op: turn, ty: Type::I32, guard: None, name: None, span: node.span });
        let by = self.out.cast(CastMode::Wrapping, node.ty, turn);
        Some([turn, self.add(start, by, true)])
    }

    /// A read of a whole input: of neighbouring elements, where the columns of the lanes follow each other in one row.
    fn gather(&mut self, node: &Node, input: InputId, [row, column]: [ValueId; 2]) -> ValueId {
        let argument = &self.kernel.inputs[input.0 as usize];
        if argument.channels == 1
            && !self.varies(row)
            && let Some([first, last]) = self.columns(column)
        {
            return self.out.push(Node { op: Op::Contiguous { input, row, first, last }, ..node.clone() });
        }
        self.out.push(node.clone())
    }

    /// The column of the first lane and the greatest, of columns that follow each other between 0 and that.
    fn columns(&mut self, column: ValueId) -> Option<[ValueId; 2]> {
        let (mut bounds, mut place) = (Vec::new(), column);
        while let Op::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) = self.out.node(place).op {
            let (inner, bound) = if self.varies(a) { (a, b) } else { (b, a) };
            if self.varies(bound) || !self.varies(inner) {
                return None;
            }
            bounds.push((op, bound));
            place = inner;
        }
        let Sum { same, varying } = self.sum(place, Axes::of(AxisId::X));
        let [(coordinate, true)] = *varying.as_slice() else { return None };
        let Op::Coordinate { axis: AxisId::X, offset } = self.out.node(coordinate).op else { return None };
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
        let mut first = self.out.op(Op::Coordinate { axis: AxisId::STEP, offset }, Type::I32, &like);
        for (term, is_added) in same {
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
            _ => sum.varying.push((id, is_added)),
        }
    }

    /// Whether a value is an integer of 32 bits.
    fn counts(&self, id: ValueId) -> bool {
        matches!(self.out.node(id).ty, Type::I32 | Type::U32)
    }

    /// The sum of terms.
    fn total(&mut self, terms: &[(ValueId, bool)], ty: Type) -> ValueId {
        let mut total = self.out.int(0, ty);
        for &(term, is_added) in terms {
            total = self.add(total, term, is_added);
        }
        total
    }

    /// `sum` and a term, modulo 2³².
    fn add(&mut self, sum: ValueId, term: ValueId, is_added: bool) -> ValueId {
        let ty = self.out.node(sum).ty;
        let term = if self.out.node(term).ty == ty { term } else { self.out.cast(CastMode::Wrapping, ty, term) };
        self.out.binary(if is_added { BinaryOp::Add(Wrap) } else { BinaryOp::Sub(Wrap) }, sum, term)
    }

    /// Whether a value that is built differs from lane to lane.
    fn varies(&mut self, id: ValueId) -> bool {
        self.along(id).has(AxisId::X)
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
