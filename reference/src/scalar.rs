//! The builtins on floats that Rust's core lacks or leaves open, one function each.
//!
//! Rust leaves open what `f32::min` and `f32::max` do with signalling NaNs and with zeros of both signs; here they are
//! IEEE 754-2019 minimumNumber and maximumNumber. The roundings are those of Rust; they stand here because `core` has
//! them only with the standard library.

/// Returns the lesser of two floats: a NaN, quiet or signalling, is ignored, and −0 is below +0.
///
/// ```
/// use windrow::reference::scalar::min;
///
/// assert_eq!(min(f32::NAN, 1.0), 1.0);
/// assert!(min(0.0, -0.0f64).is_sign_negative());
/// ```
pub fn min<T: Float>(a: T, b: T) -> T {
    if a.is_nan() {
        b.quiet()
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// Returns the greater of two floats: a NaN, quiet or signalling, is ignored, and −0 is below +0.
///
/// ```
/// use windrow::reference::scalar::max;
///
/// assert_eq!(max(1.0, f32::NAN), 1.0);
/// assert!(max(0.0, -0.0f64).is_sign_positive());
/// ```
pub fn max<T: Float>(a: T, b: T) -> T {
    if a.is_nan() {
        b.quiet()
    } else if b.is_nan() || a > b || (a == b && !a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// Returns the value of the binary16 whose bits are the lower half of a word.
///
/// ```
/// use windrow::reference::scalar::from_half;
///
/// assert_eq!(from_half(0x3e00), 1.5);
/// assert_eq!(from_half(0x0001), 2f32.powi(-24));
/// ```
#[inline(always)]
pub fn from_half(bits: u32) -> f32 {
    /// 2^112: the exponent's bias of binary32, less that of binary16.
    const REBIAS: f32 = f32::from_bits((254 - 15) << 23);
    let magnitude = bits & 0x7fff;
    // A denormal is a denormal before the product, and a number behind it.
    let scaled = f32::from_bits(magnitude << 13) * REBIAS;
    let special = if magnitude > 0x7bff { 0xff << 23 } else { 0 };
    f32::from_bits(scaled.to_bits() | special | (bits & 0x8000) << 16)
}

/// Returns the bits of the binary16 that is nearest to a float, ties to the even one; what is beyond them gives infinity. A NaN gives
/// a quiet one with the upper bits of its payload, as processors do.
///
/// ```
/// use windrow::reference::scalar::to_half;
///
/// assert_eq!(to_half(1.5), 0x3e00);
/// assert_eq!(to_half(65520.0), 0x7c00);
/// assert_eq!(to_half(65519.0), 0x7bff);
/// ```
#[inline(always)]
pub fn to_half(value: f32) -> u32 {
    /// The least magnitude that is rounded to infinity or is beyond it, 2^16, and the least normal binary16, 2^−14.
    const BEYOND: u32 = (127 + 16) << 23;
    const NORMAL: u32 = (127 - 14) << 23;
    /// The last bit of a sum with it is that of a denormal binary16, 2^−24.
    const ALIGN: f32 = 0.5;
    let magnitude = value.to_bits() & 0x7fff_ffff;
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_sub((127 - 15) << 23).wrapping_add(0xfff + odd) >> 13;
    let denormal = (f32::from_bits(magnitude) + ALIGN).to_bits().wrapping_sub(ALIGN.to_bits());
    let payload = if magnitude > 0xff << 23 { 0x200 | magnitude >> 13 & 0x3ff } else { 0 };
    let finite = if magnitude < NORMAL { denormal } else { normal };
    (if magnitude < BEYOND { finite } else { 0x7c00 | payload }) | value.to_bits() >> 16 & 0x8000
}

/// `max(x, lo)`, then `min` with `hi`: a NaN becomes `lo`.
///
/// # Panics
/// Where `lo <= hi` does not hold, as Rust's own `clamp`.
pub fn clamp<T: Float>(x: T, lo: T, hi: T) -> T {
    assert!(lo <= hi, "clamp needs lo <= hi, found {lo} and {hi}");
    min(max(x, lo), hi)
}

/// What the lanes of several vectors have in common by an operation on two of them: each lane of the lower half is combined with
/// the one as far into the upper half, and so on until one is left. A vector holds this many runs of neighbouring lanes; the first
/// runs of all vectors follow each other, then the second ones.
#[doc(hidden)]
#[inline(always)]
pub fn across<T: Copy, const LANES: usize, const VECTORS: usize>(
    vectors: [[T; LANES]; VECTORS],
    runs: usize,
    combine: impl Fn(T, T) -> T,
) -> T {
    let (mut lanes, in_run) = (vectors, LANES / runs);
    let flat = lanes.as_flattened_mut();
    for (lane, own) in flat.iter_mut().enumerate() {
        let (run, within) = (lane / (in_run * VECTORS), lane % (in_run * VECTORS));
        *own = vectors[within / in_run][run * in_run + within % in_run];
    }
    let mut half = flat.len() / 2;
    while half > 0 {
        for lane in 0..half {
            flat[lane] = combine(flat[lane], flat[lane + half]);
        }
        half /= 2;
    }
    flat[0]
}

/// A type of floats that Rust computes with.
pub trait Float: Copy + PartialOrd + core::fmt::Display {
    /// Returns whether it is not a number.
    fn is_nan(self) -> bool;

    /// Returns whether its sign is negative, that of a zero or a NaN too.
    fn is_sign_negative(self) -> bool;

    /// Returns a NaN with its quiet bit set, and everything else as it is.
    fn quiet(self) -> Self;

    /// Returns the square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// Returns the greatest integer that is not above it.
    fn floor(self) -> Self;

    /// Returns the least integer that is not below it.
    fn ceil(self) -> Self;

    /// Returns the integer part, toward zero.
    fn trunc(self) -> Self;

    /// Returns the nearest integer, ties to the even one.
    fn round_ties_even(self) -> Self;
}

macro_rules! floats {
    ($($ty:ident $quiet:literal: $sqrt:ident $floor:ident $ceil:ident $trunc:ident $round_ties_even:ident;)*) => {$(
        impl Float for $ty {
            #[inline(always)]
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }

            #[inline(always)]
            fn is_sign_negative(self) -> bool {
                $ty::is_sign_negative(self)
            }

            #[inline(always)]
            fn quiet(self) -> Self {
                if $ty::is_nan(self) { $ty::from_bits(self.to_bits() | $quiet) } else { self }
            }

            rounding! { $ty: sqrt = $sqrt, floor = $floor, ceil = $ceil, trunc = $trunc, round_ties_even = $round_ties_even }
        }
    )*};
}

/// Rust's own method with the standard library, and libm's function without it.
macro_rules! rounding {
    ($ty:ident: $($name:ident = $libm:ident),*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            #[cfg(feature = "std")]
            return $ty::$name(self);
            #[cfg(not(feature = "std"))]
            return libm::$libm(self);
        }
    )*};
}

floats! {
    f32 0x0040_0000: sqrtf floorf ceilf truncf rintf;
    f64 0x0008_0000_0000_0000: sqrt floor ceil trunc rint;
}

/// Returns the square root, correctly rounded.
pub fn sqrt<T: Float>(x: T) -> T {
    x.sqrt()
}

/// Returns the greatest integer that is not above `x`.
pub fn floor<T: Float>(x: T) -> T {
    x.floor()
}

/// Returns the least integer that is not below `x`.
pub fn ceil<T: Float>(x: T) -> T {
    x.ceil()
}

/// Returns the integer part, toward zero.
pub fn trunc<T: Float>(x: T) -> T {
    x.trunc()
}

/// Returns the nearest integer, ties to the even one.
pub fn round_ties_even<T: Float>(x: T) -> T {
    x.round_ties_even()
}

/// a·b + c with one rounding, on any processor.
///
/// The product of two `f32` is exact in `f64`. Their sum with `c` is rounded to odd: where it is inexact, the last bit
/// of the `f64` is made 1, so that the second rounding, to `f32`, sees that the value lies between two ties, and errs
/// on neither.
///
/// ```
/// use windrow::reference::scalar::mul_add;
///
/// let a = 1.0 + f32::EPSILON;
/// assert_eq!(mul_add(a, a, -1.0), 2.0 * f32::EPSILON + f32::EPSILON * f32::EPSILON);
/// ```
pub fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    if !sum.is_finite() {
        return sum as f32;
    }
    // What the sum lost, exactly: neither the product nor the addend is near f64's limits.
    let kept = sum - product;
    let lost = (product - (sum - kept)) + (addend - kept);
    if lost == 0.0 || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    let away_from_zero = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if away_from_zero { sum.to_bits() + 1 } else { sum.to_bits() - 1 }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every exponent with awkward significands, both signs; zeros, infinities, NaNs of both kinds come with them.
    fn floats() -> Vec<f32> {
        let mut all = Vec::new();
        for exponent in 0..=255u32 {
            for significand in
                [0, 1, 2, 0x0020_0000, 0x003f_ffff, 0x0040_0000, 0x0040_0001, 0x0055_5555, 0x007f_fffe, 0x007f_ffff]
            {
                for sign in [0, 1u32] {
                    all.push(f32::from_bits(sign << 31 | exponent << 23 | significand));
                }
            }
        }
        all
    }

    fn same(a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    /// A total order with −0 below +0; NaNs left out by the callers.
    fn rank(x: f32) -> i64 {
        let bits = i64::from(x.to_bits() & 0x7fff_ffff);
        if x.is_sign_negative() { -bits - 1 } else { bits }
    }

    #[test]
    fn min_and_max_are_minimum_number_and_maximum_number() {
        let all = floats();
        for &a in &all {
            for &b in &all {
                let (low, high) = match (a.is_nan(), b.is_nan()) {
                    (true, _) => (b, b),
                    (_, true) => (a, a),
                    _ if rank(a) < rank(b) => (a, b),
                    _ => (b, a),
                };
                assert!(same(min(a, b), low) && same(max(a, b), high), "{a:?} {b:?}");
                assert!(!signalling(min(a, b)) && !signalling(max(a, b)), "{a:?} {b:?}");
            }
        }
    }

    fn signalling(x: f32) -> bool {
        x.is_nan() && x.to_bits() & 0x0040_0000 == 0
    }

    /// Whether a binary16 by its bits is the nearest to a float, by the crate that has the type.
    fn is_nearest(value: f32, found: u32) -> bool {
        let expected = half::f16::from_f32_const(value);
        found == u32::from(expected.to_bits()) || expected.is_nan() && found & 0x7fff > 0x7c00
    }

    #[test]
    fn halves_are_converted_exactly_and_back() {
        for bits in 0..=u16::MAX {
            let (expected, found) = (half::f16::from_bits(bits).to_f32_const(), from_half(bits.into()));
            assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(), "{bits:04x}");
            assert!(is_nearest(found, to_half(found)), "{bits:04x}");
        }
    }

    /// What is tested of all floats: every 997th, and those around each binary16 and between two of them.
    #[test]
    fn floats_become_the_nearest_half() {
        let around = (0..=u16::MAX).flat_map(|bits| {
            let [value, next] = [bits, bits.wrapping_add(1)].map(|bits| from_half(bits.into()));
            let between = (f64::from(value) + f64::from(next)) / 2.0;
            [value, between as f32]
                .into_iter()
                .flat_map(|at| (-2i32..=2).map(move |by| at.to_bits().wrapping_add_signed(by)))
        });
        for bits in around.chain((0..=u32::MAX).step_by(997)) {
            let value = f32::from_bits(bits);
            assert!(is_nearest(value, to_half(value)), "{bits:08x}: {:04x}", to_half(value));
        }
    }

    #[test]
    #[ignore = "all floats: half a minute, by `cargo test --release`"]
    fn all_floats_become_the_nearest_half() {
        for bits in 0..=u32::MAX {
            let value = f32::from_bits(bits);
            assert!(is_nearest(value, to_half(value)), "{bits:08x}: {:04x}", to_half(value));
        }
    }

    #[test]
    fn clamp_keeps_within_and_ends_a_nan() {
        assert_eq!(clamp(f32::NAN, -1.0, 1.0), -1.0);
        assert_eq!(clamp(5.0, -1.0, 1.0), 1.0);
        assert_eq!(clamp(-0.0_f32, 0.0, 1.0).to_bits(), 0);
    }

    #[test]
    #[should_panic(expected = "clamp needs lo <= hi")]
    fn clamp_refuses_bounds_out_of_order() {
        clamp(0.0, 1.0, -1.0);
    }

    /// The product lies on a tie between two `f32`; the addend, too small for the `f64`, decides it.
    const DOUBLE_ROUNDING: [(f32, f32, f32); 8] = [
        (4_097.0, 4_097.0, 1.0e-20),
        (4_097.0, 4_099.0, -1.0e-20),
        (-4_097.0, 4_097.0, -1.0e-20),
        (-4_097.0, 4_099.0, 1.0e-20),
        (4_097.0, 4_101.0, 1.0e-45),
        (4_097.0 / 4_096.0, 4_097.0 / 4_096.0, f32::MIN_POSITIVE),
        (4_097.0 / 4_096.0, 4_099.0 / 4_096.0, -f32::MIN_POSITIVE),
        (4_097.0e20, 4_097.0 / 1_048_576.0, 1.0e-10),
    ];

    #[test]
    fn mul_add_rounds_once_where_two_roundings_err() {
        let mut twice_wrong = 0;
        for (a, b, c) in DOUBLE_ROUNDING {
            let expect = a.mul_add(b, c);
            assert_eq!(mul_add(a, b, c).to_bits(), expect.to_bits(), "{a:?} {b:?} {c:?}");
            twice_wrong += u32::from((f64::from(a) * f64::from(b) + f64::from(c)) as f32 != expect);
        }
        assert!(twice_wrong >= 7, "two roundings err on {twice_wrong} of the table only");
    }

    #[test]
    fn mul_add_equals_the_processors_on_every_exponent() {
        let all = floats();
        let some: Vec<f32> = all.iter().copied().step_by(97).collect();
        for &a in &all {
            for &b in &some {
                for &c in &some {
                    assert!(same(mul_add(a, b, c), a.mul_add(b, c)), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn mul_add_equals_the_processors_on_random_bits() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 16) as u32
        };
        for _ in 0..300_000 {
            let (a, b) = (f32::from_bits(next()), f32::from_bits(next()));
            // An addend near the product, so that the sum cancels or ties.
            let near = f32::from_bits((a * b).to_bits().wrapping_add(next() % 64).wrapping_sub((next() % 64) << 23));
            for c in [f32::from_bits(next()), near, -near] {
                assert!(same(mul_add(a, b, c), a.mul_add(b, c)), "{a:?} {b:?} {c:?}");
            }
        }
    }

    #[test]
    fn roundings_are_those_of_the_definition() {
        for x in floats() {
            assert!(same(sqrt(x), f64::from(x).sqrt() as f32), "sqrt {x:?}");
            assert!(same(floor(x), f64::from(x).floor() as f32), "floor {x:?}");
            assert!(same(ceil(x), f64::from(x).ceil() as f32), "ceil {x:?}");
            assert!(same(trunc(x), f64::from(x).trunc() as f32), "trunc {x:?}");
            assert!(same(round_ties_even(x), libm::rintf(x)), "round_ties_even {x:?}");
            assert!(same(sqrt(x), libm::sqrtf(x)), "sqrt {x:?}");
        }
        assert_eq!([0.5, 1.5, 2.5, -0.5, -1.5].map(round_ties_even), [0.0, 2.0, 2.0, -0.0, -2.0]);
    }
}
