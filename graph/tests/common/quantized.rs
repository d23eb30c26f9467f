//! Quantised networks in files, and what their engines were asked.

use windrow::{Element, Scheduler, Serial, Tensor, TensorInfo, tensor::DType};
use windrow_graph::{Model, Plan, PlanOptions, Requantization};

use super::{path, values};

pub const MODELS: [&str; 2] = ["person_detect", "mobilenet_v2_int8"];

/// Networks of a few layers, whose answers are in NumPy's files.
pub const SMALL: [&str; 5] = ["layers_float", "layers_int8", "products", "quantize", "views"];

/// The first output of a network for an input of random numbers by its name, as numbers and by type.
pub fn small_answer(name: &str, plan: &Plan) -> (Vec<f32>, DType) {
    let seed = format!("{name}/x");
    let (_, info) = plan.inputs().next().unwrap();
    let count = info.shape().extents().iter().product();
    let (floats, bytes);
    let input = if info.dtype() == DType::I8 {
        bytes = filled(info, (0..count).map(|place| ((noise(&seed, place) >> 24) as i32 - 128) as i8).collect());
        bytes.view().any()
    } else {
        floats = filled(info, values(&seed, count, -1.0, 1.0));
        floats.view().any()
    };
    let (_, output) = plan.outputs().next().unwrap();
    if output.dtype() == DType::I8 {
        let found: Vec<Tensor<i8>> = plan.apply(&Serial, &[input]).unwrap();
        return (found[0].to_vec().into_iter().map(f32::from).collect(), DType::I8);
    }
    let found: Vec<Tensor<f32>> = plan.apply(&Serial, &[input]).unwrap();
    (found[0].to_vec(), DType::F32)
}

fn filled<T: Element<Channel = T>>(info: &TensorInfo, elements: Vec<T>) -> Tensor<T> {
    let mut tensor = Tensor::with_info(*info).unwrap();
    tensor.storage_mut().copy_from_slice(&elements);
    tensor
}

/// A random number by a text and a place.
fn noise(seed: &str, place: usize) -> u32 {
    let seed = hash(seed);
    let mut x = (place as u32).wrapping_mul(2_654_435_761).wrapping_add(seed);
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

pub fn file(name: &str) -> Vec<u8> {
    let path = path("quantized").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn model(name: &str) -> Model {
    Model::from_bytes(&file(&format!("{name}.tflite"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn plan(name: &str, requantization: Requantization) -> Plan {
    let mut options = PlanOptions::default();
    options.requantization = requantization;
    model(name).plan_with(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What the engines were asked: noise for even numbers, waves with a little of it for odd ones. Planes have the rows and columns of the
/// network's images, one behind another, whatever the order of their dimensions.
pub fn input(name: &str, number: usize) -> Vec<i8> {
    let (side, planes) = if name == "person_detect" { (96, 1) } else { (224, 3) };
    let seed = format!("{name}/{number}");
    let wave = |t: usize| (t % 256).min(255 - t % 256) as i32;
    let noise = |place| noise(&seed, place);
    let seed = hash(&seed) as usize;
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

pub fn answer(plan: &Plan, scheduler: &dyn Scheduler, elements: Vec<i8>) -> Vec<i8> {
    let (_, info) = plan.inputs().next().unwrap();
    plan.apply(scheduler, &[filled(info, elements).view().any()]).unwrap()[0].to_vec()
}
