//! What a device says of one kernel's work-groups.

use crate::{
    context::Context,
    device::number,
    driver::{Handle, KernelObject},
    error::OpenClError,
    local::LocalLimits,
};
use opencl3::kernel::{CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_WORK_GROUP_SIZE};

/// The limits of a built kernel. A device that does not answer takes single work-items.
pub(crate) fn limits_of(context: &Context, kernel: &Handle<KernelObject>) -> Result<LocalLimits, OpenClError> {
    let (driver, device) = (context.driver(), context.device().id);
    let of_kernel = |name| driver.kernel_work_group_info(kernel, device, name);
    let group = number(&of_kernel(CL_KERNEL_WORK_GROUP_SIZE)?).unwrap_or(1) as usize;
    let multiple = number(&of_kernel(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)?).unwrap_or(1) as usize;
    let [width, height, _] = context.device().max_work_items;
    let items = [width as usize, height as usize];
    Ok(LocalLimits { group, items, multiple })
}
