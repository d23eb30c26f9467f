//! Pipelines: what becomes one kernel, and what a pipeline says of its arguments. Its generated tests compare its bits with the kernels'.

use crate::{add_into, first_of_pair, look_up, scaled, spread, widen};
use windrow::{Error, chain::*, prelude::*};

mod kernels {
    use windrow::prelude::*;

    /// Differences along both axes.
    #[kernel]
    pub fn slopes(src: Neighbourhood<u8>) -> (i16, i16) {
        (src.at(1, 0) as i16 - src.at(-1, 0) as i16, src.at(0, 1) as i16 - src.at(0, -1) as i16)
    }

    /// The sum of the absolute values.
    #[kernel]
    pub fn strength(dx: i16, dy: i16) -> i16 {
        dx.saturating_abs().saturating_add(dy.saturating_abs())
    }

    /// Blurs along the rows.
    #[kernel]
    pub fn soften(src: Neighbourhood<u8>) -> u8 {
        ((src.at(-1, 0) as u16 + 2 * src.at(0, 0) as u16 + src.at(1, 0) as u16) / 4) as u8
    }

    /// The greater of two elements, less a quarter of the other.
    #[kernel]
    pub fn sharpen(a: u8, b: u8, #[uniform(0..=64)] by: u8) -> u8 {
        a.max(b).saturating_sub(b.saturating_sub(by) / 4)
    }
}

use kernels::{sharpen, soften};

/// Whether an element is above a limit.
#[kernel]
fn above(x: i16, #[uniform] limit: i16) -> u8 {
    if x > limit { 255 } else { 0 }
}

/// A blur and what an element has beyond it.
#[pipeline]
pub fn unsharp(src: &Tensor<u8>, #[uniform(0..=9)] by: u8) -> Result<Tensor<u8>, Error> {
    let soft = soften::apply(src, Border::Replicate)?;
    sharpen::apply(src, &soft, by)
}

/// Slopes of a blur, and where they are steep; both are returned.
#[pipeline]
pub fn edges(src: &Tensor<u8, 2>, limit: i16, border: Border) -> Result<(Tensor<u8>, Tensor<u8>), Error> {
    let soft = soften::apply(src, Border::Wrap)?;
    let (dx, dy) = kernels::slopes::apply(&soft, border)?;
    let strength = kernels::strength::apply(&dx, &dy)?;
    let edges = above::apply(&strength, limit)?;
    Ok((edges, soft))
}

/// A loop, pipelines in a pipeline, and a branch over a shape.
#[pipeline]
fn both(src: &Tensor<u8>, lut: &[u8; 256]) -> Result<Tensor<u8>, Error> {
    let mut image = unsharp::apply(src, 7)?;
    if src.info().width() > 3 {
        for _ in 0..2 {
            image = spread::apply(&image, Border::Wrap)?;
        }
    }
    let toned = scaled::apply(&look_up::apply(&image, lut)?, 200)?;
    let (_, soft) = edges::apply(&toned, 3, Border::Replicate)?;
    sharpen::apply(&toned, &soft, 5)
}

/// What can't be fused: an image that is updated in place.
#[pipeline]
fn in_place(src: &Tensor<u8>) -> Result<Tensor<i16>, Error> {
    let mut sum = widen::apply(src)?;
    add_into::apply(src, &mut sum)?;
    Ok(sum)
}

/// Pixels of two channels.
#[pipeline]
fn of_pairs(src: &Tensor<[u8; 2]>) -> Result<Tensor<i16>, Error> {
    let first = first_of_pair::apply(src)?;
    widen::apply(&first)
}

/// Parameters and images with the names of what is written around them.
#[pipeline]
fn of_any_names(
    tracer: &Tensor<u8>,
    outputs: &Tensor<u8>,
    images: &Tensor<u8>,
    #[uniform(0..=9)] chain: u8,
    random: u8,
    infos: u8,
    traced: u8,
) -> Result<(Tensor<u8>, Tensor<u8>), Error> {
    let output_0 = sharpen::apply(tracer, outputs, chain)?;
    let fused = sharpen::apply(&output_0, images, traced.min(infos).min(random).min(64))?;
    Ok((output_0, fused))
}

fn stages(chain: Result<ChainBuilder, Error>) -> Vec<String> {
    chain.unwrap().stage_names().map(String::from).collect()
}

