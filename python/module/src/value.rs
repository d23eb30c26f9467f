//! Python's numbers, names and arrays as the values of uniforms, variants and tables.

use crate::{array::Lent, error::exception, numpy};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyFloat, PyString},
};
use windrow::{
    Scalar,
    family::{Family, Value},
    spec::AnyTable,
    tensor::DType,
};

/// The object given for an argument, in a form from which a [`Value`] borrows.
pub enum Given {
    /// A name of a variant's value.
    Name(String),
    /// A number, or an array of them with its extents.
    Numbers(Vec<u32>, Vec<Scalar>),
    /// The entries of a table, contiguous.
    Table(Entries),
}

/// The entries of a table, of their type.
pub enum Entries {
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F64(Vec<f64>),
    F32(Vec<f32>),
}

impl Given {
    /// What `object` says for the argument `name` of a family.
    pub fn of(family: &Family, name: &str, object: &Bound<'_, PyAny>) -> PyResult<Given> {
        let mut tables = family.members().iter().flat_map(|code| code.spec().tables());
        if let Some((_, element, _)) = tables.find(|(table, ..)| *table == name) {
            return table(name, object, element.dtype());
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Given::Name(text.to_string()));
        }
        match scalar(object)? {
            Some(scalar) => Ok(Given::Numbers(Vec::new(), vec![scalar])),
            None => array(name, object),
        }
    }

    /// The value that borrows from it.
    pub fn value(&self) -> Value<'_> {
        match self {
            Given::Name(name) => Value::Variant(name),
            Given::Numbers(dims, scalars) => Value::array(dims, scalars.iter().copied()),
            Given::Table(entries) => Value::Table(match entries {
                Entries::U8(entries) => AnyTable::new(entries),
                Entries::I8(entries) => AnyTable::new(entries),
                Entries::U16(entries) => AnyTable::new(entries),
                Entries::I16(entries) => AnyTable::new(entries),
                Entries::U32(entries) => AnyTable::new(entries),
                Entries::I32(entries) => AnyTable::new(entries),
                Entries::U64(entries) => AnyTable::new(entries),
                Entries::I64(entries) => AnyTable::new(entries),
                Entries::F64(entries) => AnyTable::new(entries),
                Entries::F32(entries) => AnyTable::new(entries),
            }),
        }
    }
}

/// A number: an integer, or a float, which is rounded to 32 bits. None for what is no single number.
pub fn scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    if let Ok(float) = object.cast::<PyFloat>() {
        return single(float.value()).map(Some);
    }
    if let Ok(integer) = object.extract::<i64>() {
        return Ok(Some(Scalar::I64(integer)));
    }
    if object.hasattr("__index__")? && object.getattr("ndim").is_err() {
        let message = format!("{} is beyond 64 bits", object.repr()?);
        return Err(PyValueError::new_err(message));
    }
    let is_single = object.getattr("ndim").and_then(|rank| rank.extract::<usize>()).map_or(true, |rank| rank == 0);
    if is_single && object.hasattr("__float__")? {
        return single(object.extract()?).map(Some);
    }
    Ok(None)
}

fn single(value: f64) -> PyResult<Scalar> {
    let rounded = value as f32;
    if rounded.is_infinite() && value.is_finite() {
        return Err(PyValueError::new_err(format!("{value:?} is beyond the floats of 32 bits")));
    }
    Ok(Scalar::F32(rounded))
}

/// An array of numbers, or a sequence of them.
fn array(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Given> {
    let lent = contiguous(name, object, None)?;
    let dims = lent.extents().iter().map(|&extent| u32::try_from(extent)).collect::<Result<Vec<_>, _>>();
    let dims = dims.map_err(|_| PyValueError::new_err(format!("`{name}` has an extent beyond 32 bits")))?;
    let scalars = match lent.dtype() {
        DType::U8 => integers::<u8>(&lent, name),
        DType::I8 => integers::<i8>(&lent, name),
        DType::U16 => integers::<u16>(&lent, name),
        DType::I16 => integers::<i16>(&lent, name),
        DType::U32 => integers::<u32>(&lent, name),
        DType::I32 => integers::<i32>(&lent, name),
        DType::I64 => integers::<i64>(&lent, name),
        DType::F32 => Ok(values::<f32>(&lent, name)?.into_iter().map(Scalar::F32).collect()),
        DType::F64 => values::<f64>(&lent, name)?.into_iter().map(single).collect(),
        other => Err(PyTypeError::new_err(format!("`{name}` holds {other}, expected integers or floats"))),
    };
    Ok(Given::Numbers(dims, scalars?))
}

/// The memory of an array, or of a new array of a sequence's numbers, of a type where one is asked for.
fn contiguous(name: &str, object: &Bound<'_, PyAny>, of: Option<DType>) -> PyResult<Lent> {
    match Lent::of(object, name) {
        Ok(lent) if lent.is_contiguous() => Ok(lent),
        Ok(_) => Lent::of(&numpy::asarray(object, None)?, name),
        Err(_) => Lent::of(&numpy::asarray(object, of)?, name),
    }
}

fn table(name: &str, object: &Bound<'_, PyAny>, of: DType) -> PyResult<Given> {
    let lent = contiguous(name, object, Some(of))?;
    Ok(Given::Table(match lent.dtype() {
        DType::U8 => Entries::U8(values(&lent, name)?),
        DType::I8 => Entries::I8(values(&lent, name)?),
        DType::U16 => Entries::U16(values(&lent, name)?),
        DType::I16 => Entries::I16(values(&lent, name)?),
        DType::U32 => Entries::U32(values(&lent, name)?),
        DType::I32 => Entries::I32(values(&lent, name)?),
        DType::U64 => Entries::U64(values(&lent, name)?),
        DType::I64 => Entries::I64(values(&lent, name)?),
        DType::F64 => Entries::F64(values(&lent, name)?),
        DType::F32 => Entries::F32(values(&lent, name)?),
        other => return Err(PyTypeError::new_err(format!("`{name}` holds {other}, which no table does"))),
    }))
}

fn integers<T: windrow::Element + Into<i64>>(lent: &Lent, name: &str) -> PyResult<Vec<Scalar>> {
    Ok(values::<T>(lent, name)?.into_iter().map(|value| Scalar::I64(value.into())).collect())
}

/// The numbers of a contiguous array, rows first.
fn values<T: windrow::Element>(lent: &Lent, name: &str) -> PyResult<Vec<T>> {
    let info = lent.info(name, 1)?;
    if info.shape().is_empty() {
        return Ok(Vec::new());
    }
    let view = lent.view(info).and_then(|view| view.typed::<T>()).map_err(exception)?;
    match view.as_slice() {
        Some(values) => Ok(values.to_vec()),
        None => Err(PyValueError::new_err(format!("`{name}` has gaps between its elements"))),
    }
}
