//! A kernel of a chain on a device: its entry, and what stays the same from run to run.

use crate::{
    configure::Plan,
    function::{Chain, FunctionError, Stage},
    infer::{element_wise, images},
    info::TensorInfo,
    opencl::{
        arguments::{bytes_of_table, constant_words},
        buffer::Buffer,
        error::OpenClError,
        image::{DeviceImage, repeats_by_strides},
        launch::{Entry, Launch, LocalSize, Read, preferred},
        memory::{DeviceMemory, Storage},
        queue::{Queue, Submission},
    },
};
use std::vec::Vec;

#[derive(Debug)]
pub(super) struct DeviceStage {
    entry: Entry,
    tables: Vec<Buffer>,
}

impl DeviceStage {
    /// Builds the stage's program, and uploads its tables.
    pub fn new(memory: &DeviceMemory, chain: &Chain, stage: &Stage) -> Result<DeviceStage, OpenClError> {
        let (plan, context) = (&stage.plan, memory.context());
        check_shapes(plan, chain, stage)?;
        let program = context.programs().get(&context.programs().source_of(plan.code)?)?;
        let schedule = preferred(context.device(), plan.code, plan.index);
        let entry = Entry::new(context, &program, plan.code, plan.index, schedule)?;
        let mut tables = Vec::new();
        for table in stage.tables.list() {
            let bytes = bytes_of_table(&table);
            let buffer = memory.buffer(bytes.len(), Storage::Static)?;
            buffer.write(0, bytes)?;
            tables.push(buffer);
        }
        Ok(DeviceStage { entry, tables })
    }

    /// Enqueues the stage on the images of the chain's slots.
    pub fn enqueue(&mut self, queue: &Queue, stage: &Stage, slots: &[DeviceImage]) -> Result<(), FunctionError> {
        let plan = stage.prepared()?;
        let outputs: Vec<_> = stage.outputs.iter().map(|slot| slot.map(|slot| slots[slot].clone())).collect();
        let launch = Launch {
            inputs: Read::Buffers(&inputs(plan, stage, slots)),
            constants: &constant_words(plan),
            outputs: &outputs,
            tables: &self.tables,
            words: plan.words(),
            window: plan.valid.plane(),
            planes: plan.shape.extents()[2..].iter().product(),
            borders: plan.borders.modes(),
            local: LocalSize::Driver,
        };
        self.entry.submit(&launch, &Submission::on(queue), false)?;
        // The next stage reads what this one writes.
        if queue.options().out_of_order { Ok(queue.wait_for(&[])?) } else { Ok(()) }
    }
}

/// The images read; those that broadcast are shown in full.
fn inputs(plan: &Plan, stage: &Stage, slots: &[DeviceImage]) -> Vec<DeviceImage> {
    let read = images(plan.spec()).zip(&stage.inputs).map(|((_, input), &slot)| (input, &slots[slot]));
    let shown = read.map(|(input, image)| if element_wise(input) { image.repeated(&plan.shape) } else { None });
    stage.inputs.iter().zip(shown).map(|(&slot, shown)| shown.unwrap_or_else(|| slots[slot].clone())).collect()
}

/// Entries read every element where it is: an image that is broadcast must be shown in full by strides.
fn check_shapes(plan: &Plan, chain: &Chain, stage: &Stage) -> Result<(), OpenClError> {
    for (((argument, input), &slot), shape) in images(plan.spec()).zip(&stage.inputs).zip(plan.inputs) {
        let found = chain.slots[slot].info;
        let shape = if element_wise(input) { plan.shape } else { shape };
        if found.shape() == shape || element_wise(input) && repeats_by_strides(&found.shape(), &shape) {
            continue;
        }
        let expected = TensorInfo::new(input.element, input.channels, &shape.extents()).map_err(OpenClError::Tensor)?;
        return Err(OpenClError::Image {
            argument,
            found: found.shape(),
            expected: expected.shape(),
            found_element: found.element(),
            expected_element: expected.element(),
        });
    }
    Ok(())
}
