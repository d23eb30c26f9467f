//! Views of the images of the crate `image`, and the way back: nothing is copied.
//!
//! [`view`] and [`view_mut`] take an `ImageBuffer` of any container, [`view_samples`] samples with gaps between rows.
//! [`buffer`] gives a view without gaps as an `ImageBuffer`; [`Pixels`] any view as a `GenericImageView`.

use core::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

use ::image::{GenericImageView, ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba, SubImage, flat::SampleLayout};

use crate::{
    element::{Element, Primitive},
    info::InvalidTensor,
    view::{View, ViewMut},
};

/// A pixel of `image`, and the element that has the same channels in the same place.
pub trait AsElement: Pixel {
    /// The element.
    type Element: Element<Channel = Self::Subpixel>;

    /// Returns the pixel of an element.
    fn from_element(element: Self::Element) -> Self;
}

impl<T: Primitive + ::image::Primitive> AsElement for Luma<T>
where
    Luma<T>: Pixel<Subpixel = T>,
{
    type Element = T;

    fn from_element(element: T) -> Self {
        Luma([element])
    }
}

macro_rules! pixels {
    ($($pixel:ident $channels:literal)*) => {$(
        impl<T: Primitive + ::image::Primitive> AsElement for $pixel<T>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            type Element = [T; $channels];

            fn from_element(element: [T; $channels]) -> Self {
                $pixel(element)
            }
        }
    )*};
}

pixels! { LumaA 2 Rgb 3 Rgba 4 }

/// Returns the pixels of an image, to read.
///
/// ```
/// use windrow::interop::image::view;
///
/// let photo = image::RgbImage::from_fn(4, 3, |x, y| image::Rgb([x as u8, y as u8, 7]));
/// let pixels = view(&photo)?;
/// assert_eq!(pixels.get([2, 3]), Some([3, 2, 7]));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn view<P: AsElement, C: Deref<Target = [P::Subpixel]>>(
    image: &ImageBuffer<P, C>,
) -> Result<View<'_, P::Element>, InvalidTensor> {
    let (extents, strides) = layout::<P::Element>(image.width(), image.height())?;
    View::with_strides(image.as_raw(), &extents, &strides)
}

/// Returns the pixels of an image, to write.
pub fn view_mut<P: AsElement, C: DerefMut<Target = [P::Subpixel]>>(
    image: &mut ImageBuffer<P, C>,
) -> Result<ViewMut<'_, P::Element>, InvalidTensor> {
    let (extents, strides) = layout::<P::Element>(image.width(), image.height())?;
    ViewMut::with_strides(&mut *image, &extents, &strides)
}

/// Samples whose rows and pixels may lie apart; the channels of a pixel lie side by side.
pub fn view_samples<T: Element>(samples: &[T::Channel], layout: SampleLayout) -> Result<View<'_, T>, InvalidTensor> {
    let channels = T::CHANNELS as usize;
    if u32::from(layout.channels) != T::CHANNELS || (channels > 1 && layout.channel_stride != 1) {
        return Err(InvalidTensor::Channels { found: layout.channels.into() });
    }
    let size = T::TYPE.size();
    let bytes = |elements: usize, dimension| {
        let bytes = elements.checked_mul(size).and_then(|bytes| isize::try_from(bytes).ok());
        bytes.ok_or(InvalidTensor::TooLarge { dimension })
    };
    let strides = [bytes(layout.height_stride, 0)?, bytes(layout.width_stride, 1)?];
    View::with_strides(samples, &[layout.height as usize, layout.width as usize], &strides)
}

/// Returns the pixels of a part of an image, to read.
///
/// ```
/// use image::GenericImageView;
/// use windrow::interop::image::view_sub_image;
///
/// let photo = image::GrayImage::from_fn(8, 6, |x, y| image::Luma([(10 * y + x) as u8]));
/// let part = photo.view(2, 1, 4, 3);
/// assert_eq!(view_sub_image(&part)?.get([2, 3]), Some(35));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn view_sub_image<'a, P: AsElement, C: Deref<Target = [P::Subpixel]>>(
    part: &'a SubImage<&'a ImageBuffer<P, C>>,
) -> Result<View<'a, P::Element>, InvalidTensor> {
    let ((x, y), (width, height)) = (part.offsets(), part.dimensions());
    view(part.inner())?.region([y as usize, x as usize], [height as usize, width as usize])
}

/// Returns the view as an image of `image`; `None` where its rows lie apart, or it is more than one plane.
///
/// ```
/// use windrow::{Tensor, interop::image::buffer};
///
/// let tensor = Tensor::from_fn([3, 4], |[y, x]| [x as u8, y as u8])?;
/// let picture = buffer::<image::LumaA<u8>>(tensor.view());
/// assert_eq!(picture.map(|picture| *picture.get_pixel(2, 1)), Some(image::LumaA([2, 1])));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn buffer<P: AsElement>(view: View<'_, P::Element>) -> Option<ImageBuffer<P, &[P::Subpixel]>> {
    let (width, height) = size(&view)?;
    let elements = view.as_slice()?;
    // SAFETY: an element is its channels, side by side.
    let channels = unsafe {
        core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len() * P::Element::CHANNELS as usize)
    };
    ImageBuffer::from_raw(width, height, channels)
}

/// A view, rows apart or not, as `image` reads pictures.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a, P: AsElement> {
    view: View<'a, P::Element>,
    pixel: PhantomData<P>,
}

impl<'a, P: AsElement> Pixels<'a, P> {
    /// Returns the first plane of a view; `None` where `image` can't count its extents.
    pub fn new(view: View<'a, P::Element>) -> Option<Self> {
        size(&view).map(|_| Pixels { view, pixel: PhantomData })
    }
}

impl<P: AsElement> GenericImageView for Pixels<'_, P> {
    type Pixel = P;

    fn dimensions(&self) -> (u32, u32) {
        size(&self.view).unwrap_or_default()
    }

    /// # Panics
    /// Outside the image, as `image` asks.
    fn get_pixel(&self, x: u32, y: u32) -> P {
        match self.view.get([y as usize, x as usize]) {
            Some(element) => P::from_element(element),
            None => panic!("pixel ({x}, {y}) of a view of {}", self.view.info().shape()),
        }
    }
}

fn size<T: Element>(view: &View<'_, T>) -> Option<(u32, u32)> {
    let shape = view.info().shape();
    let one_plane = shape.planes() == 1;
    one_plane.then_some((u32::try_from(shape.width()).ok()?, u32::try_from(shape.height()).ok()?))
}

/// Extents, and strides in bytes, of pixels without gaps.
fn layout<T: Element>(width: u32, height: u32) -> Result<([usize; 2], [isize; 2]), InvalidTensor> {
    let row = (width as isize).max(1).checked_mul(size_of::<T>() as isize);
    let row = row.ok_or(InvalidTensor::TooLarge { dimension: 0 })?;
    Ok(([height as usize, width as usize], [row, size_of::<T>() as isize]))
}
