//! Pooling.
pub mod pool;
pub mod pool2d;
pub mod pool_window;
