//! Memory that Python's objects lend, by the buffer protocol or by DLPack: types, extents and strides as windrow's views take them.

use crate::{
    dlpack::{self, Capsule},
    error::raise,
};
use pyo3::{buffer::PyUntypedBuffer, exceptions::PyTypeError, prelude::*};
use windrow::{
    AnyView, AnyViewMut, InvalidTensor, TensorInfo,
    tensor::{DType, MAX_DIMENSIONS},
};

/// The dimensions that an array has at most: those of a tensor, and one of channels.
pub const MAX_AXES: usize = MAX_DIMENSIONS + 1;

/// An array of a Python object, which keeps its memory until this is dropped.
pub struct Lent {
    /// The first element.
    first: *mut u8,
    dtype: DType,
    axes: usize,
    extents: [usize; MAX_AXES],
    /// In bytes.
    strides: [isize; MAX_AXES],
    read_only: bool,
    /// Dropped last: it has the memory.
    _holder: Holder,
}

/// Who has the memory.
pub enum Holder {
    /// The buffer protocol's record.
    Buffer(#[expect(dead_code, reason = "held, not read")] PyUntypedBuffer),
    /// DLPack's capsule.
    DlPack(#[expect(dead_code, reason = "held, not read")] Capsule),
}

/// What an array says of itself.
pub struct Described<'a> {
    /// The first element.
    pub first: *mut u8,
    /// The type of a number.
    pub dtype: DType,
    /// Outermost first.
    pub extents: &'a [usize],
    /// In bytes.
    pub strides: &'a [isize],
    /// Whether nothing may be written there.
    pub read_only: bool,
}

impl Lent {
    /// Borrows the memory of `object`, which is given for `argument`.
    pub fn of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Lent> {
        let buffer = match PyUntypedBuffer::get(object) {
            Ok(buffer) => buffer,
            Err(_) if dlpack::is_offered(object) => return dlpack::lend(object, argument),
            Err(error) => return Err(not_an_array(object, argument, &error)),
        };
        let format = buffer.format().to_string_lossy();
        let dtype = dtype_of(&format, buffer.item_size()).ok_or_else(|| {
            PyTypeError::new_err(format!(
                "`{argument}` holds elements of the format `{format}`, expected numbers in this machine's order of bytes"
            ))
        })?;
        if buffer.suboffsets().is_some() {
            return Err(PyTypeError::new_err(format!(
                "`{argument}` lies behind pointers, expected one piece of memory"
            )));
        }
        let (extents, strides) = (buffer.shape().to_vec(), buffer.strides().to_vec());
        let (first, read_only) = (buffer.buf_ptr().cast(), buffer.readonly());
        let described = Described { first, dtype, extents: &extents, strides: &strides, read_only };
        Lent::new(&described, argument, Holder::Buffer(buffer))
    }

    /// What `holder` has.
    pub(crate) fn new(described: &Described<'_>, argument: &str, holder: Holder) -> PyResult<Lent> {
        let axes = described.extents.len();
        if axes > MAX_AXES || described.strides.len() != axes {
            let rule = format!("`{argument}` has {axes} dimensions, the greatest number is {MAX_DIMENSIONS}");
            return Err(pyo3::exceptions::PyValueError::new_err(rule));
        }
        let (mut extents, mut strides) = ([0; MAX_AXES], [0; MAX_AXES]);
        extents[..axes].copy_from_slice(described.extents);
        strides[..axes].copy_from_slice(described.strides);
        let &Described { first, dtype, read_only, .. } = described;
        Ok(Lent { first, dtype, axes, extents, strides, read_only, _holder: holder })
    }

    /// The extents, outermost first.
    pub fn extents(&self) -> &[usize] {
        &self.extents[..self.axes]
    }

    /// The type of a number.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Whether nothing may be written there.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether the numbers lie side by side, the last axis' closest together.
    pub fn is_contiguous(&self) -> bool {
        let mut inside = self.dtype.size() as isize;
        self.extents().iter().zip(&self.strides).rev().all(|(&extent, &stride)| {
            let is_next = extent <= 1 || stride == inside;
            inside = inside.saturating_mul(extent as isize);
            is_next
        })
    }

