//! The images that a body reads anywhere, as it is given them: plane by plane.

use crate::{
    code::WholeView,
    configure::KernelPlan,
    info::{MAX_DIMENSIONS, TensorInfo},
    job::Job,
    list::List,
    view::AnyView,
};

/// Adds the plane at `plane` of each image that is read anywhere, in argument order.
#[inline]
pub(super) fn add_whole_views(
    views: &mut List<WholeView>,
    plan: &KernelPlan,
    job: &Job<'_>,
    plane: &[usize; MAX_DIMENSIONS],
) {
    job.whole(plan).for_each(|view| views.push(whole_view(view, plane)));
}

fn whole_view(view: &AnyView<'_>, plane: &[usize; MAX_DIMENSIONS]) -> WholeView {
    let info = view.info();
    WholeView {
        first: view.as_ptr().wrapping_offset(info.plane_offset(plane)),
        strides: [step(info, 1), step(info, 0)],
        // No extent is beyond `MAX_EXTENT`, and a run's images hold elements.
        extents: [info.height() as i32, info.width() as i32],
    }
}

/// Bytes from one to the next along a dimension, counted from the innermost: less than the span, which fits (`check_whole`). Along
/// one element there is no step, and its stride may be anything.
fn step(info: &TensorInfo, dimension: usize) -> i32 {
    if info.layout().inner_extent(dimension) > 1 { info.inner_stride(dimension) as i32 } else { 0 }
}
