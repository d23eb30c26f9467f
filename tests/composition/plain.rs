//! An operator in plain Rust: its memory is an output that nothing reads, and it runs whole or not at all.

use crate::{
    everywhere::{Place, everywhere, image, whole},
    of, spread,
};
use std::sync::Arc;
use windrow::{RunError, chain::*, prelude::*};

/// Each row sorted, by way of a copy.
#[derive(Clone, Debug)]
struct SortRows;

impl PlainOperator for SortRows {
    fn name(&self) -> &str {
        "sort_rows"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
        let [src] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 1 }) };
        Ok(vec![*src, TensorInfo::of::<u8>(&[src.width()])?])
    }

    fn run(&self, mut given: Arguments<'_>) -> Result<(), RunError> {
        let (src, mut out, mut copy) = (given.input_of::<u8>(0)?, given.output_of::<u8>(0)?, given.output_of::<u8>(1)?);
        let copy = copy.row_mut(0).unwrap();
        for y in 0..src.info().height() {
            copy.copy_from_slice(src.row(y).unwrap());
            copy.sort_unstable();
            out.row_mut(y).unwrap().copy_from_slice(copy);
        }
        // The images are there once, and have their types.
        let taken = RunError::Kernel { reason: "an output is missing, or of another type" };
        assert_eq!(given.output_of::<u8>(0).unwrap_err(), taken);
        assert!(given.input_of::<u8>(1).is_err() && given.input_of::<f32>(0).is_err());
        Ok(())
    }
}

fn chain(extents: [usize; 2]) -> ChainBuilder {
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [wide] = chain.add(&spread::configure(&bytes, &bytes, Border::Wrap).unwrap(), &[src]).unwrap();
    let [sorted, _] = chain.add_operator(Arc::new(SortRows), &[wide]).unwrap();
    chain.output(sorted).unwrap();
    chain
}

#[test]
fn plain_rust_runs_among_kernels() {
    let extents = [31, 40];
    let (src, bytes) = (image::<u8>(3, extents), of::<u8>(extents));
    let mut wide = Tensor::<u8>::new(extents).unwrap();
    spread::configure(&bytes, &bytes, Border::Wrap).unwrap().run_reference(src.view(), wide.view_mut()).unwrap();
    let mut expected = wide.to_vec();
    expected.chunks_mut(40).for_each(<[u8]>::sort_unstable);
    let elsewhere = |place| match place {
        Place::Whole => None,
        Place::Bands => Some(("sort_rows", "in bands")),
        Place::Device => Some(("sort_rows", "for the processor alone")),
    };
    everywhere(&|| chain(extents), &[src.view().any()], &[expected], elsewhere);
}

#[test]
fn what_is_valid_in_part_is_refused() {
    let bytes = of::<u8>([9, 8]);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [inner] = chain.add(&spread::configure(&bytes, &bytes, Border::Undefined).unwrap(), &[src]).unwrap();
    let refused = chain.add_operator::<2>(Arc::new(SortRows), &[inner]).unwrap_err().to_string();
    assert!(refused.starts_with("`sort_rows`: `input 0` is valid in"), "{refused}");
    let crop = chain.crop(inner, &[1, 1], &[7, 6]).unwrap();
    let [sorted, _] = chain.add_operator(Arc::new(SortRows), &[crop]).unwrap();
    chain.output(sorted).unwrap();
    chain.compose(&whole()).unwrap();
}

#[test]
fn its_only_part_runs_once() {
    let composite = chain([3, 4]).compose(&whole()).unwrap();
    let compiled = composite.chain().stages()[1].compiled();
    let (src, mut out, mut copy) =
        (image::<u8>(3, [3, 4]), Tensor::<u8>::new([3, 4]).unwrap(), Tensor::<u8>::new([4]).unwrap());
    let outputs = [Some(out.view_mut().any()), Some(copy.view_mut().any())];
    let arguments = Arguments::new(&[src.view().any()], outputs);
    let mut twice = |kernel: &mut dyn windrow::schedule::DynKernel| {
        assert_eq!((kernel.name(), kernel.window().dimension(0).end()), ("sort_rows", 1));
        let window = kernel.window();
        // SAFETY: the whole window, once after the other.
        unsafe { kernel.run(&window, &mut windrow::schedule::ThreadInfo::default()) }?;
        // SAFETY: as before.
        unsafe { kernel.run(&window, &mut windrow::schedule::ThreadInfo::default()) }
    };
    // SAFETY: images of the shapes that it was lowered for.
    let found = unsafe { compiled.bind(arguments, &mut twice) };
    assert_eq!(found, Err(RunError::Kernel { reason: "its only part has run" }));
}
