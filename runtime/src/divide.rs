//! Divides a plane into the part for a fast body and the parts for a flexible one.
//!
//! ```text
//! ┌──────┬───────────┬───────┐   whole: the elements to be computed
//! │      │    top    │       │   fast:  those of them that the fast body may compute
//! │ left ├───────────┤ right │
//! │      │   fast    │       │   The parts cover each element of the whole exactly once.
//! │      ├───────────┤       │
//! │      │  bottom   │       │
//! └──────┴───────────┴───────┘
//! ```
//!
//! It is the division of OpenVX's user kernel tiling extension, with blocks counted from (0, 0). Generated kernels are divided
//! as with blocks of one element: the whole in-bounds rectangle is fast, whatever its size.

use crate::{
    region::{Rect, in_bounds},
    spec::NeighbourhoodSpec,
};

/// Which bodies a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    /// One for whole blocks whose neighbourhood lies in the image.
    Fast,
    /// One for any rectangle.
    Flexible,
    /// Both.
    Both,
}

/// What is to be divided, and by which rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Columns of the plane.
    pub width: usize,
    /// Rows of the plane.
    pub height: usize,
    /// The fast body's block, (x, y).
    pub block: (u32, u32),
    /// What is read around an element.
    pub neighbourhood: NeighbourhoodSpec,
    /// Whether the kernel itself computes elements whose neighbourhood leaves the image; otherwise nobody does.
    pub self_bordered: bool,
    /// Which bodies there are.
    pub bodies: Bodies,
}

/// The parts of a plane; what none of them holds is left untouched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DividedWindow {
    /// For the fast body.
    pub fast: Rect,
    /// For the flexible body: left, top, bottom, right; empty where there is nothing to do.
    pub flexible: [Rect; 4],
}

/// A kernel that computes its own borders needs a flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a kernel that computes elements whose neighbourhood leaves the image needs a flexible body")]
pub struct FlexibleBodyMissing;

/// Divides a plane.
///
/// ```
/// use windrow::window::{Bodies, Division, divide};
/// use windrow::{Rect, spec::NeighbourhoodSpec};
///
/// let parts = divide(&Division {
///     width: 14,
///     height: 8,
///     block: (4, 1),
///     neighbourhood: NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 },
///     self_bordered: false,
///     bodies: Bodies::Both,
/// })?;
/// assert_eq!(parts.fast, Rect::new(4, 1, 12, 7));
/// assert_eq!(parts.flexible[0], Rect::new(1, 1, 4, 7));
/// # Ok::<(), windrow::window::FlexibleBodyMissing>(())
/// ```
pub fn divide(division: &Division) -> Result<DividedWindow, FlexibleBodyMissing> {
    let &Division { width, height, block, neighbourhood, self_bordered, bodies } = division;
    if self_bordered && bodies == Bodies::Fast {
        return Err(FlexibleBodyMissing);
    }
    let in_bounds = bounds(width, height, neighbourhood);
    let whole = if self_bordered { Rect::new(0, 0, width, height) } else { in_bounds };
    let fast = whole_blocks(in_bounds, block);
    Ok(match bodies {
        Bodies::Fast => DividedWindow { fast, flexible: [Rect::default(); 4] },
        Bodies::Flexible => cut(whole, Rect::default()),
        Bodies::Both => cut(whole, fast),
    })
}

/// Cuts `fast` out of `whole`: the sides in full height, then what is left above and below.
pub(crate) fn cut(whole: Rect, fast: Rect) -> DividedWindow {
    if fast.is_empty() {
        let rest = if whole.is_empty() { Rect::default() } else { whole };
        return DividedWindow {
            fast: Rect::default(),
            flexible: [rest, Rect::default(), Rect::default(), Rect::default()],
        };
    }
    let flexible = [
        Rect::new(whole.x0, whole.y0, fast.x0, whole.y1),
        Rect::new(fast.x0, whole.y0, fast.x1, fast.y0),
        Rect::new(fast.x0, fast.y1, fast.x1, whole.y1),
        Rect::new(fast.x1, whole.y0, whole.x1, whole.y1),
    ];
    DividedWindow { fast, flexible: flexible.map(|rect| if rect.is_empty() { Rect::default() } else { rect }) }
}

/// The elements whose neighbourhood lies in the plane.
fn bounds(width: usize, height: usize, around: NeighbourhoodSpec) -> Rect {
    let (x0, x1) = in_bounds(width, width, 1, around.left, around.right);
    let (y0, y1) = in_bounds(height, height, 1, around.top, around.bottom);
    Rect::new(x0, y0, x1, y1).intersect(&Rect::new(0, 0, width, height))
}

