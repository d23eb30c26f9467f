//! The rules of shapes, element types and valid regions: the only place where they stand.
//!
//! An output's shape follows from the images read: `out = ceil(in / stride)` in x and y, and all other extents are
//! equal. Every image must agree. What may be computed under an undefined border is the region in which every
//! neighbourhood lies inside its image; other borders make the whole output valid.

use crate::{
    arguments::MAX_ARGUMENTS,
    border::BorderMode,
    error::InvalidConfiguration,
    info::{Shape, TensorInfo},
    region::{Rect, ValidRegion, inside},
    spec::{ArgumentKind, InputSpec, KernelSpec, OutputSpec},
};

/// What follows from the images that a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inferred {
    shape: Shape,
    valid: ValidRegion,
    outputs: [Option<TensorInfo>; MAX_ARGUMENTS],
}

impl Inferred {
    /// The shape of every output.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The part of every output that a run writes.
    pub fn valid_region(&self) -> ValidRegion {
        self.valid
    }

    /// The metadata of output `index`, without gaps.
    pub fn output(&self, index: usize) -> Option<TensorInfo> {
        self.outputs.get(index).copied().flatten()
    }
}

/// What follows from `inputs`, the images read in argument order (an `#[inout]` argument is an output), under a border
/// of this mode.
pub fn infer(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    border: BorderMode,
) -> Result<Inferred, InvalidConfiguration> {
    check_border(spec, border)?;
    let shape = read_shape(spec, inputs)?.ok_or(InvalidConfiguration::NoShape { kernel: spec.name })?;
    inferred(spec, inputs, shape, border)
}

/// [`infer`], with the shape of the outputs from `outputs` where no image is read; every output given is checked.
pub(crate) fn infer_with_outputs(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    outputs: &[Option<&TensorInfo>],
    border: BorderMode,
) -> Result<Inferred, InvalidConfiguration> {
    check_border(spec, border)?;
    let read = read_shape(spec, inputs)?;
    check_outputs(spec, outputs)?;
    let shape = match read {
        Some(shape) => shape,
        None => outputs
            .iter()
            .flatten()
            .next()
            .map(|info| info.shape())
            .ok_or(InvalidConfiguration::NoOutput { kernel: spec.name })?,
    };
    for (output, info) in given(spec, outputs) {
        if info.shape() != shape {
            return Err(InvalidConfiguration::Shape { argument: output.name, found: info.shape(), expected: shape });
        }
    }
    inferred(spec, inputs, shape, border)
}

/// The images of a kernel, `#[inout]` ones included, in argument order.
pub(crate) fn images(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
    spec.arguments.iter().filter_map(|argument| match &argument.kind {
        ArgumentKind::Input(input) => Some((argument.name, input)),
        ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
    })
}

/// The images that stand among a run's inputs.
pub(crate) fn read_images(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
    images(spec).filter(|(_, input)| input.inout.is_none())
}

/// The border mode must be one that the kernel offers.
fn check_border(spec: &'static KernelSpec, found: BorderMode) -> Result<(), InvalidConfiguration> {
    if spec.borders.contains(&found) {
        return Ok(());
    }
    Err(InvalidConfiguration::BorderNotOffered { kernel: spec.name, found, offered: spec.borders })
}

/// Every image read must be of its type, hold elements, and lead to one output shape; `None` where no image is read.
fn read_shape(spec: &'static KernelSpec, inputs: &[&TensorInfo]) -> Result<Option<Shape>, InvalidConfiguration> {
    let expected = read_images(spec).count();
    if inputs.len() != expected {
        return Err(InvalidConfiguration::InputCount { kernel: spec.name, found: inputs.len(), expected });
    }
    let mut shape = None;
    for ((argument, input), info) in read_images(spec).zip(inputs) {
        check_type(argument, info, input.element, input.channels)?;
        let (found, gives) = (info.shape(), strided(info.shape(), input.stride));
        let expected = *shape.get_or_insert(gives);
        if gives == expected {
            continue;
        }
        return Err(match input.stride {
            (1, 1) => InvalidConfiguration::Shape { argument, found, expected },
            stride => InvalidConfiguration::StridedShape { argument, found, stride, gives, expected },
        });
    }
    Ok(shape)
}

/// Outputs must be of their types; at least one, and each that is not optional, must be given.
fn check_outputs(spec: &'static KernelSpec, outputs: &[Option<&TensorInfo>]) -> Result<(), InvalidConfiguration> {
    let (found, expected) = (outputs.len(), spec.outputs.len());
    if found != expected {
        return Err(InvalidConfiguration::OutputCount { kernel: spec.name, found, expected });
    }
    if let Some((output, _)) = spec.outputs.iter().zip(outputs).find(|(spec, info)| info.is_none() && !spec.optional) {
        return Err(InvalidConfiguration::MissingOutput { argument: output.name });
    }
    if outputs.iter().all(Option::is_none) {
        return Err(InvalidConfiguration::NoOutput { kernel: spec.name });
    }
    given(spec, outputs).try_for_each(|(output, info)| check_type(output.name, info, output.element, output.channels))
}

/// The outputs that are not left out.
fn given<'a>(
    spec: &'static KernelSpec,
    outputs: &'a [Option<&'a TensorInfo>],
) -> impl Iterator<Item = (&'static OutputSpec, &'a TensorInfo)> {
    spec.outputs.iter().zip(outputs).filter_map(|(output, info)| Some((output, (*info)?)))
}

/// An image must be of its type, and hold elements.
pub(crate) fn check_type(
    argument: &'static str,
    info: &TensorInfo,
    element: crate::element::ElementType,
    channels: u32,
) -> Result<(), InvalidConfiguration> {
    if info.element() != element {
        return Err(InvalidConfiguration::ElementType { argument, found: info.element(), expected: element });
    }
    if info.channels() != channels {
        return Err(InvalidConfiguration::Channels { argument, found: info.channels(), expected: channels });
    }
    if info.shape().is_empty() {
        return Err(InvalidConfiguration::Empty { argument, shape: info.shape() });
    }
    Ok(())
}

/// The shape of an output for which an input of `shape` is read at a stride.
fn strided(shape: Shape, stride: (u32, u32)) -> Shape {
    let along = |dimension: usize, stride: u32| shape.extent(dimension).div_ceil(stride.max(1) as usize);
    shape.with_extent(0, along(0, stride.0)).with_extent(1, along(1, stride.1))
}

fn inferred(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    shape: Shape,
    border: BorderMode,
) -> Result<Inferred, InvalidConfiguration> {
    let mut outputs = [None; MAX_ARGUMENTS];
    for (info, output) in outputs.iter_mut().zip(spec.outputs) {
        let made = TensorInfo::new(output.element, output.channels, &shape.extents());
        *info = Some(made.map_err(|error| InvalidConfiguration::Tensor { argument: output.name, error })?);
    }
    let mut plane = Rect::new(0, 0, shape.width(), shape.height());
    if border == BorderMode::Undefined {
        for ((_, input), info) in read_images(spec).zip(inputs) {
            plane = plane.intersect(&inside(shape, info.shape(), input.stride, input.neighbourhood));
        }
    }
    Ok(Inferred { shape, valid: ValidRegion::new(plane, shape), outputs })
}
