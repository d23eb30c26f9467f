//! Rank filter over a box of 5×5 elements (OpenVX `vxNonLinearFilter`).
use windrow::prelude::*;

/// The least, the median or the greatest of a box of 5×5 elements.
#[kernel(step(16, 1))]
pub fn non_linear_box5(src: Neighbourhood<u8>, #[variant] rank: Rank) -> u8 {
    // Of any 14 elements, neither the least nor the greatest can be the median of 25: both are put aside and the next
    // element joins, until three are left.
    fn median(v: [u8; 25]) -> u8 {
        let mut v = v;
        for r in 0..11 {
            for i in r + 1..14 {
                (v[r], v[i]) = (v[r].min(v[i]), v[r].max(v[i]));
            }
            for i in r + 1..13 {
                (v[i], v[13]) = (v[i].min(v[13]), v[i].max(v[13]));
            }
            v[13] = v[14 + r];
        }
        v[11].min(v[12]).max(v[11].max(v[12]).min(v[13]))
    }
    let mut v = [0; 25];
    for (y, row) in src.window::<5, 5>().into_iter().enumerate() {
        for (x, pixel) in row.into_iter().enumerate() {
            v[5 * y + x] = pixel;
        }
    }
    match rank {
        Rank::Min => v.into_iter().fold(255, |least: u8, x: u8| least.min(x)),
        Rank::Median => median(v),
        Rank::Max => v.into_iter().fold(0, |greatest: u8, x: u8| greatest.max(x)),
    }
}
