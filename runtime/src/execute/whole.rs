//! The images that a body reads anywhere, as it is given them: plane by plane, or tensors as a whole.

use super::whole_view::whole_view;
use crate::{code::WholeView, configure::KernelPlan, info::MAX_DIMENSIONS, job::Job, list::List};

/// Adds each image that is read anywhere, in argument order: the plane at `plane`, or the tensor.
#[inline]
pub(super) fn add_whole_views(
    views: &mut List<WholeView>,
    plan: &KernelPlan,
    job: &Job<'_>,
    plane: &[usize; MAX_DIMENSIONS],
) {
    for (image, view) in job.whole(plan) {
        views.push(whole_view(view, plane, plan.is_tensor(image)));
    }
}
