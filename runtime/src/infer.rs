//! The rules of shapes, element types and valid regions: they are written nowhere else.
//!
//! An output's shape follows from the images read: the extent of an axis is that of the dimension that moves along it, divided
//! by its coefficient and rounded up, and extents beyond the kernel's own dimensions are equal. Every image must agree, save that one of which only the element itself is read may have extent 1 in any dimension, or
//! fewer dimensions: it is broadcast as in NumPy, the last dimensions aligned. An output is valid where everything that it reads is (see `valid_span`).
//!
//! An image that is read anywhere gives no shape, and is valid everywhere (see `whole`).

mod whole;
mod window;

use crate::{
    arguments::MAX_ARGUMENTS,
    border::{BorderMode, BorderModes},
    data_layout::DataLayout,
    dtype::DType,
    error::InvalidConfiguration,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    region::{Line, Rect, ValidRegion, valid_span},
    spec::{InputSpec, KernelSpec, OutputSpec},
};
pub use whole::check_whole;
use whole::{check_planes, has_planes};
use window::{check_extents, window_shape};

/// What follows from the images that a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inferred {
    shape: Shape,
    valid: ValidRegion,
    outputs: [Option<TensorInfo>; MAX_ARGUMENTS],
}

impl Inferred {
    /// Returns the shape of every output.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the part of every output that a run writes.
    pub fn valid_region(&self) -> ValidRegion {
        self.valid
    }

    /// Returns the metadata of output `index`, without gaps.
    pub fn output(&self, index: usize) -> Option<TensorInfo> {
        self.outputs.get(index).copied().flatten()
    }
}

/// Returns what follows from `inputs`, the images read in argument order (an `#[inout]` argument is an output), under a
/// border of this mode.
///
/// # Errors
/// The first rule that an image breaks; where the outputs' extents depend on uniforms, [`InvalidConfiguration::NoWindow`]: then
/// [`infer_with_uniforms`] says them.
pub fn infer(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    border: impl Into<BorderModes>,
) -> Result<Inferred, InvalidConfiguration> {
    infer_with_uniforms(spec, inputs, &[], border)
}

/// Returns what follows from `inputs`, as [`infer`], and from the words of the uniforms, in argument order.
///
/// # Errors
/// The first rule that an image breaks.
pub fn infer_with_uniforms(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    words: &[u32],
    border: impl Into<BorderModes>,
) -> Result<Inferred, InvalidConfiguration> {
    let borders = border.into();
    check_borders(spec, borders)?;
    let shape = said_shape(spec, inputs, words)?.ok_or(InvalidConfiguration::NoShape { kernel: spec.name })?;
    inferred(spec, inputs, &[], shape, borders)
}

/// The shape of the outputs: the window's, with which that of the images read must agree, or theirs.
fn said_shape(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    words: &[u32],
) -> Result<Option<Shape>, InvalidConfiguration> {
    let read = read_shape(spec, inputs)?;
    check_extents(spec, inputs)?;
    let window = window_shape(spec, inputs, words)?;
    if let (Some(found), Some(expected)) = (read, window)
        && !found.same_extents(&expected)
    {
        let element_wise = read_images(spec).find(|(_, input)| !input.is_whole());
        let argument = element_wise.map_or(spec.name, |(argument, _)| argument);
        return Err(InvalidConfiguration::Shape { argument, found, expected });
    }
    Ok(window.or(read))
}

/// [`infer`], with the shape of the outputs from `outputs` where no image is read; every output given is checked.
pub(crate) fn infer_with_outputs(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    outputs: &[Option<&TensorInfo>],
    words: &[u32],
    borders: BorderModes,
) -> Result<Inferred, InvalidConfiguration> {
    check_borders(spec, borders)?;
    let read = said_shape(spec, inputs, words)?;
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
        if !info.shape().same_extents(&shape) {
            return Err(InvalidConfiguration::Shape { argument: output.name, found: info.shape(), expected: shape });
        }
    }
    check_data_layouts(spec, inputs, outputs)?;
    inferred(spec, inputs, outputs, shape, borders)
}

/// The images of a kernel, `#[inout]` ones included, in argument order.
pub(crate) fn images(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
    spec.images()
}

/// The images among a run's inputs.
pub(crate) fn read_images(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
    spec.read_images()
}

