//! Writes what a survey has found in one of its forms, in the place of a value.

use crate::ir::Rewriting;
use crate::optimise::Builder;
use std::cell::Cell;

/// Which way through the two dimensions of a window of taps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowOrder {
    /// Each row along x, then across the rows.
    Rows,
    /// Each column along y, then across the columns.
    Columns,
    /// All terms with one coefficient at once.
    Direct,
}

/// How sums, minima and ranks are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub order: WindowOrder,
    /// A sum across rows by sums of neighbouring rows, where its coefficients are binomial.
    pub pairs: bool,
}

/// Writes one form of a sum, a fold or a rank in the place of a value.
pub struct FormWriter<'a> {
    pub builder: &'a mut Builder,
    /// The value that is replaced.
    pub value: Rewriting<'a>,
    pub style: Style,
    pub phase: usize,
    pub asked: &'a Asked,
}

impl FormWriter<'_> {
    pub fn phase(&self) -> usize {
        self.asked.phase.set(true);
        self.phase
    }

    /// [`Style::pairs`]
    pub fn takes_pairs(&self) -> bool {
        self.asked.pairs.set(true);
        self.style.pairs
    }
}

/// Whether anything depended on the phase, and on [`Style::pairs`]: where nothing did, another is the same.
#[derive(Debug, Default)]
pub struct Asked {
    pub phase: Cell<bool>,
    pub pairs: Cell<bool>,
}
