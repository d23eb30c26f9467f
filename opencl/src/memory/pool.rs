//! A pool of blocks that are expensive to make: those given back are handed out again.
//!
//! Which block serves a demand is the demand's to say ([`Demand`]); how one is made is the source's ([`Source`]), so that
//! the pool is tested without a device. A block is held by a [`Pooled`], which gives it back once, when it is dropped;
//! nothing else can. Blocks and guards may be dropped in any order, the pool before them too.

use std::{
    fmt,
    mem::{self, ManuallyDrop},
    ops::Deref,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Pools in numbers. Bytes are those that the driver says a block takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolCounters {
    /// Bytes of all blocks.
    pub resident: u64,
    /// Of these, in use.
    pub live: u64,
    /// Of these, free.
    pub free: u64,
    /// The most that was ever resident at once.
    pub peak: u64,
    /// Blocks made.
    pub made: u64,
    /// Demands that a free block served.
    pub reused: u64,
}

/// What a block must be.
pub(crate) trait Demand: Clone {
    /// Bytes wanted.
    fn bytes(&self) -> u64;

    /// Bytes that lie idle where a block made for `block` serves this demand; `None` where it can't.
    fn waste(&self, block: &Self) -> Option<u64>;
}

/// Makes blocks.
pub(crate) trait Source {
    type Demand: Demand;
    type Block;
    type Error;

    /// A new block, and the bytes that the driver says it takes.
    fn make(&self, demand: &Self::Demand) -> Result<(Self::Block, u64), Self::Error>;

    /// Whether `error` says that there is no more memory, so that it helps to give some back.
    fn is_exhaustion(error: &Self::Error) -> bool;
}

/// How much of a block may lie idle: a part of what is wanted, or a number of bytes, whichever is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WasteBound {
    /// Hundredths of what is wanted.
    pub percent: u32,
    /// Bytes.
    pub bytes: u64,
}

impl WasteBound {
    /// Half of what is wanted, or 4096 bytes.
    pub const DEFAULT: WasteBound = WasteBound { percent: 50, bytes: 4096 };

    /// Returns whether `waste` may lie idle where `wanted` is asked for.
    ///
    /// ```
    /// use windrow::opencl::WasteBound;
    ///
    /// assert!(WasteBound::DEFAULT.allows(5000, 10_000) && !WasteBound::DEFAULT.allows(5001, 10_000));
    /// assert!(WasteBound::DEFAULT.allows(4096, 4));
    /// ```
    pub fn allows(&self, waste: u64, wanted: u64) -> bool {
        let part = u128::from(wanted) * u128::from(self.percent) / 100;
        u128::from(waste) <= part.max(self.bytes.into())
    }
}

impl Default for WasteBound {
    fn default() -> WasteBound {
        WasteBound::DEFAULT
    }
}

/// No block: the driver has none left, even after all free ones were given back.
#[derive(Debug)]
pub(crate) struct Exhausted<E> {
    /// What the source said.
    pub error: E,
    /// Bytes that the pool's blocks take.
    pub resident: u64,
}

/// Bytes that several pools hold together, now and at most.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    resident: AtomicU64,
    peak: AtomicU64,
}

impl Tally {
    fn grow(&self, bytes: u64) {
        let resident = self.resident.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(resident, Relaxed);
    }

    fn shrink(&self, bytes: u64) {
        self.resident.fetch_sub(bytes, Relaxed);
    }
}

/// A pool. Its clones are one pool.
pub(crate) struct Pool<S: Source> {
    shared: Arc<Shared<S>>,
}

struct Shared<S: Source> {
    source: S,
    bound: WasteBound,
    tally: Arc<Tally>,
    /// Where blocks go that come back.
    back: Return,
    state: Mutex<State<S>>,
}

struct State<S: Source> {
    /// Blocks that nobody holds, in the order in which they came back.
    free: Vec<Block<S>>,
    resident: u64,
    made: u64,
    reused: u64,
}

/// A block, with what it was made for and the bytes that it takes.
struct Block<S: Source> {
    block: S::Block,
    demand: S::Demand,
    bytes: u64,
}

impl<S: Source> Pool<S> {
    /// Returns an empty pool, whose bytes count in `tally` too; one that does not keep free blocks gives them to the
    /// driver at once.
    pub fn new(source: S, bound: WasteBound, keeps_free: bool, tally: Arc<Tally>) -> Pool<S> {
        let back = if keeps_free { Return::ToPool } else { Return::ToDriver };
        let state = Mutex::new(State { free: Vec::new(), resident: 0, made: 0, reused: 0 });
        Pool { shared: Arc::new(Shared { source, bound, tally, back, state }) }
    }

