//! What kernels read: buffers or images.

/// What kernels read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemForm {
    /// Buffers.
    Buffer,
    /// Images, through samplers.
    Image,
}

impl MemForm {
    /// Every form.
    pub const ALL: [MemForm; 2] = [MemForm::Buffer, MemForm::Image];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            MemForm::Buffer => "buffer",
            MemForm::Image => "image",
        }
    }
}

crate::words::named! { MemForm, "form of memory", "buffer"; }
