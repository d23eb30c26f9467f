//! Operators of one's own. Each is a function over one element; windrow makes SIMD code, OpenCL C, validation and tests of it.

pub mod ops;

/// What a program in another language needs to call the kernels' OpenCL files, as JSON.
pub const MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/manifest.json"));
