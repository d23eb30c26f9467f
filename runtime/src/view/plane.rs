//! The first plane of a view, for those who walk it element by element: the author's own function, as tests call it.
//!
//! A view says everything about its tensor, which is too much to hand on for each element.

use core::{marker::PhantomData, ptr::NonNull};

use super::{AnyView, AnyViewMut, View};
use crate::{border::BorderMode, element::Element, info::TensorInfo};

/// Where the elements of a plane lie.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// Columns and rows; none where the tensor has no element.
    extents: [usize; 2],
    /// Bytes from column to column and from row to row.
    strides: [isize; 2],
}

impl Places {
    #[inline]
    fn of(info: &TensorInfo) -> Places {
        let extents = if info.is_empty() { [0; 2] } else { [info.width(), info.height()] };
        Places { extents, strides: [info.inner_stride(0), info.row_stride()] }
    }

    /// Bytes from the first element to what stands for that at (x, y), which may lie outside; `None` for the constant.
    #[inline]
    fn offset(&self, mode: BorderMode, [x, y]: [isize; 2]) -> Option<isize> {
        let (column, row) = (mode.map(x, self.extents[0])?, mode.map(y, self.extents[1])?);
        Some(column as isize * self.strides[0] + row as isize * self.strides[1])
    }
}

/// The first plane of a tensor of elements `T`, to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a, T: Element> {
    first: NonNull<u8>,
    places: Places,
    data: PhantomData<&'a [T]>,
}

// SAFETY: a plane is a shared borrow of plain data, as a view is.
unsafe impl<T: Element> Send for Plane<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Plane<'_, T> {}

impl<'a, T: Element> Plane<'a, T> {
    /// A plane without elements.
    pub const EMPTY: Plane<'a, T> = Plane {
        first: NonNull::<T>::dangling().cast(),
        places: Places { extents: [0; 2], strides: [0; 2] },
        data: PhantomData,
    };

    /// Returns what stands for the element at (x, y), which may lie outside; `None` for the constant.
    #[inline]
    pub fn get(&self, mode: BorderMode, at: [isize; 2]) -> Option<T> {
        let offset = self.places.offset(mode, at)?;
        // SAFETY: `offset` is that of an element, and elements are readable and aligned for `T` by construction.
        Some(unsafe { self.first.as_ptr().offset(offset).cast::<T>().read() })
    }
}

impl<'a, T: Element> View<'a, T> {
    /// Returns the first plane.
    pub(crate) fn first_plane(&self) -> Plane<'a, T> {
        Plane { first: self.any.base, places: Places::of(&self.any.info), data: PhantomData }
    }
}

impl<'a> AnyView<'a> {
    /// Returns the first plane, where its elements are `T`.
    pub(crate) fn first_plane<T: Element>(&self) -> Option<Plane<'a, T>> {
        let is_typed = self.info.expect::<T>().is_ok() && self.expect_values().is_ok();
        is_typed.then(|| Plane { first: self.base, places: Places::of(&self.info), data: PhantomData })
    }
}

impl<'a> AnyView<'a> {
    /// Returns the rows and columns of the first plane, where its elements are `T`.
    pub(crate) fn plane_view<T: Element>(&self) -> Option<View<'a, T>> {
        let is_typed = self.info.expect::<T>().is_ok() && self.expect_values().is_ok();
        let info = self.info.rows_and_columns().filter(|_| is_typed)?;
        // SAFETY: the elements are some of this view's, which are `T`.
        Some(unsafe { View::over(self.base, info) })
    }
}

impl AnyViewMut<'_> {
    /// Writes an element of the first plane; nothing where elements are not `T`, or it lies outside.
    pub(crate) fn put<T: Element>(&mut self, at: [usize; 2], value: T) {
        let is_typed = self.place.info.expect::<T>().is_ok() && self.place.expect_values().is_ok();
        let offset = Places::of(&self.place.info).offset(BorderMode::Constant, at.map(|at| at as isize));
        if let (true, Some(offset)) = (is_typed, offset) {
            // SAFETY: `offset` is that of an element, and elements are writable and aligned for `T` by construction.
            unsafe { self.place.base.as_ptr().offset(offset).cast::<T>().write(value) };
        }
    }
}
