//! What a node of a model says to its operator by name.

use serde::{Deserialize, Serialize};
use windrow::{Scalar, family::Value};

use crate::float::Float;

/// An attribute of a node, or what an argument of a kernel is given in its place.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Attribute {
    /// An integer; a truth value is 0 or 1.
    Int(i64),
    /// A float.
    Float(f32),
    /// A list of integers.
    Ints(Vec<i64>),
    /// A list of floats.
    Floats(Vec<f32>),
    /// A text.
    Text(String),
}

impl Attribute {
    /// Returns the integer; `None` of anything else.
    pub fn int(&self) -> Option<i64> {
        match self {
            Attribute::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// Returns the float; `None` of anything else.
    pub fn float(&self) -> Option<f32> {
        match self {
            Attribute::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The value of an argument of these extents: models have lists for arrays of any number of dimensions.
    pub(super) fn value(&self, dims: &[u32]) -> Value<'_> {
        let extents = |length: usize| -> Vec<u32> {
            let count = dims.iter().try_fold(1u32, |count, &dim| count.checked_mul(dim));
            let fits = !dims.is_empty() && count.and_then(|count| usize::try_from(count).ok()) == Some(length);
            if fits { dims.to_vec() } else { vec![u32::try_from(length).unwrap_or(u32::MAX)] }
        };
        match self {
            Attribute::Int(int) => Scalar::I64(*int).into(),
            Attribute::Float(float) => (*float).into(),
            Attribute::Ints(ints) => Value::array(&extents(ints.len()), ints.iter().map(|&int| Scalar::I64(int))),
            Attribute::Floats(floats) => Value::array(&extents(floats.len()), floats.iter().copied()),
            Attribute::Text(text) => text.as_str().into(),
        }
    }
}

impl From<i64> for Attribute {
    fn from(int: i64) -> Attribute {
        Attribute::Int(int)
    }
}

impl From<f32> for Attribute {
    fn from(float: f32) -> Attribute {
        Attribute::Float(float)
    }
}

impl From<&[i64]> for Attribute {
    fn from(ints: &[i64]) -> Attribute {
        Attribute::Ints(ints.to_vec())
    }
}

impl From<&[f32]> for Attribute {
    fn from(floats: &[f32]) -> Attribute {
        Attribute::Floats(floats.to_vec())
    }
}

impl From<&str> for Attribute {
    fn from(text: &str) -> Attribute {
        Attribute::Text(text.to_owned())
    }
}

/// An attribute in a plan's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AttributeForm {
    Int(i64),
    Float(Float),
    Ints(Vec<i64>),
    Floats(Vec<Float>),
    Text(String),
}

impl From<Attribute> for AttributeForm {
    fn from(attribute: Attribute) -> AttributeForm {
        match attribute {
            Attribute::Int(int) => AttributeForm::Int(int),
            Attribute::Float(float) => AttributeForm::Float(Float(float)),
            Attribute::Ints(ints) => AttributeForm::Ints(ints),
            Attribute::Floats(floats) => AttributeForm::Floats(floats.into_iter().map(Float).collect()),
            Attribute::Text(text) => AttributeForm::Text(text),
        }
    }
}

impl From<AttributeForm> for Attribute {
    fn from(form: AttributeForm) -> Attribute {
        match form {
            AttributeForm::Int(int) => Attribute::Int(int),
            AttributeForm::Float(Float(float)) => Attribute::Float(float),
            AttributeForm::Ints(ints) => Attribute::Ints(ints),
            AttributeForm::Floats(floats) => Attribute::Floats(floats.into_iter().map(|Float(float)| float).collect()),
            AttributeForm::Text(text) => Attribute::Text(text),
        }
    }
}
