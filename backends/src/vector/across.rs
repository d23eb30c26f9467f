//! Loops that reduce, of bodies in lockstep: where a loop is the same for all lanes of a step, its own turns are put in lanes.
//!
//! A turn takes the terms of [`TERMS`] turns, one a lane, and combines each with what is in its lane; behind the last turn the lanes
//! are combined with each other. That is the value of the loop as it was written where the operation may take its operands in any
//! order.

use super::lockstep::Lockstep;
use super::machine::Machine;
use crate::reductions::{Combined, combined, keeps_equals, users};
use std::collections::{BTreeMap, BTreeSet};
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::{LANES, has_loops, turn_of, variables};
use windrow_dsl::ir::{
    Axes, AxisId, BinaryOp, Body, CastMode, Kernel, Node, Op, Order, Type, ValueId, along, check_vector,
};
use windrow_dsl::optimise::{free_axes, remove_dead};

/// Terms that a turn takes at least: those of a sum of floats, whose lanes they are.
const TERMS: u32 = LANES as u32;

/// The body with those of its loops in lanes that can be, for steps of this many lanes.
pub fn across(machine: &Machine, kernel: &Kernel, body: Body, lanes: u32) -> Body {
    if !has_loops(&body.nodes) {
        return body;
    }
    let mut apart = BTreeSet::new();
    loop {
        let reductions = reductions(machine, kernel, &body, (lanes, &apart));
        if reductions.is_empty() {
            return body;
        }
        match Pass::new(kernel, &body, &reductions, lanes).rewritten() {
            Ok(made) => return made,
            Err(turn) => _ = apart.insert(turn),
        }
    }
}

/// A loop of such variables.
#[derive(Debug)]
struct Reduction {
    axis: AxisId,
    /// By what the turn leaves in them.
    variables: BTreeMap<ValueId, Combined>,
}

/// The loops of a body, by their turns, that are the same for all lanes, have none inside, and combine terms in an order that does
/// not matter.
fn reductions(
    machine: &Machine,
    kernel: &Kernel,
    body: &Body,
    (lanes, apart): (u32, &BTreeSet<ValueId>),
) -> BTreeMap<ValueId, Reduction> {
    let (along, users) = (along(&body.nodes), users(body));
    let mut found = BTreeMap::new();
    for node in &body.nodes {
        let Op::Outcome { end, .. } = node.op else { continue };
        let turn = turn_of(&body.nodes, end);
        let Op::Turn { axis, order, .. } = body.node(turn).op else { continue };
        if along[turn.0 as usize].has(AxisId::X) || apart.contains(&turn) || found.contains_key(&turn) {
            continue;
        }
        let of_turn = |id: ValueId| along[id.0 as usize].has(axis);
        let is_in_lanes = (0..body.nodes.len() as u32).map(ValueId).filter(|&id| of_turn(id)).all(|id| {
            let node = body.node(id);
            let is_lane_by_lane = machine.exemptions.iter().any(|row| row.covers(kernel, body, node));
            !along[id.0 as usize].has(AxisId::X)
                && node.ty.bits() <= 32
                && !matches!(node.op, Op::Outcome { .. } | Op::Turn { .. } if id != turn)
                && (matches!(node.op, Op::Gather { .. }) || !is_lane_by_lane)
        });
        // More would be other sums.
        if order == Order::Lanes && lanes > TERMS {
            continue;
        }
        let combined = variables(&body.nodes, end)
            .into_iter()
            .map(|variable| Some((variable.after, combined(body, &users, order, variable)?)));
        if let (true, Some(variables)) = (is_in_lanes, combined.collect()) {
            found.insert(turn, Reduction { axis, variables });
        }
    }
    found
}

/// What a loop in lanes runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Turns in which every lane has a term.
    Whole,
    /// One more, where terms are left: lanes behind them keep what they have.
    Rest,
    /// All: lanes behind the last term take it once more, which changes nothing.
    All,
}

