//! Pooling.
pub mod average_pool2d;
pub mod average_pool2d_bytes;
pub mod l2_pool2d;
pub mod max_pool2d;
pub mod max_pool2d_bytes;
pub mod pool;
pub mod pool_window;
