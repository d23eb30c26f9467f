//! Tracing: a function that calls kernels, called with images that have no elements, becomes a chain.
//!
//! [`Trace`] is a [`Space`](crate::apply::Space): `k::apply` on a [`TracedTensor`] configures the kernel as for any other image, but
//! adds a stage to a [`ChainBuilder`] instead of running it. What a function does with shapes, and how often its
//! loops turn, is decided while it is traced; what it would do with elements can't be written.
//!
//! ```
//! use windrow::{Border, Error, TensorInfo, chain::{Function, OnProcessor}, language::*, trace::{TracedTensor, Tracer}};
//!
//! /// The least of three elements beside each other.
//! #[kernel]
//! pub fn least(src: Neighbourhood<u8>) -> u8 {
//!     src.at(-1, 0).min(src.at(0, 0)).min(src.at(1, 0))
//! }
//!
//! fn darken(src: &TracedTensor<u8>, times: usize) -> Result<TracedTensor<u8>, Error> {
//!     let mut dark = least::apply(src, Border::Replicate)?;
//!     for _ in 1..times {
//!         dark = least::apply(&dark, Border::Replicate)?;
//!     }
//!     Ok(dark)
//! }
//!
//! let tracer = Tracer::new();
//! let src = tracer.input(&TensorInfo::of::<u8>(&[1, 6])?)?;
//! tracer.output(&darken(&src, 2)?)?;
//! let chain = tracer.finish().compose(&OnProcessor)?;
//! assert_eq!(chain.chain().stages().len(), 2);
//! # Ok::<(), Error>(())
//! ```

mod space;
mod tensor;

use std::{cell::RefCell, rc::Rc};

use crate::{
    element::Element,
    error::any::Error,
    function::{ChainBuilder, FunctionError, Value},
    info::{InvalidTensor, TensorInfo},
    tensor::ANY_RANK,
};

pub use space::{Trace, TracedOutput, TracedValue};
pub use tensor::TracedTensor;

/// Builds the chain of what is called while a function is traced.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Rc<RefCell<ChainBuilder>>);

impl Tracer {
    /// Returns a tracer of an empty chain.
    pub fn new() -> Tracer {
        Tracer::default()
    }

    /// Returns an image of the caller's that the traced function reads. A run is given them in the order of these calls.
    ///
    /// # Errors
    /// The image has not elements `T` or not `N` dimensions.
    pub fn input<T: Element, const N: usize>(&self, info: &TensorInfo) -> Result<TracedTensor<T, N>, Error> {
        info.expect::<T>()?;
        let (found, expected) = (info.shape().rank(), N);
        if N != ANY_RANK && found != expected {
            return Err(InvalidTensor::Rank { found, expected }.into());
        }
        let value = self.0.borrow_mut().input(*info);
        Ok(TracedTensor::new(self.clone(), *info, Some(value)))
    }

    /// Makes an image an output of the chain. A run is given them in the order of these calls.
    ///
    /// # Errors
    /// [`FunctionError::Output`] for an image that no kernel has written, or that is an output already, and
    /// [`FunctionError::ForeignValue`] for one of another tracer.
    pub fn output<T: Element, const N: usize>(&self, image: &TracedTensor<T, N>) -> Result<(), Error> {
        Ok(self.0.borrow_mut().output(image.value()?)?)
    }

    /// Returns the chain.
    pub fn finish(self) -> ChainBuilder {
        // Images that are still there keep a share.
        self.0.take()
    }

    fn info(&self, value: Value) -> Result<TensorInfo, FunctionError> {
        self.0.borrow().info(value)
    }
}
