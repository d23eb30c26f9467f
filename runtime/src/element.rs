//! The element types of tensors, and scalars whose type is known at run time only.
//!
//! An element is a scalar or an interleaved pixel of two to four channels; both are plain data. Tensors may hold elements of every
//! [`DType`]; kernels compute with those whose channels are [`Primitive`].

use crate::{
    dtype::DType,
    text::{InvalidText, named},
};
use half::{bf16, f16};

/// The type of a channel that kernels compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    /// Unsigned 8 bits.
    U8,
    /// Signed 8 bits.
    I8,
    /// Unsigned 16 bits.
    U16,
    /// Signed 16 bits.
    I16,
    /// Unsigned 32 bits.
    U32,
    /// Signed 32 bits.
    I32,
    /// IEEE 754 binary32.
    F32,
    /// Unsigned 64 bits.
    U64,
    /// Signed 64 bits.
    I64,
    /// IEEE 754 binary64.
    F64,
    /// IEEE 754 binary16: in memory alone, as kernels convert it to `f32` and back.
    F16,
    /// The upper half of a binary32, in memory alone as well.
    BF16,
}

impl ElementType {
    /// Every type.
    pub const ALL: [ElementType; 12] = [
        ElementType::U8,
        ElementType::I8,
        ElementType::U16,
        ElementType::I16,
        ElementType::U32,
        ElementType::I32,
        ElementType::F32,
        ElementType::U64,
        ElementType::I64,
        ElementType::F64,
        ElementType::F16,
        ElementType::BF16,
    ];

    /// Returns the number of bytes of a channel, which is its alignment too.
    pub const fn size(self) -> usize {
        match self {
            ElementType::U8 | ElementType::I8 => 1,
            ElementType::U16 | ElementType::I16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::U32 | ElementType::I32 | ElementType::F32 => 4,
            ElementType::U64 | ElementType::I64 | ElementType::F64 => 8,
        }
    }

    /// Returns the name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            ElementType::U8 => "u8",
            ElementType::I8 => "i8",
            ElementType::U16 => "u16",
            ElementType::I16 => "i16",
            ElementType::U32 => "u32",
            ElementType::I32 => "i32",
            ElementType::F32 => "f32",
            ElementType::U64 => "u64",
            ElementType::I64 => "i64",
            ElementType::F64 => "f64",
            ElementType::F16 => "f16",
            ElementType::BF16 => "bf16",
        }
    }

    /// Returns the least and the greatest integer; `None` for floats.
    pub const fn integers(self) -> Option<(i128, i128)> {
        match self {
            ElementType::U8 => Some((0, u8::MAX as i128)),
            ElementType::I8 => Some((i8::MIN as i128, i8::MAX as i128)),
            ElementType::U16 => Some((0, u16::MAX as i128)),
            ElementType::I16 => Some((i16::MIN as i128, i16::MAX as i128)),
            ElementType::U32 => Some((0, u32::MAX as i128)),
            ElementType::I32 => Some((i32::MIN as i128, i32::MAX as i128)),
            ElementType::F32 | ElementType::F64 | ElementType::F16 | ElementType::BF16 => None,
            ElementType::U64 => Some((0, u64::MAX as i128)),
            ElementType::I64 => Some((i64::MIN as i128, i64::MAX as i128)),
        }
    }
}

named! { ElementType, "element type", "u8"; }

/// A scalar of any element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// Unsigned 8 bits.
    U8(u8),
    /// Signed 8 bits.
    I8(i8),
    /// Unsigned 16 bits.
    U16(u16),
    /// Signed 16 bits.
    I16(i16),
    /// Unsigned 32 bits.
    U32(u32),
    /// Signed 32 bits.
    I32(i32),
    /// IEEE 754 binary32.
    F32(f32),
    /// Unsigned 64 bits.
    U64(u64),
    /// Signed 64 bits.
    I64(i64),
    /// IEEE 754 binary64.
    F64(f64),
    /// IEEE 754 binary16.
    F16(f16),
    /// The upper half of a binary32.
    BF16(bf16),
}

