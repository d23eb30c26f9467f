//! Networks of integers of 8 bits, held to the bits of the engines that are the measure of them.
//!
//! `models/quantized` holds the models, and what LiteRT 2.3.0 answers to a hundred inputs: its reference kernels in `*.integer.bin`, XNNPACK
//! with its optimised kernels in `*.float.bin`.

use windrow::{Rayon, Scheduler, Serial, Tensor, View};
use windrow_graph::{Model, Plan, PlanOptions, Requantization};

const MODELS: [&str; 2] = ["person_detect", "mobilenet_v2_int8"];

fn file(name: &str) -> Vec<u8> {
    let path: std::path::PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "models", "quantized", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn model(name: &str) -> Model {
    Model::from_bytes(&file(&format!("{name}.tflite"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn plan(name: &str, requantization: Requantization) -> Plan {
    let mut options = PlanOptions::default();
    options.requantization = requantization;
    model(name).plan_with(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What the engines were asked: noise for even numbers, waves with a little of it for odd ones. Planes have the rows and columns of the
/// network's images, one behind another, whatever the order of their dimensions.
fn input(name: &str, number: usize) -> Vec<i8> {
    let (side, planes) = if name == "person_detect" { (96, 1) } else { (224, 3) };
    let seed = format!("{name}/{number}");
    let seed = seed.bytes().fold(2_166_136_261u32, |seed, byte| (seed ^ u32::from(byte)).wrapping_mul(16_777_619));
    let noise = |place: usize| {
        let mut x = (place as u32).wrapping_mul(2_654_435_761).wrapping_add(seed);
        x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
        x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
        x ^ (x >> 16)
    };
    let wave = |t: usize| (t % 256).min(255 - t % 256) as i32;
    let seed = seed as usize;
    let frequency = [1 + (seed & 7), 1 + (seed >> 3 & 7)];
    let phase = [seed >> 8 & 255, seed >> 16 & 255];
    let element = |place: usize| {
        if number.is_multiple_of(2) {
            return ((noise(place) >> 24) as i32 - 128) as i8;
        }
        let (plane, row, column) = (place / (side * side), place / side % side, place % side);
        let down = wave(row * frequency[0] + phase[0] + 37 * plane);
        let across = wave(column * frequency[1] + phase[1] + 59 * plane);
        (down + across - 127 + (noise(place) >> 29) as i32 - 4).clamp(-128, 127) as i8
    };
    (0..planes * side * side).map(element).collect()
}

fn answer(plan: &Plan, scheduler: &dyn Scheduler, elements: Vec<i8>) -> Vec<i8> {
    let (_, info) = plan.inputs().next().unwrap();
    let mut tensor = Tensor::<i8>::with_info(*info).unwrap();
    tensor.storage_mut().copy_from_slice(&elements);
    plan.apply(scheduler, &[tensor.view().any()]).unwrap()[0].to_vec()
}

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

/// Nothing is copied; what pads images and what bounds sums is part of the sums; the mean is a convolution of each channel.
#[test]
fn what_tflite_computes_step_by_step_is_one_step() {
    let kernels = |name: &str| plan(name, Requantization::Integer).steps().iter().map(|step| step.kernel()).collect();
    let mobilenet: Vec<&str> = kernels("mobilenet_v2_int8");
    let of = |kernel: &str| mobilenet.iter().filter(|found| **found == kernel).count();
    assert_eq!([of("conv2d_requantize"), of("dense_requantize"), of("dense_requantize_once")], [1, 34, 1]);
    assert_eq!([of("depthwise_conv2d_requantize"), of("add_quantized")], [18, 10]);
    assert_eq!(mobilenet.len(), 64);
    let person: Vec<&str> = kernels("person_detect");
    assert_eq!(person[person.len() - 3..], ["average_pool2d_bytes", "dense_requantize", "softmax_bytes"]);
    assert_eq!(person.len(), 30);
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
