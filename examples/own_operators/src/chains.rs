//! Chains of the operators: functions that are tested as the operators are, by one line.

use crate::ops::{
    sharpen::unsharp,
    tone::{invert, lighten},
};
use windrow::{
    chain::{ChainBuilder, FunctionError},
    prelude::*,
};

/// The lighter of an image's sharpened form and its negative, cropped by a frame of two elements.
pub fn framed(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
    let image = &inputs[0];
    let mut chain = ChainBuilder::new();
    let src = chain.input(*image);
    let [sharp] = chain.add(&unsharp::configure(image, 24, image, Border::Replicate)?, &[src])?;
    let [negative] = chain.add(&invert::configure(image, image)?, &[src])?;
    let inside = [image.height().saturating_sub(4).max(1), image.width().saturating_sub(4).max(1)];
    let start = [2.min(image.height() - 1), 2.min(image.width() - 1)];
    let [sharp, negative] = [chain.crop(sharp, &start, &inside)?, chain.crop(negative, &start, &inside)?];
    let framed = chain.info(sharp)?;
    let out = TensorInfo::of::<u8>(&inside)?;
    let [lighter] = chain.add(&lighten::<u8>::configure(&framed, &framed, &out)?, &[sharp, negative])?;
    chain.output(lighter)?;
    Ok(chain)
}

windrow::chain_tests! { mod a_frame: framed(u8); }
