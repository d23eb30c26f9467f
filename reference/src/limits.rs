//! The limits that both towers keep: the compiler proves and refuses by them, the runtime checks them.

/// The greatest number of dimensions of a tensor.
pub const MAX_DIMENSIONS: usize = 6;

/// The greatest extent of a dimension: coordinates are `i32`, and so are coordinates plus offsets.
///
/// Proofs and the lanes chosen by them rest on it: an output coordinate is at most `MAX_EXTENT - 1`.
pub const MAX_EXTENT: usize = 1 << 30;

/// The greatest extent of a tensor that a kernel with a window reads or writes: `f32` holds every place in it, and what a place is
/// multiplied with has room in an `i32`.
pub const MAX_WINDOW_EXTENT: usize = 1 << 24;

/// The greatest number of images that a kernel reads, `#[inout]` ones included; of tables; of variants; and of images
/// that it writes.
pub const MAX_ARGUMENTS: usize = 8;

/// The greatest number of channels of an interleaved pixel.
pub const MAX_CHANNELS: usize = 4;

/// The words of 32 bits that one run may hold, uniforms and derived ones together.
pub const MAX_WORDS: usize = 256;

/// The greatest number of bodies of a tier: choices of variants times subsets of outputs.
pub const MAX_BODIES: usize = 64;
