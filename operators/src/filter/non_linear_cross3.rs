//! Rank filter over a cross of 5 elements in 3×3 (OpenVX `vxNonLinearFilter`).
use windrow::prelude::*;

/// The least, the median or the greatest of a cross of 5 elements in 3×3.
#[kernel(step(16, 2))]
pub fn non_linear_cross3(src: Neighbourhood<u8>, #[variant] rank: Rank) -> u8 {
    fn median(v: [u8; 5]) -> u8 {
        let mut v = v;
        for i in 0..3 {
            for j in i + 1..5 {
                (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
            }
        }
        v[2]
    }
    let v = [src.at(0, -1), src.at(-1, 0), src.at(0, 0), src.at(1, 0), src.at(0, 1)];
    match rank {
        Rank::Min => v.into_iter().fold(255, |least: u8, x: u8| least.min(x)),
        Rank::Median => median(v),
        Rank::Max => v.into_iter().fold(0, |greatest: u8, x: u8| greatest.max(x)),
    }
}
