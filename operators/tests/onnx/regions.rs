//! Operators of ONNX that look at channels, places and parts of images.

use windrow::{Tensor, View};
use windrow_operators::*;

use crate::{
    case::{Case, Held},
    operators::Outcome,
    tensors::{array, floats},
};

/// `LRN`: channels are the second dimension.
pub fn normalized(case: &Case) -> Outcome {
    let extents = &case.inputs[0].extents;
    let src = floats(&case.inputs[0].reshaped(&[extents[0], extents[1], extents[2..].iter().product()]))?;
    let size = case.number("size", 1.0);
    let [factor, beta, bias] = [case.number("alpha", 1e-4) / size, case.number("beta", 0.75), case.number("bias", 1.0)];
    array(local_response_norm::apply(&src, size as i32, factor, beta, bias)?.view(), extents)
}

/// `GridSample` of images.
pub fn sampled(case: &Case) -> Outcome {
    let (src, grid) = (floats(&case.inputs[0])?, floats(&case.inputs[1])?);
    let corners = case.number("align_corners", 0.0) as i32;
    let is_nearest = case.attributes.get("mode").is_some_and(|mode| mode == "nearest");
    let found: Tensor<f32> = match is_nearest {
        true => grid_sample_nearest::apply(&src, &grid, corners)?,
        false => grid_sample_bilinear::apply(&src, &grid, corners)?,
    };
    array(found.view(), &case.outputs[0].extents)
}

/// `RoiAlign` with a number of samples.
pub fn aligned(case: &Case) -> Outcome {
    let (src, boxes) = (floats(&case.inputs[0])?, floats(&case.inputs[1])?);
    let Held::I32(images) = case.inputs[2].held() else { return Err("numbers of images are integers".into()) };
    let images = images.to_vec();
    let images = View::from_slice(&images, [images.len()])?;
    let bins = ["output_height", "output_width"].map(|name| case.number(name, 1.0) as i32);
    let (samples, scale) = (case.number("sampling_ratio", 0.0) as i32, case.number("spatial_scale", 1.0));
    let is_old = case.attributes.get("coordinate_transformation_mode").is_some_and(|mode| mode == "output_half_pixel");
    let offset = if is_old { 0.0 } else { 0.5 };
    array(roi_align::apply(&src, &boxes, images, bins, samples, scale, offset)?.view(), &case.outputs[0].extents)
}