struct Pass<'a> {
    body: &'a Body,
    along: Vec<Axes>,
    reductions: &'a BTreeMap<ValueId, Reduction>,
    lanes: u32,
    /// Vectors of a term, each with the lanes of a step.
    copies: u32,
    out: Lockstep<'a>,
    /// What each value has become, and one that is in lanes for each copy.
    ids: Vec<ValueId>,
    in_lanes: BTreeMap<ValueId, Vec<ValueId>>,
    /// Axes for more loops.
    axes: std::vec::IntoIter<AxisId>,
}

impl<'a> Pass<'a> {
    fn new(kernel: &'a Kernel, body: &'a Body, reductions: &'a BTreeMap<ValueId, Reduction>, lanes: u32) -> Self {
        let count = body.nodes.len();
        Self {
            body,
            along: along(&body.nodes),
            reductions,
            lanes,
            copies: (TERMS / lanes).max(1),
            out: Lockstep::new(kernel, count),
            ids: Vec::with_capacity(count),
            in_lanes: BTreeMap::new(),
            axes: free_axes(body),
        }
    }

    /// The body in this form.
    ///
    /// # Errors
    /// The turn of a loop that reads elements which do not follow each other.
    fn rewritten(mut self) -> Result<Body, ValueId> {
        // What the variables of a loop are behind it.
        let mut behind: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        for (index, node) in self.body.nodes.iter().enumerate() {
            let is_in_lanes = self.reductions.values().any(|reduction| self.along[index].has(reduction.axis));
            let made = match node.op {
                // All of its loop is built in the place of its first outcome.
                _ if is_in_lanes => ValueId(0),
                Op::Outcome { end, carried } => {
                    let turn = turn_of(&self.body.nodes, end);
                    match self.reductions.get(&turn) {
                        Some(_) if behind.contains_key(&carried) => behind[&carried],
                        Some(reduction) => {
                            behind.extend(self.reduce(turn, reduction)?);
                            behind[&carried]
                        }
                        None => self.copied(node, 0),
                    }
                }
                _ => self.copied(node, 0),
            };
            if let (Op::Carried { .. }, false) = (&node.op, is_in_lanes) {
                self.out.carried.insert(made, self.along[index]);
            }
            if !is_in_lanes {
                self.out.out.adopt_name(made, node.name.clone());
            }
            self.ids.push(made);
        }
        let made = remove_dead(&self.out.out.finish(self.body, &self.ids));
        check_vector(&made, "the reduction in lanes");
        Ok(made)
    }

    fn at(&self, id: ValueId, copy: usize) -> ValueId {
        self.in_lanes.get(&id).map_or(self.ids.get(id.0 as usize), |copies| copies.get(copy)).copied().unwrap_or(id)
    }

    fn copied(&mut self, node: &Node, copy: usize) -> ValueId {
        let op = node.op.map_operands(|id| self.at(id, copy));
        self.out.out.push(Node { op, name: None, ..*node })
    }

    /// Builds a loop in lanes; what each variable is behind it.
    fn reduce(&mut self, turn: ValueId, reduction: &Reduction) -> Result<Vec<(ValueId, ValueId)>, ValueId> {
        let Op::Turn { start, end, .. } = self.body.node(turn).op else { return Err(turn) };
        let [start, end] = [start, end].map(|id| self.at(id, 0));
        let count = self.out.count_of_turns(&[(start, true)], &[(end, true)]);
        let count = self.out.out.cast(CastMode::Wrapping, Type::I32, count);
        let variables: Vec<Combined> = reduction.variables.values().copied().collect();
        // Of each variable, what is in the lanes of each copy.
        let mut lanes: Vec<Vec<ValueId>> = Vec::new();
        for combined in &variables {
            let ty = self.body.node(combined.carried).ty;
            // A sum of floats begins with what is in each lane before it.
            let takes_before = keeps_equals(combined.op) || ty.is_float();
            let before = if takes_before { self.at(combined.before, 0) } else { self.out.out.int(0, ty) };
            lanes.push(vec![before; self.copies as usize]);
        }
        if variables.iter().all(|combined| keeps_equals(combined.op)) {
            self.turns(turn, reduction, (Part::All, reduction.axis), [start, count], &mut lanes)?;
        } else {
            self.turns(turn, reduction, (Part::Whole, reduction.axis), [start, count], &mut lanes)?;
            let axis = self.axes.next().ok_or(turn)?;
            self.turns(turn, reduction, (Part::Rest, axis), [start, count], &mut lanes)?;
        }
        let mut behind = Vec::new();
        for (combined, lanes) in variables.iter().zip(lanes) {
            behind.push((combined.carried, self.joined(combined, lanes)));
        }
        Ok(behind)
    }

