//! What is asked of the pools: bytes, or an image of some size and format.

use crate::memory::{pool::Demand, shape::ImageShape};

/// A buffer of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub usize);

impl Demand for Bytes {
    fn bytes(&self) -> u64 {
        self.0 as u64
    }

    fn waste(&self, block: &Bytes) -> Option<u64> {
        block.bytes().checked_sub(self.bytes())
    }
}

/// An image at least as large as `shape`, or exactly so: a sampler finds the border at the image's own edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub shape: ImageShape,
    pub exact: bool,
}

impl Demand for Pixels {
    fn bytes(&self) -> u64 {
        self.shape.bytes()
    }

    fn waste(&self, block: &Pixels) -> Option<u64> {
        let (wanted, found) = (self.shape, block.shape);
        let alike = (found.element, found.channels) == (wanted.element, wanted.channels);
        let fits = alike && found.width >= wanted.width && found.height >= wanted.height;
        let fits = fits && (!self.exact || (found.width, found.height) == (wanted.width, wanted.height));
        fits.then(|| found.bytes() - wanted.bytes())
    }
}
