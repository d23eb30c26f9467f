//! Which inputs a body reads strip by strip: their columns that it reads for an element are that element's own, so that a copy of a
//! few columns serves all elements in these.

use windrow_dsl::ir::{AxisId, BinaryOp, Body, InputId, Kernel, Node, Op, ValueId, along};

/// The inputs that a body in lockstep reads so, in loops whose turns read the same rows for all elements of a column: a bit for
/// each, the first one's the lowest.
pub fn strips(kernel: &Kernel, body: &Body) -> u32 {
    let along = along(&body.nodes);
    let is_shared = |row: ValueId| {
        let axes = along[row.0 as usize];
        let moves = |axis: AxisId| axes.has(axis);
        let moves_outside = (0..AxisId::OUTER).map(AxisId::outer).any(moves);
        !axes.of_loops().is_empty() && !moves(AxisId::X) && !moves(AxisId::Y) && !moves_outside
    };
    let is_own = |node: &Node, input: InputId| match node.op {
        Op::Contiguous { row, first, last, axis: AxisId::X, .. } => {
            let first = &body.node(first).op;
            is_shared(row)
                && matches!(first, Op::Coordinate { axis: AxisId::STEP, offset: 0 })
                && is_last_column(kernel, body, input, last)
        }
        _ => false,
    };
    let is_strip = |input: InputId| {
        let mut reads = body.nodes.iter().filter(|node| input_of(node) == Some(input)).peekable();
        reads.peek().is_some() && reads.all(|node| is_own(node, input))
    };
    let inputs = (0..kernel.inputs.len() as u32).map(InputId);
    inputs.filter(|&input| is_strip(input)).fold(0, |bits, input| bits | 1 << input.0)
}

/// The whole input that a value reads.
fn input_of(node: &Node) -> Option<InputId> {
    match node.op {
        Op::Gather { input, .. } | Op::Fetch { input, .. } | Op::Contiguous { input, .. } => Some(input),
        _ => None,
    }
}

/// Whether a value is the last column of an input.
fn is_last_column(kernel: &Kernel, body: &Body, input: InputId, value: ValueId) -> bool {
    let Op::Binary(BinaryOp::Sub(_), width, one) = body.node(value).op else { return false };
    let columns = kernel.inputs[input.0 as usize].dimensions().checked_sub(1);
    let is_width =
        matches!(body.node(width).op, Op::Extent { input: of, dimension } if of == input && Some(dimension) == columns);
    is_width && body.node(one).op.integer() == Some(1)
}

#[cfg(test)]
mod tests {
    use super::super::lockstep::lockstep;
    use super::*;
    use windrow_dsl::optimise::prepare;

    /// The inputs that a kernel over matrices `a` and `b` reads strip by strip, where this is what a turn adds.
    fn of(term: &str) -> u32 {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel] fn f([y, x]: At<2>, a: View<f32>, b: View<f32>, #[uniform(0..=9)] r: i32) -> f32 {{
                let ([_, width], [height, columns]) = (a.extents(), b.extents());
                let mut sum = 0.0;
                for k in 0..width.min(height) {{ sum += a[[y.min(0), k]] * {term}; }}
                sum
            }}"
        ));
        assert!(compiled.errors.is_empty(), "{term}: {}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        strips(kernel, &lockstep(kernel, &prepare(kernel).bodies[0]).unwrap())
    }

    #[test]
    fn an_element_reads_a_strip_in_its_own_column_alone() {
        for own in
            ["b[[k, x.min(columns - 1)]]", "b.get([k + r, x]).unwrap_or(0.0)", "b.get([r - 2 * k, x]).unwrap_or(0.0)"]
        {
            assert_eq!(of(own), 2, "{own}");
        }
        for other in [
            // Another column, one that is not the element's behind some other than the last, and one more besides.
            "b.get([k, x + 1]).unwrap_or(0.0)",
            "b.get([k, x - r]).unwrap_or(0.0)",
            "b.get([k, x.min(7)]).unwrap_or(0.0)",
            "b.get([k, x / 2]).unwrap_or(0.0)",
            "b.get([x, k]).unwrap_or(0.0)",
            "b.get([k, x]).unwrap_or(0.0) * b.get([k, 0]).unwrap_or(0.0)",
            // Rows of an element's own are read once, as is a row that all turns read.
            "b.get([y + k, x]).unwrap_or(0.0)",
            "b.get([r, x]).unwrap_or(0.0)",
        ] {
            assert_eq!(of(other), 0, "{other}");
        }
    }

    #[test]
    fn weights_of_all_places_are_strips() {
        let compiled = windrow_dsl::compile_file(
            "#[kernel] fn f([n, y, x, k]: At<4>, src: View<f32, 4>, weights: View<f32, 4>, own: View<f32, 4>) -> f32 {
                let [rows, columns, channels, _] = weights.extents();
                let mut sum = 0.0;
                for row in 0..rows { for column in 0..columns { for c in 0..channels {
                    sum += src.get([n, y + row, x + column, c]).unwrap_or(0.0)
                        * weights.get([row, column, c, k]).unwrap_or(0.0)
                        * own.get([n, row, c, k]).unwrap_or(0.0);
                } } }
                sum
            }",
        );
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        // Those of each image are not.
        assert_eq!(strips(kernel, &lockstep(kernel, &prepare(kernel).bodies[0]).unwrap()), 0b010);
    }
}