    /// Builds a part of a loop, from its first turn and how many there are; what is in the lanes before it, and then behind it.
    fn turns(
        &mut self,
        turn: ValueId,
        reduction: &Reduction,
        (part, axis): (Part, AxisId),
        [start, count]: [ValueId; 2],
        lanes: &mut [Vec<ValueId>],
    ) -> Result<(), ValueId> {
        let node = self.body.node(turn);
        let terms = i128::from(TERMS.max(self.lanes));
        let out = &mut self.out.out;
        let [none, one, mask] = [0, 1, terms - 1].map(|value| out.int(value, Type::I32));
        let by = out.int(terms.ilog2().into(), Type::U32);
        let (whole, over) = (out.binary(BinaryOp::Shr, count, by), out.binary(BinaryOp::And, count, mask));
        let rest = out.binary(BinaryOp::Min, over, one);
        let end = match part {
            Part::Whole => whole,
            Part::Rest => rest,
            Part::All => out.binary(BinaryOp::Add(Wrap), whole, rest),
        };
        let op = Op::Turn { axis, start: none, end, order: Order::Written };
        let own = out.push_as_is(Node { op, ty: Type::I32, name: node.name.clone(), ..*node });
        let block = if part == Part::Rest { out.binary(BinaryOp::Add(Wrap), whole, own) } else { own };
        let base = out.binary(BinaryOp::Shl(Wrap), block, by);
        let left = out.binary(BinaryOp::Sub(Wrap), count, base);
        let last = out.binary(BinaryOp::Sub(Wrap), left, one);
        let (mut places, mut has_term) = (Vec::new(), Vec::new());
        for copy in 0..self.copies {
            let offset = (copy * self.lanes) as i32;
            let out = &mut self.out.out;
            let lane = out.op(Op::Coordinate { axis: AxisId::LANE, offset }, Type::I32, node);
            has_term.push(out.op(Op::Binary(BinaryOp::Lt, lane, over), Type::BOOL, node));
            // No lane of the rest may lie behind the greatest integer, but one without a term.
            let overflow = if part == Part::Rest { Wrap } else { Never };
            let lane = if part == Part::All { out.binary(BinaryOp::Min, lane, last) } else { lane };
            let place = out.binary(BinaryOp::Add(overflow), base, lane);
            let place = if node.ty == Type::I32 { place } else { out.cast(CastMode::Wrapping, node.ty, place) };
            places.push(out.binary(BinaryOp::Add(overflow), start, place));
        }
        self.in_lanes.insert(turn, places);
        self.begin_variables(reduction, (own, axis), lanes);
        for index in turn.0..self.body.nodes.len() as u32 {
            let (id, node) = (ValueId(index), self.body.node(ValueId(index)));
            if node.op.is_of_loop() || !self.along[index as usize].has(reduction.axis) {
                continue;
            }
            let mut made = Vec::with_capacity(self.copies as usize);
            for copy in 0..self.copies as usize {
                let has_term = (part == Part::Rest).then_some(has_term[copy]);
                made.push(self.term(id, reduction, copy, has_term).ok_or(turn)?);
                self.out.out.adopt_name(made[copy], node.name.clone());
            }
            self.in_lanes.insert(id, made);
        }
        self.end_variables(reduction, own, lanes);
        Ok(())
    }

