//! Pipelines: fused as `#[pipeline]` does it, and in bands of the same kernels.

use windrow::chain::{ChainBuilder, Composite, Executor, Function, OnProcessor};
use windrow::{Border, Element, Error, Tensor, TensorInfo, prelude::*};
use windrow_operators as op;

use crate::{
    jobs::{Job, Result},
    twins,
};

/// Whether a gradient is steep.
#[kernel]
pub fn steep(dx: i16, dy: i16) -> u8 {
    if dx.saturating_abs().saturating_add(dy.saturating_abs()) > 100 { 255 } else { 0 }
}

/// Edges of a blurred image.
#[pipeline]
pub fn edges(src: &Tensor<u8>, border: Border) -> std::result::Result<Tensor<u8>, Error> {
    let blurred = twins::gaussian3x3_rounded::apply(src, border)?;
    let (dx, dy) = op::sobel3x3::apply(&blurred, border)?;
    steep::apply(&dx, &dy)
}

/// An image, and as much again of what a blur takes away from it.
#[pipeline]
pub fn unsharp(src: &Tensor<u8>, border: Border) -> std::result::Result<Tensor<u8>, Error> {
    let blurred = twins::gaussian3x3_rounded::apply(src, border)?;
    op::sharpen::apply(src, &blurred, 256)
}

type Chained = std::result::Result<ChainBuilder, Error>;

/// A pipeline of one image that computes one.
pub fn job<A: Element, O: Element>(extents: [usize; 2], chain: impl FnOnce(&TensorInfo) -> Chained) -> Result<Job> {
    let composite: Composite = OnProcessor.compile(chain(&TensorInfo::of::<A>(&extents)?)?)?;
    Ok(Box::new(move |scheduler, images| {
        let (inputs, mut outputs) = ([images.a::<A>(extents)?.any()], [images.out::<O>(extents)?.any()]);
        Ok(composite.run(scheduler, &inputs, &mut outputs)?)
    }))
}
