//! The table that makes a histogram flat (OpenVX `vxEqualizeHist`, ACL `NECumulativeDistribution`).
use windrow::prelude::*;

/// What each grey value v becomes: 255 · (c(v) − c₀) / (n − c₀), rounded, halves up, where c(v) counts the elements up to v, c₀ those of
/// the least value that occurs, and n all. Where only one value occurs, each stays as it is.
#[kernel(step(8, 1), window(n))]
pub fn equalization([v]: At<1>, #[shape(n)] histogram: View<u32, 1>) -> u8 {
    let [n] = histogram.extents();
    let upto = |end: i32| sum(0..end, |i| histogram[[i]] as i64).min(1 << 40);
    let first = least(0..n, |i| if histogram[[i]] > 0 { i } else { n - 1 }).min(n - 1);
    let lowest = histogram[[first]] as i64;
    let (own, rest) = ((upto(v + 1) - lowest).max(0), (upto(n) - lowest).max(0));
    let mut scaled = 0;
    for bit in 0..8 {
        // The greatest number for which 255 · own / rest is no less than it by more than a half.
        let next = scaled + (128 >> bit);
        scaled = if (2 * next as i64 - 1) * rest <= 510 * own { next } else { scaled };
    }
    if rest == 0 { v.saturating_cast() } else { scaled as u8 }
}