    /// The variables of a loop in the lanes of each copy.
    fn begin_variables(&mut self, reduction: &Reduction, (turn, axis): (ValueId, AxisId), lanes: &[Vec<ValueId>]) {
        let mut index = 0;
        for (combined, before) in reduction.variables.values().zip(lanes) {
            let node = self.body.node(combined.carried);
            let axes = self.along[combined.carried.0 as usize].without(reduction.axis);
            let mut made = Vec::with_capacity(before.len());
            for &before in before {
                let op = Op::Carried { turn, before, index };
                let carried = self.out.out.push_as_is(Node { op, name: node.name.clone(), ..*node });
                self.out.carried.insert(carried, axes | Axes::of(AxisId::LANE) | Axes::of(axis));
                made.push(carried);
                index += 1;
            }
            self.in_lanes.insert(combined.carried, made);
        }
    }

    /// What is in the lanes behind the last turn.
    fn end_variables(&mut self, reduction: &Reduction, turn: ValueId, lanes: &mut [Vec<ValueId>]) {
        let (mut end, copies) = (turn, 0..self.copies as usize);
        for (&after, combined) in &reduction.variables {
            for copy in copies.clone() {
                let op =
                    Op::Advance { carried: self.at(combined.carried, copy), after: self.at(after, copy), rest: end };
                let like = Node { ty: Type::I32, name: None, ..self.body.node(combined.carried).clone() };
                end = self.out.out.push_as_is(Node { op, ..like });
            }
        }
        for (combined, lanes) in reduction.variables.values().zip(lanes) {
            let node = self.body.node(combined.carried);
            for (copy, lane) in lanes.iter_mut().enumerate() {
                let op = Op::Outcome { end, carried: self.at(combined.carried, copy) };
                *lane = self.out.out.push_as_is(Node { op, name: node.name.clone(), ..*node });
            }
        }
    }

    /// A value of a turn in the lanes of a copy; none where it reads elements that do not follow each other.
    fn term(&mut self, id: ValueId, reduction: &Reduction, copy: usize, has_term: Option<ValueId>) -> Option<ValueId> {
        let node = self.body.node(id);
        if let Op::Gather { input, plane, at, .. } = node.op {
            let op = node.op.map_operands(|id| self.at(id, copy));
            let (plane, at) = (plane.map(|plane| self.at(plane, copy)), at.map(|id| self.at(id, copy)));
            let node = Node { op, name: None, ..*node };
            return self.out.contiguous(&node, (input, plane), at, AxisId::LANE);
        }
        let Some(&Combined { carried, op, term, condition, .. }) = reduction.variables.get(&id) else {
            return Some(self.copied(node, copy));
        };
        let [carried, term] = [carried, term].map(|id| self.at(id, copy));
        let condition = condition.map(|id| self.at(id, copy));
        let out = &mut self.out.out;
        let then = out.binary(op, carried, term);
        let condition = match (condition, has_term) {
            (Some(own), Some(has_term)) => out.binary(BinaryOp::And, has_term, own),
            (own, has_term) => match own.or(has_term) {
                Some(condition) => condition,
                None => return Some(then),
            },
        };
        Some(out.push(Node { op: Op::Select { condition, then, otherwise: carried }, name: None, ..*node }))
    }

