//! Elements of 64 bits: what is computed in them, where they come from and what they become.

use windrow::prelude::*;

/// Sums, products, the lesser and the greater, choices, bits.
#[kernel(step(8, 1))]
pub fn mix(a: i64, b: i64) -> i64 {
    let sum = a.wrapping_add(b);
    let product = a.wrapping_mul(b).wrapping_sub(sum);
    let (least, most) = (sum.min(product), sum.max(product));
    if least < b { most ^ (a >> 3) } else { !least & (b | 5) }
}

/// Shifts by a constant, by a value of the run and by the element's own amount.
#[kernel(step(8, 1))]
pub fn shift(a: i64, b: i64, #[uniform(0..=63)] n: u32) -> (i64, i64, i64) {
    let own = (b & 63) as u32;
    ((a >> 17).wrapping_shl(n), (a >> n) ^ a.wrapping_shl(40), (a >> own).wrapping_add(a.wrapping_shl(own)))
}

/// A product of words that only 64 bits hold, and one that leaves them.
#[kernel(step(8, 1))]
pub fn accumulate(a: i32, b: u32, #[inout] total: i64, #[uniform] gain: i32) -> i64 {
    total.wrapping_add(a as i64 * b as i64).wrapping_mul(gain as i64)
}

/// Conversions from all narrower types, and to them.
#[kernel(step(16, 1))]
pub fn widen(a: u8, b: i16, c: u32) -> i64 {
    (a as i64) * 1_000_000_007 - (b as i64) * 3_000_000_000 + if a > 7 { c as i64 } else { -9_000_000_000_000_000_000 }
}

/// The nearest value, and the low bits, in narrower types.
#[kernel(output(nearest, low, sign), step(16, 1))]
pub fn narrow(a: i64) -> (u8, i32, i16) {
    (a.saturating_cast(), a.wrapping_cast(), a.signum() as i16 + (a > -5) as i16)
}

/// The channels of a pixel in another order, each with a bound.
#[kernel(step(8, 1))]
pub fn swizzle(p: [i64; 4], limit: i64) -> [i64; 4] {
    [p[3].min(limit), p[2].max(limit), p[1].wrapping_neg(), if p[0] == limit { i64::MIN } else { p[0].wrapping_abs() }]
}

/// Entries of a table.
#[kernel(step(16, 1))]
pub fn price(a: u8, prices: Table<i64, 256>, b: i64) -> i64 {
    prices[a].wrapping_sub(b)
}

#[test]
fn values_beyond_32_bits_come_through() -> Result<(), windrow::Error> {
    let a = Tensor::from_fn([3, 5], |[y, x]| (x as i64 - 2) << (20 * y + 10))?;
    let b = Tensor::from_fn([3, 5], |[y, x]| i64::MAX - (x * y) as i64)?;
    let found = mix::apply(&a, &b)?;
    for y in 0..3 {
        for x in 0..5 {
            let [a, b, found] = [&a, &b, &found].map(|tensor| tensor.view().get([y, x]).unwrap());
            assert_eq!(found, mix(a, b));
        }
    }
    Ok(())
}

#[test]
fn an_image_that_is_changed_is_called_by_its_own_name() {
    let (a, b) = (Tensor::<i32>::new([2, 3]).unwrap(), Tensor::<u32>::new([2, 3]).unwrap());
    let total = Tensor::<i64>::new([3, 3]).unwrap();
    let refused = accumulate::configure(a.info(), b.info(), total.info(), 1).unwrap_err();
    assert_eq!(refused.to_string(), "`total` has the shape 3×3, expected 2×3");
}
