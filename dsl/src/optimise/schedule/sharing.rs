//! What elements share of loops of their own: turns that the element before has taken already, and turns that add to one element
//! of a row alone.
//!
//! A loop whose range grows with a coordinate is a *scan*: an element's turns are those of the element before it along the axis,
//! in the same order, and some more. So it goes on where that one ended, with the same bits, whatever its turns compute. A sum
//! whose terms are 0 but where a coordinate equals a number that does not depend on it is a *scatter*: a turn adds to the element
//! at that number. Both make the work of a row that of its longest element.

mod scatter;

pub use scatter::{Byte, Deposit, Scatter};

use crate::analyse::ranges;
use crate::ir::loops::{Loop, Step, Variable, has_loops, steps};
use crate::ir::{
    Axes, AxisId, BinaryOp, Body, CastMode, Kernel, Node, Op, Order, Range, ValueId, along_apart, along_but_end,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values of a body with which its loops are looked at: what is shared in longer ones is not found.
const MOST_VALUES: usize = 600;

/// How the elements of a row, and rows, compute a loop that no other one is around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Each element its own turns.
    Own,
    /// Once for all elements of a row.
    Row {
        /// Whether it goes on where it ended in the row before.
        is_resumed: bool,
    },
    /// Each element goes on where it ended in the element before it.
    Resumed,
    /// A turn for all elements of a row, then the next one: the row holds what its variables are.
    Turns {
        /// Whether it goes on where it ended in the row before.
        is_resumed: bool,
    },
    /// A turn adds to one element of a row.
    Scattered(Scatter),
}

/// The loops of a body of which elements share turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Each loop that no other one is around, by its turn.
    ways: BTreeMap<ValueId, Way>,
    /// The loops, inside those of [`Way::Turns`] too, in which an element goes on where the one before it ended, by their turns.
    scans: BTreeMap<ValueId, Scan>,
}

/// A loop in which an element goes on where the one before it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Whether an element takes no more than one turn.
    pub is_by_one: bool,
    /// What a turn adds to each variable, in their order, if it is by one and does nothing else.
    pub terms: Option<Vec<ValueId>>,
    /// The only element of an input that a turn reads, where its column is the turn wherever that is one of the input's.
    pub element: Option<ValueId>,
}

impl Sharing {
    /// How the loop of a turn is computed.
    pub fn way(&self, turn: ValueId) -> &Way {
        self.ways.get(&turn).unwrap_or(&Way::Own)
    }

    /// The loop of a turn, if an element goes on in it where the element before ended.
    pub fn scan(&self, turn: ValueId) -> Option<&Scan> {
        self.scans.get(&turn)
    }

    /// Whether elements share turns of the loop of a turn, other than by computing it once for a row.
    pub fn is_shared(&self, turn: ValueId) -> bool {
        self.scans.contains_key(&turn) || !matches!(self.way(turn), Way::Own | Way::Row { is_resumed: false })
    }

    /// Whether something is carried from row to row.
    pub fn carries_rows(&self) -> bool {
        let carries = |way: &Way| matches!(way, Way::Row { is_resumed: true } | Way::Turns { is_resumed: true });
        self.ways.values().any(carries)
    }
}

/// What the elements of a body share of its loops; none where they share no turns but those that are the same for all of a row.
pub fn sharing(kernel: &Kernel, body: &Body) -> Option<Sharing> {
    let nodes = &body.nodes;
    if !has_loops(nodes) || nodes.len() > MOST_VALUES {
        return None;
    }
    let along = along_apart(nodes);
    let grows = |node: &Node| match node.op {
        Op::Turn { end, .. } => along[end.0 as usize].has(AxisId::X) || along[end.0 as usize].has(AxisId::Y),
        Op::Binary(BinaryOp::Eq, a, b) => [a, b].iter().any(|id| along[id.0 as usize].has(AxisId::X)),
        _ => false,
    };
    if !nodes.iter().any(grows) {
        return None;
    }
    let survey = Survey { kernel, nodes, along: &along, ranges: ranges(kernel, body).ranges };
    let mut sharing = Sharing::default();
    for step in steps(nodes) {
        if let Step::Loop(turns) = &step {
            let way = survey.way(turns);
            if way == Way::Own && survey.is_mixed(turns) {
                return None;
            }
            match way {
                Way::Resumed => _ = sharing.scans.insert(turns.turn, survey.scan(turns)),
                Way::Turns { .. } => {
                    let scans = survey.inside(turns).filter(|own| survey.is_scan(own));
                    sharing.scans.extend(scans.map(|own| (own.turn, survey.scan(own))));
                }
                _ => {}
            }
            sharing.ways.insert(turns.turn, way);
        }
    }
    sharing.ways.keys().any(|turn| sharing.is_shared(*turn)).then_some(sharing)
}

