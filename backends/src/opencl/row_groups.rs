//! Rows of elements that a work-group computes together.
//!
//! What is the same for all elements of a row is computed once for each row. Of a loop that reduces, each of the row's work-items takes
//! every [`LANES`]th turn, and what they have found is combined in local memory, in the order of `sum`'s lanes. Then each computes every
//! [`LANES`]th element.

use super::tiles::Group;
use crate::reductions::{Combined, combined, users};
use std::collections::BTreeMap;
use windrow_dsl::analyse::ranges;
use windrow_dsl::ir::loops::{LANES, Loop, Step, steps};
use windrow_dsl::ir::{Axes, AxisId, Body, Input, Kernel, Node, Op, Output, Range, Type, ValueId, along, check_opencl};

/// The work-items of a group: those of a row side by side.
pub const GROUP: Group = Group { x: LANES as u32, y: 4, planes: 1 };

/// The columns of a block that is as wide as the window.
pub const WHOLE_ROW: u32 = u32::MAX;

/// The greatest end of a loop of which work-items take every so many turns: the turn behind the last has its type too.
const LAST_END: i128 = i32::MAX as i128 - 2 * LANES as i128;

/// How the variables of the loops that a row's work-items share are combined, by the turn of each loop.
pub type Shared = BTreeMap<ValueId, Vec<Combined>>;

/// The body for groups that compute rows; none where a row has no loop to share, or its elements have loops of their own.
pub fn by_rows(kernel: &Kernel, body: &Body) -> Option<Body> {
    let is_one_element = |output: &Output| output.channels == 1;
    if !kernel.inputs.iter().all(|input: &Input| input.is_whole) || !kernel.outputs.iter().all(is_one_element) {
        return None;
    }
    let (along, list) = (along(&body.nodes), steps(&body.nodes));
    let shared = shared(body, &ranges(kernel, body).ranges);
    if shared.is_empty() || list.iter().any(|step| matches!(step, Step::Loop(_)) && varies_along_rows(&along, step)) {
        return None;
    }
    let mut body = body.clone();
    for variable in shared.values().flatten() {
        // What one work-item adds up need not fit where the whole sum does.
        let node = &mut body.nodes[variable.combined.0 as usize];
        if node.ty.is_integer() {
            node.op = node.op.wrapping();
        }
    }
    check_opencl(&body, "rows of groups");
    Some(body)
}

/// The values of a list in an order in which those that differ between the elements of a row come last.
pub fn rows_first(nodes: &[Node]) -> Vec<ValueId> {
    let (along, mut order) = (along(nodes), Vec::with_capacity(nodes.len()));
    let (of_elements, of_rows): (Vec<Step>, Vec<Step>) =
        steps(nodes).into_iter().partition(|step| varies_along_rows(&along, step));
    of_rows.iter().chain(&of_elements).for_each(|step| list_step(step, &mut order));
    order
}

/// The loops of a body that the work-items of a row share. `ranges` are those of its values.
pub fn shared(body: &Body, ranges: &[Range]) -> Shared {
    let mut search = Search { body, ranges, along: along(&body.nodes), users: users(body), found: Shared::new() };
    search.of_steps(&steps(&body.nodes));
    search.found
}

struct Search<'a> {
    body: &'a Body,
    ranges: &'a [Range],
    along: Vec<Axes>,
    users: Vec<Vec<ValueId>>,
    found: Shared,
}

impl Search<'_> {
    fn of_steps(&mut self, list: &[Step]) {
        for step in list {
            let Step::Loop(turns) = step else { continue };
            if let Some(variables) = self.of_loop(turns) {
                self.found.insert(turns.turn, variables);
            } else if !self.along[turns.turn.0 as usize].has(AxisId::Y) {
                // The rows of a group come to the barriers of what is inside equally often.
                self.of_steps(&turns.body);
            }
        }
    }

    fn of_loop(&self, turns: &Loop) -> Option<Vec<Combined>> {
        let Op::Turn { start, end, order, .. } = self.body.node(turns.turn).op else { return None };
        let has_inner = turns.body.iter().any(|step| matches!(step, Step::Loop(_)));
        let is_in_reach = |id: ValueId| matches!(self.ranges[id.0 as usize], Range::Int { hi: ..=LAST_END, .. });
        if has_inner
            || turns.body.iter().any(|step| varies_along_rows(&self.along, step))
            || self.body.node(turns.turn).ty != Type::I32
            || ![start, end].into_iter().all(is_in_reach)
        {
            return None;
        }
        let combined = |variable| {
            let combined = combined(self.body, &self.users, order, variable)?;
            (self.body.node(combined.carried).ty != Type::BOOL).then_some(combined)
        };
        turns.variables.iter().copied().map(combined).collect()
    }
}

