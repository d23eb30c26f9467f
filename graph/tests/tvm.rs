//! The JSON of TVM's integration of the Arm Compute Library: each kernel is held to a plain computation of what TVM says that it is, with
//! numbers of rows that are other than those of columns, and a network to the same network of ONNX.

mod common;

use common::{
    file::{File, integer, integers},
    kernel::{Kernel, answer, places},
    plans::Files,
    tvm::{FLOATS, Given, INTEGERS, Json, bytes, constants, filled, params, views},
};
use serde_json::{Value, json};
use windrow::{AnyView, Serial, View};
use windrow_graph::{Model, Plan};

#[test]
fn each_kernel_computes_what_tvm_says() {
    for name in FLOATS.into_iter().chain(INTEGERS) {
        let json = bytes(name);
        let kernel = Kernel::of(name, &json);
        let plan = kernel.plan(&json);
        let (found, extents) = (kernel.answer(&plan), kernel.extents());
        assert_eq!(kernel.answer(&plan), found, "{name}: a second run");
        let output = plan.outputs().next().unwrap().0;
        assert!(output.starts_with(kernel.node["name"].as_str().unwrap()) && !output.contains("turned"), "{output}");
        assert_eq!(plan.outputs().next().unwrap().1.shape().extents()[..], extents[..], "{name}");
        for (at, found) in places(&extents).zip(found) {
            let expected = kernel.expected(&at);
            let tolerance = if INTEGERS.contains(&name) { 0.0 } else { 1e-5 * expected.abs().max(1.0) };
            let is_right = (f64::from(found) - expected).abs() <= tolerance;
            assert!(is_right, "{name}: the element at {at:?} is {found}, and {expected} as TVM says it");
        }
    }
}

/// Rows and columns of windows, strides and dilations that differ: TVM's runtime hands rows to its library where that takes columns.
#[test]
fn rows_are_not_columns() {
    let json = |name: &str, size: &str, extents: [i64; 4], attributes: &[(&str, &str)]| {
        let json = Json::default().input("x", &[1, 9, 12, 4], "float32");
        let weights: Vec<i64> = size.split(' ').map(|size| size.parse().unwrap()).collect();
        let json = match name {
            "nn.conv2d" => json.constant("w", &[4, weights[0], weights[1], 4], "float32"),
            "nn.depthwise_conv2d" => json.constant("w", &[1, weights[0], weights[1], 4], "float32"),
            _ => json,
        };
        let inputs: Vec<usize> = (0..json.nodes.len()).collect();
        let json = json.kernel(name, &inputs, (&extents, "float32"), attributes);
        json.with("attrs", "pool_size", json!([size.split(' ').collect::<Vec<_>>()]))
    };
    let check = |name: &str, size: &str, extents: [i64; 4], attributes: &[(&str, &str)]| {
        let json = json(name, size, extents, attributes).bytes();
        let kernel = Kernel::of(name, &json);
        let found = kernel.answer(&kernel.plan(&json));
        for (at, found) in places(&kernel.extents()).zip(found) {
            let mut expected = kernel.expected(&at);
            if name == "nn.conv2d" {
                // The reference bounds what the golden file bounds.
                expected = kernel.convolved([at[0], at[1], at[2], at[3]], false);
            }
            let is_near = (f64::from(found) - expected).abs() <= 1e-5 * expected.abs().max(1.0);
            assert!(is_near, "{name}, {size}, {attributes:?}: the element at {at:?} is {found}, not {expected}");
        }
    };
    let pads = ("padding", "0 0 0 0");
    for name in ["nn.conv2d", "nn.depthwise_conv2d"] {
        let groups = ("groups", if name == "nn.conv2d" { "1" } else { "4" });
        check(name, "3 5", [1, 7, 8, 4], &[pads, groups, ("strides", "1 1"), ("dilation", "1 1")]);
        check(name, "2 2", [1, 8, 4, 4], &[pads, groups, ("strides", "1 3"), ("dilation", "1 1")]);
        check(name, "2 2", [1, 8, 8, 4], &[pads, groups, ("strides", "1 1"), ("dilation", "1 4")]);
        check(name, "1 1", [1, 10, 15, 4], &[("padding", "0 1 1 2"), groups, ("strides", "1 1"), ("dilation", "1 1")]);
    }
    for name in ["nn.max_pool2d", "nn.avg_pool2d", "nn.l2_pool2d"] {
        check(name, "2 5", [1, 8, 8, 4], &[pads, ("strides", "1 1"), ("dilation", "1 1")]);
        check(name, "2 2", [1, 3, 11, 4], &[pads, ("strides", "3 1"), ("dilation", "1 1")]);
        check(name, "3 3", [1, 8, 11, 4], &[("padding", "0 1 1 0"), ("strides", "1 1"), ("dilation", "1 1")]);
    }
}