/// What is known of a body.
struct Survey<'a> {
    kernel: &'a Kernel,
    nodes: &'a [Node],
    along: &'a [Axes],
    ranges: Vec<Range>,
}

impl Survey<'_> {
    fn way(&self, turns: &Loop) -> Way {
        let all = turns.variables.iter().map(|variable| variable.carried).chain([turns.turn]);
        let axes: Axes = all.map(|id| self.along(id)).collect();
        let is_resumed = self.goes_on(turns, AxisId::Y);
        if !axes.has(AxisId::X) {
            return Way::Row { is_resumed };
        }
        if self.along(turns.turn).has(AxisId::X) {
            return if self.is_scan(turns) { Way::Resumed } else { Way::Own };
        }
        if let Some(scatter) = scatter::scatter(self, turns) {
            return Way::Scattered(scatter);
        }
        let is_worth_a_row = is_resumed || self.inside(turns).any(|own| self.is_scan(own));
        if is_worth_a_row && self.is_a_row(turns) { Way::Turns { is_resumed } } else { Way::Own }
    }

    /// Whether each element goes on where the one before it in the row ended. What a sum is before its turns may differ from element
    /// to element: it is added behind them.
    fn is_scan(&self, turns: &Loop) -> bool {
        self.along(turns.turn).has(AxisId::X)
            && self.goes_on(turns, AxisId::X)
            && self.reads_what_is_fixed(turns)
            && (turns.variables.iter().all(|own| self.begins_alike(own)) || self.scan(turns).terms.is_some())
    }

    /// Whether all that a turn reads from outside its loop is the same for all elements of a row: a variable of a loop around it may
    /// differ by nothing but how many turns this one has.
    fn reads_what_is_fixed(&self, turns: &Loop) -> bool {
        let mut inside = BTreeSet::new();
        list(&[Step::Loop(turns.clone())], &mut inside);
        let is_outermost = |id: ValueId| id == turns.turn || turns.variables.iter().any(|own| own.carried == id);
        inside.iter().filter(|id| !is_outermost(**id)).all(|&id| {
            let mut is_fixed = true;
            let mut read = |operand: ValueId| {
                is_fixed &= inside.contains(&operand) || !self.along(operand).has(AxisId::X);
            };
            self.node(id).op.for_operands(&mut read);
            is_fixed
        })
    }

    /// Whether a variable is the same for all elements of a row before its loop.
    fn begins_alike(&self, variable: &Variable) -> bool {
        !self.along(variable.before).has(AxisId::X)
    }

    /// Whether an element's turns of a loop are those of the one before it along an axis, and some more.
    fn goes_on(&self, turns: &Loop, axis: AxisId) -> bool {
        let Op::Turn { start, end, order: Order::Written, .. } = self.node(turns.turn).op else { return false };
        if !self.along(end).has(axis) || self.along(start).has(axis) || !self.never_decreases(end, axis) {
            return false;
        }
        // What a turn computes does not depend on the axis; only how many there are.
        let along = along_but_end(self.nodes, turns.turn);
        turns.variables.iter().all(|variable| !along[variable.carried.0 as usize].has(axis))
    }

    fn scan(&self, turns: &Loop) -> Scan {
        let is_by_one = self.grows_by_one(turns);
        let terms = turns.variables.iter().map(|own| self.term_of(turns, own)).collect::<Option<Vec<_>>>();
        let terms = terms.filter(|_| is_by_one && self.inside(turns).next().is_none());
        let elements: Vec<ValueId> = turns.body.iter().filter_map(|step| self.gather(step)).collect();
        let element = match (elements.as_slice(), &self.node(turns.turn).op) {
            ([element], Op::Turn { axis, .. }) => Some(*element).filter(|id| self.is_in_a_row(*id, turns.turn, *axis)),
            _ => None,
        };
        Scan { is_by_one, terms, element }
    }

    /// What a turn adds to an integer, if it depends on no variable.
    fn term_of(&self, turns: &Loop, variable: &Variable) -> Option<ValueId> {
        let term =
            self.added_to(variable.after, variable.carried).filter(|_| self.node(variable.carried).ty.is_integer())?;
        let (mut wanted, mut seen) = (vec![term], BTreeSet::new());
        while let Some(id) = wanted.pop() {
            if turns.variables.iter().any(|own| own.carried == id) {
                return None;
            }
            if seen.insert(id) {
                self.node(id).op.for_operands(|operand| wanted.push(operand));
            }
        }
        Some(term)
    }

    /// The element of an input that a step reads.
    fn gather(&self, step: &Step) -> Option<ValueId> {
        match step {
            Step::Value(id) if matches!(self.node(*id).op, Op::Gather { .. }) => Some(*id),
            _ => None,
        }
    }

    /// Whether the end of a loop is one more at the next element of a row.
    fn grows_by_one(&self, turns: &Loop) -> bool {
        let Op::Turn { mut end, .. } = self.node(turns.turn).op else { return false };
        let is_fixed = |id: ValueId| !self.along(id).has(AxisId::X);
        loop {
            end = match self.node(end).op {
                Op::Coordinate { axis, .. } => return axis == AxisId::X,
                Op::Binary(BinaryOp::Add(_), a, b) if is_fixed(b) => a,
                Op::Binary(BinaryOp::Add(_), a, b) if is_fixed(a) => b,
                Op::Binary(BinaryOp::Sub(_), a, b) if is_fixed(b) => a,
                _ => return false,
            }
        }
    }

    /// Whether a row can hold the variables of a loop while its turns are computed for all of its elements: they begin alike, and
    /// what the turns read from outside is at hand.
    fn is_a_row(&self, turns: &Loop) -> bool {
        let Op::Turn { order: Order::Written, .. } = self.node(turns.turn).op else { return false };
        let are_apart = !self.inside(turns).any(|own| self.is_mixed(own) && !self.is_scan(own));
        let begin_alike = turns.variables.iter().all(|own| self.begins_alike(own));
        are_apart && begin_alike && outside(self.nodes, self.along, turns).is_some()
    }

    /// Whether some variables of a loop are the same for all elements of a row, and some are not: where each element computes it,
    /// none is known before the row.
    fn is_mixed(&self, turns: &Loop) -> bool {
        let mut is_of_row = turns.variables.iter().map(|variable| !self.along(variable.carried).has(AxisId::X));
        let first = is_of_row.next();
        is_of_row.any(|is_of_row| Some(is_of_row) != first)
    }

    /// The loops right inside one.
    fn inside<'l>(&self, turns: &'l Loop) -> impl Iterator<Item = &'l Loop> + use<'l> {
        turns.body.iter().filter_map(|step| match step {
            Step::Loop(own) => Some(own),
            Step::Value(_) => None,
        })
    }

    /// Whether a value is no less at the next coordinate of an axis, all others being equal.
    fn never_decreases(&self, id: ValueId, axis: AxisId) -> bool {
        let is_fixed = |id: ValueId| !self.along(id).has(axis);
        let grows = |id: ValueId| self.never_decreases(id, axis);
        let least = |id: ValueId| self.bounds(id).map_or(i128::MIN, |(lo, _)| lo);
        if is_fixed(id) {
            return true;
        }
        match self.node(id).op {
            Op::Coordinate { axis: own, .. } => own == axis,
            Op::Binary(BinaryOp::Add(_), a, b) => grows(a) && grows(b) && self.fits(id, a, b, |a, b| a + b),
            Op::Binary(BinaryOp::Sub(_), a, b) => grows(a) && is_fixed(b) && self.fits(id, a, b, |a, b| a - b),
            Op::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => grows(a) && grows(b),
            Op::Binary(BinaryOp::Mul(_), a, b) => {
                let of = |value, factor| grows(value) && is_fixed(factor) && least(factor) >= 0;
                (of(a, b) || of(b, a)) && self.fits(id, a, b, i128::saturating_mul)
            }
            Op::Binary(BinaryOp::Div, a, b) => grows(a) && is_fixed(b) && least(b) > 0,
            Op::Binary(BinaryOp::Shr, a, b) => grows(a) && is_fixed(b),
            Op::Cast(CastMode::Saturating, a) => self.bounds(a).is_some() && grows(a),
            // Where a path condition fails, a value may be none of the type's.
            Op::Cast(CastMode::Value, a) => {
                let (lo, hi) = self.node(id).ty.limits();
                self.bounds(a).is_some_and(|own| lo <= own.0 && own.1 <= hi) && grows(a)
            }
            _ => false,
        }
    }

    /// Whether all results of an operation on two values lie in its type.
    fn fits(&self, id: ValueId, a: ValueId, b: ValueId, result: impl Fn(i128, i128) -> i128) -> bool {
        let (Some(a), Some(b)) = (self.bounds(a), self.bounds(b)) else { return false };
        let (lo, hi) = self.node(id).ty.limits();
        let corners = [result(a.0, b.0), result(a.0, b.1), result(a.1, b.0), result(a.1, b.1)];
        corners.iter().all(|corner| (lo..=hi).contains(corner))
    }

    /// The least and the greatest value of an integer.
    fn bounds(&self, id: ValueId) -> Option<(i128, i128)> {
        match self.ranges[id.0 as usize] {
            Range::Int { lo, hi } => Some((lo, hi)),
            _ => None,
        }
    }

    fn node(&self, id: ValueId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn along(&self, id: ValueId) -> Axes {
        self.along[id.0 as usize]
    }
}

