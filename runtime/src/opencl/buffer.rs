//! Bytes in a device's memory.

use super::{
    context::Context,
    driver::{self, Object},
    error::OpenClError,
};
use opencl3::{
    kernel::Kernel,
    memory::CL_MEM_READ_WRITE,
    types::{CL_BLOCKING, cl_uint},
};
use std::{ptr, sync::Mutex, sync::PoisonError};

/// A block of device memory. Reading and writing wait until they are done.
#[derive(Debug)]
pub struct Buffer {
    length: usize,
    // The library wants exclusive access for a write; the queue orders everything else.
    memory: Mutex<Object<opencl3::memory::Buffer<u8>>>,
    // Released after the memory.
    context: Context,
}

impl Buffer {
    /// Allocates `length` bytes, of unknown contents. (A length of zero is legal, and allocates one byte.)
    pub fn new(context: &Context, length: usize) -> Result<Self, OpenClError> {
        let turn = driver::turn();
        // SAFETY: no host memory is handed over.
        let memory = unsafe {
            opencl3::memory::Buffer::create(context.raw(), CL_MEM_READ_WRITE, length.max(1), ptr::null_mut())
        }
        .map_err(OpenClError::call("clCreateBuffer"))?;
        drop(turn);
        Ok(Self { length, memory: Mutex::new(Object::new(memory)), context: context.clone() })
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
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the range was checked, and a blocking write is done with `bytes` when it returns.
        unsafe { self.context.queue().enqueue_write_buffer(&mut memory, CL_BLOCKING, offset, bytes, &[]) }
            .map_err(OpenClError::call("clEnqueueWriteBuffer"))?;
        Ok(())
    }

    /// Copies from the device, from `offset` on, to `bytes`.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), OpenClError> {
        self.check(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the range was checked, and a blocking read is done with `bytes` when it returns.
        unsafe { self.context.queue().enqueue_read_buffer(&memory, CL_BLOCKING, offset, bytes, &[]) }
            .map_err(OpenClError::call("clEnqueueReadBuffer"))?;
        Ok(())
    }

    /// Binds the buffer to the kernel's argument `index`.
    pub(super) fn bind(&self, kernel: &Kernel, index: cl_uint) -> Result<(), OpenClError> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = opencl3::memory::ClMem::get(&**memory);
        // SAFETY: the argument is a pointer to global or constant memory, by the convention of `OpenClEntry`.
        unsafe { kernel.set_arg(index, &handle) }.map_err(OpenClError::call("clSetKernelArg"))
    }

    fn check(&self, offset: usize, length: usize) -> Result<(), OpenClError> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length => Ok(()),
            Some(_) | None => Err(OpenClError::OutOfRange { offset, length, capacity: self.length }),
        }
    }
}
