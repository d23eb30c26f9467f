//! The traits of the prelude: methods that kernels use and that Rust's scalars lack.
//!
//! Each has one meaning, given here for all integer types at once. Integer methods that Rust has (`abs_diff`,
//! `saturating_add`, …) are not repeated. [`Extrema`] is what `min`, `max` and `clamp` become in a kernel's
//! text, and [`Functions`] what `exp`, `sin` and the other elementary functions become. [`FloatMethods`] has those of Rust's
//! that need its standard library.

pub use crate::functions::methods::Functions;
use crate::scalar;
use half::{bf16, f16};

/// What the scalar types have in common for [`SaturatingCast`]: a conversion from `T` to the nearest value.
pub trait SaturatingFrom<T> {
    /// Returns the value of this type that is nearest to `value`.
    fn saturating_from(value: T) -> Self;
}

/// What the integer types have in common for [`WrappingCast`]: a conversion from `T` modulo 2^width.
pub trait WrappingFrom<T> {
    /// `value` modulo 2^width.
    fn wrapping_from(value: T) -> Self;
}

/// What the scalar types have in common for [`Cast`]: Rust's `as`.
pub trait CastFrom<T> {
    /// `value as Self`.
    fn cast_from(value: T) -> Self;
}

/// Conversion to the nearest value of another type.
pub trait SaturatingCast: Sized {
    /// Returns the nearest value of `U`. From a float: toward zero, and a NaN becomes 0. To a float: to nearest, ties
    /// to even.
    ///
    /// ```
    /// use windrow::language::SaturatingCast;
    ///
    /// let byte: u8 = (-7i16).saturating_cast();
    /// assert_eq!(byte, 0);
    /// assert_eq!(300i32.saturating_cast::<u8>(), 255);
    /// ```
    #[inline(always)]
    fn saturating_cast<U: SaturatingFrom<Self>>(self) -> U {
        U::saturating_from(self)
    }
}

/// Conversion modulo 2^width.
pub trait WrappingCast: Sized {
    /// Returns the value modulo 2^width of `U`; between integers only.
    ///
    /// ```
    /// use windrow::language::WrappingCast;
    ///
    /// assert_eq!(300i32.wrapping_cast::<u8>(), 44);
    /// assert_eq!(255u8.wrapping_cast::<i8>(), -1);
    /// ```
    #[inline(always)]
    fn wrapping_cast<U: WrappingFrom<Self>>(self) -> U {
        U::wrapping_from(self)
    }
}

/// Rust's `as`, as a method.
pub trait Cast: Sized {
    /// `self as U`; in a kernel, between integers, it must be proved to keep the value. A half is converted to `f32`, which is exact,
    /// and from it, to nearest, ties to even.
    ///
    /// ```
    /// use windrow::language::{Cast, bf16, f16};
    ///
    /// assert_eq!(7u8.cast::<f32>(), 7.0);
    /// assert_eq!((-1.5f32).cast::<i16>(), -1);
    /// assert_eq!(0.1f32.cast::<f16>().cast::<f32>(), 0.099975586);
    /// assert_eq!(0.1f32.cast::<bf16>(), bf16::from_f32(0.1));
    /// ```
    #[inline(always)]
    fn cast<U: CastFrom<Self>>(self) -> U {
        U::cast_from(self)
    }
}

/// The methods of floats that Rust has in `std` alone: kernels call them without it too. With it, Rust's own are called.
///
/// ```
/// use windrow::language::FloatMethods;
///
/// assert_eq!(FloatMethods::round_ties_even(2.5f32), 2.0);
/// assert_eq!(FloatMethods::sqrt(2.25f32), 1.5);
/// ```
pub trait FloatMethods: Sized {
    /// Returns the square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// Returns the greatest integer that is not above the number.
    fn floor(self) -> Self;

    /// Returns the least integer that is not below the number.
    fn ceil(self) -> Self;

    /// Returns the integer part, toward zero.
    fn trunc(self) -> Self;

    /// Returns the nearest integer, ties to the even one.
    fn round_ties_even(self) -> Self;

    /// Returns self · a + b, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
}