    /// What the lanes of all copies have in common, with what was in the variable before the loop.
    fn joined(&mut self, combined: &Combined, mut lanes: Vec<ValueId>) -> ValueId {
        let (op, before) = (combined.op, self.at(combined.before, 0));
        let out = &mut self.out.out;
        while let [_, _, ..] = *lanes.as_slice() {
            let (low, high) = lanes.split_at(lanes.len() / 2);
            lanes = low.iter().zip(high).map(|(&a, &b)| out.binary(op, a, b)).collect();
        }
        let like = Node { name: None, ..self.body.node(combined.carried).clone() };
        let across = out.op(Op::Across { op, value: lanes[0] }, like.ty, &like);
        if keeps_equals(op) || like.ty.is_float() { across } else { out.binary(op, before, across) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lockstep::lockstep;
    use super::*;
    use windrow_dsl::optimise::prepare;

    /// The loops of a kernel that are in lanes, of all of its loops.
    fn in_lanes(source: &str) -> [usize; 2] {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let body = lockstep(kernel, &prepare(kernel).bodies[0]).unwrap();
        let machine = super::super::Target::machine(crate::neon::Neon::Base);
        let made = across(machine, kernel, body, 8);
        let along = along(&made.nodes);
        let turns = made.nodes.iter().filter(|node| matches!(node.op, Op::Turn { .. })).count();
        let is_carried = |index: &usize| matches!(made.nodes[*index].op, Op::Carried { .. });
        let variables: Vec<usize> = (0..made.nodes.len()).filter(is_carried).collect();
        [variables.into_iter().filter(|&index| along[index].has(AxisId::LANE)).count(), turns]
    }

    fn of_row(start: &str, term: &str) -> [usize; 2] {
        in_lanes(&format!(
            "#[kernel] fn f([y, x]: At<2>, src: View<i16>, #[uniform(0..=9)] r: i32) -> i32 {{
                let [_, width] = src.extents();
                let mut sum = {start};
                for i in r..width {{ {term} }}
                sum as i32 + src.get([y, x]).unwrap_or(1) as i32 }}"
        ))
    }

    #[test]
    fn terms_in_any_order_are_in_lanes() {
        // Four copies of eight lanes; of what changes by a term that is taken twice, whole blocks and the rest.
        assert_eq!(of_row("0i16", "sum = sum.max(src.get([y, i]).unwrap_or(3));"), [4, 1]);
        assert_eq!(of_row("0i16", "sum = sum.wrapping_add(src.get([y, i - r]).unwrap_or(3));"), [8, 2]);
        assert_eq!(of_row("0i16", "if src.get([y, i]).unwrap_or(3) > 5 { sum = sum.wrapping_add(1); }"), [8, 2]);
        assert_eq!(of_row("0i16", "if let Some(e) = src.get([y + 1, 2 + i]) { sum ^= e; }"), [8, 2]);
        // Its order matters, another value reads what it has been so far, or elements are apart.
        assert_eq!(of_row("0i16", "sum = sum.saturating_add(src.get([y, i]).unwrap_or(3));"), [0, 1]);
        assert_eq!(of_row("0i16", "sum = sum.max(src.get([y, sum as i32]).unwrap_or(3));"), [0, 1]);
        assert_eq!(of_row("0i16", "sum = sum.max(src.get([i, y]).unwrap_or(3));"), [0, 1]);
        assert_eq!(of_row("0i16", "sum = sum.max(src.get([y, 2 * i]).unwrap_or(3));"), [0, 1]);
    }

    #[test]
    fn floats_keep_their_order() {
        let source = |term: &str| {
            format!(
                "#[kernel] fn f([y, x]: At<2>, src: View<f32>) -> f32 {{
                    let [_, width] = src.extents();
                    let mut sum = 0.0;
                    for i in 0..width {{ {term} }}
                    sum - src.get([y, x]).unwrap_or(1.0) }}"
            )
        };
        assert_eq!(in_lanes(&source("sum += src.get([y, i]).unwrap_or(3.0);")), [0, 1]);
        assert_eq!(in_lanes(&source("sum = src.get([y, i]).unwrap_or(3.0).min(sum);")), [4, 1]);
    }

    #[test]
    fn loops_that_differ_between_lanes_are_left() {
        let column = "#[kernel] fn f([y, x]: At<2>, src: View<i16>) -> i32 {
            let [height, _] = src.extents();
            let mut sum = 0i32;
            for row in 0..height { sum = sum.wrapping_add(src.get([row, x]).unwrap_or(0) as i32); }
            sum }";
        assert_eq!(in_lanes(column), [0, 1]);
    }
}
