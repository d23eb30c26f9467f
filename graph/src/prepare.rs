//! A call of a step, made ready to run: its kernel configured, and the constants that it reads laid out for that.

use windrow::chain::Simple;

use crate::{
    array::Array,
    budget::Budget,
    call::Call,
    configured::AnyConfigured,
    lower::{Refusal, refused},
    model::count,
    slot::{Bound, Root, Slot},
};

/// What a call reads, and what is allocated from.
pub(crate) struct Prepare<'p> {
    /// The node that the step belongs to.
    pub node: &'p str,
    pub reads: &'p [Slot],
    pub constants: &'p [Array],
    pub budget: &'p mut Budget,
}

impl Prepare<'_> {
    /// The function that computes the call; `None` for a copy.
    ///
    /// # Errors
    /// Whatever the operator's own rules refuse.
    pub fn call(mut self, call: &Call, writes: &Slot) -> Result<Option<Simple>, Refusal> {
        if self.reads.len() != call.inputs() {
            return refused(format!("`{}` reads {} tensors, not {}", call.name(), call.inputs(), self.reads.len()));
        }
        let infos = self.reads.iter().map(Slot::info).collect::<Result<Vec<_>, _>>()?;
        let Some(configured) = call.configure(&infos, &writes.info()?) else { return Ok(None) };
        // The operator's own rules are the table's.
        let mut configured = configured.or_else(|error| refused(error.to_string()))?;
        for read in self.reads.iter().enumerate() {
            configured = self.with_constant(configured, read)?;
        }
        configured.function().map(Some).or_else(|error| refused(error.to_string()))
    }

    /// The kernel with what it reads laid out for it, where that is a constant.
    fn with_constant(
        &mut self,
        configured: Box<dyn AnyConfigured>,
        (input, read): (usize, &Slot),
    ) -> Result<Box<dyn AnyConfigured>, Refusal> {
        let Root::Constant(constant) = read.root else { return Ok(configured) };
        let view = self.constants.get(constant).and_then(|array| array.read().view(&Bound::new(read.clone())));
        let Some(view) = view else { return Ok(configured) };
        let view = view?;
        let before = configured.constant_bytes();
        // A copy has columns for whole strips, fewer than twice as many.
        let most = count(&read.extents).unwrap_or(usize::MAX).saturating_mul(2);
        self.budget.clone().floats(self.node, most)?;
        let configured = configured.with_constant(input, view).or_else(|error| refused(error.to_string()))?;
        self.budget.bytes(self.node, configured.constant_bytes() - before)?;
        Ok(configured)
    }
}
