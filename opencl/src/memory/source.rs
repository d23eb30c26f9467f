//! What is asked of a device's pools: how a block is made, and how many bytes its driver says that it takes.

use crate::{
    Context, DeviceMemoryError, DriverError, ImageShape,
    driver::handle::{Handle, MemoryObject},
    memory::pool::{Demand, Source},
};
use opencl3::{
    error_codes::{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES},
    memory::{CL_MEM_ALLOC_HOST_PTR, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_WRITE, CL_MEM_SIZE},
    types::cl_image_desc,
};
use std::ptr;

/// What a block must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A buffer of this many bytes.
    Bytes(usize),
    /// An image at least as large as `shape`, or exactly so: a sampler finds the border at the image's own edge.
    Image { shape: ImageShape, exact: bool },
}

impl Demand for Wanted {
    fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(length) => *length as u64,
            Self::Image { shape, .. } => shape.bytes(),
        }
    }

    fn waste(&self, block: &Self) -> Option<u64> {
        let fits = match (self, block) {
            (Self::Bytes(_), Self::Bytes(_)) => true,
            (Self::Image { shape: wanted, exact }, Self::Image { shape: found, .. }) => {
                let alike = (found.element, found.channels) == (wanted.element, wanted.channels);
                let (sides, others) = ((wanted.width, wanted.height), (found.width, found.height));
                alike && if *exact { sides == others } else { sides.0 <= others.0 && sides.1 <= others.1 }
            }
            (Self::Bytes(_), Self::Image { .. }) | (Self::Image { .. }, Self::Bytes(_)) => false,
        };
        block.bytes().checked_sub(self.bytes()).filter(|_| fits)
    }
}

/// Makes the blocks of a context.
pub(crate) struct Blocks(pub Context);

impl Source for Blocks {
    type Demand = Wanted;
    type Block = Handle<MemoryObject>;
    type Error = DeviceMemoryError;

    fn make(&self, demand: &Wanted) -> Result<(Handle<MemoryObject>, u64), DeviceMemoryError> {
        let Blocks(context) = self;
        let block = match demand {
            Wanted::Bytes(length) => allocate(context, *length)?,
            Wanted::Image { shape, .. } => allocate_image(context, shape)?,
        };
        let bytes = block.number(CL_MEM_SIZE)?;
        Ok((block, bytes))
    }

    fn is_exhaustion(error: &DeviceMemoryError) -> bool {
        const CODES: [i32; 3] = [CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY];
        matches!(error, DeviceMemoryError::Driver(DriverError::Call { code, .. }) if CODES.contains(code))
    }
}

/// A block of at least a byte.
pub(crate) fn allocate(context: &Context, length: usize) -> Result<Handle<MemoryObject>, DeviceMemoryError> {
    // Where the host shares the memory, this lets it map without a copy.
    let flags = if context.device().unified_memory { CL_MEM_ALLOC_HOST_PTR } else { 0 };
    // SAFETY: no host memory is handed over.
    Ok(unsafe { context.driver().create_buffer(context.handle(), CL_MEM_READ_WRITE | flags, length, ptr::null_mut()) }?)
}

fn allocate_image(context: &Context, shape: &ImageShape) -> Result<Handle<MemoryObject>, DeviceMemoryError> {
    let description = cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE2D,
        image_width: shape.width,
        image_height: shape.height,
        image_depth: 0,
        image_array_size: 0,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: ptr::null_mut(),
    };
    Ok(context.driver().create_image(context.handle(), CL_MEM_READ_WRITE, shape.format(), &description)?)
}
