//! What a selection in progress holds: the values selected so far, the program that they became, and how inputs are read.

use super::in_turns::InTurns;
use super::program::{Lane, Program, VectorId};
use super::turns::{Open, Span};
use super::value::Value;
use std::cell::OnceCell;
use std::rc::Rc;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{Axes, Body, Kernel, Neighbourhood, Range, ValueId};

/// A selection in progress.
pub struct Select<'a, T> {
    /// The instruction set.
    pub target: T,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The legal, jammed body.
    pub body: &'a Body,
    /// Elements in the vectors of one value.
    pub lanes: u32,
    /// What has been selected.
    pub program: Program,
    /// How inputs are read.
    pub memory: Memory<'a>,
    /// Where each value of the body is.
    pub values: Vec<Value>,
    /// Integers that are in all lanes of a vector already.
    pub(super) integers: Vec<(i128, Lane, VectorId)>,
    /// Words that are in all lanes of a vector already.
    pub(super) splats: Vec<Option<(Lane, VectorId)>>,
    /// What each value varies along, where the body has loops.
    pub(super) along: Vec<Axes>,
    /// The loops that are being selected, outermost first.
    pub(super) open: Vec<Open>,
    /// The reads of neighbouring elements.
    pub(super) spans: Vec<Span>,
    /// The value that is being selected, and its name.
    pub current: ValueId,
    pub(super) name: Rc<str>,
    /// What a target has made of the vectors of a value already, for all users alike.
    pub interleaved: Vec<(ValueId, Vec<VectorId>)>,
    /// What the instruction set has no instructions for.
    pub(super) refused: Vec<Diagnostic>,
    pub(super) ranges: Ranges<'a>,
    pub(super) users: OnceCell<Vec<Option<ValueId>>>,
}

/// What the values of a jammed body can be, found when it is asked for.
pub enum Ranges<'a> {
    /// By the body itself.
    OfBlock(OnceCell<Vec<Range>>),
    /// By the element's body, of which each value is a copy.
    OfElement(&'a InTurns, Vec<ValueId>),
}

/// The inputs of a body.
#[derive(Debug)]
pub struct Memory<'a> {
    pub(super) kernel: &'a Kernel,
    /// What the taps read around an element.
    pub(super) taps: Vec<Neighbourhood>,
    /// What the loads read: the same, or a little more where a de-interleaving load reads on.
    pub reads: Vec<Neighbourhood>,
    /// Output elements along the row of a whole step.
    pub(super) width: u32,
}
