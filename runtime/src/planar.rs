//! Images of several planes as views: NV12, NV21, IYUV, YUV444, and every format of one plane.
//!
//! A [`Planar`] holds one view for each plane, of any strides; kernels take the planes one by one. Nothing is copied.

use core::ptr::NonNull;

use crate::{
    dtype::DType,
    element::Element,
    format::{Channel, Format},
    info::{InvalidTensor, Shape, TensorInfo},
    view::{AnyView, AnyViewMut, View, ViewMut},
};

pub use crate::limits::MAX_PLANES;

/// Why planes are not an image of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPlanar {
    /// Too few or too many planes.
    #[error("{format} has {expected} planes, found {found}")]
    PlaneCount {
        /// The format.
        format: Format,
        /// Planes given.
        found: usize,
        /// Planes that it has.
        expected: usize,
    },
    /// A plane of other elements.
    #[error(
        "plane {plane} of {format} holds {expected} with {expected_channels} channels, found {found} with {found_channels}"
    )]
    Element {
        /// The format.
        format: Format,
        /// Which plane.
        plane: usize,
        /// The type found.
        found: DType,
        /// Its channels.
        found_channels: u32,
        /// The format's type.
        expected: DType,
        /// The format's channels.
        expected_channels: u32,
    },
    /// A plane of another shape than the first one's asks for.
    #[error("plane {plane} of {format} has the shape {found}, expected {expected}")]
    Shape {
        /// The format.
        format: Format,
        /// Which plane.
        plane: usize,
        /// Its shape.
        found: Shape,
        /// The shape that follows from the image's.
        expected: Shape,
    },
    /// A plane that does not exist.
    #[error("{format} has {planes} planes, found the one numbered {found}")]
    Plane {
        /// The format.
        format: Format,
        /// The plane asked for.
        found: usize,
        /// Its planes.
        planes: usize,
    },
    /// A plane, or its memory, can't be a tensor.
    #[error("plane {plane} of {format}: {error}")]
    Tensor {
        /// The format.
        format: Format,
        /// Which plane.
        plane: usize,
        /// Why not.
        error: InvalidTensor,
    },
}

/// An image of one to three planes, to read.
#[derive(Clone, Copy, Debug)]
pub struct Planar<'a> {
    format: Format,
    width: usize,
    height: usize,
    planes: [Option<AnyView<'a>>; MAX_PLANES],
}

/// An image of one to three planes, to write.
#[derive(Debug)]
pub struct PlanarMut<'a> {
    format: Format,
    width: usize,
    height: usize,
    planes: [Option<AnyViewMut<'a>>; MAX_PLANES],
}

impl<'a> Planar<'a> {
    /// Returns the planes of an image of `width` × `height` pixels, which may lie anywhere.
    pub fn new(format: Format, width: usize, height: usize, planes: &[AnyView<'a>]) -> Result<Self, InvalidPlanar> {
        check(format, width, height, planes.len(), |plane| planes[plane].info())?;
        let planes = core::array::from_fn(|plane| planes.get(plane).copied());
        Ok(Planar { format, width, height, planes })
    }

    /// Returns the planes one behind the other, without gaps.
    ///
    /// ```
    /// use windrow::{tensor::Format, tensor::Planar};
    ///
    /// // 4 × 2 pixels: two rows of Y, one of two UV pairs.
    /// let bytes = [1u8, 2, 3, 4, 5, 6, 7, 8, 10, 20, 11, 21];
    /// let image = Planar::from_slice(Format::Nv12, 4, 2, &bytes)?;
    /// assert_eq!(image.plane::<u8>(0)?.get([1, 3]), Some(8));
    /// assert_eq!(image.plane::<[u8; 2]>(1)?.get([0, 1]), Some([11, 21]));
    /// # Ok::<(), windrow::tensor::InvalidPlanar>(())
    /// ```
    pub fn from_slice(format: Format, width: usize, height: usize, bytes: &'a [u8]) -> Result<Self, InvalidPlanar> {
        let places = places(format, width, height, bytes.as_ptr().addr(), bytes.len())?;
        let base = NonNull::from(bytes).cast::<u8>();
        // SAFETY: `places` are those of tensors inside the slice, aligned.
        let planes =
            places.map(|place| place.map(|(offset, info)| unsafe { AnyView::from_raw(base.add(offset), info) }));
        Ok(Planar { format, width, height, planes })
    }

    /// Returns the format of the image.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the number of pixels along a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows of pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns a plane; luma first.
    pub fn plane<T: Element>(&self, plane: usize) -> Result<View<'a, T>, InvalidPlanar> {
        let found = self.planes.get(plane).copied().flatten().ok_or_else(|| missing(self.format, plane))?;
        found.typed().map_err(|error| InvalidPlanar::Tensor { format: self.format, plane, error })
    }

