//! Borrowed tensors: [`View`] to read, [`ViewMut`] to write, and their forms without element type.
//!
//! A view is a pointer and a [`TensorInfo`] that was checked against the memory it borrows. This is the one place where
//! a caller's slice becomes a pointer; everything that runs a kernel starts from here. Padding between rows is
//! never read or written through a view. Elements of a view to write never overlap.

mod any;
mod derive;
mod import;
mod plane;
mod regroup;

use core::{marker::PhantomData, ops::Index, ptr::NonNull};

use crate::{
    coordinate::Coordinate,
    element::Element,
    info::{InvalidTensor, MAX_DIMENSIONS, TensorInfo},
};

pub use any::{AnyView, AnyViewMut};
use import::{expect_alignment, expect_bytes, expect_length};
pub(crate) use plane::Plane;

/// A tensor of elements `T`, to read: of any rank, or of `N` dimensions as a kernel asks for them, `View<T, N>`.
///
/// (The default is any rank, written as a number: so messages of the compiler say `View<u8>`.)
#[derive(Debug)]
pub struct View<'a, T: Element, const N: usize = 255> {
    any: AnyView<'a>,
    element: PhantomData<T>,
}

impl<T: Element, const N: usize> Clone for View<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element, const N: usize> Copy for View<'_, T, N> {}

/// A tensor of elements `T`, to write.
#[derive(Debug)]
pub struct ViewMut<'a, T: Element> {
    any: AnyViewMut<'a>,
    element: PhantomData<T>,
}

impl<'a, T: Element> View<'a, T> {
    /// Returns the elements of a slice, without gaps; extents are outermost first, as `[height, width]`.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let pixels = [1u8, 2, 3, 4, 5, 6];
    /// let image = View::from_slice(&pixels, [2, 3])?;
    /// assert_eq!(image.get([1, 2]), Some(6));
    /// assert!(View::from_slice(&pixels, [3, 3]).is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    #[inline]
    pub fn from_slice<const R: usize>(elements: &'a [T], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::of::<T>(&extents)?;
        expect_length(elements.len(), &info)?;
        // SAFETY: the slice has as many elements as `info`, without gaps, and is borrowed for 'a.
        Ok(unsafe { View::over(NonNull::from(elements).cast(), info) })
    }

