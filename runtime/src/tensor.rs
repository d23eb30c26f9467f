//! Owned tensors, for hosts with an allocator.
//!
//! A [`Tensor`] is a vector of elements with a shape, and may carry padding around each plane: readable, never
//! meaningful, never written by a run. Its type may say how many dimensions it has: `Tensor<u8, 2>` is an image.

use core::ptr::NonNull;
use std::vec::Vec;

use crate::{
    element::Element,
    info::{InvalidTensor, MAX_DIMENSIONS, Shape, TensorInfo},
    padding::Padding,
    planes::Coordinates,
    region::ValidRegion,
    view::{View, ViewMut},
};

/// The rank in the type of a [`Tensor`] whose number of dimensions is known at run time.
pub const ANY_RANK: usize = 255;

/// An owned tensor of elements `T`; extents and coordinates are outermost first, as `[height, width]`.
///
/// Its [`view`](Tensor::view) reads elements and rows, its [`view_mut`](Tensor::view_mut) writes them. A row is a slice:
///
/// ```
/// use windrow::Tensor;
///
/// let mut image = Tensor::from_fn([480, 640], |[y, x]| (x + y) as u8)?;
/// assert_eq!(image.view().get([2, 1]), Some(3));
/// let brightest = image.view().row(2).and_then(|row| row.iter().max());
/// assert_eq!(brightest, Some(&255));
/// if let Some(row) = image.view_mut().row_mut(2) {
///     row.fill(0);
/// }
/// assert_eq!(image.view().get([2, 1]), Some(0));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
///
/// `Tensor<T>` has any number of dimensions, `Tensor<T, N>` has `N` of them: one becomes the other without a copy, and kernels take
/// both.
///
/// ```
/// use windrow::Tensor;
///
/// let image: Tensor<u8, 2> = Tensor::<u8>::new([480, 640])?.into_rank()?;
/// let [height, width] = image.shape();
/// assert_eq!((height, width), (480, 640));
/// assert!(image.into_any_rank().into_rank::<3>().is_err());
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
///
/// (The default is [`ANY_RANK`], written as a number: so messages of the compiler say `Tensor<u8>`.)
#[derive(Clone, Debug)]
pub struct Tensor<T: Element, const N: usize = 255> {
    storage: Vec<T>,
    /// Elements before the first one.
    offset: usize,
    info: TensorInfo,
}

