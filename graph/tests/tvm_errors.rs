//! JSON of TVM that is not what it says, and constants that are not those of the JSON: each error names the node, the value and the rule.

mod common;

use common::tvm::{Given, Json, bytes, constants, filled, params, views};
use serde_json::{Value, json};
use windrow_graph::{Malformed, Model, ModelError, PlanError};

fn error(json: &[u8]) -> String {
    Model::from_tvm(json, &[]).unwrap_err().to_string()
}

/// What is wrong with a file once something of it is another.
fn changed(name: &str, pointer: &str, value: Value) -> String {
    let mut whole: Value = serde_json::from_slice(&bytes(name)).unwrap();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    match whole.pointer_mut(parent).unwrap() {
        Value::Array(elements) => elements[field.parse::<usize>().unwrap()] = value,
        parent => parent[field] = value,
    }
    error(&serde_json::to_vec(&whole).unwrap())
}

/// The reasons why a kernel is not computed.
fn refusal(json: &Json) -> String {
    let given = constants(&json.bytes());
    match Model::from_tvm(&json.bytes(), &views(&given)).unwrap().plan().unwrap_err() {
        PlanError::Unsupported(nodes) => nodes.into_iter().map(|node| node.reason).collect::<Vec<_>>().join("; "),
        error => error.to_string(),
    }
}

