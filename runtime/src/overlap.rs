//! Whether two tensors share memory, decided exactly where their strides agree.
//!
//! The halves of an image interleave, and so do the channels of its pixels: their spans of memory overlap, their elements don't.
//! Every run asks this of its outputs.

use core::ptr::NonNull;

use crate::{info::TensorInfo, layout::Layout, limits::MAX_DIMENSIONS};

/// An image that is written and shares memory with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Its number among those written.
    pub output: usize,
    /// The other's number.
    pub other: usize,
    /// Whether that is one of those written, and not of those read.
    pub with_output: bool,
}

/// Returns the first image of `written` that shares memory, as `shares` knows it, with one of `read` or with an earlier
/// one of `written`.
///
/// `None` among them is an image that was left out.
pub fn find<I: Copy>(
    read: impl Iterator<Item = Option<I>> + Clone,
    written: impl Iterator<Item = Option<I>> + Clone,
    shares: impl Fn(I, I) -> bool,
) -> Option<Overlap> {
    written.clone().enumerate().find_map(|(output, image)| {
        let image = image?;
        let with = |other: Option<I>| other.is_some_and(|other| shares(image, other));
        let found = |other: usize, with_output: bool| Overlap { output, other, with_output };
        let earlier = || written.clone().take(output).position(with).map(|other| found(other, true));
        read.clone().position(with).map(|other| found(other, false)).or_else(earlier)
    })
}

/// Whether some byte of one tensor's elements is one of the other's; `true` where that is not known. Each is given by its first
/// element.
#[inline]
pub(crate) fn share((a, of_a): (NonNull<u8>, &TensorInfo), (b, of_b): (NonNull<u8>, &TensorInfo)) -> bool {
    share_memory(a.addr().get(), of_a.layout(), b.addr().get(), of_b.layout())
}

/// The same of tensors whose first elements have the addresses `a` and `b`.
#[inline]
fn share_memory(a: usize, a_layout: &Layout, b: usize, b_layout: &Layout) -> bool {
    // A dimension that goes backwards holds the same elements as one that goes on from its last.
    let (a, b) = (a.wrapping_sub(a_layout.lead()), b.wrapping_sub(b_layout.lead()));
    // Most tensors lie apart; one without elements has no bytes.
    let (first, second, between) = if a <= b { (a_layout, b_layout, b - a) } else { (b_layout, a_layout, a - b) };
    between < first.size_in_bytes() && second.size_in_bytes() > 0 && interleaved(a, a_layout, b, b_layout)
}

/// The same for two tensors whose spans of memory overlap.
fn interleaved(a: usize, a_layout: &Layout, b: usize, b_layout: &Layout) -> bool {
    let Some(pair) = Pair::of(a_layout, b_layout) else { return true };
    pair.touch(pair.count, b as i128 - a as i128)
}

/// Two tensors of the same strides where it matters: runs of bytes, repeated in steps.
struct Pair {
    /// The bytes of a run of each.
    runs: [i128; 2],
    /// The shortest first.
    steps: [Step; MAX_DIMENSIONS],
    count: usize,
}

/// A dimension along which one of both goes on, or both.
#[derive(Clone, Copy, Default)]
struct Step {
    stride: i128,
    /// The last coordinate of each.
    last: [i128; 2],
}

impl Pair {
    /// `None` where they step differently along a dimension; one of one element does not step.
    fn of(a: &Layout, b: &Layout) -> Option<Pair> {
        let both = [a, b];
        let rows = both.map(Layout::has_contiguous_rows) == [true; 2];
        let run = |layout: &Layout| layout.element_size() * if rows { layout.inner_extent(0).max(1) } else { 1 };
        let mut pair = Pair { runs: both.map(|layout| run(layout) as i128), steps: Default::default(), count: 0 };
        for inner in usize::from(rows)..MAX_DIMENSIONS {
            let stride = |layout: &Layout| layout.inner_stride(inner).unsigned_abs() as i128;
            let last = both.map(|layout| layout.inner_extent(inner) as i128 - 1);
            let stride = match last.map(|last| last > 0) {
                [true, true] if stride(a) != stride(b) => return None,
                [true, _] => stride(a),
                [false, true] => stride(b),
                [false, false] => 0,
            };
            if stride != 0 {
                pair.steps[pair.count] = Step { stride, last };
                pair.count += 1;
            }
        }
        pair.steps[..pair.count].sort_unstable_by_key(|step| step.stride);
        Some(pair)
    }

