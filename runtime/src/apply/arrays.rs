//! Arrays of the crate `ndarray`, as `apply` takes and makes them.

use ::ndarray::{Array, ArrayBase, Data, DataMut, Dimension, IxDyn};
use std::vec::Vec;

use crate::{
    apply::{
        host::Host,
        images::{Allocate, Destination, Readable, Source, Writable, written_by_reference},
    },
    element::Element,
    error::any::Error,
    info::{InvalidTensor, TensorInfo},
    ndarray::{view, view_mut},
    view::{AnyView, AnyViewMut},
};

impl<T: Element, S: Data<Elem = T>, D: Dimension> Readable for &ArrayBase<S, D> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*view(self.view())?.info())
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(view(self.view())?.any())
    }
}

impl<T: Element, D: Dimension> Readable for ::ndarray::ArrayView<'_, T, D> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*view(self.view())?.info())
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(view(self.view())?.any())
    }
}

impl<T: Element, S: DataMut<Elem = T>, D: Dimension> Writable for ArrayBase<S, D> {
    type Space = Host;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(*view(self.view())?.info()))
    }

    fn write(&mut self) -> Result<Option<AnyViewMut<'_>>, Error> {
        Ok(Some(view_mut(self.view_mut())?.any()))
    }
}

written_by_reference!([T: Element, S: DataMut<Elem = T>, D: Dimension] ArrayBase<S, D>);

impl<T: Element, S: Data<Elem = T>, D: Dimension> Source<T> for &ArrayBase<S, D> {}
impl<T: Element, D: Dimension> Source<T> for ::ndarray::ArrayView<'_, T, D> {}
impl<T: Element, S: DataMut<Elem = T>, D: Dimension> Destination<T> for &mut ArrayBase<S, D> {}
impl<T: Element, D: Dimension> Destination<T> for ::ndarray::ArrayViewMut<'_, T, D> {}

impl<T: Element, U: Element, S: Data<Elem = T>, D: Dimension> Allocate<U> for &ArrayBase<S, D> {
    type Image = Array<U, D>;

    fn allocate(&self, info: &TensorInfo) -> Result<Array<U, D>, Error> {
        allocate(info, self.ndim())
    }
}

impl<T: Element, U: Element, D: Dimension> Allocate<U> for ::ndarray::ArrayView<'_, T, D> {
    type Image = Array<U, D>;

    fn allocate(&self, info: &TensorInfo) -> Result<Array<U, D>, Error> {
        allocate(info, self.ndim())
    }
}

/// An array of zeros with as many axes as the first image has.
fn allocate<U: Element, D: Dimension>(info: &TensorInfo, axes: usize) -> Result<Array<U, D>, Error> {
    let shape = info.shape();
    let refused = Error::Container { container: "an `Array`", shape, rule: "it has as many axes as the first image" };
    let extents: Vec<usize> = (0..axes).rev().map(|dimension| shape.inner_extent(dimension)).collect();
    let mut elements = Vec::new();
    let count = info.size_in_bytes() / info.pixel_size();
    elements.try_reserve_exact(count).map_err(|_| InvalidTensor::OutOfMemory { bytes: info.size_in_bytes() })?;
    elements.resize(count, U::default());
    let array = Array::from_shape_vec(IxDyn(&extents), elements).ok();
    array.and_then(|array| array.into_dimensionality::<D>().ok()).ok_or(refused)
}
