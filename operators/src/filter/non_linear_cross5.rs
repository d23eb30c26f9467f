//! Rank filter over a cross of 9 elements in 5×5 (OpenVX `vxNonLinearFilter`).
use windrow::prelude::*;

/// The least, the median or the greatest of a cross of 9 elements in 5×5.
#[kernel(step(16, 2))]
pub fn non_linear_cross5(src: Neighbourhood<u8>, #[variant] rank: Rank) -> u8 {
    fn median(v: [u8; 9]) -> u8 {
        let mut v = v;
        for i in 0..5 {
            for j in i + 1..9 {
                (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
            }
        }
        v[4]
    }
    let mut v = [src.at(0, 0); 9];
    for (i, d) in [-2, -1, 1, 2].into_iter().enumerate() {
        v[i] = src.at(d, 0);
        v[i + 4] = src.at(0, d);
    }
    match rank {
        Rank::Min => v.into_iter().fold(255, |least: u8, x: u8| least.min(x)),
        Rank::Median => median(v),
        Rank::Max => v.into_iter().fold(0, |greatest: u8, x: u8| greatest.max(x)),
    }
}
