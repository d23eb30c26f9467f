//! What a run has at most. The limits that the compiler keeps too are the reference's.

pub use windrow_reference::limits::{MAX_ARGUMENTS, MAX_CHANNELS, MAX_DIMENSIONS, MAX_EXTENT, MAX_WORDS};

/// The greatest number of lanes of an element.
pub const MAX_LANES: u32 = MAX_CHANNELS as u32;

/// The greatest number of planes of an image.
pub const MAX_PLANES: usize = 3;

/// Parts that one run is cut into, at most.
pub const MAX_PARTS: usize = 1024;

/// Bytes of a run's tile.
pub(crate) const TILE_BYTES: usize = 32 * 1024;

/// Row pointers of the inputs that a body may take.
pub(crate) const MAX_INPUT_ROWS: usize = 512;

/// Row pointers of the outputs that a body may take.
pub(crate) const MAX_OUTPUT_ROWS: usize = 128;

/// Tiles no wider than this: offsets in a tile can't overflow.
pub(crate) const MAX_COLUMNS: usize = 1 << 14;
