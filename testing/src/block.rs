//! A case's images as a device takes them: as they lie in memory.

use windrow_runtime::info::TensorInfo;

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
