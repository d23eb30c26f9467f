//! What a network is planned to, as text.

use std::fmt::Write as _;

use windrow_graph::Plan;

use super::{place, typed, values};

/// A line for each step, and below it what is fused into it.
pub fn report(plan: &Plan) -> String {
    let mut text = String::new();
    for (name, info) in plan.inputs() {
        let _ = writeln!(text, "reads `{name}`: {} {}", info.shape(), info.dtype().name());
    }
    for (number, step) in plan.steps().iter().enumerate() {
        let reads = values(step).map(|read| place(read.root)).collect::<Vec<_>>().join(", ");
        let (writes, kernel) = (step.writes(), step.kernel());
        let _ = writeln!(
            text,
            "{number:4}  {kernel}({reads}) → {}, {}: {} `{}`",
            place(writes.root),
            typed(&writes),
            step.operator(),
            step.node()
        );
        for fused in step.fused() {
            let _ = writeln!(text, "      with {} `{}`: {}", fused.operator(), fused.node(), fused.how());
        }
    }
    for (name, info) in plan.outputs() {
        let _ = writeln!(text, "writes `{name}`: {} {}", info.shape(), info.dtype().name());
    }
    let _ = writeln!(
        text,
        "{:.1} MB of constants, {:.1} MB of intermediates in {} buffers",
        plan.constant_bytes() as f64 / 1e6,
        plan.intermediate_bytes() as f64 / 1e6,
        plan.buffers().count()
    );
    text
}
