//! What a node's attributes, tensors and shapes are to its kernel.

use windrow::{Serial, prelude::*};
use windrow_graph::{Attribute, CustomOperator, CustomOperators, Model};

use crate::{
    EXAMPLE, answer, bits, common,
    common::{
        file::{File, float, floats, integer, word},
        values,
    },
    kernels::upsample_gated,
    model, one,
};

#[test]
fn attributes_are_found_by_their_names() {
    let x = [1.0f32, -3.0, 0.25, 2.5];
    let of = |attributes: &[Vec<u8>]| answer(&model(&one("KeepAbove", &[4], &["x"], attributes)).plan().unwrap(), &x);
    assert_eq!(of(&[float("level", 2.0)]), [0.0, -3.0, 0.0, 2.5]);
    assert_eq!(of(&[integer("level", 2)]), [0.0, -3.0, 0.0, 2.5], "an integer is a float, too");
    assert_eq!(of(&[]), [1.0, -3.0, 0.0, 2.5], "the default");
    // A list is an array, another name is a uniform's, and a function makes one of shapes.
    let sum = one("WeighedSum", &[2, 2], &["x", "x"], &[floats("w", &[1.0, 0.5]), word("side", "columns")]);
    assert_eq!(answer(&model(&sum).plan().unwrap(), &x), [3.5, -2.5, 2.375, 5.75]);
}

#[test]
fn a_text_names_the_value_of_a_variant() {
    const INT32: i64 = 6;
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<windrow_operators::add_i32>("com.example.AddInts")).unwrap();
    let file = File::default().input_of("x", INT32, &[2]).output("y");
    let of = |policy: &str| {
        let file = file.clone().node_of(EXAMPLE, "AddInts", &["x", "x"], &["y"], &[word("policy", policy)]);
        Model::from_onnx_with(&file.bytes(), &operators)
    };
    let x = View::from_slice(&[i32::MAX, 5], [2]).unwrap();
    for (policy, greatest) in [("wrap", -2), ("saturate", i32::MAX)] {
        let plan = of(policy).unwrap().plan().unwrap();
        assert_eq!(plan.apply::<i32>(&Serial, &[x.any()]).unwrap()[0].to_vec(), [greatest, 10], "{policy}");
    }
    let error = of("trap").unwrap().plan().unwrap_err().to_string();
    let expected = "node `the AddInts` (`com.example.AddInts`): `policy` of `add_i32` is `trap`, expected one of `wrap`, `saturate`";
    assert_eq!(error, expected);
}

#[test]
fn tensors_that_repeat_are_aligned_as_numpy_does() {
    let file = File::new(&[2, 2, 2, 3]).floats("row", &[2, 1, 3], &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]).node_of(
        EXAMPLE,
        "WeighedSum",
        &["x", "row"],
        &["y"],
        &[floats("w", &[1.0, 1.0])],
    );
    let x: Vec<f32> = (0..24).map(|place| place as f32 * 100.0).collect();
    let expected: Vec<f32> =
        (0..24).map(|place| place as f32 * 100.0 + (place / 6 % 2 * 10 + place % 3) as f32).collect();
    assert_eq!(answer(&model(&file).plan().unwrap(), &x), expected);
}

#[test]
fn a_step_reads_seven_intermediates() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let mut file = File::new(&[3]);
    let mut before = "x";
    for name in names {
        file = file.node("Neg", &[before], &[name]);
        before = name;
    }
    let plan = model(&file.node_of(EXAMPLE, "SumOfSeven", &names, &["y"], &[])).plan().unwrap();
    assert_eq!(answer(&plan, &[1.0, -2.0, 0.5]), [-1.0, 2.0, -0.5]);
}

#[test]
fn a_kernel_of_images_runs_plane_by_plane() {
    let file = one("Slope", &[1, 2, 2, 3], &["x"], &[]);
    let x = [1.0f32, 2.0, 4.0, 0.0, 0.0, 1.0, 5.0, 5.0, 5.0, 3.0, 2.0, 1.0];
    let expected = [1.0, 3.0, 2.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, -2.0, -1.0];
    assert_eq!(answer(&model(&file).plan().unwrap(), &x), expected);
    // Behind a convolution, whose channels lie side by side.
    let one_by_one = File::new(&[1, 2, 2, 3])
        .floats("w", &[2, 2, 1, 1], &[1.0, 0.0, 0.0, 1.0])
        .node("Conv", &["x", "w"], &["same"])
        .node_of(EXAMPLE, "Slope", &["same"], &["slope"], &[])
        .node("Identity", &["slope"], &["y"]);
    assert_eq!(answer(&model(&one_by_one).plan().unwrap(), &x), expected);
}

