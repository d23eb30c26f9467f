//! Whether two tensors share memory, decided exactly where their strides agree.
//!
//! The halves of an image interleave: their spans of memory overlap, their elements don't. Every run asks this of its outputs.

use crate::info::TensorInfo;
use crate::{arguments::Place, limits::MAX_DIMENSIONS, view::AnyView};

/// A tensor in memory that others may share.
pub(crate) trait Occupies {
    /// What memory it is in: one value for all of the host's, each buffer's own on a device.
    type Memory: PartialEq;

    /// The memory, and the address of the first element in it.
    fn place(&self) -> (Self::Memory, usize);

    /// The elements.
    fn layout(&self) -> &TensorInfo;

    /// Whether some byte belongs to both; `true` where that is not known.
    #[inline]
    fn shares_with(&self, other: &impl Occupies<Memory = Self::Memory>) -> bool {
        let ((memory, a), (others, b)) = (self.place(), other.place());
        memory == others && share_memory(a, self.layout(), b, other.layout())
    }
}

impl Occupies for Place {
    type Memory = ();

    fn place(&self) -> ((), usize) {
        ((), self.0.addr().get())
    }

    fn layout(&self) -> &TensorInfo {
        &self.1
    }
}

impl Occupies for AnyView<'_> {
    type Memory = ();

    fn place(&self) -> ((), usize) {
        ((), self.as_ptr().addr())
    }

    fn layout(&self) -> &TensorInfo {
        self.info()
    }
}

/// What an output shares memory with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    /// The output of this number, before it.
    Output(usize),
    /// The input of this number.
    Input(usize),
}

/// The first output that shares memory with one before it, or with an input where `may` does not allow it.
#[inline]
pub(crate) fn find_shared<O: Occupies>(
    outputs: &[Option<O>],
    inputs: &[impl Occupies<Memory = O::Memory>],
    mut may: impl FnMut(usize, usize) -> bool,
) -> Option<(usize, Shared)> {
    for (index, output) in outputs.iter().enumerate() {
        let Some(output) = output else { continue };
        let shares = |earlier: &Option<O>| earlier.as_ref().is_some_and(|earlier| output.shares_with(earlier));
        if let Some(earlier) = outputs[..index].iter().position(shares) {
            return Some((index, Shared::Output(earlier)));
        }
        for (place, input) in inputs.iter().enumerate() {
            if output.shares_with(input) && !may(index, place) {
                return Some((index, Shared::Input(place)));
            }
        }
    }
    None
}

/// Whether some byte of one tensor's elements is one of the other's; `true` where that is not known.
///
/// `a` and `b` are the addresses of the first elements.
#[inline]
pub(crate) fn share_memory(a: usize, a_info: &TensorInfo, b: usize, b_info: &TensorInfo) -> bool {
    // Most tensors lie apart; one without elements has no bytes.
    let (first, second, between) = if a <= b { (a_info, b_info, b - a) } else { (b_info, a_info, a - b) };
    between < first.size_in_bytes() && second.size_in_bytes() > 0 && interleaved(a, a_info, b, b_info)
}

/// The same for two tensors whose spans of memory overlap.
fn interleaved(a: usize, a_info: &TensorInfo, b: usize, b_info: &TensorInfo) -> bool {
    let Some(strides) = common_strides(a_info, b_info) else { return true };
    touch(&Pair { a: a_info, b: b_info, strides }, MAX_DIMENSIONS - 1, b as i128 - a as i128)
}

/// Two tensors of the same strides where it matters.
struct Pair<'a> {
    a: &'a TensorInfo,
    b: &'a TensorInfo,
    strides: [i128; MAX_DIMENSIONS],
}

/// The strides of both, where they are the same; a dimension of one element has none of its own.
fn common_strides(a: &TensorInfo, b: &TensorInfo) -> Option<[i128; MAX_DIMENSIONS]> {
    let mut strides = [0; MAX_DIMENSIONS];
    for (dimension, stride) in strides.iter_mut().enumerate().skip(1) {
        let several = |info: &TensorInfo| info.shape().extent(dimension) > 1;
        *stride = match (several(a), several(b)) {
            (true, true) if a.stride(dimension) != b.stride(dimension) => return None,
            (true, _) => a.stride(dimension) as i128,
            (false, true) => b.stride(dimension) as i128,
            (false, false) => 0,
        };
    }
    Some(strides)
}

