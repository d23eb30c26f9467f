//! What is wrong with a model is said with the names of the node and the value, and the rule.

mod common;

use windrow::{Serial, Tensor, View};
use windrow_graph::{Malformed, Model, ModelError, PlanError, PlanOptions, RunPlanError};

use common::{
    bytes,
    file::{File, integer, integers, message, word},
    quantized,
};

fn model_error(file: &File) -> String {
    Model::from_onnx(&file.bytes()).unwrap_err().to_string()
}

fn plan_error(file: &File) -> String {
    Model::from_onnx(&file.bytes()).unwrap().plan().unwrap_err().to_string()
}

#[test]
fn bytes_that_are_no_file_are_refused() {
    assert_eq!(Model::from_onnx(&[]), Err(Malformed::NoGraph.into()));
    assert_eq!(Model::from_onnx(&[0x3a, 5, 0]), Err(Malformed::Truncated { at: 2 }.into()));
    assert_eq!(Model::from_onnx(&[0x3a, 1, 0x0c]), Err(Malformed::WireType { at: 2, found: 4 }.into()));
    // A graph that is a number, and a name that is no text.
    let found = Malformed::Field { message: "ModelProto", field: 7, at: 2 };
    assert_eq!(Model::from_onnx(&[0x38, 5]), Err(found.into()));
    let file = message(7, &message(1, &message(3, &[0xff])));
    assert!(matches!(
        Model::from_onnx(&file),
        Err(ModelError::Malformed(Malformed::Text { message: "NodeProto", .. }))
    ));
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    for name in ["squeeze", "mobile", "views", "squeezenet"] {
        let bytes = bytes(name);
        for length in 0..bytes.len() {
            assert!(Model::from_onnx(&bytes[..length]).is_err(), "{name}, its first {length} bytes");
        }
    }
}

/// Messages in messages, as types of sequences are: a reader that recurses runs out of stack.
/// A file of TFLite's may end in bytes that nothing needs, which fill up a word.
#[test]
fn a_tflite_file_that_is_cut_off_is_refused() {
    for name in quantized::SMALL {
        let bytes = quantized::file(&format!("{name}.tflite"));
        for end in 0..bytes.len() - 16 {
            let found = Model::from_tflite(&bytes[..end]);
            assert!(found.is_err(), "{name}: the first {end} of {} bytes are read", bytes.len());
        }
    }
    let found = Model::from_tflite(b"no model").unwrap_err().to_string();
    assert_eq!(found, "this is no model that can be read: TFLite's files have `TFL3` behind their first 4 bytes");
}

#[test]
fn a_file_of_any_depth_is_read() {
    let mut nested = Vec::new();
    for _ in 0..20_000 {
        // Written from the inside to the outside, and so backwards.
        for field in [1u64, 4] {
            let mut head = message(field, &[]);
            head.truncate(1);
            let mut length = nested.len() as u64;
            while length > 127 {
                head.push(length as u8 | 128);
                length >>= 7;
            }
            head.push(length as u8);
            nested.extend(head.into_iter().rev());
        }
    }
    nested.reverse();
    let graph = message(7, &message(13, &message(2, &nested)));
    let file = [graph, message(8, &[16, 13])].concat();
    let model = Model::from_onnx(&file).unwrap();
    assert_eq!((model.inputs().len(), model.outputs().len()), (0, 0));
}

#[test]
fn versions_that_are_not_read_are_named() {
    let file = File::new(&[1]).node("Relu", &["x"], &["y"]);
    for version in [6, 23] {
        let error = Model::from_onnx(&file.of_opset(version)).unwrap_err();
        assert_eq!(error, ModelError::Opset { found: Some(version) });
    }
    assert!((7..=22).all(|version| Model::from_onnx(&file.of_opset(version)).is_ok()));
}

