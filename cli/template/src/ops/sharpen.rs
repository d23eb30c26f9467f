//! Sharpening.

use windrow::prelude::*;

/// Sharpens by `amount` sixteenths of an element's distance from the mean of its four neighbours.
#[kernel]
pub fn sharpen(src: Neighbourhood<u8>, #[uniform(0..=64)] amount: i32) -> u8 {
    let centre = src.at(0, 0) as i32;
    let around = src.at(0, -1) as i32 + src.at(-1, 0) as i32 + src.at(1, 0) as i32 + src.at(0, 1) as i32;
    (centre + amount * (4 * centre - around) / 64).saturating_cast()
}

// The generated tests need no line here. These are more cases: shapes that matter to this operator's users.
#[cfg(test)]
windrow::property_tests! {
    mod of_photographs: sharpen {
        shapes: [[3, 640], [300, 1], [17, 33]],
        cases: 16,
    }
}
