//! Pools: sets of blocks, each acquired by one run at a time. Many threads may acquire and release at once.

use std::vec::Vec;

use super::{BlockSize, Counters, MemoryError};
use crate::sync::{Condvar, Mutex, MutexGuard};

/// What to do when every pool is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exhaustion {
    /// Wait until one is released.
    #[default]
    Wait,
    /// Give up.
    Error,
}

impl Exhaustion {
    /// Every way.
    pub const ALL: [Exhaustion; 2] = [Exhaustion::Wait, Exhaustion::Error];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Exhaustion::Wait => "wait",
            Exhaustion::Error => "error",
        }
    }
}

crate::text::named! { Exhaustion, "way of a pool that is exhausted", "wait"; }

/// A set of pools with the same blocks, of the host's memory or of a device's.
pub(super) struct Pools<B> {
    state: Mutex<State<B>>,
    released: Condvar,
}

struct State<B> {
    /// What each pool has.
    sizes: Vec<BlockSize>,
    free: Vec<Vec<B>>,
    /// Pools, those acquired included.
    total: usize,
    peak: usize,
}

impl<B> State<B> {
    fn each(&self) -> usize {
        self.sizes.iter().map(|block| block.size).sum()
    }

    fn in_use(&self) -> usize {
        self.total - self.free.len()
    }
}

impl<B> Pools<B> {
    pub fn new() -> Pools<B> {
        let state = State { sizes: Vec::new(), free: Vec::new(), total: 0, peak: 0 };
        Pools { state: Mutex::new(state), released: Condvar::new() }
    }

    /// A thread that panicked while it held the lock left nothing half done.
    fn state(&self) -> MutexGuard<'_, State<B>> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Replaces the pools by `count` made by `make`, each with blocks of these sizes; none may be in use.
    pub fn fill<E: From<MemoryError>>(
        &self,
        sizes: Vec<BlockSize>,
        count: usize,
        mut make: impl FnMut(&BlockSize) -> Result<B, E>,
    ) -> Result<(), E> {
        let mut state = self.state();
        clear(&mut state)?;
        // What was allocated before a failure goes back when `free` and `pool` are dropped.
        let (mut free, mut allocated) = (Vec::new(), 0);
        for _ in 0..count {
            let mut pool = Vec::new();
            for size in &sizes {
                pool.push(make(size)?);
                allocated += size.size;
                state.peak = state.peak.max(allocated);
            }
            free.push(pool);
        }
        (state.sizes, state.total, state.free) = (sizes, count, free);
        Ok(())
    }

    /// Frees the pools; none may be in use. Threads that wait for one are told that there is none.
    pub fn clear(&self) -> Result<(), MemoryError> {
        clear(&mut self.state())?;
        self.released.notify_all();
        Ok(())
    }

    /// A pool with at least the blocks `needed`.
    pub fn acquire(&self, needed: &[BlockSize], exhaustion: Exhaustion) -> Result<Vec<B>, MemoryError> {
        let mut state = self.state();
        loop {
            if state.total == 0 {
                return Err(MemoryError::NotPopulated);
            }
            if !fits(needed, &state.sizes) {
                let bytes = needed.iter().map(|block| block.size).sum();
                return Err(MemoryError::PoolTooSmall { needed: bytes, blocks: needed.len() });
            }
            if let Some(pool) = state.free.pop() {
                return Ok(pool);
            }
            state = match exhaustion {
                Exhaustion::Error => return Err(MemoryError::Exhausted { pools: state.total }),
                Exhaustion::Wait => self.released.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner()),
            };
        }
    }

    /// Takes back a pool that `acquire` returned.
    pub fn release(&self, pool: Vec<B>) {
        self.state().free.push(pool);
        self.released.notify_one();
    }

    pub fn counters(&self) -> Counters {
        let state = self.state();
        let each = state.each();
        Counters { resident: state.total * each, live: state.in_use() * each, peak: state.peak }
    }
}

fn clear<B>(state: &mut State<B>) -> Result<(), MemoryError> {
    if state.in_use() > 0 {
        return Err(MemoryError::InUse { pools: state.in_use() });
    }
    (state.sizes, state.total, state.free) = (Vec::new(), 0, Vec::new());
    Ok(())
}

/// Whether each block that is needed fits the one of the same rank.
fn fits(needed: &[BlockSize], sizes: &[BlockSize]) -> bool {
    needed.len() <= sizes.len() && needed.iter().zip(sizes).all(|(a, b)| a.size <= b.size && a.alignment <= b.alignment)
}
