//! Integers of one scale from integers of another, as TFLite's reference computes them: by a multiplier of 31 bits and a shift.
use windrow::prelude::*;

#[kernels]
pub mod requantizers {
    //! The scaling that the kernels share.
    use windrow::prelude::*;

    /// x · multiplier · 2^(shift − 31), rounded twice: the product to nearest, halves up, then the shift, halves away from zero.
    fn scaled(x: i32, multiplier: i32, shift: i32) -> i32 {
        let x = x.wrapping_shl(shift.max(0) as u32);
        // The 64-bit product from bit 31 on, rounded by bit 30.
        let low = x.wrapping_mul(multiplier);
        let high = x.mul_high(multiplier).wrapping_shl(1).wrapping_add(low >> 31 & 1);
        let product = high.wrapping_add(low >> 30 & 1);
        let right = (-shift).max(0);
        let nudge = (product < 0 && right > 0) as i32;
        product.saturating_sub(nudge).rounding_shr(right as u32)
    }

    /// x scaled, plus zero, between two bounds.
    #[kernel(step(8, 1), types(T = u8, i8, i16))]
    pub fn requantize(
        x: i32,
        #[uniform(0..=i32::MAX)] multiplier: i32,
        #[uniform(-31..=30)] shift: i32,
        #[uniform] zero: i32,
        #[uniform] lower: T,
        #[uniform] upper: T,
    ) -> T {
        let value: T = scaled(x, multiplier, shift).saturating_add(zero).saturating_cast();
        value.max(lower).min(upper)
    }

    /// The sum of two quantised tensors (TFLite `Add`). Multipliers, shifts and zeros are those of a, of b and of the sum.
    #[kernel(step(8, 1), types(T = u8, i8))]
    pub fn add_quantized(
        a: T,
        b: T,
        #[uniform(0..=i32::MAX)] multiplier: [i32; 3],
        #[uniform(-31..=0)] shift: [i32; 3],
        #[uniform(-128..=255)] zero: [i32; 3],
        #[uniform] lower: T,
        #[uniform] upper: T,
    ) -> T {
        let term = |v: T, i: usize| scaled((v as i32 - zero[i]) << 20, multiplier[i], shift[i]);
        let sum = scaled(term(a, 0).saturating_add(term(b, 1)), multiplier[2], shift[2]);
        let value: T = sum.saturating_add(zero[2]).saturating_cast();
        value.max(lower).min(upper)
    }
}
