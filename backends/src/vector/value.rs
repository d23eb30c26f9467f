//! Where values are, once they are selected.

use super::program::VectorId;
use std::collections::BTreeMap;

/// Where a value of the IR is.
#[derive(Clone, Debug)]
pub enum Value {
    /// In one vector of its own type: most values fill one, and need no list.
    Vector(VectorId),
    /// In vectors of its own type, in the order of the lanes.
    Vectors(Vec<VectorId>),
    /// In masks, by width.
    Masks(BTreeMap<u32, Vec<VectorId>>),
    /// A scalar expression, the same for all lanes and steps.
    Word(String),
    /// A scalar that a statement makes, the same for all lanes.
    Scalar(VectorId),
    /// Nowhere yet: it is selected once someone asks for its vectors. So many values wait for one another here.
    Waiting(u32),
}
