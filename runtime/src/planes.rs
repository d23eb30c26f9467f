//! The planes of a layout: what lies above two dimensions, one coordinate after another.

use crate::{limits::MAX_DIMENSIONS, shape::Shape};

/// The coordinates of planes, the third dimension fastest; the first two of each are 0.
///
/// ```
/// use windrow_runtime::{Shape, planes::Planes};
///
/// let planes: Vec<_> = Planes::of(&Shape::new(&[640, 480, 2, 2])?).map(|at| (at[2], at[3])).collect();
/// assert_eq!(planes, [(0, 0), (1, 0), (0, 1), (1, 1)]);
/// # Ok::<(), windrow_runtime::InvalidTensor>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planes {
    start: [usize; MAX_DIMENSIONS],
    end: [usize; MAX_DIMENSIONS],
    next: Option<[usize; MAX_DIMENSIONS]>,
}

impl Planes {
    /// Those of a tensor of this shape; none where there is no element.
    pub fn of(shape: &Shape) -> Planes {
        let end = if shape.is_empty() { [0; MAX_DIMENSIONS] } else { shape.extents() };
        Planes::within([0; MAX_DIMENSIONS], end)
    }

    /// Those from `start` to before `end`; none where a dimension is empty.
    #[inline]
    pub fn within(mut start: [usize; MAX_DIMENSIONS], end: [usize; MAX_DIMENSIONS]) -> Planes {
        (start[0], start[1]) = (0, 0);
        let next = (2..MAX_DIMENSIONS).all(|d| start[d] < end[d]).then_some(start);
        Planes { start, end, next }
    }
}

impl Iterator for Planes {
    type Item = [usize; MAX_DIMENSIONS];

    #[inline]
    fn next(&mut self) -> Option<[usize; MAX_DIMENSIONS]> {
        let at = self.next?;
        self.next = (2..MAX_DIMENSIONS).find(|&d| at[d] + 1 < self.end[d]).map(|further| {
            let mut next = at;
            next[2..further].copy_from_slice(&self.start[2..further]);
            next[further] += 1;
            next
        });
        Some(at)
    }
}

/// The plane of an image that stands for `plane` of the output: the only one, in each dimension in which it is broadcast.
pub(crate) fn broadcast_place(
    info: &crate::info::TensorInfo,
    plane: [usize; MAX_DIMENSIONS],
) -> [usize; MAX_DIMENSIONS] {
    core::array::from_fn(|d| plane[d].min(info.shape().extent(d).saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plane_comes_once_the_innermost_first() {
        let (start, end) = ([7, 7, 1, 0, 2, 0], [9, 9, 3, 2, 3, 1]);
        let found: Vec<_> = Planes::within(start, end).map(|at| (at[0], at[1], at[2], at[3], at[4])).collect();
        assert_eq!(found, [(0, 0, 1, 0, 2), (0, 0, 2, 0, 2), (0, 0, 1, 1, 2), (0, 0, 2, 1, 2)]);
        for empty in 2..MAX_DIMENSIONS {
            let mut end = end;
            end[empty] = start[empty];
            assert_eq!(Planes::within(start, end).count(), 0);
        }
        let Ok(nothing) = Shape::new(&[0, 5, 3]) else { unreachable!("the shape is small") };
        assert_eq!(Planes::of(&nothing).count(), 0);
    }
}
