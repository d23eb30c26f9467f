//! Bytes in a device's memory.

use super::{
    context::Context,
    driver::{Handle, KernelObject, MemoryObject, Waits},
    error::OpenClError,
};
use opencl3::{memory::CL_MEM_READ_WRITE, types::cl_uint};
use std::ptr;

/// A block of device memory. Reading and writing wait until they are done.
#[derive(Debug)]
pub struct Buffer {
    length: usize,
    memory: Handle<MemoryObject>,
    // Released after the memory.
    context: Context,
}

impl Buffer {
    /// Allocates `length` bytes, of unknown contents. (A length of zero is legal, and allocates one byte.)
    pub fn new(context: &Context, length: usize) -> Result<Self, OpenClError> {
        let driver = context.driver();
        // SAFETY: no host memory is handed over.
        let memory = unsafe { driver.create_buffer(context.handle(), CL_MEM_READ_WRITE, length, ptr::null_mut()) }?;
        Ok(Self { length, memory, context: context.clone() })
    }

    /// Allocates a copy of `bytes`.
    pub fn from_bytes(context: &Context, bytes: &[u8]) -> Result<Self, OpenClError> {
        let buffer = Self::new(context, bytes.len())?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Copies `bytes` to the device, from `offset` on.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), OpenClError> {
        self.check(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        let (host, length) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the range was checked, and a blocking write is done with `bytes` when it returns.
        unsafe { driver.write_buffer(queue, &self.memory, true, offset, host, length, &Waits::NONE, false) }?;
        Ok(())
    }

    /// Copies from the device, from `offset` on, to `bytes`.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), OpenClError> {
        self.check(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        let (host, length) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: the range was checked, and a blocking read is done with `bytes` when it returns.
        unsafe { driver.read_buffer(queue, &self.memory, true, offset, host, length, &Waits::NONE, false) }?;
        Ok(())
    }

    /// Binds the buffer to the kernel's argument `index`.
    pub(super) fn bind(&self, kernel: &Handle<KernelObject>, index: cl_uint) -> Result<(), OpenClError> {
        self.context.driver().set_memory_argument(kernel, index, &self.memory)
    }

    fn check(&self, offset: usize, length: usize) -> Result<(), OpenClError> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length => Ok(()),
            Some(_) | None => Err(OpenClError::OutOfRange { offset, length, capacity: self.length }),
        }
    }
}
