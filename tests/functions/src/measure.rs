//! Errors in units of the last place, of many arguments at once.

use rayon::prelude::*;
use windrow::reference::functions::Definition;

use crate::table::{Function, Of};

/// Arguments that a thread takes at a time.
const PART: usize = 1 << 16;
/// Of so many parts, the kernel's results are compared with the function's in one: rustc has no vectors for it.
const COMPARED: u64 = 16;

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// How many arguments were tried.
    pub arguments: u64,
    /// The greatest error.
    pub error: f64,
    /// Where it is.
    pub at: [f32; 2],
    /// Results that are not the float nearest to the exact value.
    pub not_nearest: u64,
    /// Results outside the range that the proof relies on.
    pub outside: u64,
    /// Kernel's results with other bits than the function's.
    pub different: u64,
    /// Pairs of neighbours of which the greater has the lesser result.
    pub falls: u64,
}

impl Found {
    fn and(self, other: Self) -> Self {
        let worse = if other.error > self.error { other } else { self };
        Self {
            arguments: self.arguments + other.arguments,
            error: worse.error,
            at: worse.at,
            not_nearest: self.not_nearest + other.not_nearest,
            outside: self.outside + other.outside,
            different: self.different + other.different,
            falls: self.falls + other.falls,
        }
    }

    fn note(&mut self, range: (f32, f32), at: [f32; 2], found: f32, exact: f64) {
        let error = error(found, exact);
        self.arguments += 1;
        self.not_nearest += u64::from(error > 0.500_000_01);
        self.outside += u64::from(found < range.0 || found > range.1);
        if error > self.error {
            (self.error, self.at) = (error, at);
        }
    }
}

/// Whether two floats have the same bits, or are both NaN.
pub fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn range(function: &Function) -> (f32, f32) {
    Definition::of(function.name).map_or((0.0, 0.0), |definition| definition.range)
}

/// How far a result is from the exact value, in units of the last place of a float of that size; infinite where only one
/// is NaN or a zero has the wrong sign. Infinity counts as the float behind the greatest.
pub fn error(found: f32, exact: f64) -> f64 {
    if exact.is_nan() || found.is_nan() {
        return if exact.is_nan() && found.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if exact == 0.0 || exact.is_infinite() {
        return if same(found, exact as f32) { 0.0 } else { f64::INFINITY };
    }
    let exponent = (((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023).clamp(-126, 127);
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    let place = power(exponent - 23);
    let behind_greatest = f64::from(f32::MAX) + power(104);
    let value = if found.is_infinite() { behind_greatest.copysign(f64::from(found)) } else { f64::from(found) };
    // Beyond that, infinity is as near as can be.
    let exact = exact.clamp(-behind_greatest, behind_greatest);
    (value - exact).abs() / place
}

/// Every `step`th float as the argument of a function of one; of a function of two, as many random pairs as `pairs` says.
pub fn measure(function: &Function, step: u32, pairs: u64) -> Found {
    match function.of {
        Of::One(..) => {
            let parts = (1u64 << 32).div_ceil(u64::from(step)).div_ceil(PART as u64);
            let part = |part: u64| of_one(function, step, part * PART as u64);
            (0..parts).into_par_iter().map(part).reduce(Found::default, Found::and)
        }
        Of::Two(..) => {
            let part = |part: u64| of_two(function, part);
            (0..pairs.div_ceil(PART as u64)).into_par_iter().map(part).reduce(Found::default, Found::and)
        }
    }
}

/// Floats from the `first`th on, and one more, so that each is compared with its neighbour.
fn of_one(function: &Function, step: u32, first: u64) -> Found {
    let Of::One(reference, exact, kernel) = function.of else { return Found::default() };
    let bits = (first..=first + PART as u64).map(|index| index * u64::from(step));
    let arguments: Vec<f32> = bits.take_while(|bits| *bits < 1 << 32).map(|bits| f32::from_bits(bits as u32)).collect();
    let mut results = vec![0.0; arguments.len()];
    kernel(&arguments, &mut results);
    let mut found = Found::default();
    let range = range(function);
    for (&x, &result) in arguments.iter().zip(&results).take(PART) {
        found.note(range, [x, 0.0], result, exact(f64::from(x)));
    }
    if (first / PART as u64).is_multiple_of(COMPARED) {
        let differ = arguments.iter().zip(&results).filter(|(x, result)| !same(reference(**x), **result));
        found.different = differ.count() as u64;
    }
    // Bits rise with the magnitude.
    for (x, result) in arguments.windows(2).zip(results.windows(2)) {
        let same_sign = x[0].is_sign_positive() == x[1].is_sign_positive();
        let falls = if x[1].is_sign_positive() { result[1] < result[0] } else { result[1] > result[0] };
        found.falls += u64::from(same_sign && falls);
    }
    found
}

/// Random pairs: of all bits; of moderate size; and with the first near 1.
fn of_two(function: &Function, part: u64) -> Found {
    let Of::Two(reference, exact, kernel) = function.of else { return Found::default() };
    let mut state = (part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 32) as u32, (state >> 3) as u32)
    };
    let pair = |index: usize| {
        let (a, b) = random();
        match index % 4 {
            0 => (f32::from_bits(a), f32::from_bits(b)),
            1 => (a as f32 / 2.7e8, b as i32 as f32 / 5e7),
            2 => (1.0 + a as i32 as f32 / 4e9, b as i32 as f32 / 1e7),
            _ => (a as i32 as f32, b as i32 as f32),
        }
    };
    let (a, b): (Vec<f32>, Vec<f32>) = (0..PART).map(pair).unzip();
    let mut results = vec![0.0; PART];
    kernel(&a, &b, &mut results);
    let mut found = Found::default();
    let range = range(function);
    for ((&a, &b), &result) in a.iter().zip(&b).zip(&results) {
        found.note(range, [a, b], result, exact(f64::from(a), f64::from(b)));
        if part.is_multiple_of(COMPARED) {
            found.different += u64::from(!same(reference(a, b), result));
        }
    }
    found
}