/// What the Arm Compute Library computes in passing is part of a step here, too.
#[test]
fn a_kernel_is_a_step() {
    let kernels = |name: &str| {
        let json = bytes(name);
        let plan = Kernel::of(name, &json).plan(&json);
        plan.steps().iter().map(|step| step.kernel()).collect::<Vec<_>>()
    };
    assert_eq!(kernels("conv2d"), ["conv2d_relu"]);
    assert_eq!(kernels("depthwise_conv2d"), ["depthwise_conv2d"]);
    assert_eq!(kernels("dense"), ["dense"]);
    assert_eq!(kernels("l2_pool2d"), ["l2_pool2d"]);
    assert_eq!(kernels("l2_pool2d_pads"), ["multiply_f32", "average_pool2d", "sqrt"]);
    assert_eq!(kernels("qnn_depthwise_conv2d"), ["depthwise_conv2d_requantize_float"]);
    assert_eq!(kernels("global_max_pool2d_int8"), ["max_pool2d_bytes"]);
    assert_eq!(kernels("qnn_dense"), ["dense_requantize_float"]);
}

/// The network of a file, and the same one as ONNX has it, with the same weights in its order.
#[test]
fn a_network_has_the_bits_of_the_same_network_of_onnx() {
    let json = bytes("network");
    let constants = constants(&json);
    let model = Model::from_tvm(&json, &views(&constants)).unwrap();
    let weights = |name: &str| &constants.iter().find(|(own, _)| own == name).unwrap().1;
    // [output, row, column, channel] as [output, channel, row, column].
    let turned = |name: &str| {
        let given = weights(name);
        let extents = given.view().info().shape().extents().to_vec();
        let at = |place: [usize; 4]| place.iter().zip(&extents).fold(0, |all, (at, extent)| all * extent + at);
        let is_depthwise = name == "w1";
        let [outputs, channels] = if is_depthwise { [extents[3], 1] } else { [extents[0], extents[3]] };
        let to = [outputs, channels, extents[1], extents[2]];
        let floats = given.floats();
        let of = |place: Vec<i64>| {
            let [o, c, y, x] = [0, 1, 2, 3].map(|d| place[d] as usize);
            floats[if is_depthwise { at([0, y, x, o]) } else { at([o, y, x, c]) }]
        };
        (to.map(|extent| extent as i64), places(&to).map(of).collect::<Vec<_>>())
    };
    let mut file = File::new(&[1, 3, 11, 9]);
    for (name, bias) in [("w0", Some("b0")), ("w1", Some("b1")), ("w2", None)] {
        let (extents, elements) = turned(name);
        file = file.floats(name, &extents, &elements);
        if let Some(bias) = bias {
            file = file.floats(bias, &[8], &weights(bias).floats());
        }
    }
    let file = file.floats("w3", &[10, 16], &weights("w3").floats()).floats("b3", &[10], &weights("b3").floats());
    let pads = || integers("pads", &[1, 1, 1, 1]);
    let windows = || [integers("kernel_shape", &[2, 3]), integers("strides", &[2, 2])];
    let file = file
        .node_with("Conv", &["x", "w0", "b0"], &["c0"], &[pads(), integers("strides", &[2, 1])])
        .node("Relu", &["c0"], &["a"])
        .node_with("Conv", &["a", "w1", "b1"], &["c1"], &[pads(), integer("group", 8)])
        .node("Relu", &["c1"], &["d"])
        .node("Conv", &["d", "w2"], &["p"])
        .node("Add", &["p", "a"], &["s"])
        .node_with("MaxPool", &["s"], &["m"], &windows())
        .node_with("AveragePool", &["s"], &["v"], &windows())
        .node_with("Concat", &["m", "v"], &["j"], &[integer("axis", 1)])
        .node("GlobalAveragePool", &["j"], &["g"])
        .node("Flatten", &["g"], &["f"])
        .node_with("Gemm", &["f", "w3", "b3"], &["y"], &[integer("transB", 1)]);
    let other = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let image = Given::by_name("network/x", &[1, 11, 9, 3], "float32");
    let floats = image.floats();
    let first: Vec<f32> = places(&[1, 3, 11, 9]).map(|at| floats[((at[2] * 9 + at[3]) * 3 + at[1]) as usize]).collect();
    let channels_first = filled(&[1, 3, 11, 9], first);
    let plan = model.plan().unwrap();
    let bits =
        |plan: &Plan, image: AnyView<'_>| answer(plan, &[image]).into_iter().map(f32::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(&plan, image.view()), bits(&other, channels_first.view().any()));
    let kernels = |plan: &Plan| plan.steps().iter().map(|step| step.kernel()).collect::<Vec<_>>();
    assert_eq!(kernels(&plan), kernels(&other));
}

