//! Whether kernels read buffers or images: chosen from what is known of a device, and nothing else.

use crate::{DeviceCaps, DeviceFamily, DeviceMemoryError, ImageLimits, ImageShape, MemForm, MissingFeature};

/// What a caller wants kernels to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemMode {
    /// What suits the device.
    #[default]
    Auto,
    /// Buffers.
    Buffer,
    /// Images, or an error.
    Image,
}

/// Why a form was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemFormReason {
    /// The caller asked for it.
    Asked,
    /// The device's family reads it faster.
    Family,
    /// The device has no images.
    NoImages,
    /// The image would be larger than the device takes.
    TooLarge,
    /// The kernel can't read images here.
    Kernel,
}

impl MemMode {
    /// Returns the form on a device of `caps` for images of these sizes, and why. Where images are asked for and can't
    /// be had, that is an error; [`MemMode::Auto`] takes buffers then.
    pub fn choose(
        self,
        caps: &DeviceCaps,
        images: &[ImageShape],
    ) -> Result<(MemForm, MemFormReason), DeviceMemoryError> {
        match self {
            MemMode::Buffer => Ok((MemForm::Buffer, MemFormReason::Asked)),
            MemMode::Image => {
                images.iter().try_for_each(|image| check_image(caps, image))?;
                limits(caps)?;
                Ok((MemForm::Image, MemFormReason::Asked))
            }
            MemMode::Auto if prefers_buffers(caps.family()) => Ok((MemForm::Buffer, MemFormReason::Family)),
            MemMode::Auto if caps.images.is_none() => Ok((MemForm::Buffer, MemFormReason::NoImages)),
            MemMode::Auto if images.iter().any(|image| check_image(caps, image).is_err()) => {
                Ok((MemForm::Buffer, MemFormReason::TooLarge))
            }
            MemMode::Auto => Ok((MemForm::Image, MemFormReason::Family)),
        }
    }
}

/// Adreno's samplers have a cache of their own, which buffers don't pass. Elsewhere a buffer is read as fast or faster.
fn prefers_buffers(family: DeviceFamily) -> bool {
    match family {
        DeviceFamily::Adreno { .. } => false,
        DeviceFamily::Mali(_)
        | DeviceFamily::Nvidia
        | DeviceFamily::Amd
        | DeviceFamily::Intel
        | DeviceFamily::Cpu
        | DeviceFamily::Other => true,
    }
}

/// An image must be one that the device takes: drivers refuse others with codes of their own.
pub(super) fn check_image(caps: &DeviceCaps, image: &ImageShape) -> Result<(), DeviceMemoryError> {
    let ImageLimits { width, height } = limits(caps)?;
    let fits = |side: usize, most: u64| side > 0 && side as u64 <= most;
    if fits(image.width, width) && fits(image.height, height) {
        return Ok(());
    }
    Err(DeviceMemoryError::ImageSize { image: *image, width, height })
}

fn limits(caps: &DeviceCaps) -> Result<ImageLimits, DeviceMemoryError> {
    let device = || format!("{} / {}", caps.platform, caps.name);
    caps.images.ok_or_else(|| MissingFeature::new(device(), "images").into())
}