/// The values outside a loop, different from element to element of a row, that its turns read, in order, with what they read
/// themselves; none where a loop computes one of them.
pub fn outside(nodes: &[Node], along: &[Axes], turns: &Loop) -> Option<Vec<ValueId>> {
    let mut inside = BTreeSet::new();
    list(&[Step::Loop(turns.clone())], &mut inside);
    let wanted = inside.iter().copied().collect();
    read_by(nodes, along, wanted, &inside)
}

/// The values different from element to element of a row that the end of a loop is computed from, itself the last; none where a
/// loop computes one of them.
pub fn of_end(nodes: &[Node], along: &[Axes], turns: &Loop) -> Option<Vec<ValueId>> {
    read_by(nodes, along, vec![turns.turn], &BTreeSet::from([turns.turn]))
}

fn read_by(
    nodes: &[Node],
    along: &[Axes],
    mut wanted: Vec<ValueId>,
    inside: &BTreeSet<ValueId>,
) -> Option<Vec<ValueId>> {
    let mut found = BTreeSet::new();
    while let Some(id) = wanted.pop() {
        let mut read = |operand: ValueId| {
            let is_new = !inside.contains(&operand) && along[operand.0 as usize].has(AxisId::X);
            if is_new && found.insert(operand) {
                wanted.push(operand);
            }
        };
        nodes[id.0 as usize].op.for_operands(&mut read);
    }
    let of_loop = |id: &ValueId| matches!(nodes[id.0 as usize].op, Op::Outcome { .. } | Op::Carried { .. });
    (!found.iter().any(of_loop)).then(|| found.into_iter().collect())
}

/// The values of steps, those of loops among them too.
fn list(steps: &[Step], all: &mut BTreeSet<ValueId>) {
    for step in steps {
        match step {
            Step::Value(id) => _ = all.insert(*id),
            Step::Loop(turns) => {
                all.insert(turns.turn);
                all.extend(turns.variables.iter().map(|variable| variable.carried));
                list(&turns.body, all);
            }
        }
    }
}
