//! What an integer divisor that is the same for a whole run becomes: a multiplier and two shifts.
//!
//! Generated `derive` functions call it. The recipe is Granlund and Montgomery's ("Division by invariant integers using
//! multiplication", figures 4.1 and 5.2), for dividends and divisors of `bits` bits; the compiler's own copy of it, for
//! constant divisors, is `dsl::optimise::magic`.

/// The parts of a divisor, each a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// The multiplier, zero- or sign-extended.
    pub multiplier: u32,
    /// Unsigned: the first shift, 0 or 1. Signed: the sign of the divisor, 0 or −1.
    pub first: u32,
    /// The last shift.
    pub last: u32,
}

/// Returns the parts of an unsigned divisor; 0 counts as 1.
pub fn unsigned(bits: u32, divisor: i64) -> Divisor {
    let magnitude = u128::from(divisor.unsigned_abs().max(1));
    let log = ceil_log2(magnitude);
    let multiplier = (((1u128 << log) - magnitude) << bits) / magnitude + 1;
    Divisor { multiplier: multiplier as u32, first: log.min(1), last: log.saturating_sub(1) }
}

/// Returns the parts of a signed divisor; 0 counts as 1.
pub fn signed(bits: u32, divisor: i64) -> Divisor {
    let magnitude = u128::from(divisor.unsigned_abs().max(1));
    let log = ceil_log2(magnitude).max(1);
    let multiplier = 1 + (1u128 << (bits + log - 1)) / magnitude;
    // The lowest `bits` bits, sign-extended to a word.
    let unused = 32 - bits;
    let multiplier = ((multiplier as u32) << unused) as i32 >> unused;
    Divisor { multiplier: multiplier as u32, first: if divisor < 0 { u32::MAX } else { 0 }, last: log - 1 }
}

/// The least power of two that is not below `magnitude`, as an exponent.
fn ceil_log2(magnitude: u128) -> u32 {
    if magnitude <= 1 { 0 } else { (magnitude - 1).ilog2() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsigned_quotient_is_a_product_and_two_shifts() {
        let by = unsigned(16, 7);
        let high = (60_000 * by.multiplier) >> 16;
        assert_eq!((high + ((60_000 - high) >> by.first)) >> by.last, 60_000 / 7);
    }

    #[test]
    fn every_8_bit_quotient_is_exact() {
        for d in (i8::MIN..=i8::MAX).filter(|&d| d != 0) {
            let by = signed(8, i64::from(d));
            for n in i8::MIN..=i8::MAX {
                let high = (i32::from(n) * by.multiplier as i32) >> 8;
                // Modulo 2^8, as vectors compute it: −128 / 1 passes through 127 + 1.
                let magnitude = (((i32::from(n) + high) as i8) >> by.last).wrapping_sub(n >> 7);
                let sign = by.first as i8;
                assert_eq!((magnitude ^ sign).wrapping_sub(sign), n.wrapping_div(d), "{n} / {d}");
            }
        }
        for d in 1..=u8::MAX {
            let by = unsigned(8, i64::from(d));
            for n in 0..=u8::MAX {
                let high = (u32::from(n) * by.multiplier) >> 8;
                assert_eq!((high + ((u32::from(n) - high) >> by.first)) >> by.last, u32::from(n / d), "{n} / {d}");
            }
        }
    }
}
