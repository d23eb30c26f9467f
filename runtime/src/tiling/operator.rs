//! Tiling kernels as operators: stages of a chain, in bands too where their blocks have one row.

use core::ptr::NonNull;
use std::{boxed::Box, format, string::ToString, vec::Vec};

use super::{
    border::TileBorder,
    configure::Tiling,
    error::InvalidTiling,
    kernel::{TileImage, TilingKernel, TilingRequest},
    run::BoundTiling,
};
use crate::{
    border::BorderMode,
    error::{InvalidConfiguration, RunError},
    format::{ColourRange, ColourSpace},
    function::{
        Arguments, Compiled, ExecutorError, Footprint, Operator, OperatorError, Processor, RunBound, Target, Workspace,
    },
    infer::reached,
    info::TensorInfo,
    region::ValidRegion,
    spec::InputSpec,
};

/// A tiling kernel with its uniforms, as an operator of a chain.
#[derive(Clone, Debug)]
pub struct TilingOperator {
    kernel: &'static TilingKernel,
    words: Vec<u32>,
    range: ColourRange,
    space: ColourSpace,
}

impl TilingKernel {
    /// Returns the kernel as an operator, which can be a stage of a chain.
    pub fn operator(&'static self) -> TilingOperator {
        TilingOperator { kernel: self, words: Vec::new(), range: ColourRange::Full, space: ColourSpace::None }
    }
}

impl TilingOperator {
    /// Returns `self` with these words of the uniforms.
    #[must_use]
    pub fn with_words(self, words: &[u32]) -> TilingOperator {
        TilingOperator { words: words.to_vec(), ..self }
    }

    /// Returns `self` with the colours of the images, which tiles can ask for.
    #[must_use]
    pub fn with_colours(self, range: ColourRange, space: ColourSpace) -> TilingOperator {
        TilingOperator { range, space, ..self }
    }

    /// The outputs for these inputs, which all have one shape.
    fn outputs(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
        let (found, expected, kernel) = (inputs.len(), self.kernel.inputs.len(), self.kernel.name);
        let shape = inputs.first().filter(|_| found == expected).map(TensorInfo::shape);
        let shape = shape.ok_or(InvalidConfiguration::InputCount { kernel, found, expected })?;
        let output = |image: &TileImage| TensorInfo::new(image.element, image.channels, &shape.extents());
        Ok(self.kernel.outputs.iter().map(output).collect::<Result<_, _>>()?)
    }

    /// The kernel for these inputs, and the region that it computes.
    fn tiling(&self, inputs: &[TensorInfo]) -> Result<(Tiling, ValidRegion), OperatorError> {
        let outputs = self.outputs(inputs)?;
        let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.iter().collect(), outputs.iter().collect());
        let (range, space) = (self.range, self.space);
        let request = TilingRequest { words: &self.words, range, space, ..TilingRequest::new(&inputs, &outputs) };
        let tiling = self.kernel.tiling(&request).map_err(told)?;
        let mut valid = tiling.valid_region();
        for (image, info) in self.kernel.inputs.iter().zip(inputs) {
            let spec = InputSpec::image(image.element, image.channels, self.kernel.neighbourhood, (1, 1), None);
            valid = valid.intersect(&reached(&spec, info, tiling.shape, self.mode()));
        }
        if valid != tiling.valid_region() && self.kernel.block != (1, 1) {
            let found = format!("valid in a part, of which {valid} can be computed");
            let rule = "a kernel with blocks computes whole blocks of an image that is valid throughout".to_string();
            return Err(OperatorError::Input { argument: self.kernel.inputs[0].name.to_string(), found, rule });
        }
        Ok((tiling, valid))
    }

    /// A kernel that finds itself what lies outside reads what is inside.
    fn mode(&self) -> BorderMode {
        match self.kernel.border {
            TileBorder::Undefined => BorderMode::Undefined,
            TileBorder::SelfBordered => BorderMode::Replicate,
        }
    }
}

fn told(error: InvalidTiling) -> OperatorError {
    OperatorError::Other(ExecutorError::new(error))
}

impl Operator for TilingOperator {
    fn name(&self) -> &str {
        self.kernel.name
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        let (_, valid) = self.tiling(inputs)?;
        let outputs = self.outputs(inputs)?.into_iter();
        outputs.map(|info| Ok(Some(info.with_valid_region(valid)?))).collect()
    }

    fn footprint(&self, _input: usize) -> Footprint {
        let around = self.kernel.neighbourhood;
        if self.kernel.block.1 != 1 {
            return Footprint::ALL;
        }
        // SAFETY: a tile reads the rows of its neighbourhood that lie in the image, and writes its own rows; its blocks have one row.
        unsafe { Footprint::rows::<TilingOperator>(around.top, around.bottom, 1, BorderMode::Undefined) }
    }

    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        Processor::expect(target)?;
        let (tiling, valid) = self.tiling(inputs)?;
        Ok(Box::new(TilingCode { tiling, valid }))
    }
}

/// A tiling kernel for images of one shape. What it keeps between runs is a constant; each run has a copy of it, which the
/// kernel's `before_run` may change.
#[derive(Debug)]
struct TilingCode {
    tiling: Tiling,
    valid: ValidRegion,
}

impl Compiled for TilingCode {
    fn workspace(&self) -> Workspace {
        Workspace { per_run: self.tiling.kernel.kept_memory, per_thread: self.tiling.greatest_tile_memory() }
    }

    fn constants(&self) -> Vec<usize> {
        match self.tiling.kernel.kept_memory {
            0 => Vec::new(),
            bytes => vec![bytes],
        }
    }

    fn pack(&mut self, constants: &mut [&mut [u8]]) -> Result<(), OperatorError> {
        let kernel = self.tiling.kernel;
        if let (Some(kept), Some(prepare)) = (constants.first_mut(), kernel.prepare) {
            prepare(kept, &self.tiling.words[..kernel.words]);
        }
        Ok(())
    }

    unsafe fn bind(&self, mut arguments: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
        let kept = arguments.workspace();
        if let Some(packed) = arguments.constant(0) {
            kept.copy_from_slice(packed);
        }
        // One that is left out has no elements, and is refused.
        let none = (NonNull::dangling(), TensorInfo::empty::<u8>());
        let places = arguments.images.written.as_slice();
        let outputs = places.iter().map(|place| place.as_ref().map_or(none, |view| (view.base(), *view.info())));
        // In bands the images lie where they would if all of their rows were there: overlaps are the chain's to find.
        run(&mut BoundTiling::new(&self.tiling, self.valid, kept, arguments.inputs(), outputs)?)
    }
}
