//! The memory manager: what all groups need, and the pools that serve them.

use core::fmt;
use std::{
    sync::{Arc, Mutex, PoisonError},
    vec::Vec,
};

use super::{
    BlockSize, Counters, MemoryError, Plan, Planner,
    allocator::{Allocator, Block},
    pool::Pools,
};

/// Plans the memory of groups, and holds the pools that their runs acquire.
///
/// Groups share pools: each pool is large enough for any one of them, and serves one run at a time.
pub struct MemoryManager {
    planner: Planner,
    /// The largest block of any group, the largest second one, and so on.
    needed: Mutex<Vec<BlockSize>>,
    pub(super) pools: Pools,
}

impl MemoryManager {
    /// A manager without groups and without pools.
    pub fn new(planner: Planner) -> MemoryManager {
        MemoryManager { planner, needed: Mutex::new(Vec::new()), pools: Pools::new() }
    }

    /// How it shares memory.
    pub fn planner(&self) -> Planner {
        self.planner
    }

    /// Allocates `pools` pools, each for one run at a time of any group recorded so far. Pools made before are freed first.
    pub fn populate(&self, allocator: Arc<dyn Allocator>, pools: usize) -> Result<(), MemoryError> {
        let sizes = self.needed().clone();
        self.pools.fill(sizes, pools, |block| Block::new(&allocator, block.size, block.alignment))
    }

    /// Frees the pools.
    pub fn clear(&self) -> Result<(), MemoryError> {
        self.pools.clear()
    }

    /// Memory in numbers: what its pools have, and what of it runs have acquired.
    pub fn counters(&self) -> Counters {
        self.pools.counters()
    }

    /// Makes the pools that are populated from now on large enough for `plan`.
    pub(super) fn reserve(&self, plan: &Plan) {
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

impl fmt::Debug for MemoryManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counters = self.counters();
        f.debug_struct("MemoryManager").field("planner", &self.planner).field("counters", &counters).finish()
    }
}
