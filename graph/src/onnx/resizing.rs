//! `Resize` and `Upsample`: what each version leaves out, and how it calls the rest.

use super::{
    attributes::Attributes,
    numbers::{Constants, few, ints},
};
use crate::{
    model::Elements,
    operator::{Aspect, Extents, Interpolation, Mapping, Region, Resizing, Rounding},
    shape::MAX_RANK,
};

/// How a node resizes what it reads.
pub(super) fn resizing<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Resizing, &'static str> {
    let axes = few(node.ints("axes"), 1)?.map(<[i64]>::to_vec);
    let extents = extents(node, constant)?;
    // Before version 11 elements lie at x / scale, and the nearest is one of two.
    let is_old = node.version < 11;
    let mapping = match node.text("coordinate_transformation_mode") {
        _ if is_old => Mapping::Asymmetric,
        None | Some(b"half_pixel") => Mapping::HalfPixel,
        Some(b"half_pixel_symmetric") => Mapping::HalfPixelSymmetric,
        Some(b"pytorch_half_pixel") => Mapping::PytorchHalfPixel,
        Some(b"align_corners") => Mapping::AlignCorners,
        Some(b"asymmetric") => Mapping::Asymmetric,
        Some(b"tf_crop_and_resize") => Mapping::AlignCorners,
        Some(_) => return Err("its places are those of another mode than ONNX names"),
    };
    let rounding = match node.text("nearest_mode") {
        _ if is_old => Rounding::Outwards,
        None | Some(b"round_prefer_floor") => Rounding::PreferFloor,
        Some(b"round_prefer_ceil") => Rounding::PreferCeil,
        Some(b"floor") => Rounding::Floor,
        Some(b"ceil") => Rounding::Ceil,
        Some(_) => return Err("the nearest element is that of another mode than ONNX names"),
    };
    let interpolation = match node.text("mode") {
        None | Some(b"nearest") => Interpolation::Nearest(rounding),
        Some(b"linear" | b"bilinear") => Interpolation::Linear,
        Some(b"cubic") => Interpolation::Cubic { slope: node.float("cubic_coeff_a", -0.75) },
        Some(_) => return Err("its mode is neither nearest nor linear nor cubic"),
    };
    let (antialiases, excludes_outside) = (node.is_set("antialias"), node.is_set("exclude_outside"));
    let is_cropped = !is_old && node.text("coordinate_transformation_mode") == Some(b"tf_crop_and_resize");
    let region = is_cropped.then(|| region(node, constant)).transpose()?;
    Ok(Resizing { axes, extents, mapping, interpolation, antialiases, excludes_outside, region })
}

/// All starts are before all ends.
fn region<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Region, &'static str> {
    let ends = match constant(1).map(|constant| &constant.elements) {
        Some(Elements::Floats(ends)) if ends.len() <= 2 * MAX_RANK => ends,
        _ => return Err("its region is no constant of floats, two for each of at most 6 dimensions"),
    };
    if !ends.len().is_multiple_of(2) || !ends.iter().all(|end| end.is_finite()) {
        return Err("its region has not a start and an end for each dimension");
    }
    let (starts, ends) = ends.split_at(ends.len() / 2);
    let ends = starts.iter().zip(ends).map(|(&start, &end)| [start, end]).collect();
    Ok(Region { ends, outside: node.float("extrapolation_value", 0.0) })
}

/// Scales are an attribute at first, then the second input, and from version 11 on the third, behind which there may be extents.
fn extents<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Extents, &'static str> {
    let given = |input: usize| node.node.inputs.get(input).is_some_and(|name| !name.is_empty());
    if node.kind == "Resize" && node.version >= 11 && given(3) {
        let extents = few(ints(node, constant, 3)?, 1)?.unwrap_or_default().iter();
        let extents =
            extents.map(|&extent| usize::try_from(extent).ok().filter(|extent| (1..=1 << 30).contains(extent)));
        let extents = extents.collect::<Option<_>>().ok_or("its extents are none of 1 to 2^30")?;
        let aspect = match node.text("keep_aspect_ratio_policy") {
            None | Some(b"stretch") => Aspect::Stretch,
            Some(b"not_larger") => Aspect::NotLarger,
            Some(b"not_smaller") => Aspect::NotSmaller,
            Some(_) => return Err("what it keeps of the ratio is none that ONNX names"),
        };
        return Ok(Extents::These { extents, aspect });
    }
    let input = if node.kind == "Resize" && node.version >= 11 { 2 } else { 1 };
    let attribute = node.get("scales").map(|attribute| &attribute.floats[..]);
    let scales = match (attribute, constant(input).map(|constant| &constant.elements)) {
        (Some(scales), _) if !given(input) => scales,
        (_, Some(Elements::Floats(scales))) => scales,
        _ => return Err("its scales are no constants of floats"),
    };
    let fits = |scale: &f32| scale.is_finite() && *scale > 0.0;
    if scales.len() > MAX_RANK || !scales.iter().all(fits) {
        return Err("its scales are none of at most 6 numbers above zero");
    }
    Ok(Extents::Scaled(scales.to_vec()))
}
