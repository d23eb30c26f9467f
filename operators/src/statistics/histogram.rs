//! How often values occur (OpenVX `vxHistogram`, ACL `NEHistogram`).
use windrow::prelude::*;

/// How many elements lie in each of `bins` bins, which part the values from `offset` to `offset + range − 1`: ⌊(x − offset) · bins / range⌋.
///
/// Other values are not counted. Counts are modulo 2³².
#[kernel(window(bins))]
pub fn histogram(
    [bin]: At<1>,
    #[shape(h, w)] src: View<u8, 2>,
    #[uniform(1..=256)] bins: i32,
    #[uniform(0..=255)] offset: i32,
    #[uniform(1..=256)] range: i32,
) -> u32 {
    let ([h, w], mut count) = (src.extents(), 0u32);
    for y in 0..h {
        for x in 0..w {
            let value = src[[y, x]] as i32 - offset;
            if value >= 0 && value < range && value * bins / range == bin {
                count = count.wrapping_add(1);
            }
        }
    }
    count
}
