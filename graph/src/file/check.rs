//! The rules of a plan's steps: a file may say anything.

use windrow::ElementType;

use super::{error::PlanFileError, form::SlotForm};
use crate::{
    shape,
    slot::{MAX_BUFFERS, Root, Slot},
};

/// The memory that steps may name, and what is written of it so far.
pub(super) struct Memory {
    pub inputs: Vec<Extent>,
    pub outputs: Vec<Extent>,
    pub constants: Vec<Extent>,
    pub buffers: Vec<Extent>,
}

/// The type and the number of the elements of some memory.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub element: ElementType,
    pub count: usize,
    /// Whether a run finds something there: it is given, or a step has written to it.
    pub is_there: bool,
}

/// Where a tensor is named.
pub(super) struct Named<'n> {
    pub step: usize,
    pub node: &'n str,
    /// Which one of those that the step reads; `None` for what it writes.
    pub read: Option<usize>,
}

impl Named<'_> {
    fn broken<T>(&self, found: String, rule: &'static str) -> Result<T, PlanFileError> {
        let what = self.read.map_or_else(|| "`writes`".to_owned(), |read| format!("`reads[{read}]`"));
        Err(PlanFileError::Rule { what: format!("{what} of step {} (node `{}`)", self.step, self.node), found, rule })
    }
}

impl Memory {
    fn get(&mut self, root: Root) -> Option<&mut Extent> {
        match root {
            Root::Input(input) => self.inputs.get_mut(input),
            Root::Output(output) => self.outputs.get_mut(output),
            Root::Constant(constant) => self.constants.get_mut(constant),
            Root::Memory(buffer) => self.buffers.get_mut(buffer),
        }
    }

    /// A tensor that a step reads, from memory that is there by then.
    pub fn read(&mut self, form: SlotForm, named: &Named<'_>) -> Result<Slot, PlanFileError> {
        let (root, found) = (form.root, self.find(form.root, named)?);
        if !found.is_there {
            return named.broken(format!("in {root:?}"), "a step reads only what an earlier one has written");
        }
        slot(form, found, named)
    }

    /// A tensor that a step writes, apart from all that it reads.
    pub fn write(&mut self, form: SlotForm, reads: &[Slot], named: &Named<'_>) -> Result<Slot, PlanFileError> {
        let found = self.find(form.root, named)?;
        let said = format!("in {:?}", form.root);
        if matches!(form.root, Root::Input(_) | Root::Constant(_)) {
            return named.broken(said, "steps write to outputs and to memory of their own");
        }
        if reads.iter().any(|read| read.root == form.root) {
            return named.broken(said, "the step reads from there");
        }
        let slot = slot(form, found, named)?;
        let mut buffers: Vec<Root> = reads.iter().map(|read| read.root).chain([slot.root]).collect();
        buffers.retain(|root| matches!(root, Root::Memory(_)));
        buffers.sort_unstable();
        buffers.dedup();
        if buffers.len() > MAX_BUFFERS {
            return named.broken(said, "a step uses at most 8 buffers");
        }
        if let Some(written) = self.get(slot.root) {
            written.is_there = true;
        }
        Ok(slot)
    }

    fn find(&mut self, root: Root, named: &Named<'_>) -> Result<Extent, PlanFileError> {
        match self.get(root) {
            Some(found) => Ok(*found),
            None => named.broken(format!("in {root:?}"), "the plan has no such memory"),
        }
    }
}

/// A tensor that lies inside its memory.
fn slot(form: SlotForm, found: Extent, named: &Named<'_>) -> Result<Slot, PlanFileError> {
    let SlotForm { root, offset, extents, strides } = form;
    let said = || format!("{extents:?} with strides {strides:?} from element {offset} of {root:?} on");
    if let Err(rule) = shape::check(&extents) {
        return named.broken(said(), rule);
    }
    if extents.len() != strides.len() {
        return named.broken(said(), "there is a stride for each extent");
    }
    let last = extents.iter().zip(&strides).try_fold(offset, |last, (extent, &stride)| {
        // A stride is counted in bytes, too.
        isize::try_from(stride.checked_mul(found.element.size())?).ok()?;
        last.checked_add((extent - 1).checked_mul(stride)?)
    });
    if last.is_none_or(|last| last >= found.count) {
        return named.broken(said(), "its elements lie inside its memory");
    }
    Ok(Slot { root, element: found.element, offset, extents, strides })
}
