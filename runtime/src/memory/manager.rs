//! The memory manager: what all groups need, and the pools that serve them.

use core::fmt;
use std::{
    sync::{Arc, Mutex, PoisonError},
    vec::Vec,
};

use super::{
    allocator::{Allocator, Block},
    counters::MemoryCounters,
    error::MemoryError,
    lifetime::Lifetime,
    plan::{BlockSize, MemoryPlan, Planner},
    pool::Pools,
};

/// Plans the memory of groups, and holds the pools that their runs acquire.
///
/// Groups share pools: each pool is large enough for any one of them, and serves one run at a time.
///
/// `B` is what blocks are: the host's memory, unless they are on a device.
pub struct MemoryManager<B = Block> {
    planner: Planner,
    /// The largest block of any group, the largest second one, and so on.
    needed: Mutex<Vec<BlockSize>>,
    pub(super) pools: Pools<B>,
}

impl MemoryManager {
    /// Returns a manager without groups and without pools.
    pub fn new(planner: Planner) -> MemoryManager {
        MemoryManager::of_blocks(planner)
    }

    /// Allocates `pools` pools, each for one run at a time of any group recorded so far. Pools made before are freed first.
    pub fn populate(&self, allocator: Arc<dyn Allocator>, pools: usize) -> Result<(), MemoryError> {
        self.populate_with(pools, |block| Block::new(&allocator, block.size, block.alignment))
    }
}

impl<B> MemoryManager<B> {
    /// Returns a manager without groups and without pools, of blocks of the caller's kind.
    pub fn of_blocks(planner: Planner) -> MemoryManager<B> {
        MemoryManager { planner, needed: Mutex::new(Vec::new()), pools: Pools::new() }
    }

    /// Returns how it shares memory.
    pub fn planner(&self) -> Planner {
        self.planner
    }

    /// Works as [`MemoryManager::populate`], with blocks that `make` makes.
    ///
    /// # Errors
    /// Those of `make`, and [`MemoryError::InUse`].
    pub fn populate_with<E: From<MemoryError>>(
        &self,
        pools: usize,
        make: impl FnMut(&BlockSize) -> Result<B, E>,
    ) -> Result<(), E> {
        let sizes = self.needed().clone();
        self.pools.fill(sizes, pools, make)
    }

    /// Returns a pool's blocks, at least as large as `plan` needs them. They go back by [`MemoryManager::release`].
    /// Where every pool is in use, it waits until one is released: see
    /// [`MemoryGroup::acquire`](super::MemoryGroup::acquire).
    ///
    /// # Errors
    /// A [`MemoryError`] where there is no such pool.
    pub fn acquire(&self, plan: &MemoryPlan) -> Result<Vec<B>, MemoryError> {
        if plan.blocks.is_empty() { Ok(Vec::new()) } else { self.pools.acquire(&plan.blocks) }
    }

    /// Acquires memory without waiting for it.
    ///
    /// # Errors
    /// As [`MemoryManager::acquire`]; [`MemoryError::Exhausted`] where every pool is in use.
    pub fn try_acquire(&self, plan: &MemoryPlan) -> Result<Vec<B>, MemoryError> {
        if plan.blocks.is_empty() { Ok(Vec::new()) } else { self.pools.try_acquire(&plan.blocks) }
    }

    /// Takes back what [`Self::acquire`] returned.
    pub fn release(&self, blocks: Vec<B>) {
        if !blocks.is_empty() {
            self.pools.release(blocks);
        }
    }

    /// Returns where tensors of these lifetimes lie; pools that are populated from now on are large enough for them.
    pub fn plan(&self, lifetimes: &[Lifetime]) -> MemoryPlan {
        let plan = self.planner.plan(lifetimes);
        self.reserve(&plan);
        plan
    }

    /// Frees the pools.
    pub fn clear(&self) -> Result<(), MemoryError> {
        self.pools.clear()
    }

    /// Returns memory in numbers: what its pools have, and what of it runs have acquired.
    pub fn counters(&self) -> MemoryCounters {
        self.pools.counters()
    }

    /// Makes the pools that are populated from now on large enough for `plan`.
    fn reserve(&self, plan: &MemoryPlan) {
        let mut needed = self.needed();
        for (rank, block) in plan.blocks.iter().enumerate() {
            match needed.get_mut(rank) {
                Some(needed) => {
                    needed.size = needed.size.max(block.size);
                    needed.alignment = needed.alignment.max(block.alignment);
                }
                None => needed.push(*block),
            }
        }
    }

    fn needed(&self) -> std::sync::MutexGuard<'_, Vec<BlockSize>> {
        self.needed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B> fmt::Debug for MemoryManager<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counters = self.counters();
        f.debug_struct("MemoryManager").field("planner", &self.planner).field("counters", &counters).finish()
    }
}
