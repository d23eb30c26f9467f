//! The vectors of a [`Program`](super::program::Program): what is known about each, and which ones a statement makes.

use super::lane::Lane;
use std::rc::Rc;
use windrow_dsl::ir::Axes;

/// A vector of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VectorId(pub u32);

/// What is known about a vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its lanes.
    pub lane: Lane,
    /// The name it would like: the value's.
    pub name: Rc<str>,
    /// Which of several vectors of the value it is, as a part of the name.
    pub part: Option<usize>,
    /// The number of the value that asked for it.
    pub value: u32,
    /// The number of the value for which it is computed: no lower than that of any vector that it is computed from.
    pub place: u32,
    /// What it varies along.
    pub along: Axes,
    /// Whether it is one scalar or a pointer, not a vector.
    pub is_scalar: bool,
}

/// The vectors that a statement makes, numbered one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Results {
    first: u32,
    count: u32,
}

impl Results {
    /// So many from a place among all vectors on.
    pub fn new(first: usize, count: usize) -> Self {
        Self { first: first as u32, count: count as u32 }
    }

    /// The first of them.
    pub fn first(self) -> VectorId {
        VectorId(self.first)
    }

    /// Their places among all vectors.
    pub fn places(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// All of them.
    pub fn list(self) -> Vec<VectorId> {
        if self.count == 1 {
            return vec![self.first()];
        }
        (self.first..self.first + self.count).map(VectorId).collect()
    }

    /// Whether one of them is marked.
    pub fn has(self, marks: &[bool]) -> bool {
        marks[self.places()].contains(&true)
    }
}
