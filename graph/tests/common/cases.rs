//! Cases in files: models, what they read and what they write.

use std::path::PathBuf;

use windrow::{AnyView, AnyViewMut, Element, Tensor, TensorInfo, tensor::DType};

/// A model, what it reads and what it writes.
pub struct Case {
    pub name: String,
    pub model: Vec<u8>,
    pub inputs: Vec<(Vec<usize>, Numbers)>,
    pub outputs: Vec<(Vec<usize>, Numbers)>,
}

/// Numbers of a file: integers of 64 bits and truth values have other types in plans.
pub enum Numbers {
    Floats(Vec<f32>),
    Integers(Vec<i64>),
}

/// A tensor of one of the types that plans read and write.
pub enum Held {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
    Unsigned(Tensor<u8>),
    Ints(Tensor<i32>),
}

impl Numbers {
    pub fn wide(&self) -> Vec<f64> {
        match self {
            Numbers::Floats(floats) => floats.iter().copied().map(f64::from).collect(),
            Numbers::Integers(integers) => integers.iter().map(|&integer| integer as f64).collect(),
        }
    }
}

impl Held {
    /// Zeros of the type of a plan's input or output.
    pub fn zeros(info: &TensorInfo) -> Held {
        match info.dtype() {
            DType::I8 => Held::Bytes(Tensor::with_info(*info).unwrap()),
            DType::U8 => Held::Unsigned(Tensor::with_info(*info).unwrap()),
            DType::I32 => Held::Ints(Tensor::with_info(*info).unwrap()),
            _ => Held::Floats(Tensor::with_info(*info).unwrap()),
        }
    }

    /// Numbers as elements of the type of a plan's input.
    pub fn new(numbers: &Numbers, info: &TensorInfo) -> Held {
        fn fill<T: Element<Channel = T>>(tensor: &mut Tensor<T>, numbers: &Numbers, as_element: impl Fn(f64) -> T) {
            tensor.storage_mut().iter_mut().zip(numbers.wide()).for_each(|(to, number)| *to = as_element(number));
        }
        let mut held = Held::zeros(info);
        match &mut held {
            Held::Floats(tensor) => fill(tensor, numbers, |number| number as f32),
            Held::Bytes(tensor) => fill(tensor, numbers, |number| number as i8),
            Held::Unsigned(tensor) => fill(tensor, numbers, |number| number as u8),
            Held::Ints(tensor) => fill(tensor, numbers, |number| number as i32),
        }
        held
    }

    pub fn view(&self) -> AnyView<'_> {
        match self {
            Held::Floats(tensor) => tensor.view().any(),
            Held::Bytes(tensor) => tensor.view().any(),
            Held::Unsigned(tensor) => tensor.view().any(),
            Held::Ints(tensor) => tensor.view().any(),
        }
    }

    pub fn view_mut(&mut self) -> AnyViewMut<'_> {
        match self {
            Held::Floats(tensor) => tensor.view_mut().any(),
            Held::Bytes(tensor) => tensor.view_mut().any(),
            Held::Unsigned(tensor) => tensor.view_mut().any(),
            Held::Ints(tensor) => tensor.view_mut().any(),
        }
    }

    pub fn wide(&self) -> Vec<f64> {
        match self {
            Held::Floats(tensor) => tensor.to_vec().into_iter().map(f64::from).collect(),
            Held::Bytes(tensor) => tensor.to_vec().into_iter().map(f64::from).collect(),
            Held::Unsigned(tensor) => tensor.to_vec().into_iter().map(f64::from).collect(),
            Held::Ints(tensor) => tensor.to_vec().into_iter().map(f64::from).collect(),
        }
    }
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().unwrap()) as usize
    }

    fn sized(&mut self) -> &'b [u8] {
        let count = self.number();
        self.take(count)
    }

    fn tensors(&mut self) -> Vec<(Vec<usize>, Numbers)> {
        (0..self.number()).map(|_| self.tensor()).collect()
    }

    fn tensor(&mut self) -> (Vec<usize>, Numbers) {
        let letter = self.take(1)[0];
        let extents: Vec<usize> = (0..self.number()).map(|_| self.number()).collect();
        let count: usize = extents.iter().product();
        let mut integers = |size: usize, of: &dyn Fn(&[u8]) -> i64| {
            Numbers::Integers(self.take(count * size).chunks_exact(size).map(of).collect())
        };
        let numbers = match letter {
            b'f' => {
                let floats = self.take(count * 4).as_chunks::<4>().0;
                Numbers::Floats(floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
            }
            b'b' => integers(1, &|bytes| bytes[0].cast_signed().into()),
            b'B' | b'?' => integers(1, &|bytes| bytes[0].into()),
            b'i' => integers(4, &|bytes| i32::from_le_bytes(bytes.try_into().unwrap()).into()),
            b'q' => integers(8, &|bytes| i64::from_le_bytes(bytes.try_into().unwrap())),
            other => panic!("elements of type {other}"),
        };
        (extents, numbers)
    }
}

/// All cases of a file.
pub fn read(name: &str) -> Vec<Case> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "nodes", name].iter().collect();
    let file = std::fs::read(path).unwrap();
    let (mut bytes, mut cases) = (Bytes(&file), Vec::new());
    while !bytes.0.is_empty() {
        let name = String::from_utf8(bytes.sized().to_vec()).unwrap();
        let model = bytes.sized().to_vec();
        let (inputs, outputs) = (bytes.tensors(), bytes.tensors());
        cases.push(Case { name, model, inputs, outputs });
    }
    cases
}
