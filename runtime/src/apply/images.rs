//! What `apply` takes and gives: images to read, images to write, and how an output is made.

use crate::{
    apply::space::{SameSpace, Space},
    element::Element,
    error::any::Error,
    info::{InvalidTensor, TensorInfo},
    region::ValidRegion,
};

/// An image of any element type that can be read where it lies, by what lends it: a reference to a tensor, a view.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an image that a kernel reads",
    label = "not an image",
    note = "a kernel reads `&Tensor`, `View`, on a device `&DeviceTensor`, and with the features `image` and `ndarray` `&ImageBuffer` and `&Array`",
    note = "a call that may fail gives a `Result`: `?` behind the call takes the image out of it",
    note = "a slice or a `Vec` becomes an image by `View::from_slice(&pixels, [height, width])?`",
    note = "a `DynamicImage` becomes one by `.to_luma8()`, `.to_rgb8()` and the like",
    note = "a parameter that is the same for the whole run is marked `#[uniform]` in the kernel; without it, it is an image"
)]
pub trait Readable {
    /// Where it lies.
    type Space: Space;

    /// Returns the image's metadata.
    ///
    /// # Errors
    /// The image is too large for a tensor, or its layout in memory is not that of one.
    fn info(&self) -> Result<TensorInfo, InvalidTensor>;

    /// Lends the image to a run.
    ///
    /// # Errors
    /// The image can't be lent at the moment.
    fn read(&self) -> Result<<Self::Space as Space>::Read<'_>, Error>;
}

/// An image of any element type that can be written where it lies.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an image that a kernel writes",
    label = "not an image to write",
    note = "a kernel writes `&mut Tensor`, `ViewMut`, on a device `&mut DeviceTensor`, and with the features `image` and `ndarray` `&mut ImageBuffer` and `&mut Array`",
    note = "a slice or a `Vec` becomes an image by `ViewMut::from_slice(&mut pixels, [height, width])?`"
)]
pub trait Writable {
    /// Where it lies.
    type Space: Space;

    /// Returns the image's metadata; `None` for an output that is left out.
    ///
    /// # Errors
    /// The image is too large for a tensor, or its layout in memory is not that of one.
    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor>;

    /// Lends the image to a run; `None` for an output that is left out.
    ///
    /// # Errors
    /// The image can't be lent at the moment.
    fn write(&mut self) -> Result<Option<<Self::Space as Space>::Write<'_>>, Error>;

    /// Takes note of the elements that a run has written. An image that can't store that ignores it.
    ///
    /// # Errors
    /// The region leaves the image.
    fn written(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        let _ = region;
        Ok(())
    }
}

/// An image of elements `T` that a kernel reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an image of `{T}` that a kernel reads",
    label = "expected an image of `{T}`",
    note = "a kernel reads `&Tensor<{T}>`, `View<{T}>`, on a device `&DeviceTensor<{T}>`, and with the features `image` and `ndarray` `&ImageBuffer` and `&Array`",
    note = "a call that may fail gives a `Result`: `?` behind the call takes the image out of it",
    note = "a slice or a `Vec` becomes an image by `View::from_slice(&pixels, [height, width])?`",
    note = "a `DynamicImage` becomes one by `.to_luma8()`, `.to_rgb8()` and the like",
    note = "a parameter that is the same for the whole run is marked `#[uniform]` in the kernel; without it, it is an image"
)]
pub trait Source<T: Element>: Readable {}

/// An image of elements `T` that a kernel writes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an image of `{T}` that a kernel writes",
    label = "expected an image of `{T}` to write",
    note = "a kernel writes `&mut Tensor<{T}>`, `ViewMut<{T}>`, on a device `&mut DeviceTensor<{T}>`, and with the features `image` and `ndarray` `&mut ImageBuffer` and `&mut Array`",
    note = "a slice or a `Vec` becomes an image by `ViewMut::from_slice(&mut pixels, [height, width])?`"
)]
pub trait Destination<T: Element>: Writable {}

