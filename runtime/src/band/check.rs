//! Whether a chain can run in bands: plane by plane, each stage with no more than the rows of a band.

use std::{format, string::String};

use crate::{
    function::{Chain, FunctionError, Stage, ValueDef},
    infer::images,
    info::MAX_DIMENSIONS,
    spec::KernelSpec,
};

const PLACE: &str = "in bands";

/// Whether a chain can run in bands; the stage that can't is named, and the reason.
pub(super) fn check(chain: &Chain) -> Result<(), FunctionError> {
    check_planes(chain)?;
    for stage in &chain.stages {
        if let Some(reason) = obstacle(chain, stage) {
            return Err(FunctionError::refused(stage.name(), PLACE, reason));
        }
    }
    Ok(())
}

/// Why a stage can't run in bands; nothing where it can.
fn obstacle(chain: &Chain, stage: &Stage) -> Option<String> {
    let is_computed = |value: usize| chain.values[chain.root(value)].writer.is_some();
    let mut whole = stage.whole_images().filter(|(_, _, value)| is_computed(*value));
    if let Some((argument, ..)) = whole.next() {
        return Some(format!("it reads `{argument}` anywhere, which the chain computes: a band never has all of it"));
    }
    obstacle_to_rows(chain, stage, is_computed).map(String::from)
}

/// Why a stage can't compute rows from rows; nothing where it can.
fn obstacle_to_rows(chain: &Chain, stage: &Stage, is_computed: impl Fn(usize) -> bool) -> Option<&'static str> {
    let wiring = &stage.wiring;
    if stage.generated().is_some_and(|generated| reads_beyond_planes(generated.plan().spec())) {
        return Some("it computes more dimensions than rows and columns at a time");
    }
    if stage.generated().is_some_and(|generated| generated.plan().body.carries_rows) {
        return Some("it goes on from row to row, which each band would begin anew");
    }
    if !wiring.is_uniform {
        return Some("its outputs differ in their shapes or in the region that is computed");
    }
    if stage.generated().is_none() && !wiring.footprints.iter().any(|footprint| footprint.is_some()) {
        return Some("it doesn't say that it computes rows by themselves");
    }
    let mut images = wiring.images.iter().zip(&wiring.footprints);
    if images.any(|(&value, footprint)| footprint.is_none() && is_computed(value)) {
        return Some("it needs all rows of an image that the chain computes");
    }
    if wiring.tables.iter().filter_map(|table| table.value).any(&is_computed) {
        return Some("an earlier stage computes a table of it, which is not done before all of that stage is");
    }
    if wiring.uniforms.iter().any(|edge| is_computed(edge.value)) {
        return Some("an earlier stage computes a uniform of it, which is not done before all of that stage is");
    }
    let is_broken = |&value: &usize| is_computed(value) && !keeps_rows(chain, value);
    wiring.images.iter().any(is_broken).then_some("it reads another shape of an image that the chain computes")
}

/// Whether a kernel is told which plane it computes, or reads others.
fn reads_beyond_planes(spec: &'static KernelSpec) -> bool {
    spec.dimensions > 2 || images(spec).filter_map(|(_, input)| input.tensor_rank()).any(|rank| rank > 2)
}

/// Whether rows of a view are rows of what it is a view of, in the same plane.
fn keeps_rows(chain: &Chain, value: usize) -> bool {
    match &chain.values[value].view {
        Some((of, view)) => {
            let shape = chain.values[*of].info.shape();
            view.first_row().is_some() && view.keeps_planes(shape) && keeps_rows(chain, *of)
        }
        None => true,
    }
}

/// Bands go plane by plane: every output has the same planes, every other image those, or one for all.
fn check_planes(chain: &Chain) -> Result<(), FunctionError> {
    let Some(&first) = chain.outputs.first() else { return Err(FunctionError::NoOutput) };
    let first = chain.values[first].info.shape();
    let fits = |value: &ValueDef| {
        let shape = value.info.shape();
        let same = |d: usize| {
            shape.inner_extent(d) == first.inner_extent(d) || (value.output.is_none() && shape.inner_extent(d) == 1)
        };
        (2..MAX_DIMENSIONS).all(same)
    };
    // What is only looked at through views need not fit: the views do.
    let is_viewed = |index: usize| chain.values.iter().any(|value| value.view.is_some_and(|(of, _)| of == index));
    let is_image = |index: usize| chain.stages.iter().any(|stage| stage.inputs().contains(&index));
    let counts = |index: &usize| !is_viewed(*index) || is_image(*index);
    let mut values = (0..chain.values.len()).filter(counts).map(|index| &chain.values[index]);
    match values.find(|value| !fits(value)) {
        Some(value) => Err(FunctionError::Planes { first, found: value.info.shape() }),
        None => Ok(()),
    }
}
