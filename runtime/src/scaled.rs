//! Valid regions of kernels that scale: which elements of the output sample valid elements only.
//!
//! Element `x` of `to` samples at `(x + s) · from / to − s` of the input, where `s` is 1/2 or 0. All of it is exact: the
//! ratio is one of integers.

use crate::{
    border::BorderMode,
    info::Shape,
    region::{Rect, ValidRegion},
};

/// How a value between elements is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The element that holds the point.
    Nearest,
    /// A mean of the elements around it.
    Bilinear,
}

/// Where in an element its value is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// In its middle.
    Centre,
    /// At its upper left corner.
    TopLeft,
}

/// Returns the valid region of an image of `to` that is scaled from one of `from`, of which `valid` is valid.
///
/// Under an undefined border a point must lie between valid elements. Another border extends the image, where its valid elements
/// go on to its edge.
///
/// ```
/// use windrow::{BorderMode, Rect, Shape, ValidRegion, window::{Interpolation, Sampling, scaled_region}};
///
/// let (small, large) = (Shape::new(&[4, 4])?, Shape::new(&[8, 8])?);
/// let scaled = |border| {
///     let whole = ValidRegion::whole(small);
///     scaled_region(&whole, small, large, (Interpolation::Bilinear, Sampling::Centre), border).plane()
/// };
/// // Element 0 samples at −1/4, element 7 at 3 1/4.
/// assert_eq!(scaled(BorderMode::Undefined), Rect::new(1, 1, 7, 7));
/// assert_eq!(scaled(BorderMode::Replicate), Rect::new(0, 0, 8, 8));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn scaled_region(
    valid: &ValidRegion,
    from: Shape,
    to: Shape,
    (interpolation, sampling): (Interpolation, Sampling),
    border: BorderMode,
) -> ValidRegion {
    let span = |d: usize| {
        let line = Line { from: from.inner_extent(d) as i128, to: to.inner_extent(d) as i128, interpolation, sampling };
        line.span((valid.start[d] as i128, valid.end[d] as i128), border != BorderMode::Undefined)
    };
    let ((x0, x1), (y0, y1)) = (span(0), span(1));
    let plane = Rect::new(x0, y0, x1, y1);
    let mut region = ValidRegion::new(if plane.is_empty() { Rect::default() } else { plane }, to);
    region.start[2..].copy_from_slice(&valid.start[2..]);
    region.end[2..].copy_from_slice(&valid.end[2..]);
    region
}

/// One dimension.
struct Line {
    from: i128,
    to: i128,
    interpolation: Interpolation,
    sampling: Sampling,
}

impl Line {
    /// The elements that sample within `first .. behind`, or beyond an end of the image that is one of the region, where it is
    /// `extended`.
    fn span(&self, (first, behind): (i128, i128), extended: bool) -> (usize, usize) {
        if first >= behind || self.from == 0 || self.to == 0 {
            return (0, 0);
        }
        let start = if extended && first == 0 { 0 } else { self.least(first) };
        let end = match self.interpolation {
            _ if extended && behind == self.from => self.to,
            Interpolation::Nearest => self.least(behind),
            Interpolation::Bilinear => self.greatest(behind - 1) + 1,
        };
        let (start, end) = (start.clamp(0, self.to), end.clamp(0, self.to));
        if start < end { (start as usize, end as usize) } else { (0, 0) }
    }

    /// Twice what is subtracted behind the scaling: a nearest element is the one that holds the point itself.
    fn behind(&self) -> i128 {
        match (self.interpolation, self.sampling) {
            (Interpolation::Bilinear, Sampling::Centre) => 1,
            (Interpolation::Nearest, _) | (_, Sampling::TopLeft) => 0,
        }
    }

    fn before(&self) -> i128 {
        match self.sampling {
            Sampling::Centre => 1,
            Sampling::TopLeft => 0,
        }
    }

    /// The first element that samples at `at` or behind: `(2x + s)·from ≥ (2·at + s)·to`.
    fn least(&self, at: i128) -> i128 {
        -((self.before() * self.from - (2 * at + self.behind()) * self.to).div_euclid(2 * self.from))
    }

    /// The last element that samples at `at` or before.
    fn greatest(&self, at: i128) -> i128 {
        ((2 * at + self.behind()) * self.to - self.before() * self.from).div_euclid(2 * self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether element `x` samples valid elements only: the point, in 2·to-ths of an element.
    fn samples_valid(line: &Line, x: i128, (first, behind): (i128, i128), extended: bool) -> bool {
        let unit = 2 * line.to;
        let point = (2 * x + line.before()) * line.from - line.behind() * line.to;
        let whole = point.div_euclid(unit);
        let taps = match line.interpolation {
            Interpolation::Nearest => vec![whole],
            Interpolation::Bilinear if point.rem_euclid(unit) == 0 => vec![whole],
            Interpolation::Bilinear => vec![whole, whole + 1],
        };
        taps.into_iter().all(|tap| {
            let tap = if extended { tap.clamp(0, line.from - 1) } else { tap };
            first <= tap && tap < behind
        })
    }

    #[test]
    fn scaled_spans_are_what_samples_valid_elements() {
        for (from, to) in (1..=9).flat_map(|from| (1..=13).map(move |to| (from, to))) {
            for (interpolation, sampling) in
                [Interpolation::Nearest, Interpolation::Bilinear].into_iter().flat_map(|interpolation| {
                    [Sampling::Centre, Sampling::TopLeft].map(|sampling| (interpolation, sampling))
                })
            {
                let line = Line { from, to, interpolation, sampling };
                for valid in (0..=from).flat_map(|first| (first..=from).map(move |behind| (first, behind))) {
                    for extended in [false, true] {
                        let (start, end) = line.span(valid, extended);
                        let expect: Vec<i128> = (0..to).filter(|x| samples_valid(&line, *x, valid, extended)).collect();
                        let found: Vec<i128> = (start as i128..end as i128).collect();
                        assert_eq!(
                            found, expect,
                            "{from} to {to}, {valid:?}, {interpolation:?}, {sampling:?}, {extended}"
                        );
                    }
                }
            }
        }
    }
}