    /// Returns the plane that holds `channel`, without its type.
    pub fn plane_of(&self, channel: Channel) -> Option<AnyView<'a>> {
        self.planes.get(self.format.find(channel)?.0).copied().flatten()
    }
}

impl<'a> PlanarMut<'a> {
    /// Returns the planes one behind the other, without gaps.
    pub fn from_slice(format: Format, width: usize, height: usize, bytes: &'a mut [u8]) -> Result<Self, InvalidPlanar> {
        let places = places(format, width, height, bytes.as_ptr().addr(), bytes.len())?;
        let base = NonNull::from(bytes).cast::<u8>();
        // SAFETY: `places` are those of tensors inside the slice, aligned, each behind the one before.
        let planes =
            places.map(|place| place.map(|(offset, info)| unsafe { AnyViewMut::from_raw(base.add(offset), info) }));
        Ok(PlanarMut { format, width, height, planes })
    }

    /// Returns the planes of an image of `width` × `height` pixels, which may lie anywhere; as many as the format has.
    pub fn new<const N: usize>(
        format: Format,
        width: usize,
        height: usize,
        planes: [AnyViewMut<'a>; N],
    ) -> Result<Self, InvalidPlanar> {
        check(format, width, height, N, |plane| planes[plane].info())?;
        let mut given = planes.into_iter();
        Ok(PlanarMut { format, width, height, planes: core::array::from_fn(|_| given.next()) })
    }

    /// Returns the format of the image.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the same image, to read.
    pub fn view(&self) -> Planar<'_> {
        let planes = core::array::from_fn(|plane| self.planes[plane].as_ref().map(AnyViewMut::view));
        Planar { format: self.format, width: self.width, height: self.height, planes }
    }

    /// Returns a plane, to write.
    pub fn plane<T: Element>(&mut self, plane: usize) -> Result<ViewMut<'_, T>, InvalidPlanar> {
        let format = self.format;
        let found = self.planes.get_mut(plane).and_then(Option::as_mut).ok_or_else(|| missing(format, plane))?;
        found.reborrow().typed().map_err(|error| InvalidPlanar::Tensor { format, plane, error })
    }

    /// Returns all planes at once, for a kernel that writes several.
    pub fn into_planes(self) -> [Option<AnyViewMut<'a>>; MAX_PLANES] {
        self.planes
    }
}

fn missing(format: Format, found: usize) -> InvalidPlanar {
    InvalidPlanar::Plane { format, found, planes: format.planes().len() }
}

/// Plane after plane: its elements, and its shape as it follows from the image's.
fn check<'p>(
    format: Format,
    width: usize,
    height: usize,
    found: usize,
    info: impl Fn(usize) -> &'p TensorInfo,
) -> Result<(), InvalidPlanar> {
    let expected = format.planes().len();
    if found != expected {
        return Err(InvalidPlanar::PlaneCount { format, found, expected });
    }
    for plane in 0..expected {
        let (info, expected) = (info(plane), plane_info(format, plane, width, height)?);
        if (info.dtype(), info.channels()) != (expected.dtype(), expected.channels()) {
            return Err(InvalidPlanar::Element {
                format,
                plane,
                found: info.dtype(),
                found_channels: info.channels(),
                expected: expected.dtype(),
                expected_channels: expected.channels(),
            });
        }
        if !info.shape().same_extents(&expected.shape()) {
            return Err(InvalidPlanar::Shape { format, plane, found: info.shape(), expected: expected.shape() });
        }
    }
    Ok(())
}

