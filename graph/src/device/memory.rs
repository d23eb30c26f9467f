//! Where the tensors of a plan lie on a device, and what each of its steps launches there.

use std::{collections::BTreeSet, sync::Arc};

use windrow::{
    Error, TensorInfo,
    memory::Place,
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

/// The tensors of a plan on a device: those that steps there read and write.
pub(super) struct Memory<'p> {
    plan: &'p Plan,
    memory: &'p DeviceMemory,
    pub inputs: Vec<Option<DeviceImage>>,
    pub outputs: Vec<Option<DeviceImage>>,
    /// The memory of the intermediates, cut as the plan cuts the processor's.
    blocks: Vec<Option<Arc<Buffer>>>,
    /// Constants as steps read them, so that each is brought there once.
    constants: Vec<(Slot, DeviceImage)>,
    /// What a step needs for itself; the next one uses it again.
    scratch: Arc<Buffer>,
}

impl<'p> Memory<'p> {
    /// The memory that those steps need that are to be computed on the device.
    pub fn new(plan: &'p Plan, memory: &'p DeviceMemory, on_device: &[bool]) -> Result<Memory<'p>, DevicePlanError> {
        let used = Used::new(plan, on_device);
        let of = |root: Root, named: &Named| {
            let info = TensorInfo::new(named.info.dtype(), 1, &named.info.shape().extents())?;
            let tensor = || Ok::<_, DevicePlanError>(memory.tensor(&info, Storage::Static)?);
            used.contains(root).then(tensor).transpose()
        };
        let inputs = plan.inputs.iter().enumerate().map(|(input, named)| of(Root::Input(input), named));
        let outputs = plan.outputs.iter().enumerate().map(|(output, named)| of(Root::Output(output), named));
        let (inputs, outputs) = (inputs.collect::<Result<_, _>>()?, outputs.collect::<Result<_, _>>()?);
        let block = |bytes: usize| Ok::<_, OpenClError>(Arc::new(memory.buffer(bytes, Storage::Static)?));
        let blocks = plan.group.plan().blocks.iter().enumerate().map(|(index, found)| {
            let is_used = used.buffers().any(|buffer| plan.place(buffer).is_some_and(|place| place.block == index));
            is_used.then(|| block(found.size)).transpose()
        });
        let blocks = blocks.collect::<Result<_, _>>()?;
        let mut made = Memory { plan, memory, inputs, outputs, blocks, constants: Vec::new(), scratch: block(1)? };
        made.scratch = block(made.scratch_bytes(on_device))?;
        Ok(made)
    }

    /// What computes each step; with the processor it is, too, what the device refuses, if that may be.
    pub fn steps(&mut self, on_device: &[bool], falls_back: bool) -> Result<Vec<Computed>, DevicePlanError> {
        let plan = self.plan;
        let computed =
            plan.steps.iter().zip(on_device).map(|(step, &on_device)| match on_device.then(|| self.step(step)) {
                None => Ok(Computed::OnProcessor { refused: None }),
                Some(Ok(launches)) => Ok(Computed::OnDevice(launches)),
                Some(Err(error)) if falls_back => Ok(Computed::OnProcessor { refused: Some(error) }),
                Some(Err(error)) => {
                    let (node, kernel) = (step.node.clone(), step.kernel());
                    Err(DevicePlanError::Step { node, kernel, error: Box::new(error) })
                }
            });
        computed.collect()
    }

    /// Lets go of inputs and outputs that none of the steps on the device needs.
    pub fn keep_used(&mut self, on_device: &[bool]) {
        let used = Used::new(self.plan, on_device);
        let keep = |images: &mut [Option<DeviceImage>], root: fn(usize) -> Root| {
            let unused = images.iter_mut().enumerate().filter(|(index, _)| !used.contains(root(*index)));
            unused.for_each(|(_, image)| *image = None);
        };
        keep(&mut self.inputs, Root::Input);
        keep(&mut self.outputs, Root::Output);
    }

    /// A kernel, between copies of what it can't read or write where it lies.
    fn step(&mut self, step: &Step) -> Result<Vec<Launch>, Error> {
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
    fn copied(&mut self, from: &Slot, to: &Slot) -> Result<Vec<Launch>, Error> {
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
    pub fn region(&self, slot: &Slot) -> Result<Region, OpenClError> {
        let of = |image: &DeviceImage| (image.buffer().clone(), image.offset());
        let found = match slot.root {
            Root::Input(input) => self.inputs.get(input).and_then(Option::as_ref).map(of),
            Root::Output(output) => self.outputs.get(output).and_then(Option::as_ref).map(of),
            Root::Memory(buffer) => self.plan.place(buffer).and_then(|place| {
                let block = self.blocks.get(place.block).and_then(Option::as_ref)?;
                Some((block.clone(), place.offset))
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
    fn scratch_bytes(&self, on_device: &[bool]) -> usize {
        let is_otherwise = |slot: &&Slot| self.region(slot).is_ok_and(|region| matches!(region.image(), Ok(None)));
        let of_step = |step: &Step| {
            let slots = step.reads.iter().chain([&step.writes]).map(|bound| &bound.slot);
            slots.filter(is_otherwise).map(packed_bytes).sum()
        };
        let steps = self.plan.steps.iter().zip(on_device).filter(|(_, on_device)| **on_device);
        steps.map(|(step, _)| of_step(step)).max().unwrap_or(0)
    }

    fn context(&self) -> &Context {
        self.memory.context()
    }
}

/// What computes a step.
pub(super) enum Computed {
    /// What is launched for it.
    OnDevice(Vec<Launch>),
    /// The processor; and why not the device, where that was asked.
    OnProcessor { refused: Option<Error> },
}

/// The memory that steps on the device read and write; all, where no step is elsewhere.
struct Used {
    roots: BTreeSet<Root>,
    is_all: bool,
}

impl Used {
    fn new(plan: &Plan, on_device: &[bool]) -> Used {
        let steps = plan.steps.iter().zip(on_device).filter(|(_, on_device)| **on_device);
        let roots = steps.flat_map(|(step, _)| step.reads.iter().chain([&step.writes]).map(|bound| bound.slot.root));
        Used { roots: roots.collect(), is_all: on_device.iter().all(|&on_device| on_device) }
    }

    fn contains(&self, root: Root) -> bool {
        self.is_all || self.roots.contains(&root)
    }

    fn buffers(&self) -> impl Iterator<Item = usize> {
        self.roots.iter().filter_map(|root| match root {
            Root::Memory(buffer) => Some(*buffer),
            Root::Input(_) | Root::Output(_) | Root::Constant(_) => None,
        })
    }
}

impl Plan {
    /// Where an intermediate lies in the memory of a run; `None` of one that no step needs.
    fn place(&self, buffer: usize) -> Option<Place> {
        let found = self.intermediates.get(buffer).copied().flatten()?;
        self.group.plan().places.get(found.number).copied()
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