impl<T: Element> Tensor<T> {
    /// Returns a tensor of zeros. [`into_rank`](Tensor::into_rank) says its number of dimensions in its type.
    ///
    /// ```
    /// use windrow::Tensor;
    ///
    /// let image = Tensor::<u8>::new([480, 640])?;
    /// assert_eq!(image.view().get([479, 639]), Some(0));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn new<const R: usize>(extents: [usize; R]) -> Result<Self, InvalidTensor> {
        Tensor::with_padding(extents, Padding::default())
    }

    /// Returns a tensor of zeros whose planes are surrounded by padding.
    pub fn with_padding<const R: usize>(extents: [usize; R], padding: Padding) -> Result<Self, InvalidTensor> {
        Tensor::with_info(TensorInfo::of::<T>(&extents)?.with_padding(padding)?)
    }

    /// Returns a tensor of zeros in the memory that `info` describes: configure first, allocate later.
    ///
    /// ```
    /// use windrow::{Padding, Tensor, TensorInfo};
    ///
    /// let info = TensorInfo::of::<u8>(&[480, 640])?.extend_padding(Padding::automatic())?;
    /// let image = Tensor::<u8>::with_info(info)?;
    /// assert_eq!(image.storage().len(), info.buffer_size());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn with_info(info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        info.layout().expect_disjoint()?;
        // Strides are multiples of a channel's size, not of an element's: elements then start between those of the vector.
        let odd = |bytes: usize| !bytes.is_multiple_of(size_of::<T>());
        let mut strides = info.strides().iter().enumerate();
        if let Some((dimension, &found)) = strides.find(|(_, stride)| odd(stride.unsigned_abs())) {
            return Err(InvalidTensor::StrideMisaligned { dimension, found, alignment: size_of::<T>() });
        }
        if odd(info.first_element()) {
            let found = info.first_element() % size_of::<T>();
            return Err(InvalidTensor::Misaligned { found, alignment: size_of::<T>() });
        }
        let storage = zeros(info.buffer_size().div_ceil(size_of::<T>()))?;
        Ok(Tensor { storage, offset: info.first_element() / size_of::<T>(), info })
    }

    /// Returns the elements of a vector, row after row.
    ///
    /// ```
    /// use windrow::Tensor;
    ///
    /// let image = Tensor::from_vec(vec![1u8, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(image.view().row(1), Some(&[4, 5, 6][..]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn from_vec<const R: usize>(elements: Vec<T>, extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let info = *View::from_slice(&elements, extents)?.info();
        Ok(Tensor { storage: elements, offset: 0, info })
    }

    /// Returns a tensor with each element computed from its coordinates.
    ///
    /// ```
    /// use windrow::Tensor;
    ///
    /// let image = Tensor::from_fn([2, 3], |[y, x]| (10 * y + x) as u8)?;
    /// assert_eq!(image.to_vec(), [0, 1, 2, 10, 11, 12]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn from_fn<const R: usize>(
        extents: [usize; R],
        mut element: impl FnMut([usize; R]) -> T,
    ) -> Result<Self, InvalidTensor> {
        let mut tensor = Tensor::new(extents)?;
        let mut at = [0; R];
        for value in &mut tensor.storage {
            *value = element(at);
            for (at, &extent) in at.iter_mut().zip(&extents).rev() {
                *at += 1;
                if *at < extent {
                    break;
                }
                *at = 0;
            }
        }
        Ok(tensor)
    }

    /// Returns the same tensor, whose type says that it has `N` dimensions.
    ///
    /// # Errors
    /// It has another number of them.
    pub fn into_rank<const N: usize>(self) -> Result<Tensor<T, N>, InvalidTensor> {
        let (found, Tensor { storage, offset, info }) = (self.info.shape().rank(), self);
        if found != N && N != ANY_RANK {
            return Err(InvalidTensor::Rank { found, expected: N });
        }
        Ok(Tensor { storage, offset, info })
    }
}

impl<T: Element, const N: usize> Tensor<T, N> {
    /// Returns the same tensor, of any rank.
    pub fn into_any_rank(self) -> Tensor<T> {
        Tensor { storage: self.storage, offset: self.offset, info: self.info }
    }

    /// Returns the metadata of the tensor.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Returns the extents, outermost first: an array where the type says how many there are.
    pub fn shape(&self) -> <Dimensions<N> as Rank>::Shape
    where
        Dimensions<N>: Rank,
    {
        Dimensions::<N>::of(self.info.shape())
    }

    /// Returns the tensor, to read.
    pub fn view(&self) -> View<'_, T> {
        let storage = NonNull::from(&self.storage[..]).cast::<T>();
        // SAFETY: the storage holds the elements around `offset`, and is borrowed with `self`.
        unsafe { View::over(storage.add(self.offset).cast(), self.info) }
    }

    /// Returns the tensor, to write.
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        let storage = NonNull::from(&mut self.storage[..]).cast::<T>();
        // SAFETY: as above, exclusively.
        unsafe { ViewMut::over(storage.add(self.offset).cast(), self.info) }
    }

    /// Says which elements mean something, as [`Configured::valid_region`](crate::Configured::valid_region) does after a run.
    pub fn set_valid_region(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.info = self.info.with_valid_region(region)?;
        Ok(())
    }

    /// Returns the whole allocation, padding included.
    pub fn storage(&self) -> &[T] {
        &self.storage
    }

    /// Returns the whole allocation, padding included, to write.
    pub fn storage_mut(&mut self) -> &mut [T] {
        &mut self.storage
    }

    /// Returns the elements as a vector, row after row, without padding.
    pub fn to_vec(&self) -> Vec<T> {
        self.view().to_vec()
    }
}