#[test]
fn nodes_read_what_is_there_before() {
    let file = File::new(&[1]).node("Relu", &["z"], &["y"]);
    assert_eq!(model_error(&file), "node `the Relu` reads `z`, which nothing writes");
    let cycle =
        File::new(&[1]).node("Add", &["x", "b"], &["a"]).node("Relu", &["a"], &["b"]).node("Relu", &["b"], &["y"]);
    assert_eq!(model_error(&cycle), "node `the Add` reads `b`, which only this node or a later one writes");
    let own = File::new(&[1]).node("Add", &["x", "y"], &["y"]);
    assert_eq!(model_error(&own), "node `the Add` reads `y`, which only this node or a later one writes");
    let twice = File::new(&[1]).node("Relu", &["x"], &["y"]).node("Clip", &["x"], &["y"]);
    let expected = "node `the Clip` writes `y`, which is there already: each value is written once";
    assert_eq!(model_error(&twice), expected);
    let both = File::new(&[1]).node("Dropout", &["x"], &["y", "y"]);
    assert!(model_error(&both).contains("written once"));
    assert_eq!(model_error(&File::new(&[1])), "nothing writes the output `y`");
}

#[test]
fn attributes_and_constants_are_held_to_their_rules() {
    let pool = |attributes: &[Vec<u8>]| File::new(&[1, 1, 4, 4]).node_with("MaxPool", &["x"], &["y"], attributes);
    let error = model_error(&pool(&[integers("kernel_shape", &[2, 0])]));
    assert_eq!(error, "`kernel_shape` of node `the MaxPool` is [2, 0], but it has numbers that no window has");
    let error = model_error(&pool(&[integers("kernel_shape", &[2, 2]), integers("pads", &[0, 0, -1, i64::MAX])]));
    assert!(error.starts_with("`pads` of node `the MaxPool` is [0, 0, -1, "), "{error}");
    let error = model_error(&pool(&[word("auto_pad", "SAME")]));
    assert_eq!(error, "`auto_pad` of node `the MaxPool` is SAME, but it is NOTSET, VALID, SAME_UPPER or SAME_LOWER");
    let constant = File::new(&[2]).floats("c", &[3], &[1.0, 2.0]).node("Add", &["x", "c"], &["y"]);
    let expected = "`c` is 2 elements for the extents [3], but a constant has as many elements as its extents say";
    assert_eq!(model_error(&constant), expected);
    // The product of the extents is 2 again, modulo 2^64.
    let wraps = File::new(&[2]).floats("c", &[1 << 62, 4, 2], &[1.0, 2.0]).node("Add", &["x", "c"], &["y"]);
    assert!(model_error(&wraps).contains("as many elements"));
    assert!(model_error(&File::new(&[2]).floats("c", &[-1], &[])).contains("extents are 0 or more"));
}

