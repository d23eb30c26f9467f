//! Where a window may be cut for threads, and where it is: along one dimension, or along two where one has too few iterations.

use crate::{error::RunError, limits::MAX_DIMENSIONS, window::Window};

pub use crate::limits::MAX_PARTS;

/// The dimensions in which a window may be cut, and the least number of iterations that a part of it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// 0: not at all.
    granules: [usize; MAX_DIMENSIONS],
}

impl Splits {
    /// The window can't be cut: one thread computes it.
    pub const NONE: Splits = Splits { granules: [0; MAX_DIMENSIONS] };

    /// Allows cuts along `dimension`, into parts of at least `granule` iterations.
    ///
    /// ```
    /// use windrow::schedule::Splits;
    ///
    /// let rows = Splits::NONE.along(1, 8);
    /// assert_eq!((rows.granule(0), rows.granule(1)), (None, Some(8)));
    /// ```
    #[must_use]
    pub const fn along(mut self, dimension: usize, granule: usize) -> Splits {
        if dimension < MAX_DIMENSIONS {
            self.granules[dimension] = if granule == 0 { 1 } else { granule };
        }
        self
    }

    /// Returns the least number of iterations along `dimension`; `None` where the window may not be cut.
    pub fn granule(&self, dimension: usize) -> Option<usize> {
        self.granules.get(dimension).copied().filter(|&granule| granule > 0)
    }

    /// Whether `part` is whole in every dimension in which `window` may not be cut.
    pub(crate) fn allow(&self, window: &Window, part: &Window) -> Result<(), RunError> {
        let cut = |&d: &usize| self.granule(d).is_none() && window.dimension(d) != part.dimension(d);
        (0..MAX_DIMENSIONS).find(cut).map_or(Ok(()), |dimension| Err(RunError::Uncuttable { dimension }))
    }
}

/// A window's parts: `parts` along a dimension, for two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    outer: (usize, usize),
    inner: (usize, usize),
}

impl Cut {
    /// Returns the cut of `window` into `wanted` parts, or as many below that as `splits` allows; none of an empty
    /// window.
    ///
    /// Along the outermost dimension that has enough iterations, so that a part is one run of memory; x comes last, since
    /// rows cut in two cost every kernel its edges twice.
    pub fn new(window: &Window, splits: &Splits, wanted: usize) -> Cut {
        if window.is_empty() {
            return Cut { outer: (1, 0), inner: (0, 1) };
        }
        let wanted = wanted.max(1);
        let most = |d: usize| splits.granule(d).map_or(1, |granule| (window.iterations(d) / granule).max(1));
        if let Some(enough) = (1..MAX_DIMENSIONS).rev().find(|&d| most(d) >= wanted) {
            return Cut { outer: (enough, wanted), inner: (0, 1) };
        }
        let outer = (1..MAX_DIMENSIONS).max_by_key(|&d| most(d)).unwrap_or(1);
        let others = || (0..MAX_DIMENSIONS).filter(|&d| d != outer);
        let inner = others().skip(1).max_by_key(|&d| most(d)).filter(|&d| most(d) * most(outer) >= wanted).unwrap_or(0);
        // The most parts; of these, the most along the outer dimension.
        let pair = |parts: usize| (parts, most(inner).min(wanted / parts));
        let (parts, each) = (1..=most(outer).min(wanted)).map(pair).max_by_key(|&(p, q)| (p * q, p)).unwrap_or((1, 1));
        Cut { outer: (outer, parts), inner: (inner, each) }
    }

    /// Returns how many parts there are.
    pub fn parts(&self) -> usize {
        self.outer.1 * self.inner.1
    }

    /// Returns part `index` of `window`.
    pub fn part(&self, window: &Window, index: usize) -> Option<Window> {
        let ((outer, parts), (inner, each)) = (self.outer, self.inner);
        window.split(outer, index / each, parts).and_then(|strip| strip.split(inner, index % each, each)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Splits = Splits::NONE.along(0, 4).along(1, 2).along(2, 1).along(3, 1).along(4, 1).along(5, 1);

    fn window(extents: [usize; 6]) -> Window {
        Window::covering([0; 6], extents, (1, 1))
    }

    fn cut(extents: [usize; 6], splits: Splits, wanted: usize) -> ((usize, usize), (usize, usize)) {
        let cut = Cut::new(&window(extents), &splits, wanted);
        (cut.outer, cut.inner)
    }

    #[test]
    #[rustfmt::skip]
    fn the_outermost_dimension_with_enough_iterations_is_cut() {
        let rows = Splits::NONE.along(1, 2);
        let table = [
            // extents                splits         wanted  outer    inner
            ([640, 480, 1, 1, 1, 1],  ANY,           4,      (1, 4),  (0, 1)),
            ([640, 480, 3, 1, 1, 1],  ANY,           3,      (2, 3),  (0, 1)),
            // Two dimensions where one has too few iterations.
            ([640, 6, 2, 1, 1, 1],    ANY,           6,      (1, 3),  (2, 2)),
            ([640, 1, 1, 1, 1, 1],    ANY,           4,      (5, 1),  (0, 4)),
            ([640, 4, 1, 1, 1, 1],    ANY,           5,      (1, 1),  (0, 5)),
            // Never where the kernel does not allow it.
            ([640, 6, 9, 1, 1, 1],    rows,          8,      (1, 3),  (0, 1)),
            ([640, 480, 9, 1, 1, 1],  Splits::NONE,  8,      (5, 1),  (0, 1)),
            ([640, 480, 1, 1, 1, 1],  ANY,           0,      (5, 1),  (0, 1)),
            ([0, 480, 1, 1, 1, 1],    ANY,           4,      (1, 0),  (0, 1)),
        ];
        for (extents, splits, wanted, outer, inner) in table {
            assert_eq!(cut(extents, splits, wanted), (outer, inner), "{extents:?} into {wanted}");
        }
    }

    #[test]
    fn the_parts_of_a_cut_tile_the_window_once() {
        for extents in [[7, 5, 3, 1, 1, 1], [1, 1, 1, 1, 1, 1], [64, 3, 1, 1, 2, 1]] {
            let window = window(extents);
            for wanted in 1..40 {
                let cut = Cut::new(&window, &ANY, wanted);
                assert!((1..=wanted).contains(&cut.parts()));
                let mut seen = std::collections::BTreeSet::new();
                for index in 0..cut.parts() {
                    let part = cut.part(&window, index).unwrap();
                    window.check_part(&part).unwrap();
                    let range = |d: usize| part.dimension(d).start()..part.dimension(d).end();
                    for (x, y, z, v) in range(0)
                        .flat_map(|x| range(1).map(move |y| (x, y)))
                        .flat_map(|(x, y)| range(2).flat_map(move |z| range(4).map(move |v| (x, y, z, v))))
                    {
                        assert!(seen.insert((x, y, z, v)), "twice");
                    }
                }
                assert_eq!(seen.len(), extents.iter().product::<usize>());
            }
        }
    }
}