macro_rules! float_methods {
    ($($ty:ident $mul_add:path;)*) => {$(
        impl FloatMethods for $ty {
            #[inline(always)]
            fn sqrt(self) -> Self {
                scalar::sqrt(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                scalar::floor(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                scalar::ceil(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                scalar::trunc(self)
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                scalar::round_ties_even(self)
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $mul_add(self, a, b)
            }
        }
    )*};
}

float_methods! {
    f32 scalar::mul_add;
    f64 fused;
}

/// a · b + c, rounded once.
fn fused(a: f64, b: f64, c: f64) -> f64 {
    #[cfg(feature = "std")]
    return a.mul_add(b, c);
    #[cfg(not(feature = "std"))]
    return libm::fma(a, b, c);
}

/// Division by a power of two, rounded to nearest.
pub trait RoundingShr: Sized {
    /// ⌊(self + 2^(n−1)) / 2^n⌋, with no intermediate overflow; n = 0 gives `self`.
    ///
    /// ```
    /// use windrow::language::RoundingShr;
    ///
    /// assert_eq!(255u8.rounding_shr(1), 128);
    /// assert_eq!((-3i16).rounding_shr(1), -1);
    /// ```
    ///
    /// # Panics
    /// Where `n` is not below the width, as `>>` does under overflow checks.
    fn rounding_shr(self, n: u32) -> Self;
}

/// The mean of two integers.
pub trait HalvingAdd: Sized {
    /// ⌊(self + other) / 2⌋, with no intermediate overflow.
    ///
    /// ```
    /// use windrow::language::HalvingAdd;
    ///
    /// assert_eq!(255u8.halving_add(254), 254);
    /// assert_eq!((-2i8).halving_add(-1), -2);
    /// ```
    fn halving_add(self, other: Self) -> Self;

    /// ⌊(self + other + 1) / 2⌋, with no intermediate overflow.
    ///
    /// ```
    /// use windrow::language::HalvingAdd;
    ///
    /// assert_eq!(255u8.rounding_halving_add(254), 255);
    /// assert_eq!((-2i8).rounding_halving_add(-1), -1);
    /// ```
    fn rounding_halving_add(self, other: Self) -> Self;
}

/// The upper half of a product.
pub trait MulHigh: Sized {
    /// ⌊self · other / 2^width⌋: the upper half of the double-width product.
    ///
    /// ```
    /// use windrow::language::MulHigh;
    ///
    /// assert_eq!(0x8000u16.mul_high(6), 3);
    /// assert_eq!((-1i8).mul_high(1), -1);
    /// ```
    fn mul_high(self, other: Self) -> Self;
}

/// `min`, `max` and `clamp` with one meaning on every target: a kernel's text calls these names instead.
///
/// Integers: Rust's `Ord`. Floats: IEEE 754-2019 minimumNumber and maximumNumber ([`crate::scalar::min`],
/// [`crate::scalar::max`]).
pub trait Extrema: Sized {
    /// Returns the lesser.
    ///
    /// ```
    /// use windrow::language::Extrema;
    ///
    /// assert_eq!(3u8.__windrow_min(5), 3);
    /// assert_eq!(f32::NAN.__windrow_min(5.0), 5.0);
    /// ```
    fn __windrow_min(self, other: Self) -> Self;

    /// Returns the greater.
    ///
    /// ```
    /// use windrow::language::Extrema;
    ///
    /// assert_eq!(3u8.__windrow_max(5), 5);
    /// assert_eq!((-0.0f32).__windrow_max(0.0).to_bits(), 0);
    /// ```
    fn __windrow_max(self, other: Self) -> Self;

    /// Returns the nearest value in `lo..=hi`; a NaN becomes `lo`.
    ///
    /// ```
    /// use windrow::language::Extrema;
    ///
    /// assert_eq!(300i16.__windrow_clamp(0, 255), 255);
    /// ```
    ///
    /// # Panics
    /// Where `lo <= hi` does not hold.
    fn __windrow_clamp(self, lo: Self, hi: Self) -> Self;
}

macro_rules! halves {
    ($($ty:ident $from:expr, $to:expr;)*) => {$(
        impl Cast for $ty {}

        impl CastFrom<$ty> for f32 {
            #[inline(always)]
            fn cast_from(value: $ty) -> Self {
                $from(value.to_bits())
            }
        }

        impl CastFrom<f32> for $ty {
            #[inline(always)]
            fn cast_from(value: f32) -> Self {
                Self::from_bits($to(value))
            }
        }

        impl CastFrom<$ty> for $ty {
            #[inline(always)]
            fn cast_from(value: $ty) -> Self {
                value
            }
        }
    )*};
}

halves! {
    f16  |bits: u16| scalar::from_half(bits.into()), |value| scalar::to_half(value) as u16;
    bf16 |bits: u16| f32::from_bits(u32::from(bits) << 16), |value: f32| bf16::from_f32_const(value).to_bits();
}

macro_rules! integers {
    ($($ty:ident $wide:ident)*) => {$(
        impl SaturatingCast for $ty {}
        impl WrappingCast for $ty {}
        impl Cast for $ty {}

        impl RoundingShr for $ty {
            #[inline(always)]
            fn rounding_shr(self, n: u32) -> Self {
                // The last bit that leaves is the half: at most MAX / 2 + 1, so no overflow.
                if n == 0 { self } else { (self >> n) + ((self >> (n - 1)) & 1) }
            }
        }

        impl HalvingAdd for $ty {
            // a + b = 2·(a & b) + (a ^ b) = 2·(a | b) − (a ^ b), and `>>` rounds down.
            #[inline(always)]
            fn halving_add(self, other: Self) -> Self {
                (self & other) + ((self ^ other) >> 1)
            }

            #[inline(always)]
            fn rounding_halving_add(self, other: Self) -> Self {
                (self | other) - ((self ^ other) >> 1)
            }
        }

        impl MulHigh for $ty {
            #[inline(always)]
            fn mul_high(self, other: Self) -> Self {
                ((self as $wide * other as $wide) >> $ty::BITS) as $ty
            }
        }

        impl Extrema for $ty {
            #[inline(always)]
            fn __windrow_min(self, other: Self) -> Self {
                Ord::min(self, other)
            }

            #[inline(always)]
            fn __windrow_max(self, other: Self) -> Self {
                Ord::max(self, other)
            }

            #[inline(always)]
            fn __windrow_clamp(self, lo: Self, hi: Self) -> Self {
                Ord::clamp(self, lo, hi)
            }
        }

        conversions!($ty: u8 i8 u16 i16 u32 i32 u64 i64 usize);

        of_floats!($ty: f32 f64);

        impl CastFrom<bool> for $ty {
            #[inline(always)]
            fn cast_from(value: bool) -> Self {
                value as $ty
            }
        }
    )*};
}

macro_rules! of_floats {
    ($ty:ident: $($float:ident)*) => {$(
        impl SaturatingFrom<$float> for $ty {
            #[inline(always)]
            fn saturating_from(value: $float) -> Self {
                value as $ty
            }
        }

        impl SaturatingFrom<$ty> for $float {
            #[inline(always)]
            fn saturating_from(value: $ty) -> Self {
                value as $float
            }
        }

        impl CastFrom<$float> for $ty {
            #[inline(always)]
            fn cast_from(value: $float) -> Self {
                value as $ty
            }
        }

        impl CastFrom<$ty> for $float {
            #[inline(always)]
            fn cast_from(value: $ty) -> Self {
                value as $float
            }
        }
    )*};
}

macro_rules! conversions {
    ($to:ident: $($from:ident)*) => {$(
        impl SaturatingFrom<$from> for $to {
            #[inline(always)]
            fn saturating_from(value: $from) -> Self {
                (value as i128).clamp($to::MIN as i128, $to::MAX as i128) as $to
            }
        }

        impl WrappingFrom<$from> for $to {
            #[inline(always)]
            fn wrapping_from(value: $from) -> Self {
                value as $to
            }
        }

        impl CastFrom<$from> for $to {
            #[inline(always)]
            fn cast_from(value: $from) -> Self {
                value as $to
            }
        }
    )*};
}

integers! { u8 u16 i8 i16 u16 u32 i16 i32 u32 u64 i32 i64 u64 u128 i64 i128 usize u128 }

impl Cast for bool {}

macro_rules! floats {
    ($($ty:ident: $($from:ident)*;)*) => {$(
        impl SaturatingCast for $ty {}
        impl Cast for $ty {}

        $(
            impl SaturatingFrom<$from> for $ty {
                #[inline(always)]
                fn saturating_from(value: $from) -> Self {
                    value as $ty
                }
            }

            impl CastFrom<$from> for $ty {
                #[inline(always)]
                fn cast_from(value: $from) -> Self {
                    value as $ty
                }
            }
        )*

        impl Extrema for $ty {
            #[inline(always)]
            fn __windrow_min(self, other: Self) -> Self {
                scalar::min(self, other)
            }

            #[inline(always)]
            fn __windrow_max(self, other: Self) -> Self {
                scalar::max(self, other)
            }

            #[inline(always)]
            fn __windrow_clamp(self, lo: Self, hi: Self) -> Self {
                scalar::clamp(self, lo, hi)
            }
        }
    )*};
}

floats! {
    f32: f32 f64;
    f64: f32 f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_means_and_products_equal_their_definitions() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (wide_a, wide_b) = (u16::from(a), u16::from(b));
                assert_eq!(u16::from(a.halving_add(b)), (wide_a + wide_b) / 2);
                assert_eq!(u16::from(a.rounding_halving_add(b)), (wide_a + wide_b).div_ceil(2));
                assert_eq!(u16::from(a.mul_high(b)), wide_a * wide_b / 256);
                let (a, b) = (a as i8, b as i8);
                let (wide_a, wide_b) = (i16::from(a), i16::from(b));
                assert_eq!(i16::from(a.halving_add(b)), (wide_a + wide_b).div_euclid(2));
                assert_eq!(i16::from(a.rounding_halving_add(b)), (wide_a + wide_b + 1).div_euclid(2));
                assert_eq!(i16::from(a.mul_high(b)), (wide_a * wide_b).div_euclid(256));
            }
        }
    }

    #[test]
    fn rounding_shifts_equal_their_definition() {
        for a in i16::MIN..=i16::MAX {
            for n in 0..16 {
                let wide = i64::from(a);
                let expect = |x: i64| if n == 0 { x } else { (x + (1 << (n - 1))).div_euclid(1 << n) };
                assert_eq!(i64::from(a.rounding_shr(n)), expect(wide), "{a} by {n}");
                assert_eq!(i64::from((a as u16).rounding_shr(n)), expect(i64::from(a as u16)), "{a} by {n}");
            }
        }
        assert_eq!(u32::MAX.rounding_shr(1), 1 << 31);
        assert_eq!(i32::MIN.rounding_shr(31), -1);
    }

    /// Every pair of integer types, on the values around every type's limits.
    #[test]
    fn casts_equal_their_definitions_on_all_pairs() {
        macro_rules! pairs {
            ($($from:ident)*) => {$( to!($from); )*};
        }
        macro_rules! to {
            ($from:ident) => { to!($from: u8 i8 u16 i16 u32 i32 i64); };
            ($from:ident: $($to:ident)*) => {$(
                for value in limits().filter_map(|v| $from::try_from(v).ok()) {
                    let nearest = i64::from(value).clamp(i64::from($to::MIN), i64::from($to::MAX));
                    assert_eq!(i64::from(value.saturating_cast::<$to>()), nearest);
                    assert_eq!(value.wrapping_cast::<$to>(), value as $to);
                    assert_eq!(value.cast::<$to>(), value as $to);
                    assert_eq!(value.saturating_cast::<f32>(), value as f32);
                }
            )*};
        }
        pairs!(u8 i8 u16 i16 u32 i32 i64);
    }

    fn limits() -> impl Iterator<Item = i64> {
        [0i64, 8, 7, 16, 15, 32, 31]
            .into_iter()
            .flat_map(|bits| (-2..=2).flat_map(move |near| [(1i64 << bits) + near, -(1i64 << bits) + near]))
    }

    #[test]
    fn floats_saturate_toward_zero_and_nan_is_zero() {
        assert_eq!(f32::NAN.saturating_cast::<i16>(), 0);
        assert_eq!(f32::INFINITY.saturating_cast::<u8>(), 255);
        assert_eq!((-1.9f32).saturating_cast::<i8>(), -1);
        assert_eq!(16_777_217i32.saturating_cast::<f32>(), 16_777_216.0);
        assert_eq!(true.cast::<i16>(), 1);
    }

    #[test]
    fn methods_infer_their_target() {
        fn narrow(sum: i32) -> u8 {
            sum.saturating_cast()
        }
        assert_eq!(narrow(-5), 0);
        assert_eq!([1, 2, 3u8].into_iter().fold(255, u8::__windrow_min), 1);
    }
}