    /// Returns a tensor in a slice of channels, whose planes, rows, … are `strides` bytes apart, one stride a
    /// dimension, outermost first.
    ///
    /// A stride may be anything: 0 repeats one element, a negative one goes backwards, and elements of a row may lie apart. The
    /// lowest element is at the start of the slice.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// // Two rows of two pixels; rows start at multiples of four bytes.
    /// let bytes = [1u8, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12];
    /// let image = View::<[u8; 3]>::with_strides(&bytes, &[2, 2], &[8, 3])?;
    /// assert_eq!(image.get([1, 1]), Some([10, 11, 12]));
    /// // The same, from the bottom up.
    /// let image = View::<[u8; 3]>::with_strides(&bytes, &[2, 2], &[-8, 3])?;
    /// assert_eq!(image.get([0, 1]), Some([10, 11, 12]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn with_strides(
        channels: &'a [T::Channel],
        extents: &[usize],
        strides: &[isize],
    ) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::with_strides(T::TYPE, T::CHANNELS, extents, strides)?;
        expect_bytes(size_of_val(channels), &info)?;
        // SAFETY: the elements of `info` lie inside the slice, which is borrowed for 'a; strides keep channels aligned.
        Ok(unsafe { View::over(NonNull::from(channels).cast().add(info.first_element()), info) })
    }

    /// Returns a tensor whose first element is at `base`; those of negative strides lie before it.
    ///
    /// # Safety
    /// For `'a`, `base` is aligned for a channel, every element of `info` is readable and a `T`, and nothing writes one of them,
    /// except a run to which the same tensor is given as an output too.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        expect_alignment(base.as_ptr(), &info)?;
        // SAFETY: the caller's; the alignment has been checked.
        Ok(unsafe { View::over(base, info) })
    }

    /// The tensor `info`, of elements `T`, whose first element is at `base`.
    ///
    /// # Safety
    /// As for [`AnyView::from_raw`].
    pub(crate) unsafe fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        View { any: AnyView { base, info, data: PhantomData }, element: PhantomData }
    }

    /// Returns the same tensor, whose type says that it has `N` dimensions.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let volume = View::from_slice(&[0u8; 24], [2, 3, 4])?.into_rank::<3>()?;
    /// assert_eq!((volume.extents(), volume.get([1, 2, 3])), ([2, 3, 4], Some(0)));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// It has another number of them.
    pub fn into_rank<const N: usize>(self) -> Result<View<'a, T, N>, InvalidTensor> {
        match self.any.info.shape().rank() {
            found if found == N => Ok(View { any: self.any, element: PhantomData }),
            found => Err(InvalidTensor::Rank { found, expected: N }),
        }
    }

    /// The same, of which a run takes the place.
    #[inline]
    pub(crate) fn as_any(&self) -> &AnyView<'a> {
        &self.any
    }

    /// Returns the same integers, whatever they stand for: what a kernel takes, which reads no quantization.
    #[must_use]
    pub fn without_quantization(self) -> Self {
        View { any: self.any.without_quantization(), ..self }
    }

    /// The tensor without elements.
    pub(crate) fn empty() -> Self {
        // SAFETY: there is no element to read.
        unsafe { View::over(NonNull::<T>::dangling().cast(), TensorInfo::empty::<T>()) }
    }

    /// Returns the element at `coordinates`, outermost first, as `[y, x]`; `None` outside. Missing ones in front are 0.
    ///
    /// Coordinates are `usize`, or `i32` as kernels count: a negative one is outside.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let image = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!((image.get([1, 2]), image.get([1, 3]), image.get([-1, 0])), (Some(6), None, None));
    /// assert_eq!((image.get([1usize, 2]), image.get([2])), (Some(6), Some(3)));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn get<const R: usize, C: Coordinate>(&self, coordinates: [C; R]) -> Option<T> {
        let offset = self.any.info.offset(&coordinates.map(Coordinate::place))?;
        // SAFETY: `offset` is that of an element, and elements are readable and aligned for `T` by construction.
        Some(unsafe { self.any.base.as_ptr().offset(offset).cast::<T>().read() })
    }

    /// Returns how many rows and columns a plane has, as kernels count.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let volume = View::from_slice(&[0u8; 24], [2, 3, 4])?;
    /// assert_eq!(volume.extents(), [3, 4]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn extents(&self) -> [i32; 2] {
        let shape = self.any.info.shape();
        // No extent is beyond `MAX_EXTENT`.
        [shape.height() as i32, shape.width() as i32]
    }

    /// Returns all elements, row after row, where they lie side by side.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let info = self.info();
        // SAFETY: the elements fill the bytes from the first one, and are borrowed for 'a.
        info.is_packed().then(|| unsafe {
            core::slice::from_raw_parts(self.any.base.as_ptr().cast(), info.size_in_bytes() / info.pixel_size())
        })
    }

    /// Returns row `y` of the first plane; `None` outside, and where elements of a row don't lie side by side.
    pub fn row(&self, y: usize) -> Option<&'a [T]> {
        self.row_at(&[y, 0])
    }

    /// The row that begins at `coordinates`.
    pub(crate) fn row_at(&self, coordinates: &[usize]) -> Option<&'a [T]> {
        let info = &self.any.info;
        let offset = info.offset(coordinates).filter(|_| info.layout().has_contiguous_rows())?;
        // SAFETY: the `width` elements from `offset` lie side by side and are borrowed for 'a.
        Some(unsafe { core::slice::from_raw_parts(self.any.base.as_ptr().offset(offset).cast::<T>(), info.width()) })
    }

    /// Returns the region of interest of `extents` at `start`, both outermost first; along dimensions that they lack,
    /// all of it.
    pub fn region<const R: usize>(&self, start: [usize; R], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.info.region(&start, &extents)?;
        // SAFETY: `offset` is that of an element of this view, or 0; the region's elements are this view's.
        Ok(unsafe { View::over(self.any.base.offset(offset), info) })
    }

    /// Returns the plane at `index` of the third dimension from the end.
    pub fn plane(&self, index: usize) -> Result<Self, InvalidTensor> {
        let shape = self.any.info.shape();
        self.region([index, 0, 0], [1, shape.height(), shape.width()])
    }
}

/// The element at a row and a column, as kernels read it where they are proved to stay inside.
///
/// ```
/// use windrow::View;
///
/// let image = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
/// assert_eq!(image[[1, 2]], 6);
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
///
/// # Panics
/// There is no such element; [`View::get`] says so instead.
impl<T: Element> Index<[i32; 2]> for View<'_, T> {
    type Output = T;

    fn index(&self, at: [i32; 2]) -> &T {
        self.element(&at)
    }
}

impl<'a, T: Element, const N: usize> View<'a, T, N> {
    /// Returns the metadata of the tensor.
    pub fn info(&self) -> &TensorInfo {
        &self.any.info
    }