/// Whether rows of both share a byte, when one of `b` lies `delta` bytes behind one of `a` and both still may go along the
/// dimensions up to `dimension`.
fn touch(pair: &Pair<'_>, dimension: usize, delta: i128) -> bool {
    let row = |info: &TensorInfo| (info.width() * info.pixel_size()) as i128;
    if dimension == 0 {
        return delta < row(pair.a) && -delta < row(pair.b);
    }
    let stride = pair.strides[dimension];
    if stride == 0 {
        return touch(pair, dimension - 1, delta);
    }
    // How far inner dimensions and rows may reach: a later row of `a` makes the difference less, one of `b` greater.
    let inside = |info: &TensorInfo| {
        let steps = |d: usize| (info.shape().extent(d) as i128 - 1) * pair.strides[d];
        (1..dimension).map(steps).sum::<i128>() + row(info)
    };
    let last = |info: &TensorInfo| info.shape().extent(dimension) as i128 - 1;
    let least = (-inside(pair.b) - delta).div_euclid(stride) + 1;
    let greatest = -(-(inside(pair.a) - delta)).div_euclid(stride) - 1;
    let (least, greatest) = (least.max(-last(pair.a)), greatest.min(last(pair.b)));
    // More than two steps only where the tensors' shapes are unlike: not worth following.
    greatest - least > 4 || (least..=greatest).any(|steps| touch(pair, dimension - 1, delta + steps * stride))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementType;

    /// Every byte of the elements.
    fn bytes(first: usize, info: &TensorInfo) -> Vec<usize> {
        let [w, h, d, ..] = info.shape().extents();
        let at = |x, y, z| first + x * info.stride(0) + y * info.stride(1) + z * info.stride(2);
        let elements = (0..d).flat_map(|z| (0..h).flat_map(move |y| (0..w).map(move |x| (x, y, z))));
        elements.flat_map(|(x, y, z)| (0..info.pixel_size()).map(move |byte| at(x, y, z) + byte)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn regions_of_one_image_share_memory_where_they_share_elements() {
        let (mut shared, mut apart) = (0, 0);
        for (strides, channels) in [([1, 9, 40], 1), ([2, 9, 30], 2), ([1, 6, 18], 1)] {
            let whole = TensorInfo::with_strides(ElementType::U8, channels, &[4, 3, 2], &strides).unwrap();
            let regions: Vec<_> = (0..4)
                .flat_map(|x| (0..3).flat_map(move |y| [(x, y, 0), (x, y, 1)]))
                .flat_map(|from| {
                    [(1, 1, 1), (2, 1, 1), (1, 2, 2), (3, 3, 1), (4, 1, 2), (2, 3, 2)].map(|size| (from, size))
                })
                .filter_map(|((x, y, z), (w, h, d))| whole.region(&[x, y, z], &[w, h, d]).ok())
                .collect();
            for (a, a_info) in &regions {
                for (b, b_info) in &regions {
                    let both = bytes(*b, b_info);
                    let expect = bytes(*a, a_info).iter().any(|byte| both.contains(byte));
                    assert_eq!(share_memory(*a, a_info, *b, b_info), expect, "{a} {a_info} and {b} {b_info}");
                    *if expect { &mut shared } else { &mut apart } += 1;
                }
            }
        }
        assert!(shared > 1000 && apart > 1000, "{shared} {apart}");
    }

    #[test]
    fn what_is_not_known_counts_as_shared() {
        let rows = TensorInfo::with_strides(ElementType::U8, 1, &[2, 8], &[1, 8]).unwrap();
        let columns = TensorInfo::with_strides(ElementType::U8, 1, &[2, 8], &[1, 6]).unwrap();
        assert!(share_memory(100, &rows, 103, &columns));
        assert!(!share_memory(100, &rows, 200, &columns));
        assert!(!share_memory(100, &TensorInfo::default(), 100, &columns));
    }
}
