//! Median filter (OpenVX `vxMedian3x3`).
use windrow::prelude::*;

/// The fifth of 3×3 elements in order: columns sorted, then the median of (greatest low, median mid, least high).
#[kernel(step(16, 2))]
pub fn median3x3(src: Neighbourhood<u8>) -> u8 {
    let min3 = |a: u8, b: u8, c: u8| a.min(b).min(c);
    let max3 = |a: u8, b: u8, c: u8| a.max(b).max(c);
    let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c));
    let low = |x| min3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    let mid = |x| med3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    let high = |x| max3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    med3(max3(low(-1), low(0), low(1)), med3(mid(-1), mid(0), mid(1)), min3(high(-1), high(0), high(1)))
}