#[test]
fn kernels_that_meet_at_one_element_are_one_stage() {
    let info = TensorInfo::of::<u8>(&[20, 30]).unwrap();
    assert_eq!(stages(unsharp::chain(&info, 3)), ["soften_sharpen"]);
    assert_eq!(stages(unsharp::unfused(&info, 3)), ["soften", "sharpen"]);
    assert_eq!(stages(edges::chain(&info, 3, Border::Wrap)), ["soften", "slopes_strength_above"]);
    let all = ["soften_sharpen", "spread", "spread", "look_up_scaled", "soften", "slopes_strength_above", "sharpen"];
    assert_eq!(stages(both::chain(&info, &[1; 256])), all);
    let narrow = TensorInfo::of::<u8>(&[20, 3]).unwrap();
    assert_eq!(stages(both::chain(&narrow, &[1; 256])).len(), all.len() - 2);
    assert_eq!(stages(in_place::chain(&info)), ["widen", "add_into"]);
    let pairs = TensorInfo::of::<[u8; 2]>(&[20, 30]).unwrap();
    assert_eq!(stages(of_pairs::chain(&pairs)), ["first_of_pair_widen"]);
}

#[test]
fn a_value_outside_its_range_is_refused_by_every_function() {
    let photo = crate::image::<u8>(5, [9, 40]);
    let message = "`by` is 10, expected 0 to 9";
    assert_eq!(unsharp(&photo, 10).unwrap_err().to_string(), message);
    assert_eq!(unsharp::apply(&photo, 10).unwrap_err().to_string(), message);
    assert_eq!(unsharp::chain(photo.info(), 10).unwrap_err().to_string(), message);
    assert_eq!(unsharp::unfused(photo.info(), 10).unwrap_err().to_string(), message);
    assert_eq!(unsharp::configure(photo.info(), 10).unwrap_err().to_string(), message);
}

/// Numbers of an array are held to a range one by one.
#[pipeline]
pub fn between(
    src: &Tensor<u8>,
    #[uniform(0..=64)] bounds: [u8; 2],
    #[uniform(1..=3)] times: usize,
) -> Result<Tensor<u8>, Error> {
    let mut out = sharpen::apply(src, src, bounds[0])?;
    for _ in 0..times {
        out = sharpen::apply(&out, src, bounds[1])?;
    }
    Ok(out)
}

#[test]
fn arrays_and_counts_are_held_to_their_ranges() {
    let photo = crate::image::<u8>(5, [9, 40]);
    assert!(between::apply(&photo, [0, 64], 3).is_ok());
    let said = |bounds, times| between::apply(&photo, bounds, times).unwrap_err().to_string();
    assert_eq!(said([64, 65], 1), "`bounds` is 65, expected 0 to 64");
    assert_eq!(said([0, 64], 4), "`times` is 4, expected 1 to 3");
    assert_eq!(said([0, 64], usize::MAX), "`times` is 4294967295, expected 1 to 3");
}

#[test]
fn a_pipeline_is_applied_inferred_validated_and_configured() {
    let photo = crate::image::<u8>(5, [9, 40]);
    let expected = unsharp(&photo, 4).unwrap().to_vec();
    assert_eq!(unsharp::apply(&photo, 4).unwrap().to_vec(), expected);
    let mut out = Tensor::<u8>::new([9, 40]).unwrap();
    unsharp::apply_into(photo.view(), 4, &mut out).unwrap();
    assert_eq!(out.to_vec(), expected);

    let [info] = <[TensorInfo; 1]>::try_from(unsharp::infer(photo.info(), 4).unwrap()).unwrap();
    assert_eq!(info.shape(), photo.shape());
    unsharp::validate(photo.info(), 4, &[&info]).unwrap();
    let other = TensorInfo::of::<i16>(&[9, 40]).unwrap();
    assert!(unsharp::validate(photo.info(), 4, &[&other]).is_err());
    assert!(unsharp::validate(photo.info(), 4, &[]).is_err());

    let configured = unsharp::configure(photo.info(), 4).unwrap();
    let mut again = Tensor::<u8>::new([9, 40]).unwrap();
    configured.run(&Serial, &[photo.view().any()], &mut [again.view_mut().any()]).unwrap();
    assert_eq!(again.to_vec(), expected);
}

/// The border of an image between two kernels holds at that image's own edge, whatever is fused.
#[test]
fn undefined_borders_shrink_the_region_that_is_computed() {
    let photo = crate::image::<u8>(6, [9, 40]);
    let (edges, soft) = edges::apply(&photo, 3, Border::Undefined).unwrap();
    assert_eq!(edges.info().valid_region().plane().to_string(), "1..8×1..39");
    assert_eq!(soft.info().valid_region().plane().to_string(), "0..9×0..40");
}
