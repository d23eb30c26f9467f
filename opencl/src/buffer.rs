//! Bytes in a device's memory.

use crate::{
    Context, DeviceMemoryError, OpenClError,
    driver::{
        handle::{Handle, KernelObject, MemoryObject},
        transfer::{Host, On},
    },
    memory::{
        pool::Pooled,
        source::{Blocks, allocate},
    },
    uses::{Use, Uses},
};
use opencl3::types::cl_uint;
use std::{ops::Deref, sync::Arc};

/// A block of device memory, or a part of one. Reading and writing wait until they are done.
#[derive(Debug)]
pub struct Buffer {
    length: usize,
    memory: Arc<Memory>,
    /// The block that it is a part of, and where it begins there.
    parent: Option<(Arc<Buffer>, usize)>,
    /// Of the whole block.
    uses: Arc<Uses>,
    // Released after the memory.
    context: Context,
}

/// The driver's object, and whose it is. Whoever holds it, an argument of a kernel too, keeps it from its next owner.
#[derive(Debug)]
pub(crate) enum Memory {
    Own(Handle<MemoryObject>),
    /// Of a pool, to which it goes back.
    Pooled(Pooled<Blocks>),
}

impl Deref for Memory {
    type Target = Handle<MemoryObject>;

    fn deref(&self) -> &Handle<MemoryObject> {
        match self {
            Self::Own(memory) => memory,
            Self::Pooled(block) => block,
        }
    }
}

impl Buffer {
    /// Allocates `length` bytes, of unknown contents. (A length of zero is legal, and allocates one byte.)
    pub fn new(context: &Context, length: usize) -> Result<Self, DeviceMemoryError> {
        Ok(Self::of(context, length, Memory::Own(allocate(context, length)?)))
    }

    /// `length` bytes of a pool's block.
    pub(super) fn pooled(context: &Context, length: usize, block: Pooled<Blocks>) -> Self {
        Self::of(context, length, Memory::Pooled(block))
    }

    fn of(context: &Context, length: usize, memory: Memory) -> Self {
        let uses = Arc::new(Uses::new(context));
        Self { length, memory: Arc::new(memory), parent: None, uses, context: context.clone() }
    }

    /// Allocates a copy of `bytes`.
    pub fn from_bytes(context: &Context, bytes: &[u8]) -> Result<Self, OpenClError> {
        let buffer = Self::new(context, bytes.len())?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Returns the bytes from `offset` on, as a buffer of its own that keeps the whole alive. `offset` must be a
    /// multiple of the device's [`super::DeviceCaps::base_alignment`].
    pub fn part(self: &Arc<Self>, offset: usize, length: usize) -> Result<Self, DeviceMemoryError> {
        self.check(offset, length)?;
        let alignment = self.context.device().base_alignment as usize;
        if !offset.is_multiple_of(alignment) {
            return Err(DeviceMemoryError::Misaligned { offset, alignment });
        }
        // Parts of parts are refused by the library: they are parts of the whole.
        let (whole, first) = self.parent.as_ref().map_or((self, 0), |(whole, first)| (whole, *first));
        let memory = self.context.driver().create_sub_buffer(&whole.memory, first + offset, length.max(1))?;
        Ok(Self {
            length,
            memory: Arc::new(Memory::Own(memory)),
            parent: Some((whole.clone(), first + offset)),
            uses: self.uses.clone(),
            context: self.context.clone(),
        })
    }

    /// The same memory by another owner.
    pub(super) fn share(&self) -> Buffer {
        let Self { length, memory, parent, uses, context } = self;
        let (memory, parent, uses) = (memory.clone(), parent.clone(), uses.clone());
        Self { length: *length, memory, parent, uses, context: context.clone() }
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the context of the buffer.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Copies `bytes` to the device, from `offset` on, once the commands of other queues that use the buffer are done.
    ///
    /// # Errors
    /// [`DeviceMemoryError::OutOfRange`]; [`OpenClError::Mapped`] while the host uses an image in the buffer.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), OpenClError> {
        // SAFETY: `bytes` are readable.
        unsafe { self.exchange(offset, bytes.len(), Host::From(bytes.as_ptr())) }
    }

    /// Copies from the device, from `offset` on, to `bytes`, once the commands of other queues that write the buffer are
    /// done.
    ///
    /// # Errors
    /// [`DeviceMemoryError::OutOfRange`]; [`OpenClError::Mapped`] while the host writes an image in the buffer.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), OpenClError> {
        // SAFETY: `bytes` are writable.
        unsafe { self.exchange(offset, bytes.len(), Host::To(bytes.as_mut_ptr())) }
    }

    /// # Safety
    /// So many bytes are readable or writable at `host`.
    unsafe fn exchange(&self, offset: usize, length: usize, host: Host) -> Result<(), OpenClError> {
        self.check(offset, length)?;
        if length == 0 {
            return Ok(());
        }
        self.begin_use("the buffer", matches!(host, Host::From(_)))?.settle()?;
        let on = On::queue(self.context.ordered_memory_queue()?.handle());
        // SAFETY: the range was checked, and a blocking transfer is done with the bytes when it returns.
        Ok(unsafe { on.transfer((&self.memory, offset), length, host, true) }?)
    }

    pub(crate) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The block that it is a part of and where it begins there; itself where it is none.
    pub(super) fn whole(&self) -> (&Arc<Memory>, usize) {
        self.parent.as_ref().map_or((&self.memory, 0), |(whole, first)| (&whole.memory, *first))
    }

    /// Binds the buffer to the kernel's argument `index`.
    pub(super) fn bind(&self, kernel: &Handle<KernelObject>, index: cl_uint) -> Result<(), OpenClError> {
        Ok(self.context.driver().set_memory_argument(kernel, index, &self.memory)?)
    }

    /// The memory that it lies in and where it begins there: two buffers overlap in one block only.
    pub(super) fn place(&self) -> (*mut core::ffi::c_void, usize) {
        match &self.parent {
            Some((whole, first)) => (whole.memory.raw(), *first),
            None => (self.memory.raw(), 0),
        }
    }

    /// Announces a command that reads, or reads and writes, the block; refused while the host uses it otherwise.
    pub(super) fn begin_use(&self, argument: &str, writes: bool) -> Result<Use, OpenClError> {
        self.uses.begin(argument, writes)
    }

    /// Who uses the block.
    pub(super) fn uses(&self) -> &Arc<Uses> {
        &self.uses
    }

    fn check(&self, offset: usize, length: usize) -> Result<(), DeviceMemoryError> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length => Ok(()),
            Some(_) | None => Err(DeviceMemoryError::OutOfRange { offset, length, capacity: self.length }),
        }
    }
}