impl Scalar {
    /// Returns the type of the value.
    pub const fn element(self) -> ElementType {
        match self {
            Scalar::U8(_) => ElementType::U8,
            Scalar::I8(_) => ElementType::I8,
            Scalar::U16(_) => ElementType::U16,
            Scalar::I16(_) => ElementType::I16,
            Scalar::U32(_) => ElementType::U32,
            Scalar::I32(_) => ElementType::I32,
            Scalar::F32(_) => ElementType::F32,
            Scalar::U64(_) => ElementType::U64,
            Scalar::I64(_) => ElementType::I64,
            Scalar::F64(_) => ElementType::F64,
            Scalar::F16(_) => ElementType::F16,
            Scalar::BF16(_) => ElementType::BF16,
        }
    }

    /// Returns the scalar of type `element` that a word holds: integers zero- or sign-extended, an `f32` by its bits;
    /// an integer of 64 bits is one that 32 bits hold, and an `f64` an `f32`.
    pub const fn from_word(element: ElementType, word: u32) -> Scalar {
        match element {
            ElementType::U8 => Scalar::U8(word as u8),
            ElementType::I8 => Scalar::I8(word as i8),
            ElementType::U16 => Scalar::U16(word as u16),
            ElementType::I16 => Scalar::I16(word as i16),
            ElementType::U32 => Scalar::U32(word),
            ElementType::I32 => Scalar::I32(word as i32),
            ElementType::F32 => Scalar::F32(f32::from_bits(word)),
            ElementType::U64 => Scalar::U64(word as u64),
            ElementType::I64 => Scalar::I64(word as i32 as i64),
            ElementType::F64 => Scalar::F64(f32::from_bits(word) as f64),
            ElementType::F16 => Scalar::F16(f16::from_bits(word as u16)),
            ElementType::BF16 => Scalar::BF16(bf16::from_bits(word as u16)),
        }
    }

    /// Returns the word that holds the value: integers zero- or sign-extended, floats by their bits, the lower half
    /// of an integer of 64 bits, the `f32` that is nearest to an `f64`.
    pub const fn to_word(self) -> u32 {
        match self {
            Scalar::U8(value) => value as u32,
            Scalar::I8(value) => value as u32,
            Scalar::U16(value) => value as u32,
            Scalar::I16(value) => value as u32,
            Scalar::U32(value) => value,
            Scalar::I32(value) => value as u32,
            Scalar::F32(value) => value.to_bits(),
            Scalar::U64(value) => value as u32,
            Scalar::I64(value) => value as u32,
            Scalar::F64(value) => (value as f32).to_bits(),
            Scalar::F16(value) => value.to_bits() as u32,
            Scalar::BF16(value) => value.to_bits() as u32,
        }
    }

