//! What the values of a block's body can be: an expression has the same range wherever it stands.
//!
//! A jammed body says everything once for each row and vector. Values that differ by their places alone are of one
//! class; only the first of each class, and what it is computed from, is analysed. Coordinates are not such values: a body
//! that asks where it is is analysed whole. The vector targets ask, where an instruction depends on a range.

use super::shifted::shifted;
use crate::analyse::ranges;
use crate::ir::{AxisId, Body, Kernel, Op, Range, ValueId};
use crate::optimise::build::dead::keep_needed;

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
    let analysed = Body {
        choice: body.choice.clone(),
        nodes,
        guards: Vec::new(),
        obligations: Vec::new(),
        measured: Vec::new(),
        stores,
    };
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
