//! The arguments of an entry point: how many it has, and what they are in a launch.

use crate::{
    Buffer, Image2d, MemForm,
    buffer::Memory,
    driver::handle::{Handle, SamplerObject},
    launch::{Entry, Launch, Read, Sampled},
};
use opencl3::types::{cl_int, cl_long, cl_uint};
use std::{ops::Range, sync::Arc};
use windrow_runtime::{
    border::{Border, BorderMode, BorderModes},
    configure::KernelPlan,
    element::{ElementType, Scalar},
    info::Shape,
    region::Rect,
    spec::{InputSpec, KernelSpec, NeighbourhoodSpec},
};

/// The value of an argument. Memory is kept: an argument doesn't keep it alive in every driver.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Memory(Arc<Memory>),
    Image(Arc<Image2d>),
    Sampler(Arc<Handle<SamplerObject>>),
    Int(cl_int),
    Uint(cl_uint),
    Long(cl_long),
}

impl Value {
    /// Whether setting the one after the other changes nothing.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memory(one), Self::Memory(other)) => Arc::ptr_eq(one, other),
            (Self::Image(one), Self::Image(other)) => Arc::ptr_eq(one, other),
            (Self::Sampler(one), Self::Sampler(other)) => Arc::ptr_eq(one, other),
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Uint(one), Self::Uint(other)) => one == other,
            (Self::Long(one), Self::Long(other)) => one == other,
            (Self::Memory(_) | Self::Image(_) | Self::Sampler(_), _) => false,
            (Self::Int(_) | Self::Uint(_) | Self::Long(_), _) => false,
        }
    }
}

impl Entry {
    /// Every argument, by the convention of [`OpenClEntry`] or of [`OpenClImages`].
    pub(super) fn values(&self, launch: &Launch<'_>) -> Vec<Value> {
        let spec = launch.plan.spec();
        let mut values = Vec::with_capacity(argument_count(spec, self.form) as usize);
        let memory = |buffer: &Buffer| Value::Memory(buffer.memory().clone());
        inputs(&mut values, spec, launch);
        for image in launch.outputs {
            let (buffer, offset, row, plane) = match (image, &self.unused) {
                (Some(image), _) => (image.buffer().as_ref(), image.offset(), image.place().row, image.place().plane),
                (None, Some(unused)) => (unused, 0, 0, 0),
                (None, None) => continue,
            };
            values.extend([memory(buffer), Value::Long(offset as cl_long), Value::Int(row)]);
            values.extend((self.form == MemForm::Buffer).then_some(Value::Long(plane)));
        }
        values.extend(launch.tables.iter().map(memory));
        values.extend(self.words.iter().filter(|_| !launch.plan.words().is_empty()).map(|(_, words)| memory(words)));
        let Rect { x0, y0, x1, y1 } = launch.window;
        values.extend([x0, y0, x1, y1].map(|coordinate| Value::Int(coordinate as cl_int)));
        if has_border_numbers(spec, self.form) {
            values.push(Value::Int(border_numbers(spec, launch.plan.borders().modes())));
        }
        values.extend(outer_dimensions(spec).map(|dimension| extent(launch.plan.shape(), dimension)));
        values
    }
}

/// The dimensions of the outputs outside rows that a kernel knows, counted from the innermost.
fn outer_dimensions(spec: &KernelSpec) -> Range<usize> {
    2..spec.dimensions as usize
}

/// The extent along a dimension, counted from the innermost; no tensor's is beyond `cl_int`.
fn extent(shape: Shape, dimension: usize) -> Value {
    Value::Int(shape.inner_extent(dimension) as cl_int)
}

/// The arguments of what is read.
fn inputs(values: &mut Vec<Value>, spec: &'static KernelSpec, launch: &Launch<'_>) {
    let constants = constant_words(launch.plan);
    match launch.inputs {
        Read::Buffers(read) => {
            for ((image, constant), (_, input)) in read.iter().zip(constants).zip(spec.images()) {
                let place = image.place();
                values.extend([Value::Memory(image.buffer().memory().clone()), Value::Long(image.offset() as cl_long)]);
                values.extend([Value::Int(place.row), Value::Long(place.plane)]);
                values.extend([Value::Int(place.width), Value::Int(place.height)]);
                values.extend(reads_around(input).then_some(Value::Uint(constant)));
                let outer = 2..input.tensor_rank().unwrap_or(2);
                values.extend(outer.map(|dimension| extent(image.info().shape(), dimension)));
            }
        }
        Read::Images(read) => {
            for (Sampled { image, sampler }, constant) in read.iter().zip(constants) {
                values.extend([Value::Image(image.image().clone()), Value::Sampler((*sampler).clone())]);
                values.push(Value::Uint(constant));
            }
        }
    }
}

/// For each image, the word of a constant border in its type; other borders have none.
pub(crate) fn constant_words(plan: &KernelPlan) -> impl Iterator<Item = u32> {
    let word = |border: Border, element: ElementType| match border {
        Border::Constant(value) => value.to_element(element).map_or(0, Scalar::to_word),
        Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => 0,
    };
    plan.spec().images().enumerate().map(move |(k, (_, input))| word(plan.borders().of(k), input.element))
}

/// Whether the last argument says what is outside each input.
fn has_border_numbers(spec: &'static KernelSpec, form: MemForm) -> bool {
    form == MemForm::Buffer && spec.images().any(|(_, input)| reads_around(input))
}

/// Whether an input's border matters.
fn reads_around(input: &InputSpec) -> bool {
    input.neighbourhood() != NeighbourhoodSpec::default()
}

pub(super) fn argument_count(spec: &'static KernelSpec, form: MemForm) -> u32 {
    let outputs = spec.outputs.len() as u32;
    let around: u32 = spec.images().map(|(_, input)| u32::from(reads_around(input))).sum();
    let of_images = match form {
        MemForm::Buffer => 6 * spec.images().count() as u32 + around + around.min(1) + 4 * outputs,
        MemForm::Image => 3 * (spec.images().count() as u32 + outputs),
    };
    let tensors = spec.images().filter_map(|(_, input)| input.tensor_rank());
    let of_images = of_images + tensors.map(|rank| rank.saturating_sub(2) as u32).sum::<u32>();
    outer_dimensions(spec).len() as u32
        + of_images
        + spec.tables().count() as u32
        + u32::from(spec.words.uniforms + spec.words.derived > 0)
        + 4
}

/// The numbers of the borders, four bits for each input with a neighbourhood, the first lowest.
fn border_numbers(spec: &'static KernelSpec, borders: BorderModes) -> cl_int {
    let around = spec.images().enumerate().filter(|(_, (_, input))| reads_around(input));
    around.zip((0..).step_by(4)).fold(0, |numbers, ((index, _), bit)| numbers | border_number(borders.of(index)) << bit)
}

fn border_number(mode: BorderMode) -> cl_int {
    match mode {
        BorderMode::Undefined => 0,
        BorderMode::Constant => 1,
        BorderMode::Replicate => 2,
        BorderMode::Reflect => 3,
        BorderMode::Reflect101 => 4,
        BorderMode::Wrap => 5,
    }
}