    /// Returns the value; an integer of 64 bits is rounded to nearest.
    pub const fn to_f64(self) -> f64 {
        match self.number() {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// Returns the same value in another type; `None` where the type lacks it. Integers and floats don't mix.
    pub fn to_element(self, element: ElementType) -> Option<Scalar> {
        let (value, (least, greatest)) = match (self.number(), element.integers()) {
            (Number::Integer(value), Some(bounds)) => (value, bounds),
            (Number::Float(_), None) => return self.to_float(element),
            (Number::Integer(_), None) | (Number::Float(_), Some(_)) => return None,
        };
        (least <= value && value <= greatest).then_some(match element {
            ElementType::U64 => Scalar::U64(value as u64),
            ElementType::I64 => Scalar::I64(value as i64),
            _ => Scalar::from_word(element, value as u32),
        })
    }

    /// The value, exactly.
    const fn number(self) -> Number {
        match self {
            Scalar::U8(value) => Number::Integer(value as i128),
            Scalar::I8(value) => Number::Integer(value as i128),
            Scalar::U16(value) => Number::Integer(value as i128),
            Scalar::I16(value) => Number::Integer(value as i128),
            Scalar::U32(value) => Number::Integer(value as i128),
            Scalar::I32(value) => Number::Integer(value as i128),
            Scalar::U64(value) => Number::Integer(value as i128),
            Scalar::I64(value) => Number::Integer(value as i128),
            Scalar::F32(value) => Number::Float(value as f64),
            Scalar::F64(value) => Number::Float(value),
            Scalar::F16(value) => Number::Float(value.to_f64_const()),
            Scalar::BF16(value) => Number::Float(value.to_f64_const()),
        }
    }

    /// The same float in another type; `None` where the type lacks it.
    fn to_float(self, element: ElementType) -> Option<Scalar> {
        let value = self.to_f64();
        let float = match element {
            ElementType::F16 => Scalar::F16(f16::from_f64_const(value)),
            ElementType::BF16 => Scalar::BF16(bf16::from_f64_const(value)),
            ElementType::F64 => Scalar::F64(value),
            _ => Scalar::F32(value as f32),
        };
        (float.to_f64() == value || value.is_nan()).then_some(float)
    }

    /// Its bytes in memory; the first `element().size()` count.
    pub(crate) fn bytes(self) -> [u8; 8] {
        match self {
            Scalar::U8(value) => first([value]),
            Scalar::I8(value) => first([value as u8]),
            Scalar::U16(value) => first(value.to_ne_bytes()),
            Scalar::I16(value) => first(value.to_ne_bytes()),
            Scalar::U32(value) => first(value.to_ne_bytes()),
            Scalar::I32(value) => first(value.to_ne_bytes()),
            Scalar::F32(value) => first(value.to_ne_bytes()),
            Scalar::U64(value) => value.to_ne_bytes(),
            Scalar::I64(value) => value.to_ne_bytes(),
            Scalar::F64(value) => value.to_ne_bytes(),
            Scalar::F16(value) => first(value.to_ne_bytes()),
            Scalar::BF16(value) => first(value.to_ne_bytes()),
        }
    }
}

/// A number of any element type.
enum Number {
    Integer(i128),
    Float(f64),
}

fn first<const N: usize>(bytes: [u8; N]) -> [u8; 8] {
    core::array::from_fn(|place| bytes.get(place).copied().unwrap_or(0))
}

/// The value with its type, `7u8`; the value alone in the alternate form `{:#}`.
impl core::fmt::Display for Scalar {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Scalar::U8(value) => write!(f, "{value}"),
            Scalar::I8(value) => write!(f, "{value}"),
            Scalar::U16(value) => write!(f, "{value}"),
            Scalar::I16(value) => write!(f, "{value}"),
            Scalar::U32(value) => write!(f, "{value}"),
            Scalar::I32(value) => write!(f, "{value}"),
            Scalar::F32(value) => write!(f, "{value:?}"),
            Scalar::F64(value) => write!(f, "{value:?}"),
            Scalar::U64(value) => write!(f, "{value}"),
            Scalar::I64(value) => write!(f, "{value}"),
            Scalar::F16(value) => write!(f, "{:?}", value.to_f32_const()),
            Scalar::BF16(value) => write!(f, "{:?}", value.to_f32_const()),
        }?;
        if f.alternate() { Ok(()) } else { write!(f, "{}", self.element()) }
    }
}

