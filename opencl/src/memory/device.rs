//! A context's memory, in pools.

use crate::{
    Buffer, Context, DeviceImage, DeviceMemoryError, FloatFormat, Hint, Image2d, ImageShape, OpenClError, PoolCounters,
    WasteBound,
    memory::{
        mode::check_image,
        pool::{Demand, Exhausted, Pool, Pooled, Source, Tally},
        source::{Blocks, Wanted},
    },
};
use std::sync::Arc;
use windrow_runtime::{InvalidTensor, info::TensorInfo};

/// How long memory is needed, and who may have it next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Storage {
    /// For what stays: weights, tables. From a pool of their own, so that what comes and goes does not lie between them.
    Static,
    /// For what comes and goes: given back, it serves the next who asks.
    #[default]
    Dynamic,
    /// Of a block that nobody had before; given back, it goes to the driver.
    Separate,
}

/// The memory of a context, in pools. Its clones are the same pools.
///
/// ```
/// # use windrow::opencl::{Context, DeviceMemory, DeviceMemoryError, Storage};
/// fn twice(context: &Context) -> Result<(), DeviceMemoryError> {
///     let memory = DeviceMemory::new(context);
///     drop(memory.buffer(1 << 20, Storage::Dynamic)?);
///     let again = memory.buffer(1 << 20, Storage::Dynamic)?;
///     assert_eq!((memory.counters().made, memory.counters().reused), (1, 1));
///     drop(again);
///     assert_eq!(memory.trim(), memory.counters().peak);
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct DeviceMemory {
    context: Context,
    lasting: Pool<Blocks>,
    passing: Pool<Blocks>,
}

impl DeviceMemory {
    /// Returns empty pools that waste at most [`WasteBound::DEFAULT`].
    pub fn new(context: &Context) -> DeviceMemory {
        DeviceMemory::with_bound(context, WasteBound::DEFAULT)
    }

    /// Returns empty pools with a bound on what they waste. Those of a context that was opened with [`Hint::LowMemory`]
    /// keep no free memory.
    pub fn with_bound(context: &Context, bound: WasteBound) -> DeviceMemory {
        let tally = Arc::new(Tally::default());
        let keeps_free = context.hints().iter().all(|report| report.hint != Hint::LowMemory);
        let pool = || Pool::new(Blocks(context.clone()), bound, keeps_free, Arc::clone(&tally));
        DeviceMemory { context: context.clone(), lasting: pool(), passing: pool() }
    }

    /// Returns the context whose memory it is.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Takes `length` bytes from the pools, of unknown contents.
    pub fn buffer(&self, length: usize, storage: Storage) -> Result<Buffer, DeviceMemoryError> {
        Ok(Buffer::pooled(&self.context, length, self.block(Wanted::Bytes(length.max(1)), storage)?))
    }

    /// Returns a tensor of the type and shape of `info`, without gaps, of unknown contents.
    pub fn tensor(&self, info: &TensorInfo, storage: Storage) -> Result<DeviceImage, OpenClError> {
        self.tensor_as(info, FloatFormat::F32, storage)
    }

    /// Takes a tensor from the pools, whose floats are in the format `format`.
    pub fn tensor_as(
        &self,
        info: &TensorInfo,
        format: FloatFormat,
        storage: Storage,
    ) -> Result<DeviceImage, OpenClError> {
        self.laid_out(dense(info)?, format, storage)
    }

    /// As [`DeviceMemory::tensor_as`], but that long rows start at multiples of 64 bytes: kernels load and store whole vectors there.
    pub(crate) fn aligned_tensor_as(
        &self,
        info: &TensorInfo,
        format: FloatFormat,
        storage: Storage,
    ) -> Result<DeviceImage, OpenClError> {
        self.laid_out(with_aligned_rows(info, format)?, format, storage)
    }

    fn laid_out(&self, info: TensorInfo, format: FloatFormat, storage: Storage) -> Result<DeviceImage, OpenClError> {
        let length = format.of(info.dtype()).bytes(info.size_in_bytes());
        DeviceImage::with_layout_as(Arc::new(self.buffer(length, storage)?), 0, info, format)
    }

