//! The limits of the runtime; those that the compiler keeps too are [`windrow_reference::limits`].

pub use windrow_reference::limits::{MAX_ARGUMENTS, MAX_DIMENSIONS, MAX_EXTENT, MAX_WORDS};

/// Parts that one run is cut into, at most.
pub const MAX_PARTS: usize = 1024;

/// Row pointers of the inputs that a body may take.
pub(crate) const MAX_INPUT_ROWS: usize = 512;

/// Row pointers of the outputs that a body may take.
pub(crate) const MAX_OUTPUT_ROWS: usize = 128;

/// Tiles are no wider than this: offsets in a tile can't overflow.
pub(crate) const MAX_COLUMNS: usize = 1 << 14;
