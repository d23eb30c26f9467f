//! What the dimensions of a tensor mean: [`DataLayout`] and its [`Axis`].
//!
//! Dimensions and names are written outermost first, as everywhere: elements along the last lie side by side.
//! Kernels go by dimensions alone: a layout is a fact for callers, which `validate` compares.

use crate::text::named;

/// The order of a tensor's dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataLayout {
    /// Batch, channel, height, width: a plane for each channel.
    #[default]
    Nchw,
    /// Batch, height, width, channel: channels side by side.
    Nhwc,
}

/// What a dimension counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Columns.
    Width,
    /// Rows.
    Height,
    /// Channels.
    Channel,
    /// Images.
    Batch,
}

impl DataLayout {
    /// Every layout.
    pub const ALL: [DataLayout; 2] = [DataLayout::Nchw, DataLayout::Nhwc];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            DataLayout::Nchw => "NCHW",
            DataLayout::Nhwc => "NHWC",
        }
    }

    /// Returns the dimension, of four, that counts along `axis`.
    pub const fn dimension(self, axis: Axis) -> usize {
        match (self, axis) {
            (DataLayout::Nchw | DataLayout::Nhwc, Axis::Batch) => 0,
            (DataLayout::Nchw, Axis::Channel) | (DataLayout::Nhwc, Axis::Height) => 1,
            (DataLayout::Nchw, Axis::Height) | (DataLayout::Nhwc, Axis::Width) => 2,
            (DataLayout::Nchw, Axis::Width) | (DataLayout::Nhwc, Axis::Channel) => 3,
        }
    }
}

named! {
    DataLayout, "data layout", "NCHW";
}
