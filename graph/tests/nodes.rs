//! Single nodes, held to ONNX' own tests: its backend node tests, inputs and outputs.
//!
//! `nodes/nodes.bin` holds the tests, `nodes/collect.py` has written it. Inputs of networks are integers here, too.

mod common;

use approx::abs_diff_eq;
use common::cases::{Case, Held, read};
use windrow::Serial;
use windrow_graph::{Model, Plan};

/// What ONNX' runner of these tests allows: relative to the expected value, and absolute.
const BOUNDS: (f64, f64) = (1e-3, 1e-7);

#[test]
fn nodes_compute_what_onnx_says() {
    let failures: Vec<String> = read("nodes.bin").iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{} tests fail:\n{}", failures.len(), failures.join("\n"));
}

/// Shapes that the file leaves open are those of the case.
fn failure(case: &Case) -> Option<String> {
    let found = plan(case).map(|plan| outputs(case, &plan));
    found.unwrap_or_else(Some).map(|why| format!("{}: {why}", case.name))
}

fn plan(case: &Case) -> Result<Plan, String> {
    let mut model = Model::from_onnx(&case.model).map_err(|error| error.to_string())?;
    let names: Vec<String> = model.inputs().map(|(name, _)| name.to_owned()).collect();
    for (name, (extents, _)) in names.iter().zip(&case.inputs) {
        model.set_input_shape(name, extents).map_err(|error| error.to_string())?;
    }
    model.plan().map_err(|error| error.to_string())
}

/// Networks whose inputs are integers, and whose shapes nodes compute: `nodes/words.py` has made them.
#[test]
fn networks_of_words_answer_as_onnxruntime_does() {
    for case in read("words.bin") {
        assert_eq!(failure(&case), None);
        let plan = plan(&case).unwrap();
        let kernels: Vec<_> = plan.steps().iter().map(|step| step.kernel()).collect();
        // Nothing is left of shapes, nor of the numbers that are made of them.
        let of_shapes = ["gather_i32", "multiply_i32", "compare_i32", "select_i32", "compare_u8"];
        assert!(kernels.iter().all(|kernel| !of_shapes.contains(kernel)), "{kernels:?}");
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
