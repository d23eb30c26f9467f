//! What the values of a block's body can be: an expression has the same range wherever it stands.
//!
//! A jammed body says everything once for each row and vector. Values that differ by their places alone are of one
//! class; only the first of each class, and what it is computed from, is analysed. Coordinates are not such values: a body
//! that asks where it is is analysed whole. The vector targets ask, where an instruction depends on a range.

use super::dead::keep_needed;
use crate::analyse::ranges;
use crate::ir::{AxisId, Body, Kernel, Numbers, Op, QuickMap, Range, ValueId};

/// The ranges of a jammed body's values, by node.
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
    let stores = Vec::new();
    let analysed = Body { choice: body.choice.clone(), nodes, guards: Vec::new(), obligations: Vec::new(), stores };
    let known = ranges(kernel, &analysed).ranges;
    classes.into_iter().map(|class| known[first(class)]).collect()
}

/// A value as one of its class: how far it stands from the class's own place, if it moves at all.
#[derive(Clone, Copy)]
struct Member {
    class: u32,
    x: i32,
    y: i32,
    moves: bool,
}

/// The class of each value, in the order of their first values. `None` where a value depends on where it is computed.
fn classes(body: &Body) -> Option<Vec<usize>> {
    let mut known = Numbers::default();
    // An operand is numbered by its class and its place relative to the user.
    let mut operands_seen: QuickMap<(u32, bool, i32, i32), u32> = QuickMap::default();
    let mut members: Vec<Member> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let (op, x, y, moves) = match node.op {
            Op::Coordinate { .. } => return None,
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => (node.op.clone(), 0, 0, false),
            Op::Load(ref access) => {
                let [y, x] = [AxisId::Y, AxisId::X].map(|axis| access.steps(axis, 1).unwrap_or(0));
                let access = access.moved(&[(AxisId::Y, -y), (AxisId::X, -x)]);
                (Op::Load(access), x as i32, y as i32, true)
            }
            Op::Lookup { .. } | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                let place = least(&members, &node.op);
                let (x, y) = place.unwrap_or((0, 0));
                let op = node.op.map_operands(|id| {
                    let Member { class, x: own_x, y: own_y, moves } = members[id.0 as usize];
                    let (dx, dy) = if moves { (own_x - x, own_y - y) } else { (0, 0) };
                    let count = operands_seen.len() as u32;
                    ValueId(*operands_seen.entry((class, moves, dx, dy)).or_insert(count))
                });
                (op, x, y, place.is_some())
            }
        };
        members.push(Member { class: known.of(&op, node.ty).0, x, y, moves });
    }
    Some(members.into_iter().map(|member| member.class as usize).collect())
}

/// The least place of an operation's operands; none where none moves.
fn least(members: &[Member], op: &Op) -> Option<(i32, i32)> {
    let list = op.operands();
    let count = list.len();
    let mut found = None;
    let mut place = 0;
    while place < count {
        let member = members[list[place].0 as usize];
        if member.moves {
            found = match found {
                None => Some((member.x, member.y)),
                Some((x, y)) => Some((member.x.min(x), member.y.min(y))),
            };
        }
        place += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Raw, kernel};
    use super::super::{jam, number};
    use super::*;
    use crate::ir::Overflow::Never;
    use crate::ir::{BinaryOp, Block, CastMode, InputId, Tap, Type};

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
        let jammed = jam(&body, 16, Block { x: 2, y: 4 });
        let found = ranges_of_copies(&kernel, &jammed);
        assert_eq!(found, ranges(&kernel, &jammed).ranges);
        assert_eq!(found.last().and_then(|range| range.as_int()), Some((0, 765)));
        let classes = classes(&jammed).unwrap_or_default();
        assert_eq!(classes.iter().max(), Some(&5), "taps, widened, and each sum once: {classes:?}");
    }
}
