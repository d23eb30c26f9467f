//! What a run has at most, and where it changes its ways. The limits that the compiler keeps too are the reference's.

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

/// The columns between narrow edges from which on they are computed on the images' own rows, and the edges apart from them.
///
/// Edges cost as much as some hundred columns, so below it whole rows are computed on a tile: at 64 × 64 a filter of bytes is 1.5
/// to 1.8 times as fast so, at 256 × 480 1.05 to 1.4 times, and at 384 × 480 it is as fast or slower.
pub const MIN_DIRECT_COLUMNS: usize = 256;