/// Images and constants that begin inside of what holds them.
#[test]
fn tensors_begin_anywhere() {
    let json = bytes("dense");
    let kernel = Kernel::of("dense", &json);
    let behind = |given: &Given| [vec![f32::NAN; 5], given.floats()].concat();
    let [x, w, b] = [&kernel.inputs[0].1, &kernel.constants[0].1, &kernel.constants[1].1].map(behind);
    let [w, b] = [View::from_slice(&w[5..], [5, 7]).unwrap().any(), View::from_slice(&b[5..], [1, 5]).unwrap().any()];
    let plan = Model::from_tvm(&json, &[("w", w), ("b", b)]).unwrap().plan().unwrap();
    let x = View::from_slice(&x[5..], [3, 7]).unwrap();
    assert_eq!(answer(&plan, &[x.any()]), kernel.answer(&kernel.plan(&json)));
}

/// Parameters in TVM's own form, which hold those of other kernels too.
#[test]
fn constants_are_read_from_tvms_parameters() {
    for name in ["conv2d", "qnn_conv2d", "qnn_add"] {
        let json = bytes(name);
        let kernel = Kernel::of(name, &json);
        let mut all = constants(&json);
        all.push(("another kernel's".to_owned(), Given::by_name("other", &[3], "float32")));
        let model = Model::from_tvm_with_params(&json, &params(&all)).unwrap();
        assert_eq!(model, Model::from_tvm(&json, &views(&kernel.constants)).unwrap(), "{name}");
    }
    let lacking = Model::from_tvm_with_params(&bytes("conv2d"), &params(&[])).unwrap();
    assert!(lacking.plan().unwrap_err().to_string().contains("are no part of the file, and are not given"));
}

/// A plan in a file computes what it computed before.
#[test]
fn plans_come_back_with_the_same_bits() {
    for name in FLOATS.into_iter().chain(INTEGERS) {
        let json = bytes(name);
        let kernel = Kernel::of(name, &json);
        let plan = kernel.plan(&json);
        let again = Files::of(&plan).read().unwrap();
        assert_eq!(kernel.answer(&again), kernel.answer(&plan), "{name}");
    }
}

/// Images that are outputs are written where they are read, by what comes behind them too.
#[test]
fn images_are_outputs_and_are_read() {
    let json = bytes("network");
    let constants = constants(&json);
    let heads = |heads: Value| {
        let mut whole: Value = serde_json::from_slice(&json).unwrap();
        whole["heads"] = heads;
        let json = serde_json::to_vec(&whole).unwrap();
        Model::from_tvm(&json, &views(&constants)).unwrap().plan().unwrap()
    };
    let image = Given::by_name("network/x", &[1, 11, 9, 3], "float32");
    let answers = |plan: &Plan| {
        let found = plan.apply::<f32>(&Serial, &[image.view()]).unwrap();
        found.iter().map(|tensor| tensor.to_vec()).collect::<Vec<_>>()
    };
    let kernels: Vec<usize> = (0..18).filter(|node| ![0, 1, 2, 4, 5, 7, 15, 16].contains(node)).collect();
    let each: Vec<Vec<f32>> =
        kernels.iter().map(|node| answers(&heads(json!([[node, 0, 0]]))).swap_remove(0)).collect();
    let all = heads(kernels.iter().map(|node| json!([node, 0, 0])).collect());
    assert_eq!(answers(&all), each);
    assert_eq!(answers(&heads(json!([[3, 0, 0], [3, 0, 0]]))), [each[0].clone(), each[0].clone()]);
    // Copied are the two that are joined, from what they are joined to, and what `reshape` gives another shape; and the first convolution's
    // image of three channels, between pads.
    assert_eq!(all.steps().iter().filter(|step| step.kernel() == "copy").count(), 3 + 3);
}