    /// Returns the free block that wastes least, where that is within the bound; else a new one.
    pub fn acquire(&self, demand: &S::Demand) -> Result<Pooled<S>, Exhausted<S::Error>> {
        match self.shared.take(demand) {
            Some(block) => Ok(self.guard(block, self.shared.back)),
            None => Ok(self.guard(self.shared.make(demand)?, self.shared.back)),
        }
    }

    /// Returns a new block, which is not one of the pool's and is not reused.
    pub fn acquire_separate(&self, demand: &S::Demand) -> Result<Pooled<S>, Exhausted<S::Error>> {
        Ok(self.guard(self.shared.make(demand)?, Return::ToDriver))
    }

    /// Gives free blocks back to the driver; the bytes that they took.
    pub fn trim(&self) -> u64 {
        self.shared.trim()
    }

    /// Returns the pool in numbers; the peak is that of all pools that count together.
    pub fn counters(&self) -> PoolCounters {
        let state = self.shared.state();
        let free = state.free.iter().map(|block| block.bytes).sum();
        PoolCounters {
            resident: state.resident,
            live: state.resident - free,
            free,
            peak: self.shared.tally.peak.load(Relaxed),
            made: state.made,
            reused: state.reused,
        }
    }

    fn guard(&self, block: Block<S>, back: Return) -> Pooled<S> {
        Pooled { block: ManuallyDrop::new(block), pool: Arc::downgrade(&self.shared), back }
    }
}

impl<S: Source> Clone for Pool<S> {
    fn clone(&self) -> Pool<S> {
        Pool { shared: Arc::clone(&self.shared) }
    }
}

impl<S: Source> fmt::Debug for Pool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pool").field(&self.counters()).finish()
    }
}

impl<S: Source> Shared<S> {
    /// A thread that panicked while it held the lock left nothing half done.
    fn state(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, demand: &S::Demand) -> Option<Block<S>> {
        let mut state = self.state();
        let waste =
            |block: &Block<S>| demand.waste(&block.demand).filter(|&waste| self.bound.allows(waste, demand.bytes()));
        let fits = state.free.iter().enumerate().filter_map(|(index, block)| Some((waste(block)?, index)));
        let (_, index) = fits.min()?;
        state.reused += 1;
        Some(state.free.remove(index))
    }

    /// The driver may find memory once free blocks are given back: it is asked again then.
    fn make(&self, demand: &S::Demand) -> Result<Block<S>, Exhausted<S::Error>> {
        let made = match self.source.make(demand) {
            Err(error) if S::is_exhaustion(&error) && self.trim() > 0 => self.source.make(demand),
            made => made,
        };
        let mut state = self.state();
        let (block, bytes) = made.map_err(|error| Exhausted { error, resident: state.resident })?;
        state.resident += bytes;
        state.made += 1;
        self.tally.grow(bytes);
        Ok(Block { block, demand: demand.clone(), bytes })
    }

    fn trim(&self) -> u64 {
        let mut state = self.state();
        let free = mem::take(&mut state.free);
        let bytes = free.iter().map(|block| block.bytes).sum();
        state.resident -= bytes;
        self.tally.shrink(bytes);
        // The driver takes its time: nobody waits for it here.
        drop(state);
        bytes
    }
}

impl<S: Source> Drop for Shared<S> {
    fn drop(&mut self) {
        self.trim();
    }
}

/// Where a block goes when its guard is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Return {
    ToPool,
    ToDriver,
}

/// A block that is its owner's alone, until it is dropped.
pub(crate) struct Pooled<S: Source> {
    /// Taken out once, by `drop`.
    block: ManuallyDrop<Block<S>>,
    pool: Weak<Shared<S>>,
    back: Return,
}

impl<S: Source> Pooled<S> {
    /// Returns the number of bytes that the driver says it takes.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        self.block.bytes
    }
}

impl<S: Source> Deref for Pooled<S> {
    type Target = S::Block;

    fn deref(&self) -> &S::Block {
        &self.block.block
    }
}

impl<S: Source> Drop for Pooled<S> {
    fn drop(&mut self) {
        // SAFETY: the guard is being dropped, and its block is not used any more.
        let block = unsafe { ManuallyDrop::take(&mut self.block) };
        // Without its pool, a block just goes.
        let Some(pool) = self.pool.upgrade() else { return };
        match self.back {
            Return::ToPool => pool.state().free.push(block),
            Return::ToDriver => {
                pool.state().resident -= block.bytes;
                pool.tally.shrink(block.bytes);
            }
        }
    }
}

impl<S: Source> fmt::Debug for Pooled<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pooled").field("bytes", &self.block.bytes).field("back", &self.back).finish_non_exhaustive()
    }
}
