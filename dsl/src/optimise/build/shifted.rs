//! Which values of a body are one expression at different places: a numbering up to shifts along axes.
//!
//! What such values share is found once. A loop over rows computes one of them in a turn, sums over windows of them are factored,
//! and what they can be is asked of one ([`ranges_of_copies`]).

use crate::analyse::ranges;
use crate::ir::{AxisId, Body, Kernel, Numbers, Op, Range, ValueId};
use crate::optimise::build::dead::keep_needed;
use crate::quick::{QuickHasher, QuickTable};
use std::hash::Hasher;

/// A value as one of its class. As an operand, its steps are counted from its user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member<const N: usize> {
    /// The class, by the order of first values.
    pub class: u32,
    /// How many steps it lies along each axis; none where it is the same everywhere.
    pub steps: Option<[i32; N]>,
}

/// The class of each value, where a step along each of the axes counts so many elements.
pub fn shifted<const N: usize>(body: &Body, axes: [(AxisId, i64); N]) -> Vec<Member<N>> {
    let mut known = Numbers::with_capacity(body.nodes.len());
    let mut operands = Operands::default();
    let mut members: Vec<Member<N>> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let own = steps(&node.op, axes);
        let steps = if own.is_some() { own } else { least(&members, &node.op) };
        let op = node.op.map_operands(|id| {
            let mut member = members.as_slice()[id.0 as usize];
            if let (Some(own), Some(steps)) = (&mut member.steps, &steps) {
                combine(own, steps, |own, step| own - step);
            }
            operands.number(member)
        });
        let op = match op {
            Op::Binary(op, a, b) if op.commutes() && b < a => Op::Binary(op, b, a),
            op if own.is_some() => at_steps(op, axes, [0; N]),
            op => op,
        };
        members.push(Member { class: known.of(&op, node.ty).0, steps });
    }
    members
}

/// Members as operands, each once.
#[derive(Debug)]
struct Operands<const N: usize> {
    list: Vec<Member<N>>,
    table: QuickTable,
}

impl<const N: usize> Default for Operands<N> {
    fn default() -> Self {
        Self { list: Vec::new(), table: QuickTable::default() }
    }
}

impl<const N: usize> Operands<N> {
    fn number(&mut self, member: Member<N>) -> ValueId {
        let mut hasher = QuickHasher::default();
        hasher.write_u32(member.class);
        if let Some(steps) = &member.steps {
            steps.iter().for_each(|&step| hasher.write_i32(step));
        }
        let (hash, list) = (hasher.finish(), self.list.as_slice());
        let number = self.table.find(hash, |number| list[number] == member).unwrap_or_else(|| {
            self.list.push(member);
            self.table.add(hash)
        });
        ValueId(number as u32)
    }
}

/// How many steps along the axes an element or a coordinate lies; none for other values.
fn steps<const N: usize>(op: &Op, axes: [(AxisId, i64); N]) -> Option<[i32; N]> {
    match *op {
        Op::Load(ref access) => {
            let own = axes.map(|(axis, by)| access.steps(axis, by));
            own.iter().any(Option::is_some).then(|| own.map(|steps| steps.unwrap_or(0) as i32))
        }
        Op::Coordinate { axis, offset } if axes.iter().any(|&(own, _)| own == axis) => {
            Some(axes.map(|(own, by)| if own == axis { offset.div_euclid(by as i32) } else { 0 }))
        }
        _ => None,
    }
}

/// The same element or coordinate as it is found at these steps.
pub fn at_steps<const N: usize>(op: Op, axes: [(AxisId, i64); N], at: [i32; N]) -> Op {
    let Some(own) = steps(&op, axes) else { return op };
    let by: [_; N] = std::array::from_fn(|place| {
        let (axis, by) = axes[place];
        (axis, by * i64::from(at[place] - own[place]))
    });
    op.moved(&by)
}

/// Combines steps with others, axis by axis.
fn combine<const N: usize>(steps: &mut [i32; N], others: &[i32; N], of: impl Fn(i32, i32) -> i32) {
    let mut axis = 0;
    while axis < N {
        steps[axis] = of(steps[axis], others[axis]);
        axis += 1;
    }
}

/// The least steps of an operation's operands; none where all are the same everywhere.
fn least<const N: usize>(members: &[Member<N>], op: &Op) -> Option<[i32; N]> {
    let mut least: Option<[i32; N]> = None;
    op.for_operands(|id| {
        if let Some(steps) = &members[id.0 as usize].steps {
            combine(least.get_or_insert(*steps), steps, i32::min);
        }
    });
    least
}

/// What the values of a block's body can be, by node: an expression has the same range wherever it stands, so that the first of
/// each class alone is analysed, with what it is computed from. Coordinates are not the same everywhere: a body that asks where
/// it is is analysed whole. Targets ask, where an instruction depends on a range.
pub fn ranges_of_copies(kernel: &Kernel, body: &Body) -> Vec<Range> {
    let Some(classes) = classes(body) else { return ranges(kernel, body).ranges };
    let mut firsts: Vec<ValueId> = Vec::new();
    for (index, &class) in classes.iter().enumerate() {
        if class == firsts.len() {
            firsts.push(ValueId(index as u32));
        }
    }
    let (nodes, ids) = keep_needed(&body.nodes, firsts.iter().copied());
    let first = |class: usize| ids[firsts[class].0 as usize].0 as usize;
    let analysed = Body::plain(body.choice.clone(), nodes, Vec::new());
    let known = ranges(kernel, &analysed).ranges;
    classes.into_iter().map(|class| known[first(class)]).collect()
}

/// The class of each value, in the order of their first values. `None` where a value depends on where it is computed.
fn classes(body: &Body) -> Option<Vec<usize>> {
    if body.nodes.iter().any(|node| matches!(node.op, Op::Coordinate { .. })) {
        return None;
    }
    let members = shifted(body, [(AxisId::Y, 1), (AxisId::X, 1)]);
    Some(members.into_iter().map(|member| member.class as usize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Overflow::Never;
    use crate::ir::{BinaryOp, Block, CastMode, InputId, Tap, Type};
    use crate::optimise::testing::{Raw, kernel};
    use crate::optimise::{Nest, jam, number};

    #[test]
    fn copies_have_the_ranges_of_the_whole() {
        let mut raw = Raw::default();
        let tap = |dx, dy| Tap { input: InputId(0), channel: 0, dx, dy }.op();
        let taps = [tap(-1, 0), tap(0, 0), tap(1, 0), tap(0, 1)].map(|tap| {
            let tap = raw.raw(tap, Type::U8);
            raw.raw(Op::Cast(CastMode::Value, tap), Type::I16)
        });
        let sum =
            taps[1..].iter().fold(taps[0], |sum, &tap| raw.raw(Op::Binary(BinaryOp::Add(Never), sum, tap), Type::I16));
        let rest = raw.raw(Op::Binary(BinaryOp::Sub(Never), sum, taps[1]), Type::I16);
        let body = number(&raw.store(rest));
        let kernel = kernel(Type::U8, body.clone());
        let jammed = jam(&[body], &Nest::block(16, Block { x: 2, y: 4 }));
        let found = ranges_of_copies(&kernel, &jammed);
        assert_eq!(found, ranges(&kernel, &jammed).ranges);
        assert_eq!(found.last().and_then(|range| range.as_int()), Some((0, 765)));
        let classes = classes(&jammed).unwrap_or_default();
        assert_eq!(classes.iter().max(), Some(&5), "taps, widened, and each sum once: {classes:?}");
    }
}
