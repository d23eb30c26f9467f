//! Images without elements, which kernels take while a function is traced.

use core::marker::PhantomData;

use super::{
    Tracer,
    space::{Trace, TracedOutput, TracedValue},
};
use crate::{
    apply::{Allocate, Destination, Readable, Source, Writable, written_by_reference},
    element::Element,
    error::any::Error,
    function::{FunctionError, Value},
    info::{InvalidTensor, TensorInfo},
    region::ValidRegion,
    tensor::{ANY_RANK, Dimensions, Rank},
    view::View,
};

/// An image of a function that is traced: its type and shape, and the value of the chain that it is.
///
/// What [`Tensor`](crate::Tensor) says of its metadata, it says too, so that a function of tensors can be traced as it is written.
///
/// (The default is [`ANY_RANK`], written as a number, as that of [`Tensor`](crate::Tensor) is.)
#[derive(Clone, Debug)]
pub struct TracedTensor<T: Element, const N: usize = 255> {
    tracer: Tracer,
    info: TensorInfo,
    /// What was last written; nothing of an output that is yet to be computed.
    value: Option<Value>,
    element: PhantomData<T>,
}

impl<T: Element, const N: usize> TracedTensor<T, N> {
    pub(super) fn new(tracer: Tracer, info: TensorInfo, value: Option<Value>) -> Self {
        TracedTensor { tracer, info, value, element: PhantomData }
    }

    /// Returns the value of the chain that it is.
    ///
    /// # Errors
    /// [`FunctionError::Unwritten`] where no kernel has computed it.
    pub(super) fn value(&self) -> Result<Value, FunctionError> {
        self.value.ok_or(FunctionError::Unwritten)
    }

    /// Returns the metadata of the image.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Returns the extents, outermost first: an array of the rank in the type, or a [`Shape`](crate::info::Shape).
    pub fn shape(&self) -> <Dimensions<N> as Rank>::Shape
    where
        Dimensions<N>: Rank,
    {
        Dimensions::<N>::of(self.info.shape())
    }

    /// Refused while the program is compiled: it has no elements.
    #[doc(hidden)]
    pub fn view(&self) -> View<'_, T>
    where
        Self: HasElements,
    {
        self.elements()
    }

    /// Refused as [`TracedTensor::view`] is.
    #[doc(hidden)]
    pub fn to_vec(&self) -> Vec<T>
    where
        Self: HasElements,
    {
        self.elements()
    }

    /// Returns the same image, of any rank.
    pub fn into_any_rank(self) -> TracedTensor<T> {
        TracedTensor::new(self.tracer, self.info, self.value)
    }
}

/// What no image of a traced function is: rustc says why where one is taken for a [`Tensor`](crate::Tensor).
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a pipeline can't look at the elements of its images",
    label = "this image has a shape and no elements",
    note = "the function of a pipeline is run before there are elements, to find out which kernels it calls",
    note = "compute what depends on elements in a kernel; choose in the pipeline by `src.shape()`, by `src.info()` and by values"
)]
pub trait HasElements {
    /// There are none.
    fn elements<R>(&self) -> R;
}

impl<T: Element> TracedTensor<T> {
    /// Returns the same image, whose type says that it has `N` dimensions.
    ///
    /// # Errors
    /// It has another number of them.
    pub fn into_rank<const N: usize>(self) -> Result<TracedTensor<T, N>, InvalidTensor> {
        let (found, expected) = (self.info.shape().rank(), N);
        if N != ANY_RANK && found != expected {
            return Err(InvalidTensor::Rank { found, expected });
        }
        Ok(TracedTensor::new(self.tracer, self.info, self.value))
    }
}

impl<T: Element, const N: usize> Readable for &TracedTensor<T, N> {
    type Space = Trace;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(self.info)
    }

    fn read(&self) -> Result<TracedValue, Error> {
        Ok(TracedValue { tracer: self.tracer.clone(), value: self.value()? })
    }
}

impl<T: Element, const N: usize> Writable for TracedTensor<T, N> {
    type Space = Trace;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(self.info))
    }

    fn write(&mut self) -> Result<Option<TracedOutput<'_>>, Error> {
        Ok(Some(TracedOutput { tracer: &self.tracer, value: &mut self.value }))
    }

    fn written(&mut self, _: ValidRegion) -> Result<(), InvalidTensor> {
        // The chain knows better: it restricts a stage to what is valid of all that it reads.
        if let Some(info) = self.value.and_then(|value| self.tracer.info(value).ok()) {
            self.info = info;
        }
        Ok(())
    }
}

written_by_reference!([T: Element, const N: usize] TracedTensor<T, N>);

impl<T: Element, const N: usize> Source<T> for &TracedTensor<T, N> {}
impl<T: Element, const N: usize> Destination<T> for &mut TracedTensor<T, N> {}

/// Outputs are images of the same tracer.
impl<T: Element, U: Element, const N: usize> Allocate<U> for &TracedTensor<T, N> {
    type Image = TracedTensor<U>;

    fn allocate(&self, info: &TensorInfo) -> Result<TracedTensor<U>, Error> {
        Ok(TracedTensor::new(self.tracer.clone(), *info, None))
    }
}
