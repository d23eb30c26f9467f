//! The file of a plan's constants: their elements in C order, least byte first, each constant from a multiple of 64 bytes on, with zeros
//! between them.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use windrow::ElementType;

use super::{
    error::PlanFileError,
    form::{ConstantForm, ElementForm},
};
use crate::array::Array;

/// Constants begin at multiples of this many bytes.
const ALIGNMENT: usize = 64;

/// Appends a constant to the bytes of the file, and says where it is; `None` for elements of a type that no plan has.
pub(super) fn append(bytes: &mut Vec<u8>, array: &Array) -> Option<ConstantForm> {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    let offset = bytes.len();
    let count = match array {
        Array::Floats(floats) => {
            bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
            floats.len()
        }
        Array::Bytes(elements) => {
            bytes.extend(elements.iter().map(|byte| byte.cast_unsigned()));
            elements.len()
        }
        Array::Unsigned(elements) => {
            bytes.extend(elements.iter());
            elements.len()
        }
        Array::Ints(ints) => {
            bytes.extend(ints.iter().flat_map(|int| int.to_le_bytes()));
            ints.len()
        }
    };
    let sha256 = digest(bytes.get(offset..)?);
    Some(ConstantForm { element: ElementForm::new(array.element())?, count, offset, sha256 })
}

/// Reads all constants; they and the zeros between them are the whole file.
pub(super) fn read(forms: &[ConstantForm], bytes: &[u8]) -> Result<Vec<Array>, PlanFileError> {
    let places = places(forms)?;
    let expected = places.last().map_or(0, |&(_, end)| end);
    if bytes.len() != expected {
        return Err(PlanFileError::ConstantsLength { found: bytes.len(), expected });
    }
    let (mut arrays, mut behind) = (Vec::with_capacity(forms.len()), 0);
    for (constant, (form, &(start, end))) in forms.iter().zip(&places).enumerate() {
        let altered = || PlanFileError::Altered { constant };
        let own = bytes.get(start..end).ok_or_else(altered)?;
        let between = bytes.get(behind..start).ok_or_else(altered)?;
        if between.iter().any(|&byte| byte != 0) || digest(own) != form.sha256 {
            return Err(altered());
        }
        arrays.push(array(form.element.element(), own));
        behind = end;
    }
    Ok(arrays)
}

/// Where each constant begins and ends: each at the first place behind the one before it.
fn places(forms: &[ConstantForm]) -> Result<Vec<(usize, usize)>, PlanFileError> {
    let mut behind = 0usize;
    let place = |(constant, form): (usize, &ConstantForm)| {
        let size = form.count.checked_mul(form.element.element().size()).filter(|&size| size > 0);
        let start = behind.checked_next_multiple_of(ALIGNMENT).filter(|&start| start == form.offset);
        let place = start.zip(size).and_then(|(start, size)| Some((start, start.checked_add(size)?)));
        let (start, end) = place.ok_or_else(|| PlanFileError::Rule {
            what: format!("constant {constant}"),
            found: format!("{} elements from byte {} on", form.count, form.offset),
            rule: "each begins at the first multiple of 64 bytes behind the one before it, and has elements",
        })?;
        behind = end;
        Ok((start, end))
    };
    forms.iter().enumerate().map(place).collect()
}

fn array(element: ElementType, bytes: &[u8]) -> Array {
    let words = bytes.as_chunks::<4>().0.iter();
    match element {
        ElementType::I8 => Array::Bytes(bytes.iter().map(|byte| byte.cast_signed()).collect()),
        ElementType::U8 => Array::Unsigned(bytes.into()),
        ElementType::I32 => Array::Ints(words.map(|&word| i32::from_le_bytes(word)).collect::<Arc<[i32]>>()),
        _ => Array::Floats(words.map(|&word| f32::from_le_bytes(word)).collect::<Arc<[f32]>>()),
    }
}

/// SHA-256, in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
