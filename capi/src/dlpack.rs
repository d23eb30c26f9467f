//! Tensors of DLPack, as NumPy, PyTorch and others lend them.

use std::ffi::c_void;

use windrow::{TensorInfo, tensor::DType};

use crate::{
    status::{Failure, WindrowStatus, guard},
    tensor::{WindrowTensor, put, reference, slice},
    types::WINDROW_MAX_RANK,
};

/// The device of a DLPack tensor, laid out as DLPack's `DLDevice`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowDlDevice {
    /// The kind: 1 is the processor, 3 and 11 are memory of the host that a GPU reaches too.
    pub device_type: i32,
    /// Which of them.
    pub device_id: i32,
}

/// The type of a DLPack tensor, laid out as DLPack's `DLDataType`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowDlDataType {
    /// 0 signed, 1 unsigned, 2 float, 4 bfloat, 6 bool.
    pub code: u8,
    /// Bits of a number.
    pub bits: u8,
    /// Numbers of an element.
    pub lanes: u16,
}

/// A tensor of DLPack, laid out as DLPack's `DLTensor`: cast a `DLTensor *` to it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowDlTensor {
    /// The memory; the first element is `byte_offset` behind it.
    pub data: *mut c_void,
    /// Whose memory it is.
    pub device: WindrowDlDevice,
    /// The number of dimensions.
    pub ndim: i32,
    /// The type.
    pub dtype: WindrowDlDataType,
    /// The extents, outermost first.
    pub shape: *mut i64,
    /// Elements, not bytes, from one to the next of each dimension; null where there are no gaps.
    pub strides: *mut i64,
    /// Bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// Memory that the host reads and writes: kDLCPU, kDLCUDAHost, kDLROCMHost.
const HOST: [i32; 3] = [1, 3, 11];

/// Describes a DLPack tensor as windrow's, over the same memory: nothing is copied or owned.
///
/// With `channels` above 1 the last dimension, of as many elements beside each other, becomes the channels: NumPy's
/// `(height, width, 3)` is an image of height × width elements of 3 channels. With 1 or 0 the dimensions stay as they are.
///
/// Fails for memory of a device, a type that windrow lacks, more dimensions than `WINDROW_MAX_RANK`, negative extents, channels that
/// lie apart.
///
/// # Safety
/// `shape` has `ndim` extents, and so has `strides` where it is not null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_tensor_from_dlpack(
    tensor: *const WindrowDlTensor,
    channels: u32,
    result: *mut WindrowTensor,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let tensor =
            unsafe { described(reference(tensor, "tensor")?, channels) }.map_err(|failure| failure.of("tensor"))?;
        // SAFETY: the caller's promise.
        unsafe { put(result, tensor, "result") }
    })
}

/// # Safety
/// As [`windrow_tensor_from_dlpack`].
unsafe fn described(tensor: &WindrowDlTensor, channels: u32) -> Result<WindrowTensor, Failure> {
    let kind = tensor.device.device_type;
    if !HOST.contains(&kind) {
        let text = format!("its memory is on a device of the kind {kind}, and windrow reads that of the host");
        return Err(Failure::new(WindrowStatus::NotOnTheHost, text));
    }
    let dtype = dtype(tensor.dtype)?;
    let rank = usize::try_from(tensor.ndim).map_err(|_| Failure::number(format!("its rank is {}", tensor.ndim)))?;
    // With the channels' own dimension.
    if rank > WINDROW_MAX_RANK + usize::from(channels > 1) {
        return Err(Failure::number(format!("its rank is {rank}, at most {WINDROW_MAX_RANK} is possible")));
    }
    // SAFETY: the caller's promise.
    let shape = unsafe { slice(tensor.shape, rank, "shape") }?;
    let extent = |extent: &i64| usize::try_from(*extent).map_err(|_| Failure::number(format!("an extent is {extent}")));
    let mut shape = shape.iter().map(extent).collect::<Result<Vec<usize>, _>>()?;
    let strides = if tensor.strides.is_null() {
        None
    } else {
        // SAFETY: the caller's promise.
        Some(unsafe { slice(tensor.strides, rank, "strides") }?)
    };
    let (mut lanes, mut strides) = (u32::from(tensor.dtype.lanes), strides.map(<[i64]>::to_vec));
    if channels > 1 {
        fold(&mut shape, strides.as_mut(), lanes, channels)?;
        lanes = channels;
    }
    let info = match strides {
        None => TensorInfo::new(dtype, lanes, &shape)?,
        Some(strides) => {
            // DLPack counts elements of all lanes; with channels folded, an element is a number.
            let size = dtype.size() as i64 * i64::from(tensor.dtype.lanes);
            let bytes = |stride: &i64| stride.checked_mul(size).and_then(|bytes| isize::try_from(bytes).ok());
            let bytes = strides.iter().map(bytes).collect::<Option<Vec<isize>>>();
            let bytes = bytes.ok_or_else(|| Failure::number("a stride is more bytes than memory holds"))?;
            TensorInfo::with_strides(dtype, lanes, &shape, &bytes)?
        }
    };
    let offset = usize::try_from(tensor.byte_offset);
    let offset = offset.map_err(|_| Failure::number(format!("its byte_offset is {}", tensor.byte_offset)))?;
    let data = if tensor.data.is_null() { tensor.data } else { tensor.data.wrapping_byte_add(offset) };
    Ok(WindrowTensor::of(&info, data))
}

/// Takes the last dimension away, which are the channels.
fn fold(shape: &mut Vec<usize>, strides: Option<&mut Vec<i64>>, lanes: u32, channels: u32) -> Result<(), Failure> {
    if lanes != 1 {
        return Err(Failure::number(format!("it has elements of {lanes} lanes, and channels in its last dimension")));
    }
    let last = shape.pop();
    if last != Some(channels as usize) {
        let found = last.map_or("none".into(), |extent| extent.to_string());
        return Err(Failure::number(format!("its last extent is {found}, and there are to be {channels} channels")));
    }
    match strides.and_then(Vec::pop) {
        None | Some(1) => Ok(()),
        Some(apart) => {
            Err(Failure::number(format!("its channels are {apart} numbers apart, and must lie beside each other")))
        }
    }
}

fn dtype(found: WindrowDlDataType) -> Result<DType, Failure> {
    Ok(match (found.code, found.bits) {
        (0, 8) => DType::I8,
        (0, 16) => DType::I16,
        (0, 32) => DType::I32,
        (0, 64) => DType::I64,
        (1, 8) => DType::U8,
        (1, 16) => DType::U16,
        (1, 32) => DType::U32,
        (1, 64) => DType::U64,
        (2, 16) => DType::F16,
        (2, 32) => DType::F32,
        (2, 64) => DType::F64,
        (4, 16) => DType::BF16,
        (6, 8) => DType::Bool,
        (code, bits) => {
            return Err(Failure::number(format!("windrow does not have DLPack's type of code {code} and {bits} bits")));
        }
    })
}
