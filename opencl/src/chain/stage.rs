//! A stage of a chain on a device: its code, and how it is enqueued on the images of the chain's values.

use crate::{
    Buffer, DeviceArguments, DeviceCode, DeviceCompiled, DeviceImage, DeviceMemory, FloatFormat, MemMode, OpenClError,
    Queue, Recording, Storage, Submission,
    arguments::Held,
    chain::{
        generated::{GeneratedStage, SharedTuner},
        values::{DeviceValues, ValueImages, copy_region, scalars_of, table},
    },
};
use std::{any::Any, sync::Arc};
use windrow_runtime::function::{Compiled, ComputedUniform, FunctionError, GeneratedCode, Stage};

/// A stage's code, and the tables that the chain keeps for it.
pub(super) struct DeviceStage {
    pub code: Arc<dyn DeviceCode>,
    pub tables: Vec<Buffer>,
}

impl DeviceStage {
    /// Builds the stage's program, tuned where there is a tuner, and uploads the tables that the chain keeps for it.
    pub fn new(
        memory: &DeviceMemory,
        stage: &Stage,
        mode: MemMode,
        tuner: &SharedTuner,
    ) -> Result<DeviceStage, FunctionError> {
        let code: Arc<dyn DeviceCode> = match stage.generated() {
            Some(code) => Arc::new(GeneratedStage::new(memory, code.plan(), mode, tuner)?),
            None => DeviceCompiled::of(stage.compiled()).ok_or_else(|| {
                let device = format!("on {}", memory.context().device().name);
                FunctionError::refused(stage.name(), device, "its code is not for an OpenCL device")
            })?,
        };
        let mut tables = Vec::new();
        for table in stage.tables() {
            let bytes = table.as_bytes();
            let buffer = memory.buffer(bytes.len(), Storage::Static)?;
            buffer.write(0, bytes)?;
            tables.push(buffer);
        }
        Ok(DeviceStage { code, tables })
    }

    /// Enqueues the stage, after all that was enqueued before.
    pub fn enqueue(
        &self,
        stage: &Stage,
        values: &DeviceValues,
        images: &ValueImages,
        queue: &Queue,
    ) -> Result<(), FunctionError> {
        let copy = |output: usize, from: &DeviceImage, to: &DeviceImage| {
            Ok(copy_region(&values.chain.values()[output], from, to, queue)?)
        };
        let Held { inputs, tables, outputs } = self.gather(stage, images, copy)?;
        let computed = with_uniforms(queue, stage, images)?;
        let plan = match computed.as_deref().and_then(GeneratedCode::of) {
            Some(code) => code.prepared(),
            None => stage.generated().map(|_| stage.prepared()).transpose()?,
        };
        let given = DeviceArguments { inputs: &inputs, tables: &tables, outputs: &outputs, plan };
        // SAFETY: the values have the types and shapes that the stage was lowered for, and memory of their own.
        unsafe { self.code.enqueue(&Submission::on(queue), &given) }?;
        // The next stage reads what this one writes.
        if queue.options().out_of_order { Ok(queue.wait_for(&[])?) } else { Ok(()) }
    }

    /// Adds the stage to a recording: a generated kernel that reads and writes these images, and nothing else.
    pub fn record(&self, stage: &Stage, images: &ValueImages, recording: &mut Recording) -> Result<(), FunctionError> {
        let refused = |reason: &str| FunctionError::refused(stage.name(), "in a recording", reason);
        let generated = self.generated().ok_or_else(|| refused("it is not a generated kernel"))?;
        if stage.computed_uniforms().len() > 0 {
            return Err(refused("its uniforms are computed on the device, and the host would wait for them"));
        }
        let copy = |_: usize, _: &DeviceImage, _: &DeviceImage| {
            Err(refused("what it computes in place is copied first, which a replay would not do"))
        };
        let held = self.gather(stage, images, copy)?;
        let (entry, sizes) = generated.runner.record(stage.prepared()?, held.given())?;
        recording.add_prepared(entry, sizes, held.given().memory());
        Ok(())
    }

    /// The images and tables of the stage. An image that is computed in place, and lies elsewhere, is for `copy` to bring there, with
    /// the number of the value that is computed.
    fn gather(
        &self,
        stage: &Stage,
        images: &ValueImages,
        copy: impl Fn(usize, &DeviceImage, &DeviceImage) -> Result<(), FunctionError>,
    ) -> Result<Held, FunctionError> {
        let mut inputs = Vec::new();
        for (index, &value) in stage.inputs().iter().enumerate() {
            let Some(alias) = stage.aliases().iter().find(|alias| alias.input == index) else {
                inputs.push(images.of(value)?);
                continue;
            };
            if let Some(output) = stage.outputs().get(alias.output).copied().flatten() {
                let (from, to) = (images.of(value)?, images.of(output)?);
                if !from.overlaps(&to) {
                    copy(output, &from, &to)?;
                }
            }
        }
        let mut kept = self.tables.iter();
        let mut tables = Vec::new();
        for value in stage.table_values() {
            match value {
                Some(value) => tables.push(table(&images.of(value)?)?),
                None => tables.extend(kept.next().map(Buffer::share)),
            }
        }
        let outputs = stage.outputs().iter().map(|value| value.map(|value| images.of(value)).transpose());
        Ok(Held { inputs, tables, outputs: outputs.collect::<Result<_, _>>()? })
    }

    /// Returns the program of a generated kernel.
    pub fn generated(&self) -> Option<&GeneratedStage> {
        (&*self.code as &dyn Any).downcast_ref()
    }
}

/// The code with the uniforms that values give, which are brought to the host; `None` where it has none such.
fn with_uniforms(
    queue: &Queue,
    stage: &Stage,
    images: &ValueImages,
) -> Result<Option<Box<dyn Compiled>>, FunctionError> {
    if stage.computed_uniforms().len() == 0 {
        return Ok(None);
    }
    // What computes them may be on another queue than what reads them now.
    queue.sync()?;
    let mut computed = Vec::new();
    for (index, _, value) in stage.computed_uniforms() {
        computed.push(ComputedUniform { index, scalars: scalars_of(&images.of(value)?)? });
    }
    let compiled = stage.compiled().with_uniforms(&computed);
    compiled.map(Some).map_err(|error| FunctionError::of_stage(stage.name(), error))
}

/// The format of all floats between these stages, and of the caller's.
pub(super) fn format_of<'s>(
    stages: impl Iterator<Item = (&'s Stage, &'s DeviceStage)>,
) -> Result<FloatFormat, OpenClError> {
    let mut format = None;
    for (stage, device) in stages {
        let Some(found) = device.code.format() else { continue };
        let expected = *format.get_or_insert(found);
        if found != expected {
            return Err(OpenClError::FloatFormat { argument: stage.name().to_string(), found, expected });
        }
    }
    Ok(format.unwrap_or_default())
}
