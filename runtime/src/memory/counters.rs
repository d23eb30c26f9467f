//! Memory in numbers.

/// Memory in numbers, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounters {
    /// Allocated now.
    pub resident: usize,
    /// Of these, acquired by runs that are under way.
    pub live: usize,
    /// The most that was ever allocated at once.
    pub peak: usize,
}