/// Whether something of a step differs between the elements of a row.
fn varies_along_rows(along: &[Axes], step: &Step) -> bool {
    match step {
        Step::Value(id) => along[id.0 as usize].has(AxisId::X),
        Step::Loop(turns) => turns.body.iter().any(|step| varies_along_rows(along, step)),
    }
}

/// The values of a step, in order.
fn list_step(step: &Step, order: &mut Vec<ValueId>) {
    match step {
        Step::Value(id) => order.push(*id),
        Step::Loop(turns) => turns.body.iter().for_each(|step| list_step(step, order)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::optimise::prepare;

    /// How many variables each loop has that a row's work-items share; none where the kernel has no form by rows.
    fn shared_of(function: &str) -> Option<Vec<usize>> {
        let compiled = windrow_dsl::compile_file(&format!("#[kernel] fn {function}"));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let body = by_rows(kernel, &prepare(kernel).bodies[0])?;
        let shared = shared(&body, &ranges(kernel, &body).ranges);
        Some(shared.values().map(Vec::len).collect())
    }

    fn of_row(body: &str) -> Option<Vec<usize>> {
        shared_of(&format!(
            "f([y, x]: At<2>, a: View<f32>, b: View<i16>) -> f32 {{
                let (width, read) = (a.extents()[1], |x: i32| a.get([y, x]).unwrap_or(0.0));
                let (mut i, mut m) = (0i32, 0f32);
                {body} }}"
        ))
    }

    #[test]
    fn a_row_shares_the_loops_that_reduce() {
        assert_eq!(of_row("sum(0..width, |i| read(i)) + read(x)"), Some(vec![1]));
        assert_eq!(
            of_row("let m = greatest(0..width, |i| read(i)); read(x) / sum(0..width, |i| read(i) - m)"),
            Some(vec![1, 1])
        );
        // An element that has no column.
        assert_eq!(of_row("sum(0..width, |i| read(i))"), Some(vec![1]));
        let two = "for k in 0..width { let e = b.get([y, k]).unwrap_or(0); if e > 3 { i = i.wrapping_add(1); } m = m.max(read(k)); }";
        assert_eq!(of_row(&format!("{two} i as f32 + m + read(x)")), Some(vec![2]));
    }

    #[test]
    fn other_loops_are_not_shared() {
        // Their order counts; a turn reads what was there before; what a turn leaves is read.
        for turn in
            ["s += read(k);", "s = read(s.max(0.0).min(9.0) as i32).max(s);", "s = s.max(read(k)); t = t.min(s);"]
        {
            let body = format!("let (mut s, mut t) = (0f32, 0f32); for k in 0..width {{ {turn} }} s + t + read(x)");
            assert_eq!(of_row(&body), None, "{turn}");
        }
        // An element has a loop of its own.
        assert_eq!(of_row("sum(0..width, |i| read(i)) + sum(0..width, |i| a.get([i, x]).unwrap_or(0.0))"), None);
    }

    #[test]
    fn a_loop_inside_another_is_shared_where_all_rows_of_a_group_take_as_many_turns() {
        let inside = |end: &str| {
            let inner = "for k in 0..width { i = i.wrapping_add(b.get([r, k]).unwrap_or(0) as i32); }";
            of_row(&format!("for r in 0..{end} {{ {inner} }} i as f32 + read(x)"))
        };
        assert_eq!(inside("a.extents()[0]"), Some(vec![1]));
        assert_eq!(inside("y"), None);
    }

    #[test]
    fn what_differs_between_elements_comes_last() {
        let compiled = windrow_dsl::compile_file(
            "#[kernel] fn f([y, x]: At<2>, a: View<f32>) -> f32 {
                let own = a.get([y, x]).unwrap_or(0.0);
                own - greatest(0..a.extents()[1], |i| a.get([y, i]).unwrap_or(0.0)) }",
        );
        let nodes = &prepare(&compiled.kernels[0].kernel).bodies[0].nodes;
        let (along, order) = (along(nodes), rows_first(nodes));
        let varies: Vec<bool> = order.iter().map(|id| along[id.0 as usize].has(AxisId::X)).collect();
        assert!(varies.is_sorted() && varies.contains(&true) && varies.contains(&false));
        assert_eq!(order.len(), nodes.len());
    }
}
