//! Pooling of planes.
pub mod pool;
pub mod pool_window;
