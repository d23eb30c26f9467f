//! Copies on a device between tensors that lie in any order, by the library's `as_strided`.

use std::sync::Arc;

use windrow::{
    ElementType, Error, TensorInfo,
    opencl::{Buffer, Context, DeviceImage, OpenClError},
};
use windrow_operators::as_strided;

use crate::{
    call::{MaybeConfigured, any},
    device::kernel::{self, Launch},
    slot::Slot,
};

/// Dimensions that `as_strided` writes.
const RANK: usize = 4;

/// A tensor in a buffer, `bytes` behind whose start its memory begins.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub buffer: Arc<Buffer>,
    pub bytes: usize,
    pub slot: Slot,
}

impl Region {
    /// The tensor as a kernel takes it; `None` where its strides are none that a kernel takes.
    pub fn image(&self) -> Result<Option<DeviceImage>, OpenClError> {
        self.image_of(&self.slot.info()?, self.slot.offset)
    }

    /// As [`Region::image`], of any extents, this many elements behind the start of the memory.
    fn image_of(&self, info: &TensorInfo, offset: usize) -> Result<Option<DeviceImage>, OpenClError> {
        let start = self.bytes + offset * self.slot.element.size();
        match DeviceImage::with_layout(self.buffer.clone(), start, *info) {
            Ok(image) => Ok(Some(image)),
            Err(
                OpenClError::Stride { .. }
                | OpenClError::RowStride { .. }
                | OpenClError::PlaneStride { .. }
                | OpenClError::Tensor(_),
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A dimension of a copy: its extent, and its strides in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Along {
    pub extent: usize,
    pub from: usize,
    pub to: usize,
}

/// What copies one tensor to another of its extents: a launch, or several where no strides say where all of it goes.
pub(super) fn copies(context: &Context, from: &Region, to: &Region) -> Result<Vec<Launch>, Error> {
    let mut launches = Vec::new();
    if from.slot.extents.iter().all(|&extent| extent > 0) {
        let dimensions = dimensions(&from.slot, &to.slot);
        let places = [from.slot.offset, to.slot.offset];
        copy(&mut launches, context, [from, to], places, &dimensions)?;
    }
    Ok(launches)
}

/// The dimensions of a copy, those first that lie furthest apart where it is written, as few as say the same; the last one's elements
/// lie side by side there.
pub(super) fn dimensions(from: &Slot, to: &Slot) -> Vec<Along> {
    let strides = from.strides.iter().zip(&to.strides);
    let all = from.extents.iter().zip(strides).map(|(&extent, (&from, &to))| Along { extent, from, to });
    let mut all: Vec<Along> = all.filter(|along| along.extent > 1).collect();
    all.sort_by_key(|along| std::cmp::Reverse(along.to));
    let mut joined: Vec<Along> = Vec::with_capacity(all.len());
    for along in all {
        let whole = [along.extent * along.from, along.extent * along.to];
        match joined.last_mut() {
            Some(outer) if [outer.from, outer.to] == whole => {
                *outer = Along { extent: outer.extent * along.extent, ..along }
            }
            _ => joined.push(along),
        }
    }
    if joined.last().is_none_or(|last| last.to != 1) {
        joined.push(Along { extent: 1, from: 1, to: 1 });
    }
    joined
}

/// A launch for these dimensions from these places on, or for each index along the outermost of them.
fn copy(
    launches: &mut Vec<Launch>,
    context: &Context,
    regions: [&Region; 2],
    places: [usize; 2],
    dimensions: &[Along],
) -> Result<(), Error> {
    if let Some(launch) = launch(context, regions, places, dimensions)? {
        launches.push(launch);
        return Ok(());
    }
    let [outer, inner @ ..] = dimensions else { return Ok(()) };
    for index in 0..outer.extent {
        let places = [places[0] + index * outer.from, places[1] + index * outer.to];
        copy(launches, context, regions, places, inner)?;
    }
    Ok(())
}

/// One launch for these dimensions; `None` where they are too many, or lie where no kernel writes.
fn launch(
    context: &Context,
    [from, to]: [&Region; 2],
    places: [usize; 2],
    dimensions: &[Along],
) -> Result<Option<Launch>, Error> {
    if dimensions.len() > RANK {
        return Ok(None);
    }
    let element = from.slot.element;
    let mut all = [Along { extent: 1, from: 0, to: 0 }; RANK];
    all[RANK - dimensions.len()..].copy_from_slice(dimensions);
    let span = 1 + all.iter().map(|along| (along.extent - 1) * along.from).sum::<usize>();
    // Elements behind the last one along the outermost dimension that has more than one.
    let outermost = dimensions.first().map_or(1, |along| along.extent * along.to);
    let strides = all.map(|along| if along.to == 0 { outermost } else { along.to });
    let strides = strides.map(|stride| (stride * element.size()).cast_signed());
    let info = TensorInfo::with_strides(element, 1, &all.map(|along| along.extent), &strides)?;
    let Some(writes) = to.image_of(&info, places[1])? else { return Ok(None) };
    let flat = TensorInfo::new(element, 1, &[span]);
    let reads = match flat {
        Ok(flat) => from.image_of(&flat, places[0])?,
        Err(_) => None,
    };
    let steps = all.map(|along| i32::try_from(along.from));
    let (Some(reads), [Ok(a), Ok(b), Ok(c), Ok(d)]) = (reads, steps) else { return Ok(None) };
    let infos = [*reads.info(), *writes.info()];
    match configured(element, infos, [a, b, c, d]) {
        Some(configured) => kernel::launch(context, configured?, vec![reads], writes).map(Some),
        None => Err(OpenClError::ElementType { found: element.into() }.into()),
    }
}

/// The kernel that copies these elements; `None` of a type that no value of a plan has.
fn configured(element: ElementType, [src, out]: [TensorInfo; 2], strides: [i32; RANK]) -> Option<MaybeConfigured> {
    match element {
        ElementType::F32 => Some(any(as_strided::<f32>::configure(&src, 0, strides, &out))),
        ElementType::I32 => Some(any(as_strided::<i32>::configure(&src, 0, strides, &out))),
        ElementType::U8 => Some(any(as_strided::<u8>::configure(&src, 0, strides, &out))),
        ElementType::I8 => Some(any(as_strided::<i8>::configure(&src, 0, strides, &out))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use windrow::{
        ValidRegion, View, ViewMut,
        opencl::{DeviceMemory, Storage},
    };

    use super::*;
    use crate::slot::Root;

    fn slot(extents: &[usize], strides: &[usize], offset: usize) -> Slot {
        let (extents, strides) = (extents.to_vec(), strides.to_vec());
        Slot { root: Root::Memory(0), element: ElementType::F32, offset, extents, strides }
    }

    #[test]
    fn dimensions_that_follow_each_other_are_one() {
        let along = |extent, from, to| Along { extent, from, to };
        let packed = Slot::packed(Root::Memory(0), &[2, 3, 4, 5]);
        assert_eq!(dimensions(&packed, &packed), [along(120, 1, 1)]);
        // An image whose channels are last, to where they are first.
        assert_eq!(
            dimensions(&packed.clone().channels_last(), &packed),
            [along(2, 60, 60), along(3, 1, 20), along(20, 3, 1)]
        );
        assert_eq!(dimensions(&slot(&[7], &[2], 0), &slot(&[7], &[3], 0)), [along(7, 2, 3), along(1, 1, 1)]);
        assert_eq!(dimensions(&slot(&[1, 1], &[9, 9], 0), &slot(&[1, 1], &[4, 4], 0)), [along(1, 1, 1)]);
    }

    #[test]
    fn tensors_in_any_order_are_copied() {
        let Ok(context) = Context::open() else { return };
        let memory = DeviceMemory::new(&context);
        let cases = [
            // Channels first, from channels last.
            (slot(&[2, 3, 4, 5], &[60, 1, 15, 3], 7), slot(&[2, 3, 4, 5], &[60, 20, 5, 1], 3), 1),
            // A part of each row of images that lie no whole number of rows apart: an image at a time.
            (slot(&[2, 3, 4, 4], &[48, 16, 4, 1], 0), slot(&[2, 3, 4, 4], &[119, 1, 15, 3], 4), 2),
            // A row that repeats, into every second element.
            (slot(&[4, 6], &[0, 1], 5), slot(&[4, 6], &[12, 2], 0), 1),
            // More dimensions than there are, none of which follow each other.
            (slot(&[2, 2, 2, 2, 3], &[1, 2, 4, 8, 16], 0), slot(&[2, 2, 2, 2, 3], &[24, 12, 6, 3, 1], 0), 2),
        ];
        for (from, to, launches) in cases {
            let elements: Vec<f32> = (0..256).map(|place| place as f32).collect();
            let info = TensorInfo::new(ElementType::F32, 1, &[256]).unwrap();
            let [src, out] = [1.0, -1.0].map(|sign| {
                let image = memory.tensor(&info, Storage::Dynamic).unwrap();
                let elements: Vec<f32> = elements.iter().map(|element| sign * element).collect();
                image.write(&View::from_slice(&elements, [256]).unwrap().any()).unwrap();
                image
            });
            let region = |image: &DeviceImage, slot: &Slot| Region {
                buffer: image.buffer().clone(),
                bytes: image.offset(),
                slot: slot.clone(),
            };
            let found = copies(&context, &region(&src, &from), &region(&out, &to)).unwrap();
            assert_eq!(found.len(), launches);
            found.iter().for_each(|launch| launch.enqueue().unwrap());
            let mut expected: Vec<f32> = elements.iter().map(|element| -element).collect();
            from.places().zip(to.places()).for_each(|(from, to)| expected[to] = elements[from]);
            let mut written = vec![0.0; 256];
            let mut view = ViewMut::from_slice(&mut written, [256]).unwrap().any();
            out.download(&ValidRegion::whole(info.shape()), &mut view).unwrap();
            assert_eq!(written, expected, "{from:?} {to:?}");
        }
    }
}
