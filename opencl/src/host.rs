//! The host's images of a run, and their places on a device.
//!
//! A run of a part of the window moves only the rows that the part reads and writes.

use crate::{Buffer, Context, DeviceImage, FloatFormat, OpenClError};
use std::ptr::NonNull;
use windrow_runtime::{
    Bound,
    arguments::AnyTable,
    border::Border,
    configure::KernelPlan,
    info::TensorInfo,
    region::{Rect, ValidRegion},
    spec::InputSpec,
    view::{AnyView, AnyViewMut},
};

/// What a job is bound to: the views read, and the images written, exclusively for as long as the job.
#[derive(Clone)]
pub(super) struct HostImages<'a> {
    inputs: Vec<AnyView<'a>>,
    outputs: Vec<Option<(NonNull<u8>, TensorInfo)>>,
    tables: Vec<AnyTable<'a>>,
}

// SAFETY: the outputs are borrowed exclusively; who runs parts at once gives them disjoint windows.
unsafe impl Send for HostImages<'_> {}
// SAFETY: as above.
unsafe impl Sync for HostImages<'_> {}

impl<'a> HostImages<'a> {
    pub fn of(bound: &Bound<'a>) -> Self {
        Self {
            inputs: bound.inputs().copied().collect(),
            outputs: bound.outputs().collect(),
            tables: bound.tables().copied().collect(),
        }
    }

    /// Returns the views read, in argument order, with the rows that `window` reads.
    pub fn read(&self, plan: &KernelPlan, window: Rect) -> impl Iterator<Item = (&AnyView<'a>, Rect)> {
        self.inputs.iter().zip(plan.spec().images()).enumerate().map(move |(index, (view, (_, input)))| {
            (view, rows_read(input, plan.borders().of(index), window, view.info()))
        })
    }

    /// Returns whether each view has every element that is read: none repeats.
    pub fn are_whole(&self, plan: &KernelPlan) -> bool {
        let expected = plan.spec().images().zip(plan.input_shapes());
        let expected = expected.map(|((_, input), shape)| if input.is_element_wise() { plan.shape() } else { shape });
        self.inputs.iter().zip(expected).all(|(view, shape)| view.info().shape().same_extents(&shape))
    }
}

/// The device's side of the host's images.
pub(super) struct Staging {
    pub inputs: Vec<DeviceImage>,
    pub outputs: Vec<Option<DeviceImage>>,
    pub tables: Vec<Buffer>,
}

impl Staging {
    /// Places for the images and tables of a run; an `#[inout]` output is the image read. Without `buffers`, what is read
    /// lies elsewhere.
    pub fn new(
        context: &Context,
        plan: &KernelPlan,
        host: &HostImages<'_>,
        format: FloatFormat,
        buffers: bool,
    ) -> Result<Self, OpenClError> {
        let inputs: Vec<DeviceImage> = plan
            .spec()
            .images()
            .zip(host.inputs.iter())
            .filter(|_| buffers)
            .map(|(_, view)| DeviceImage::new_as(context, view.info(), format))
            .collect::<Result<_, _>>()?;
        let outputs = host.outputs.iter().enumerate().map(|(index, output)| {
            let Some((_, info)) = output else { return Ok(None) };
            let same = plan.spec().images().zip(&inputs).find(|((_, input), _)| input.inout == Some(index as u32));
            let place = || DeviceImage::new_as(context, info, format);
            same.map_or_else(place, |(_, image)| Ok(image.clone())).map(Some)
        });
        let outputs = outputs.collect::<Result<_, OpenClError>>()?;
        let tables = host.tables.iter().map(|table| Buffer::new(context, table.as_bytes().len()));
        let tables = tables.collect::<Result<_, _>>()?;
        Ok(Self { inputs, outputs, tables })
    }

    /// Brings what `window` reads to the device.
    pub fn write(&self, plan: &KernelPlan, host: &HostImages<'_>, window: Rect) -> Result<(), OpenClError> {
        for (image, (view, rows)) in self.inputs.iter().zip(host.read(plan, window)) {
            image.write_region(&ValidRegion::new(rows, view.info().shape()), view)?;
        }
        for (buffer, table) in self.tables.iter().zip(host.tables.iter()) {
            buffer.write(0, table.as_bytes())?;
        }
        Ok(())
    }

    /// Brings what `window` wrote to the host.
    pub fn read(&self, plan: &KernelPlan, host: &HostImages<'_>, window: Rect) -> Result<(), OpenClError> {
        let region = ValidRegion::new(window, plan.shape());
        for (image, output) in self.outputs.iter().zip(host.outputs.iter()) {
            if let (Some(image), Some((base, info))) = (image, output) {
                // SAFETY: who made this holds the outputs' exclusive borrow, and parts have disjoint windows.
                let mut view = unsafe { AnyViewMut::from_raw(*base, *info) };
                image.download(&region, &mut view)?;
            }
        }
        Ok(())
    }
}

/// The rows of an image that `window` reads, whole rows: what a border repeats lies near the edge that the window is
/// near, except where it wraps around. An image that is read anywhere may be read in all of them; one in place is read where
/// it is written, and nowhere else.
fn rows_read(input: &InputSpec, border: Border, window: Rect, info: &TensorInfo) -> Rect {
    let (width, height) = (info.width(), info.height());
    let wraps = match border {
        Border::Wrap => input.neighbourhood() != Default::default(),
        Border::Undefined | Border::Constant(_) | Border::Replicate | Border::Reflect | Border::Reflect101 => false,
    };
    if wraps || height == 1 || input.is_whole() {
        return Rect::new(0, 0, width, height);
    }
    let around = input.neighbourhood();
    let reach = (around.top.unsigned_abs().max(around.bottom.unsigned_abs()) as usize).saturating_mul(2);
    let margin = if reach == 0 { 0 } else { reach + 1 };
    let stride = input.stride().1.max(1) as usize;
    let first = window.y0.saturating_mul(stride).saturating_sub(margin).min(height);
    let last = window.y1.saturating_mul(stride).saturating_add(margin).min(height);
    Rect::new(0, first, width, last)
}
