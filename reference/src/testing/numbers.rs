//! What a channel holds, as far as test data and comparisons care; values travel as 32-bit words.
//!
//! A word is a value zero- or sign-extended to 32 bits, or the bits of a float: as uniforms are stored.

use approx::{abs_diff_eq, relative_eq};

use super::random::Random;
use crate::traits::Cast;
use half::{bf16, f16};

/// The numbers of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Unsigned integers of 8, 16 or 32 bits.
    Unsigned(u32),
    /// Signed integers of 8, 16 or 32 bits.
    Signed(u32),
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary16.
    Half,
    /// The upper half of a binary32.
    Brain,
}

/// Floats at which arithmetic changes its mind: every class, both signs, the edges of integers' ranges.
const FLOATS: [u32; 40] = [
    0x0000_0000,
    0x8000_0000, // ±0
    0x0000_0001,
    0x8000_0001, // least denormal
    0x007f_ffff,
    0x807f_ffff, // greatest denormal
    0x0040_0000,
    0x0080_0000, // a denormal, least normal
    0x8080_0000,
    0x0080_0001, // around the least normal
    0x7f7f_ffff,
    0xff7f_ffff, // ±MAX
    0x7f80_0000,
    0xff80_0000, // ±∞
    0x7fc0_0000,
    0xffc0_0000, // quiet NaN
    0x7f80_0001,
    0xff80_0001, // signalling NaN
    0x7fff_ffff,
    0x7fbf_ffff, // NaNs with full payloads
    0x3f80_0000,
    0xbf80_0000, // ±1
    0x3f7f_ffff,
    0x3f80_0001, // beside 1
    0x3f00_0000,
    0xbf00_0000, // ±0.5
    0x3fc0_0000,
    0x4020_0000, // 1.5, 2.5: ties
    0xc020_0000,
    0x3eff_ffff, // −2.5, just below 0.5
    0x4b00_0000,
    0x4b00_0001, // 2²³: the last fractions
    0x4f00_0000,
    0x4eff_ffff, // 2³¹ and the float below
    0xcf00_0000,
    0xcf00_0001, // −2³¹ and the float below
    0x437f_0000,
    0x437f_8000, // 255, 255.5
    0x4f80_0000,
    0xc300_8000, // 2³², −128.5
];

/// The classes of binary16, both signs: denormals, the least normal, the greatest, signalling NaNs.
const HALVES: [u32; 10] = [0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8401, 0x7bff, 0xfbff, 0x7c01, 0xfdff];

impl Numbers {
    /// The values at which arithmetic changes its mind.
    pub fn extremes(self) -> Vec<u32> {
        match self.range() {
            None => {
                let own = if self == Self::Half { &HALVES[..] } else { &[] };
                let mut words: Vec<u32> = FLOATS.into_iter().map(|bits| self.of_f32(f32::from_bits(bits))).collect();
                words.extend(own);
                words.dedup();
                words
            }
            Some((least, greatest)) => {
                let middle = (least + greatest) / 2;
                let edges = [least, least + 1, -2, -1, 0, 1, 2, middle - 1, middle, middle + 1, greatest - 1, greatest];
                let mut words: Vec<u32> = edges
                    .into_iter()
                    .filter(|edge| (least..=greatest).contains(edge))
                    .map(|edge| edge as u32)
                    .collect();
                words.dedup();
                words
            }
        }
    }

    /// Any bit pattern; floats of every exponent.
    pub fn any(self, random: &mut Random) -> u32 {
        match self {
            Self::Unsigned(_) | Self::Signed(_) | Self::Half | Self::Brain => self.wrap(random.next_u32()),
            Self::Float => random.next_u32(),
        }
    }

