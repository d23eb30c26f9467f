//! Elements in memory, of the types that values of a plan have.

use std::sync::Arc;

use windrow::{AnyView, AnyViewMut, Element, ElementType, InvalidTensor, View, ViewMut, tensor::DType};

use crate::slot::{Bound, Slot};

/// The elements of a constant.
#[derive(Clone, Debug)]
pub(crate) enum Array {
    Floats(Arc<[f32]>),
    Bytes(Arc<[i8]>),
    Unsigned(Arc<[u8]>),
    Ints(Arc<[i32]>),
}

/// Elements that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elements<'a> {
    Floats(&'a [f32]),
    Bytes(&'a [i8]),
    Unsigned(&'a [u8]),
    Ints(&'a [i32]),
}

/// Elements that are written.
#[derive(Debug)]
pub(crate) enum ElementsMut<'a> {
    Floats(&'a mut [f32]),
    Bytes(&'a mut [i8]),
    Unsigned(&'a mut [u8]),
    Ints(&'a mut [i32]),
}

/// Calls the same for the elements of each type.
macro_rules! of_any_type {
    ($of:ident, $elements:expr, $name:ident => $then:expr) => {
        match $elements {
            $of::Floats($name) => $then,
            $of::Bytes($name) => $then,
            $of::Unsigned($name) => $then,
            $of::Ints($name) => $then,
        }
    };
}

impl Array {
    pub fn element(&self) -> ElementType {
        match self {
            Array::Floats(_) => ElementType::F32,
            Array::Bytes(_) => ElementType::I8,
            Array::Unsigned(_) => ElementType::U8,
            Array::Ints(_) => ElementType::I32,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Array::Floats(floats) => floats.len(),
            Array::Bytes(bytes) => bytes.len(),
            Array::Unsigned(bytes) => bytes.len(),
            Array::Ints(ints) => ints.len(),
        }
    }

    pub fn read(&self) -> Elements<'_> {
        match self {
            Array::Floats(floats) => Elements::Floats(floats),
            Array::Bytes(bytes) => Elements::Bytes(bytes),
            Array::Unsigned(bytes) => Elements::Unsigned(bytes),
            Array::Ints(ints) => Elements::Ints(ints),
        }
    }
}

impl Array {
    /// The elements of a slot of this, in C order.
    pub fn gathered(&self, slot: &Slot) -> Array {
        match self {
            Array::Floats(floats) => Array::Floats(slot.places().map(|place| floats[place]).collect()),
            Array::Bytes(bytes) => Array::Bytes(slot.places().map(|place| bytes[place]).collect()),
            Array::Unsigned(bytes) => Array::Unsigned(slot.places().map(|place| bytes[place]).collect()),
            Array::Ints(ints) => Array::Ints(slot.places().map(|place| ints[place]).collect()),
        }
    }

    /// Rows of `own` elements with zeros behind them, up to `extent`.
    pub fn widened(&self, own: usize, extent: usize) -> Array {
        fn rows<T: Copy + Default>(elements: &[T], own: usize, extent: usize) -> Arc<[T]> {
            let row = |row: &[T]| row.iter().copied().chain(std::iter::repeat_n(T::default(), extent - own)).collect();
            elements.chunks_exact(own).flat_map(|elements: &[T]| -> Vec<T> { row(elements) }).collect()
        }
        match self {
            Array::Floats(floats) => Array::Floats(rows(floats, own, extent)),
            Array::Bytes(bytes) => Array::Bytes(rows(bytes, own, extent)),
            Array::Unsigned(bytes) => Array::Unsigned(rows(bytes, own, extent)),
            Array::Ints(ints) => Array::Ints(rows(ints, own, extent)),
        }
    }
}

impl<'a> Elements<'a> {
    /// The elements of a tensor without gaps; `None` of one with gaps, or of a type that no value has.
    pub fn of(view: AnyView<'a>) -> Option<Elements<'a>> {
        let view = view.without_quantization();
        match view.info().dtype() {
            DType::F32 => view.typed().ok()?.as_slice().map(Elements::Floats),
            DType::I8 => view.typed().ok()?.as_slice().map(Elements::Bytes),
            DType::U8 => view.typed().ok()?.as_slice().map(Elements::Unsigned),
            DType::I32 => view.typed().ok()?.as_slice().map(Elements::Ints),
            _ => None,
        }
    }

    /// The tensor that lies there; `None` where there are too few elements.
    pub fn view(self, bound: &Bound) -> Option<Result<AnyView<'a>, InvalidTensor>> {
        fn view<'a, T: Element<Channel = T>>(
            elements: &'a [T],
            bound: &Bound,
        ) -> Option<Result<AnyView<'a>, InvalidTensor>> {
            let elements = elements.get(bound.slot.offset..)?;
            Some(View::<T>::with_strides(elements, &bound.slot.extents, &bound.strides).map(View::any))
        }
        of_any_type!(Elements, self, elements => view(elements, bound))
    }
}

impl<'a> ElementsMut<'a> {
    /// As [`Elements::of`].
    pub fn of(view: AnyViewMut<'a>) -> Option<ElementsMut<'a>> {
        let view = view.without_quantization();
        match view.info().dtype() {
            DType::F32 => view.typed().ok()?.into_slice().map(ElementsMut::Floats),
            DType::I8 => view.typed().ok()?.into_slice().map(ElementsMut::Bytes),
            DType::U8 => view.typed().ok()?.into_slice().map(ElementsMut::Unsigned),
            DType::I32 => view.typed().ok()?.into_slice().map(ElementsMut::Ints),
            _ => None,
        }
    }

    /// The same elements, to read.
    pub fn read(&self) -> Elements<'_> {
        match self {
            ElementsMut::Floats(floats) => Elements::Floats(floats),
            ElementsMut::Bytes(bytes) => Elements::Bytes(bytes),
            ElementsMut::Unsigned(bytes) => Elements::Unsigned(bytes),
            ElementsMut::Ints(ints) => Elements::Ints(ints),
        }
    }

    /// The same elements, to read from now on.
    #[cfg(feature = "opencl")]
    pub fn into_read(self) -> Elements<'a> {
        match self {
            ElementsMut::Floats(floats) => Elements::Floats(floats),
            ElementsMut::Bytes(bytes) => Elements::Bytes(bytes),
            ElementsMut::Unsigned(bytes) => Elements::Unsigned(bytes),
            ElementsMut::Ints(ints) => Elements::Ints(ints),
        }
    }

    /// The same elements, for a shorter time.
    pub fn reborrow(&mut self) -> ElementsMut<'_> {
        match self {
            ElementsMut::Floats(floats) => ElementsMut::Floats(floats),
            ElementsMut::Bytes(bytes) => ElementsMut::Bytes(bytes),
            ElementsMut::Unsigned(bytes) => ElementsMut::Unsigned(bytes),
            ElementsMut::Ints(ints) => ElementsMut::Ints(ints),
        }
    }

    /// As [`Elements::view`].
    pub fn view(self, bound: &Bound) -> Option<Result<AnyViewMut<'a>, InvalidTensor>> {
        fn view<'a, T: Element<Channel = T>>(
            elements: &'a mut [T],
            bound: &Bound,
        ) -> Option<Result<AnyViewMut<'a>, InvalidTensor>> {
            let elements = elements.get_mut(bound.slot.offset..)?;
            Some(ViewMut::<T>::with_strides(elements, &bound.slot.extents, &bound.strides).map(ViewMut::any))
        }
        of_any_type!(ElementsMut, self, elements => view(elements, bound))
    }
}
