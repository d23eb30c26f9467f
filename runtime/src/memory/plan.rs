//! Plans: tensors that are not needed at the same time share memory.
//!
//! ```text
//! bytes                       A tensor is a rectangle: as wide as its life, as high as its size. A plan moves the
//!   │ ┌──┐      ┌────┐        rectangles up and down until none overlaps; the height reached is the memory needed.
//!   │ │ b├──────┤ d  │        Below it lies the greatest sum of sizes that live at once, the lower bound.
//!   │ ├──┴─┐ c  ├──┬─┘
//!   │ │ a  ├────┘  │ e
//!   └─┴────┴───────┴── steps
//! ```
//!
//! [`Planner::Arena`] packs one block by offsets, so that a device can serve it with sub-buffers; [`Planner::Pooled`] uses
//! several blocks, each for one tensor at a time, for hosts that can't cut one. Plans are data: nothing is allocated here.

use std::vec::Vec;

use super::{
    lifetime::{Lifetime, sum},
    pack,
};

/// How memory is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Planner {
    /// One block, in which every tensor has an offset.
    #[default]
    Arena,
    /// Several blocks, each of which holds one tensor at a time, at its start.
    Pooled,
}

/// Where each tensor lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryPlan {
    /// For each tensor, in the order given.
    pub places: Vec<Place>,
    /// The blocks, the largest first.
    pub blocks: Vec<BlockSize>,
}

/// Where a tensor lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block's index.
    pub block: usize,
    /// Bytes from the block's start.
    pub offset: usize,
}

/// What a plan needs of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Bytes.
    pub size: usize,
    /// A power of two that its address is a multiple of.
    pub alignment: usize,
}

impl MemoryPlan {
    /// Returns the number of bytes of all blocks, at most `usize::MAX`.
    pub fn size(&self) -> usize {
        sum(self.blocks.iter().map(|block| block.size))
    }
}

impl Planner {
    /// Places tensors of these lifetimes: those that live at once are disjoint, every offset keeps its alignment.
    ///
    /// Where that takes more bytes than `usize` counts, the block has `usize::MAX` bytes, which no allocator has.
    ///
    /// ```
    /// use windrow::memory::{Lifetime, Planner};
    ///
    /// let life = |size, first, last| Lifetime { size, alignment: 64, first, last };
    /// let chain = [life(4096, 0, 1), life(1024, 1, 2), life(4096, 2, 3)];
    /// assert_eq!(Planner::Arena.plan(&chain).size(), 4096 + 1024);
    /// assert_eq!(Planner::Pooled.plan(&chain).blocks.len(), 2);
    /// ```
    pub fn plan(self, lifetimes: &[Lifetime]) -> MemoryPlan {
        match self {
            Planner::Arena => arena(lifetimes),
            Planner::Pooled => pooled(lifetimes),
        }
    }
}

fn arena(lifetimes: &[Lifetime]) -> MemoryPlan {
    let packing = pack::pack(lifetimes);
    let alignment = lifetimes.iter().map(|life| life.alignment).max().unwrap_or(1);
    MemoryPlan {
        places: packing.offsets.into_iter().map(|offset| Place { block: 0, offset }).collect(),
        blocks: if lifetimes.is_empty() { Vec::new() } else { vec![BlockSize { size: packing.size, alignment }] },
    }
}

/// In the order in which lives begin, each takes the free block that fits best: the smallest that is large enough, else the
/// largest, which grows.
fn pooled(lifetimes: &[Lifetime]) -> MemoryPlan {
    let mut order: Vec<usize> = (0..lifetimes.len()).collect();
    order.sort_by_key(|&index| lifetimes[index].first);
    let (mut blocks, mut busy_to): (Vec<BlockSize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut places = vec![Place::default(); lifetimes.len()];
    for index in order {
        let life = &lifetimes[index];
        let free = || (0..blocks.len()).filter(|&block| busy_to[block] < life.first);
        let fits = free().filter(|&block| blocks[block].size >= life.size).min_by_key(|&block| blocks[block].size);
        let block = match fits.or_else(|| free().max_by_key(|&block| blocks[block].size)) {
            Some(block) => block,
            None => {
                blocks.push(BlockSize { size: 0, alignment: 1 });
                busy_to.push(0);
                blocks.len() - 1
            }
        };
        blocks[block].size = blocks[block].size.max(life.size);
        blocks[block].alignment = blocks[block].alignment.max(life.alignment);
        busy_to[block] = life.last;
        places[index].block = block;
    }
    largest_first(blocks, places)
}

/// Pools of several plans are made block by block: the largest of each, the second largest, and so on.
fn largest_first(blocks: Vec<BlockSize>, mut places: Vec<Place>) -> MemoryPlan {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&block| core::cmp::Reverse(blocks[block].size));
    let mut rank = vec![0; blocks.len()];
    order.iter().enumerate().for_each(|(place, &block)| rank[block] = place);
    places.iter_mut().for_each(|place| place.block = rank[place.block]);
    MemoryPlan { places, blocks: order.into_iter().map(|block| blocks[block]).collect() }
}