impl core::str::FromStr for Scalar {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Scalar, InvalidText> {
        let read = || {
            // Of `bf16` and `f16`, the longer name is meant.
            let named = ElementType::ALL.into_iter().filter(|element| text.ends_with(element.name()));
            let element = named.max_by_key(|element| element.name().len())?;
            let value = text.strip_suffix(element.name())?;
            Some(match element {
                ElementType::U8 => Scalar::U8(value.parse().ok()?),
                ElementType::I8 => Scalar::I8(value.parse().ok()?),
                ElementType::U16 => Scalar::U16(value.parse().ok()?),
                ElementType::I16 => Scalar::I16(value.parse().ok()?),
                ElementType::U32 => Scalar::U32(value.parse().ok()?),
                ElementType::I32 => Scalar::I32(value.parse().ok()?),
                ElementType::F32 => Scalar::F32(value.parse().ok()?),
                ElementType::U64 => Scalar::U64(value.parse().ok()?),
                ElementType::I64 => Scalar::I64(value.parse().ok()?),
                ElementType::F64 => Scalar::F64(value.parse().ok()?),
                ElementType::F16 => Scalar::F32(value.parse().ok()?).to_float(element)?,
                ElementType::BF16 => Scalar::F32(value.parse().ok()?).to_float(element)?,
            })
        };
        read().ok_or(InvalidText::new("scalar", "7u8"))
    }
}

/// What a tensor holds: a scalar, or an interleaved pixel of two to four channels.
///
/// There is no padding inside, and every bit pattern is a value, save of `bool`: only the types named here are elements.
pub trait Element: Copy + PartialEq + Default + core::fmt::Debug + Send + Sync + sealed::Sealed + 'static {
    /// The type of a channel.
    type Channel: Element;
    /// The number of channels, 1 to 4.
    const CHANNELS: u32;
    /// The type of a channel, as data.
    const TYPE: DType;

    /// Returns the element whose channel `c` is `channel(c)`.
    fn from_channels(channel: impl FnMut(usize) -> Self::Channel) -> Self;
}

/// A scalar element that kernels compute with.
pub trait Primitive: Element<Channel = Self> + Into<Scalar> {
    /// Its type, as data.
    const ELEMENT: ElementType;
    /// Returns the scalar of a word (see [`Scalar::from_word`]).
    fn from_word(word: u32) -> Self;
    /// Returns the word of a scalar (see [`Scalar::to_word`]).
    fn to_word(self) -> u32;
}

/// An element that kernels compute with.
pub trait KernelElement: Element<Channel: Primitive> {
    /// The type of a channel, as data.
    const CHANNEL: ElementType = <Self::Channel as Primitive>::ELEMENT;
}

