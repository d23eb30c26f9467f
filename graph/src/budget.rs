//! What a plan may still allocate: every tensor is counted before it is made.

use crate::error::PlanError;

/// Bytes that are left of a limit.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limit: usize,
    left: usize,
}

impl Budget {
    pub fn new(limit: usize) -> Budget {
        Budget { limit, left: limit }
    }

    /// Takes the bytes of this many floats, for `value`.
    pub fn floats(&mut self, value: &str, count: usize) -> Result<(), PlanError> {
        self.bytes(value, count.saturating_mul(size_of::<f32>()))
    }

    pub fn bytes(&mut self, value: &str, needed: usize) -> Result<(), PlanError> {
        let too_much = || PlanError::Memory { value: value.to_owned(), needed, left: self.left, limit: self.limit };
        self.left = self.left.checked_sub(needed).ok_or_else(too_much)?;
        Ok(())
    }
}
