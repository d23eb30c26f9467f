//! Why memory can't be had.

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
        /// Their alignment, which isn't a power of two, or with which the size overflows.
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
    /// A lifetime that is ended twice.
    #[error("the lifetime of tensor {index} of the group has ended already")]
    EndedTwice {
        /// Its number.
        index: usize,
    },
    /// A lifetime that is never ended.
    #[error("the lifetime of tensor {index} of the group never ends")]
    NeverEnded {
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
