//! A view as a body is given it that reads it anywhere: as numbers of 32 bits.

use crate::{
    code::{Quads, WholeView},
    info::{MAX_DIMENSIONS, TensorInfo},
    view::AnyView,
};

/// An image that is read anywhere: its plane at `plane`, or the tensor.
#[inline]
pub(crate) fn whole_view(view: &AnyView<'_>, plane: &[usize; MAX_DIMENSIONS], is_tensor: bool) -> WholeView {
    if is_tensor { tensor_view(view) } else { plane_view(view, plane) }
}

fn plane_view(view: &AnyView<'_>, plane: &[usize; MAX_DIMENSIONS]) -> WholeView {
    let info = view.info();
    WholeView {
        first: view.as_ptr().wrapping_offset(info.plane_offset(plane)),
        strides: [step(info, 1), step(info, 0)],
        // No extent is beyond `MAX_EXTENT`, and a run's images hold elements.
        extents: [info.height() as i32, info.width() as i32],
        outer_strides: [0; MAX_DIMENSIONS - 2],
        outer_extents: [1; MAX_DIMENSIONS - 2],
        quads: Quads::NONE,
    }
}

fn tensor_view(view: &AnyView<'_>) -> WholeView {
    let info = view.info();
    WholeView {
        outer_strides: core::array::from_fn(|outer| step(info, 2 + outer)),
        outer_extents: core::array::from_fn(|outer| info.layout().inner_extent(2 + outer) as i32),
        ..plane_view(view, &[0; MAX_DIMENSIONS])
    }
}

/// Bytes from one to the next along a dimension, counted from the innermost: less than the span, which fits (`check_whole`). Along
/// one element there is no step, and its stride may be anything.
fn step(info: &TensorInfo, dimension: usize) -> i32 {
    if info.layout().inner_extent(dimension) > 1 { info.inner_stride(dimension) as i32 } else { 0 }
}
