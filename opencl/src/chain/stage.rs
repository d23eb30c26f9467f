//! A kernel of a chain on a device: what runs it, and what stays the same from run to run.

use crate::{
    buffer::Buffer,
    error::OpenClError,
    image::DeviceImage,
    kernel::{Given, Inputs, Runner},
    memory::{DeviceMemory, Storage},
    queue::{Queue, Submission},
};
use std::vec::Vec;
use windrow_runtime::function::{FunctionError, Stage};

pub(super) struct DeviceStage {
    pub runner: Runner,
    tables: Vec<Buffer>,
}

impl DeviceStage {
    /// Builds the stage's program in the context's precision, and uploads its tables.
    pub fn new(memory: &DeviceMemory, stage: &Stage) -> Result<DeviceStage, OpenClError> {
        let context = memory.context();
        let runner = Runner::new(context, stage.plan(), context.precision())?;
        let mut tables = Vec::new();
        for table in stage.tables() {
            let bytes = table.as_bytes();
            let buffer = memory.buffer(bytes.len(), Storage::Static)?;
            buffer.write(0, bytes)?;
            tables.push(buffer);
        }
        Ok(DeviceStage { runner, tables })
    }

    /// Enqueues the stage on the images of the chain's slots.
    pub fn enqueue(&self, queue: &Queue, stage: &Stage, slots: &[DeviceImage]) -> Result<(), FunctionError> {
        let inputs: Vec<_> = stage.inputs().iter().map(|&slot| slots[slot].clone()).collect();
        let outputs: Vec<_> = stage.outputs().iter().map(|slot| slot.map(|slot| slots[slot].clone())).collect();
        let given = Given { inputs: Inputs::Buffers(&inputs), tables: &self.tables, outputs: &outputs };
        self.runner.enqueue(stage.prepared()?, &Submission::on(queue), given, false)?;
        // The next stage reads what this one writes.
        if queue.options().out_of_order { Ok(queue.wait_for(&[])?) } else { Ok(()) }
    }
}