/// A number of dimensions as a type: `N` of them, or any number.
#[derive(Clone, Copy, Debug)]
pub struct Dimensions<const N: usize>;

/// A number of dimensions that a tensor may have, by type: from 0 to 6, or any.
pub trait Rank {
    /// The extents of a tensor of this rank.
    type Shape;

    /// Returns the extents of a shape of this rank.
    fn of(shape: Shape) -> Self::Shape;
}

impl Rank for Dimensions<ANY_RANK> {
    type Shape = Shape;

    fn of(shape: Shape) -> Shape {
        shape
    }
}

macro_rules! ranks {
    ($($rank:literal)*) => {$(
        impl Rank for Dimensions<$rank> {
            type Shape = [usize; $rank];

            fn of(shape: Shape) -> [usize; $rank] {
                let extents = shape.extents();
                core::array::from_fn(|dimension| extents.get(dimension).copied().unwrap_or(1))
            }
        }

        impl<T: Element> TryFrom<Tensor<T>> for Tensor<T, $rank> {
            type Error = InvalidTensor;

            fn try_from(tensor: Tensor<T>) -> Result<Self, InvalidTensor> {
                tensor.into_rank()
            }
        }

        impl<T: Element> From<Tensor<T, $rank>> for Tensor<T> {
            fn from(tensor: Tensor<T, $rank>) -> Self {
                tensor.into_any_rank()
            }
        }
    )*};
}

ranks! { 0 1 2 3 4 5 6 }

impl<T: Element> View<'_, T> {
    /// Returns a copy of the elements, row after row.
    pub fn to_vec(&self) -> Vec<T> {
        if let Some(slice) = self.as_slice() {
            return slice.to_vec();
        }
        let (shape, mut elements) = (self.info().shape(), Vec::new());
        for mut at in Coordinates::of_rows(&shape) {
            at.reverse();
            match self.row_at(&at) {
                Some(row) => elements.extend_from_slice(row),
                None => elements.extend((0..shape.width()).filter_map(|x| {
                    at[MAX_DIMENSIONS - 1] = x;
                    self.get(at)
                })),
            }
        }
        elements
    }
}

