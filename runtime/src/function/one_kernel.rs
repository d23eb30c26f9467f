//! Pipelines that are one kernel.

use crate::Kernel;

/// A pipeline all of whose calls are fused into one kernel, which it names.
///
/// `#[pipeline]` implements it, where that is so. The kernel takes the images that are read around their elements, then those that are read
/// anywhere, then elements, each in the order of the calls, behind them uniforms and tables; an image that several calls read in
/// the same way is one. What a kernel alone can do, a pipeline can do by it: be laid out over outputs with strides, and have its
/// constants packed once (`Configured::with_constant`).
pub trait OneKernel {
    /// The kernel.
    type Kernel: Kernel;
}
