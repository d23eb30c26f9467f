//! Buffers, parts of them, images, samplers.

use crate::{
    Call, Driver, DriverError,
    driver::{
        gateway::{checked, library},
        handle::{ContextObject, Handle, MemoryObject, SamplerObject},
    },
};
use opencl3::{
    memory::{
        CL_BUFFER_CREATE_TYPE_REGION, CL_MEM_OBJECT_IMAGE2D, create_buffer, create_image, create_sub_buffer,
        get_supported_image_formats,
    },
    types::{cl_buffer_region, cl_image_desc, cl_image_format, cl_int, cl_uint, cl_ulong},
};
use std::{ffi::c_void, ptr};

impl Driver {
    /// A buffer of `length` bytes, at least one.
    ///
    /// # Safety
    /// `host` is null, or `flags` say how `length` bytes there are used, which live as long as the buffer.
    pub(crate) unsafe fn create_buffer(
        &self,
        context: &Handle<ContextObject>,
        flags: cl_ulong,
        length: usize,
        host: *mut c_void,
    ) -> Result<Handle<MemoryObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.create(Call::CreateBuffer, || unsafe { create_buffer(context.raw(), flags, length.max(1), host) })
    }

    /// A part of a buffer, which it keeps alive. The library checks the range and the alignment of `offset`.
    pub(crate) fn create_sub_buffer(
        &self,
        buffer: &Handle<MemoryObject>,
        offset: usize,
        length: usize,
    ) -> Result<Handle<MemoryObject>, DriverError> {
        let region = cl_buffer_region { origin: offset, size: length };
        // SAFETY: the region is of the type that the constant says.
        self.create(Call::CreateSubBuffer, || unsafe {
            create_sub_buffer(buffer.raw(), 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast())
        })
    }

    /// An image without host memory.
    pub(crate) fn create_image(
        &self,
        context: &Handle<ContextObject>,
        flags: cl_ulong,
        format: cl_image_format,
        description: &cl_image_desc,
    ) -> Result<Handle<MemoryObject>, DriverError> {
        // SAFETY: both structures live through the call, and no host memory is handed over.
        self.create(Call::CreateImage, || unsafe {
            create_image(context.raw(), flags, &raw const format, description, ptr::null_mut())
        })
    }

    /// The formats in which the context makes images of two dimensions: the order of channels, and their type.
    pub(crate) fn image_formats(
        &self,
        context: &Handle<ContextObject>,
        flags: cl_ulong,
    ) -> Result<Vec<(cl_uint, cl_uint)>, DriverError> {
        let formats = self
            .make(Call::GetImageFormats, || get_supported_image_formats(context.raw(), flags, CL_MEM_OBJECT_IMAGE2D))?;
        Ok(formats.iter().map(|format| (format.image_channel_order, format.image_channel_data_type)).collect())
    }

    /// A sampler of coordinates in elements.
    pub(crate) fn create_sampler(
        &self,
        context: &Handle<ContextObject>,
        addressing: cl_uint,
        filter: cl_uint,
    ) -> Result<Handle<SamplerObject>, DriverError> {
        let raw: Result<_, DriverError> = self.make(Call::CreateSampler, || {
            let mut status: cl_int = 0;
            let sampler = library()?.clCreateSampler(context.raw(), 0, addressing, filter, &raw mut status);
            checked(sampler.map(|_| status)).and(Ok(sampler))
        });
        Ok(Handle::new(self, raw?.unwrap_or(ptr::null_mut())))
    }
}