fn zeros<T: Element>(count: usize) -> Result<Vec<T>, InvalidTensor> {
    let mut storage = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    storage.try_reserve_exact(count).map_err(|_| InvalidTensor::OutOfMemory { bytes })?;
    storage.resize(count, T::default());
    Ok(storage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_surrounds_every_plane() {
        let padding = Padding { left: 1, right: 2, top: 3, bottom: 1 };
        let mut tensor = Tensor::<u8>::with_padding([2, 2, 4], padding).unwrap();
        for plane in 0..2 {
            let mut view = tensor.view_mut().plane(plane).unwrap();
            for y in 0..2 {
                view.row_mut(y).unwrap().fill(plane as u8 + 1);
            }
        }
        assert_eq!(tensor.to_vec(), [[1u8; 8], [2; 8]].concat());
        assert_eq!(tensor.storage().len(), 7 * 6 * 2);
        assert_eq!(tensor.storage().iter().filter(|&&byte| byte == 0).count(), 7 * 6 * 2 - 16);
        assert_eq!(tensor.storage()[7 * 3 + 1], 1);
    }

    #[test]
    fn shapes_that_no_memory_holds_are_refused() {
        assert!(Tensor::<u8>::new([1 << 30, 1 << 30, 1 << 30]).is_err());
        if cfg!(not(miri)) {
            assert!(matches!(Tensor::<u8>::new([1 << 30, 1 << 30]), Err(InvalidTensor::OutOfMemory { .. })));
        }
        assert!(Tensor::<u8>::new([usize::MAX, 2]).is_err());
        let padding = Padding { left: usize::MAX, ..Padding::default() };
        assert!(Tensor::<u8>::with_padding([4, 4], padding).is_err());
        assert!(Tensor::from_vec(vec![0u8; 5], [3, 2]).is_err());
    }

    #[test]
    fn an_empty_tensor_is_a_tensor() {
        let mut tensor = Tensor::<f32>::with_padding([3, 0], Padding { left: 2, ..Padding::default() }).unwrap();
        assert!(tensor.to_vec().is_empty());
        assert_eq!(tensor.view_mut().row_mut(0), None);
        assert!(Tensor::<u8>::from_fn([3, 0], |_| 1).unwrap().to_vec().is_empty());
    }

    #[test]
    fn a_rank_in_the_type_is_checked_and_given_up_freely() {
        let cube = Tensor::<i16>::from_fn([2, 3, 4], |[z, y, x]| (100 * z + 10 * y + x) as i16).unwrap();
        let address = cube.storage().as_ptr();
        let cube: Tensor<i16, 3> = cube.try_into().unwrap();
        let [planes, rows, columns] = cube.shape();
        assert_eq!((planes, rows, columns, cube.view().get([1, 2, 3])), (2, 3, 4, Some(123)));
        let any: Tensor<i16> = cube.into();
        assert_eq!((any.shape(), any.storage().as_ptr()), (Shape::new(&[2, 3, 4]).unwrap(), address));
        let refused = Tensor::<i16, 2>::try_from(any.clone());
        assert_eq!(refused.map(|_| ()), Err(InvalidTensor::Rank { found: 3, expected: 2 }));
        assert_eq!(any.into_rank::<ANY_RANK>().map(|same| same.info().shape().rank()), Ok(3));
        let scalar: Tensor<i16, 0> = Tensor::<i16>::new([]).unwrap().into_rank().unwrap();
        assert_eq!((scalar.shape(), scalar.to_vec()), ([0; 0], vec![0]));
    }

    #[test]
    fn tensors_hold_every_type_of_numbers() {
        fn check<T: Element>(values: [T; 2]) {
            let tensor = Tensor::from_vec(values.repeat(3), [2, 3]).unwrap();
            assert_eq!((tensor.info().dtype(), tensor.view().get([1, 1])), (T::TYPE, Some(values[0])));
            let mut turned = Tensor::<T>::new([3, 2]).unwrap();
            turned.view_mut().any().copy_from(&tensor.view().permute([1, 0]).unwrap().any()).unwrap();
            assert_eq!(turned.view().get([2, 0]), Some(values[0]));
            assert_eq!(turned.view().any().typed::<T>().unwrap().to_vec(), turned.to_vec());
        }
        check([u64::MAX, 1]);
        check([i64::MIN, 1]);
        check([f64::MAX, 0.5]);
        check([half::f16::MAX, half::f16::ONE]);
        check([half::bf16::MIN, half::bf16::ONE]);
        check([true, false]);
        check([[1.5f64, 2.5], [3.5, 4.5]]);
    }

    #[test]
    fn bytes_that_are_not_bools_are_not_read_as_bools() {
        let info = TensorInfo::of::<bool>(&[2, 2]).unwrap();
        let mut bytes = [0, 1, 1, 2];
        assert_eq!(View::<bool>::import(&bytes, info).unwrap_err(), InvalidTensor::Bool { found: 2 });
        assert_eq!(ViewMut::<bool>::import(&mut bytes, info).unwrap_err(), InvalidTensor::Bool { found: 2 });
        // SAFETY: four bytes that live as long as the view.
        let any = unsafe { crate::view::AnyView::import(bytes.as_ptr(), 4, info) }.unwrap();
        assert_eq!(any.typed::<bool>().unwrap_err(), InvalidTensor::Bool { found: 2 });
        let mut flags = Tensor::<bool>::new([2, 2]).unwrap();
        assert_eq!(flags.view_mut().any().copy_from(&any), Err(InvalidTensor::Bool { found: 2 }));
        assert_eq!(
            View::<bool>::import(&bytes[..3], TensorInfo::of::<bool>(&[3]).unwrap()).unwrap().get([2]),
            Some(true)
        );
    }

    #[test]
    fn from_fn_counts_coordinates() {
        let tensor = Tensor::from_fn([2, 3, 2], |[plane, y, x]| (x + 10 * y + 100 * plane) as i16).unwrap();
        assert_eq!(tensor.to_vec(), [0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121]);
    }
}
