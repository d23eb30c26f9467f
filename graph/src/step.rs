//! A step of a plan: what is read, what is written, and what computes it.

use windrow::{ElementType, chain::Simple};

use crate::{
    call::Call,
    fused::Fused,
    slot::{Bound, Root},
};

/// What a plan does at a time: one operator of the library, or a copy.
#[derive(Debug)]
pub struct Step {
    pub(crate) node: String,
    pub(crate) operator: String,
    pub(crate) call: Call,
    pub(crate) fused: Vec<Fused>,
    pub(crate) reads: Vec<Bound>,
    pub(crate) writes: Bound,
    /// `None` for a copy.
    pub(crate) function: Option<Simple>,
}

/// A tensor that a step reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access<'p> {
    /// The memory that it lies in.
    pub root: Root,
    /// The type of its elements.
    pub element: ElementType,
    /// Its extents, as the operator has them.
    pub extents: &'p [usize],
}

impl Step {
    /// Returns the name of the model's node that it belongs to.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns the format's name of what the node computes.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Returns the name of the library's operator that computes it, or `copy`.
    pub fn kernel(&self) -> &'static str {
        self.call.name()
    }

    /// Returns the extents of what it writes, as the operator has them.
    pub fn extents(&self) -> &[usize] {
        &self.writes.slot.extents
    }

    /// Returns the other nodes that it computes too.
    pub fn fused(&self) -> &[Fused] {
        &self.fused
    }

    /// Returns what the step reads, in the operator's order.
    pub fn reads(&self) -> impl ExactSizeIterator<Item = Access<'_>> {
        self.reads.iter().map(Bound::access)
    }

    /// Returns what the step writes.
    pub fn writes(&self) -> Access<'_> {
        self.writes.access()
    }
}

impl Bound {
    fn access(&self) -> Access<'_> {
        Access { root: self.slot.root, element: self.slot.element, extents: &self.slot.extents }
    }
}
