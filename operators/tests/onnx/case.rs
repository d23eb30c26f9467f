//! The tests of `nodes.txt`: each a line with its name, operator and attributes, lines of inputs, lines of outputs.

use std::{collections::BTreeMap, error::Error};

use windrow::{Element, Tensor, TensorInfo, family::AnyTensor};

/// A backend node test.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    pub operator: String,
    pub attributes: BTreeMap<String, String>,
    pub inputs: Vec<Array>,
    pub outputs: Vec<Array>,
}

/// A tensor; `f64` holds the elements of every type exactly.
#[derive(Clone, Debug)]
pub struct Array {
    pub element: String,
    pub extents: Vec<usize>,
    pub values: Vec<f64>,
}

/// A tensor of one of the types, to be read.
pub enum Held {
    U8(Tensor<u8>),
    I8(Tensor<i8>),
    I16(Tensor<i16>),
    U16(Tensor<u16>),
    I32(Tensor<i32>),
    F32(Tensor<f32>),
}

impl Case {
    /// An attribute that is a number, or what ONNX takes where it is missing.
    pub fn number(&self, attribute: &str, default: f32) -> f32 {
        self.attributes.get(attribute).map_or(default, |text| text.parse().expect("attributes are numbers"))
    }
}

impl Array {
    pub fn describe(&self) -> String {
        format!("{}{:?}", self.element, self.extents)
    }

    /// The same elements in another shape.
    pub fn reshaped(&self, extents: &[usize]) -> Array {
        assert_eq!(extents.iter().product::<usize>(), self.values.len());
        Array { extents: extents.to_vec(), ..self.clone() }
    }

    /// The same elements as `i32`.
    pub fn widened(&self) -> Array {
        Array { element: "i32".into(), ..self.clone() }
    }

    /// One zero of the type of another tensor.
    pub fn zero(like: &Array) -> Array {
        Array { element: like.element.clone(), extents: vec![1], values: vec![0.0] }
    }

    /// The first elements along each dimension.
    pub fn cropped(&self, extents: &[usize]) -> Array {
        let is_inside = |index: usize| {
            let mut rest = index;
            self.extents.iter().zip(extents).rev().all(|(whole, kept)| {
                let at = rest % whole;
                rest /= whole;
                at < *kept
            })
        };
        let values = self.values.iter().enumerate().filter(|(index, _)| is_inside(*index)).map(|(_, value)| *value);
        Array { element: self.element.clone(), extents: extents.to_vec(), values: values.collect() }
    }

    /// One value for all elements.
    pub fn scalar(&self) -> f64 {
        assert_eq!(self.values.len(), 1, "{} is not a scalar", self.describe());
        self.values[0]
    }

    pub fn held(&self) -> Held {
        match self.element.as_str() {
            "u8" => Held::U8(self.tensor(|value| value as u8)),
            "i8" => Held::I8(self.tensor(|value| value as i8)),
            "i16" => Held::I16(self.tensor(|value| value as i16)),
            "u16" => Held::U16(self.tensor(|value| value as u16)),
            "i32" => Held::I32(self.tensor(|value| value as i32)),
            "f32" => Held::F32(self.tensor(|value| value as f32)),
            other => panic!("{other} is not a type of the tests"),
        }
    }

    fn tensor<T: Element>(&self, convert: impl Fn(f64) -> T) -> Tensor<T> {
        // A scalar of ONNX has no extents.
        let extents: &[usize] = if self.extents.is_empty() { &[1] } else { &self.extents };
        let mut tensor = Tensor::with_info(TensorInfo::of::<T>(extents).unwrap()).unwrap();
        tensor.storage_mut().iter_mut().zip(&self.values).for_each(|(to, from)| *to = convert(*from));
        tensor
    }

    pub fn of(found: &AnyTensor) -> Result<Array, Box<dyn Error>> {
        fn read<T: Element + Into<f64>>(found: &AnyTensor) -> Result<Vec<f64>, Box<dyn Error>> {
            Ok(found.to_tensor::<T>()?.to_vec().into_iter().map(Into::into).collect())
        }
        let element = found.info().dtype().to_string();
        let values = match element.as_str() {
            "u8" => read::<u8>(found)?,
            "i8" => read::<i8>(found)?,
            "i16" => read::<i16>(found)?,
            "u16" => read::<u16>(found)?,
            "i32" => read::<i32>(found)?,
            "f32" => read::<f32>(found)?,
            other => return Err(format!("{other} is not a type of the tests").into()),
        };
        Ok(Array { element, extents: found.info().shape().extents().to_vec(), values })
    }
}

/// Reads every test.
pub fn read() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("nodes.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(' ').expect("each line has two parts") {
            ("<", array) => cases.last_mut().expect("a test is named first").inputs.push(array_of(array)),
            (">", array) => cases.last_mut().expect("a test is named first").outputs.push(array_of(array)),
            (name, rest) => cases.push(case_of(name, rest)),
        }
    }
    cases
}

fn case_of(name: &str, rest: &str) -> Case {
    let mut words = rest.split(' ');
    let operator = words.next().expect("each test has an operator").to_string();
    let attributes = words.filter_map(|word| word.split_once('=')).map(|(name, value)| (name.into(), value.into()));
    let (inputs, outputs) = (Vec::new(), Vec::new());
    Case { name: name.to_string(), operator, attributes: attributes.collect(), inputs, outputs }
}

fn array_of(text: &str) -> Array {
    let (kind, values) = text.split_once(' ').expect("a type and values");
    let (element, extents) = kind.trim_end_matches(']').split_once('[').expect("a type has extents");
    let extents =
        extents.split(',').filter(|extent| !extent.is_empty()).map(|extent| extent.parse().unwrap()).collect();
    let values = values
        .split(' ')
        .map(|value| if element == "f32" { f64::from(value.parse::<f32>().unwrap()) } else { value.parse().unwrap() });
    Array { element: element.to_string(), extents, values: values.collect() }
}