#[test]
fn shapes_are_held_to_the_rules_of_the_operators() {
    let weights = [0.0; 18];
    let file = File::new(&[1, 3, 4, 4]).floats("w", &[1, 2, 3, 3], &weights).node("Conv", &["x", "w"], &["y"]);
    let expected = "node `the Conv` reads `w` of [1, 2, 3, 3], but its channels are those of a group of the image, and its outputs can be grouped";
    assert_eq!(plan_error(&file), expected);
    let file = File::new(&[1, 2, 2, 4]).floats("w", &[1, 2, 3, 3], &weights).node("Conv", &["x", "w"], &["y"]);
    let expected = "node `the Conv` reads `x` of [1, 2, 2, 4], but the window is larger than the image with its pads";
    assert_eq!(plan_error(&file), expected);
    let file = File::new(&[1, 4]).node("GlobalAveragePool", &["x"], &["y"]);
    assert!(plan_error(&file).contains("`x` of [1, 4], but images have four dimensions"), "{}", plan_error(&file));
    let file = File::new(&[2, 3]).floats("c", &[2], &[0.0; 2]).node("Mul", &["x", "c"], &["y"]);
    assert!(plan_error(&file).contains("`c` of [2], but its extents are those of the other inputs, or 1"));
    let file = File::new(&[2, 3]).integers("s", &[4, -1]).node("Reshape", &["x", "s"], &["y"]);
    assert!(plan_error(&file).contains("`s` of [2], but the shapes have as many elements"), "{}", plan_error(&file));
    let file = File::new(&[2, 3]).node_with("Softmax", &["x"], &["y"], &[integer("axis", i64::MIN)]);
    assert!(plan_error(&file).contains("it lacks the dimension that an attribute names"));
    let file = File::new(&[2, 3]).floats("w", &[2, 3], &[0.0; 6]).node("MatMul", &["x", "w"], &["y"]);
    assert!(plan_error(&file).contains("`w` of [2, 3], but its rows are as many as the first matrix has columns"));
    let file = File::new(&[3, 2, 2]).floats("w", &[2, 2, 2], &[0.0; 8]).node("MatMul", &["x", "w"], &["y"]);
    assert!(
        plan_error(&file).contains("`w` of [2, 2, 2], but its planes are as many as those of the first tensor, or")
    );
    let file = File::new(&[6]).floats("w", &[5], &[0.0; 5]).node("MatMul", &["x", "w"], &["y"]);
    assert!(plan_error(&file).contains("`w` of [5], but its rows are as many as the first matrix has columns"));
    let file = File::new(&[]).floats("w", &[6], &[0.0; 6]).node("MatMul", &["x", "w"], &["y"]);
    assert!(plan_error(&file).contains("`x` of [], but a number has no rows"));
    let file = File::new(&[6]).floats("w", &[], &[0.0]).node("MatMul", &["x", "w"], &["y"]);
    assert!(plan_error(&file).contains("`w` of [], but a number has no columns"));
    let file = File::new(&[2, 3]).floats("s", &[2], &[0.0; 2]).node("LayerNormalization", &["x", "s"], &["y"]);
    assert!(plan_error(&file).contains("`s` of [2], but it has the dimensions that are normalised together"));
    let file = File::new(&[6]).integers("s", &[2, 3]).node("Split", &["x", "s"], &["y", "z"]);
    assert!(
        plan_error(&file).contains("`x` of [6], but its parts have as many elements as it"),
        "{}",
        plan_error(&file)
    );
    let file = File::new(&[6]).node_with("Slice", &["x"], &["y"], &[integers("starts", &[0]), integers("ends", &[0])]);
    let error = Model::from_onnx(&file.of_opset(9)).unwrap().plan().unwrap_err().to_string();
    assert_eq!(error, "node `the Slice` reads `x` of [6], but nothing is left of it");
    let file = File::new(&[6]).integers("p", &[1]).node("Pad", &["x", "p"], &["y"]);
    assert!(plan_error(&file).contains("`x` of [6], but there are pads before and behind each"));
    let pads = |axes: &[i64], pads: &[i64]| {
        let file = File::new(&[6, 2]).integers("p", pads).integers("a", axes);
        plan_error(&file.node("Pad", &["x", "p", "", "a"], &["y"]))
    };
    assert!(pads(&[1, -1], &[1; 4]).contains("`x` of [6, 2], but dimensions that are padded are named once"));
    assert!(pads(&[2], &[1; 2]).contains("`x` of [6, 2], but it lacks the dimension that an attribute names"));
    let none_left = "`x` of [6, 2], but its pads leave some of each dimension, and can be added to its extents";
    assert!(pads(&[0], &[-4, -2]).contains(none_left) && pads(&[0], &[-7, 4]).contains(none_left));
    let file = File::new(&[6]).node_with("LRN", &["x"], &["y"], &[integer("size", 3)]);
    assert!(plan_error(&file).contains("`x` of [6], but channels are its second dimension"));
}

