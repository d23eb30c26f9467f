//! Networks of integers of 8 bits, held to the bits of the engines that are the measure of them.
//!
//! `models/quantized` holds the models, and what LiteRT 2.3.0 answers to a hundred inputs: its reference kernels in `*.integer.bin`, XNNPACK
//! with its optimised kernels in `*.float.bin`.

mod common;

use approx::relative_eq;
use common::{
    npy,
    quantized::{MODELS, SMALL, answer, file, input, model, plan, small_answer},
};
use windrow::{Rayon, Serial, View, tensor::DType};
use windrow_graph::Requantization;

/// Compares answers to every `step`-th of the hundred inputs with an engine's.
fn compare(requantization: Requantization, engine: &str, step: usize) {
    for name in MODELS {
        let (plan, expected) = (plan(name, requantization), file(&format!("{name}.{engine}.bin")));
        let length = expected.len() / 100;
        for (number, expected) in expected.chunks_exact(length).enumerate().step_by(step) {
            let found = answer(&plan, &Serial, input(name, number));
            let differing = found.iter().zip(expected).filter(|(found, expected)| **found != expected.cast_signed());
            assert_eq!(differing.count(), 0, "{name}, input {number}: of {length} elements");
        }
    }
}

/// Layers of each kind: integers have the bits of TFLite's reference, and floats are as near as sums in another order are.
#[test]
fn layers_answer_as_tflites_reference_does() {
    for name in SMALL {
        let plan = plan(name, Requantization::Integer);
        let ((found, element), (extents, expected)) = (small_answer(name, &plan), npy(&format!("quantized/{name}")));
        let (_, output) = plan.outputs().next().unwrap();
        assert_eq!(output.shape().extents()[..], extents[..], "{name}");
        assert_eq!(found.len(), expected.len(), "{name}");
        for (place, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let is_right = if element == DType::I8 {
                found == expected
            } else {
                relative_eq!(found, expected, max_relative = 1e-4, epsilon = 1e-6)
            };
            assert!(is_right, "{name}: element {place} is {found:e}, and the reference's {expected:e}");
        }
    }
}

#[test]
fn operators_that_are_not_known_are_named() {
    let error = model("custom").plan().unwrap_err().to_string();
    assert!(error.starts_with("no operator of the library computes 2 of the nodes"), "{error}");
    assert!(error.contains("(Magic): no operator of the library is one"), "{error}");
}

/// How many inputs are compared: all of them where processors compute and do not emulate one another.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 33 };

#[test]
fn integers_have_the_bits_of_tflites_reference() {
    compare(Requantization::Integer, "integer", STEP);
}

#[test]
fn floats_have_the_bits_of_xnnpack() {
    compare(Requantization::Float, "float", STEP);
}

#[test]
fn answers_are_the_same_on_any_number_of_threads() {
    for (name, requantization) in MODELS.into_iter().zip([Requantization::Integer, Requantization::Float]) {
        let plan = plan(name, requantization);
        let expected = answer(&plan, &Serial, input(name, 7));
        for threads in [2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(answer(&plan, &Rayon::on(&pool).with_grain(1), input(name, 7)), expected, "{name}");
        }
    }
}

/// Nothing is copied but the image of few channels, between its pads; what pads other images and what bounds sums is part of the sums; the
/// mean is a convolution of each channel.
#[test]
fn what_tflite_computes_step_by_step_is_one_step() {
    let kernels = |name: &str| plan(name, Requantization::Integer).steps().iter().map(|step| step.kernel()).collect();
    let mobilenet: Vec<&str> = kernels("mobilenet_v2_int8");
    let of = |kernel: &str| mobilenet.iter().filter(|found| **found == kernel).count();
    assert_eq!([of("conv2d_requantize"), of("dense_requantize"), of("dense_requantize_once")], [1, 34, 1]);
    assert_eq!([of("depthwise3x3_requantize"), of("depthwise_conv2d_requantize"), of("add_quantized")], [17, 1, 10]);
    assert_eq!((of("copy"), mobilenet.len()), (3, 64 + 3));
    let person: Vec<&str> = kernels("person_detect");
    assert_eq!(person[person.len() - 3..], ["average_pool2d_bytes", "dense_requantize", "softmax_bytes"]);
    // Nothing is before the image.
    assert_eq!((person[..2] == ["copy"; 2], person.len()), (true, 30 + 2));
}

/// The pixels of a bitmap of 8 bits, from the top on: TensorFlow Lite Micro's pictures hold the network's integers.
fn pixels(name: &str) -> Vec<i8> {
    let bytes = file(name);
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (start, width, height) = (number(10), number(18), number(22));
    let rows = bytes[start..].chunks_exact(width).take(height).rev();
    rows.flatten().map(|pixel| pixel.cast_signed()).collect()
}

/// The second number is that of somebody there.
#[test]
fn a_person_is_detected() {
    for requantization in [Requantization::Integer, Requantization::Float] {
        let plan = plan("person_detect", requantization);
        let [there, not_there] = ["person.bmp", "no_person.bmp"].map(|name| answer(&plan, &Serial, pixels(name)));
        let shares = [[-113, 113], if requantization == Requantization::Integer { [57, -57] } else { [60, -60] }];
        assert_eq!([&there[..], &not_there], shares, "{requantization:?}");
    }
}

#[test]
fn what_integers_stand_for_is_known_and_held_to() {
    let plan = plan("person_detect", Requantization::Integer);
    let (name, info) = plan.inputs().next().unwrap();
    let found = info.quantization().unwrap();
    assert_eq!((name, info.shape().to_string().as_str()), ("input", "1×96×96×1"));
    assert_eq!((found.scale(), found.offset()), (2.0 / 255.0, -1));
    let floats = vec![0.5f32; 96 * 96];
    let floats = View::from_slice(&floats, [1, 96, 96, 1]).unwrap();
    let error = plan.apply::<i8>(&Serial, &[floats.any()]).unwrap_err().to_string();
    assert!(error.contains("is 1×96×96×1 of f32, expected 1×96×96×1 of i8 of scale"), "{error}");
}
