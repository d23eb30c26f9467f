//! Sharpening.

use windrow::prelude::*;

/// Unsharp mask: the element, and `amount` / 16 of its distance from the mean of its 3×3 neighbourhood's corners and
/// edges.
#[kernel(step(16, 4), border(replicate, reflect101))]
pub fn unsharp(src: Neighbourhood<u8>, #[uniform(0..=64)] amount: i32) -> u8 {
    let mut around = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            around += src.at(dx, dy) as i32;
        }
    }
    let centre = src.at(0, 0) as i32;
    let distance = 9 * centre - around;
    (centre + amount * distance / 128).saturating_cast()
}

/// Fields of 8×8 elements, in turn black and white: edges in both directions.
#[cfg(test)]
fn checkerboard(place: windrow::testing::Place) -> f64 {
    if (place.at[0] / 8 + place.at[1] / 8).is_multiple_of(2) { 0.0 } else { 255.0 }
}

// Beside the generated tests: shapes that matter to this operator's users, contents on which it works hardest.
windrow::property_tests! {
    mod of_photographs: unsharp {
        shapes: [[640, 3], [1, 300], [33, 17]],
        data: [checkerboard],
        seeds: [1, 2],
    }

    mod of_anything: unsharp {
        cases: 32,
    }
}
