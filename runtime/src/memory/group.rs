//! Groups: the intermediates of one composite operator. Recorded while it is configured, acquired around each run.

use core::{fmt, ptr::NonNull};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    vec::Vec,
};

use super::{
    allocator::{ALIGNMENT, Allocator, Block},
    counters::MemoryCounters,
    error::MemoryError,
    lifetime::Lifetime,
    manager::MemoryManager,
    plan::{BlockSize, MemoryPlan, Place},
    pool::Pools,
};
use crate::{
    info::TensorInfo,
    overlap::{self, Overlap},
    view::AnyViewMut,
};

/// A tensor of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorId {
    group: u64,
    index: usize,
}

/// Records the lifetimes of a group's tensors.
///
/// A tensor's lifetime begins before the kernel that writes it, and ends behind the last one that reads it. Tensors of which one's
/// ends before the other's begins may share memory.
pub struct MemoryRecording {
    group: u64,
    source: Source,
    threads: usize,
    tensors: Vec<(TensorInfo, Lifetime)>,
    clock: usize,
}

enum Source {
    Manager(Arc<MemoryManager>),
    /// Each tensor's own block, from the moment at which its lifetime ends.
    Immediate(Arc<dyn Allocator>, Vec<(usize, Block)>),
}

/// The last step of a lifetime that has not ended.
const OPEN: usize = usize::MAX;

impl MemoryRecording {
    /// Returns a group whose memory is the manager's.
    pub fn managed(manager: &Arc<MemoryManager>) -> MemoryRecording {
        MemoryRecording::new(Source::Manager(Arc::clone(manager)))
    }

    /// Returns a group without a manager: each tensor has memory of its own, from the end of its lifetime on and as
    /// long as the group lives.
    pub fn immediate(allocator: Arc<dyn Allocator>) -> MemoryRecording {
        MemoryRecording::new(Source::Immediate(allocator, Vec::new()))
    }

    fn new(source: Source) -> MemoryRecording {
        static GROUPS: AtomicU64 = AtomicU64::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        MemoryRecording {
            group: GROUPS.fetch_add(1, Ordering::Relaxed),
            source,
            threads,
            tensors: Vec::new(),
            clock: 0,
        }
    }

    /// Plans the scratch of kernels for runs on at most this many threads; for those of the processor unless stated otherwise.
    #[must_use]
    pub fn for_threads(self, threads: usize) -> MemoryRecording {
        MemoryRecording { threads: threads.max(1), ..self }
    }

    /// Threads that the scratch of kernels is planned for.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Begins the lifetime of a tensor: it is needed from here on.
    pub fn begin_lifetime(&mut self, info: TensorInfo) -> TensorId {
        let size = info.size_in_bytes();
        let life = Lifetime { size, alignment: ALIGNMENT, first: self.tick(), last: OPEN };
        self.tensors.push((info, life));
        TensorId { group: self.group, index: self.tensors.len() - 1 }
    }

    /// Ends the lifetime of a tensor: it is not needed any more.
    ///
    /// # Errors
    /// [`MemoryError::EndedTwice`], [`MemoryError::ForeignTensor`], and without a manager that of the allocator.
    pub fn end_lifetime(&mut self, tensor: TensorId) -> Result<(), MemoryError> {
        let last = self.tick();
        let index = index(self.group, tensor)?;
        let (_, life) = self.tensors.get_mut(index).ok_or(MemoryError::ForeignTensor)?;
        if life.last != OPEN {
            return Err(MemoryError::EndedTwice { index });
        }
        life.last = last;
        if let Source::Immediate(allocator, blocks) = &mut self.source {
            blocks.push((index, Block::new(allocator, life.size, life.alignment)?));
        }
        Ok(())
    }

    /// Returns the group, once every lifetime has ended.
    ///
    /// # Errors
    /// [`MemoryError::NeverEnded`].
    pub fn finish(self) -> Result<MemoryGroup, MemoryError> {
        if let Some(index) = self.tensors.iter().position(|(_, life)| life.last == OPEN) {
            return Err(MemoryError::NeverEnded { index });
        }
        let (infos, lifetimes): (Vec<_>, Vec<_>) = self.tensors.into_iter().unzip();
        let (memory, plan) = match self.source {
            Source::Manager(manager) => {
                let plan = manager.plan(&lifetimes);
                (Memory::Managed(manager), plan)
            }
            Source::Immediate(_, blocks) => immediate(blocks, &lifetimes)?,
        };
        Ok(MemoryGroup { group: self.group, infos, plan, memory })
    }

    fn tick(&mut self) -> usize {
        self.clock += 1;
        self.clock
    }
}

/// One pool, of one block for each tensor.
fn immediate(mut blocks: Vec<(usize, Block)>, lifetimes: &[Lifetime]) -> Result<(Memory, MemoryPlan), MemoryError> {
    blocks.sort_by_key(|(index, _)| *index);
    let plan = MemoryPlan {
        places: (0..lifetimes.len()).map(|block| Place { block, offset: 0 }).collect(),
        blocks: lifetimes.iter().map(|life| BlockSize { size: life.size, alignment: life.alignment }).collect(),
    };
    let (pools, mut blocks) = (Pools::new(), blocks.into_iter().map(|(_, block)| block));
    let missing = MemoryError::NotPopulated;
    pools.fill(plan.blocks.clone(), 1, |_| blocks.next().ok_or(missing))?;
    Ok((Memory::Own(pools), plan))
}

