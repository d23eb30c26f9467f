//! Why a kernel can't read images.

use crate::Precision;
use windrow_runtime::{border::BorderMode, element::ElementType};

/// Why a kernel can't read images.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoImageForm {
    /// It has no such form on any device.
    #[error("{0}")]
    Kernel(&'static str),
    /// Kernels are read from a folder that holds this one over buffers alone.
    #[error("the folder that kernels are read from holds its program over buffers alone")]
    Folder,
    /// It is configured with a border that no sampler finds.
    #[error("no sampler finds the border `{0}`")]
    Border(BorderMode),
    /// Its images have several planes.
    #[error("its images have {0} planes, an image object has one")]
    Planes(usize),
    /// Its floats lie in memory as halves.
    #[error("its floats are in the precision {0}, images hold those of 32 bits")]
    Precision(Precision),
    /// The device has no images of its elements.
    #[error("the device has no images of one channel of {0}")]
    Format(ElementType),
    /// The device has no such images at all.
    #[error("{0}")]
    Device(String),
}
