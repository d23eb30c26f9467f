//! Single nodes, held to ONNX' own tests: its backend node tests, inputs and outputs.
//!
//! `nodes/nodes.bin` holds the tests, `nodes/collect.py` has written it.

mod common;

use approx::abs_diff_eq;
use common::cases::{Case, Held, read};
use windrow::Serial;
use windrow_graph::{Model, Plan};

/// What ONNX' runner of these tests allows: relative to the expected value, and absolute.
const BOUNDS: (f64, f64) = (1e-3, 1e-7);

#[test]
fn nodes_compute_what_onnx_says() {
    let failures: Vec<String> =
        read().iter().filter_map(|case| failure(case).map(|why| format!("{}: {why}", case.name))).collect();
    assert!(failures.is_empty(), "{} tests fail:\n{}", failures.len(), failures.join("\n"));
}

fn failure(case: &Case) -> Option<String> {
    let plan = match Model::from_onnx(&case.model) {
        Ok(model) => model.plan(),
        Err(error) => return Some(error.to_string()),
    };
    match plan {
        Ok(plan) => outputs(case, &plan),
        Err(error) => Some(error.to_string()),
    }
}

/// What is wrong with the outputs of a plan.
fn outputs(case: &Case, plan: &Plan) -> Option<String> {
    let inputs = case.inputs.iter().zip(plan.inputs());
    let inputs: Vec<Held> = inputs.map(|((_, numbers), (_, info))| Held::new(numbers, info)).collect();
    let mut outputs: Vec<Held> = plan.outputs().map(|(_, info)| Held::zeros(info)).collect();
    let views: Vec<_> = inputs.iter().map(Held::view).collect();
    let mut written: Vec<_> = outputs.iter_mut().map(Held::view_mut).collect();
    if let Err(error) = plan.run(&Serial, &views, &mut written) {
        return Some(error.to_string());
    }
    drop(written);
    for ((found, (_, info)), (extents, expected)) in outputs.iter().zip(plan.outputs()).zip(&case.outputs) {
        if info.shape().extents()[..] != extents[..] {
            return Some(format!("{:?} instead of {extents:?}", info.shape().extents()));
        }
        let (found, expected) = (found.wide(), expected.wide());
        let near = |found: f64, expected: f64| {
            found == expected
                || found.is_nan() && expected.is_nan()
                || abs_diff_eq!(found, expected, epsilon = BOUNDS.1 + BOUNDS.0 * expected.abs())
        };
        if let Some(place) = (0..found.len()).find(|&place| !near(found[place], expected[place])) {
            return Some(format!("element {place} is {} instead of {}", found[place], expected[place]));
        }
    }
    None
}
