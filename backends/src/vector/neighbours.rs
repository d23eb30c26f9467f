//! What a selection asks of values that are neighbours in memory: where the elements of an input, or the channels of its
//! pixels, are read as stride-2 pairs, a vector of the first and a vector of the second are two vectors as they lie.

use super::Target;
use super::memory::{LaneOrder, element};
use super::program::VectorId;
use super::selection::Select;
use crate::value_name::wanted;
use std::rc::Rc;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, Constant, InputId, Kernel, Op, Tap, ValueId};
use windrow_dsl::optimise::Graph;

/// Whether every second element of an input's row is another tap's.
pub fn is_by_twos(kernel: &Kernel, input: InputId) -> bool {
    let input = &kernel.inputs[input.0 as usize];
    input.channels * input.stride().0 == 2
}

impl<T: Target> Select<'_, T> {
    /// Whether any input is read as stride-2 pairs.
    pub fn has_twos(&self) -> bool {
        (0..self.kernel.inputs.len() as u32).any(|input| is_by_twos(self.kernel, InputId(input)))
    }

    /// The tap of a value that is every second element of a row.
    pub fn tap_of_two(&self, id: ValueId) -> Option<Tap> {
        self.body.node(id).op.tap().filter(|tap| is_by_twos(self.kernel, tap.input))
    }

    /// Whether the second of two values is the element that lies behind that of the first, for every column.
    pub fn is_behind(&self, first: ValueId, second: ValueId) -> bool {
        let (Some(first), Some(second)) = (self.tap_of_two(first), self.tap_of_two(second)) else { return false };
        let place = |tap: Tap| element(&self.kernel.inputs[tap.input.0 as usize], tap.channel, tap.dx);
        (first.input, first.dy) == (second.input, second.dy) && place(second) == place(first) + 1
    }

    /// The elements of a tap and of the one behind it in turn.
    pub fn behind(&mut self, tap: Tap, first: ValueId, order: LaneOrder) -> Vec<VectorId> {
        let name = self.pairs_name(first);
        self.memory.load_behind(self.target, &mut self.program, self.lanes, tap, order, &name)
    }

    /// The elements of a tap in turn with what lies between them, and the place of its own in each two.
    pub fn around(&mut self, tap: Tap, id: ValueId, order: LaneOrder) -> (Vec<VectorId>, usize) {
        let name = self.pairs_name(id);
        self.memory.load_around(self.target, &mut self.program, self.lanes, tap, order, &name)
    }

    fn pairs_name(&self, id: ValueId) -> Rc<str> {
        format!("{}_pairs", wanted(self.kernel, self.body.node(id))).into()
    }
}

/// Values around a tap's among which one beside it is looked for.
const NEAR: usize = 12;

/// Whether a widened tap, or `most` times it, is a term of a sum that takes in its neighbour by the same instruction: as far
/// as can be seen from near.
pub fn is_pair_term(graph: &Graph<'_>, value: ValueId, most: i128) -> bool {
    let widened = match graph.node(value).op {
        Op::Binary(BinaryOp::Mul(Never | Wrap), x, c) => match graph.node(c).op {
            Op::Constant(Constant::Int(factor)) if factor.abs() <= most => x,
            _ => return false,
        },
        _ => value,
    };
    let Op::Cast(_, tap) = graph.node(widened).op else { return false };
    let (from, wide) = (graph.node(tap).ty, graph.node(widened).ty);
    if !is_tap_of_two(graph, tap) || from.is_float() || 2 * from.bits() != wide.bits() {
        return false;
    }
    let at = tap.0 as usize;
    let mut near = at.saturating_sub(NEAR)..(at + NEAR).min(graph.nodes.len());
    let place = row_place(graph, tap);
    [tap, widened, value].iter().all(|&id| graph.is_used_once(id))
        && near.any(|other| are_beside(place, row_place(graph, ValueId(other as u32))))
}

/// Whether a tap is combined with its neighbour and nothing else, by one operation.
pub fn is_combined(graph: &Graph<'_>, tap: ValueId) -> bool {
    use BinaryOp::*;
    let is_pair = |user: ValueId| match graph.node(user).op {
        Op::Binary(Add(Never | Wrap) | Min | Max, a, b) => {
            are_beside(row_place(graph, a), row_place(graph, b)) && graph.is_used_once(a) && graph.is_used_once(b)
        }
        _ => false,
    };
    graph.users(tap).iter().all(|&user| is_pair(user))
}

fn is_tap_of_two(graph: &Graph<'_>, id: ValueId) -> bool {
    graph.node(id).op.load().is_some_and(|access| is_by_twos(graph.kernel, access.tensor))
}

/// Where a tap lies: its input, the row, and the element of the row.
type RowPlace = (InputId, i32, i64);

fn row_place(graph: &Graph<'_>, id: ValueId) -> Option<RowPlace> {
    let Op::Load(access) = &graph.node(id).op else { return None };
    let Tap { input, channel, dx, dy } = access.tap()?;
    Some((input, dy, element(&graph.kernel.inputs[input.0 as usize], channel, dx)))
}

/// Whether two taps lie side by side.
fn are_beside(a: Option<RowPlace>, b: Option<RowPlace>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a.0, a.1) == (b.0, b.1) && a.2.abs_diff(b.2) == 1,
        _ => false,
    }
}
