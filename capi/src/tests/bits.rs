//! Every kernel, found by its name and run as C does it, gives the bits that Rust's own calls give.

use std::{ffi::CString, iter};

use serde_json::Value as Json;
use windrow::{
    ElementType,
    spec::{InputSpec, KernelSpec},
};

use super::*;

/// What Rust's calls give: `operators/tests/digests.rs` writes and describes the file.
const DIGESTS: &str = include_str!("../../../operators/tests/digests.json");

/// The bytes of an image or a table of this many numbers.
fn filled(image: u32, element: ElementType, count: usize) -> Vec<u8> {
    let number = |place: usize| (place as u32).wrapping_mul(2_654_435_761).wrapping_add(image * 97_531 + 12_345);
    let bytes = |number: u32| match element {
        ElementType::U8 | ElementType::I8 => vec![(number >> 13) as u8],
        ElementType::U16 | ElementType::I16 | ElementType::F16 | ElementType::BF16 => {
            ((number >> 7) as u16).to_le_bytes().to_vec()
        }
        ElementType::U32 | ElementType::I32 => number.to_le_bytes().to_vec(),
        ElementType::U64 => (u64::from(number) << 16).to_le_bytes().to_vec(),
        ElementType::I64 => (i64::from(number) - (1 << 31)).to_le_bytes().to_vec(),
        ElementType::F64 => ((f64::from(number) - 1e9) / 3.0).to_le_bytes().to_vec(),
        ElementType::F32 => ((((number >> 8) % 20_001) as f32 - 10_000.0) / 64.0).to_le_bytes().to_vec(),
    };
    (0..count).map(number).flat_map(bytes).collect()
}

fn extents(json: &Json) -> Vec<usize> {
    json.as_array().unwrap().iter().map(|extent| extent.as_u64().unwrap() as usize).collect()
}

/// A tensor and the memory that it lies in.
struct Image {
    bytes: Vec<u8>,
    tensor: WindrowTensor,
}

impl Image {
    fn new(bytes: Option<u32>, element: ElementType, channels: u32, shape: &[usize]) -> Self {
        let count = shape.iter().product::<usize>() * channels as usize;
        let mut bytes = match bytes {
            Some(image) => filled(image, element, count),
            None => vec![0; count * element.size()],
        };
        let (data, rank) = (bytes.as_mut_ptr().cast::<c_void>(), shape.len() as u32);
        let mut tensor = WindrowTensor::NONE;
        // SAFETY: as many extents as the rank says.
        ok(unsafe { windrow_tensor_dense(data, number(element), channels, rank, shape.as_ptr(), &mut tensor) });
        Self { bytes, tensor }
    }

    /// The CRC-32 of its bytes; NaNs have one payload, as theirs is the processor's.
    fn sum(&self, element: ElementType) -> u64 {
        let mut bytes = self.bytes.clone();
        if element == ElementType::F32 {
            for word in bytes.chunks_exact_mut(4) {
                if f32::from_le_bytes([word[0], word[1], word[2], word[3]]).is_nan() {
                    word.copy_from_slice(&0x7fc0_0000u32.to_le_bytes());
                }
            }
        }
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        sum.sum().into()
    }
}

/// The tensors that a kernel reads, and those that it writes, as a line of the file has them.
fn images(spec: &'static KernelSpec, case: &Json) -> (Vec<Image>, Vec<Image>) {
    let shapes = case["inputs"].as_array().unwrap().iter().map(extents);
    let input = |((image, (_, input)), shape): ((u32, (&str, &InputSpec)), Vec<usize>)| {
        Image::new(Some(image), input.element, input.channels, &shape)
    };
    let inputs = (0..).zip(spec.read_images()).zip(shapes).map(input).collect();
    let shape = extents(&case["outputs"]);
    let outputs = (0..).zip(spec.outputs.iter()).map(|(index, output)| {
        let is_read = spec.images().any(|(_, input)| input.inout == Some(index));
        Image::new(is_read.then_some(10 + index), output.element, output.channels, &shape)
    });
    (inputs, outputs.collect())
}

