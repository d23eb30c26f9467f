//! Each operator of the benchmark as a job: a configured kernel that runs on the driver's memory.

use std::{error::Error, slice};

use windrow::prelude::Overflow;
use windrow::{Border, Configured, Element, InvalidConfiguration, Kernel, Scheduler, TensorInfo, View, ViewMut};
use windrow_operators as op;

use crate::{
    pipelines::{self, edges, unsharp},
    twins,
};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A configured operator.
pub type Job = Box<dyn Fn(&dyn Scheduler, &Images) -> Result<()>>;

/// The driver's memory: inputs and outputs, rows close together; null where the operator has none.
#[repr(C)]
pub struct Images {
    a: *const u8,
    b: *const u8,
    out: *mut u8,
    second: *mut u8,
}

impl Images {
    pub fn a<T: Element>(&self, extents: [usize; 2]) -> Result<View<'_, T>> {
        view(self.a, extents)
    }

    fn b<T: Element>(&self, extents: [usize; 2]) -> Result<View<'_, T>> {
        view(self.b, extents)
    }

    pub fn out<T: Element>(&self, extents: [usize; 2]) -> Result<ViewMut<'_, T>> {
        view_mut(self.out, extents)
    }

    fn second<T: Element>(&self, extents: [usize; 2]) -> Result<ViewMut<'_, T>> {
        view_mut(self.second, extents)
    }
}

fn view<'a, T: Element>(first: *const u8, extents: [usize; 2]) -> Result<View<'a, T>> {
    // SAFETY: the driver passes images of the job's size (`windrow_run`).
    let elements = unsafe { slice::from_raw_parts(first.cast::<T>(), extents[0] * extents[1]) };
    Ok(View::from_slice(elements, extents)?)
}

fn view_mut<'a, T: Element>(first: *mut u8, extents: [usize; 2]) -> Result<ViewMut<'a, T>> {
    // SAFETY: as above; the outputs are lent to this run alone.
    let elements = unsafe { slice::from_raw_parts_mut(first.cast::<T>(), extents[0] * extents[1]) };
    Ok(ViewMut::from_slice(elements, extents)?)
}

/// The job of an operator's name.
pub fn job(operator: &str, border: Border, extents: [usize; 2]) -> Result<Job> {
    match operator {
        "abs_diff" => zip::<op::abs_diff, u8>(extents, op::abs_diff::configure),
        "add_saturate" => zip::<op::add, u8>(extents, |a, b, out| op::add::configure(a, b, Overflow::Saturate, out)),
        "threshold" => map::<op::threshold, u8, u8>(extents, |x, out| op::threshold::configure(x, 127, 255, 0, out)),
        "rgb_to_gray" => map::<op::rgb_to_gray, [u8; 3], u8>(extents, op::rgb_to_gray::configure),
        "rgb_to_gray_15_bits" => {
            map::<twins::rgb_to_gray_15_bits, [u8; 3], u8>(extents, twins::rgb_to_gray_15_bits::configure)
        }
        "gaussian3x3" => filter::<op::gaussian3x3>(extents, border, op::gaussian3x3::configure),
        "gaussian3x3_rounded" => {
            filter::<twins::gaussian3x3_rounded>(extents, border, twins::gaussian3x3_rounded::configure)
        }
        "gaussian5x5" => filter::<op::gaussian5x5>(extents, border, op::gaussian5x5::configure),
        "gaussian5x5_rounded" => {
            filter::<twins::gaussian5x5_rounded>(extents, border, twins::gaussian5x5_rounded::configure)
        }
        "box3x3" => filter::<op::box3x3>(extents, border, op::box3x3::configure),
        "box3x3_rounded" => filter::<twins::box3x3_rounded>(extents, border, twins::box3x3_rounded::configure),
        "half_box2x2" => halve(extents, border),
        "median3x3" => filter::<op::median3x3>(extents, border, op::median3x3::configure),
        "erode3x3" => filter::<op::erode3x3>(extents, border, op::erode3x3::configure),
        "dilate3x3" => filter::<op::dilate3x3>(extents, border, op::dilate3x3::configure),
        "sobel_x" => map::<twins::sobel_x, u8, i16>(extents, |x, out| twins::sobel_x::configure(x, out, border)),
        "sobel3x3" => gradients(extents, border),
        "convolve5x5_f32" => {
            map::<twins::convolve5x5_f32, f32, f32>(extents, |x, out| twins::convolve5x5_f32::configure(x, out, border))
        }
        "edges" => pipelines::job::<u8, u8>(extents, |src| edges::chain(src, border)),
        "edges in bands" => pipelines::job::<u8, u8>(extents, |src| edges::unfused(src, border)),
        "unsharp" => pipelines::job::<u8, u8>(extents, |src| unsharp::chain(src, border)),
        "unsharp in bands" => pipelines::job::<u8, u8>(extents, |src| unsharp::unfused(src, border)),
        _ => Err(format!("there is no operator `{operator}`").into()),
    }
}