    /// A value as images hold them: any integer; a float of moderate size, some of them whole or half.
    pub fn everyday(self, random: &mut Random) -> u32 {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => self.wrap(random.next_u32()),
            Self::Float | Self::Half | Self::Brain => {
                let sixteenths = random.between(-16_384, 16_384);
                self.of_f32(match random.below(4) {
                    0 => (sixteenths / 16) as f32,
                    1 => sixteenths as f32 / 16.0,
                    // A mantissa of random bits, exponents 2^−8 to 2^8.
                    _ => f32::from_bits((random.next_u32() & 0x807f_ffff) | ((119 + random.below(17) as u32) << 23)),
                })
            }
        }
    }

    /// The word of an integer modulo the type's range, or of an integer as a float, halved.
    pub fn of_integer(self, value: i64) -> u32 {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => self.wrap(value as u32),
            Self::Float | Self::Half | Self::Brain => self.of_f32(value as f32 * 0.5),
        }
    }

    /// The word of the value nearest to `value`; an integer's range bounds it.
    pub fn of_f64(self, value: f64) -> u32 {
        match self.range() {
            Some((least, greatest)) => (value.round() as i64).clamp(least, greatest) as u32,
            None => self.of_f32(value as f32),
        }
    }

    /// The word of the float of its type that is nearest to a float.
    fn of_f32(self, value: f32) -> u32 {
        match self {
            Self::Half => value.cast::<f16>().to_bits().into(),
            Self::Brain => value.cast::<bf16>().to_bits().into(),
            Self::Unsigned(_) | Self::Signed(_) | Self::Float => value.to_bits(),
        }
    }

    /// The greatest finite value.
    pub fn greatest(self) -> u32 {
        match self {
            Self::Half => f16::MAX.to_bits().into(),
            Self::Brain => bf16::MAX.to_bits().into(),
            _ => self.range().map_or(f32::MAX.to_bits(), |(_, greatest)| greatest as u32),
        }
    }

    /// Whether two words are as near as a `fast` kernel's roundings leave them, where its greatest operand is `scale`: a
    /// thousandth of it, or of the results; an integer, which was a float before, may be the next one. Beyond the finite
    /// numbers, whose bounds a sum of another order may pass, all is near. Of a bfloat16 a thousandth is a hundredth, as it has 8
    /// digits.
    pub fn near(self, a: u32, b: u32, scale: f32) -> bool {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => {
                abs_diff_eq!(self.as_f32(a), self.as_f32(b), epsilon = 1.0)
            }
            Self::Float | Self::Half | Self::Brain => {
                let (x, y) = (self.as_f32(a), self.as_f32(b));
                let (both, digits) = (x.is_finite() && y.is_finite(), if self == Self::Brain { 128.0 } else { 1024.0 });
                !both || relative_eq!(x, y, epsilon = scale / digits, max_relative = 1.0 / digits)
            }
        }
    }

    /// The value of a word as a float; an integer is rounded to one.
    pub fn as_f32(self, word: u32) -> f32 {
        match self {
            Self::Unsigned(_) => word as f32,
            Self::Signed(_) => word as i32 as f32,
            Self::Float => f32::from_bits(word),
            Self::Half => f16::from_bits(word as u16).cast(),
            Self::Brain => bf16::from_bits(word as u16).cast(),
        }
    }

    /// Whether two words are the same value to the bit, all NaNs being one.
    pub fn same(self, a: u32, b: u32) -> bool {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => a == b,
            Self::Float | Self::Half | Self::Brain => a == b || (self.as_f32(a).is_nan() && self.as_f32(b).is_nan()),
        }
    }

    /// The word that stands for a value in digests: all NaNs are one.
    pub fn canonical(self, word: u32) -> u32 {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => word,
            Self::Float | Self::Half | Self::Brain if self.as_f32(word).is_nan() => {
                self.of_f32(f32::from_bits(0x7fc0_0000))
            }
            Self::Float | Self::Half | Self::Brain => word,
        }
    }

    /// The value as a reader wants it: decimal, floats with their bits.
    pub fn show(self, word: u32) -> String {
        match self {
            Self::Unsigned(_) => word.to_string(),
            Self::Signed(_) => (word as i32).to_string(),
            Self::Float => format!("{:?} (0x{word:08x})", f32::from_bits(word)),
            Self::Half | Self::Brain => format!("{:?} (0x{word:04x})", self.as_f32(word)),
        }
    }

    /// The least and the greatest integer.
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            Self::Unsigned(bits) => Some((0, (1 << bits) - 1)),
            Self::Signed(bits) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Self::Float | Self::Half | Self::Brain => None,
        }
    }

    /// The low bits of `word`, extended.
    fn wrap(self, word: u32) -> u32 {
        match self {
            Self::Unsigned(bits) => (word << (32 - bits)) >> (32 - bits),
            Self::Signed(bits) => (((word << (32 - bits)) as i32) >> (32 - bits)) as u32,
            Self::Half | Self::Brain => word & 0xffff,
            Self::Float => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbers::*, Random};

    #[test]
    fn near_is_a_thousandth_of_the_greatest() {
        let near = |a: f32, b: f32, scale| Float.near(a.to_bits(), b.to_bits(), scale);
        assert!(near(1.0, 1.0005, 0.0) && !near(1.0, 1.002, 0.0));
        assert!(near(0.0, 0.5, 1000.0) && !near(0.0, 2.0, 1000.0));
        assert!(near(f32::INFINITY, 1e38, 1.0));
        assert!(Unsigned(8).near(7, 8, 0.0) && !Unsigned(8).near(7, 9, 1e6));
        assert!(Signed(16).near(-1i32 as u32, 0, 0.0));
    }

    #[test]
    fn a_value_becomes_the_nearest_of_its_type() {
        assert_eq!((Unsigned(8).of_f64(254.6), Unsigned(8).of_f64(300.0), Unsigned(8).of_f64(-1.0)), (255, 255, 0));
        assert_eq!(Signed(16).of_f64(-40_000.0) as i32, -32_768);
        assert_eq!(Float.of_f64(0.25), 0.25f32.to_bits());
    }

    #[test]
    fn integers_stay_in_their_range() {
        let mut random = Random::new(3);
        for numbers in [Unsigned(8), Unsigned(16), Unsigned(32), Signed(8), Signed(16), Signed(32)] {
            let (least, greatest) = numbers.range().unwrap();
            let value = |word: u32| if least < 0 { i64::from(word as i32) } else { i64::from(word) };
            let drawn = (0..300).map(|_| numbers.any(&mut random)).chain(numbers.extremes());
            assert!(drawn.map(value).all(|value| (least..=greatest).contains(&value)), "{numbers:?}");
            assert!(numbers.extremes().contains(&(least as u32)) && numbers.extremes().contains(&(greatest as u32)));
        }
    }

    #[test]
    fn extremes_hold_every_class_of_float() {
        let classes: Vec<f32> = Float.extremes().into_iter().map(f32::from_bits).collect();
        assert!(classes.iter().any(|value| value.is_nan()) && classes.iter().any(|value| value.is_subnormal()));
        assert!(classes.contains(&f32::INFINITY) && classes.contains(&f32::NEG_INFINITY));
        assert!(Float.extremes().contains(&0x8000_0000));
    }

    #[test]
    fn halves_have_every_class_too() {
        for numbers in [Half, Brain] {
            let classes: Vec<f32> = numbers.extremes().into_iter().map(|word| numbers.as_f32(word)).collect();
            assert!(classes.iter().any(|value| value.is_nan()) && classes.contains(&f32::INFINITY));
            let least = numbers.as_f32(if numbers == Half { 0x0400 } else { 0x0080 });
            assert!(classes.iter().any(|value| *value != 0.0 && value.abs() < least), "{numbers:?}");
            assert!(
                numbers
                    .extremes()
                    .into_iter()
                    .all(|word| word <= 0xffff && numbers.same(word, numbers.canonical(word)))
            );
            let mut random = Random::new(5);
            assert!((0..100).all(|_| numbers.as_f32(numbers.everyday(&mut random)).is_finite()));
            assert_eq!((numbers.of_f64(1e9) == numbers.greatest(), numbers.as_f32(numbers.of_f64(0.5))), (false, 0.5));
        }
    }

    #[test]
    fn any_float_has_any_exponent() {
        let mut random = Random::new(4);
        let mut seen = [false; 256];
        (0..20_000).for_each(|_| seen[(Float.any(&mut random) >> 23 & 255) as usize] = true);
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn nans_are_one_and_zeros_are_two() {
        assert!(Float.same(0x7fc0_0000, 0xff80_0001));
        assert!(!Float.same(0, 0x8000_0000));
        assert_eq!(Float.canonical(0xff80_0001), Float.canonical(0x7fff_ffff));
        assert!(!Signed(8).same(1, 2));
    }

    #[test]
    fn values_are_shown_with_their_sign() {
        assert_eq!(Signed(8).show(u32::MAX), "-1");
        assert_eq!(Float.show(1f32.to_bits()), "1.0 (0x3f800000)");
    }
}
