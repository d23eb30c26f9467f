//! Pooling.
pub mod max_pool2d;
pub mod pool;
pub mod pool_window;
