//! Images in two dimensions: their size and how their pixels lie.

use opencl3::{
    memory::{
        CL_FLOAT, CL_HALF_FLOAT, CL_R, CL_RGBA, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
    },
    types::cl_image_format,
};
use windrow_runtime::element::ElementType;

/// The channels of an image's pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ImageChannels {
    /// One: a plane of elements.
    One,
    /// Four.
    #[default]
    Four,
}

impl ImageChannels {
    /// Returns the number.
    pub const fn count(self) -> usize {
        match self {
            ImageChannels::One => 1,
            ImageChannels::Four => 4,
        }
    }
}

/// An image in two dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageShape {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The type of each channel.
    pub element: ElementType,
    /// The channels of a pixel.
    pub channels: ImageChannels,
}

impl ImageShape {
    /// Returns the number of bytes of its pixels.
    pub fn bytes(&self) -> u64 {
        self.width as u64 * self.height as u64 * self.pixel() as u64
    }

    /// Bytes of a pixel.
    pub(super) fn pixel(&self) -> usize {
        self.channels.count() * self.element.size()
    }

    /// How its pixels lie.
    pub(crate) fn format(&self) -> cl_image_format {
        let image_channel_data_type = match self.element {
            ElementType::U8 => CL_UNSIGNED_INT8,
            ElementType::I8 => CL_SIGNED_INT8,
            ElementType::U16 => CL_UNSIGNED_INT16,
            ElementType::I16 => CL_SIGNED_INT16,
            ElementType::U32 => CL_UNSIGNED_INT32,
            ElementType::I32 => CL_SIGNED_INT32,
            ElementType::F32 => CL_FLOAT,
            ElementType::F16 => CL_HALF_FLOAT,
            // There are no such texels: a driver refuses this form.
            ElementType::U64 | ElementType::I64 | ElementType::F64 | ElementType::BF16 => 0,
        };
        let image_channel_order = match self.channels {
            ImageChannels::One => CL_R,
            ImageChannels::Four => CL_RGBA,
        };
        cl_image_format { image_channel_order, image_channel_data_type }
    }
}
