//! Elements of 64 bits without a sign: what their order, their shifts and their conversions have of their own.

use windrow::prelude::*;

/// Sums, products, the lesser and the greater, choices, bits.
#[kernel(step(8, 1))]
pub fn mix(a: u64, b: u64) -> u64 {
    let sum = a.wrapping_add(b);
    let product = a.wrapping_mul(b).wrapping_sub(sum);
    let (least, most) = (sum.min(product), sum.max(product));
    if least < b { most ^ (a >> 3) } else { !least & (b | 0x8000_0000_0000_0001) }
}

/// Every comparison, with a constant that `i64` lacks among them.
#[kernel(step(8, 1))]
pub fn compare(a: u64, b: u64) -> u8 {
    let order = (a < b) as u8 + 2 * ((a <= b) as u8) + 4 * ((a > b) as u8) + 8 * ((a >= b) as u8);
    order + 16 * ((a == b) as u8) + 32 * ((a != b) as u8) + 64 * ((a > 9_223_372_036_854_775_808) as u8)
}

/// Shifts by a constant, by a value of the run and by the element's own amount: no signs come in.
#[kernel(step(8, 1))]
pub fn shift(a: u64, b: u64, #[uniform(0..=63)] n: u32) -> (u64, u64, u64) {
    let own = (b & 63) as u32;
    ((a >> 17).wrapping_shl(n), (a >> n) ^ a.wrapping_shl(40), (a >> own).wrapping_add(a.wrapping_shl(own)))
}

/// Rotations by a constant and by the element's own amount, of either sign.
#[kernel(step(8, 1))]
pub fn rotate(a: u64, b: i64) -> (u64, i64) {
    let own = (a & 63) as u32;
    (a.rotate_left(13).wrapping_add(a.rotate_left(own)), b.rotate_left(55) ^ b.rotate_left(own))
}

/// A sum of squares that 32 bits do not hold, as a variance needs it.
#[kernel(step(8, 1))]
pub fn accumulate_square(a: u16, b: u32, #[inout] total: u64) -> u64 {
    total.wrapping_add(a as u64 * a as u64).wrapping_add(b as u64 * b as u64)
}

/// Conversions from narrower types: signs are spread over the upper half.
#[kernel(step(16, 1))]
pub fn widen(a: u8, b: i16, c: u32, d: i64) -> u64 {
    b.wrapping_cast::<u64>().wrapping_add((a as u64) << 40).wrapping_mul(c as u64).wrapping_sub(d.saturating_cast())
}

/// The nearest value, and the low bits, in other types.
#[kernel(output(nearest, within, low, signed, sign), step(16, 1))]
pub fn narrow(a: u64) -> (u8, i32, u16, i64, i8) {
    let sign: i64 = a.wrapping_cast();
    (a.saturating_cast(), a.saturating_cast(), a.wrapping_cast(), a.saturating_cast(), (sign < 0) as i8)
}

/// The channels of a pixel in another order, each with a bound.
#[kernel(step(8, 1))]
pub fn swizzle(p: [u64; 3], limit: u64) -> [u64; 3] {
    [p[2].min(limit), p[1].max(limit), if p[0] == limit { u64::MAX } else { p[0].wrapping_neg() }]
}

/// Entries of a table.
#[kernel(step(16, 1))]
pub fn price(a: u8, prices: Table<u64, 256>, b: u64) -> u64 {
    prices[a].max(b)
}

/// The sum of squares along a row, which neither 32 bits nor a sign hold.
#[kernel(window(rows))]
pub fn energy([y]: At<1>, #[shape(rows, columns)] src: View<u32, 2>) -> u64 {
    let [_, columns] = src.extents();
    sum(0..columns.min(4), |x| {
        let value = (src[[y, x]] >> 1) as u64;
        value * value
    })
}

#[test]
fn values_beyond_signed_64_bits_come_through() -> Result<(), windrow::Error> {
    let a = Tensor::from_fn([3, 5], |[y, x]| u64::MAX >> (x + 7 * y))?;
    let b = Tensor::from_fn([3, 5], |[y, x]| (1 << 63) + (x * y) as u64)?;
    let (found, order) = (mix::apply(&a, &b)?, compare::apply(&a, &b)?);
    for (y, x) in (0..3).flat_map(|y| (0..5).map(move |x| (y, x))) {
        let [a, b, found] = [&a, &b, &found].map(|tensor| tensor.view().get([y, x]).unwrap());
        assert_eq!(found, mix(a, b));
        assert_eq!(order.view().get([y, x]), Some(compare(a, b)));
    }
    Ok(())
}
