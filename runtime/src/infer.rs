//! The rules of shapes, element types and valid regions: the only place where they are.
//!
//! An output's shape follows from the images read: `out = ceil(in / stride)` in x and y, and all other extents are
//! equal. Every image must agree, save that one of which only the element itself is read may have extent 1 in any dimension:
//! it is broadcast. An output is valid where everything that it reads is (see `valid`).

mod valid;

use crate::{
    border::BorderModes,
    check::{check_input_count, check_output_count, check_type},
    error::InvalidConfiguration,
    info::{Shape, TensorInfo},
    layout::DataLayout,
    limits::{MAX_ARGUMENTS, MAX_DIMENSIONS},
    region::{Rect, ValidRegion},
    spec::{KernelSpec, OutputSpec},
};

pub(crate) use valid::reached;

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
    border: impl Into<BorderModes>,
) -> Result<Inferred, InvalidConfiguration> {
    let borders = border.into();
    check_borders(spec, borders)?;
    let shape = read_shape(spec, inputs)?.ok_or(InvalidConfiguration::NoShape { kernel: spec.name })?;
    inferred(spec, inputs, &[], shape, borders)
}

/// [`infer`], with the shape of the outputs from `outputs` where no image is read; every output given is checked.
pub(crate) fn infer_with_outputs(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    outputs: &[Option<&TensorInfo>],
    borders: BorderModes,
) -> Result<Inferred, InvalidConfiguration> {
    check_borders(spec, borders)?;
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
    check_layouts(spec, inputs, outputs)?;
    inferred(spec, inputs, outputs, shape, borders)
}

/// Each border mode must be one that the kernel offers, and there must be one for each image.
fn check_borders(spec: &'static KernelSpec, borders: BorderModes) -> Result<(), InvalidConfiguration> {
    let expected = spec.images().count();
    if let Some(found) = borders.count().filter(|found| *found != expected) {
        return Err(InvalidConfiguration::BorderCount { kernel: spec.name, found, expected });
    }
    // A kernel that reads nothing outside says so by its only mode.
    let around =
        |index: &usize| spec.images().nth(*index).is_some_and(|(_, input)| input.neighbourhood != Default::default());
    let mut modes = (0..expected)
        .filter(around)
        .map(|index| borders.of(index))
        .chain((!(0..expected).any(|index| around(&index))).then(|| borders.of(0)));
    match modes.find(|mode| !spec.borders.contains(mode)) {
        Some(found) => Err(InvalidConfiguration::BorderNotOffered { kernel: spec.name, found, offered: spec.borders }),
        None => Ok(()),
    }
}

/// Every image read must be of its type, hold elements, and lead to one output shape; `None` where no image is read.
fn read_shape(spec: &'static KernelSpec, inputs: &[&TensorInfo]) -> Result<Option<Shape>, InvalidConfiguration> {
    check_input_count(spec, inputs.len())?;
    let mut shape: Option<Shape> = None;
    for ((argument, input), info) in spec.read_images().zip(inputs) {
        check_type(argument, info, input.element, input.channels)?;
        let gives = strided(info.shape(), input.stride);
        let known = *shape.get_or_insert(gives);
        shape = Some((0..MAX_DIMENSIONS).fold(known, |shape, d| match shape.extent(d) {
            1 => shape.with_extent(d, gives.extent(d)),
            _ => shape,
        }));
    }
    let Some(expected) = shape else { return Ok(None) };
    for ((argument, input), info) in spec.read_images().zip(inputs) {
        let (found, gives) = (info.shape(), strided(info.shape(), input.stride));
        if gives == expected || (input.is_element_wise() && broadcasts(found, expected)) {
            continue;
        }
        return Err(match input.stride {
            (1, 1) => InvalidConfiguration::Shape { argument, found, expected },
            stride => InvalidConfiguration::StridedShape { argument, found, stride, gives, expected },
        });
    }
    Ok(shape)
}

/// Whether a tensor of `found` can be broadcast to `expected`: each extent is the same, or 1.
fn broadcasts(found: Shape, expected: Shape) -> bool {
    (0..MAX_DIMENSIONS).all(|d| found.extent(d) == expected.extent(d) || found.extent(d) == 1)
}

/// The dimensions of all images must mean the same.
fn check_layouts(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    outputs: &[Option<&TensorInfo>],
) -> Result<(), InvalidConfiguration> {
    let read = spec.read_images().map(|(argument, _)| argument).zip(inputs.iter().copied());
    let mut images = read.chain(given(spec, outputs).map(|(output, info)| (output.name, info)));
    let Some((_, first)) = images.next() else { return Ok(()) };
    let expected = first.layout();
    match images.find(|(_, info)| info.layout() != expected) {
        Some((argument, info)) => Err(InvalidConfiguration::Layout { argument, found: info.layout(), expected }),
        None => Ok(()),
    }
}

/// Outputs must be of their types; at least one, and each that is not optional, must be given.
fn check_outputs(spec: &'static KernelSpec, outputs: &[Option<&TensorInfo>]) -> Result<(), InvalidConfiguration> {
    check_output_count(spec, outputs.len())?;
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

/// The shape of an output for which an input of `shape` is read at a stride.
fn strided(shape: Shape, stride: (u32, u32)) -> Shape {
    let along = |dimension: usize, stride: u32| shape.extent(dimension).div_ceil(stride.max(1) as usize);
    shape.with_extent(0, along(0, stride.0)).with_extent(1, along(1, stride.1))
}

fn inferred(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    given: &[Option<&TensorInfo>],
    shape: Shape,
    borders: BorderModes,
) -> Result<Inferred, InvalidConfiguration> {
    let mut valid = ValidRegion::whole(shape);
    let mut read = inputs.iter();
    for (index, (_, input)) in spec.images().enumerate() {
        let info = match input.inout {
            Some(output) => given.get(output as usize).copied().flatten(),
            None => read.next().copied(),
        };
        if let Some(info) = info {
            valid = valid.intersect(&reached(input, info, shape, borders.of(index)));
        }
    }
    if valid.is_empty() {
        valid = ValidRegion::new(Rect::default(), shape);
    }
    let layout = inputs.first().map_or(DataLayout::default(), |info| info.layout());
    let mut outputs = [None; MAX_ARGUMENTS];
    for (info, output) in outputs.iter_mut().zip(spec.outputs) {
        let made = TensorInfo::new(output.element, output.channels, &shape.extents());
        let made = made.and_then(|made| made.with_layout(layout).with_valid_region(valid));
        *info = Some(made.map_err(|error| InvalidConfiguration::Tensor { argument: output.name, error })?);
    }
    Ok(Inferred { shape, valid, outputs })
}
