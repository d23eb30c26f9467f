//! An element's body with loops at run time, of which the blocks of all sizes are copies.

use super::across::across;
use super::decompose;
use super::machine::Machine;
use super::turns_together::turns_together;
use crate::bounded::without_bounds_of_turns;
use std::cell::OnceCell;
use windrow_dsl::analyse::ranges;
use windrow_dsl::ir::{Body, Kernel, Range, ValueId};

/// An element's body with loops at run time in terms of a target, whose turns all lanes take together.
#[derive(Debug)]
pub struct InTurns {
    body: Body,
    ranges: OnceCell<Vec<Range>>,
}

impl InTurns {
    /// Of a body in lockstep, whose steps have so many lanes.
    pub fn new(machine: &Machine, kernel: &Kernel, body: Body, lanes: u32) -> Self {
        let body = without_bounds_of_turns(kernel, &across(machine, kernel, body, lanes));
        let body = turns_together(machine, body);
        Self { body: decompose::needed(machine, kernel, &body), ranges: OnceCell::new() }
    }

    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// What a value of an element can be, wherever the element stands.
    pub fn range(&self, kernel: &Kernel, id: ValueId) -> Range {
        self.ranges.get_or_init(|| ranges(kernel, &self.body).ranges)[id.0 as usize]
    }
}
