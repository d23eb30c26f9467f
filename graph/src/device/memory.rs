//! Where the tensors of a plan lie on a device, and what each of its steps launches there.

use std::sync::Arc;

use windrow::{
    TensorInfo,
    opencl::{Buffer, Context, DeviceImage, DeviceMemory, OpenClError, Storage},
};

use crate::{
    call::Call,
    device::{
        error::DevicePlanError,
        kernel::{Launch, build},
        strided::{Region, copies},
    },
    plan::{Named, Plan},
    slot::{Bound, Root, Slot},
    step::Step,
};

/// The tensors of a plan on a device.
pub(super) struct Memory<'p> {
    plan: &'p Plan,
    memory: &'p DeviceMemory,
    pub inputs: Vec<DeviceImage>,
    pub outputs: Vec<DeviceImage>,
    /// The memory of the intermediates, cut as the plan cuts the processor's.
    blocks: Vec<Arc<Buffer>>,
    /// Constants as steps read them, so that each is brought there once.
    constants: Vec<(Slot, DeviceImage)>,
    /// What a step needs for itself; the next one uses it again.
    scratch: Arc<Buffer>,
}

impl<'p> Memory<'p> {
    pub fn new(plan: &'p Plan, memory: &'p DeviceMemory) -> Result<Memory<'p>, DevicePlanError> {
        let of = |named: &Named| {
            let info = TensorInfo::new(named.info.dtype(), 1, &named.info.shape().extents())?;
            Ok::<_, DevicePlanError>(memory.tensor(&info, Storage::Static)?)
        };
        let inputs = plan.inputs.iter().map(of).collect::<Result<_, _>>()?;
        let outputs = plan.outputs.iter().map(of).collect::<Result<_, _>>()?;
        let block = |bytes: usize| Ok::<_, OpenClError>(Arc::new(memory.buffer(bytes, Storage::Static)?));
        let blocks = plan.group.plan().blocks.iter().map(|found| block(found.size)).collect::<Result<_, _>>()?;
        let mut made = Memory { plan, memory, inputs, outputs, blocks, constants: Vec::new(), scratch: block(1)? };
        made.scratch = block(made.scratch_bytes())?;
        Ok(made)
    }

    /// What each step launches.
    pub fn launches(mut self) -> Result<(Memory<'p>, Vec<Vec<Launch>>), DevicePlanError> {
        let plan = self.plan;
        let launches = plan.steps.iter().map(|step| {
            let (node, kernel) = (step.node.clone(), step.kernel());
            self.step(step).map_err(|error| DevicePlanError::Step { node, kernel, error: Box::new(error) })
        });
        let launches = launches.collect::<Result<_, _>>()?;
        Ok((self, launches))
    }

    /// A kernel, between copies of what it can't read or write where it lies.
    fn step(&mut self, step: &Step) -> Result<Vec<Launch>, windrow::Error> {
        if let (Call::copy {}, [from]) = (&step.call, &step.reads[..]) {
            return self.copied(&from.slot, &step.writes.slot);
        }
        let (mut launches, mut behind, mut at) = (Vec::new(), Vec::new(), 0);
        let mut reads = Vec::with_capacity(step.reads.len());
        for Bound { slot, .. } in &step.reads {
            reads.push(match self.image(slot)? {
                Some(image) => image,
                None => {
                    let region = self.region(slot)?;
                    let (image, packed) = self.packed(slot, &mut at)?;
                    launches.extend(copies(self.context(), &region, &packed)?);
                    image
                }
            });
        }
        let slot = &step.writes.slot;
        let writes = match self.image(slot)? {
            Some(image) => image,
            None => {
                let (image, packed) = self.packed(slot, &mut at)?;
                behind = copies(self.context(), &packed, &self.region(slot)?)?;
                image
            }
        };
        launches.push(build(self.context(), &step.call, reads, writes)?);
        launches.append(&mut behind);
        Ok(launches)
    }

    /// A copy between two tensors.
    fn copied(&mut self, from: &Slot, to: &Slot) -> Result<Vec<Launch>, windrow::Error> {
        let region = match from.root {
            // A constant lies there as its reader takes it.
            Root::Constant(_) => {
                let image = self.image(from)?.ok_or(missing())?;
                Region { buffer: image.buffer().clone(), bytes: image.offset(), slot: from.like(&from.extents) }
            }
            Root::Input(_) | Root::Output(_) | Root::Memory(_) => self.region(from)?,
        };
        copies(self.context(), &region, &self.region(to)?)
    }

    /// A tensor where a kernel can read and write it: its rows side by side, and its planes equally far apart. `None` of one that lies
    /// otherwise.
    fn image(&mut self, slot: &Slot) -> Result<Option<DeviceImage>, OpenClError> {
        if let Root::Constant(constant) = slot.root {
            return self.constant(constant, slot).map(Some);
        }
        self.region(slot)?.image()
    }

    /// A constant as a step reads it, without gaps.
    fn constant(&mut self, constant: usize, slot: &Slot) -> Result<DeviceImage, OpenClError> {
        if let Some((_, image)) = self.constants.iter().find(|(found, _)| found == slot) {
            return Ok(image.clone());
        }
        let array = self.plan.constants.get(constant).ok_or(missing())?;
        let view = array.read().view(&Bound::new(slot.clone())).ok_or(missing())??;
        let image = self.memory.tensor(view.info(), Storage::Static)?;
        image.write(&view)?;
        self.constants.push((slot.clone(), image.clone()));
        Ok(image)
    }

    /// Where a tensor lies that is no constant.
    fn region(&self, slot: &Slot) -> Result<Region, OpenClError> {
        let of = |image: &DeviceImage| (image.buffer().clone(), image.offset());
        let found = match slot.root {
            Root::Input(input) => self.inputs.get(input).map(of),
            Root::Output(output) => self.outputs.get(output).map(of),
            Root::Memory(buffer) => self.plan.intermediates.get(buffer).copied().flatten().and_then(|found| {
                let place = self.plan.group.plan().places.get(found.number)?;
                Some((self.blocks.get(place.block)?.clone(), place.offset))
            }),
            Root::Constant(_) => None,
        };
        let (buffer, bytes) = found.ok_or(missing())?;
        Ok(Region { buffer, bytes, slot: slot.clone() })
    }

    /// Memory without gaps for as many elements as a tensor has, behind what the step has taken already.
    fn packed(&self, slot: &Slot, at: &mut usize) -> Result<(DeviceImage, Region), OpenClError> {
        let region = Region { buffer: self.scratch.clone(), bytes: *at, slot: slot.like(&slot.extents) };
        *at += packed_bytes(slot);
        Ok((region.image()?.ok_or(missing())?, region))
    }

    /// What the step that needs most has to have packed.
    fn scratch_bytes(&self) -> usize {
        let is_otherwise = |slot: &&Slot| self.region(slot).is_ok_and(|region| matches!(region.image(), Ok(None)));
        let of_step = |step: &Step| {
            let slots = step.reads.iter().chain([&step.writes]).map(|bound| &bound.slot);
            slots.filter(is_otherwise).map(packed_bytes).sum()
        };
        self.plan.steps.iter().map(of_step).max().unwrap_or(0)
    }

    fn context(&self) -> &Context {
        self.memory.context()
    }
}

/// The bytes of a tensor without gaps, and up to where the next one may lie.
fn packed_bytes(slot: &Slot) -> usize {
    (slot.extents.iter().product::<usize>() * slot.element.size()).next_multiple_of(64)
}

/// A place that the plan lacks: none that a plan has.
fn missing() -> OpenClError {
    OpenClError::Memory(windrow::memory::MemoryError::NotPopulated.into())
}
