//! The caller's images of a run: checked against the chain.

use super::{
    chain::Chain,
    error::FunctionError,
    value::{Place, ValueDef},
};
use crate::{
    infer::check_disjoint,
    info::TensorInfo,
    job::check,
    overlap,
    view::{AnyView, AnyViewMut},
};

/// The caller's images of a run, which fit the chain.
pub(crate) struct Images<'a> {
    inputs: &'a [AnyView<'a>],
    /// Only their places are used: the caller holds the exclusive borrow as long as this lives.
    outputs: &'a [AnyViewMut<'a>],
}

impl Images<'_> {
    /// Returns where a value lies that is the caller's.
    pub fn place(&self, value: &ValueDef) -> Option<Place> {
        let input = value.input.and_then(|index| self.inputs.get(index)).map(|view| (view.base(), *view.info()));
        let output = || value.output.and_then(|index| self.outputs.get(index)).map(|view| (view.base(), *view.info()));
        let (base, info) = input.or_else(output)?;
        // What of it means something is the chain's to say.
        Some((base, info.with_valid_region(value.info.valid_region()).unwrap_or(info)))
    }
}

/// Checks the caller's images: as many as the chain has, of its types and shapes, the outputs in memory of their own.
pub(crate) fn bind_images<'a>(
    chain: &Chain,
    inputs: &'a [AnyView<'a>],
    outputs: &'a mut [AnyViewMut<'_>],
) -> Result<Images<'a>, FunctionError> {
    chain.check_prepared()?;
    check_inputs(chain, inputs.len(), |index| inputs[index].info())?;
    check_outputs(chain, outputs.len(), |index| outputs[index].info())?;
    find_overlaps(inputs, outputs)?;
    Ok(Images { inputs, outputs })
}

/// As many images as the chain reads, of its types and shapes.
pub(super) fn check_inputs<'i>(
    chain: &Chain,
    found: usize,
    info: impl Fn(usize) -> &'i TensorInfo,
) -> Result<(), FunctionError> {
    check_images(chain, false, found, chain.inputs, info)
}

/// As many images as the chain writes, of its types and shapes.
pub(super) fn check_outputs<'i>(
    chain: &Chain,
    found: usize,
    info: impl Fn(usize) -> &'i TensorInfo,
) -> Result<(), FunctionError> {
    check_images(chain, true, found, chain.outputs.len(), info)
}

fn check_images<'i>(
    chain: &Chain,
    outputs: bool,
    found: usize,
    expected: usize,
    info: impl Fn(usize) -> &'i TensorInfo,
) -> Result<(), FunctionError> {
    if found != expected {
        return Err(FunctionError::ImageCount { outputs, found, expected });
    }
    for value in &chain.values {
        let Some(index) = (if outputs { value.output } else { value.input }) else { continue };
        let expected = (value.info.dtype(), value.info.channels());
        let mut checked = check("image", info(index), expected, &value.info.shape());
        if outputs {
            checked = checked.and_then(|()| Ok(check_disjoint("image", info(index))?));
        }
        checked.map_err(|error| FunctionError::Image { output: outputs, index, error: error.into() })?;
    }
    Ok(())
}

/// An output is in memory that no other image uses: stages read and write it at different times.
fn find_overlaps(inputs: &[AnyView<'_>], outputs: &[AnyViewMut<'_>]) -> Result<(), FunctionError> {
    let read = inputs.iter().map(|view| Some((view.base(), view.info())));
    let written = outputs.iter().map(|view| Some((view.base(), view.info())));
    overlap::find(read, written, overlap::share).map_or(Ok(()), |overlap| Err(overlap.into()))
}
