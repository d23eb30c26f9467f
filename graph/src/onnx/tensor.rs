//! Tensors in a file, as constants.

use super::proto::TensorProto;
use crate::{
    error::ModelError,
    model::{Constant, Elements, count},
};

/// `TensorProto.DataType`.
pub(super) const FLOAT: i64 = 1;
pub(super) const UINT8: i64 = 2;
pub(super) const INT8: i64 = 3;
pub(super) const INT32: i64 = 6;
pub(super) const INT64: i64 = 7;
pub(super) const BOOL: i64 = 9;
const DOUBLE: i64 = 11;

/// The constant that a tensor of the file is. Ones that can't be read are constants too: nothing may need them.
pub(super) fn constant(name: &str, tensor: &TensorProto<'_>) -> Result<Constant, ModelError> {
    let extents = extents(name, &tensor.dims)?;
    let elements = elements(tensor);
    let found = match &elements {
        Elements::Floats(floats) => floats.len(),
        Elements::Ints(ints) => ints.len(),
        Elements::Bytes(bytes) => bytes.len(),
        Elements::Filled(_) | Elements::Absent | Elements::Unread(_) => return Ok(Constant { extents, elements }),
    };
    if count(&extents) != Some(found) {
        let (value, found) = (name.to_owned(), format!("{found} elements for the extents {extents:?}"));
        return Err(ModelError::Value { value, found, rule: "a constant has as many elements as its extents say" });
    }
    Ok(Constant { extents, elements })
}

/// Extents as the format has them, none of which may be negative.
pub(super) fn extents(name: &str, dims: &[i64]) -> Result<Vec<usize>, ModelError> {
    dims.iter().map(|&dim| extent(name, dim)).collect()
}

/// An extent as the format has it.
pub(super) fn extent(name: &str, dim: i64) -> Result<usize, ModelError> {
    usize::try_from(dim).map_err(|_| {
        let (value, found) = (name.to_owned(), format!("of an extent of {dim}"));
        ModelError::Value { value, found, rule: "extents are 0 or more" }
    })
}

fn elements(tensor: &TensorProto<'_>) -> Elements {
    if tensor.is_external {
        return Elements::Unread("whose elements are in another file, which is not read");
    }
    match (tensor.data_type, tensor.raw) {
        (FLOAT, Some(raw)) => {
            let (floats, rest) = raw.as_chunks::<4>();
            let floats = floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
            if rest.is_empty() { Elements::Floats(floats) } else { Elements::Unread("whose last element is cut off") }
        }
        (FLOAT, None) => Elements::Floats(tensor.floats.as_slice().into()),
        (INT64, Some(raw)) => {
            let (ints, rest) = raw.as_chunks::<8>();
            let ints = ints.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
            if rest.is_empty() { Elements::Ints(ints) } else { Elements::Unread("whose last element is cut off") }
        }
        (INT32, Some(raw)) => {
            let (ints, rest) = raw.as_chunks::<4>();
            let ints = ints.iter().map(|&bytes| i32::from_le_bytes(bytes).into()).collect();
            if rest.is_empty() { Elements::Ints(ints) } else { Elements::Unread("whose last element is cut off") }
        }
        (BOOL, Some(raw)) => Elements::Ints(raw.iter().map(|&byte| i64::from(byte != 0)).collect()),
        (BOOL, None) => Elements::Ints(tensor.ints.iter().map(|&int| i64::from(int != 0)).collect()),
        (INT8, Some(raw)) => Elements::Bytes(raw.iter().map(|byte| byte.cast_signed()).collect()),
        (UINT8, Some(raw)) => Elements::Bytes(raw.iter().map(|&byte| signed(byte)).collect()),
        (INT8, None) => bytes(&tensor.ints, |int| i8::try_from(int).ok()),
        (UINT8, None) => bytes(&tensor.ints, |int| u8::try_from(int).ok().map(signed)),
        (INT32 | INT64, None) => Elements::Ints(tensor.ints.as_slice().into()),
        (DOUBLE, _) => Elements::Unread("whose elements are floats of 64 bits, which no operator takes"),
        _ => Elements::Unread("whose elements are neither floats of 32 bits nor integers of 8, 32 or 64"),
    }
}

/// An integer without a sign as one with a sign, 128 less: so are all of a model, their zeros too.
fn signed(byte: u8) -> i8 {
    (byte ^ 0x80).cast_signed()
}

fn bytes(ints: &[i64], byte: impl Fn(i64) -> Option<i8>) -> Elements {
    match ints.iter().map(|&int| byte(int)).collect() {
        Some(bytes) => Elements::Bytes(bytes),
        None => Elements::Unread("whose elements are no integers of 8 bits"),
    }
}