/// Each border mode must be one that the kernel offers, and there must be one for each image.
fn check_borders(spec: &'static KernelSpec, borders: BorderModes) -> Result<(), InvalidConfiguration> {
    let expected = images(spec).count();
    if let Some(found) = borders.count().filter(|found| *found != expected) {
        return Err(InvalidConfiguration::BorderCount { kernel: spec.name, found, expected });
    }
    // A kernel that reads nothing outside says so by its only mode.
    let around =
        |index: &usize| images(spec).nth(*index).is_some_and(|(_, input)| input.neighbourhood() != Default::default());
    let mut modes = (0..expected)
        .filter(around)
        .map(|index| borders.of(index))
        .chain((!(0..expected).any(|index| around(&index))).then(|| borders.of(0)));
    match modes.find(|mode| !spec.borders.contains(mode)) {
        Some(found) => Err(InvalidConfiguration::BorderNotOffered { kernel: spec.name, found, offered: spec.borders }),
        None => Ok(()),
    }
}

/// Every image read must be of its type, hold elements, and lead to one output shape; `None` where none of them leads to one.
fn read_shape(spec: &'static KernelSpec, inputs: &[&TensorInfo]) -> Result<Option<Shape>, InvalidConfiguration> {
    check_input_count(spec, inputs.len())?;
    let mut shape: Option<Shape> = None;
    for ((argument, input), info) in read_images(spec).zip(inputs) {
        check_type(argument, info, input.element, input.channels)?;
        if input.is_whole() {
            continue;
        }
        let gives = output_shape(spec, input, info.shape());
        let known = shape.get_or_insert(gives).with_rank(gives.rank());
        shape = Some((0..MAX_DIMENSIONS).fold(known, |shape, d| match shape.inner_extent(d) {
            1 => shape.with_inner_extent(d, gives.inner_extent(d)),
            _ => shape,
        }));
    }
    let Some(expected) = shape else { return Ok(None) };
    for ((argument, input), info) in read_images(spec).zip(inputs).filter(|((_, input), _)| !input.is_whole()) {
        let (found, gives) = (info.shape(), output_shape(spec, input, info.shape()));
        if gives.same_extents(&expected) || (element_wise(input) && broadcasts(found, expected)) {
            continue;
        }
        return Err(match input.stride() {
            (1, 1) => InvalidConfiguration::Shape { argument, found, expected },
            stride => InvalidConfiguration::StridedShape { argument, found, stride, gives, expected },
        });
    }
    Ok(shape)
}

/// Whether nothing but the element itself is read: one element may stand for many, and the output for the input.
pub(crate) fn element_wise(input: &InputSpec) -> bool {
    input.is_element_wise()
}

/// Whether a tensor of `found` can be broadcast to `expected`: each extent is the same, or 1.
fn broadcasts(found: Shape, expected: Shape) -> bool {
    (0..MAX_DIMENSIONS).all(|d| found.inner_extent(d) == expected.inner_extent(d) || found.inner_extent(d) == 1)
}

/// The dimensions of all images must mean the same. Those of an image that is read anywhere, one plane for all, may mean another.
fn check_data_layouts(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    outputs: &[Option<&TensorInfo>],
) -> Result<(), InvalidConfiguration> {
    let read = read_images(spec).zip(inputs.iter().copied());
    let read = read.filter(|((_, input), info)| !input.is_whole() || input.tensor_rank().is_none() && has_planes(info));
    let read = read.map(|((argument, _), info)| (argument, info));
    let mut images = read.chain(given(spec, outputs).map(|(output, info)| (output.name, info)));
    let Some((_, first)) = images.next() else { return Ok(()) };
    let expected = first.data_layout();
    match images.find(|(_, info)| info.data_layout() != expected) {
        Some((argument, info)) => {
            Err(InvalidConfiguration::DataLayout { argument, found: info.data_layout(), expected })
        }
        None => Ok(()),
    }
}

/// As many images must be given to read as the kernel reads, `#[inout]` ones left out.
pub(crate) fn check_input_count(spec: &'static KernelSpec, found: usize) -> Result<(), InvalidConfiguration> {
    match read_images(spec).count() {
        expected if expected == found => Ok(()),
        expected => Err(InvalidConfiguration::InputCount { kernel: spec.name, found, expected }),
    }
}