#[test]
fn integers_without_a_sign_are_those_of_the_file() {
    const UINT8: i64 = 2;
    let file = File::default()
        .input_of("x", UINT8, &[2, 3])
        .output("y")
        .node("Reshape", &["x", "shape"], &["z"])
        .integers("shape", &[3, 2])
        .node_of(EXAMPLE, "CountFrom", &["z"], &["y"], &[integer("bound", 100)]);
    let direct = File::default().input_of("x", UINT8, &[3, 2]).output("y").node_of(
        EXAMPLE,
        "CountFrom",
        &["x"],
        &["y"],
        &[integer("bound", 100)],
    );
    let bytes = [100u8, 200, 99, 0, 255, 100];
    for (file, extents) in [(file, [2, 3]), (direct, [3, 2])] {
        let plan = model(&file).plan().unwrap();
        let x = View::from_slice(&bytes, extents).unwrap();
        assert_eq!(plan.apply::<i32>(&Serial, &[x.any()]).unwrap()[0].to_vec(), [2, 0, 2]);
    }
}

#[test]
fn shapes_behind_an_operator_are_known() {
    let file = File::new(&[1, 2, 2, 3])
        .floats("gate", &[1, 2], &[1.0, 1.0])
        .integers("minus", &[-1])
        .node_of(EXAMPLE, "UpsampleGated", &["x", "gate"], &["up"], &[integer("times", 2)])
        .node("Shape", &["up"], &["extents"])
        .node_with("Slice", &["extents", "two", "four"], &["tail"], &[])
        .integers("two", &[2])
        .integers("four", &[4])
        .node_with("Concat", &["minus", "tail"], &["shape"], &[integer("axis", 0)])
        .node("Reshape", &["up", "shape"], &["y"]);
    let plan = model(&file).plan().unwrap();
    assert_eq!(plan.outputs().next().unwrap().1.shape().extents().to_vec(), [2, 4, 6]);
}

#[test]
fn operators_of_a_file_of_tflite_are_computed() {
    let file = std::fs::read(common::path("custom/upsample.tflite")).unwrap();
    let mut operators = CustomOperators::new();
    let operator = CustomOperator::new::<upsample_gated>("UpsampleGated");
    operators
        .add(operator.clone().computed("times", &["times", "weights", "mode"], |node| {
            assert_eq!(node.attribute("weights"), Some(&Attribute::Floats(vec![0.5, 2.0])));
            assert_eq!(node.attribute("mode"), Some(&Attribute::Text("nearest".to_owned())));
            node.attribute("times").cloned().ok_or_else(|| "it has none".to_owned())
        }))
        .unwrap();
    let x = values("upsample/x", 60, -2.0, 2.0);
    let tanh = windrow_operators::tanh::apply(&Tensor::from_vec(x.clone(), [1, 60]).unwrap()).unwrap().to_vec();
    let gate = [1.0f32, -0.5, 2.0];
    let up: Vec<f32> = (0..240)
        .map(|place| {
            let (c, column, row) = (place % 3, place / 3 % 10, place / 30);
            tanh[(row / 2 * 5 + column / 2) * 3 + c] * gate[c]
        })
        .collect();
    let expected = windrow_operators::tanh::apply(&Tensor::from_vec(up, [1, 240]).unwrap()).unwrap().to_vec();
    let plan = Model::from_bytes_with(&file, &operators).unwrap().plan().unwrap();
    assert_eq!(bits(&answer(&plan, &x)), bits(&expected));
    // The convolution's memory is the kernel's order: nothing is copied.
    assert!(plan.steps().iter().all(|step| step.kernel() != "copy"));

    let mut operators = CustomOperators::new();
    operators.add(operator).unwrap();
    let error = Model::from_tflite_with(&file, &operators).unwrap_err();
    let expected =
        "node `up` (`UpsampleGated`): it has an attribute `mode`, which the operator does not have; it has `times`";
    assert_eq!(error.to_string(), expected);
}
