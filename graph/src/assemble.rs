//! Steps become a plan: the memory of the intermediates is planned by when they are needed, and made.

use std::sync::Arc;

use windrow::{
    ElementType, TensorInfo,
    memory::{Heap, MemoryGroup, MemoryManager, MemoryRecording, Planner, TensorId},
};

use crate::{
    array::Array,
    budget::Budget,
    error::PlanError,
    lower::Lowered,
    plan::{Named, Plan},
    slot::{Bound, Root},
    step::Step,
};

/// What a plan is made of.
pub(crate) struct Parts {
    pub inputs: Vec<Named>,
    pub outputs: Vec<Named>,
    pub steps: Vec<Lowered>,
    pub constants: Vec<Array>,
    /// The type of the elements of each intermediate, and how many there are.
    pub buffers: Vec<(ElementType, usize)>,
}

/// Where an intermediate lies, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intermediate {
    pub tensor: TensorId,
    /// Its number among those that the memory is planned for.
    pub number: usize,
    /// The first and the last step that need it.
    pub first: usize,
    pub last: usize,
}

impl Parts {
    /// The plan, whose memory is taken from the budget: as much as this many runs need at a time.
    pub fn assemble(mut self, mut budget: Budget, runs: usize) -> Result<Plan, PlanError> {
        let (group, intermediates) = self.intermediates(&mut budget, runs.max(1))?;
        self.drop_unread();
        let Parts { inputs, outputs, steps, constants, buffers } = self;
        let step = |step: Lowered| Step {
            node: step.node,
            operator: step.operator,
            call: step.call,
            fused: step.fused,
            reads: step.reads.into_iter().map(Bound::new).collect(),
            writes: Bound::new(step.writes),
            function: step.function,
        };
        let steps = steps.into_iter().map(step).collect();
        Ok(Plan { steps, inputs, outputs, constants, buffers, group, intermediates })
    }

    /// Constants that were put into another order are needed in that one alone.
    fn drop_unread(&mut self) {
        let mut is_read = vec![false; self.constants.len()];
        for slot in self.steps.iter().flat_map(|step| &step.reads) {
            if let Root::Constant(constant) = slot.root {
                is_read[constant] = true;
            }
        }
        for (constant, _) in self.constants.iter_mut().zip(is_read).filter(|(_, is_read)| !is_read) {
            *constant = Array::Floats(Arc::from([]));
        }
    }

    /// Plans the intermediates by when they are needed, and makes their memory.
    fn intermediates(
        &self,
        budget: &mut Budget,
        runs: usize,
    ) -> Result<(MemoryGroup, Vec<Option<Intermediate>>), PlanError> {
        let mut lives: Vec<Option<(usize, usize)>> = vec![None; self.buffers.len()];
        for (index, step) in self.steps.iter().enumerate() {
            for slot in step.reads.iter().chain([&step.writes]) {
                let Root::Memory(buffer) = slot.root else { continue };
                lives[buffer] = Some((lives[buffer].map_or(index, |(first, _)| first), index));
            }
        }
        let manager = Arc::new(MemoryManager::new(Planner::Arena));
        let (mut recording, mut found) = (MemoryRecording::managed(&manager), vec![None; lives.len()]);
        let (mut begins, mut ends) = (vec![Vec::new(); self.steps.len()], vec![Vec::new(); self.steps.len()]);
        for (buffer, life) in lives.iter().enumerate() {
            let Some((first, last)) = *life else { continue };
            begins[first].push((buffer, last));
            ends[last].push(buffer);
        }
        let mut number = 0;
        for (first, (begins, ends)) in begins.iter().zip(&ends).enumerate() {
            for &(buffer, last) in begins {
                // One that is too large by itself is refused before its shape is.
                let (element, count) = self.buffers[buffer];
                budget.clone().bytes("an intermediate", count.saturating_mul(element.size()))?;
                let info = TensorInfo::new(element, 1, &[count])?;
                found[buffer] = Some(Intermediate { tensor: recording.begin_lifetime(info), number, first, last });
                number += 1;
            }
            for &buffer in ends {
                found[buffer].map_or(Ok(()), |found: Intermediate| recording.end_lifetime(found.tensor))?;
            }
        }
        let group = recording.finish()?;
        budget.bytes("the intermediates", group.plan().size().saturating_mul(runs))?;
        manager.populate(Arc::new(Heap), runs)?;
        Ok((group, found))
    }
}
