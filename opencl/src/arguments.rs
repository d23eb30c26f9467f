//! The arguments of a run on device images, checked against its plan.

use crate::{Buffer, Context, DeviceImage, DeviceMemoryError, FloatFormat, OpenClError, SampledImage, uses::Use};
use std::sync::Arc;
use windrow_runtime::{
    configure::KernelPlan,
    error::RunError,
    info::TensorInfo,
    overlap::{self, Overlap},
    spec::ArgumentKind,
};

/// What a run on a device is given.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// What is read.
    pub inputs: Inputs<'a>,
    /// The look-up tables' bytes.
    pub tables: &'a [Buffer],
    /// What is written; `None` for an image left out.
    pub outputs: &'a [Option<DeviceImage>],
}

/// Images and tables for runs, held by whoever makes these.
pub(crate) struct Held {
    pub inputs: Vec<DeviceImage>,
    pub tables: Vec<Buffer>,
    pub outputs: Vec<Option<DeviceImage>>,
}

impl Held {
    pub fn given(&self) -> Given<'_> {
        Given { inputs: Inputs::Buffers(&self.inputs), tables: &self.tables, outputs: &self.outputs }
    }
}

impl Given<'_> {
    /// The memory in buffers, and whether it is written: what a recording keeps.
    pub(crate) fn memory(&self) -> Vec<(Arc<Buffer>, bool)> {
        let read = match self.inputs {
            Inputs::Buffers(images) => images,
            Inputs::Images(_) => &[],
        };
        let read = read.iter().map(|image| (image.buffer().clone(), false));
        let looked_up = self.tables.iter().map(|table| (Arc::new(table.share()), false));
        let written = self.outputs.iter().flatten().map(|image| (image.buffer().clone(), true));
        read.chain(looked_up).chain(written).collect()
    }
}