/// The whole blocks, counted from (0, 0), inside `rect`.
fn whole_blocks(rect: Rect, block: (u32, u32)) -> Rect {
    let (w, h) = (block.0.max(1) as usize, block.1.max(1) as usize);
    let blocks = Rect::new(rect.x0.next_multiple_of(w), rect.y0.next_multiple_of(h), rect.x1 / w * w, rect.y1 / h * h);
    if blocks.is_empty() { Rect::default() } else { blocks }
}

#[cfg(test)]
mod tests {
    use super::{Bodies::*, *};

    const AROUND: NeighbourhoodSpec = NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };
    const ALONE: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };
    const NONE: Rect = Rect::new(0, 0, 0, 0);

    fn grid(
        (width, height): (usize, usize),
        block: (u32, u32),
        neighbourhood: NeighbourhoodSpec,
        self_bordered: bool,
        bodies: Bodies,
    ) -> Result<DividedWindow, FlexibleBodyMissing> {
        divide(&Division { width, height, block, neighbourhood, self_bordered, bodies })
    }

    /// The worked examples of the tiling extension, and some that it lacks.
    #[test]
    fn the_worked_examples_come_out() {
        let one_sided = NeighbourhoodSpec { left: 0, right: 2, top: 0, bottom: 0 };
        let r = Rect::new;
        #[rustfmt::skip]
        let table = [
            // size      block    around     self   fast               left               top               bottom            right
            ((12, 6),  (4, 1),  ALONE,     false, r(0, 0, 12, 6),   NONE,              NONE,             NONE,             NONE),
            ((12, 6),  (4, 1),  ALONE,     true,  r(0, 0, 12, 6),   NONE,              NONE,             NONE,             NONE),
            ((14, 6),  (4, 1),  ALONE,     false, r(0, 0, 12, 6),   NONE,              NONE,             NONE,             r(12, 0, 14, 6)),
            ((14, 6),  (4, 1),  ALONE,     true,  r(0, 0, 12, 6),   NONE,              NONE,             NONE,             r(12, 0, 14, 6)),
            ((14, 8),  (4, 1),  AROUND,    false, r(4, 1, 12, 7),   r(1, 1, 4, 7),     NONE,             NONE,             r(12, 1, 13, 7)),
            ((14, 8),  (4, 1),  AROUND,    true,  r(4, 1, 12, 7),   r(0, 0, 4, 8),     r(4, 0, 12, 1),   r(4, 7, 12, 8),   r(12, 0, 14, 8)),
            ((14, 8),  (4, 4),  AROUND,    false, NONE,             r(1, 1, 13, 7),    NONE,             NONE,             NONE),
            ((14, 8),  (4, 4),  AROUND,    true,  NONE,             r(0, 0, 14, 8),    NONE,             NONE,             NONE),
            ((17, 16), (16, 1), AROUND,    false, NONE,             r(1, 1, 16, 15),   NONE,             NONE,             NONE),
            ((18, 3),  (16, 1), AROUND,    true,  NONE,             r(0, 0, 18, 3),    NONE,             NONE,             NONE),
            ((34, 5),  (16, 1), AROUND,    false, r(16, 1, 32, 4),  r(1, 1, 16, 4),    NONE,             NONE,             r(32, 1, 33, 4)),
            ((33, 9),  (16, 1), one_sided, false, r(0, 0, 16, 9),   NONE,              NONE,             NONE,             r(16, 0, 31, 9)),
            ((2, 2),   (1, 1),  AROUND,    false, NONE,             NONE,              NONE,             NONE,             NONE),
            ((2, 2),   (1, 1),  AROUND,    true,  NONE,             r(0, 0, 2, 2),     NONE,             NONE,             NONE),
        ];
        for (size, block, around, self_bordered, fast, left, top, bottom, right) in table {
            let found = grid(size, block, around, self_bordered, Both);
            let expect = DividedWindow { fast, flexible: [left, top, bottom, right] };
            assert_eq!(found, Ok(expect), "{size:?} {block:?} {around:?} {self_bordered}");
        }
    }

    /// Which body computes which element, one by one: the extension's first table.
    fn oracle(
        (w, h): (usize, usize),
        block: (u32, u32),
        around: NeighbourhoodSpec,
        self_bordered: bool,
        x: usize,
        y: usize,
    ) -> char {
        let inside = |x: usize, y: usize| {
            let (x, y) = (x as i64, y as i64);
            x + i64::from(around.left) >= 0
                && x + i64::from(around.right) < w as i64
                && y + i64::from(around.top) >= 0
                && y + i64::from(around.bottom) < h as i64
        };
        let (bw, bh) = (block.0 as usize, block.1 as usize);
        let (bx, by) = (x / bw * bw, y / bh * bh);
        let whole = bx + bw <= w && by + bh <= h;
        let block_inside = || (by..by + bh).all(|y| (bx..bx + bw).all(|x| x < w && y < h && inside(x, y)));
        if whole && block_inside() {
            'f'
        } else if inside(x, y) || self_bordered {
            'x'
        } else {
            ' '
        }
    }

    fn drawn(parts: &DividedWindow, (w, h): (usize, usize)) -> Vec<char> {
        let mut picture = vec![' '; w * h];
        for (rect, letter) in parts.flexible.iter().map(|rect| (rect, 'x')).chain([(&parts.fast, 'f')]) {
            for y in rect.y0..rect.y1 {
                for x in rect.x0..rect.x1 {
                    assert_eq!(picture[y * w + x], ' ', "({x}, {y}) is in two parts");
                    picture[y * w + x] = letter;
                }
            }
        }
        picture
    }

    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn the_grid_equals_a_decision_for_each_element() {
        let ranges = [(0, 0), (-1, 1), (-2, 0), (0, 3), (-1, 2)];
        for size in (0..=13).flat_map(|w| [0, 1, 2, 3, 5, 8].map(|h| (w, h))) {
            for block in [(1, 1), (4, 1), (3, 2), (4, 4), (16, 1)] {
                for (left, right) in ranges {
                    for (top, bottom) in ranges {
                        let around = NeighbourhoodSpec { left, right, top, bottom };
                        for self_bordered in [false, true] {
                            let parts = grid(size, block, around, self_bordered, Both).unwrap();
                            let expect: Vec<char> = (0..size.1)
                                .flat_map(|y| (0..size.0).map(move |x| (x, y)))
                                .map(|(x, y)| oracle(size, block, around, self_bordered, x, y))
                                .collect();
                            assert_eq!(drawn(&parts, size), expect, "{size:?} {block:?} {around:?} {self_bordered}");
                        }
                    }
                }
            }
        }
    }

    /// The extension's second table: what is computed when a body is missing.
    #[test]
    fn missing_bodies_leave_their_part() {
        let both = |self_bordered| grid((14, 8), (4, 1), AROUND, self_bordered, Both).unwrap();
        let fast_only = grid((14, 8), (4, 1), AROUND, false, Fast).unwrap();
        assert_eq!(fast_only, DividedWindow { fast: both(false).fast, flexible: [NONE; 4] });
        assert_eq!(grid((14, 8), (4, 1), AROUND, true, Fast), Err(FlexibleBodyMissing));
        assert_eq!(grid((12, 8), (4, 1), ALONE, true, Fast), Err(FlexibleBodyMissing));
        let flexible_only = |self_bordered| grid((14, 8), (4, 1), AROUND, self_bordered, Flexible).unwrap();
        assert_eq!(flexible_only(false).flexible, [Rect::new(1, 1, 13, 7), NONE, NONE, NONE]);
        assert_eq!(flexible_only(true).flexible, [Rect::new(0, 0, 14, 8), NONE, NONE, NONE]);
        assert_eq!(flexible_only(true).fast, NONE);
    }

    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn blocks_of_one_element_are_fast_wherever_the_neighbourhood_allows() {
        for size in (0..=9).flat_map(|w| (0..=9).map(move |h| (w, h))) {
            for (left, right) in [(0, 0), (-1, 1), (-3, 0), (0, 2)] {
                let around = NeighbourhoodSpec { left, right, ..AROUND };
                for self_bordered in [false, true] {
                    let parts = divide(&Division {
                        width: size.0,
                        height: size.1,
                        block: (1, 1),
                        neighbourhood: around,
                        self_bordered,
                        bodies: Both,
                    });
                    let expect: Vec<char> = (0..size.1)
                        .flat_map(|y| (0..size.0).map(move |x| (x, y)))
                        .map(|(x, y)| oracle(size, (1, 1), around, self_bordered, x, y))
                        .collect();
                    assert_eq!(drawn(&parts.unwrap(), size), expect, "{size:?} {around:?} {self_bordered}");
                }
            }
        }
    }
}
