//! Intermediates that stay with a chain, for runs that nobody waits for.
//!
//! A run that is waited for draws its memory from the manager's pools and gives it back. One that is only submitted uses it after the
//! call has returned: each chain keeps memory for these, in which they go one after the other.

use crate::{buffer::Buffer, error::OpenClError, event::Event, memory::DeviceMemory, memory::Storage};
use std::sync::Arc;
use windrow_runtime::memory::{MemoryError, Plan};

/// The blocks of a plan.
#[derive(Debug)]
pub(super) struct Resident {
    blocks: Vec<Arc<Buffer>>,
    parts: Vec<(usize, Arc<Buffer>)>,
    /// The end of the run before.
    pub last: Option<Event>,
}

impl Resident {
    pub fn new(memory: &DeviceMemory, plan: &Plan) -> Result<Resident, OpenClError> {
        let block = |size: usize| Ok(Arc::new(memory.buffer(size, Storage::Separate)?));
        let blocks = plan.blocks.iter().map(|block_size| block(block_size.size)).collect::<Result<_, OpenClError>>()?;
        Ok(Resident { blocks, parts: Vec::new(), last: None })
    }

    /// The memory of lifetime `index`, `length` bytes of it.
    pub fn part(&mut self, plan: &Plan, index: usize, length: usize) -> Result<Arc<Buffer>, OpenClError> {
        if let Some((_, part)) = self.parts.iter().find(|(made, _)| *made == index) {
            return Ok(part.clone());
        }
        let place = plan.places.get(index).ok_or(MemoryError::NotPopulated)?;
        let block = self.blocks.get(place.block).ok_or(MemoryError::NotPopulated)?;
        let part = Arc::new(block.part(place.offset, length.max(1))?);
        self.parts.push((index, part.clone()));
        Ok(part)
    }
}
