//! Where the stores of vectors are aligned, and from how many elements on that is worth a vector more.

/// Elements of a single row from which on aligned stores are worth a vector more.
pub(super) const LONG: usize = 1 << 14;

/// Bytes of a cache line: stores of several rows that cross its end wait for two lines each.
const LINE: usize = 64;

/// Whether stores of `bytes` bytes are aligned from `address` on: to the greatest power of two that divides `bytes`, a cache line at
/// most.
pub(super) fn is_aligned(address: usize, bytes: usize) -> bool {
    let alignment = 1 << bytes.trailing_zeros().min(LINE.trailing_zeros());
    address & (alignment - 1) == 0
}
