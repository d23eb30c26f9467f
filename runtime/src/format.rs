//! Pixel formats: which elements, channels and planes an image of each has.
//!
//! Kernels know elements and channels only; a format is a name for a set of planes, and [`crate::planar`] makes views of
//! them.

use crate::{
    element::ElementType,
    info::{InvalidTensor, TensorInfo},
    text::named,
};

/// How the pixels of an image lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One channel of unsigned 8 bits.
    U8,
    /// One channel of signed 8 bits.
    I8,
    /// One channel of unsigned 16 bits.
    U16,
    /// One channel of signed 16 bits.
    I16,
    /// One channel of unsigned 32 bits.
    U32,
    /// One channel of signed 32 bits.
    I32,
    /// One channel of binary32.
    F32,
    /// U and V interleaved.
    Uv88,
    /// Red, green, blue.
    Rgb888,
    /// Red, green, blue, alpha.
    Rgba8888,
    /// Y at each pixel, U and V at every other, as Y U Y V.
    Yuyv422,
    /// The same as U Y V Y.
    Uyvy422,
    /// A plane of Y, and one of U and V interleaved, of half width and height.
    Nv12,
    /// The same with V before U.
    Nv21,
    /// A plane of Y, and one each of U and V, of half width and height.
    Iyuv,
    /// Three planes of full size.
    Yuv444,
}

/// One channel of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The only one.
    Value,
    /// Red.
    R,
    /// Green.
    G,
    /// Blue.
    B,
    /// Opacity.
    A,
    /// Luma.
    Y,
    /// Blue-difference chroma.
    U,
    /// Red-difference chroma.
    V,
}

/// Which values of a type colours take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColourRange {
    /// All of them.
    #[default]
    Full,
    /// Those of television: luma 16 to 235, chroma 16 to 240.
    Restricted,
}

/// What colours mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColourSpace {
    /// Nobody has said.
    #[default]
    None,
    /// ITU-R BT.601, 525 lines.
    Bt601Lines525,
    /// ITU-R BT.601, 625 lines.
    Bt601Lines625,
    /// ITU-R BT.709.
    Bt709,
}

/// A plane of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The type of a channel.
    pub element: ElementType,
    /// Its channels, interleaved; a macropixel of Y U Y V is a pair of elements of two channels.
    pub channels: &'static [Channel],
    /// How many pixels of the image one of its elements stands for, (x, y).
    pub subsampling: (u32, u32),
}

const fn full(element: ElementType, channels: &'static [Channel]) -> Plane {
    Plane { element, channels, subsampling: (1, 1) }
}

