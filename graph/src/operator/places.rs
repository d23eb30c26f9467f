//! Places that are elements of a tensor.

/// What the places are of, that a tensor of integers holds; from the end where they are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Elements: of one dimension, at their own places in all others.
    Elements {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// Slices: the last dimension holds the places in the first dimensions.
    Slices {
        /// Dimensions before them, which both tensors have.
        batch: usize,
    },
}

/// What is made of an element and the one that comes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The one that comes: of several, the last.
    Replace,
    /// The sum of all.
    Add,
    /// The product of all.
    Multiply,
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}
