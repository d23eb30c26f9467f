//! When tensors are needed, and what that takes at least.

/// A tensor's claim: how much memory it needs, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Bytes.
    pub size: usize,
    /// A power of two that its offset must be a multiple of; for sub-buffers, the device's base address alignment.
    pub alignment: usize,
    /// The first step that needs it.
    pub first: usize,
    /// The last step that needs it.
    pub last: usize,
}

impl Lifetime {
    /// Returns whether some step needs both.
    pub fn overlaps(&self, other: &Lifetime) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Returns the greatest sum of sizes that one step needs, at most `usize::MAX`: no plan takes less.
pub fn lower_bound(lifetimes: &[Lifetime]) -> usize {
    let alive = |step: usize| lifetimes.iter().filter(move |life| life.first <= step && step <= life.last);
    // The sum grows only where a life begins.
    lifetimes.iter().map(|life| sum(alive(life.first).map(|life| life.size))).max().unwrap_or(0)
}

/// The sum of sizes, at most `usize::MAX`.
pub(super) fn sum(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.fold(0, usize::saturating_add)
}
