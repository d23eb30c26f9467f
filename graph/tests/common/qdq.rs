//! Quantised networks of ONNX in files, and what onnxruntime answers.

use windrow::{AnyView, Serial, Tensor, tensor::DType};
use windrow_graph::{Model, Plan};

use super::path;

/// Networks of a few layers, in the order of their names.
pub const SMALL: [&str; 11] = [
    "between",
    "convolutions_int8",
    "convolutions_uint8",
    "dynamic",
    "integers_out",
    "moved",
    "products",
    "products_qgemm",
    "qlinear",
    "sums",
    "weights_uint8",
];

pub fn bytes(name: &str) -> Vec<u8> {
    let path = path("qdq").join(format!("{name}.onnx"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn model(name: &str) -> Model {
    Model::from_onnx(&bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn plan(name: &str) -> Plan {
    model(name).plan().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The first output for the input of a case: floats, or integers of 8 bits as floats.
pub fn answer(name: &str, plan: &Plan) -> Vec<f32> {
    let input = super::input(name, plan);
    output(plan, input.view().any())
}

/// The first output for an input.
pub fn output(plan: &Plan, input: AnyView<'_>) -> Vec<f32> {
    let (_, output) = plan.outputs().next().unwrap();
    if output.dtype() == DType::I8 {
        let found: Vec<Tensor<i8>> = plan.apply(&Serial, &[input]).unwrap();
        return found[0].to_vec().into_iter().map(f32::from).collect();
    }
    let found: Vec<Tensor<f32>> = plan.apply(&Serial, &[input]).unwrap();
    found[0].to_vec()
}
