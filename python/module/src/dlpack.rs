//! Arrays of other libraries that offer `__dlpack__`, DLPack's record of an array's memory.

use crate::array::{Described, Holder, Lent};
use core::ffi::{CStr, c_void};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::PyCapsule,
};
use windrow::tensor::DType;

/// The capsule that a run borrows from. It is not taken from its producer, whose destructor frees it.
pub struct Capsule(#[expect(dead_code, reason = "held, not read")] Py<PyCapsule>);

/// The processor's memory, in DLPack's numbers.
const CPU: i32 = 1;

/// The name of a capsule whose record nobody has taken yet.
const NAME: &CStr = c"dltensor";

/// DLPack's `DLTensor`.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    rank: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    /// In elements; null where they lie side by side.
    strides: *const i64,
    byte_offset: u64,
}

/// Whether an object has `__dlpack__`.
pub fn is_offered(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr(intern!(object.py(), "__dlpack__")).unwrap_or(false)
}

/// Borrows the memory of an object that has `__dlpack__`.
pub fn lend(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Lent> {
    let py = object.py();
    let (device, _): (i32, i32) = object.call_method0(intern!(py, "__dlpack_device__"))?.extract()?;
    if device != CPU {
        return Err(PyTypeError::new_err(format!(
            "`{argument}` lies on a device (DLPack's type {device}), expected the processor's memory"
        )));
    }
    let capsule = object.call_method0(intern!(py, "__dlpack__"))?.cast_into::<PyCapsule>()?;
    let record = capsule.pointer_checked(Some(NAME))?.cast::<DlTensor>();
    // SAFETY: a capsule of this name holds a `DLManagedTensor`, whose first member is a `DLTensor`, and keeps it as long as it lives.
    let tensor = unsafe { record.as_ref() };
    let dtype = dtype_of(tensor).ok_or_else(|| {
        let &DlTensor { code, bits, lanes, .. } = tensor;
        PyTypeError::new_err(format!(
            "`{argument}` holds elements of DLPack's type {code} of {bits} bits in {lanes} lanes, expected single numbers"
        ))
    })?;
    let rank = usize::try_from(tensor.rank).unwrap_or(0);
    // SAFETY: DLPack's record has `rank` extents, and as many strides unless these are null.
    let (shape, strides) = unsafe { (numbers(tensor.shape, rank), numbers(tensor.strides, rank)) };
    let too_large =
        || PyValueError::new_err(format!("`{argument}` has an extent or a stride beyond this machine's memory"));
    let extents = shape.iter().map(|&extent| usize::try_from(extent)).collect::<Result<Vec<_>, _>>();
    let extents = extents.map_err(|_| too_large())?;
    let bytes = |stride: &i64| isize::try_from(*stride).ok()?.checked_mul(dtype.size() as isize);
    let strides = match tensor.strides.is_null() {
        true => side_by_side(&extents, dtype.size()),
        false => strides.iter().map(bytes).collect(),
    };
    let strides = strides.ok_or_else(too_large)?;
    let first = tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize);
    let described = Described { first, dtype, extents: &extents, strides: &strides, read_only: false };
    Lent::new(&described, argument, Holder::DlPack(Capsule(capsule.unbind())))
}

/// # Safety
/// `numbers` is null or points to `count` numbers.
unsafe fn numbers<'a>(numbers: *const i64, count: usize) -> &'a [i64] {
    // SAFETY: the caller's promise.
    if numbers.is_null() { &[] } else { unsafe { core::slice::from_raw_parts(numbers, count) } }
}

/// Strides in bytes of elements without gaps.
fn side_by_side(extents: &[usize], size: usize) -> Option<Vec<isize>> {
    let mut inside = isize::try_from(size).ok()?;
    let mut strides = Vec::with_capacity(extents.len());
    for &extent in extents.iter().rev() {
        strides.push(inside);
        inside = inside.checked_mul(isize::try_from(extent.max(1)).ok()?)?;
    }
    strides.reverse();
    Some(strides)
}

fn dtype_of(tensor: &DlTensor) -> Option<DType> {
    Some(match (tensor.code, tensor.bits, tensor.lanes) {
        (0, 8, 1) => DType::I8,
        (0, 16, 1) => DType::I16,
        (0, 32, 1) => DType::I32,
        (0, 64, 1) => DType::I64,
        (1, 8, 1) => DType::U8,
        (1, 16, 1) => DType::U16,
        (1, 32, 1) => DType::U32,
        (1, 64, 1) => DType::U64,
        (2, 16, 1) => DType::F16,
        (2, 32, 1) => DType::F32,
        (2, 64, 1) => DType::F64,
        (4, 16, 1) => DType::BF16,
        (6, 8, 1) => DType::Bool,
        _ => return None,
    })
}
