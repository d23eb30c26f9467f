//! Quantised networks of ONNX, held to what onnxruntime answers, which computes of integers what lies between `DequantizeLinear` and
//! `QuantizeLinear`.

mod common;

use common::{
    file::{File, integer, message},
    npy, qdq,
};
use windrow::{Rayon, Serial, Tensor, View, tensor::DType};
use windrow_graph::{Model, PlanOptions, Requantization};

/// Cases with sums of two tensors, which are XNNPACK's: onnxruntime adds floats. There a result may be another by one unit of this size.
const UNITS: [(&str, f32); 1] = [("sums", 0.029)];

#[test]
fn integers_have_the_bits_of_onnxruntime() {
    for name in qdq::SMALL {
        let plan = qdq::plan(name);
        let (found, (extents, expected)) = (qdq::answer(name, &plan), npy(&format!("qdq/{name}")));
        let (_, output) = plan.outputs().next().unwrap();
        assert_eq!(output.shape().extents()[..], extents[..], "{name}");
        let unit = UNITS.iter().find(|(own, _)| *own == name).map_or(0.0, |(_, unit)| unit * 1.001);
        let others = found.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
        assert!(others <= found.len() / 20, "{name}: {others} of {} are others", found.len());
        for (place, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let is_right = (found - expected).abs() <= unit;
            assert!(is_right, "{name}: element {place} is {found:e}, and onnxruntime's {expected:e}");
        }
    }
}

/// What lies between integers is computed of them, by the operators of TFLite's networks.
#[test]
fn what_lies_between_integers_is_one_step() {
    let kernels = |name: &str| qdq::plan(name).steps().iter().map(|step| step.kernel()).collect::<Vec<_>>();
    let (conv, dense) = ("conv2d_requantize_float", "dense_requantize_float");
    let [depthwise, mean] = ["depthwise3x3_requantize_float", "depthwise_conv2d_requantize_float"];
    let expected = ["quantize", conv, depthwise, dense, conv, conv, "dequantize"];
    assert_eq!(kernels("convolutions_int8"), expected);
    // The image of few channels is copied between pads.
    let expected = ["quantize", "copy", "copy", "copy", conv, "max_pool2d_bytes", dense, mean, dense];
    assert_eq!(kernels("convolutions_uint8")[..9], expected);
    assert_eq!(kernels("moved"), ["quantize", "max_pool2d_bytes", conv, "dequantize"]);
    assert_eq!(kernels("products"), ["quantize", dense, dense, dense, "dequantize"]);
    // Weights of another zero than 128 are floats.
    assert_eq!(kernels("weights_uint8")[1..4], [conv, "dequantize", "dense"]);
}

/// How sums become integers is a choice of TFLite's networks: ONNX says it.
#[test]
fn options_of_tflite_change_nothing() {
    let mut options = PlanOptions::default();
    for requantization in [Requantization::Integer, Requantization::Float] {
        options.requantization = requantization;
        let plan = qdq::model("convolutions_int8").plan_with(&options).unwrap();
        assert_eq!(qdq::answer("convolutions_int8", &plan), npy("qdq/convolutions_int8").1);
    }
}

#[test]
fn answers_are_the_same_on_any_number_of_threads() {
    for name in qdq::SMALL.into_iter().filter(|name| *name != "integers_out") {
        let plan = qdq::plan(name);
        let (input, expected) = (common::input(name, &plan), qdq::answer(name, &plan));
        for threads in [2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = plan.apply::<f32>(&Rayon::on(&pool).with_grain(1), &[input.view().any()]).unwrap();
            assert_eq!(found[0].to_vec(), expected, "{name}: {threads} threads");
        }
    }
}

/// `TensorProto.DataType`.
const INT8: i64 = 3;

/// A file that makes of `x` the integers `q`, with a sign, of the scale 1/2 and the zero 3.
fn quantized() -> File {
    let file = File::new(&[2, 4]).floats("scale", &[], &[0.5]);
    file.raw("zero", &[], INT8, &[3]).node("QuantizeLinear", &["x", "scale", "zero"], &["q"])
}

