//! Memory for what runs: an allocator that the host may replace, lifetimes, plans, pools.
//!
//! A composite operator records, while it is configured, when each of its intermediates is needed ([`Recording`]); the
//! [`MemoryManager`] plans them into as little memory as their lifetimes allow, for all groups together, since a pool serves
//! one run of one group at a time. [`MemoryManager::populate`] allocates as many pools as runs shall go at once; a run
//! acquires one and releases it. Without a manager, each tensor has memory of its own at once.
//!
//! ```
//! use std::sync::Arc;
//! use windrow::{TensorInfo, memory::{Exhaustion, Heap, MemoryManager, Planner, Recording}};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let manager = Arc::new(MemoryManager::new(Planner::Offsets));
//! let mut recording = Recording::managed(&manager);
//! let info = TensorInfo::of::<u8>(&[640, 480])?;
//! let blurred = recording.manage(info);
//! // … configure the kernel that writes `blurred`, and those that read it …
//! recording.allocate(blurred)?;
//! let group = recording.finish()?;
//!
//! manager.populate(Arc::new(Heap), 2)?;
//! let mut acquired = group.acquire(Exhaustion::Wait)?;
//! let [blurred] = acquired.tensors([blurred])?;
//! assert_eq!(blurred.info().width(), 640);
//! # Ok(())
//! # }
//! ```

mod allocator;
mod group;
mod manager;
mod pack;
mod plan;
mod pool;
mod text;

pub use allocator::{Allocation, Allocator, Block, Counted, Heap};
pub use group::{Acquired, MemoryGroup, Recording, TensorId};
pub use manager::MemoryManager;
pub use plan::{BlockSize, Lifetime, Place, Plan, Planner, lower_bound};
pub use pool::Exhaustion;

/// The alignment of a managed tensor, in bytes: a cache line.
pub const ALIGNMENT: usize = 64;

/// Memory in numbers, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Allocated now.
    pub resident: usize,
    /// Of these, acquired by runs that are under way.
    pub live: usize,
    /// The most that was ever allocated at once.
    pub peak: usize,
}

crate::text::fields! { Counters { resident, live, peak }, "memory in numbers", "resident 4096, live 0, peak 8192"; }

/// Why memory can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The allocator has no more.
    #[error("no memory for {bytes} bytes at a multiple of {alignment}")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
        /// Their alignment.
        alignment: usize,
    },
    /// A size and an alignment that no memory has.
    #[error("{bytes} bytes at a multiple of {alignment} can't be asked for")]
    InvalidLayout {
        /// Bytes asked for.
        bytes: usize,
        /// Their alignment, which is no power of two, or with which the size overflows.
        alignment: usize,
    },
    /// The allocator did not keep the alignment.
    #[error("the allocator's memory is not at a multiple of {alignment}")]
    Misaligned {
        /// The alignment asked for.
        alignment: usize,
    },
    /// The manager has no pools.
    #[error("the memory manager has no pools: populate it first")]
    NotPopulated,
    /// Every pool is acquired.
    #[error("all {pools} pools are in use")]
    Exhausted {
        /// Their number.
        pools: usize,
    },
    /// Pools that are acquired can't be freed or replaced.
    #[error("{pools} pools are in use")]
    InUse {
        /// Their number.
        pools: usize,
    },
    /// The group was recorded after the pools were made, and needs more than they have.
    #[error("the group needs {needed} bytes in {blocks} blocks, the pools were populated for less")]
    PoolTooSmall {
        /// Bytes that the group needs.
        needed: usize,
        /// Blocks that the group needs.
        blocks: usize,
    },
    /// A tensor of another group.
    #[error("the tensor belongs to another memory group")]
    ForeignTensor,
    /// A tensor allocated twice.
    #[error("tensor {index} of the group is allocated already")]
    AllocatedTwice {
        /// Its number.
        index: usize,
    },
    /// A tensor that is managed and never allocated.
    #[error("tensor {index} of the group is managed and never allocated")]
    NeverAllocated {
        /// Its number.
        index: usize,
    },
    /// Two tensors that are not needed at the same time were asked for together.
    #[error("tensors {first} and {second} share memory: they are never needed at the same time")]
    Shared {
        /// The one's number.
        first: usize,
        /// The other's number.
        second: usize,
    },
}
