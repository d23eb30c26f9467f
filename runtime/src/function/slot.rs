//! What a chain is made of: slots, each an image that one stage writes and others read, and stages, each a kernel.

use core::fmt;
use std::{sync::OnceLock, vec::Vec};

use super::{ChainTables, FunctionError};
use crate::{arguments::AnyTable, configure::Plan, infer::reached, info::TensorInfo, window::Window};

/// An image in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub(super) chain: u64,
    pub(super) index: usize,
}

/// What a chain knows of one of its images: a slot's value, and who writes and reads it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Value {
    /// Without gaps; its valid region is what is computed.
    pub info: TensorInfo,
    /// The caller's image that it is, to read.
    pub input: Option<usize>,
    /// The caller's image that it is, to write.
    pub output: Option<usize>,
    /// The last stage that reads it.
    pub last_read: Option<usize>,
}

impl Value {
    /// Whether the caller never sees it.
    pub fn is_intermediate(&self) -> bool {
        self.input.is_none() && self.output.is_none()
    }
}

/// A kernel in a chain.
pub struct Stage {
    /// The plan; of a stage that is prepared later, all of it but the uniforms.
    pub(crate) plan: Plan,
    /// Where the plan of a stage that is prepared later goes.
    pub(crate) late: Option<OnceLock<Plan>>,
    /// The slots read, in argument order.
    pub(crate) inputs: Vec<usize>,
    /// The slots written; `None` for an output left out.
    pub(crate) outputs: Vec<Option<usize>>,
    pub(crate) tables: ChainTables,
}

impl Stage {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.plan.spec().name
    }

    /// What the stage was configured as; of one that is prepared later, all of it but the uniforms.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The values that it reads, in argument order, as indices into [`Chain::values`](super::Chain::values).
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The values that it writes; `None` for an output left out.
    pub fn outputs(&self) -> &[Option<usize>] {
        &self.outputs
    }

    /// The tables that it looks up, in argument order.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = AnyTable<'_>> {
        self.tables.list()
    }

    /// The plan to run by, once it is known.
    ///
    /// # Errors
    /// [`FunctionError::Unprepared`] where the uniforms are still to come.
    pub fn prepared(&self) -> Result<&Plan, FunctionError> {
        match &self.late {
            None => Ok(&self.plan),
            Some(late) => late.get().ok_or(FunctionError::Unprepared { kernel: self.name() }),
        }
    }

    /// Makes the uniforms of `other` this stage's; everything else must be the same.
    pub(crate) fn prepare(&self, other: &Plan) -> Result<(), FunctionError> {
        let (ours, kernel) = (&self.plan, self.name());
        let same = core::ptr::eq(ours.spec(), other.spec())
            && (ours.shape, ours.index, ours.inputs, ours.borders)
                == (other.shape, other.index, other.inputs, other.borders)
            && core::ptr::eq(ours.body, other.body);
        let Some(late) = self.late.as_ref().filter(|_| same) else {
            return Err(FunctionError::OtherStage { kernel, found: other.spec().name });
        };
        // Whoever is second finds it done.
        late.get_or_init(|| {
            let mut plan = other.clone();
            (plan.valid, plan.window) = (ours.valid, ours.window);
            plan
        });
        Ok(())
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
    for (index, ((_, input), info)) in plan.spec().images().zip(inputs).enumerate() {
        let border = plan.borders.of(index).mode();
        plan.valid = plan.valid.intersect(&reached(input, info, plan.shape, border));
    }
    plan.window = Window::covering(plan.valid.start, plan.valid.end, plan.spec().step);
}
