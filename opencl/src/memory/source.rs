//! How a device's blocks are made, and how many bytes its driver says that they take.

use crate::{
    context::Context,
    device::caps::number,
    driver::{
        error::DriverError,
        handle::{Handle, MemoryObject},
    },
    memory::error::DeviceMemoryError,
    memory::{
        demand::{Bytes, Pixels},
        pool::Source,
    },
};
use opencl3::{
    error_codes::{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES},
    memory::{CL_MEM_ALLOC_HOST_PTR, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_WRITE, CL_MEM_SIZE},
    types::cl_image_desc,
};
use std::ptr;

/// Makes buffers.
pub(crate) struct Buffers(pub Context);

/// Makes images.
pub(crate) struct Images(pub Context);

impl Source for Buffers {
    type Demand = Bytes;
    type Block = Handle<MemoryObject>;
    type Error = DeviceMemoryError;

    fn make(&self, demand: &Bytes) -> Result<(Handle<MemoryObject>, u64), DeviceMemoryError> {
        let Buffers(context) = self;
        measured(context, allocate(context, demand.0)?)
    }

    fn is_exhaustion(error: &DeviceMemoryError) -> bool {
        is_exhaustion(error)
    }
}

impl Source for Images {
    type Demand = Pixels;
    type Block = Handle<MemoryObject>;
    type Error = DeviceMemoryError;

    fn make(&self, demand: &Pixels) -> Result<(Handle<MemoryObject>, u64), DeviceMemoryError> {
        let Images(context) = self;
        let description = cl_image_desc {
            image_type: CL_MEM_OBJECT_IMAGE2D,
            image_width: demand.shape.width,
            image_height: demand.shape.height,
            image_depth: 0,
            image_array_size: 0,
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: ptr::null_mut(),
        };
        let format = demand.shape.format();
        measured(context, context.driver().create_image(context.handle(), CL_MEM_READ_WRITE, format, &description)?)
    }

    fn is_exhaustion(error: &DeviceMemoryError) -> bool {
        is_exhaustion(error)
    }
}

fn measured(context: &Context, made: Handle<MemoryObject>) -> Result<(Handle<MemoryObject>, u64), DeviceMemoryError> {
    let bytes = number(&context.driver().memory_info(&made, CL_MEM_SIZE)?).unwrap_or(0);
    Ok((made, bytes))
}

/// Whether the driver says that it has no memory left.
pub(super) fn is_exhaustion(error: &DeviceMemoryError) -> bool {
    const CODES: [i32; 3] = [CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY];
    matches!(error, DeviceMemoryError::Driver(DriverError::Call { code, .. }) if CODES.contains(code))
}

/// A block of at least a byte.
pub(crate) fn allocate(context: &Context, length: usize) -> Result<Handle<MemoryObject>, DeviceMemoryError> {
    // Where the host shares the memory, this lets it map without a copy.
    let flags = if context.device().unified_memory { CL_MEM_ALLOC_HOST_PTR } else { 0 };
    // SAFETY: no host memory is handed over.
    Ok(unsafe { context.driver().create_buffer(context.handle(), CL_MEM_READ_WRITE | flags, length, ptr::null_mut()) }?)
}
