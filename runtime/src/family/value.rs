//! A value of an argument that is not an image: a uniform, a variant, a table.

use crate::{
    arguments::AnyTable,
    element::{ElementType, Primitive, Scalar},
};
use std::{format, string::String, vec, vec::Vec};

/// A value of an argument that is not an image.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// A uniform: a scalar, which has no extents, or an array, rows first.
    Uniform {
        /// The extents of the array, outermost first.
        dims: Vec<u32>,
        /// The scalars.
        scalars: Vec<Scalar>,
    },
    /// The name of a variant's value.
    Variant(&'a str),
    /// A table.
    Table(AnyTable<'a>),
}

impl<'a> Value<'a> {
    /// Returns an array of extents `dims`, outermost first, with its scalars, rows first.
    pub fn array(dims: &[u32], scalars: impl IntoIterator<Item = impl Into<Scalar>>) -> Value<'a> {
        Value::Uniform { dims: dims.to_vec(), scalars: scalars.into_iter().map(Into::into).collect() }
    }

    /// Returns the entries of a table.
    pub fn table<T: Primitive>(entries: &'a [T]) -> Value<'a> {
        Value::Table(AnyTable::new(entries))
    }

    /// The words of a uniform of this type and these extents. An integer is a float too, where a float has its value.
    pub(super) fn words(&self, element: ElementType, expected: &[u32]) -> Option<Vec<u32>> {
        let Value::Uniform { dims, scalars } = self else { return None };
        let count: u32 = expected.iter().product();
        let fits = dims == expected && scalars.len() == count as usize;
        fits.then(|| scalars.iter().map(|scalar| Some(exactly(*scalar, element)?.to_word())).collect())?
    }

    /// The one number that it is.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Value::Uniform { dims, scalars } if dims.is_empty() => scalars.first().copied(),
            Value::Uniform { .. } | Value::Variant(_) | Value::Table(_) => None,
        }
    }

    /// The value as errors show it.
    pub(super) fn describe(&self) -> String {
        match self {
            Value::Uniform { dims, scalars } if dims.is_empty() => {
                scalars.first().map_or_else(String::new, |scalar| format!("{scalar:#}"))
            }
            Value::Uniform { dims, scalars } => format!("an array of extents {dims:?} with {} values", scalars.len()),
            Value::Variant(name) => format!("`{name}`"),
            Value::Table(table) => format!("a table of {} {}", table.length, table.element),
        }
    }
}

/// The same value in a uniform's type, where that has it.
fn exactly(scalar: Scalar, element: ElementType) -> Option<Scalar> {
    match (scalar, element) {
        (Scalar::F32(_), _) => scalar.to_element(element),
        (_, ElementType::F32) => {
            let value = scalar.to_element(ElementType::I64)?.to_f64();
            (f64::from(value as f32) == value).then_some(Scalar::F32(value as f32))
        }
        _ => scalar.to_element(element),
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(name: &'a str) -> Value<'a> {
        Value::Variant(name)
    }
}

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl From<$ty> for Value<'_> {
            fn from(value: $ty) -> Self {
                Value::Uniform { dims: vec![], scalars: vec![value.into()] }
            }
        }
    )*};
}

scalars! { u8 i8 u16 i16 u32 i32 f32 Scalar }
