//! The valid region of an output: the elements of which everything that they read is valid.

use crate::{
    border::BorderMode, info::TensorInfo, limits::MAX_DIMENSIONS, region::ValidRegion, shape::Shape, spec::InputSpec,
};

/// The elements of an output of `shape` that read nothing of one image but what is valid.
pub(crate) fn reached(input: &InputSpec, info: &TensorInfo, shape: Shape, border: BorderMode) -> ValidRegion {
    let valid = info.valid_region();
    let (around, strides) = (input.neighbourhood, [input.stride.0, input.stride.1]);
    let offsets = [(around.left, around.right), (around.top, around.bottom)];
    let span = |d: usize| {
        let (extent, length) = (info.shape().extent(d), shape.extent(d));
        let inside = (valid.start[d], valid.end[d]);
        match (offsets.get(d), strides.get(d)) {
            _ if input.is_element_wise() && extent == 1 && length != 1 => {
                if inside == (0, 1) {
                    (0, length)
                } else {
                    (0, 0)
                }
            }
            (Some(&offsets), Some(&stride)) => {
                valid_span(length, &Line { extent, valid: inside, stride, offsets, border })
            }
            _ => inside,
        }
    };
    let (mut start, mut end) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
    (0..MAX_DIMENSIONS).for_each(|d| (start[d], end[d]) = span(d));
    ValidRegion { start, end }
}

/// One dimension of an image that is read.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Elements along it.
    extent: usize,
    /// Those that are valid, a half-open range.
    valid: (usize, usize),
    /// Input elements for one output element.
    stride: u32,
    /// The least and the greatest offset read.
    offsets: (i32, i32),
    /// What lies outside.
    border: BorderMode,
}

/// The coordinates of an output of `length` elements of which everything read is valid: a half-open range, (0, 0) when empty.
///
/// What is read inside the image must be valid. What is read outside is, where the border finds something valid there and the
/// valid elements go on to the image's end; a shorter valid region than the image's is never extended beyond its own ends.
///
/// ```text
/// −1..=1, image 8, valid 0..6   undefined: (1, 5)   replicate: (0, 5)   wrap: (1, 5), since element 7 stands left of 0
/// ```
fn valid_span(length: usize, line: &Line) -> (usize, usize) {
    let (extent, stride) = (line.extent as i64, i64::from(line.stride.max(1)));
    let (first, behind) = (line.valid.0 as i64, line.valid.1 as i64);
    let (least, greatest) = (i64::from(line.offsets.0), i64::from(line.offsets.1));
    if first >= behind {
        return (0, 0);
    }
    // How far the outermost outputs reach beyond the image.
    let before = (-least).max(0);
    let beyond = (stride * (length as i64 - 1) + greatest - (extent - 1)).max(0);
    let whole = first == 0 && behind == extent;
    let near = |reach: i64| match line.border {
        BorderMode::Undefined => false,
        BorderMode::Constant | BorderMode::Replicate => true,
        BorderMode::Reflect => whole || reach <= behind - first,
        BorderMode::Reflect101 => whole || reach < behind - first,
        BorderMode::Wrap => whole,
    };
    let start = if first == 0 && near(before) { 0 } else { (first - least + stride - 1).div_euclid(stride) };
    let last = (behind - 1 - greatest).div_euclid(stride);
    let end = if behind == extent && near(beyond) { length as i64 } else { (last + 1).min(length as i64) };
    let start = start.max(0);
    if start < end { (start as usize, end as usize) } else { (0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether everything that output `x` reads is valid, found one by one.
    fn reads_valid(line: &Line, x: usize) -> bool {
        (line.offsets.0..=line.offsets.1).all(|offset| {
            let at = x as isize * line.stride as isize + offset as isize;
            match line.border.map(at, line.extent) {
                Some(index) => line.valid.0 <= index && index < line.valid.1,
                // Outside, a constant is as good as any element.
                None => line.border == BorderMode::Constant,
            }
        })
    }

    #[test]
    fn valid_spans_hold_only_what_reads_valid_elements() {
        let (mut spans, mut exact) = (0, 0);
        for (extent, stride) in (1..=7usize).flat_map(|extent| (1..=3u32).map(move |stride| (extent, stride))) {
            let length = extent.div_ceil(stride as usize);
            for valid in (0..=extent).flat_map(|start| (start..=extent).map(move |end| (start, end))) {
                for offsets in (-4..=2).flat_map(|least| (least..=3).map(move |greatest| (least, greatest))) {
                    for border in BorderMode::ALL {
                        let line = Line { extent, valid, stride, offsets, border };
                        let (start, end) = valid_span(length, &line);
                        assert!(
                            (start..end).all(|x| end <= length && reads_valid(&line, x)),
                            "{line:?} {start}..{end}"
                        );
                        assert!(start < end || (start, end) == (0, 0), "{line:?} {start}..{end}");
                        let all = (0..length).filter(|x| reads_valid(&line, *x)).count();
                        spans += 1;
                        exact += usize::from(all == end - start);
                        // Valid throughout, the closed form leaves nothing out; undefined, never.
                        let whole = valid == (0, extent);
                        let around = offsets.0 <= 0 && offsets.1 >= 0;
                        if around && (border == BorderMode::Undefined || whole) {
                            assert_eq!(all, end - start, "{line:?} {start}..{end}");
                        }
                    }
                }
            }
        }
        // Elsewhere it may: elements that a mirror finds, in pieces. Never more than today.
        assert_eq!((exact, spans), (68_143, 74_970));
    }
}
