//! What is known of the inputs of a node, and what holds for all shapes.

use crate::model::{Constant, count};

/// Dimensions of a tensor, at most.
pub(crate) const MAX_RANK: usize = 6;

/// An extent, at most: as the library's tensors have it.
const MAX_EXTENT: usize = 1 << 30;

/// An input whose shape breaks a rule of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub input: usize,
    pub rule: &'static str,
}

/// What is known of the inputs of a node.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    /// Extents; `None` for an input that is left out.
    pub extents: Vec<Option<&'a [usize]>>,
    /// Of `Reshape` and `Expand`, the constant that says the shape.
    pub constants: Vec<Option<&'a Constant>>,
}

impl<'a> Inputs<'a> {
    pub fn get(&self, input: usize) -> Result<&'a [usize], Wrong> {
        self.extents.get(input).copied().flatten().ok_or(Wrong { input, rule: "it is left out, and needed" })
    }

    /// The extents of an input of a certain rank.
    pub fn of_rank<const N: usize>(&self, input: usize, rule: &'static str) -> Result<[usize; N], Wrong> {
        self.get(input)?.try_into().map_err(|_| Wrong { input, rule })
    }

    /// `[image, channel, row, column]`.
    pub fn image(&self) -> Result<[usize; 4], Wrong> {
        self.of_rank(0, "images have four dimensions here: image, channel, row and column")
    }

    pub fn matrix(&self, input: usize) -> Result<[usize; 2], Wrong> {
        self.of_rank(input, "a matrix has two dimensions")
    }
}

/// Checks the extents of a value that the library is to hold.
pub(crate) fn check(extents: &[usize]) -> Result<(), &'static str> {
    if extents.len() > MAX_RANK {
        return Err("a tensor has at most 6 dimensions");
    }
    if extents.contains(&0) {
        return Err("no extent may be 0");
    }
    if extents.iter().any(|&extent| extent > MAX_EXTENT) {
        return Err("the greatest extent is 2^30");
    }
    let bytes = count(extents).and_then(|count| count.checked_mul(size_of::<f32>()));
    bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).map(|_| ()).ok_or("its bytes can't be counted")
}