    /// Returns the same tensor without its element type.
    pub fn any(self) -> AnyView<'a> {
        self.any
    }

    /// The element at these coordinates, outermost first.
    ///
    /// # Panics
    /// There is none.
    fn element(&self, at: &[i32]) -> &T {
        let mut places = [0; MAX_DIMENSIONS];
        let places = &mut places[..at.len()];
        places.iter_mut().zip(at).for_each(|(place, at)| *place = at.place());
        match self.any.info.offset(places) {
            // SAFETY: `offset` is that of an element, which is readable, aligned for `T`, and borrowed for the view's lifetime.
            Some(offset) => unsafe { &*self.any.base.as_ptr().offset(offset).cast::<T>() },
            None => panic!("{at:?} lies outside an image of {}", self.any.info.shape()),
        }
    }

    /// The tensor of this many dimensions without elements.
    pub(crate) fn none() -> Self {
        View { any: View::<T>::empty().any, element: PhantomData }
    }

    /// The same, whose type says nothing of its dimensions.
    fn of_any_rank(self) -> View<'a, T> {
        View { any: self.any, element: PhantomData }
    }
}

/// What a kernel reads of a tensor of this many dimensions.
macro_rules! ranks {
    ($($rank:literal)*) => {$(
        impl<T: Element> View<'_, T, $rank> {
            /// Returns the element at `coordinates`, outermost first; `None` outside, as of [`View::get`] of any rank.
            pub fn get<C: Coordinate>(&self, coordinates: [C; $rank]) -> Option<T> {
                self.of_any_rank().get(coordinates)
            }

            /// Returns the extents, outermost first, as kernels count.
            pub fn extents(&self) -> [i32; $rank] {
                let shape = self.any.info.shape();
                // No extent is beyond `MAX_EXTENT`.
                core::array::from_fn(|dimension| shape.inner_extent($rank - 1 - dimension) as i32)
            }
        }

        /// The element at a place, as kernels read it where they are proved to stay inside.
        ///
        /// # Panics
        /// There is no such element; `get` says so instead.
        impl<T: Element> Index<[i32; $rank]> for View<'_, T, $rank> {
            type Output = T;

            fn index(&self, at: [i32; $rank]) -> &T {
                self.element(&at)
            }
        }
    )*};
}

ranks! { 1 2 3 4 5 6 }

impl<'a, T: Element> ViewMut<'a, T> {
    /// Returns the elements of a slice, without gaps; extents are outermost first, as `[height, width]`.
    #[inline]
    pub fn from_slice<const R: usize>(elements: &'a mut [T], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::of::<T>(&extents)?;
        expect_length(elements.len(), &info)?;
        // SAFETY: the slice has as many elements as `info`, without gaps, and is borrowed for 'a.
        Ok(unsafe { ViewMut::over(NonNull::from(elements).cast(), info) })
    }

