//! The memory manager on a device: blocks of its memory, cut into parts as a plan says.
//!
//! What is planned, and how pools are shared, is [`crate::memory::MemoryManager`]'s; only the blocks are others. A part is
//! made once for a block, and found again by every later run.

use crate::{Buffer, DeviceMemory, DeviceMemoryError, Storage};
use std::{fmt, mem, sync::Arc};
use windrow_runtime::memory::{Lifetime, MemoryCounters, MemoryError, MemoryManager, MemoryPlan, Planner};

/// Plans the memory of chains on a device, and holds the pools that their runs acquire.
///
/// Chains share pools: each pool is large enough for any one of them, and serves one run at a time.
///
/// ```
/// # use windrow::memory::Planner;
/// # use windrow::opencl::{Context, DeviceManager, DeviceMemory, DeviceMemoryError};
/// fn manager(context: &Context) -> Result<DeviceManager, DeviceMemoryError> {
///     let manager = DeviceManager::new(&DeviceMemory::new(context), Planner::Arena);
///     // … configure chains …
///     manager.populate(1)?;
///     Ok(manager)
/// }
/// ```
pub struct DeviceManager {
    manager: MemoryManager<DeviceBlock>,
    memory: DeviceMemory,
}

impl DeviceManager {
    /// Returns a manager without chains and without pools.
    pub fn new(memory: &DeviceMemory, planner: Planner) -> DeviceManager {
        DeviceManager { manager: MemoryManager::of_blocks(planner), memory: memory.clone() }
    }

    /// Returns the memory that the manager's blocks come from.
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// Returns how it shares memory.
    pub fn planner(&self) -> Planner {
        self.manager.planner()
    }

    /// Allocates `pools` pools, each for one run at a time of any chain configured so far. Pools made before are given back
    /// first.
    pub fn populate(&self, pools: usize) -> Result<(), DeviceMemoryError> {
        self.manager.populate_with(pools, |block| DeviceBlock::new(&self.memory, block.size, Storage::Dynamic))
    }

    /// Gives the pools' blocks back to the device's memory.
    pub fn clear(&self) -> Result<(), DeviceMemoryError> {
        Ok(self.manager.clear()?)
    }

    /// Returns memory in numbers, as planned: what its pools have, and what of it runs have acquired.
    pub fn counters(&self) -> MemoryCounters {
        self.manager.counters()
    }

    /// Returns the number of bytes that a part of a block starts at a multiple of.
    pub fn alignment(&self) -> usize {
        usize::try_from(self.memory.context().device().base_alignment).unwrap_or(usize::MAX)
    }

    /// Returns where memory of these lifetimes lies, at the device's alignment or their own, whichever is greater; the
    /// pools that are populated from now on are large enough.
    pub fn plan(&self, lifetimes: &[Lifetime]) -> MemoryPlan {
        let alignment = self.alignment();
        // A part has at least a byte.
        let on_device =
            |life: &Lifetime| Lifetime { size: life.size.max(1), alignment: life.alignment.max(alignment), ..*life };
        self.manager.plan(&lifetimes.iter().map(on_device).collect::<Vec<_>>())
    }

    /// Blocks for one run of `plan`; given back when dropped. Where every pool is in use, it waits until one is given back.
    pub fn acquire(&self, plan: &MemoryPlan) -> Result<DeviceBlocks<'_>, DeviceMemoryError> {
        Ok(DeviceBlocks { manager: Some(&self.manager), blocks: self.manager.acquire(plan)? })
    }

    /// Acquires memory without waiting for it: [`MemoryError::Exhausted`] where every pool is in use.
    pub fn try_acquire(&self, plan: &MemoryPlan) -> Result<DeviceBlocks<'_>, DeviceMemoryError> {
        Ok(DeviceBlocks { manager: Some(&self.manager), blocks: self.manager.try_acquire(plan)? })
    }
}

impl fmt::Debug for DeviceManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceManager").field("manager", &self.manager).field("memory", &self.memory).finish()
    }
}

/// Parts that a block keeps: those of chains that are gone must not pile up.
const MOST_PARTS: usize = 256;

/// A block of a pool, and the parts of it that runs have used.
#[derive(Debug)]
struct DeviceBlock {
    whole: Arc<Buffer>,
    parts: Vec<(usize, Arc<Buffer>)>,
}

impl DeviceBlock {
    fn new(memory: &DeviceMemory, size: usize, storage: Storage) -> Result<Self, DeviceMemoryError> {
        Ok(DeviceBlock { whole: Arc::new(memory.buffer(size, storage)?), parts: Vec::new() })
    }

    /// `length` bytes from `offset` on.
    fn part(&mut self, offset: usize, length: usize) -> Result<Arc<Buffer>, DeviceMemoryError> {
        let made = self.parts.iter().find(|(at, part)| *at == offset && part.len() == length);
        if let Some((_, part)) = made {
            return Ok(Arc::clone(part));
        }
        let part = Arc::new(Buffer::part(&self.whole, offset, length)?);
        if self.parts.len() == MOST_PARTS {
            self.parts.clear();
        }
        self.parts.push((offset, Arc::clone(&part)));
        Ok(part)
    }
}

/// A pool for one run.
#[derive(Debug)]
pub struct DeviceBlocks<'m> {
    /// Whose the blocks are; `None` for those that stay with their owner.
    manager: Option<&'m MemoryManager<DeviceBlock>>,
    blocks: Vec<DeviceBlock>,
}

impl DeviceBlocks<'static> {
    /// Blocks of a plan that are not a pool's.
    pub(crate) fn own(memory: &DeviceMemory, plan: &MemoryPlan) -> Result<Self, DeviceMemoryError> {
        let blocks = plan.blocks.iter().map(|block| DeviceBlock::new(memory, block.size, Storage::Separate));
        Ok(DeviceBlocks { manager: None, blocks: blocks.collect::<Result<_, _>>()? })
    }
}

impl DeviceBlocks<'_> {
    /// Returns the memory of lifetime `index` of `plan`, `length` bytes of it. What it holds is left from an earlier
    /// run, or of another lifetime.
    pub fn part(&mut self, plan: &MemoryPlan, index: usize, length: usize) -> Result<Arc<Buffer>, DeviceMemoryError> {
        let place = plan.places.get(index);
        let block = place.and_then(|place| Some((self.blocks.get_mut(place.block)?, place.offset)));
        let (block, offset) = block.ok_or(MemoryError::NotPopulated)?;
        block.part(offset, length.max(1))
    }
}

impl Drop for DeviceBlocks<'_> {
    fn drop(&mut self) {
        if let Some(manager) = self.manager {
            manager.release(mem::take(&mut self.blocks));
        }
    }
}