    /// Returns an image of exactly this size, so that samplers find the border at its edge; of unknown contents.
    pub fn image(&self, shape: ImageShape, storage: Storage) -> Result<Image2d, DeviceMemoryError> {
        self.image_for(shape, true, storage)
    }

    /// Returns an image at least this large, for kernels that keep to the part that they were told.
    pub fn roomy_image(&self, shape: ImageShape, storage: Storage) -> Result<Image2d, DeviceMemoryError> {
        self.image_for(shape, false, storage)
    }

    fn image_for(&self, shape: ImageShape, exact: bool, storage: Storage) -> Result<Image2d, DeviceMemoryError> {
        check_image(self.context.device(), &shape)?;
        Ok(Image2d::new(&self.context, shape, self.block(Wanted::Image { shape, exact }, storage)?))
    }

    fn block(&self, wanted: Wanted, storage: Storage) -> Result<Pooled<Blocks>, DeviceMemoryError> {
        let made = match storage {
            Storage::Static => self.lasting.acquire(&wanted),
            Storage::Dynamic => self.passing.acquire(&wanted),
            Storage::Separate => self.passing.acquire_separate(&wanted),
        };
        made.map_err(|exhausted| out_of_memory(wanted.bytes(), exhausted))
    }

    /// Gives free blocks back to the driver; the bytes that they took.
    pub fn trim(&self) -> u64 {
        self.lasting.trim() + self.passing.trim()
    }

    /// Returns all pools in numbers.
    pub fn counters(&self) -> PoolCounters {
        let pools = [self.lasting.counters(), self.passing.counters()];
        let sum = |count: fn(&PoolCounters) -> u64| pools.iter().map(count).sum();
        PoolCounters {
            resident: sum(|pool| pool.resident),
            live: sum(|pool| pool.live),
            free: sum(|pool| pool.free),
            peak: pools[0].peak,
            made: sum(|pool| pool.made),
            reused: sum(|pool| pool.reused),
        }
    }
}

/// Bytes of which long rows start at multiples: no vector that a kernel loads or stores is longer.
const ROW_ALIGNMENT: usize = 64;

/// The type and shape of `info`, without gaps.
fn dense(info: &TensorInfo) -> Result<TensorInfo, InvalidTensor> {
    TensorInfo::new(info.dtype(), info.channels(), &info.shape().extents())
}

/// The type and shape of `info`, with rows that are aligned. Those of less than eight times the alignment lie without gaps, which would be
/// a large part of the memory.
fn with_aligned_rows(info: &TensorInfo, format: FloatFormat) -> Result<TensorInfo, InvalidTensor> {
    let (dtype, channels, extents) = (info.dtype(), info.channels(), info.shape().extents());
    let dense = dense(info)?;
    let row = dense.width() * dense.pixel_size();
    // In halves, all distances are half as long on the device.
    let alignment = ROW_ALIGNMENT * dtype.size() / format.of(dtype).bytes(dtype.size());
    if extents.len() < 2 || row < 8 * alignment || row.is_multiple_of(alignment) {
        return Ok(dense);
    }
    let mut strides = dense.strides().to_vec();
    let outer = extents.len() - 1;
    for (dimension, stride) in strides[..outer].iter_mut().enumerate() {
        let rows = stride.unsigned_abs() / row;
        let apart = rows.checked_mul(row.next_multiple_of(alignment)).and_then(|bytes| isize::try_from(bytes).ok());
        *stride = apart.ok_or(InvalidTensor::TooLarge { dimension })?;
    }
    TensorInfo::with_strides(dtype, channels, &extents, &strides)
}

/// A refusal for another reason than memory is told as it came.
fn out_of_memory(bytes: u64, exhausted: Exhausted<DeviceMemoryError>) -> DeviceMemoryError {
    let Exhausted { error, resident } = exhausted;
    match error {
        error if !Blocks::is_exhaustion(&error) => error,
        DeviceMemoryError::Driver(error) => DeviceMemoryError::OutOfMemory { bytes, resident, error },
        error => error,
    }
}