/// Extents that overflow, and tensors that no machine holds.
#[test]
fn tensors_that_no_memory_holds_are_refused() {
    let huge = File::new(&[1 << 31]).node("Relu", &["x"], &["y"]);
    assert!(plan_error(&huge).contains("the greatest extent is 2^30"), "{}", plan_error(&huge));
    let huge = File::new(&[1 << 30, 1 << 30, 1 << 30]).node("Relu", &["x"], &["y"]);
    assert!(plan_error(&huge).contains("its bytes can't be counted"), "{}", plan_error(&huge));
    let column = File::new(&[1 << 30, 1]).integers("s", &[1, 1 << 20]);
    let outer =
        column.node("ConstantOfShape", &["s"], &["c"]).node("Mul", &["x", "c"], &["z"]).node("Relu", &["z"], &["y"]);
    assert!(plan_error(&outer).contains("takes 4503599627370496 bytes"), "{}", plan_error(&outer));
    // A gibibyte of weights in a file of some hundred bytes: nothing is made of them.
    let filled = File::new(&[1, 1 << 14, 1, 1])
        .integers("s", &[1 << 14, 1 << 14, 1, 1])
        .node("ConstantOfShape", &["s"], &["w"])
        .node("Conv", &["x", "w"], &["y"]);
    let model = Model::from_onnx(&filled.bytes()).unwrap();
    let mut options = PlanOptions::default();
    options.memory = 1 << 20;
    let error = PlanError::Memory { value: "w".to_owned(), needed: 1 << 30, left: 1 << 20, limit: 1 << 20 };
    assert_eq!(model.plan_with(&options).unwrap_err(), error);
}

/// Sums over nothing have no tensor.
#[test]
fn constants_without_elements_are_refused() {
    let product = File::new(&[1]).floats("a", &[2, 0], &[]).floats("b", &[0, 3], &[]).node("Gemm", &["a", "b"], &["c"]);
    let product = product.node("Add", &["x", "c"], &["y"]);
    assert_eq!(plan_error(&product), "node `the Gemm` reads `a`, which has no element");
    let turned = File::new(&[1, 0]).floats("b", &[0, 3], &[]).node("Gemm", &["x", "b"], &["y"]);
    assert!(plan_error(&turned).contains("`x` of [1, 0], but no extent may be 0"), "{}", plan_error(&turned));
}

#[test]
fn all_nodes_that_nothing_computes_are_listed_at_once() {
    let file = File::new(&[1, 4, 8, 8])
        .node("Det", &["x"], &["a"])
        .node("Relu", &["a"], &["b"])
        .node_with("MaxPool", &["x"], &["c"], &[integers("kernel_shape", &[2, 2]), integers("dilations", &[2, 2])])
        .node_with("AveragePool", &["x"], &["d"], &[integers("kernel_shape", &[3])])
        .node_with("LRN", &["x"], &["g"], &[integer("size", 256)])
        .node_with("ReduceMax", &["x"], &["h"], &[integers("axes", &[0, 3])])
        .node("Div", &["x", "x", "x"], &["i"])
        .integers("one", &[1])
        .integers("back", &[-1])
        .node("Slice", &["x", "one", "one", "one", "back"], &["j"])
        .node("Slice", &["x", "one", "x"], &["k"])
        .integers("most", &[4096])
        .node("Pad", &["x", "most"], &["l"])
        .node("Split", &["x", "back"], &["m"])
        .output("j")
        .output("k")
        .output("l")
        .output("m")
        .output("g")
        .output("h")
        .output("i")
        .node("Dropout", &["x"], &["e", "mask"])
        .node("Add", &["mask", "b"], &["f"])
        .output("c")
        .output("d")
        .output("f")
        .node("Relu", &["f"], &["y"]);
    let PlanError::Unsupported(nodes) = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap_err() else { panic!() };
    let found: Vec<(&str, &str)> = nodes.iter().map(|node| (node.operator.as_str(), node.reason.as_str())).collect();
    let expected = [
        ("Det", "no operator of the library is one"),
        ("AveragePool", "its windows have another number of dimensions than two"),
        ("LRN", "its sums are of 1 to 255 channels"),
        ("Slice", "its steps are backwards, or none"),
        ("Slice", "its numbers are no constants of integers"),
        ("Pad", "its pads are -2^30 to 4095"),
        ("Split", "it has not one size for each output"),
        ("Dropout", "more than its first output is read"),
        ("MaxPool", "the library pools elements side by side, and these lie apart"),
        ("ReduceMax", "it takes dimensions together that do not follow each other"),
        ("Div", "it has another number of inputs than two"),
    ];
    assert_eq!(found, expected);
}

