//! Functions that are traced: the kernels that they call become the stages of a chain.

use crate::{add_into, darker, look_up, scaled, spread, widen};
use windrow::{
    Error,
    chain::*,
    prelude::*,
    trace::{TracedTensor, Tracer},
};

/// A loop, a table, a uniform and an image that is updated in place.
fn summed(src: &TracedTensor<u8>, times: usize, lut: &[u8; 256]) -> Result<TracedTensor<i16>, Error> {
    let mut image = look_up::apply(src, lut)?;
    for _ in 0..times {
        image = spread::apply(&image, Border::Wrap)?;
    }
    let mut sum = widen::apply(&scaled::apply(&image, 200)?)?;
    add_into::apply(src, &mut sum)?;
    Ok(sum)
}

fn chain_of(inputs: &[TensorInfo]) -> Result<ChainBuilder, Error> {
    let lut: [u8; 256] = core::array::from_fn(|index| (index * index) as u8);
    let tracer = Tracer::new();
    let src = tracer.input(&inputs[0])?;
    tracer.output(&summed(&src, 3, &lut)?)?;
    Ok(tracer.finish())
}

fn traced(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
    chain_of(inputs).map_err(|error| match error {
        Error::Function(error) => error,
        other => panic!("{other}"),
    })
}

windrow::chain_tests! { mod a_traced_function: traced(u8); }

/// The traced chain after another stage, both of one chain.
fn appended(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
    let mut chain = ChainBuilder::new();
    let src = chain.input(inputs[0]);
    let [dark] = chain.add(&darker::configure(&inputs[0], &inputs[0])?, &[src])?;
    let values = chain.append(traced(inputs)?, &[dark])?;
    chain.output(values[0])?;
    Ok(chain)
}

windrow::chain_tests! { mod a_chain_in_a_chain: appended(u8); }

fn infos() -> [TensorInfo; 1] {
    [TensorInfo::of::<u8>(&[40, 60]).unwrap()]
}

#[test]
fn what_is_called_becomes_a_stage() {
    let chain = traced(&infos()).unwrap();
    let names = ["look_up", "spread", "spread", "spread", "scaled", "widen", "add_into"];
    assert_eq!(chain.stage_names().collect::<Vec<_>>(), names);
    assert_eq!(appended(&infos()).unwrap().stage_names().len(), 1 + names.len());
}

#[test]
fn a_traced_image_has_the_shape_and_the_valid_region_of_its_value() {
    let tracer = Tracer::new();
    let src: TracedTensor<u8, 2> = tracer.input(&infos()[0]).unwrap();
    assert_eq!(src.shape(), [40, 60]);
    let inside = spread::apply(&src, Border::Undefined).unwrap().into_rank::<2>().unwrap();
    assert_eq!(inside.shape(), [40, 60]);
    assert_eq!(inside.info().valid_region().ranges().map(|range| range.len()).collect::<Vec<_>>(), [38, 58]);
}

#[test]
fn mistakes_are_told() {
    let (tracer, other) = (Tracer::new(), Tracer::new());
    let told = |error: Error| error.to_string();
    let wrong = tracer.input::<i16, 2>(&infos()[0]).map_err(told);
    assert_eq!(wrong.err().as_deref(), Some("the tensor holds u8 with 1 channels, expected i16 with 1"));
    let wrong = tracer.input::<u8, 3>(&infos()[0]).map_err(told);
    assert_eq!(wrong.err().as_deref(), Some("expected a tensor of 3 dimensions, found 2"));
    let src: TracedTensor<u8> = tracer.input(&infos()[0]).unwrap();
    let wrong = tracer.output(&src).map_err(told);
    assert_eq!(
        wrong.err().as_deref(),
        Some("value 0 can't be an output of the chain: it is an input of the chain: nothing writes it")
    );
    let wrong = other.output(&darker::apply(&src).unwrap()).map_err(told);
    assert_eq!(wrong.err().as_deref(), Some("the value belongs to another chain"));
}