impl<T: Element<Channel: Primitive>> KernelElement for T {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! scalars {
    ($($ty:ty, $variant:ident;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Element for $ty {
            type Channel = $ty;
            const CHANNELS: u32 = 1;
            const TYPE: DType = DType::$variant;

            fn from_channels(mut channel: impl FnMut(usize) -> $ty) -> $ty {
                channel(0)
            }
        }
    )*};
}

scalars! { bool, Bool; }

macro_rules! primitives {
    ($($ty:ident $variant:ident, $from:expr, $to:expr;)*) => {$(
        scalars! { $ty, $variant; }

        impl Primitive for $ty {
            const ELEMENT: ElementType = ElementType::$variant;

            #[inline]
            fn from_word(word: u32) -> $ty {
                $from(word)
            }

            #[inline]
            fn to_word(self) -> u32 {
                $to(self)
            }
        }

        impl From<$ty> for Scalar {
            fn from(value: $ty) -> Scalar {
                Scalar::$variant(value)
            }
        }
    )*};
}

primitives! {
    u8  U8,  |word| word as u8,   |value| value as u32;
    i8  I8,  |word| word as i8,   |value| value as u32;
    u16 U16, |word| word as u16,  |value| value as u32;
    i16 I16, |word| word as i16,  |value| value as u32;
    u32 U32, |word| word,         |value| value;
    i32 I32, |word| word as i32,  |value| value as u32;
    f32 F32, f32::from_bits,      f32::to_bits;
    u64 U64, |word| word as u64,  |value| value as u32;
    i64 I64, |word| word as i32 as i64, |value| value as u32;
    f64 F64, |word| f32::from_bits(word).into(), |value: f64| (value as f32).to_bits();
    f16 F16,   |word| f16::from_bits(word as u16),  |value: f16| value.to_bits().into();
    bf16 BF16, |word| bf16::from_bits(word as u16), |value: bf16| value.to_bits().into();
}

macro_rules! pixels {
    ($($channels:literal)*) => {$(
        impl<T: Element<Channel = T>> sealed::Sealed for [T; $channels] {}

        impl<T: Element<Channel = T>> Element for [T; $channels] {
            type Channel = T;
            const CHANNELS: u32 = $channels;
            const TYPE: DType = T::TYPE;

            fn from_channels(channel: impl FnMut(usize) -> T) -> Self {
                core::array::from_fn(channel)
            }
        }
    )*};
}

pixels! { 2 3 4 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_every_scalar() {
        let scalars = [
            Scalar::U8(200),
            Scalar::I8(-3),
            Scalar::U16(65_000),
            Scalar::I16(-30_000),
            Scalar::U32(u32::MAX),
            Scalar::I32(i32::MIN),
            Scalar::F32(-0.5),
            Scalar::U64(7),
            Scalar::I64(-7),
            Scalar::F64(-0.125),
            Scalar::F16(f16::from_f32_const(-1.5)),
            Scalar::BF16(bf16::MAX),
        ];
        for scalar in scalars {
            assert_eq!(Scalar::from_word(scalar.element(), scalar.to_word()), scalar);
        }
        assert_eq!(Scalar::I8(-3).to_word(), 0xffff_fffd);
        assert_eq!(Scalar::U8(200).to_word(), 200);
    }

    #[test]
    fn a_scalar_changes_type_only_with_its_value() {
        assert_eq!(Scalar::I32(255).to_element(ElementType::U8), Some(Scalar::U8(255)));
        assert_eq!(Scalar::I32(256).to_element(ElementType::U8), None);
        assert_eq!(Scalar::I32(-1).to_element(ElementType::U32), None);
        assert_eq!(Scalar::U32(u32::MAX).to_element(ElementType::I32), None);
        assert_eq!(Scalar::F32(1.0).to_element(ElementType::U8), None);
        assert_eq!(Scalar::U8(1).to_element(ElementType::F32), None);
        assert_eq!(Scalar::U8(7).to_element(ElementType::I16), Some(Scalar::I16(7)));
        assert_eq!(Scalar::I64(i64::MAX).to_element(ElementType::I64), Some(Scalar::I64(i64::MAX)));
        assert_eq!(Scalar::U32(u32::MAX).to_element(ElementType::I64), Some(Scalar::I64(u32::MAX.into())));
        assert_eq!(Scalar::I64(1 << 40).to_element(ElementType::I32), None);
        assert_eq!(Scalar::U64(u64::MAX).to_element(ElementType::I64), None);
        assert_eq!(Scalar::I64(i64::MAX).to_element(ElementType::U64), Some(Scalar::U64(i64::MAX as u64)));
        assert_eq!(Scalar::I64(-1).to_element(ElementType::U64), None);
        let half = Scalar::F16(f16::from_f32_const(0.5));
        assert_eq!(Scalar::F32(0.5).to_element(ElementType::F16), Some(half));
        assert_eq!(
            (half.to_element(ElementType::F32), half.to_element(ElementType::I32)),
            (Some(Scalar::F32(0.5)), None)
        );
        assert_eq!(Scalar::F32(0.1).to_element(ElementType::BF16), None);
    }

    #[test]
    fn elements_are_as_large_as_their_channels() {
        fn check<T: Element>() {
            assert_eq!(size_of::<T>(), T::TYPE.size() * T::CHANNELS as usize);
            assert_eq!(align_of::<T>(), T::TYPE.size());
        }
        check::<u8>();
        check::<f32>();
        check::<[u8; 3]>();
        check::<[i16; 2]>();
        check::<[f32; 4]>();
        check::<f64>();
        check::<[bool; 3]>();
        check::<[f16; 4]>();
        check::<i64>();
        check::<[u64; 2]>();
    }
}
