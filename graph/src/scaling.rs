//! Numbers by which integers of one scale become integers of another: as TFLite's reference has them, by a multiplier of 31 bits and a
//! shift, or as XNNPACK and onnxruntime have them, by a float.

/// How sums of products of integers of 8 bits become integers of 8 bits again, in a model of TFLite or TVM. ONNX says what its operators compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requantization {
    /// By an integer of 31 bits and a shift, as the reference kernels of TFLite do, to the bit.
    #[default]
    Integer,
    /// By a float and one rounding, halves to the even number, as XNNPACK does: fewer instructions.
    Float,
}

/// The engine whose bits a network of integers has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// TFLite's reference kernels.
    Reference,
    Xnnpack,
    OnnxRuntime,
}

impl Engine {
    /// Whether sums are scaled by floats.
    pub fn is_of_floats(self) -> bool {
        self != Engine::Reference
    }
}

impl From<Requantization> for Engine {
    fn from(requantization: Requantization) -> Engine {
        match requantization {
            Requantization::Integer => Engine::Reference,
            Requantization::Float => Engine::Xnnpack,
        }
    }
}

/// A factor: `multiplier` · 2^(`shift` − 31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    pub multiplier: i32,
    pub shift: i32,
}

impl Factor {
    /// The nearest to a number that is not negative, as TFLite's `QuantizeMultiplier` finds it: 0 where it is below 2^−32, and `None`
    /// where it is 2^30 or more.
    pub fn new(number: f64) -> Option<Factor> {
        if number == 0.0 {
            return Some(Factor { multiplier: 0, shift: 0 });
        }
        let (fraction, mut shift) = split(number)?;
        let mut multiplier = (fraction * f64::from(1u32 << 31)).round() as i64;
        if multiplier == 1 << 31 {
            (multiplier, shift) = (multiplier / 2, shift + 1);
        }
        match shift {
            ..=-32 => Some(Factor { multiplier: 0, shift: 0 }),
            -31..=30 => Some(Factor { multiplier: i32::try_from(multiplier).ok()?, shift }),
            _ => None,
        }
    }

    /// The factor of a mean of `count` elements, as TFLite's `MEAN` finds it: divided without a remainder that could be kept.
    pub fn of_mean(number: f64, count: usize) -> Option<Factor> {
        let Factor { multiplier, shift } = Factor::new(number)?;
        let bits = i32::try_from(count.checked_ilog2()?).ok()?.min(32).min(31 + shift);
        let divided = (i64::from(multiplier) << bits) / i64::try_from(count).ok()?;
        Some(Factor { multiplier: i32::try_from(divided).ok()?, shift: shift - bits })
    }
}

/// Two factors, `multiplier` / 2^`shift` each, the greater of which has 21 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shifted {
    pub multiplier: [i32; 2],
    pub shift: u32,
}

impl Shifted {
    /// As XNNPACK finds them, of which the greater is from 2^−10 on and below 2^8.
    pub fn new(factors: [f32; 2]) -> Option<Shifted> {
        let greater = factors[0].max(factors[1]);
        if !(1.0 / 1024.0..256.0).contains(&greater) || !factors.iter().all(|&factor| factor > 0.0) {
            return None;
        }
        let (_, exponent) = split(greater.into())?;
        let shift = u32::try_from(21 - exponent).ok()?;
        let scaled = |factor: f32| (f64::from(factor) * (1u64 << shift) as f64).round_ties_even() as i32;
        Some(Shifted { multiplier: factors.map(scaled), shift })
    }
}

/// A positive number as a fraction from 1/2 on and below 1, and a power of 2.
fn split(number: f64) -> Option<(f64, i32)> {
    if !number.is_normal() || number < 0.0 {
        return None;
    }
    let bits = number.to_bits();
    let exponent = (bits >> 52) as i32 - 1022;
    Some((f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent))
}

