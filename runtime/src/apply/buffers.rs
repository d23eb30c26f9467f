//! Images of the crate `image`, as `apply` takes and makes them.

use core::ops::{Deref, DerefMut};
use std::vec::Vec;

use ::image::{ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba};

use crate::{
    apply::{
        host::Host,
        images::{Allocate, Destination, Readable, Source, Writable, written_by_reference},
    },
    element::{Element, Primitive},
    error::any::Error,
    image::{AsElement, view, view_mut},
    info::{InvalidTensor, TensorInfo},
    view::{AnyView, AnyViewMut},
};

/// An element, and the pixel of `image` that has the same channels in the same place.
#[diagnostic::on_unimplemented(
    message = "the crate `image` has no pixel of `{Self}`",
    note = "take the first image as a view, and the outputs are tensors: `windrow::interop::image::view(&photo)?`"
)]
pub trait AsPixel: Element {
    /// The pixel: `Luma`, `LumaA`, `Rgb` or `Rgba`.
    type Pixel: AsElement<Element = Self, Subpixel = Self::Channel>;
}

macro_rules! one_channel {
    ($($ty:ident)*) => {$(
        impl AsPixel for $ty {
            type Pixel = Luma<$ty>;
        }
    )*};
}

one_channel! { u8 i8 u16 i16 u32 i32 f32 }

macro_rules! several_channels {
    ($($pixel:ident $channels:literal)*) => {$(
        impl<T: Primitive + ::image::Primitive> AsPixel for [T; $channels]
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            type Pixel = $pixel<T>;
        }
    )*};
}

several_channels! { LumaA 2 Rgb 3 Rgba 4 }

impl<P: AsElement, C: Deref<Target = [P::Subpixel]>> Readable for &ImageBuffer<P, C> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*view(self)?.info())
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(view(self)?.any())
    }
}

impl<P: AsElement, C: DerefMut<Target = [P::Subpixel]>> Writable for ImageBuffer<P, C> {
    type Space = Host;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(*view(self)?.info()))
    }

    fn write(&mut self) -> Result<Option<AnyViewMut<'_>>, Error> {
        Ok(Some(view_mut(self)?.any()))
    }
}

written_by_reference!([P: AsElement, C: DerefMut<Target = [P::Subpixel]>] ImageBuffer<P, C>);

impl<P: AsElement, C: Deref<Target = [P::Subpixel]>> Source<P::Element> for &ImageBuffer<P, C> {}
impl<P: AsElement, C: DerefMut<Target = [P::Subpixel]>> Destination<P::Element> for &mut ImageBuffer<P, C> {}

impl<U: AsPixel, P: AsElement, C: Deref<Target = [P::Subpixel]>> Allocate<U> for &ImageBuffer<P, C> {
    type Image = ImageBuffer<U::Pixel, Vec<U::Channel>>;

    fn allocate(&self, info: &TensorInfo) -> Result<Self::Image, Error> {
        let shape = info.shape();
        let refused = Error::Container {
            container: "an `ImageBuffer`",
            shape,
            rule: "it has two dimensions of at most u32::MAX",
        };
        let size = (u32::try_from(shape.width()), u32::try_from(shape.height()));
        let (Ok(width), Ok(height), 1) = (size.0, size.1, shape.planes()) else {
            return Err(refused);
        };
        let mut channels = Vec::new();
        let count = info.size_in_bytes() / U::TYPE.size();
        channels.try_reserve_exact(count).map_err(|_| InvalidTensor::OutOfMemory { bytes: info.size_in_bytes() })?;
        channels.resize(count, U::Channel::default());
        ImageBuffer::from_raw(width, height, channels).ok_or(refused)
    }
}
