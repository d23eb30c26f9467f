//! Pools: sets of blocks, each acquired by one run at a time. Many threads may acquire and release at once.

use std::vec::Vec;

use super::{counters::MemoryCounters, error::MemoryError, plan::BlockSize};
use crate::sync::{Condvar, Mutex, MutexGuard};

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
        self.sizes.iter().map(|block| block.size).fold(0, usize::saturating_add)
    }

    fn in_use(&self) -> usize {
        self.total - self.free.len()
    }
}

/// Wakes all that wait for a pool when it is dropped.
struct WakeAll<'p>(&'p Condvar);

impl Drop for WakeAll<'_> {
    fn drop(&mut self) {
        self.0.notify_all();
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

    /// Replaces the pools by `count` made by `make`, each with blocks of these sizes; none may be in use. Threads that wait for
    /// one try again.
    pub fn fill<E: From<MemoryError>>(
        &self,
        sizes: Vec<BlockSize>,
        count: usize,
        mut make: impl FnMut(&BlockSize) -> Result<B, E>,
    ) -> Result<(), E> {
        // Later than the lock is released, whatever `make` does: who waits finds the new pools, or none.
        let _woken = WakeAll(&self.released);
        let mut state = self.state();
        clear(&mut state)?;
        // What was allocated before a failure goes back when `free` and `pool` are dropped.
        let (mut free, mut allocated) = (Vec::new(), 0);
        for _ in 0..count {
            let mut pool = Vec::new();
            for size in &sizes {
                pool.push(make(size)?);
                allocated = usize::saturating_add(allocated, size.size);
                state.peak = state.peak.max(allocated);
            }
            free.push(pool);
        }
        (state.sizes, state.total, state.free) = (sizes, count, free);
        Ok(())
    }

    /// Frees the pools; none may be in use. Threads that wait for a pool get an error.
    pub fn clear(&self) -> Result<(), MemoryError> {
        clear(&mut self.state())?;
        self.released.notify_all();
        Ok(())
    }

    /// Returns a pool with at least the blocks `needed`. Where every pool is in use, it waits until one is released.
    pub fn acquire(&self, needed: &[BlockSize]) -> Result<Vec<B>, MemoryError> {
        self.take(needed, |state| Ok(self.released.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner())))
    }

    /// Acquires a pool without waiting; where every pool is in use, that is an error.
    pub fn try_acquire(&self, needed: &[BlockSize]) -> Result<Vec<B>, MemoryError> {
        self.take(needed, |state| Err(MemoryError::Exhausted { pools: state.total }))
    }

    /// A pool; `exhausted` says what becomes of a state in which every pool is in use.
    fn take<'s>(
        &'s self,
        needed: &[BlockSize],
        exhausted: impl Fn(MutexGuard<'s, State<B>>) -> Result<MutexGuard<'s, State<B>>, MemoryError>,
    ) -> Result<Vec<B>, MemoryError> {
        let mut state = self.state();
        loop {
            if state.total == 0 {
                return Err(MemoryError::NotPopulated);
            }
            if !fits(needed, &state.sizes) {
                let bytes = needed.iter().map(|block| block.size).fold(0, usize::saturating_add);
                return Err(MemoryError::PoolTooSmall { needed: bytes, blocks: needed.len() });
            }
            if let Some(pool) = state.free.pop() {
                return Ok(pool);
            }
            state = exhausted(state)?;
        }
    }

    /// Takes back a pool that `acquire` returned.
    pub fn release(&self, pool: Vec<B>) {
        self.state().free.push(pool);
        self.released.notify_one();
    }

    pub fn counters(&self) -> MemoryCounters {
        let state = self.state();
        let each = state.each();
        MemoryCounters {
            resident: state.total.saturating_mul(each),
            live: state.in_use().saturating_mul(each),
            peak: state.peak,
        }
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::{
        sync::{Arc, mpsc},
        thread,
        time::Duration,
    };

    const BYTE: BlockSize = BlockSize { size: 1, alignment: 1 };

    /// A thread that waits for a pool, while a pool comes back whose call goes to another one, and the pools are made anew.
    fn waits_while(fill: impl FnOnce(&Pools<u8>)) -> Result<Vec<u8>, MemoryError> {
        let (pools, (send, receive)) = (Arc::new(Pools::new()), mpsc::channel());
        pools.fill::<MemoryError>(vec![BYTE], 1, |_| Ok(1)).unwrap();
        let held = pools.acquire(&[BYTE]).unwrap();
        let waiting = Arc::clone(&pools);
        thread::spawn(move || send.send(waiting.acquire(&[BYTE])).unwrap());
        thread::sleep(Duration::from_millis(50));
        pools.state().free.push(held);
        fill(&pools);
        receive.recv_timeout(Duration::from_secs(60)).expect("the thread was not woken")
    }

    #[test]
    fn new_pools_wake_the_threads_that_wait() {
        let found = waits_while(|pools| pools.fill::<MemoryError>(vec![BYTE], 1, |_| Ok(2)).unwrap());
        assert_eq!(found, Ok(vec![2]));
    }

    #[test]
    fn pools_that_can_not_be_made_wake_the_threads_that_wait() {
        let none = MemoryError::OutOfMemory { bytes: 1, alignment: 1 };
        let found = waits_while(|pools| assert_eq!(pools.fill(vec![BYTE], 1, |_| Err(none)), Err(none)));
        assert_eq!(found, Err(MemoryError::NotPopulated));
        let stops = |_: &BlockSize| -> Result<u8, MemoryError> { panic!("on purpose") };
        let found = waits_while(|pools| {
            let fill = std::panic::AssertUnwindSafe(|| pools.fill(vec![BYTE], 1, stops));
            assert!(std::panic::catch_unwind(fill).is_err());
        });
        assert_eq!(found, Err(MemoryError::NotPopulated));
    }
}