fn index(group: u64, tensor: TensorId) -> Result<usize, MemoryError> {
    if tensor.group == group { Ok(tensor.index) } else { Err(MemoryError::ForeignTensor) }
}

/// The intermediates of one composite operator: planned, and acquired around each run.
pub struct MemoryGroup {
    group: u64,
    infos: Vec<TensorInfo>,
    plan: MemoryPlan,
    memory: Memory,
}

enum Memory {
    Managed(Arc<MemoryManager>),
    Own(Pools<Block>),
}

impl MemoryGroup {
    /// Acquires memory for one run, which is released when dropped. Without a manager, one run has it at a time. Where
    /// all of it is in use, it waits until some is released.
    ///
    /// A thread that holds a pool and waits for another one of the same manager may wait for itself: one that needs several at once
    /// calls [`MemoryGroup::try_acquire`], or has a manager for each.
    ///
    /// # Errors
    /// A [`MemoryError`] where there is no such memory.
    pub fn acquire(&self) -> Result<Acquired<'_>, MemoryError> {
        self.acquire_by(Pools::acquire)
    }

    /// Acquires memory without waiting for it.
    ///
    /// # Errors
    /// As [`MemoryGroup::acquire`]; [`MemoryError::Exhausted`] where all memory is in use.
    pub fn try_acquire(&self) -> Result<Acquired<'_>, MemoryError> {
        self.acquire_by(Pools::try_acquire)
    }

    fn acquire_by(
        &self,
        acquire: impl FnOnce(&Pools<Block>, &[BlockSize]) -> Result<Vec<Block>, MemoryError>,
    ) -> Result<Acquired<'_>, MemoryError> {
        let needs_none = self.plan.blocks.is_empty();
        let blocks = if needs_none { Vec::new() } else { acquire(self.pools(), &self.plan.blocks)? };
        Ok(Acquired { group: self, blocks })
    }

    /// Returns where each tensor lies.
    pub fn plan(&self) -> &MemoryPlan {
        &self.plan
    }

    /// Returns the memory that it draws on, in numbers: its manager's, or its own.
    pub fn counters(&self) -> MemoryCounters {
        self.pools().counters()
    }

    fn pools(&self) -> &Pools<Block> {
        match &self.memory {
            Memory::Managed(manager) => &manager.pools,
            Memory::Own(pools) => pools,
        }
    }
}

impl fmt::Debug for MemoryGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryGroup").field("tensors", &self.infos.len()).field("plan", &self.plan).finish()
    }
}

/// A group's memory for one run.
pub struct Acquired<'g> {
    group: &'g MemoryGroup,
    blocks: Vec<Block>,
}

impl Acquired<'_> {
    /// Returns tensors of the group, to write and to read; ones that share memory can't be had together.
    ///
    /// What they hold is left from an earlier run, or of another tensor.
    pub fn tensors<const N: usize>(&mut self, tensors: [TensorId; N]) -> Result<[AnyViewMut<'_>; N], MemoryError> {
        let mut found = [None; N];
        for (place, &tensor) in found.iter_mut().zip(&tensors) {
            *place = Some(self.place(tensor)?);
        }
        let places = found.iter().map(|place| place.as_ref().map(|(base, info)| (*base, info)));
        if let Some(Overlap { output, other, .. }) = overlap::find(core::iter::empty(), places, overlap::share) {
            return Err(MemoryError::Shared { first: tensors[other].index, second: tensors[output].index });
        }
        let views = found.map(|place| place.unwrap_or((NonNull::dangling(), TensorInfo::empty::<u8>())));
        // SAFETY: the blocks are borrowed exclusively, and no two of these share a byte of them.
        Ok(views.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) }))
    }

    /// Where a tensor lies: inside this pool's block, which `acquire` found large enough.
    pub(crate) fn place(&self, tensor: TensorId) -> Result<(NonNull<u8>, TensorInfo), MemoryError> {
        let index = index(self.group.group, tensor)?;
        let (place, info) = (self.group.plan.places.get(index), self.group.infos.get(index));
        let (Some(place), Some(info)) = (place, info) else { return Err(MemoryError::ForeignTensor) };
        let block = self.blocks.get(place.block).ok_or(MemoryError::NotPopulated)?;
        // Strides may go back from the first element.
        let first = place.offset + info.layout().lead();
        // SAFETY: the plan places the tensor inside the block.
        Ok((unsafe { block.base().add(first) }, *info))
    }
}

impl Drop for Acquired<'_> {
    fn drop(&mut self) {
        if !self.blocks.is_empty() {
            self.group.pools().release(core::mem::take(&mut self.blocks));
        }
    }
}
