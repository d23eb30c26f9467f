//! What the generated tests feed kernels with, and how they compare: numbers, pictures, shapes, digests.
//!
//! Everything is deterministic on every platform: the generator is our own, and nothing depends on time, addresses or
//! the order of a hash map. Nothing here knows of kernels or targets; the runtime's `testing` runs them.

mod data;
mod digest;
mod numbers;
mod random;
mod shapes;

pub use data::{Data, Place};
pub use digest::Digest;
pub use numbers::Numbers;
pub use random::Random;
pub use shapes::{Grain, Mode, large, stacked, sweep};
