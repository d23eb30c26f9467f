//! A case as a device takes it: images as they lie in memory, and what else its kernel is given.

use windrow_runtime::{
    border::Border,
    info::{Shape, TensorInfo},
};

/// An image as it lies in memory, its margins included.
#[derive(Debug)]
pub struct Block<'a> {
    /// All bytes.
    pub bytes: &'a mut [u8],
    /// Bytes to the first element.
    pub offset: usize,
    /// The elements' layout.
    pub info: TensorInfo,
}

/// The images of a case.
#[derive(Debug)]
pub struct Blocks<'a> {
    /// Those read, in argument order; an `#[inout]` argument's is not used.
    pub inputs: Vec<Block<'a>>,
    /// Those written; `None` for one left out.
    pub outputs: Vec<Option<Block<'a>>>,
}

/// What a case's kernel is given besides images.
#[derive(Clone, Debug)]
pub struct Scalars {
    /// The tables' bytes.
    pub tables: Vec<Vec<u8>>,
    /// What reads outside each image find.
    pub border: Border,
    /// The shape of every output.
    pub shape: Shape,
}
