//! Sums, least and greatest values over a range: the functions that kernels reduce with.
//!
//! A kernel that calls one of them says what is wanted, and not in which order it is computed: a sum of floats is one in
//! [`LANES`] lanes, which processors of all kinds compute in vectors, and which is the same on all of them, bit for bit.

use core::ops::{Bound, RangeBounds};

use crate::scalar;

/// The lanes of a sum of floats.
pub const LANES: usize = 32;

/// A number that [`sum`], [`least`] and [`greatest`] take.
pub trait Reduce: Copy {
    /// Returns the sum of terms: of integers exactly, of floats in [`LANES`] lanes, each of which begins with +0.0 and adds every
    /// 32nd term, from its own on; then the lanes of the upper half are added to those of the lower one, lane by lane, and so on
    /// until one is left.
    ///
    /// # Panics
    /// Where a sum of integers leaves the type, as `+` does.
    fn sum(terms: impl Iterator<Item = Self>) -> Self;

    /// Returns the least term, or the greatest number of the type if there is none. A NaN is no term, and −0.0 is below +0.0.
    fn least(terms: impl Iterator<Item = Self>) -> Self;

    /// Returns the greatest term, or the least number of the type if there is none. A NaN is no term, and +0.0 is above −0.0.
    fn greatest(terms: impl Iterator<Item = Self>) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Reduce for $ty {
            fn sum(terms: impl Iterator<Item = Self>) -> Self {
                terms.fold(0, |sum, term| sum + term)
            }

            fn least(terms: impl Iterator<Item = Self>) -> Self {
                terms.fold(Self::MAX, |least, term| least.min(term))
            }

            fn greatest(terms: impl Iterator<Item = Self>) -> Self {
                terms.fold(Self::MIN, |greatest, term| greatest.max(term))
            }
        }
    )*};
}

integers!(u8 i8 u16 i16 u32 i32 u64 i64);

impl Reduce for f32 {
    fn sum(terms: impl Iterator<Item = Self>) -> Self {
        let mut lanes = [0.0; LANES];
        for (place, term) in terms.enumerate() {
            lanes[place % LANES] += term;
        }
        scalar::across([lanes], 1, |a, b| a + b)
    }

    fn least(terms: impl Iterator<Item = Self>) -> Self {
        terms.fold(Self::INFINITY, scalar::min)
    }

    fn greatest(terms: impl Iterator<Item = Self>) -> Self {
        terms.fold(Self::NEG_INFINITY, scalar::max)
    }
}

/// Returns the sum of `term(i)` for all `i` of a range: 0 for an empty one.
///
/// A sum of integers is exact. A sum of floats is one in 32 lanes, the same on every target: see [`Reduce::sum`]. For a sum in the
/// order of the range write a `for` loop.
///
/// # Panics
/// Where a sum of integers leaves the type; in a kernel it is proved that none does.
///
/// ```
/// use windrow::prelude::*;
///
/// assert_eq!(sum(0..5, |i| i * i), 30);
/// assert_eq!(sum(0..3, |i| i as f32 / 2.0), 1.5);
/// ```
pub fn sum<I, T: Reduce>(range: impl IntoIterator<Item = I>, term: impl Fn(I) -> T) -> T {
    T::sum(range.into_iter().map(term))
}

/// Returns the least `term(i)` for all `i` of a range: the greatest number of the type for an empty one, of floats +∞.
///
/// ```
/// use windrow::prelude::*;
///
/// assert_eq!(least(-2..4, |i| i * i), 0);
/// assert_eq!(least(0..0, |_| 1.0f32), f32::INFINITY);
/// ```
pub fn least<I, T: Reduce>(range: impl IntoIterator<Item = I>, term: impl Fn(I) -> T) -> T {
    T::least(range.into_iter().map(term))
}

/// Returns the greatest `term(i)` for all `i` of a range: the least number of the type for an empty one, of floats −∞.
///
/// ```
/// use windrow::prelude::*;
///
/// assert_eq!(greatest(0..5, |i| 3 * i - i * i), 2);
/// assert_eq!(greatest(0..2, |i| if i == 0 { f32::NAN } else { -1.0 }), -1.0);
/// ```
pub fn greatest<I, T: Reduce>(range: impl IntoIterator<Item = I>, term: impl Fn(I) -> T) -> T {
    T::greatest(range.into_iter().map(term))
}

/// Returns the first `i` of a range for which `term(i)` is greatest: the begin of the range for an empty one, or where no term is greater
/// than the least number of the type, of floats −∞. A NaN is never the greatest.
///
/// ```
/// use windrow::prelude::*;
///
/// assert_eq!(argmax(0..5, |i| 3 * i - i * i), 1);
/// assert_eq!(argmax(4..4, |_| 1.0f32), 4);
/// assert_eq!(argmax(2..6, |i| if i == 3 { f32::NAN } else { -(i as f32) }), 2);
/// ```
pub fn argmax<I: Copy + Default, T: Reduce + PartialOrd>(
    range: impl IntoIterator<Item = I> + RangeBounds<I>,
    term: impl Fn(I) -> T,
) -> I {
    let start = match range.start_bound() {
        Bound::Included(&start) | Bound::Excluded(&start) => start,
        Bound::Unbounded => I::default(),
    };
    let least = T::greatest(core::iter::empty());
    let (place, _) = range
        .into_iter()
        .map(|i| (i, term(i)))
        .fold((start, least), |(place, most), (i, own)| if own > most { (i, own) } else { (place, most) });
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_floats_is_one_in_lanes() {
        // In the order of the range, each of the small ones would be lost.
        let term = |i: i32| if i == 0 { 1e8 } else { 1.0f32 };
        assert_eq!(sum(0..32 * 8 + 1, term), 1e8 + 248.0);
        assert_eq!((0..32 * 8 + 1).map(term).fold(0.0, |sum, term| sum + term), 1e8);
        // Lanes 0 and 16 meet first, and 1 and 17: neighbours would lose what is small.
        let lanes = |i: i32| [1e8, 1.0][i as usize % 2] * if i == 16 { -1.0f32 } else { f32::from(i % 16 < 2) };
        assert_eq!(sum(0..32, lanes), 2.0);
        assert_eq!(sum(0..0, term).to_bits(), 0);
        assert_eq!(sum(0..3, |_| -0.0f32).to_bits(), 0);
    }
}
