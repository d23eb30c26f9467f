//! Models in files, and numbers that are the same in every language.
#![allow(dead_code, reason = "each test program uses some of it")]

pub mod cases;
#[cfg(feature = "opencl")]
pub mod device;
pub mod file;
pub mod kernel;
pub mod plans;
pub mod qdq;
pub mod quantized;
pub mod random;
pub mod tvm;

use std::path::PathBuf;

use windrow::{Scheduler, Tensor, TensorInfo};
use windrow_graph::{Model, Plan};

pub fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "models", name].iter().collect()
}

pub fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(&format!("{name}.onnx"))).unwrap()
}

/// The model of a case, with weights.
pub fn model(name: &str) -> Model {
    let mut model = Model::from_onnx(&bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    if name == "squeezenet" {
        give_weights(&mut model);
    }
    model
}

pub fn plan(name: &str) -> Plan {
    model(name).plan().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of all models, in the order of their names.
pub fn names() -> Vec<String> {
    let files = std::fs::read_dir(path("")).unwrap().map(|file| file.unwrap().path());
    let of = |file: PathBuf| Some(file.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<_> = files.filter(|file| file.extension().is_some_and(|e| e == "onnx")).filter_map(of).collect();
    names.sort();
    names
}

/// As `values` of `models/build.py`.
pub fn values(name: &str, count: usize, least: f64, greatest: f64) -> Vec<f32> {
    let seed = name.bytes().fold(2_166_136_261u32, |seed, byte| (seed ^ u32::from(byte)).wrapping_mul(16_777_619));
    let number = |place: usize| {
        let mut x = (place as u32).wrapping_mul(2_654_435_761).wrapping_add(seed);
        x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
        x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
        x ^= x >> 16;
        (least + (greatest - least) * (f64::from(x) / 4_294_967_296.0)) as f32
    };
    (0..count).map(number).collect()
}

/// An array of floats in NumPy's format, or of integers of 8 bits as floats: its extents and elements.
pub fn npy(name: &str) -> (Vec<usize>, Vec<f32>) {
    let bytes = std::fs::read(path(&format!("{name}.npy"))).unwrap();
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, data) = bytes[10..].split_at(length);
    let header = std::str::from_utf8(header).unwrap();
    assert!(header.contains("'fortran_order': False"), "{header}");
    let extents = &header[header.find('(').unwrap() + 1..header.find(')').unwrap()];
    let extents = extents.split(',').filter_map(|extent| extent.trim().parse().ok()).collect();
    if header.contains("'|i1'") {
        return (extents, data.iter().map(|byte| f32::from(byte.cast_signed())).collect());
    }
    assert!(header.contains("'<f4'"), "{header}");
    (extents, data.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

/// Gives a model the weights that `ConstantOfShape` fills in the file, as `models/build.py` makes them: the constants whose shapes are
/// constants, too. What the file holds stays.
pub fn give_weights(model: &mut Model) {
    let constants: Vec<(String, Vec<usize>)> =
        model.constants().map(|(name, extents)| (name.to_owned(), extents.to_vec())).collect();
    for (name, extents) in &constants {
        if !constants.iter().any(|(shape, _)| *shape == format!("{name}__SHAPE")) {
            continue;
        }
        let inner: usize = extents[1..].iter().product();
        let bound = if extents.len() > 1 { (6.0 / inner as f64).sqrt() } else { 0.05 };
        model.set_constant(name, values(name, extents.iter().product(), -bound, bound)).unwrap();
    }
}

/// The input of a case, of the plan's shape.
pub fn input(name: &str, plan: &Plan) -> Tensor<f32> {
    let (_, info) = plan.inputs().next().unwrap();
    let mut tensor = Tensor::with_info(TensorInfo::of::<f32>(&info.shape().extents()).unwrap()).unwrap();
    let count = tensor.storage().len();
    tensor.storage_mut().copy_from_slice(&values(&format!("{name}/x"), count, -1.0, 1.0));
    tensor
}

/// The first output of a plan.
pub fn output(plan: &Plan, scheduler: &dyn Scheduler, input: &Tensor<f32>) -> Tensor<f32> {
    plan.apply(scheduler, &[input.view().any()]).unwrap().swap_remove(0)
}

/// A digest of the bits of a plan's first output.
pub fn digest(plan: &Plan, scheduler: &dyn Scheduler, input: &Tensor<f32>) -> String {
    let mix = |digest: u64, value: f32| (digest ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", output(plan, scheduler, input).to_vec().into_iter().fold(0xcbf2_9ce4_8422_2325, mix))
}