#[test]
fn text_that_is_no_json_of_the_form_is_refused_with_its_place() {
    let expect = |text: &str, expected: &str| {
        let found = error(text.as_bytes());
        assert_eq!(found, format!("this is no model that can be read: {expected}"));
    };
    expect("{", "EOF while parsing an object at line 1 column 1");
    expect(r#"{"nodes":[]}"#, "missing field `heads` at line 1 column 12");
    let unknown = r#"{"nodes":[],"heads":[],"parameters":[]}"#;
    let fields = "`nodes`, `heads`, `arg_nodes`, `node_row_ptr`, `symbol`";
    expect(unknown, &format!("unknown field `parameters`, expected one of {fields} at line 1 column 35"));
    let entry = r#"{"nodes":[],"heads":[[0]]}"#;
    expect(entry, "an entry has 1 numbers; it has a node, an output and a version at line 1 column 25");
    assert!(matches!(Model::from_bytes(b" \n{"), Err(ModelError::Json(_))));
    assert!(matches!(Model::from_bytes(b" \n["), Err(ModelError::Malformed(_))));
    // Nothing but a whole file is one.
    let whole = bytes("conv2d");
    let end = whole.len() - whole.iter().rev().position(|byte| *byte == b'}').unwrap();
    for cut in 0..end {
        assert!(Model::from_tvm(&whole[..cut], &[]).is_err(), "{cut} bytes");
    }
}

#[test]
fn nodes_name_what_there_is() {
    let expect = |pointer: &str, value: Value, expected: &str| assert_eq!(changed("conv2d", pointer, value), expected);
    let malformed = "this is no model that can be read";
    expect("/nodes/3/inputs/0", json!([4, 0, 0]), &format!("{malformed}: it names node 4, and has 4 of them"));
    expect("/nodes/3/inputs/1", json!([1, 1, 0]), &format!("{malformed}: it names output 1, and has 1 of them"));
    expect("/heads/0", json!([9, 0, 0]), &format!("{malformed}: it names node 9, and has 4 of them"));
    let cycle = "node `nn.conv2d 3` reads `nn.conv2d 3`, which only this node or a later one writes";
    expect("/nodes/3/inputs/0", json!([3, 0, 0]), cycle);
    let rows = "`node_row_ptr` is another one at place 2, but it counts the outputs of the nodes before each";
    expect("/node_row_ptr", json!([0, 1, 3, 3, 4]), rows);
    expect("/node_row_ptr", json!([0, 1]), rows);
    let leaves = "`arg_nodes` is another list of nodes, but it names each input and each constant once";
    for found in [json!([0, 1]), json!([0, 1, 2, 2]), json!([0, 1, 3]), json!([0, 1, 99])] {
        expect("/arg_nodes", found, leaves);
    }
    expect(
        "/nodes/1/name",
        json!("x"),
        "`x` is the name of two nodes, but inputs and constants have names of their own",
    );
    let pool = Json::default().input("x", &[1, 2], "float32").kernel("reshape", &[5], (&[2], "float32"), &[]);
    let error = Model::from_tvm(&pool.bytes(), &[]).unwrap_err();
    assert_eq!(error, ModelError::Malformed(Malformed::Reference { what: "node", found: 5, count: 2 }));
}

#[test]
fn nodes_are_held_to_the_form() {
    let expect = |pointer: &str, value: Value, expected: &str| assert_eq!(changed("conv2d", pointer, value), expected);
    expect("/nodes/1/op", json!("param"), "`op` of node `w` is `param`, but nodes are `input`, `const` or `kernel`");
    let inputs = "`inputs` of node `w` is a list of 1, but inputs and constants read nothing";
    expect("/nodes/1/inputs", json!([[0, 0, 0]]), inputs);
    let types = "`shape and dtype` of node `x` is 1 and 2, but there is one of each for each output";
    expect("/nodes/0/attrs/dtype", json!([["float32", "int8"]]), types);
    let count = "`num_inputs` of node `nn.conv2d 3` is `4`, but it is as many as there are";
    expect("/nodes/3/attrs/num_inputs", json!("4"), count);
    expect("/nodes/0/attrs/shape", json!([[[1, 0, 7, 3]]]), "`x` is of the shape [1, 0, 7, 3], but no extent may be 0");
    expect(
        "/nodes/0/attrs/shape",
        json!([[[1, -1, 7, 3]]]),
        "`x` is of the shape [1, -1, 7, 3], but extents are 1 or more",
    );
    let wide = format!("`x` is of the shape [1, {}, 7, 3], but the greatest extent is 2^30", 1u64 << 31);
    expect("/nodes/0/attrs/shape", json!([[[1, 1u64 << 31, 7, 3]]]), &wide);
    let of = "`x` is of another type, but inputs are floats of 32 bits or integers of 8 with a sign";
    expect("/nodes/0/attrs/dtype", json!([["uint8"]]), of);
    // What the file says of the output follows from what is read.
    let other = "`nn.conv2d 3` is [1, 5, 9, 4] by what is computed, and [1, 5, 8, 4] in the file, but a file says what is computed";
    expect("/nodes/3/attrs/shape", json!([[[1, 5, 8, 4]]]), other);
}

#[test]
fn attributes_are_held_to_their_rules() {
    let expect = |name: &str, attribute: &str, value: Value, found: &str, rule: &str| {
        let node = if name == "conv2d" { "nn.conv2d 3" } else { "nn.max_pool2d 1" };
        let pointer = if name == "conv2d" { "/nodes/3/attrs" } else { "/nodes/1/attrs" };
        let expected = format!("`{attribute}` of node `{node}` is {found}, but {rule}");
        assert_eq!(changed(name, &format!("{pointer}/{attribute}"), value), expected);
    };
    let pair = "it is two numbers from 1 to 65536, of rows and of columns";
    expect("conv2d", "strides", json!([["2"]]), "[2]", pair);
    expect("conv2d", "strides", json!([["0", "1"]]), "[0, 1]", pair);
    expect("conv2d", "dilation", json!([["1", "70000"]]), "[1, 70000]", pair);
    expect("conv2d", "dilation", json!([["1", "x", "3", "4", "5", "6"]]), "[1, x, 3, 4, …]", pair);
    expect("max_pool2d", "pool_size", json!([["-1", "1"]]), "[-1, 1]", pair);
    expect("conv2d", "kernel_size", json!([["2", "3"]]), "[2, 3]", "it is the weights' rows and columns");
    expect(
        "conv2d",
        "padding",
        json!([["1", "2", "3"]]),
        "[1, 2, 3]",
        "it is one, two or four numbers from 0 to 65536",
    );
    expect("conv2d", "groups", json!([["1", "1"]]), "[1, 1]", "it is a number from 1 to 65536");
    expect("conv2d", "channels", json!([["5"]]), "5", "there are weights for each of them");
    expect("conv2d", "data_layout", json!([["NCHW"]]), "NCHW", "images have their channels last: NHWC");
    let order = "weights are [output, row, column, channel] here: OHWI";
    expect("conv2d", "kernel_layout", json!([["HWIO"]]), "HWIO", order);
    expect("max_pool2d", "layout", json!([["NCHW"]]), "NCHW", "images have their channels last: NHWC");
    expect("max_pool2d", "ceil_mode", json!([["true"]]), "[true]", "it is 0 or 1");
    let mut whole: Value = serde_json::from_slice(&bytes("conv2d")).unwrap();
    whole["nodes"][3]["attrs"].as_object_mut().unwrap().remove("strides");
    let found = error(&serde_json::to_vec(&whole).unwrap());
    assert_eq!(found, format!("`strides` of node `nn.conv2d 3` is left out, but {pair}"));
    let axis = changed("concatenate", "/nodes/2/attrs/axis", json!([["last"]]));
    assert_eq!(axis, "`axis` of node `concatenate 2` is [last], but it is the number of a dimension");
    let inputs = changed("conv2d", "/nodes/3/inputs", json!([[0, 0, 0]]));
    assert_eq!(inputs, "`num_inputs` of node `nn.conv2d 3` is `3`, but it is as many as there are");
    let json = Json::default().input("x", &[2, 3], "float32").kernel("maximum", &[0], (&[2, 3], "float32"), &[]);
    assert_eq!(error(&json.bytes()), "`inputs` of node `maximum 1` is a list of 1, but it is two tensors");
}

#[test]
fn constants_are_those_of_the_file() {
    let json = bytes("qnn_dense");
    let refused = |name: &str, given: Given| {
        let mut constants = constants(&json);
        let place = constants.iter().position(|(own, _)| own == name);
        match place {
            Some(place) => constants[place].1 = given,
            None => constants.push((name.to_owned(), given)),
        }
        Model::from_tvm(&json, &views(&constants)).unwrap_err().to_string()
    };
    let floats = |extents: &[usize], element| Given::Floats(filled(extents, vec![element; extents.iter().product()]));
    let ints = |element| Given::Ints(filled(&[], vec![element]));
    assert_eq!(refused("v", floats(&[1], 1.0)), "the model has no constant `v`");
    let rule = "but both have the same type and shape";
    let of = refused("w", floats(&[5, 7], 1.0));
    assert_eq!(of, format!("`w` is given as [5, 7] of f32, and [5, 7] of int8 in the file, {rule}"));
    let shape = refused("b", Given::Ints(filled(&[5], vec![1; 5])));
    assert_eq!(shape, format!("`b` is given as [5] of i32, and [1, 5] of int32 in the file, {rule}"));
    assert_eq!(refused("x_scale", floats(&[], 0.0)), "`x_scale` is the scale 0, but scales are above zero");
    assert_eq!(refused("y_scale", floats(&[], f32::NAN)), "`y_scale` is the scale NaN, but scales are above zero");
    let zero = "but it is one zero, between -128 and 127";
    assert_eq!(refused("x_zero", ints(128)), format!("`x_zero` is the zero 128, {zero}"));
    let lacking = Model::from_tvm(&json, &[]).unwrap_err().to_string();
    let given = "but scales and zeros are constants that are given with the file";
    assert_eq!(lacking, format!("`x_scale` is not given, {given}"));
    let all = constants(&json);
    let twice: Vec<_> = views(&all).into_iter().chain([("w", all[0].1.view())]).collect();
    let twice = Model::from_tvm(&json, &twice).unwrap_err().to_string();
    assert_eq!(twice, "`w` is given twice, but a constant is given once");
    let gaps = filled(&[7, 5], vec![1i8; 35]);
    let gaps = gaps.view().permute([1, 0]).unwrap().any();
    let mut others = views(&all);
    others[0].1 = gaps;
    let gaps = Model::from_tvm(&json, &others).unwrap_err().to_string();
    assert_eq!(gaps, "`w` is given with gaps, but its elements lie side by side");
}

#[test]
fn parameters_are_those_of_the_file() {
    let json = bytes("dense");
    let all = constants(&json);
    let refused = |params: &[u8]| Model::from_tvm_with_params(&json, params).unwrap_err().to_string();
    let malformed = "this is no model that can be read";
    let rule = "a list of TVM's parameters begins with F7E58D4F05049CB7";
    let expected = format!("{malformed}: at byte 0 it is not as TVM's parameters are: {rule}");
    assert_eq!(refused(&[7; 64]), expected);
    let cut = format!("{malformed}: what begins at byte 16 ends behind the end of what it is part of");
    assert_eq!(refused(&params(&all)[..20]), cut);
    let others = [("w".to_owned(), Given::Floats(filled(&[7, 5], vec![1.0; 35])))];
    let expected =
        "`w` is given as [7, 5] of f32, and [5, 7] of float32 in the file, but both have the same type and shape";
    assert_eq!(refused(&params(&others)), expected);
}

/// What the library does not compute is a reason of the plan's, all at once, whatever else the file holds.
#[test]
fn kernels_that_are_not_computed_have_a_reason() {
    let x = |of: &str| Json::default().input("x", &[1, 6, 6, 2], of);
    let float = |json: Json, name: &str, attributes: &[(&str, &str)]| {
        json.kernel(name, &[0], (&[1, 6, 6, 2], "float32"), attributes)
    };
    let unknown = float(x("float32"), "nn.softmax", &[("axis", "-1")]);
    assert_eq!(refusal(&unknown), "it is no kernel of TVM's runtime for the Arm Compute Library");
    let windows = [("strides", "1 1"), ("padding", "0 0 0 0"), ("dilation", "1 1")];
    let conv = x("float32").constant("w", &[2, 1, 1, 2], "float32");
    let bounded = [&windows[..], &[("groups", "1"), ("activation_type", "tanh")]].concat();
    let conv = conv.kernel("nn.conv2d", &[0, 1], (&[1, 6, 6, 2], "float32"), &bounded);
    assert_eq!(refusal(&conv), "its `activation_type` is another one than `relu`");
    let dilated = [("strides", "1 1"), ("padding", "1 1 1 1"), ("dilation", "2 2"), ("pool_size", "2 2")];
    assert!(refusal(&float(x("float32"), "nn.max_pool2d", &dilated)).contains("these lie apart"));
    // Of both of its inputs, `maximum` takes one type; TVM asks the first one twice.
    let mixed = x("float32").input("y", &[1, 6, 6, 2], "int8");
    let mixed = mixed.kernel("maximum", &[0, 1], (&[1, 6, 6, 2], "float32"), &[]);
    assert_eq!(refusal(&mixed), "what it reads has another type than what it writes");
    let add = x("int8").kernel("add", &[0, 0], (&[1, 6, 6, 2], "int8"), &[]);
    assert_eq!(refusal(&add), "it is computed of floats alone");
    let of = x("float32").kernel("reshape", &[0], (&[72], "float16"), &[]);
    assert_eq!(refusal(&of), "it writes neither floats of 32 bits nor integers of 8 with a sign");
    let each = [&windows[..], &[("groups", "1")]].concat();
    let depthwise = x("float32").constant("w", &[1, 1, 1, 2], "float32");
    let depthwise = depthwise.kernel("nn.depthwise_conv2d", &[0, 1], (&[1, 6, 6, 2], "float32"), &each);
    assert_eq!(refusal(&depthwise), "it has not one group for each channel");
    let zeros = Json::default().input("x", &[1, 2], "int8").constant("w", &[3, 2], "int8");
    let names = [("x_zero", "int32"), ("x_zero 2", "int32"), ("x_scale", "float32"), ("w_scale", "float32")];
    let zeros = names.iter().fold(zeros, |json, (name, of)| json.constant(name, &[], of));
    let zeros = zeros.constant("y_scale", &[], "float32").constant("y_zero", &[], "int32");
    let zeros = zeros.kernel("qnn.dense", &[0, 1, 2, 3, 4, 5, 6, 7], (&[1, 3], "int8"), &[("units", "3")]);
    assert_eq!(refusal(&zeros), "its weights have no scales, or another zero than 0");
}
