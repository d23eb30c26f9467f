//! Tiling kernels as operators: stages of a chain, in bands too where their blocks have one row.

use std::{boxed::Box, format, string::ToString, vec::Vec};

use super::{
    border::TileBorder,
    configure::ConfiguredTiling,
    error::InvalidTiling,
    kernel::{TileImage, TilingKernel, TilingRequest},
    run,
};
use crate::{
    border::BorderMode,
    error::{InvalidConfiguration, RunError},
    format::{ColourRange, ColourSpace},
    function::{Arguments, Compiled, ExecutorError, Footprint, Operator, OperatorError, Processor, Target, Workspace},
    infer::reached,
    info::TensorInfo,
    kernel::DynKernel,
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
    /// The kernel as an operator, which can be a stage of a chain.
    pub fn operator(&'static self) -> TilingOperator {
        TilingOperator { kernel: self, words: Vec::new(), range: ColourRange::Full, space: ColourSpace::None }
    }
}

impl TilingOperator {
    /// With these words of the uniforms.
    #[must_use]
    pub fn with_words(self, words: &[u32]) -> TilingOperator {
        TilingOperator { words: words.to_vec(), ..self }
    }

    /// With the colours of the images, which tiles can ask for.
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

    /// The kernel for these inputs, with memory that it keeps, and the region that it computes.
    fn configured<'m>(
        &self,
        inputs: &[TensorInfo],
        kept: &'m mut [u8],
    ) -> Result<(ConfiguredTiling<'m>, ValidRegion), OperatorError> {
        let outputs = self.outputs(inputs)?;
        let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.iter().collect(), outputs.iter().collect());
        let request =
            TilingRequest { inputs: &inputs, outputs: &outputs, words: &self.words, border: None, ..self.request() };
        let configured = self.kernel.configure(&request, kept).map_err(told)?;
        let mut valid = configured.valid_region();
        for (image, info) in self.kernel.inputs.iter().zip(inputs) {
            let (neighbourhood, stride) = (self.kernel.neighbourhood, (1, 1));
            let spec =
                InputSpec { element: image.element, channels: image.channels, neighbourhood, stride, inout: None };
            valid = valid.intersect(&reached(&spec, info, configured.shape(), self.mode()));
        }
        if valid != configured.valid_region() && self.kernel.block != (1, 1) {
            let found = format!("valid in a part, of which {valid} can be computed");
            let rule = "a kernel with blocks computes whole blocks of an image that is valid throughout".to_string();
            return Err(OperatorError::Input { argument: self.kernel.inputs[0].name.to_string(), found, rule });
        }
        Ok((configured, valid))
    }

    fn request(&self) -> TilingRequest<'static> {
        TilingRequest { range: self.range, space: self.space, ..TilingRequest::new(&[], &[]) }
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
        let mut kept = vec![0; self.kernel.kept_memory];
        let (_, valid) = self.configured(inputs, &mut kept)?;
        let outputs = self.outputs(inputs)?.into_iter();
        outputs.map(|info| Ok(Some(info.with_valid_region(valid)?))).collect()
    }

    fn footprint(&self, _input: usize) -> Footprint {
        let around = self.kernel.neighbourhood;
        if self.kernel.block.1 != 1 {
            return Footprint::ALL;
        }
        // SAFETY: a tile reads the rows of its neighbourhood that lie in the image, and writes its own rows; its blocks have one row.
        unsafe { Footprint::rows(around.top, around.bottom, 1, BorderMode::Undefined) }
    }

    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        Processor::expect(target)?;
        let mut kept = vec![0; self.kernel.kept_memory];
        let (configured, valid) = self.configured(inputs, &mut kept)?;
        let per_thread = configured.greatest_tile_memory();
        Ok(Box::new(TilingCode { operator: self.clone(), inputs: inputs.to_vec(), valid, per_thread }))
    }
}

/// A tiling kernel for images of one shape. What it keeps between runs is a constant; each run has a copy of it, which the
/// kernel's `before_run` may change.
#[derive(Debug)]
struct TilingCode {
    operator: TilingOperator,
    inputs: Vec<TensorInfo>,
    valid: ValidRegion,
    per_thread: usize,
}

impl Compiled for TilingCode {
    fn workspace(&self) -> Workspace {
        Workspace { per_run: self.operator.kernel.kept_memory, per_thread: self.per_thread }
    }

    fn constants(&self) -> Vec<usize> {
        match self.operator.kernel.kept_memory {
            0 => Vec::new(),
            bytes => vec![bytes],
        }
    }

    fn pack(&mut self, constants: &mut [&mut [u8]]) -> Result<(), OperatorError> {
        if let (Some(kept), Some(prepare)) = (constants.first_mut(), self.operator.kernel.prepare) {
            prepare(kept, &self.operator.words);
        }
        Ok(())
    }

    unsafe fn bind<'a>(&'a self, mut arguments: Arguments<'a>) -> Result<Box<dyn DynKernel + 'a>, RunError> {
        let (operator, kept) = (&self.operator, arguments.workspace());
        let refused = |_| RunError::Kernel { reason: "a tiling kernel of a chain was configured, and can't be again" };
        // Configuring prepares what is kept; it is what was packed, and `before_run` sees that.
        let (configured, _) = operator.configured(&self.inputs, kept).map_err(refused)?;
        if let Some(packed) = arguments.constant(0) {
            configured.kept.copy_from_slice(packed);
        }
        let outputs = (0..operator.kernel.outputs.len()).filter_map(|index| arguments.output(index));
        let outputs = outputs.collect::<Vec<_>>();
        Ok(Box::new(run::bind_owned(configured, self.valid.plane(), arguments.inputs(), outputs)?))
    }
}
