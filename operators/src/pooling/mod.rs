//! Pooling of planes.
pub mod pool;
