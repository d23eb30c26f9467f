//! What kernels read: buffers or images.

/// What kernels read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemForm {
    /// Buffers.
    Buffer,
    /// Images, through samplers.
    Image,
}