    /// Whether the last axis can be the channels of pixels.
    pub fn has_channels(&self, channels: u32) -> bool {
        channels == 1 || self.extents().last() == Some(&(channels as usize))
    }

    /// The array as an image whose pixels have so many channels: more than one are the last axis.
    ///
    /// # Errors
    /// The last axis is another, its numbers do not lie side by side, or windrow has no such tensor.
    pub fn info(&self, argument: &str, channels: u32) -> PyResult<TensorInfo> {
        let (mut extents, mut strides) = (self.extents(), &self.strides[..self.axes]);
        if channels > 1 {
            let ([outer @ .., last], [outer_strides @ .., stride]) = (extents, strides) else {
                return Err(no_channels(argument, extents, channels));
            };
            if *last != channels as usize {
                return Err(no_channels(argument, extents, channels));
            }
            if *stride != self.dtype.size() as isize {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "the channels of `{argument}` must lie side by side: its last axis has a stride of {stride} bytes, expected {}",
                    self.dtype.size()
                )));
            }
            (extents, strides) = (outer, outer_strides);
        }
        TensorInfo::with_strides(self.dtype, channels, extents, strides).map_err(|error| raise(argument, error))
    }

    /// The memory to read, as [`Lent::info`] describes it.
    ///
    /// Another thread of the interpreter may write there meanwhile, as it may while NumPy reads: then what is computed from those
    /// elements is any of their type's values.
    pub fn view(&self, info: TensorInfo) -> Result<AnyView<'_>, InvalidTensor> {
        let lowest = self.first.wrapping_sub(info.first_element());
        // SAFETY: the holder keeps the memory for as long as `self` is borrowed, and `info` describes what it says of it. Numbers of
        // every bit pattern are values.
        unsafe { AnyView::import(lowest, info.buffer_size(), info) }
    }

    /// The memory to write.
    pub fn view_mut(&mut self, info: TensorInfo) -> Result<AnyViewMut<'_>, InvalidTensor> {
        let lowest = self.first.wrapping_sub(info.first_element());
        // SAFETY: as above, and it may be written: the caller has asked `is_read_only`. Every run refuses outputs that share memory with
        // other arguments of it.
        unsafe { AnyViewMut::import(lowest, info.buffer_size(), info) }
    }
}

/// The refusal of an array whose pixels have other channels; its shape as windrow's own errors show one.
pub fn no_channels(argument: &str, extents: &[usize], channels: u32) -> PyErr {
    let shape = extents.iter().map(usize::to_string).collect::<Vec<_>>().join("×");
    PyTypeError::new_err(format!("`{argument}` has the shape {shape}, expected a last axis of {channels} channels"))
}

fn not_an_array(object: &Bound<'_, PyAny>, argument: &str, error: &PyErr) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
    let message =
        format!("`{argument}` is of type {name}, expected an array: what has `__dlpack__` or the buffer protocol");
    let raised = PyTypeError::new_err(message);
    raised.set_cause(object.py(), Some(error.clone_ref(object.py())));
    raised
}

/// The type of the buffer protocol's format, in this machine's order of bytes.
fn dtype_of(format: &str, size: usize) -> Option<DType> {
    let (order, letter) = match format.as_bytes() {
        [letter] => (b'@', *letter),
        [order, letter] => (*order, *letter),
        _ => return None,
    };
    let is_native = match order {
        b'@' | b'=' => true,
        b'<' => cfg!(target_endian = "little"),
        b'>' | b'!' => cfg!(target_endian = "big"),
        _ => false,
    };
    let dtype = match (letter, size) {
        (b'B' | b'c', 1) => DType::U8,
        (b'b', 1) => DType::I8,
        (b'?', 1) => DType::Bool,
        (b'H', 2) => DType::U16,
        (b'h', 2) => DType::I16,
        (b'e', 2) => DType::F16,
        (b'I' | b'L' | b'N', 4) => DType::U32,
        (b'i' | b'l' | b'n', 4) => DType::I32,
        (b'f', 4) => DType::F32,
        (b'Q' | b'L' | b'N', 8) => DType::U64,
        (b'q' | b'l' | b'n', 8) => DType::I64,
        (b'd', 8) => DType::F64,
        _ => return None,
    };
    (is_native || size == 1).then_some(dtype)
}