/// The texts and numbers that values point to.
#[derive(Default)]
struct Values {
    memory: Vec<(CString, Vec<u8>)>,
    values: Vec<WindrowValue>,
}

impl Values {
    fn add(&mut self, name: &str, choice: Option<&str>, element: ElementType, dims: &[u32], bytes: Vec<u8>) {
        let name = CString::new(name).unwrap();
        let (bytes, mut extents) = (choice.map_or(bytes, |choice| format!("{choice}\0").into_bytes()), [0; 4]);
        extents[..dims.len()].copy_from_slice(dims);
        let data = bytes.as_ptr();
        self.values.push(WindrowValue {
            name: name.as_ptr(),
            choice: if choice.is_some() { data.cast() } else { null() },
            element: number(element),
            rank: dims.len() as u32,
            extents,
            data: data.cast(),
        });
        self.memory.push((name, bytes));
    }

    fn of(spec: &'static KernelSpec, case: &Json) -> Self {
        let mut values = Self::default();
        for (name, uniform) in spec.uniforms() {
            let given = &case["values"][name];
            let numbers = given["values"].as_array().map_or(vec![given], |numbers| numbers.iter().collect());
            // Integers of any type are taken, if they fit.
            let (element, bytes): (_, Vec<Vec<u8>>) = match uniform.element {
                ElementType::F32 => {
                    let bytes = |number: &&Json| (number.as_f64().unwrap() as f32).to_le_bytes().to_vec();
                    (ElementType::F32, numbers.iter().map(bytes).collect())
                }
                _ => {
                    let bytes = |number: &&Json| number.as_i64().unwrap().to_le_bytes().to_vec();
                    (ElementType::I64, numbers.iter().map(bytes).collect())
                }
            };
            values.add(name, None, element, uniform.dims, bytes.concat());
        }
        for (name, _) in spec.variants() {
            values.add(name, case["values"][name].as_str(), ElementType::U8, &[], Vec::new());
        }
        for (index, (name, element, length)) in (20..).zip(spec.tables()) {
            values.add(name, None, element, &[length], filled(index, element, length as usize));
        }
        values
    }
}

#[test]
fn every_kernel_gives_rusts_bits() {
    let digests: Json = serde_json::from_str(DIGESTS).unwrap();
    assert_eq!(digests.as_object().unwrap().len(), windrow_operators::all().len());
    let mut wrong = Vec::new();
    for code in windrow_operators::all() {
        let spec = code.spec();
        let case = &digests[spec.name];
        let (inputs, outputs) = images(spec, case);
        let values = Values::of(spec, case);
        let border = WindrowBorderMode::Reflect as u32;
        let borders = [WindrowBorder { mode: border, ..REPLICATE }];
        let borders = if case["border"] == "undefined" { &borders[..0] } else { &borders };
        let tensors = |images: &[Image]| images.iter().map(|image| image.tensor).collect::<Vec<_>>();
        let (reads, writes) = (tensors(&inputs), tensors(&outputs));
        // A family may have the name of one of its kernels: the types of its tensors choose it.
        let call = WindrowCall {
            output_element: number(spec.outputs[0].element),
            ..call(&reads, &writes, &values.values, borders)
        };
        let plan =
            configure(find(&CString::new(spec.name).unwrap()), &call).unwrap_or_else(|(_, text)| panic!("{text}"));
        ok(run(plan, &reads, &writes, 1));
        // SAFETY: it was configured here.
        unsafe { windrow_plan_free(plan) };
        let sums: Vec<u64> =
            iter::zip(&outputs, spec.outputs).map(|(image, output)| image.sum(output.element)).collect();
        let expected: Vec<u64> = case["crc"].as_array().unwrap().iter().map(|sum| sum.as_u64().unwrap()).collect();
        if sums != expected {
            wrong.push(spec.name);
        }
    }
    assert_eq!(wrong, [""; 0]);
}
