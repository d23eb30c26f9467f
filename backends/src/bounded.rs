//! Turns that need no bound: each index of a whole input is bounded by its extent, and a loop that ends there, or before, bounds its
//! turns itself.

use windrow_dsl::ir::{BinaryOp, Body, Op, ValueId};
use windrow_dsl::optimise::remove_dead;

/// The body without bounds of turns that their loops keep.
pub fn without_bounds_of_turns(body: &Body) -> Body {
    let mut changed = false;
    let mut made = body.clone();
    let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
    for (index, node) in body.nodes.iter().enumerate() {
        let bounded = match node.op {
            Op::Binary(BinaryOp::Min, a, b) => {
                [(a, b), (b, a)].into_iter().find(|&(turn, last)| is_below(body, turn, last))
            }
            _ => None,
        };
        changed |= bounded.is_some();
        ids.push(bounded.map_or(ValueId(index as u32), |(turn, _)| ids[turn.0 as usize]));
    }
    if !changed {
        return made;
    }
    for node in &mut made.nodes {
        node.op = node.op.map_operands(|id| ids[id.0 as usize]);
    }
    remove_dead(&made)
}

/// Whether a value is a turn of a loop that ends no later than behind the value `last`.
fn is_below(body: &Body, turn: ValueId, last: ValueId) -> bool {
    let (Op::Turn { end, .. }, Op::Binary(BinaryOp::Sub(_), extent, one)) = (&body.node(turn).op, &body.node(last).op)
    else {
        return false;
    };
    body.node(*one).op.integer() == Some(1)
        && matches!(body.node(*extent).op, Op::Extent { .. })
        && is_at_most(body, *end, *extent)
}

/// Whether a value is another, or the least of it and others.
fn is_at_most(body: &Body, value: ValueId, most: ValueId) -> bool {
    value == most
        || matches!(body.node(value).op, Op::Binary(BinaryOp::Min, a, b) if is_at_most(body, a, most) || is_at_most(body, b, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::lockstep::lockstep;
    use windrow_dsl::optimise::prepare;

    /// The bounds of turns in a kernel whose loop has this end and reads at this place, before and after.
    fn bounds(end: &str, place: &str) -> [usize; 2] {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel] fn f([y, x]: At<2>, src: View<f32>, other: View<f32>, #[uniform(1..=9)] r: i32) -> f32 {{
                let ([height, width], [_, length]) = (src.extents(), other.extents());
                let mut sum = other.get([0, x.min(length - width)]).unwrap_or(0.0);
                for k in {end} {{ sum += src.get({place}).unwrap_or(0.0); }} sum }}"
        ));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let body = lockstep(kernel, &prepare(kernel).bodies[0]).unwrap();
        let bounded = |body: &Body| {
            let is_turn = |id: ValueId| matches!(body.node(id).op, Op::Turn { .. });
            let is_bound = |op: &Op| matches!(*op, Op::Binary(BinaryOp::Min, a, b) if is_turn(a) || is_turn(b));
            body.nodes.iter().filter(|node| is_bound(&node.op)).count()
        };
        [bounded(&body), bounded(&without_bounds_of_turns(&body))]
    }

    #[test]
    fn turns_of_a_loop_that_ends_with_an_extent_need_no_bound() {
        for (end, place) in [("0..width", "[y, k]"), ("0..height", "[k, y]"), ("0..r.min(length.min(width))", "[y, k]")]
        {
            assert_eq!(bounds(end, place), [1, 0], "{end}");
        }
        // Ends that may lie behind the extent: a uniform, another tensor's extent, the greater of two, another dimension's.
        for (end, place) in [
            ("0..r", "[y, k]"),
            ("0..length", "[y, k]"),
            ("0..r.max(width)", "[y, k]"),
            ("0..height", "[y, k]"),
            ("0..width - 1 + r", "[y, k]"),
        ] {
            let [before, after] = bounds(end, place);
            assert!(before > 0 && before == after, "{end}");
        }
    }
}