/// As many images must be given to write as the kernel writes, those left out included.
pub(crate) fn check_output_count(spec: &'static KernelSpec, found: usize) -> Result<(), InvalidConfiguration> {
    match spec.outputs.len() {
        expected if expected == found => Ok(()),
        expected => Err(InvalidConfiguration::OutputCount { kernel: spec.name, found, expected }),
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
    given(spec, outputs).try_for_each(|(output, info)| {
        check_type(output.name, info, output.element, output.channels)?;
        check_disjoint(output.name, info)
    })
}

/// The elements of an output must not share bytes with each other: a stride of 0 is for images that are read.
pub(crate) fn check_disjoint(argument: &'static str, info: &TensorInfo) -> Result<(), InvalidConfiguration> {
    let layout = info.layout();
    match if layout.may_overlap_itself() { layout.find_overlap() } else { None } {
        Some((dimension, found, least)) => {
            Err(InvalidConfiguration::OverlapsItself { argument, dimension, found, least })
        }
        None => Ok(()),
    }
}

/// The outputs that are not left out.
fn given<'a>(
    spec: &'static KernelSpec,
    outputs: &'a [Option<&'a TensorInfo>],
) -> impl Iterator<Item = (&'static OutputSpec, &'a TensorInfo)> {
    spec.outputs.iter().zip(outputs).filter_map(|(output, info)| Some((output, (*info)?)))
}

/// An image must be of its type, hold elements, and mean the numbers that it holds: no kernel reads scale and offset.
pub(crate) fn check_type(
    argument: &'static str,
    info: &TensorInfo,
    dtype: impl Into<DType>,
    channels: u32,
) -> Result<(), InvalidConfiguration> {
    let expected = dtype.into();
    if info.dtype() != expected {
        return Err(InvalidConfiguration::ElementType { argument, found: info.dtype(), expected });
    }
    if info.channels() != channels {
        return Err(InvalidConfiguration::Channels { argument, found: info.channels(), expected: channels });
    }
    if info.shape().is_empty() {
        return Err(InvalidConfiguration::Empty { argument, shape: info.shape() });
    }
    if let Some(found) = info.quantization() {
        return Err(InvalidConfiguration::Quantization { argument, found });
    }
    Ok(())
}

/// The shape of an output for which an input of `shape` is read: what the equations of its dimensions give.
fn output_shape(spec: &KernelSpec, input: &InputSpec, shape: Shape) -> Shape {
    let innermost_first = input.accesses().iter().rev().enumerate();
    innermost_first.fold(shape, |gives, (dimension, access)| {
        let Some((axis, by)) = access.equation() else { return gives };
        let Some(innermost) = spec.rank.checked_sub(axis + 1) else { return gives };
        gives.with_inner_extent(innermost as usize, shape.inner_extent(dimension).div_ceil(by as usize))
    })
}

fn inferred(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    given: &[Option<&TensorInfo>],
    shape: Shape,
    borders: BorderModes,
) -> Result<Inferred, InvalidConfiguration> {
    for ((argument, input), info) in read_images(spec).zip(inputs).filter(|((_, input), _)| input.is_whole()) {
        check_planes(argument, input, info, shape)?;
        check_whole(argument, input, info)?;
    }
    let mut valid = ValidRegion::whole(shape);
    let mut read = inputs.iter();
    for (index, (_, input)) in images(spec).enumerate() {
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
    let mut shaping = read_images(spec).zip(inputs).filter(|((_, input), _)| !input.is_whole());
    let layout = shaping.next().map_or(DataLayout::default(), |(_, info)| info.data_layout());
    let mut outputs = [None; MAX_ARGUMENTS];
    for (info, output) in outputs.iter_mut().zip(spec.outputs) {
        let made = TensorInfo::new(output.element, output.channels, &shape.extents());
        let made = made.and_then(|made| made.with_data_layout(layout).with_valid_region(valid));
        *info = Some(made.map_err(|error| InvalidConfiguration::Tensor { argument: output.name, error })?);
    }
    Ok(Inferred { shape, valid, outputs })
}

/// The elements of an output of `shape` that read nothing of one image but what is valid. One that is read anywhere is valid
/// everywhere ([`check_whole`]).
pub(crate) fn reached(input: &InputSpec, info: &TensorInfo, shape: Shape, border: BorderMode) -> ValidRegion {
    if input.is_whole() {
        return ValidRegion::whole(shape);
    }
    let valid = info.valid_region();
    let accesses = input.accesses();
    let span = |d: usize| {
        let (extent, length) = (info.shape().inner_extent(d), shape.inner_extent(d));
        let inside = (valid.start[d], valid.end[d]);
        match accesses.iter().nth_back(d) {
            _ if element_wise(input) && extent == 1 && length != 1 => {
                if inside == (0, 1) {
                    (0, length)
                } else {
                    (0, 0)
                }
            }
            Some(access) => {
                let (stride, offsets) = (access.equation().map_or(1, |(_, by)| by), (access.least, access.greatest));
                valid_span(length, &Line { extent, valid: inside, stride, offsets, border })
            }
            None => inside,
        }
    };
    let (mut start, mut end) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
    (0..MAX_DIMENSIONS).for_each(|d| (start[d], end[d]) = span(d));
    ValidRegion { start, end, rank: shape.rank() }
}
