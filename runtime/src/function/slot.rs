//! What a chain is made of: slots, each an image that one stage writes and others read, and stages, each a kernel.

use core::fmt;
use std::vec::Vec;

use super::ChainTables;
use crate::{
    configure::Plan,
    infer::{images, reached},
    info::TensorInfo,
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

/// Restricts the plan to elements that read nothing but what is valid in the images read.
pub(super) fn propagate(plan: &mut Plan, inputs: &[TensorInfo]) {
    for (index, ((_, input), info)) in images(plan.spec()).zip(inputs).enumerate() {
        let border = plan.borders.of(index).mode();
        plan.valid = plan.valid.intersect(&reached(input, info, plan.shape, border));
    }
    plan.window = Window::covering(plan.valid.start, plan.valid.end, plan.spec().step);
}
