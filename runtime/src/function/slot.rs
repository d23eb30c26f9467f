//! What a chain is made of: slots, each an image that one stage writes and others read, and stages, each a kernel.

use core::fmt;
use std::vec::Vec;

use super::{ChainTables, FunctionError};
use crate::{
    border::BorderMode,
    configure::Plan,
    infer::images,
    info::TensorInfo,
    region::{Rect, ValidRegion},
    spec::InputSpec,
    window::Window,
};

/// An image in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub(super) chain: u64,
    pub(super) index: usize,
}

/// What a chain knows of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// Without gaps; its valid region is what is computed.
    pub info: TensorInfo,
    /// The caller's image that it is, to read.
    pub input: Option<usize>,
    /// The caller's image that it is, to write.
    pub output: Option<usize>,
    /// The last stage that reads it.
    pub last_read: Option<usize>,
}

impl Use {
    /// Whether the caller never sees it.
    pub fn is_intermediate(&self) -> bool {
        self.input.is_none() && self.output.is_none()
    }
}

/// A kernel in a chain.
#[derive(Clone)]
pub(crate) struct Stage {
    pub plan: Plan,
    /// The slots read, in argument order.
    pub inputs: Vec<usize>,
    /// The slots written; `None` for an output left out.
    pub outputs: Vec<Option<usize>>,
    pub tables: ChainTables,
}

impl Stage {
    pub fn name(&self) -> &'static str {
        self.plan.spec().name
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stage = f.debug_struct("Stage");
        stage.field("kernel", &self.name()).field("inputs", &self.inputs).field("outputs", &self.outputs);
        stage.finish_non_exhaustive()
    }
}

/// Restricts the plan to elements whose neighbourhoods are valid in the images read.
pub(super) fn propagate(plan: &mut Plan, inputs: &[TensorInfo]) -> Result<(), FunctionError> {
    let mut plane = plan.valid.plane();
    for ((argument, input), info) in images(plan.spec()).zip(inputs) {
        let (found, shape) = (info.valid_region().plane(), info.shape());
        if found == Rect::new(0, 0, shape.width(), shape.height()) {
            continue;
        }
        let element_only = input.neighbourhood == Default::default();
        if plan.border.mode() != BorderMode::Undefined && !element_only {
            return Err(FunctionError::PartlyValid { kernel: plan.spec().name, argument, found, shape });
        }
        plane = plane.intersect(&computable(input, found));
    }
    plan.valid = ValidRegion::new(plane, plan.shape);
    plan.window = Window::covering(plan.valid.start, plan.valid.end, plan.spec().step);
    Ok(())
}

/// The elements that read nothing outside `region` of this image.
fn computable(input: &InputSpec, region: Rect) -> Rect {
    let around = input.neighbourhood;
    let (x0, x1) = range((region.x0, region.x1), input.stride.0, (around.left, around.right));
    let (y0, y1) = range((region.y0, region.y1), input.stride.1, (around.top, around.bottom));
    Rect::new(x0, y0, x1, y1)
}

/// The coordinates `x` for which `stride·x + least ..= stride·x + greatest` lies in `start..end`.
fn range((start, end): (usize, usize), stride: u32, (least, greatest): (i32, i32)) -> (usize, usize) {
    let stride = i64::from(stride.max(1));
    let first = (start as i64 - i64::from(least)).max(0);
    let last = end as i64 - 1 - i64::from(greatest);
    if end <= start || last < 0 {
        return (0, 0);
    }
    // `first` is not negative: rounded up.
    (((first + stride - 1) / stride) as usize, (last / stride + 1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_every_coordinate_that_reads_inside() {
        for (start, end) in (0..9usize).flat_map(|start| (start..9).map(move |end| (start, end))) {
            for (stride, least, greatest) in
                [(1, 0, 0), (1, -1, 1), (2, -2, 2), (3, -1, 0), (2, 1, 2), (1, -3, -2), (1, 2, 4)]
            {
                let inside = |x: &i64| {
                    let at = x * i64::from(stride);
                    at + i64::from(least) >= start as i64 && at + i64::from(greatest) < end as i64
                };
                let expect: Vec<i64> = (0..20).filter(inside).collect();
                let (from, to) = range((start, end), stride, (least, greatest));
                let found: Vec<i64> = (from as i64..to as i64).collect();
                assert_eq!(found, expect, "{start}..{end} {stride} {least}..={greatest}");
            }
        }
    }
}
