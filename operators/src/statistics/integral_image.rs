//! Sums of all elements above and to the left (OpenVX `vxIntegralImage`, ACL `NEIntegralImage`).
use windrow::prelude::*;

/// Σ of the elements in the rows up to y and the columns up to x, both included, modulo 2³².
#[kernel(step(8, 1), window(h, w))]
pub fn integral_image([y, x]: At<2>, #[shape(h, w)] src: View<u8, 2>) -> u32 {
    let mut total = 0u32;
    for j in 0..=y {
        let mut row = 0u32;
        for i in 0..=x {
            row = row.wrapping_add(src[[j, i]] as u32);
        }
        total = total.wrapping_add(row);
    }
    total
}

/// The same sum of their squares, modulo 2⁶⁴.
#[kernel(step(8, 1), window(h, w))]
pub fn integral_squares([y, x]: At<2>, #[shape(h, w)] src: View<u8, 2>) -> i64 {
    let mut total = 0i64;
    for j in 0..=y {
        let mut row = 0i64;
        for i in 0..=x {
            row = row.wrapping_add(src[[j, i]] as i64 * src[[j, i]] as i64);
        }
        total = total.wrapping_add(row);
    }
    total
}