fn refusal(file: &File) -> String {
    match Model::from_onnx(&file.bytes()) {
        Ok(model) => model.plan().map_or_else(|error| error.to_string(), |_| "it is planned".to_owned()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn halves_go_to_the_even_number() {
    let file = quantized().node("DequantizeLinear", &["q", "scale", "zero"], &["y"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let x = [0.25f32, 0.75, -0.25, -0.75, 1.2, 70.0, -70.0, 0.0];
    let input = View::from_slice(&x, [2, 4]).unwrap();
    let found = plan.apply::<f32>(&Serial, &[input.any()]).unwrap();
    assert_eq!(found[0].to_vec(), [0.0, 1.0, 0.0, -1.0, 1.0, 62.0, -65.5, 0.0]);
}

/// Zeros that are left out are 0, and results have a sign where operands have one.
#[test]
fn zeros_of_operators_of_integers_may_be_left_out() {
    let file = File::new(&[1, 4]).floats("scale", &[], &[0.5]).floats("twice", &[], &[1.0]);
    let file = file.raw("zero", &[], INT8, &[0]).node("QuantizeLinear", &["x", "scale", "zero"], &["q"]);
    let domain = message(7, b"com.microsoft");
    let file = file.node_with("QLinearAdd", &["q", "scale", "", "q", "scale", "", "twice"], &["sum"], &[domain]);
    let file = file.node("DequantizeLinear", &["sum", "twice"], &["y"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let input = View::from_slice(&[1.0f32, -2.0, 60.0, -100.0], [1, 4]).unwrap();
    let found = plan.apply::<f32>(&Serial, &[input.any()]).unwrap();
    assert_eq!(found[0].to_vec(), [2.0, -4.0, 120.0, -128.0]);
}

/// Both summands have room for more channels where they are computed, and one has a single channel, which is added to all.
#[test]
fn an_image_of_one_channel_is_added_to_all_of_another() {
    let file = File::new(&[1, 2, 4, 4]).floats("half", &[], &[0.5]).floats("one", &[], &[1.0]);
    // Weights of 1 in the scale 1/2: the channels of `x` in turn, and the first of them.
    let both = [2, 0, 0, 2].repeat(10);
    let file = file.raw("zero", &[], INT8, &[0]).raw("both", &[20, 2, 1, 1], INT8, &both);
    let file = file.raw("first", &[1, 2, 1, 1], INT8, &[2, 0]);
    let through = |file: File, value: &str, scale: &str| {
        let [integers, floats] = [format!("{value} integers"), format!("{value} again")];
        let file = file.node("QuantizeLinear", &[value, scale, "zero"], &[&integers]);
        file.node("DequantizeLinear", &[&integers, scale, "zero"], &[&floats])
    };
    let file = file.node("DequantizeLinear", &["both", "half", "zero"], &["both weights"]);
    let file = file.node("DequantizeLinear", &["first", "half", "zero"], &["first weights"]);
    let file = through(file, "x", "half");
    let file = through(file.node("Conv", &["x again", "both weights"], &["image"]), "image", "one");
    let file = through(file.node("Conv", &["x again", "first weights"], &["single"]), "single", "one");
    let file = through(file.node("Add", &["image again", "single again"], &["sum"]), "sum", "one");
    let file = file.node("Identity", &["sum again"], &["y"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let x: Vec<f32> = (0..32).map(|place| (place * 7 % 23) as f32 - 9.0).collect();
    let found = plan.apply::<f32>(&Serial, &[View::from_slice(&x, [1, 2, 4, 4]).unwrap().any()]).unwrap()[0].to_vec();
    for (place, found) in found.into_iter().enumerate() {
        assert_eq!(found, x[place % 32] + x[place % 16], "element {place}");
    }
}

/// Integers without a sign are the caller's as they are the file's.
#[test]
fn inputs_and_outputs_may_be_unsigned() {
    let file = File::default().input_of("q", 2, &[2, 3]).output("y").output("z").floats("scale", &[], &[0.5]);
    let file = file.raw("zero", &[], 2, &[3]).node("DequantizeLinear", &["q", "scale", "zero"], &["y"]);
    let file = file.floats("double", &[], &[1.0]).node("QuantizeLinear", &["y", "double"], &["z"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let types = |(_, info): (_, &windrow::TensorInfo)| info.dtype();
    assert_eq!(plan.inputs().map(types).collect::<Vec<_>>(), [DType::U8]);
    assert_eq!(plan.outputs().map(types).collect::<Vec<_>>(), [DType::F32, DType::U8]);
    let input = View::from_slice(&[0u8, 1, 3, 6, 128, 255], [2, 3]).unwrap();
    let (mut floats, mut integers) = (Tensor::<f32>::new([2, 3]).unwrap(), Tensor::<u8>::new([2, 3]).unwrap());
    plan.run(&Serial, &[input.any()], &mut [floats.view_mut().any(), integers.view_mut().any()]).unwrap();
    assert_eq!(floats.to_vec(), [-1.5, -1.0, 0.0, 1.5, 62.5, 126.0]);
    assert_eq!(integers.to_vec(), [0, 0, 0, 2, 62, 126]);
}

#[test]
fn integers_that_are_not_read_are_refused_with_a_reason() {
    let back = |scale: &str, zero: &str| quantized().node("DequantizeLinear", &["q", scale, zero], &["y"]);
    let other = quantized().floats("other", &[], &[0.25]);
    let other = other.node("DequantizeLinear", &["q", "other", "zero"], &["y"]);
    assert!(refusal(&other).contains("what it reads was written with another scale or zero"), "{}", refusal(&other));
    assert!(refusal(&back("x", "zero")).contains("its scale is no constant of floats"));
    assert!(refusal(&back("scale", "scale")).contains("its zero is no constant of one integer of 8 bits"));
    assert!(refusal(&back("", "zero")).contains("its scale is no constant of floats"));
    let zero = File::new(&[2, 4]).floats("scale", &[], &[0.0]).node("QuantizeLinear", &["x", "scale"], &["y"]);
    assert_eq!(refusal(&zero), "`scale` is the scale 0, but scales are above zero");
    let many = File::new(&[2, 4]).floats("scale", &[4], &[0.5; 4]).node("QuantizeLinear", &["x", "scale"], &["y"]);
    assert!(refusal(&many).contains("it has more than one scale, and reads no constant"), "{}", refusal(&many));
    let blocks = quantized().node_with("DequantizeLinear", &["q", "scale"], &["y"], &[integer("block_size", 2)]);
    assert!(refusal(&blocks).contains("it has scales for blocks of elements"));
    let sigmoid = quantized().node("Sigmoid", &["q"], &["y"]);
    assert!(refusal(&sigmoid).contains("no operator of the library computes it of integers of 8 bits"));
}

/// Scales and zeros of constants are one, or one for each element of the dimension that they name.
#[test]
fn scales_of_constants_are_held_to_their_extents() {
    let file = |scales: &[f32], raw: &[u8]| {
        let file = File::new(&[2, 4]).floats("scales", &[scales.len() as i64], scales);
        let file = file.raw("w", &[4, 3], INT8, raw);
        file.node_with("DequantizeLinear", &["w", "scales"], &["floats"], &[integer("axis", 1)]).node(
            "MatMul",
            &["x", "floats"],
            &["y"],
        )
    };
    let weights: Vec<u8> = (0..12).collect();
    let plan = Model::from_onnx(&file(&[0.5, 1.0, 2.0], &weights).bytes()).unwrap().plan().unwrap();
    let x = [1.0f32, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let found = plan.apply::<f32>(&Serial, &[View::from_slice(&x, [2, 4]).unwrap().any()]).unwrap();
    assert_eq!(found[0].to_vec(), [0.0, 1.0, 4.0, 4.5, 10.0, 22.0]);
    let reason = refusal(&file(&[0.5, 1.0], &weights));
    assert!(
        reason.contains("it has neither one scale and zero, nor one for each element of the dimension"),
        "{reason}"
    );
    let reason = refusal(&file(&[0.5, 1.0, 2.0], &weights[..11]));
    assert_eq!(
        reason,
        "`w` is 11 elements for the extents [4, 3], but a constant has as many elements as its extents say"
    );
}

/// What is made of constants counts, however often a file of few bytes asks for it.
#[test]
fn floats_of_constants_take_bounded_memory() {
    let bytes = vec![1; 1 << 16];
    let file = File::new(&[1, 1 << 16]).floats("scale", &[], &[0.5]).raw("w", &[1, 1 << 16], INT8, &bytes);
    let add = |file: File, number: usize| {
        let (from, to) = (if number == 0 { "x".to_owned() } else { format!("v{number}") }, format!("v{}", number + 1));
        let floats = format!("f{number}");
        file.node("DequantizeLinear", &["w", "scale"], &[&floats]).node("Sub", &[&from, &floats], &[&to])
    };
    let file = (0..64).fold(file, add).node("Identity", &["v64"], &["y"]).bytes();
    let mut options = PlanOptions::default();
    options.memory = 4 << 20;
    let mut model = None;
    let reading = allocation_counter::measure(|| model = Model::from_onnx(&file).ok()).bytes_max;
    assert!(reading <= 512 * file.len() as u64);
    let mut found = None;
    let taken = allocation_counter::measure(|| found = Some(model.unwrap().plan_with(&options).unwrap_err())).bytes_max;
    assert!(found.unwrap().to_string().contains("`PlanOptions::memory` is the limit"));
    assert!(taken <= (4 << 20) + 64 * 1024 * 129, "{taken} bytes");
}

/// Names are not copied for each of many parts, however long they are.
#[test]
fn many_parts_of_a_long_name_take_bounded_memory() {
    let name = "n".repeat(20_000);
    let file = quantized().node("DequantizeLinear", &["q", "scale", "zero"], &["f"]);
    let file = file.floats("other", &[], &[0.25]);
    let join = file.node_with("Concat", &vec!["f"; 5_000], &[&name], &[message(3, name.as_bytes())]);
    let file = join.node("QuantizeLinear", &[&name, "other", "zero"], &["y"]).bytes();
    let taken = allocation_counter::measure(|| drop(Model::from_onnx(&file))).bytes_max;
    assert!(taken <= 512 * file.len() as u64, "{taken} bytes for a file of {}", file.len());
}
