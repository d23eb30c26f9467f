//! Turns that need no bound: each index of a whole input is bounded by its extent, and a loop that ends there, or before, bounds its
//! turns itself.

use windrow_dsl::ir::{BinaryOp, Body, InputId, Kernel, Op, ValueId};
use windrow_dsl::optimise::remove_dead;

/// The body without bounds of turns that their loops keep. Extents of one name are equal: that is checked whenever inputs are given.
pub fn without_bounds_of_turns(kernel: &Kernel, body: &Body) -> Body {
    let mut changed = false;
    let mut made = body.clone();
    let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
    for (index, node) in body.nodes.iter().enumerate() {
        let bounded = match node.op {
            Op::Binary(BinaryOp::Min, a, b) => {
                [(a, b), (b, a)].into_iter().find(|&(turn, last)| is_below(kernel, body, turn, last))
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
fn is_below(kernel: &Kernel, body: &Body, turn: ValueId, last: ValueId) -> bool {
    let (Op::Turn { end, .. }, Op::Binary(BinaryOp::Sub(_), extent, one)) = (&body.node(turn).op, &body.node(last).op)
    else {
        return false;
    };
    let of = |id: ValueId| match body.node(id).op {
        Op::Extent { input, dimension } => Some(kernel.first_extent(input, dimension)),
        _ => None,
    };
    let is_one = body.node(*one).op.integer() == Some(1);
    of(*extent).is_some_and(|extent| is_one && is_at_most(body, *end, extent, &of))
}

/// Whether a value is an extent, or the least of it and others.
fn is_at_most(
    body: &Body,
    value: ValueId,
    most: (InputId, u32),
    extent: &impl Fn(ValueId) -> Option<(InputId, u32)>,
) -> bool {
    let is_least = |a: ValueId, b: ValueId| [a, b].into_iter().any(|part| is_at_most(body, part, most, extent));
    extent(value) == Some(most) || matches!(body.node(value).op, Op::Binary(BinaryOp::Min, a, b) if is_least(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::lockstep::lockstep;
    use windrow_dsl::optimise::prepare;

    /// The bounds of turns in a kernel whose loop has this end and reads this element, before and after.
    fn bounds(end: &str, element: &str) -> [usize; 2] {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel] fn f([y, x]: At<2>, #[shape(h, w)] src: View<f32>, #[shape(_, l)] other: View<f32>,
                #[shape(l, w)] equal: View<f32>, #[uniform(1..=9)] r: i32) -> f32 {{
                let ([height, width], [_, length]) = (src.extents(), other.extents());
                let mut sum = other.get([0, x.min(length - width)]).unwrap_or(0.0);
                sum += equal.get([0, x.min(height)]).unwrap_or(0.0);
                for k in {end} {{ sum += {element}.unwrap_or(0.0); }} sum }}"
        ));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let body = lockstep(kernel, &prepare(kernel).bodies[0]).unwrap();
        let bounded = |body: &Body| {
            let is_turn = |id: ValueId| matches!(body.node(id).op, Op::Turn { .. });
            let is_bound = |op: &Op| matches!(*op, Op::Binary(BinaryOp::Min, a, b) if is_turn(a) || is_turn(b));
            body.nodes.iter().filter(|node| is_bound(&node.op)).count()
        };
        [bounded(&body), bounded(&without_bounds_of_turns(kernel, &body))]
    }

    #[test]
    fn turns_of_a_loop_that_ends_with_an_extent_need_no_bound() {
        for (end, element) in [
            ("0..width", "src.get([y, k])"),
            ("0..height", "src.get([k, y])"),
            ("0..r.min(length.min(width))", "src.get([y, k])"),
            // Another tensor's, of one name.
            ("0..width", "equal.get([y, k])"),
            ("0..length", "equal.get([k, y])"),
        ] {
            assert_eq!(bounds(end, element), [1, 0], "{end} {element}");
        }
        // Ends that may lie behind the extent: a uniform, an extent of another name, the greater of two, another dimension's.
        for (end, element) in [
            ("0..r", "src.get([y, k])"),
            ("0..length", "src.get([y, k])"),
            ("0..r.max(width)", "src.get([y, k])"),
            ("0..height", "src.get([y, k])"),
            ("0..width - 1 + r", "src.get([y, k])"),
            ("0..height", "equal.get([k, y])"),
        ] {
            let [before, after] = bounds(end, element);
            assert!(before > 0 && before == after, "{end} {element}");
        }
    }
}
