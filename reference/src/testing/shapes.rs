//! The shapes that kernels are tested on: all the awkward ones, and some large.

use super::random::Random;

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every width, few of everything else: for every build.
    Quick,
    /// More heights, data, seeds and sizes: for releases and servers.
    Full,
}

/// What decides which widths are awkward for a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// Elements that the widest iteration computes along a row.
    pub step: usize,
    /// Rows that the tallest iteration computes.
    pub rows: usize,
    /// Columns read beside an element: left plus right.
    pub around: usize,
    /// Rows read beside an element: above plus below.
    pub above: usize,
}

/// Every width from 0 to 2·step + around + 1, with small heights in turn: all of them in full mode.
pub fn sweep(grain: Grain, mode: Mode) -> Vec<[usize; 2]> {
    let widths = 0..=2 * grain.step + grain.around + 1;
    let heights = heights(grain);
    let each = match mode {
        Mode::Quick => 1,
        Mode::Full => heights.len(),
    };
    let mut shapes: Vec<[usize; 2]> = widths
        .flat_map(|width| (0..each).map(move |turn| (width, turn)))
        .map(|(width, turn)| [width, heights[(width + turn) % heights.len()]])
        .collect();
    shapes.push([1, 1]);
    // Every height meets an ordinary width.
    shapes.extend(heights.iter().map(|height| [grain.step + 3, *height]));
    shapes
}

/// Images far larger than an iteration, of random extents.
pub fn large(grain: Grain, mode: Mode, random: &mut Random) -> Vec<[usize; 2]> {
    let (count, most) = match mode {
        Mode::Quick => (1, 60),
        Mode::Full => (4, 200),
    };
    let mut extent = |least: usize| least + random.below(most) as usize;
    (0..count).map(|_| [extent(2 * grain.step + 2), extent(2 * grain.rows + 8)]).collect()
}

/// Tensors of three and four dimensions, one of them with an empty one.
pub fn stacked(grain: Grain) -> Vec<Vec<usize>> {
    let (width, height) = (grain.step + grain.around + 1, grain.above + 3);
    vec![vec![width, height, 3], vec![3, 2, 2, 2], vec![width, 2, 1, 2], vec![4, 3, 0]]
}

/// None, one, and around the heights at which rows above and below exist and blocks end.
fn heights(grain: Grain) -> Vec<usize> {
    let mut heights = vec![1, 2, 3, grain.above + 1, grain.rows, grain.rows + grain.above + 1, 2 * grain.rows + 1, 0];
    heights.sort_unstable();
    heights.dedup();
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAIN: Grain = Grain { step: 16, rows: 4, around: 2, above: 2 };

    #[test]
    fn sweep_holds_every_width_and_every_height() {
        for mode in [Mode::Quick, Mode::Full] {
            let shapes = sweep(GRAIN, mode);
            assert!((0..=35).all(|width| shapes.iter().any(|shape| shape[0] == width)));
            assert!(heights(GRAIN).iter().all(|height| shapes.iter().any(|shape| shape[1] == *height)));
            assert!(shapes.contains(&[1, 1]));
        }
    }

    #[test]
    fn large_images_are_larger_than_two_iterations() {
        let mut random = Random::new(5);
        assert!(large(GRAIN, Mode::Full, &mut random).iter().all(|[width, height]| *width > 33 && *height >= 16));
    }
}
