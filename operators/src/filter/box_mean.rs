//! The mean over a box of any radius (OpenCV `blur`).
use windrow::prelude::*;

/// The mean of the elements inside a box, halves up; what lies outside the image is left out.
#[kernel(step(8, 1))]
pub fn box_mean([y, x]: At<2>, src: View<u8>, #[uniform(0..=127)] radius: [i32; 2]) -> u8 {
    let ([rows, _], [down, right]) = (src.extents(), radius);
    let (mut sum, mut count) = (0u32, 0u32);
    for row in (y - down).max(0)..(y + down + 1).min(rows) {
        for column in x - right..=x + right {
            if let Some(element) = src.get([row, column]) {
                sum += element as u32;
                count += 1;
            }
        }
    }
    ((sum + count / 2) / count.max(1)).saturating_cast()
}