/// 2^31 · exp(−difference · scale), by the difference of two bytes: what gemmlowp's fixed-point function of five integer bits gives for
/// it, and 0 where TFLite's `SOFTMAX` leaves it out.
pub(crate) fn powers(scale: f32) -> Option<[i32; 256]> {
    let greatest = f64::from(1u32 << 31) - 1.0;
    let Factor { multiplier, shift } = Factor::new((f64::from(scale) * f64::from(1u32 << 26)).min(greatest))?;
    let left = u32::try_from(shift).ok()?;
    // Differences beyond are less than what five integer bits hold.
    let radius = ((31u64 << 26) as f64 / (1u64 << left) as f64).floor();
    let mut powers = [0; 256];
    for (difference, power) in powers.iter_mut().enumerate() {
        if difference as f64 <= radius {
            let scaled = i32::try_from((difference as i64) << left).ok()?;
            *power = exp(doubled_high(-scaled, multiplier));
        }
    }
    Some(powers)
}

/// 2^31 · exp(a / 2^26) of a that is not positive, by gemmlowp's `exp_on_negative_values`.
fn exp(a: i32) -> i32 {
    if a == 0 {
        return i32::MAX;
    }
    let quarter = 1 << 24;
    let inside = (a & (quarter - 1)) - quarter;
    let remainder = inside - a;
    let mut result = exp_of_quarter(inside << 5);
    // exp(−2^n), from n = −2 on.
    const STEPS: [i32; 7] = [1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242];
    for (bit, step) in STEPS.into_iter().enumerate() {
        if remainder & (1 << (24 + bit)) != 0 {
            result = doubled_high(result, step);
        }
    }
    result
}

/// 2^31 · exp(a / 2^31) for −1/4 ≤ a / 2^31 < 0: the series around −1/8.
fn exp_of_quarter(a: i32) -> i32 {
    const EXP_OF_EIGHTH: i32 = 1_895_147_668;
    const THIRD: i32 = 715_827_883;
    let x = a + (1 << 28);
    let x2 = doubled_high(x, x);
    let (x3, x4) = (doubled_high(x2, x), doubled_high(x2, x2));
    let inner = doubled_high(halved(x4, 2) + x3, THIRD) + x2;
    EXP_OF_EIGHTH + doubled_high(EXP_OF_EIGHTH, x + halved(inner, 1))
}

/// Twice the product of two fractions of 31 bits, rounded to nearest, halves up.
fn doubled_high(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b) + (1 << 30)) >> 31) as i32
}

/// a / 2^n, to nearest, halves away from zero.
fn halved(a: i32, n: u32) -> i32 {
    let (mask, rest) = ((1 << n) - 1, a & ((1 << n) - 1));
    (a >> n) + i32::from(rest > (mask >> 1) + i32::from(a < 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_the_nearest() {
        assert_eq!(Factor::new(1.0), Some(Factor { multiplier: 1 << 30, shift: 1 }));
        assert_eq!(Factor::new(0.0), Some(Factor { multiplier: 0, shift: 0 }));
        assert_eq!(Factor::new(0.75), Some(Factor { multiplier: 3 << 29, shift: 0 }));
        // Rounded up to 2^31, which an integer of 32 bits does not hold.
        assert_eq!(Factor::new(1.0 - 1e-15), Some(Factor { multiplier: 1 << 30, shift: 1 }));
        assert_eq!(Factor::new(2f64.powi(-33)), Some(Factor { multiplier: 0, shift: 0 }));
        assert_eq!(Factor::new(2f64.powi(30)), None);
        assert_eq!(Factor::new(f64::NAN), None);
        assert_eq!(Factor::new(-1.0), None);
    }

    #[test]
    fn the_greater_of_two_factors_has_21_bits() {
        assert_eq!(Shifted::new([1.0, 0.5]), Some(Shifted { multiplier: [1 << 20, 1 << 19], shift: 20 }));
        assert_eq!(Shifted::new([0.75, 1.5]), Some(Shifted { multiplier: [3 << 18, 3 << 19], shift: 20 }));
        assert_eq!(Shifted::new([1.0, f32::NAN]), None);
        assert_eq!(Shifted::new([0.0, 1.0]), None);
        assert_eq!(Shifted::new([256.0, 1.0]), None);
    }

    #[test]
    fn powers_are_those_of_the_exponential_function() {
        for scale in [0.01f32, 0.0125, 0.3, 1.0] {
            for (difference, power) in powers(scale).unwrap().into_iter().enumerate() {
                let exact = (-(difference as f64) * f64::from(scale)).exp();
                let found = f64::from(power) / f64::from(1u32 << 31);
                assert!((found - exact).abs() < 1e-6, "{difference} · {scale}: {found}, not {exact}");
            }
        }
    }
}
