//! Moves tensors between the device and the processor, as [`transfers`](super::transfers) has planned it.

use windrow::{
    AnyView, AnyViewMut, ValidRegion,
    memory::MemoryError,
    opencl::{DeviceImage, OpenClError},
};

use crate::{
    device::{
        error::RunOnDeviceError,
        strided::{Along, Region, dimensions},
        transfers::{Direction, Transfer},
    },
    error::RunPlanError,
    run::Run,
    slot::{Bound, Root, Slot},
};

/// A transfer, and both ends of it.
pub(super) struct Exchange {
    pub transfer: Transfer,
    pieces: Vec<Piece>,
}

/// Elements that one call moves: where they lie on the device, and where with the processor.
struct Piece {
    device: DeviceImage,
    processor: Bound,
}

/// A run's memory with the processor.
pub(super) enum Host<'r, 't> {
    /// The caller's tensors alone: the processor computes no step.
    Caller { inputs: &'r [AnyView<'r>], outputs: &'r mut [AnyViewMut<'t>] },
    /// The caller's tensors and intermediates.
    Run(Run<'r>),
}

impl Exchange {
    /// A transfer of what lies in `region` on the device, and in its slot with the processor.
    pub fn new(transfer: Transfer, region: &Region) -> Result<Exchange, OpenClError> {
        let mut pieces = Vec::new();
        match region.image()? {
            Some(device) => pieces.push(Piece { device, processor: Bound::new(region.slot.clone()) }),
            None if region.slot.extents.contains(&0) => {}
            None => cut(region, region.slot.offset, &dimensions(&region.slot, &region.slot), &mut pieces)?,
        }
        Ok(Exchange { transfer, pieces })
    }

    /// Moves the elements, and waits until that is done.
    pub fn run(&self, host: &mut Host<'_, '_>) -> Result<(), RunOnDeviceError> {
        self.pieces.iter().try_for_each(|Piece { device, processor }| match self.transfer.direction {
            Direction::ToDevice => Ok(device.write(&host.read(processor)?)?),
            Direction::ToProcessor => {
                let whole = ValidRegion::whole(device.info().shape());
                Ok(device.download(&whole, &mut host.write(processor)?)?)
            }
        })
    }
}

/// Pieces of these dimensions from this place on: one, or those of each index along the outermost dimension. Their dimensions go by their
/// distances in memory, which are the same on both sides.
fn cut(region: &Region, place: usize, dimensions: &[Along], pieces: &mut Vec<Piece>) -> Result<(), OpenClError> {
    let (extents, strides) = dimensions.iter().map(|along| (along.extent, along.to)).unzip();
    let slot = Slot { offset: place, extents, strides, ..region.slot };
    let part = Region { slot, ..region.clone() };
    match (part.image(), dimensions) {
        (Ok(Some(device)), _) => pieces.push(Piece { device, processor: Bound::new(part.slot) }),
        // More dimensions than a tensor has, or such as no command copies.
        (Ok(None) | Err(OpenClError::Tensor(_)), [outer, inner @ ..]) => {
            for index in 0..outer.extent {
                cut(region, place + index * outer.to, inner, pieces)?;
            }
        }
        (Ok(None), []) => return Err(OpenClError::Memory(MemoryError::NotPopulated.into())),
        (Err(error), _) => return Err(error),
    }
    Ok(())
}

impl Host<'_, '_> {
    /// A tensor of the processor's, to be brought to the device.
    fn read(&mut self, bound: &Bound) -> Result<AnyView<'_>, RunPlanError> {
        match self {
            Host::Run(run) => run.read(bound),
            Host::Caller { inputs, .. } => match bound.slot.root {
                Root::Input(input) => inputs.get(input).map(|view| view.without_quantization()).ok_or(MISSING),
                Root::Output(_) | Root::Constant(_) | Root::Memory(_) => Err(MISSING),
            },
        }
    }

    /// A tensor of the processor's, to be brought from the device.
    fn write(&mut self, bound: &Bound) -> Result<AnyViewMut<'_>, RunPlanError> {
        match self {
            Host::Run(run) => run.write(bound),
            Host::Caller { outputs, .. } => match bound.slot.root {
                Root::Output(output) => {
                    outputs.get_mut(output).map(|view| view.reborrow().without_quantization()).ok_or(MISSING)
                }
                Root::Input(_) | Root::Constant(_) | Root::Memory(_) => Err(MISSING),
            },
        }
    }
}

/// Memory that the plan lacks: none that a transfer names.
const MISSING: RunPlanError = RunPlanError::Intermediates(MemoryError::NotPopulated);