/// Weights that are given later, by name, as those of files that lack them.
#[test]
fn constants_of_floats_can_be_given_later() {
    let json = bytes("dense");
    let kernel = Kernel::of("dense", &json);
    let mut model = Model::from_bytes(&json).unwrap();
    let error = model.plan().unwrap_err().to_string();
    assert_eq!(error, "node `nn.dense 3` reads `w`, whose elements are no part of the file, and are not given");
    let extents: Vec<_> = model.constants().map(|(name, extents)| (name.to_owned(), extents.to_vec())).collect();
    assert!(extents.contains(&("w".to_owned(), vec![5, 7])) && extents.contains(&("b".to_owned(), vec![1, 5])));
    for (name, given) in &kernel.constants {
        model.set_constant(name, given.floats()).unwrap();
    }
    assert_eq!(kernel.answer(&model.plan().unwrap()), kernel.answer(&kernel.plan(&json)));
}

/// One scale of weights for each output, which TVM's runtime refuses when it is too late to compute it elsewhere.
#[test]
fn weights_have_a_scale_for_each_output() {
    let mut whole: Value = serde_json::from_slice(&bytes("qnn_dense")).unwrap();
    *whole.pointer_mut("/nodes/5/attrs/shape").unwrap() = json!([[[5]]]);
    let json = serde_json::to_vec(&whole).unwrap();
    let mut kernel = Kernel::of("qnn_dense", &bytes("qnn_dense"));
    let scales = [0.5f32, 0.0625, 0.25, 0.125, 0.03125];
    let place = kernel.constants.iter().position(|(name, _)| name == "w_scale").unwrap();
    kernel.constants[place].1 = Given::Floats(filled(&[5], scales.to_vec()));
    let found = kernel.answer(&kernel.plan(&json));
    for (at, found) in places(&[3, 5]).zip(found) {
        kernel.constants[place].1 = Given::Floats(filled(&[1], vec![scales[at[1] as usize]]));
        assert_eq!(f64::from(found), kernel.expected(&at), "{at:?}");
    }
}

/// What a network of integers moves stands for what its kernels say of both sides.
#[test]
fn what_integers_stand_for_is_said_once() {
    let scalars = |json: Json| {
        let names = ["x_zero", "w_zero", "x_scale", "w_scale", "y_scale", "y_zero"];
        names.iter().fold(json, |json, name| {
            json.constant(name, &[], if name.ends_with("scale") { "float32" } else { "int32" })
        })
    };
    let json = Json::default().input("x", &[1, 2, 2], "int8").constant("w", &[4, 4], "int8");
    let json = scalars(json).kernel("reshape", &[0], (&[1, 4], "int8"), &[]);
    let dense = |json: Json, from, y_scale| {
        json.kernel("qnn.dense", &[from, 1, 2, 3, 4, 5, y_scale, 7], (&[1, 4], "int8"), &[])
    };
    let first = dense(json, 8, 6);
    let constants = constants(&first.bytes());
    let plan = Model::from_tvm(&first.bytes(), &views(&constants)).unwrap().plan().unwrap();
    let of_input = plan.inputs().next().unwrap().1.quantization().unwrap();
    assert_eq!((of_input.scale(), of_input.offset()), (0.5, 3), "through `reshape`");
    // The second product reads what the first writes, of the zero -5 and not of 3.
    let error = Model::from_tvm(&dense(first, 9, 6).bytes(), &views(&constants)).unwrap_err().to_string();
    let expected = "`qnn.dense 9` is of the scale 0.5 and the zero -5 elsewhere, but all kernels say the same of what integers stand for";
    assert_eq!(error, expected);
}