const fn half(channels: &'static [Channel]) -> Plane {
    Plane { element: ElementType::U8, channels, subsampling: (2, 2) }
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 16] = [
        Format::U8,
        Format::I8,
        Format::U16,
        Format::I16,
        Format::U32,
        Format::I32,
        Format::F32,
        Format::Uv88,
        Format::Rgb888,
        Format::Rgba8888,
        Format::Yuyv422,
        Format::Uyvy422,
        Format::Nv12,
        Format::Nv21,
        Format::Iyuv,
        Format::Yuv444,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::U8 => "U8",
            Format::I8 => "I8",
            Format::U16 => "U16",
            Format::I16 => "I16",
            Format::U32 => "U32",
            Format::I32 => "I32",
            Format::F32 => "F32",
            Format::Uv88 => "UV88",
            Format::Rgb888 => "RGB888",
            Format::Rgba8888 => "RGBA8888",
            Format::Yuyv422 => "YUYV422",
            Format::Uyvy422 => "UYVY422",
            Format::Nv12 => "NV12",
            Format::Nv21 => "NV21",
            Format::Iyuv => "IYUV",
            Format::Yuv444 => "YUV444",
        }
    }

    /// Returns the planes, in the order in which they lie in memory.
    ///
    /// ```
    /// use windrow::tensor::{Channel, Format};
    ///
    /// let [luma, chroma] = Format::Nv12.planes() else { unreachable!("NV12 has two planes") };
    /// assert_eq!((luma.channels, chroma.channels, chroma.subsampling), (&[Channel::Y][..], &[Channel::U, Channel::V][..], (2, 2)));
    /// ```
    pub const fn planes(self) -> &'static [Plane] {
        use Channel::{A, B, G, R, U, V, Value, Y};
        use ElementType::{F32, I8, I16, I32, U8, U16, U32};
        match self {
            Format::U8 => const { &[full(U8, &[Value])] },
            Format::I8 => const { &[full(I8, &[Value])] },
            Format::U16 => const { &[full(U16, &[Value])] },
            Format::I16 => const { &[full(I16, &[Value])] },
            Format::U32 => const { &[full(U32, &[Value])] },
            Format::I32 => const { &[full(I32, &[Value])] },
            Format::F32 => const { &[full(F32, &[Value])] },
            Format::Uv88 => const { &[full(U8, &[U, V])] },
            Format::Rgb888 => const { &[full(U8, &[R, G, B])] },
            Format::Rgba8888 => const { &[full(U8, &[R, G, B, A])] },
            Format::Yuyv422 => const { &[Plane { element: U8, channels: &[Y, U, Y, V], subsampling: (2, 1) }] },
            Format::Uyvy422 => const { &[Plane { element: U8, channels: &[U, Y, V, Y], subsampling: (2, 1) }] },
            Format::Nv12 => const { &[full(U8, &[Y]), half(&[U, V])] },
            Format::Nv21 => const { &[full(U8, &[Y]), half(&[V, U])] },
            Format::Iyuv => const { &[full(U8, &[Y]), half(&[U]), half(&[V])] },
            Format::Yuv444 => const { &[full(U8, &[Y]), full(U8, &[U]), full(U8, &[V])] },
        }
    }

    /// Returns the type of a channel, the same in every plane.
    pub const fn element(self) -> ElementType {
        self.planes()[0].element
    }

    /// Returns the channels of the whole image, those of a pair of pixels counted once.
    pub const fn channels(self) -> usize {
        match self {
            Format::U8 | Format::I8 | Format::U16 | Format::I16 | Format::U32 | Format::I32 | Format::F32 => 1,
            Format::Uv88 => 2,
            Format::Rgb888 | Format::Yuyv422 | Format::Uyvy422 => 3,
            Format::Nv12 | Format::Nv21 | Format::Iyuv | Format::Yuv444 => 3,
            Format::Rgba8888 => 4,
        }
    }

    /// Returns where a channel lies: the plane, and the channel in it (the first, where it is there twice).
    pub fn find(self, channel: Channel) -> Option<(usize, usize)> {
        let mut planes = self.planes().iter().enumerate();
        planes.find_map(|(index, plane)| Some((index, plane.channels.iter().position(|found| *found == channel)?)))
    }

    /// Returns the format of one plane of these elements and channels, as [`Format::element`] and [`Format::planes`]
    /// give them.
    pub fn of(element: ElementType, channels: u32) -> Option<Format> {
        let named = |format: &Format| match format.planes() {
            [plane] => (plane.element, plane.channels.len() as u32, plane.subsampling) == (element, channels, (1, 1)),
            _ => false,
        };
        Format::ALL.into_iter().find(named)
    }

    /// Returns the metadata of plane `index` of an image of `width` × `height` pixels, without gaps; chroma is rounded
    /// up.
    pub fn plane_info(self, index: usize, width: usize, height: usize) -> Option<Result<TensorInfo, InvalidTensor>> {
        let plane = self.planes().get(index)?;
        let (x, y) = (plane.subsampling.0 as usize, plane.subsampling.1 as usize);
        Some(TensorInfo::new(plane.element, plane.channels.len() as u32, &[height.div_ceil(y), width.div_ceil(x)]))
    }
}

named! {
    Format, "pixel format", "NV12";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_their_planes() {
        for format in Format::ALL {
            let planes = format.planes();
            assert!((1..=3).contains(&planes.len()), "{format}");
            let mut channels: Vec<Channel> = planes.iter().flat_map(|plane| plane.channels).copied().collect();
            channels.iter().for_each(|channel| assert!(format.find(*channel).is_some()));
            channels.sort_by_key(|channel| *channel as u8);
            channels.dedup();
            assert_eq!(channels.len(), format.channels(), "{format}");
        }
        assert_eq!(Format::Nv21.find(Channel::U), Some((1, 1)));
        assert_eq!(Format::Iyuv.find(Channel::V), Some((2, 0)));
        assert_eq!(Format::Uyvy422.find(Channel::Y), Some((0, 1)));
        assert_eq!(Format::Rgb888.find(Channel::Y), None);
    }

    #[test]
    fn single_planes_are_named_by_their_elements() {
        assert_eq!(Format::of(ElementType::U8, 3), Some(Format::Rgb888));
        assert_eq!(Format::of(ElementType::I16, 1), Some(Format::I16));
        assert_eq!(Format::of(ElementType::F32, 3), None);
        for format in Format::ALL {
            if let [Plane { element, channels, subsampling: (1, 1) }] = format.planes() {
                assert_eq!(Format::of(*element, channels.len() as u32), Some(format));
            }
        }
    }

    #[test]
    fn chroma_is_rounded_up() {
        let shape =
            |format: Format, plane| format.plane_info(plane, 35, 7).map(|info| info.unwrap().shape().to_string());
        assert_eq!(shape(Format::Nv12, 0), Some("7×35".into()));
        assert_eq!(shape(Format::Nv12, 1), Some("4×18".into()));
        assert_eq!(shape(Format::Yuyv422, 0), Some("7×18".into()));
        assert_eq!(shape(Format::Nv12, 2), None);
    }
}
