//! A launch that computes nothing: whether the device takes a kernel's work-groups.

use crate::{
    buffer::Buffer,
    error::OpenClError,
    image::{device::DeviceImage, form::edge_sampler, sampled::SampledImage},
    launch::{Entry, Launch, Read, Sampled, Value, values::has_border_numbers},
    local::LocalSize,
    memory::{
        device::{DeviceMemory, Storage},
        form::MemForm,
    },
    queue::Submission,
};
use std::sync::Arc;
use windrow_runtime::{border::BorderModes, element::ElementType, info::TensorInfo, region::Rect};

/// The end of a window without elements, so far below its start that no block of it is left.
const NOWHERE: i32 = -(1 << 30);

impl Entry {
    /// Launches it once over a window without elements, from which every work-item returns at once, in groups of `local`, and
    /// waits. It is an entry of its own: its arguments serve no other run.
    pub fn try_once(mut self, borders: BorderModes, local: LocalSize) -> Result<(), OpenClError> {
        let (context, spec) = (self.context.clone(), self.code.spec());
        let (memory, sampler) = (DeviceMemory::new(&context), Arc::new(edge_sampler(&context)?));
        let pixel = |element: ElementType, channels: u32| {
            DeviceImage::new(&context, &TensorInfo::new(element, channels, &[1, 1]).map_err(OpenClError::Tensor)?)
        };
        let images = |input: ElementType| SampledImage::new(&memory, input, [1, 1], Storage::Separate);
        let (mut buffers, mut planes) = (Vec::new(), Vec::new());
        for (_, input) in spec.images() {
            match self.form {
                MemForm::Buffer => buffers.push(pixel(input.element, input.channels)?),
                MemForm::Image => planes.push(images(input.element)?),
            }
        }
        let sampled: Vec<_> = planes.iter().map(|image| Sampled { image, sampler: &sampler }).collect();
        let outputs = spec.outputs.iter().map(|output| pixel(output.element, output.channels).map(Some));
        let tables = spec.tables().map(|(_, element, length)| Buffer::new(&context, length as usize * element.size()));
        let launch = Launch {
            inputs: match self.form {
                MemForm::Buffer => Read::Buffers(&buffers),
                MemForm::Image => Read::Images(&sampled),
            },
            constants: &vec![0; spec.images().count()],
            outputs: &outputs.collect::<Result<Vec<_>, _>>()?,
            tables: &tables.collect::<Result<Vec<_>, _>>()?,
            words: &vec![0; (spec.words.uniforms + spec.words.derived) as usize],
            window: Rect::default(),
            planes: 1,
            borders,
            local,
        };
        self.check(&launch)?;
        self.bind(&launch)?;
        // The window's end comes last but for the borders.
        let end = self.bound.len() - usize::from(has_border_numbers(spec, self.form));
        for index in [end - 2, end - 1] {
            self.set(index, Value::Int(NOWHERE))?;
        }
        let queue = context.queue();
        self.enqueue(local.sizes([1; 3]), &Submission::on(queue), false)?;
        queue.sync()
    }
}
