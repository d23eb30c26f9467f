//! Memory for what runs: an allocator that the host may replace, lifetimes, plans, pools.
//!
//! A composite operator records, while it is configured, when each of its intermediates is needed ([`MemoryRecording`]); the
//! [`MemoryManager`] plans them into as little memory as their lifetimes allow, for all groups together, since a pool serves
//! one run of one group at a time. [`MemoryManager::populate`] allocates as many pools as runs shall go at once; a run
//! acquires one and releases it. Without a manager, each tensor has memory of its own at once.
//!
//! ```
//! use std::sync::Arc;
//! use windrow::{TensorInfo, memory::{Heap, MemoryManager, Planner, MemoryRecording}};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let manager = Arc::new(MemoryManager::new(Planner::Arena));
//! let mut recording = MemoryRecording::managed(&manager);
//! let info = TensorInfo::of::<u8>(&[480, 640])?;
//! let blurred = recording.begin_lifetime(info);
//! // … configure the kernel that writes `blurred`, and those that read it …
//! recording.end_lifetime(blurred)?;
//! let group = recording.finish()?;
//!
//! manager.populate(Arc::new(Heap), 2)?;
//! let mut acquired = group.acquire()?;
//! let [blurred] = acquired.tensors([blurred])?;
//! assert_eq!(blurred.info().width(), 640);
//! # Ok(())
//! # }
//! ```

mod allocator;
mod counters;
mod error;
mod group;
mod lifetime;
mod manager;
mod pack;
mod plan;
mod pool;

pub use allocator::{ALIGNMENT, Allocation, Allocator, Block, Heap};
pub use counters::MemoryCounters;
pub use error::MemoryError;
pub use group::{Acquired, MemoryGroup, MemoryRecording, TensorId};
pub use lifetime::{Lifetime, lower_bound};
pub use manager::MemoryManager;
pub use plan::{BlockSize, MemoryPlan, Place, Planner};