/// What an operator's own rules refuse is a reason like any other.
#[test]
fn an_operator_that_refuses_says_why() {
    let file = File::new(&[1, 1, 64, 64]).floats("w", &[1, 1, 1, 1], &[1.0]).node_with(
        "Conv",
        &["x", "w"],
        &["y"],
        &[integers("strides", &[17, 1])],
    );
    let PlanError::Unsupported(nodes) = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap_err() else { panic!() };
    assert!(nodes[0].reason.contains("stride") && nodes[0].reason.contains("17"), "{}", nodes[0]);
}

#[test]
fn an_open_input_is_fixed_by_the_caller() {
    let mut model = Model::from_onnx(&File::new(&[-1, 3]).node("Relu", &["x"], &["y"]).bytes()).unwrap();
    assert_eq!(model.plan().unwrap_err(), PlanError::OpenInput { value: "x".to_owned() });
    assert!(matches!(model.set_input_shape("z", &[1, 3]), Err(ModelError::NoValue { kind: "input", .. })));
    let error = model.set_input_shape("x", &[1, 4]).unwrap_err().to_string();
    assert_eq!(error, "`x` is to be [1, 4], but the file fixes other extents");
    model.set_input_shape("x", &[2, 3]).unwrap();
    assert_eq!(model.plan().unwrap().outputs().next().unwrap().1.shape().extents()[..], [2, 3]);
}

#[test]
fn a_run_is_held_to_the_plan() {
    let model = Model::from_onnx(&File::new(&[2, 3]).node("Relu", &["x"], &["y"]).bytes()).unwrap();
    let plan = model.plan().unwrap();
    let error = plan.apply::<f32>(&Serial, &[]).unwrap_err();
    assert_eq!(error, RunPlanError::Count { outputs: false, found: 0, expected: 1 });
    let turned = Tensor::<f32>::new([3, 2]).unwrap();
    let error = plan.apply::<f32>(&Serial, &[turned.view().any()]).unwrap_err().to_string();
    assert_eq!(error, "`x` is 3×2 of f32, expected 2×3 of f32 without gaps");
    let error = plan.apply::<f32>(&Serial, &[turned.view().permute([1, 0]).unwrap().any()]).unwrap_err().to_string();
    assert_eq!(error, "`x` is 2×3 of f32 with gaps, expected 2×3 of f32 without gaps");
    let elements = [-1.0, 2.0, f32::NAN, -0.0, f32::INFINITY, 5.0];
    let found = plan.apply::<f32>(&Serial, &[View::from_slice(&elements, [2, 3]).unwrap().any()]).unwrap();
    assert_eq!(found[0].to_vec(), [0.0, 2.0, 0.0, 0.0, f32::INFINITY, 5.0]);
}

/// Outputs that no layer writes: an input, a constant, one value twice, and a view.
#[test]
fn outputs_that_nothing_computes_are_copied() {
    let file = File::new(&[2, 2])
        .floats("c", &[2], &[7.0, 8.0])
        .node("Relu", &["x"], &["y"])
        .node("Flatten", &["y"], &["flat"])
        .output("x")
        .output("c")
        .output("y")
        .output("flat");
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let found =
        plan.apply::<f32>(&Serial, &[View::from_slice(&[-1.0f32, 2.0, -3.0, 4.0], [2, 2]).unwrap().any()]).unwrap();
    let found: Vec<_> = found.iter().map(Tensor::to_vec).collect();
    let relu = vec![0.0, 2.0, 0.0, 4.0];
    assert_eq!(found, [relu.clone(), vec![-1.0, 2.0, -3.0, 4.0], vec![7.0, 8.0], relu.clone(), relu]);
}