type Configuration<K> = std::result::Result<Configured<K>, InvalidConfiguration>;

/// A kernel that reads one image and writes one.
fn map<K, A: Element, O: Element>(
    extents: [usize; 2],
    configure: impl FnOnce(&TensorInfo, &TensorInfo) -> Configuration<K>,
) -> Result<Job>
where
    K: for<'v> Kernel<Inputs<'v> = View<'v, A>, Outputs<'v> = ViewMut<'v, O>> + 'static,
{
    let configured = configure(&TensorInfo::of::<A>(&extents)?, &TensorInfo::of::<O>(&extents)?)?;
    Ok(Box::new(move |scheduler, images| Ok(configured.run(scheduler, images.a(extents)?, images.out(extents)?)?)))
}

/// A filter of 8-bit images.
fn filter<K>(
    extents: [usize; 2],
    border: Border,
    configure: impl FnOnce(&TensorInfo, &TensorInfo, Border) -> Configuration<K>,
) -> Result<Job>
where
    K: for<'v> Kernel<Inputs<'v> = View<'v, u8>, Outputs<'v> = ViewMut<'v, u8>> + 'static,
{
    map::<K, u8, u8>(extents, |src, out| configure(src, out, border))
}

/// A kernel that reads two images and writes one, all of one type.
fn zip<K, T: Element>(
    extents: [usize; 2],
    configure: impl FnOnce(&TensorInfo, &TensorInfo, &TensorInfo) -> Configuration<K>,
) -> Result<Job>
where
    K: for<'v> Kernel<Inputs<'v> = (View<'v, T>, View<'v, T>), Outputs<'v> = ViewMut<'v, T>> + 'static,
{
    let info = TensorInfo::of::<T>(&extents)?;
    let configured = configure(&info, &info, &info)?;
    Ok(Box::new(move |scheduler, images| {
        Ok(configured.run(scheduler, (images.a(extents)?, images.b(extents)?), images.out(extents)?)?)
    }))
}

/// An image of half the width and height.
fn halve(extents: [usize; 2], border: Border) -> Result<Job> {
    let half = extents.map(|extent| extent / 2);
    let (src, out) = (TensorInfo::of::<u8>(&extents)?, TensorInfo::of::<u8>(&half)?);
    let configured = twins::half_box2x2::configure(&src, &out, border)?;
    Ok(Box::new(move |scheduler, images| Ok(configured.run(scheduler, images.a::<u8>(extents)?, images.out(half)?)?)))
}

/// Both gradients of one kernel.
fn gradients(extents: [usize; 2], border: Border) -> Result<Job> {
    let (src, out) = (TensorInfo::of::<u8>(&extents)?, TensorInfo::of::<i16>(&extents)?);
    let configured = op::sobel3x3::configure(&src, Some(&out), Some(&out), border)?;
    Ok(Box::new(move |scheduler, images| {
        let outputs = (Some(images.out(extents)?), Some(images.second(extents)?));
        Ok(configured.run(scheduler, images.a(extents)?, outputs)?)
    }))
}
