//! The planes, the rows and the elements of a box of coordinates, one after another.

use crate::{limits::MAX_DIMENSIONS, shape::Shape, window::Window};

/// The coordinates in a box, innermost first: along the dimensions from some one on, the innermost of these fastest. Along those
/// inside it, they stay where the box starts.
#[derive(Clone, Debug)]
pub struct Coordinates {
    start: [usize; MAX_DIMENSIONS],
    end: [usize; MAX_DIMENSIONS],
    from: usize,
    /// `None` behind the last.
    next: Option<[usize; MAX_DIMENSIONS]>,
}

impl Coordinates {
    /// Returns the planes from `start` on, before `end` along the dimensions from the `from`-th on.
    pub fn new(start: [usize; MAX_DIMENSIONS], end: [usize; MAX_DIMENSIONS], from: usize) -> Coordinates {
        let next = (from..MAX_DIMENSIONS).all(|d| start[d] < end[d]).then_some(start);
        Coordinates { start, end, from, next }
    }

    /// Returns the first element of each plane of a tensor.
    pub fn of_planes(shape: &Shape) -> Coordinates {
        Coordinates::of_tensor(shape, 2)
    }

    /// Returns the first element of each row of a tensor.
    pub fn of_rows(shape: &Shape) -> Coordinates {
        Coordinates::of_tensor(shape, 1)
    }

    fn of_tensor(shape: &Shape, from: usize) -> Coordinates {
        let end = if shape.is_empty() { [0; MAX_DIMENSIONS] } else { shape.inner_extents() };
        Coordinates::new([0; MAX_DIMENSIONS], end, from)
    }

    /// The first element of each plane in `window`, of which steps are 1 from plane to plane, before `behind`.
    #[inline]
    pub(crate) fn of_planes_in(window: &Window, behind: &[usize; MAX_DIMENSIONS]) -> Coordinates {
        let (mut start, mut end) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        for d in 2..MAX_DIMENSIONS {
            let along = window.dimension(d);
            (start[d], end[d]) = (along.start(), along.end().min(behind[d]));
        }
        Coordinates::new(start, end, 2)
    }
}

impl Iterator for Coordinates {
    type Item = [usize; MAX_DIMENSIONS];

    #[inline]
    fn next(&mut self) -> Option<[usize; MAX_DIMENSIONS]> {
        let found = self.next?;
        self.next = (self.from..MAX_DIMENSIONS).find(|&d| found[d] + 1 < self.end[d]).map(|grows| {
            let mut next = found;
            next[self.from..grows].copy_from_slice(&self.start[self.from..grows]);
            next[grows] += 1;
            next
        });
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_planes_come_in_the_order_of_memory() {
        let shape = Shape::new(&[2, 3, 2, 5]).unwrap();
        let rows: Vec<_> = Coordinates::of_rows(&shape).map(|at| (at[3], at[2], at[1])).collect();
        let expected = (0..2).flat_map(|n| (0..3).flat_map(move |z| (0..2).map(move |y| (n, z, y))));
        assert_eq!(rows, expected.collect::<Vec<_>>());
        let planes: Vec<_> = Coordinates::of_planes(&shape).collect();
        assert_eq!(planes.len(), shape.planes());
        assert!(planes.iter().all(|at| (at[0], at[1]) == (0, 0)) && planes[4][2..] == [1, 1, 0, 0]);
        assert_eq!(Coordinates::of_rows(&Shape::new(&[4, 0]).unwrap()).count(), 0);
        assert_eq!(Coordinates::of_planes(&Shape::new(&[]).unwrap()).count(), 1);
    }

    #[test]
    fn a_box_starts_where_it_is_said_to() {
        let at: Vec<_> = Coordinates::new([7, 1, 2, 0, 0, 0], [0, 3, 4, 1, 1, 1], 1).collect();
        assert_eq!(
            at.iter().map(|at| (at[0], at[1], at[2])).collect::<Vec<_>>(),
            [(7, 1, 2), (7, 2, 2), (7, 1, 3), (7, 2, 3)]
        );
        assert_eq!(Coordinates::new([0; 6], [1, 1, 0, 1, 1, 1], 2).next(), None);
    }
}