/// An image that says of what kind the outputs of a call are.
#[diagnostic::on_unimplemented(
    message = "`apply` can't make an output of `{T}` like `{Self}`",
    label = "the first image that is read says of what kind the outputs are",
    note = "the outputs are like the first image that is read: `Tensor`, or `ImageBuffer` or `Array` of the same crate",
    note = "`apply_into` writes into an image of any kind, and needs no heap; `apply` itself needs windrow's feature `std`"
)]
pub trait Allocate<T: Element>: Readable {
    /// The kind of an output of elements `T`.
    type Image: Writable<Space = Self::Space>;

    /// Makes an output.
    ///
    /// # Errors
    /// Memory ran out, or an image of this kind doesn't have such a shape.
    fn allocate(&self, info: &TensorInfo) -> Result<Self::Image, Error>;
}

/// An image that can be read in a call whose images lie in `S`: every [`Readable`] of that space.
///
/// `apply` asks for it beside [`Source`]. As a bound of the argument alone it lets rustc tell a mistake once, and at the argument:
/// what is no image, and what lies in another space.
pub trait ReadableIn<S: Space>: Readable<Space: SameSpace<S>> {}

impl<S: Space, I: Readable<Space: SameSpace<S>>> ReadableIn<S> for I {}

/// An image that can be written in a call whose images lie in `S`: every [`Writable`] of that space, as [`ReadableIn`] is for reading.
pub trait WritableIn<S: Space>: Writable<Space: SameSpace<S>> {}

impl<S: Space, I: Writable<Space: SameSpace<S>>> WritableIn<S> for I {}

/// A space that makes outputs of elements `T` like its image `I`: the space of every [`Allocate`].
///
/// `apply` finds the kind of its outputs by the space of its first image. What is no image has no space, so that rustc says that it is
/// none, and not also that no output can be made like it.
pub trait AllocateLike<I, T: Element>: Space {
    /// The kind of an output.
    type Image: Writable<Space = Self>;

    /// Makes an output.
    ///
    /// # Errors
    /// Those of [`Allocate::allocate`].
    fn allocate(image: &I, info: &TensorInfo) -> Result<Self::Image, Error>;
}

impl<S: Space, T: Element, I: Allocate<T> + Readable<Space = S>> AllocateLike<I, T> for S {
    type Image = <I as Allocate<T>>::Image;

    fn allocate(image: &I, info: &TensorInfo) -> Result<Self::Image, Error> {
        image.allocate(info)
    }
}

/// Implements [`Writable`] for what borrows images of these types: `['a, T: Element] ViewMut<'a, T>`.
///
/// One implementation for every `&mut W` would answer for what is no image too: rustc would then say of `&mut Vec<u8>` that it is no
/// image, and of `Vec<u8>` once more.
macro_rules! written_by_reference {
    ($([$($generics:tt)*] $image:ty),*) => {$(
        impl<$($generics)*> $crate::apply::Writable for &mut $image {
            type Space = <$image as $crate::apply::Writable>::Space;

            fn info(&self) -> Result<Option<$crate::info::TensorInfo>, $crate::info::InvalidTensor> {
                $crate::apply::Writable::info(&**self)
            }

            fn write(
                &mut self,
            ) -> Result<Option<<Self::Space as $crate::apply::Space>::Write<'_>>, $crate::error::any::Error> {
                $crate::apply::Writable::write(&mut **self)
            }

            fn written(&mut self, region: $crate::region::ValidRegion) -> Result<(), $crate::info::InvalidTensor> {
                $crate::apply::Writable::written(&mut **self, region)
            }
        }
    )*};
}

pub(crate) use written_by_reference;

/// An output that may be left out.
impl<W: Writable> Writable for Option<W> {
    type Space = W::Space;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        self.as_ref().map_or(Ok(None), Writable::info)
    }

    fn write(&mut self) -> Result<Option<<W::Space as Space>::Write<'_>>, Error> {
        self.as_mut().map_or(Ok(None), Writable::write)
    }

    fn written(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.as_mut().map_or(Ok(()), |image| image.written(region))
    }
}
