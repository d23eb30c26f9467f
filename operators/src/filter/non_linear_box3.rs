//! Rank filter over a box of 3×3 elements (OpenVX `vxNonLinearFilter`).
use windrow::prelude::*;

/// The least, the median or the greatest of a box of 3×3 elements.
#[kernel(step(16, 2))]
pub fn non_linear_box3(src: Neighbourhood<u8>, #[variant] rank: Rank) -> u8 {
    fn median(v: [u8; 9]) -> u8 {
        let mut v = v;
        for i in 0..5 {
            for j in i + 1..9 {
                (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
            }
        }
        v[4]
    }
    let mut v = [0; 9];
    for (y, row) in src.window::<3, 3>().into_iter().enumerate() {
        for (x, pixel) in row.into_iter().enumerate() {
            v[3 * y + x] = pixel;
        }
    }
    match rank {
        Rank::Min => v.into_iter().fold(255, |least: u8, x: u8| least.min(x)),
        Rank::Median => median(v),
        Rank::Max => v.into_iter().fold(0, |greatest: u8, x: u8| greatest.max(x)),
    }
}