    /// Whether runs of both share a byte, when one of `b` lies `delta` bytes behind one of `a` and both still may go along the first
    /// `count` steps.
    fn touch(&self, count: usize, delta: i128) -> bool {
        let Some((step, shorter)) = self.steps[..count].split_last() else {
            return delta < self.runs[0] && -delta < self.runs[1];
        };
        // How far shorter steps and runs may reach: a later run of `a` makes the difference less, one of `b` greater.
        let inside = |of: usize| shorter.iter().map(|step| step.last[of] * step.stride).sum::<i128>() + self.runs[of];
        let least = (-inside(1) - delta).div_euclid(step.stride) + 1;
        let greatest = -(-(inside(0) - delta)).div_euclid(step.stride) - 1;
        let (least, greatest) = (least.max(-step.last[0]), greatest.min(step.last[1]));
        // More than two steps only where the tensors' shapes are unlike: not worth following.
        greatest - least > 4 || (least..=greatest).any(|steps| self.touch(shorter.len(), delta + steps * step.stride))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementType;

    #[test]
    fn the_first_overlap_is_named_by_its_numbers() {
        // Images by their bytes.
        let find = |read: &[Option<(u8, u8)>], written: &[Option<(u8, u8)>]| {
            find(read.iter().copied(), written.iter().copied(), |a, b| a.0 < b.1 && b.0 < a.1)
        };
        let read = [Some((0, 4)), None, Some((8, 12))];
        assert_eq!(find(&read, &[Some((4, 8)), None, Some((12, 13))]), None);
        let found = |output, other, with_output| Some(Overlap { output, other, with_output });
        assert_eq!(find(&read, &[Some((4, 8)), Some((11, 20))]), found(1, 2, false));
        assert_eq!(find(&read, &[Some((4, 8)), None, Some((5, 6))]), found(2, 0, true));
        assert_eq!(find(&[], &[None, None]), None);
    }

    /// Every byte of the elements.
    fn bytes(first: usize, info: &TensorInfo) -> Vec<usize> {
        let [w, h, d, ..] = info.shape().inner_extents();
        let at = |x, y, z| first.wrapping_add_signed(info.offset(&[z, y, x]).unwrap());
        let elements = (0..d).flat_map(|z| (0..h).flat_map(move |y| (0..w).map(move |x| (x, y, z))));
        elements.flat_map(|(x, y, z)| (0..info.pixel_size()).map(move |byte| at(x, y, z) + byte)).collect()
    }

    fn share(a: usize, a_info: &TensorInfo, b: usize, b_info: &TensorInfo) -> bool {
        share_memory(a, a_info.layout(), b, b_info.layout())
    }

    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn regions_of_one_image_share_memory_where_they_share_elements() {
        let (mut shared, mut apart) = (0, 0);
        for (strides, channels) in [([40, 9, 1], 1), ([30, 9, 2], 2), ([18, 6, 1], 1)] {
            let whole = TensorInfo::with_strides(ElementType::U8, channels, &[2, 3, 4], &strides).unwrap();
            let regions: Vec<_> = (0..4)
                .flat_map(|x| (0..3).flat_map(move |y| [(x, y, 0), (x, y, 1)]))
                .flat_map(|from| {
                    [(1, 1, 1), (2, 1, 1), (1, 2, 2), (3, 3, 1), (4, 1, 2), (2, 3, 2)].map(|size| (from, size))
                })
                .filter_map(|((x, y, z), (w, h, d))| whole.region(&[z, y, x], &[d, h, w]).ok())
                .map(|(first, info)| (first as usize, info))
                .collect();
            for (a, a_info) in &regions {
                for (b, b_info) in &regions {
                    let both = bytes(*b, b_info);
                    let expect = bytes(*a, a_info).iter().any(|byte| both.contains(byte));
                    assert_eq!(share(*a, a_info, *b, b_info), expect, "{a} {a_info} and {b} {b_info}");
                    *if expect { &mut shared } else { &mut apart } += 1;
                }
            }
        }
        assert!(shared > 1000 && apart > 1000, "{shared} {apart}");
    }

    #[test]
    fn what_is_not_known_counts_as_shared() {
        let rows = TensorInfo::with_strides(ElementType::U8, 1, &[8, 2], &[8, 1]).unwrap();
        let columns = TensorInfo::with_strides(ElementType::U8, 1, &[8, 2], &[6, 1]).unwrap();
        assert!(share(100, &rows, 103, &columns));
        assert!(!share(100, &rows, 200, &columns));
        assert!(!share(100, &TensorInfo::default(), 100, &columns));
    }

    /// Channels, flipped halves, every second column and transposed regions of one image: never wrongly apart, and apart where
    /// their strides agree.
    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn views_of_one_image_share_memory_where_they_share_elements() {
        let whole = TensorInfo::with_strides(ElementType::U8, 3, &[4, 6], &[20, 3]).unwrap();
        let mut views = vec![(1000isize, whole)];
        for channel in 0..3 {
            let (offset, info) = whole.channel(channel).unwrap();
            views.push((1000 + offset, info));
        }
        for (place, (first, info)) in views.clone().into_iter().enumerate() {
            for (start, extents) in
                [([0, 0], [4, 3]), ([0, 3], [4, 3]), ([1, 1], [2, 4]), ([2, 0], [2, 6]), ([3, 5], [1, 1])]
            {
                let (offset, region) = info.region(&start, &extents).unwrap();
                views.push((first + offset, region));
                let (back, flipped) = region.flip(place % 2).unwrap();
                views.push((first + offset + back, flipped));
                views.push((first + offset, region.step(1, 2).unwrap().1));
                views.push((first + offset, region.permute(&[1, 0]).unwrap().1));
            }
        }
        let (mut apart, mut unknown) = (0, 0);
        for (a, a_info) in &views {
            for (b, b_info) in &views {
                let both = bytes(*b as usize, b_info);
                let expect = bytes(*a as usize, a_info).iter().any(|byte| both.contains(byte));
                let found = share(*a as usize, a_info, *b as usize, b_info);
                assert!(found || !expect, "{a} {a_info} and {b} {b_info}");
                assert_eq!(found, share(*b as usize, b_info, *a as usize, a_info));
                apart += usize::from(!found);
                unknown += usize::from(found != expect);
            }
        }
        assert!(apart > 2400 && unknown < 1300, "{apart} {unknown}");
    }
}
