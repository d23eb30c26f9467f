//! The rules of images that are read anywhere.
//!
//! Such an image has any number of rows and columns. Plane for plane it belongs to the outputs, or one plane serves all of
//! theirs; a tensor has as many dimensions as the kernel says, and is given whole. Which elements are read is known in the run alone: so all must be valid, and all within reach.

use crate::{
    error::InvalidConfiguration,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    spec::InputSpec,
};

/// The greatest span of a plane in bytes: offsets from its first element are `i32`.
pub(crate) const GREATEST_SPAN: usize = i32::MAX as usize;

/// Whether an image has several planes: a dimension of one element is as good as none.
pub(super) fn has_planes(info: &TensorInfo) -> bool {
    info.shape().planes() > 1
}

/// An image of several planes has those of the outputs, whose shape is `shape`; a tensor has as many dimensions as the kernel says.
pub(super) fn check_planes(
    argument: &'static str,
    input: &InputSpec,
    info: &TensorInfo,
    shape: Shape,
) -> Result<(), InvalidConfiguration> {
    let found = info.shape();
    if let Some(expected) = input.tensor_rank() {
        return match found.rank() == expected {
            true => Ok(()),
            false => Err(InvalidConfiguration::Rank { argument, found, expected }),
        };
    }
    let same = |dimension: usize| found.inner_extent(dimension) == shape.inner_extent(dimension);
    if !has_planes(info) || (2..MAX_DIMENSIONS).all(same) {
        return Ok(());
    }
    Err(InvalidConfiguration::Planes { argument, found, expected: shape })
}

/// Checks an image that is read anywhere: all of its elements must be valid, and those of a plane within reach of an offset.
/// Every run asks this of the images that it is given, since they may lie in another way than those configured; so must a device
/// of another crate.
///
/// # Errors
/// [`InvalidConfiguration::PartlyValid`] and [`InvalidConfiguration::Span`].
pub fn check_whole(argument: &'static str, input: &InputSpec, info: &TensorInfo) -> Result<(), InvalidConfiguration> {
    let (shape, valid) = (info.shape(), info.valid_region());
    let is_partly = |inner: &usize| valid.inner_range(*inner) != (0..shape.inner_extent(*inner));
    if let Some(inner) = (0..MAX_DIMENSIONS).find(is_partly) {
        let (dimension, range) = (shape.outer_index(inner), valid.inner_range(inner));
        let (start, end, extent) = (range.start, range.end, shape.inner_extent(inner));
        return Err(InvalidConfiguration::PartlyValid { argument, dimension, start, end, extent });
    }
    let found = span(info, input.tensor_rank().unwrap_or(2));
    if found > GREATEST_SPAN {
        return Err(InvalidConfiguration::Span { argument, found, greatest: GREATEST_SPAN });
    }
    Ok(())
}

/// Bytes from the lowest to behind the highest that an element takes, along this many of the innermost dimensions. A tensor's own span
/// fits, and so does this.
fn span(info: &TensorInfo, dimensions: usize) -> usize {
    let along = |inner: usize| {
        let last = info.layout().inner_extent(inner).saturating_sub(1);
        // Along one element there is no step, and its stride may be anything.
        if last == 0 { 0 } else { last.saturating_mul(info.inner_stride(inner).unsigned_abs()) }
    };
    (0..dimensions).map(along).fold(info.pixel_size(), usize::saturating_add)
}