fn plane_info(format: Format, plane: usize, width: usize, height: usize) -> Result<TensorInfo, InvalidPlanar> {
    match format.plane_info(plane, width, height) {
        Some(info) => info.map_err(|error| InvalidPlanar::Tensor { format, plane, error }),
        None => Err(missing(format, plane)),
    }
}

/// Where each plane begins in `length` bytes at `address`, one behind the other.
fn places(
    format: Format,
    width: usize,
    height: usize,
    address: usize,
    length: usize,
) -> Result<[Option<(usize, TensorInfo)>; MAX_PLANES], InvalidPlanar> {
    let (mut places, mut offset) = ([None; MAX_PLANES], 0usize);
    for (plane, place) in places.iter_mut().enumerate().take(format.planes().len()) {
        let refused = |error| InvalidPlanar::Tensor { format, plane, error };
        let info = plane_info(format, plane, width, height)?;
        // Two sizes below `isize::MAX` can be added.
        let expected = offset + info.size_in_bytes();
        if length < expected {
            return Err(refused(InvalidTensor::TooShort { found: length, expected }));
        }
        let alignment = info.dtype().size();
        let found = (address + offset) % alignment;
        if found != 0 {
            return Err(refused(InvalidTensor::Misaligned { found, alignment }));
        }
        *place = Some((offset, info));
        offset = expected;
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementType;

    #[test]
    fn every_format_is_read_and_written_plane_by_plane() {
        for format in Format::ALL.into_iter().filter(|format| format.element() == ElementType::U8) {
            let mut bytes = [0u8; 256];
            let mut image = PlanarMut::from_slice(format, 5, 3, &mut bytes).unwrap();
            for plane in 0..format.planes().len() {
                let any = image.planes[plane].as_ref().unwrap();
                let (base, info) = (any.base(), *any.info());
                // SAFETY: the plane lies in `bytes`, which this test alone touches.
                unsafe { base.as_ptr().write_bytes(plane as u8 + 1, info.size_in_bytes()) };
            }
            assert!(image.view().plane_of(Channel::R).is_some() == format.find(Channel::R).is_some());
            assert!(matches!(image.plane::<u8>(3), Err(InvalidPlanar::Plane { found: 3, .. })));
            let written = |value| bytes.iter().filter(|byte| **byte == value).count();
            for plane in 0..format.planes().len() {
                let info = format.plane_info(plane, 5, 3).unwrap().unwrap();
                assert_eq!(written(plane as u8 + 1), info.size_in_bytes(), "{format}");
            }
        }
    }

    #[test]
    fn planes_may_lie_anywhere_but_must_fit() {
        let (luma, chroma) = ([1u8; 64], [[2u8, 3]; 20]);
        let y = View::<u8>::with_strides(&luma, &[3, 5], &[16, 1]).unwrap();
        let uv = View::from_slice(&chroma[..6], [2, 3]).unwrap();
        let image = Planar::new(Format::Nv12, 5, 3, &[y.any(), uv.any()]).unwrap();
        assert_eq!(image.plane::<[u8; 2]>(1).unwrap().get([1, 2]), Some([2, 3]));
        assert!(matches!(image.plane::<u8>(1), Err(InvalidPlanar::Tensor { plane: 1, .. })));
        let refused = |planes: &[AnyView<'_>], width| Planar::new(Format::Nv12, width, 3, planes).unwrap_err();
        assert!(matches!(refused(&[y.any()], 5), InvalidPlanar::PlaneCount { found: 1, expected: 2, .. }));
        assert!(matches!(refused(&[y.any(), y.any()], 5), InvalidPlanar::Element { plane: 1, .. }));
        assert!(matches!(refused(&[y.any(), uv.any()], 7), InvalidPlanar::Shape { plane: 0, .. }));
        let short = Planar::from_slice(Format::Iyuv, 5, 3, &luma[..26]).unwrap_err();
        assert_eq!(short.to_string(), "plane 2 of IYUV: the tensor takes 27 bytes, the data hold 26");
    }
}