    /// Returns a tensor in a slice of channels, whose planes, rows, … are `strides` bytes apart, one stride a
    /// dimension, outermost first.
    ///
    /// As [`View::with_strides`], but no two elements may overlap: a stride of 0 is refused.
    pub fn with_strides(
        channels: &'a mut [T::Channel],
        extents: &[usize],
        strides: &[isize],
    ) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::with_strides(T::TYPE, T::CHANNELS, extents, strides)?;
        info.layout().expect_disjoint()?;
        expect_bytes(size_of_val(channels), &info)?;
        // SAFETY: the elements of `info` lie inside the slice, which is borrowed for 'a; strides keep channels aligned, and
        // elements apart.
        Ok(unsafe { ViewMut::over(NonNull::from(channels).cast().add(info.first_element()), info) })
    }

    /// Returns a tensor whose first element is at `base`; those of negative strides lie before it. No two elements may
    /// overlap.
    ///
    /// # Safety
    /// For `'a`, `base` is aligned for a channel, every element of `info` is readable, a `T` and writable, and nothing else
    /// touches one of them, except views of the same tensor that are given to the same run as inputs.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        info.layout().expect_disjoint()?;
        expect_alignment(base.as_ptr(), &info)?;
        // SAFETY: the caller's; the alignment has been checked, and that elements don't overlap.
        Ok(unsafe { ViewMut::over(base, info) })
    }

    /// The first element, to write through the view's own borrow.
    pub(crate) fn first_mut(&self) -> *mut u8 {
        self.any.place.base.as_ptr()
    }

    /// Returns the tensor in two along `dimension`, counted from the outermost: what lies before `at`, and the rest.
    ///
    /// ```
    /// use windrow::ViewMut;
    ///
    /// let mut pixels = [0u8; 12];
    /// let (mut left, mut right) = ViewMut::from_slice(&mut pixels, [3, 4])?.split_at(1, 1)?;
    /// assert!(left.set([2, 0], 1) && right.set([2, 2], 2) && !left.set([0, 1], 3));
    /// assert_eq!(pixels[8..], [1, 0, 0, 2]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn split_at(self, dimension: usize, at: usize) -> Result<(Self, Self), InvalidTensor> {
        let shape = self.any.place.info.shape();
        let (mut start, mut extents, rank) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS], shape.rank());
        if dimension >= rank {
            return Err(InvalidTensor::Dimension { found: dimension, rank });
        }
        extents[..rank].copy_from_slice(&shape.extents());
        let available = extents[dimension];
        let rest = available.checked_sub(at);
        let rest = rest.ok_or(InvalidTensor::Region { dimension, start: 0, extent: at, available })?;
        extents[dimension] = at;
        let (_, before) = self.any.place.info.region(&start[..rank], &extents[..rank])?;
        (start[dimension], extents[dimension]) = (at, rest);
        let (offset, behind) = self.any.place.info.region(&start[..rank], &extents[..rank])?;
        // SAFETY: `offset` is that of an element of this view, or 0; the elements are this view's, and the two share none.
        Ok(unsafe {
            (ViewMut::over(self.any.place.base, before), ViewMut::over(self.any.place.base.offset(offset), behind))
        })
    }

    /// The tensor `info`, of elements `T`, whose first element is at `base`.
    ///
    /// # Safety
    /// As for [`AnyViewMut::from_raw`].
    pub(crate) unsafe fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        // SAFETY: the caller's.
        ViewMut { any: unsafe { AnyViewMut::from_raw(base, info) }, element: PhantomData }
    }

    /// Returns the metadata of the tensor.
    pub fn info(&self) -> &TensorInfo {
        &self.any.place.info
    }

    /// Returns the same tensor without its element type.
    pub fn any(self) -> AnyViewMut<'a> {
        self.any
    }

    /// The same, of which a run takes the place.
    #[inline]
    pub(crate) fn as_any_mut(&mut self) -> &mut AnyViewMut<'a> {
        &mut self.any
    }

    /// Returns the same integers, whatever they stand for: what a kernel takes, which reads no quantization.
    #[must_use]
    pub fn without_quantization(self) -> Self {
        ViewMut { any: self.any.without_quantization(), ..self }
    }

    /// Returns the same tensor, to read.
    pub fn view(&self) -> View<'_, T> {
        View { any: self.any.view(), element: PhantomData }
    }

    /// Returns the same tensor, for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut { any: self.any.reborrow(), element: PhantomData }
    }

    /// Writes the element at `coordinates`, counted as by [`View::get`]; `false` outside.
    #[must_use]
    pub fn set<const R: usize, C: Coordinate>(&mut self, coordinates: [C; R], value: T) -> bool {
        let Some(offset) = self.any.place.info.offset(&coordinates.map(Coordinate::place)) else { return false };
        // SAFETY: `offset` is that of an element, and elements are writable and aligned for `T` by construction.
        unsafe { self.any.place.base.as_ptr().offset(offset).cast::<T>().write(value) };
        true
    }

    /// Returns all elements, row after row, where they lie side by side.
    pub fn into_slice(self) -> Option<&'a mut [T]> {
        let info = &self.any.place.info;
        // SAFETY: the elements fill the bytes from the first one, and are borrowed exclusively for 'a.
        info.is_packed().then(|| unsafe {
            core::slice::from_raw_parts_mut(
                self.any.place.base.as_ptr().cast(),
                info.size_in_bytes() / info.pixel_size(),
            )
        })
    }

    /// Returns row `y` of the first plane; `None` outside, and where elements of a row don't lie side by side.
    pub fn row_mut(&mut self, y: usize) -> Option<&mut [T]> {
        let info = &self.any.place.info;
        let offset = info.offset(&[y, 0]).filter(|_| info.layout().has_contiguous_rows())?;
        // SAFETY: the `width` elements from `offset` lie side by side and are borrowed exclusively with `self`.
        Some(unsafe {
            core::slice::from_raw_parts_mut(self.any.place.base.as_ptr().offset(offset).cast::<T>(), info.width())
        })
    }

    /// Returns the region of interest of `extents` at `start`, both outermost first; along dimensions that they lack,
    /// all of it.
    pub fn region<const R: usize>(self, start: [usize; R], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.place.info.region(&start, &extents)?;
        // SAFETY: `offset` is that of an element of this view, or 0; the region's elements are this view's.
        Ok(unsafe { ViewMut::over(self.any.place.base.offset(offset), info) })
    }

    /// Returns the plane at `index` of the third dimension from the end.
    pub fn plane(self, index: usize) -> Result<Self, InvalidTensor> {
        let shape = self.any.place.info.shape();
        self.region([index, 0, 0], [1, shape.height(), shape.width()])
    }
}

#[cfg(test)]
mod tests;
