//! What an author says of extents: their names, and those of the output as expressions over names and uniforms.

use super::{InputId, Kernel, UniformId};

/// A name of an extent of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedExtent {
    /// The name; all extents that have it are equal.
    pub name: String,
    /// The input.
    pub input: InputId,
    /// Its dimension, outermost first.
    pub dimension: u32,
}

/// What an extent of the output is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A number.
    Number(i64),
    /// The extent of an input along a dimension, outermost first.
    Named(InputId, u32),
    /// A scalar of a uniform, by its flat index.
    Uniform(UniformId, u32),
    /// A sum, a difference, a product, or a quotient rounded down.
    Binary(ExtentOp, Box<[Extent; 2]>),
}

/// How an extent is made of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtentOp {
    /// `+`.
    Sum,
    /// `-`.
    Difference,
    /// `*`.
    Product,
    /// `/`, rounded down; the divisor is positive.
    Quotient,
}

impl Kernel {
    /// The first extent that has the name of this one: they are equal. Itself where it has no name.
    pub fn first_extent(&self, input: InputId, dimension: u32) -> (InputId, u32) {
        let named = self.extents.iter().find(|extent| (extent.input, extent.dimension) == (input, dimension));
        let first = named.and_then(|named| self.extents.iter().find(|extent| extent.name == named.name));
        first.map_or((input, dimension), |extent| (extent.input, extent.dimension))
    }
}