/// The images read; `#[inout]` ones are outputs.
#[derive(Clone, Copy)]
pub enum Inputs<'a> {
    /// Images in buffers.
    Buffers(&'a [DeviceImage]),
    /// Images that samplers read.
    Images(&'a [SampledImage]),
}

/// Everything that can be wrong with what a run is given, whose floats must lie in `format`; what it uses of the buffers.
pub(super) fn check_run(
    context: &Context,
    plan: &KernelPlan,
    format: FloatFormat,
    given: &Given<'_>,
) -> Result<Vec<Use>, OpenClError> {
    let Given { inputs, tables, outputs } = *given;
    check_outputs(plan, outputs)?;
    let buffers = match inputs {
        Inputs::Buffers(images) => {
            check_inputs(plan, images)?;
            images
        }
        Inputs::Images(images) => {
            check_sampled(context, plan, images)?;
            &[]
        }
    };
    check_overlaps(plan, buffers, outputs)?;
    let mut uses = check_tables(context, plan, tables, outputs)?;
    let read = plan.spec().read_images().zip(buffers).map(|((argument, _), image)| (argument, image, false));
    let written = plan.spec().outputs.iter().zip(outputs);
    let written = written.filter_map(|(output, image)| Some((output.name, image.as_ref()?, true)));
    let images = read.chain(written);
    for (argument, image, is_written) in images {
        uses.push(check_image(context, argument, image, format, is_written)?);
    }
    Ok(uses)
}

/// Images that are read must be what the plan reads, in full.
fn check_sampled(context: &Context, plan: &KernelPlan, inputs: &[SampledImage]) -> Result<(), OpenClError> {
    check_count("inputs", inputs.len(), plan.spec().read_images().count())?;
    for (((argument, input), image), shape) in plan.spec().read_images().zip(inputs).zip(plan.input_shapes()) {
        context.core().check_same(&format!("`{argument}`"), image.image().context().core())?;
        let shape = if input.is_element_wise() { plan.shape() } else { shape };
        let expected = TensorInfo::new(input.element, input.channels, &shape.extents());
        image.expect(argument, &expected?)?;
    }
    Ok(())
}

/// The images read with the `#[inout]` ones among them.
pub(super) fn all_inputs(
    plan: &KernelPlan,
    inputs: &[DeviceImage],
    outputs: &[Option<DeviceImage>],
) -> Vec<DeviceImage> {
    let mut read = inputs.iter();
    plan.spec()
        .images()
        .filter_map(|(_, input)| match input.inout {
            Some(output) => outputs.get(output as usize).cloned().flatten(),
            None => read.next().cloned(),
        })
        .collect()
}

/// An image must be of the kernel's context and format, and not in the host's hands.
fn check_image(
    context: &Context,
    argument: &str,
    image: &DeviceImage,
    format: FloatFormat,
    is_written: bool,
) -> Result<Use, OpenClError> {
    image.expect_format(argument, format)?;
    context.core().check_same(&format!("`{argument}`"), image.buffer().context().core())?;
    image.buffer().begin_use(argument, is_written)
}

fn check_outputs(plan: &KernelPlan, outputs: &[Option<DeviceImage>]) -> Result<(), OpenClError> {
    let spec = plan.spec();
    check_count("outputs", outputs.len(), spec.outputs.len())?;
    for ((output, image), present) in spec.outputs.iter().zip(outputs).zip(plan.present()) {
        if image.is_some() != present {
            return Err(RunError::OutputPresence { argument: output.name, given: image.is_some() }.into());
        }
        let expected = TensorInfo::new(output.element, output.channels, &plan.shape().extents());
        if let Some(image) = image {
            image.expect(output.name, &expected?)?;
        }
    }
    Ok(())
}

/// An image of which only the element itself is read may repeat.
fn check_inputs(plan: &KernelPlan, inputs: &[DeviceImage]) -> Result<(), OpenClError> {
    check_count("inputs", inputs.len(), plan.spec().read_images().count())?;
    for (((argument, input), image), shape) in plan.spec().read_images().zip(inputs).zip(plan.input_shapes()) {
        let shape =
            if input.is_element_wise() && image.broadcasts_to(&plan.shape()) { image.info().shape() } else { shape };
        let expected = TensorInfo::new(input.element, input.channels, &shape.extents());
        image.expect(argument, &expected?)?;
    }
    Ok(())
}

/// A table must hold every entry that an index can name, share none with an output, and not be in the host's hands.
fn check_tables(
    context: &Context,
    plan: &KernelPlan,
    tables: &[Buffer],
    outputs: &[Option<DeviceImage>],
) -> Result<Vec<Use>, OpenClError> {
    let expected = plan.spec().arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Table { element, length } => Some((argument.name, element, length)),
        ArgumentKind::Input(_) | ArgumentKind::Uniform(_) | ArgumentKind::Variant { .. } => None,
    });
    check_count("tables", tables.len(), expected.clone().count())?;
    let mut uses = Vec::with_capacity(tables.len());
    for (table, (name, element, length)) in tables.iter().zip(expected) {
        context.core().check_same(&format!("`{name}`"), table.context().core())?;
        let bytes = length as usize * element.size();
        if table.len() < bytes {
            return Err(DeviceMemoryError::OutOfRange { offset: 0, length: bytes, capacity: table.len() }.into());
        }
        let shares =
            |image: &Option<DeviceImage>| image.as_ref().is_some_and(|image| image.overlaps_bytes(table, 0, bytes));
        if let Some((output, _)) = plan.spec().outputs.iter().zip(outputs).find(|(_, image)| shares(image)) {
            return Err(RunError::Overlap { output: output.name, other: name }.into());
        }
        uses.push(table.begin_use(name, false)?);
    }
    Ok(uses)
}

/// An output may share no byte with another output or an input.
fn check_overlaps(
    plan: &KernelPlan,
    inputs: &[DeviceImage],
    outputs: &[Option<DeviceImage>],
) -> Result<(), OpenClError> {
    let spec = plan.spec();
    let found = overlap::find(inputs.iter().map(Some), outputs.iter().map(Option::as_ref), DeviceImage::overlaps);
    let Some(Overlap { output, other, with_output }) = found else { return Ok(()) };
    let read = || spec.read_images().nth(other).map_or("", |(argument, _)| argument);
    let other = if with_output { spec.outputs[other].name } else { read() };
    Err(RunError::Overlap { output: spec.outputs[output].name, other }.into())
}

fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), OpenClError> {
    if found == expected { Ok(()) } else { Err(OpenClError::Count { what, found, expected }) }
}
