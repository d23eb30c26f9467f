//! What each float operation does to intervals of floats.
//!
//! Rounding to nearest is monotone, so the operation itself, applied to the corners, gives bounds that hold to the
//! bit; nothing needs to be widened. What isn't monotone is NaN: a corner that gives NaN is left out of the bounds, and
//! the flag says whether NaN can occur. A bound that is zero stands for both zeros.
//!
//! Bounds are binary64 whatever the type. A sum, product, quotient or root of binary32 that is rounded to binary64 and then to binary32 is
//! the one rounded once, since binary64 has more than twice the bits and two (Figueroa, "When is double rounding innocuous?", 1995).

use crate::ir::range::{Floats, Interval, Range};
use crate::ir::{BinaryOp, Comparison, Type, UnaryOp};
use windrow_reference::scalar;

/// The float of a type that is nearest to a bound.
fn rounded(value: f64, ty: Type) -> f64 {
    if ty == Type::F64 { value } else { f64::from(value as f32) }
}

/// The next float of a type above a bound.
fn next_up(value: f64, ty: Type) -> f64 {
    if ty == Type::F64 { value.next_up() } else { f64::from((value as f32).next_up()) }
}

/// The next float of a type below a bound.
fn next_down(value: f64, ty: Type) -> f64 {
    -next_up(-value, ty)
}

/// The interval of a float-to-float `op x`; `x` itself for the others, which [`super::transfer`] maps.
pub(super) fn unary(op: UnaryOp, ty: Type, x: Floats) -> Floats {
    let monotone = |f: fn(f64) -> f64| Floats { lo: f(x.lo), hi: f(x.hi), nan: x.nan };
    match op {
        UnaryOp::Neg(_) => negate(x),
        UnaryOp::Abs(_) => magnitude(x),
        UnaryOp::Sqrt => square_root(ty, x),
        UnaryOp::Floor => monotone(f64::floor),
        UnaryOp::Ceil => monotone(f64::ceil),
        UnaryOp::Trunc => monotone(f64::trunc),
        UnaryOp::RoundTiesEven => monotone(f64::round_ties_even),
        UnaryOp::Not
        | UnaryOp::UnsignedAbs
        | UnaryOp::Signum
        | UnaryOp::Isqrt
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::IsNan
        | UnaryOp::FromBits
        | UnaryOp::ToBits
        | UnaryOp::FromHalf
        | UnaryOp::ToHalf => Floats::ALL,
    }
}

/// The interval of `x op y`; every float for the operations that floats lack. `same`: both operands are one value.
pub(super) fn binary(op: BinaryOp, ty: Type, [x, y]: [Floats; 2], same: bool) -> Floats {
    match op {
        BinaryOp::Add(_) => add(ty, x, y),
        BinaryOp::Sub(_) if same && !x.holds_infinity() => Floats { lo: 0.0, hi: 0.0, nan: x.nan },
        BinaryOp::Sub(_) => add(ty, x, negate(y)),
        BinaryOp::Mul(_) if same => square(ty, x),
        BinaryOp::Mul(_) => multiply(ty, x, y),
        BinaryOp::Div => divide(ty, x, y),
        BinaryOp::Min => negate(maximum(negate(x), negate(y))),
        BinaryOp::Max => maximum(x, y),
        BinaryOp::Rem
        | BinaryOp::Shl(_)
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::AbsDiff
        | BinaryOp::HalvingAdd
        | BinaryOp::RoundingHalvingAdd
        | BinaryOp::MulHigh
        | BinaryOp::RoundingShr
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => Floats::ALL,
    }
}

/// The interval of `x op y` in a kernel that is `fast`, whatever [`crate::optimise`] makes of it: a product that is not
/// rounded before it is added to, and a quotient that is a product with the reciprocal.
pub(super) fn fast(op: BinaryOp, ty: Type, [x, y]: [Floats; 2], same: bool) -> Floats {
    const ONE: Floats = Floats { lo: 1.0, hi: 1.0, nan: false };
    match op {
        BinaryOp::Mul(_) => unrounded_product(ty, [x, y], same),
        BinaryOp::Div => {
            let (quotient, product) = (divide(ty, x, y), unrounded_product(ty, [x, divide(ty, ONE, y)], false));
            let (lo, hi) = (quotient.lo.min(product.lo), quotient.hi.max(product.hi));
            Floats { lo, hi, nan: quotient.nan || product.nan }
        }
        _ => binary(op, ty, [x, y], same),
    }
}

/// The floats around the exact product: those that it may be rounded to, and it itself.
fn unrounded_product(ty: Type, [x, y]: [Floats; 2], same: bool) -> Floats {
    let rounded = if same { square(ty, x) } else { multiply(ty, x, y) };
    let (x, y) = if same { (magnitude(x), magnitude(x)) } else { (x, y) };
    let pairs = if same { vec![(x.lo, x.lo), (x.hi, x.hi)] } else { corners(x, y) };
    // How far the exact product lies from the one that is rounded: its sign is exact.
    let beyond = |a: f64, b: f64, bound: f64| if ty == Type::F64 { a.mul_add(b, -bound) } else { a * b - bound };
    pairs.into_iter().filter(|(a, b)| !(a * b).is_nan()).fold(rounded, |known, (a, b)| Floats {
        lo: if beyond(a, b, rounded.lo) < 0.0 { next_down(rounded.lo, ty) } else { known.lo },
        hi: if beyond(a, b, rounded.hi) > 0.0 { next_up(rounded.hi, ty) } else { known.hi },
        ..known
    })
}

fn corners(x: Floats, y: Floats) -> Vec<(f64, f64)> {
    vec![(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)]
}

/// `x · y + z` with one rounding. Corners are exact where all operands are finite; elsewhere nothing is claimed.
pub(super) fn multiply_add(ty: Type, [x, y, z]: [Floats; 3]) -> Floats {
    let nan = x.nan || y.nan || z.nan;
    if x.holds_infinity() || y.holds_infinity() || z.holds_infinity() {
        return Floats { nan: true, ..Floats::ALL };
    }
    let sum = move |a: f64, b: f64, c: f64| match ty {
        Type::F64 => a.mul_add(b, c),
        // Here rounding twice would show.
        _ => f64::from((a as f32).mul_add(b as f32, c as f32)),
    };
    let corners = [x.lo, x.hi]
        .into_iter()
        .flat_map(|a| [y.lo, y.hi].into_iter().flat_map(move |b| [z.lo, z.hi].into_iter().map(move |c| sum(a, b, c))));
    hull_of(corners, nan)
}

/// Whether `x op y` can be false and can be true. A NaN makes every comparison false, but `!=` true.
pub(super) fn compare(op: Comparison, x: Floats, y: Floats) -> (bool, bool) {
    let nan = x.nan || y.nan;
    let less = (nan || x.hi >= y.lo, x.lo < y.hi);
    let less_equal = (nan || x.hi > y.lo, x.lo <= y.hi);
    let greater = (nan || x.lo <= y.hi, x.hi > y.lo);
    let greater_equal = (nan || x.lo < y.hi, x.hi >= y.lo);
    let equal = (nan || x.lo != x.hi || y.lo != y.hi || x.lo != y.lo, x.lo <= y.hi && y.lo <= x.hi);
    match op {
        Comparison::Lt => less,
        Comparison::Le => less_equal,
        Comparison::Gt => greater,
        Comparison::Ge => greater_equal,
        Comparison::Eq => equal,
        Comparison::Ne => (equal.1, equal.0),
    }
}

/// The integers that `as` gives within `limits`: truncated, saturated, NaN as zero.
pub(super) fn to_integer(x: Floats, limits: Interval) -> Interval {
    // Rust's `as` truncates and saturates.
    let cast = |value: f64| (value as i128).clamp(limits.lo, limits.hi);
    let cut = Interval::new(cast(x.lo), cast(x.hi));
    if x.nan { cut.hull(Interval::point(0)) } else { cut }
}

/// The floats of a type that are nearest to integers.
pub(super) fn from_integer(x: Interval, ty: Type) -> Floats {
    let float = |value: i128| if ty == Type::F64 { value as f64 } else { f64::from(value as f32) };
    Floats { lo: float(x.lo), hi: float(x.hi), nan: false }
}

/// The floats of a type that are nearest to floats of another.
pub(super) fn from_float(x: Floats, ty: Type) -> Floats {
    Floats { lo: rounded(x.lo, ty), hi: rounded(x.hi, ty), nan: x.nan }
}

/// A format of floats: the bits of what it has, and what they say.
struct Format {
    /// How many there are, the sign the highest.
    width: u32,
    /// The bits of the nearest one.
    bits: fn(f64) -> u32,
    float: fn(u32) -> f64,
}

const SINGLE: Format = Format { width: 32, bits: |x| (x as f32).to_bits(), float: |bits| f32::from_bits(bits).into() };
const HALF: Format =
    Format { width: 16, bits: |x| scalar::to_half(x as f32), float: |bits| scalar::from_half(bits).into() };

impl Format {
    /// The bits of floats: within one sign their order is that of the magnitudes; zeros and NaN take either sign.
    fn bits_of(&self, x: Floats) -> Interval {
        let bits = |value: f64| i128::from((self.bits)(value));
        match (x.nan, x.lo > 0.0, x.hi < 0.0) {
            (false, true, _) => Interval { lo: bits(x.lo), hi: bits(x.hi) },
            (false, false, true) => Interval { lo: bits(x.hi), hi: bits(x.lo) },
            (true, ..) | (false, false, false) => Interval { lo: 0, hi: (1 << self.width) - 1 },
        }
    }

    /// The floats of bits.
    fn floats_of(&self, x: Interval) -> Floats {
        let (sign, infinity) = (1i128 << (self.width - 1), i128::from((self.bits)(f64::INFINITY)));
        let float = |bits: i128| (self.float)(bits.clamp(0, (1 << self.width) - 1) as u32);
        if x.lo >= 0 && x.hi <= infinity {
            Floats { lo: float(x.lo), hi: float(x.hi), nan: false }
        } else if x.lo >= sign && x.hi <= sign + infinity {
            Floats { lo: float(x.hi), hi: float(x.lo), nan: false }
        } else {
            Floats::ALL
        }
    }
}

/// `to_bits`.
pub(super) fn to_bits(x: Floats) -> Interval {
    SINGLE.bits_of(x)
}

/// `from_bits`.
pub(super) fn from_bits(x: Interval) -> Floats {
    SINGLE.floats_of(x)
}

/// The bits of the nearest binary16.
pub(super) fn to_half(x: Floats) -> Interval {
    HALF.bits_of(x)
}

/// The value of a binary16 by its bits, which are the lower half of an integer.
pub(super) fn from_half(x: Interval) -> Floats {
    HALF.floats_of(x)
}

/// What `x` is where `x op y` is known to be true (`truth`) or false; `None` where that cannot be.
pub(super) fn refine(op: BinaryOp, truth: bool, ty: Type, [x, y]: [Floats; 2]) -> Option<Floats> {
    let below = Floats { hi: y.hi, nan: false, ..Floats::ALL };
    let above = Floats { lo: y.lo, nan: false, ..Floats::ALL };
    let strictly_below = Floats { hi: next_down(y.hi, ty), ..below };
    let strictly_above = Floats { lo: next_up(y.lo, ty), ..above };
    let known = match (op, truth) {
        (BinaryOp::Lt, true) => strictly_below,
        (BinaryOp::Le, true) => below,
        (BinaryOp::Gt, true) => strictly_above,
        (BinaryOp::Ge, true) => above,
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => Floats { nan: false, ..y },
        // A NaN in `y` makes the comparison false whatever `x` is; one in `x` remains possible.
        (BinaryOp::Lt, false) if !y.nan => Floats { nan: true, ..above },
        (BinaryOp::Le, false) if !y.nan => Floats { nan: true, ..strictly_above },
        (BinaryOp::Gt, false) if !y.nan => Floats { nan: true, ..below },
        (BinaryOp::Ge, false) if !y.nan => Floats { nan: true, ..strictly_below },
        // Not equal, or no comparison: nothing that an interval could say.
        _ => Floats::ALL,
    };
    match x.range().meet(known.range())? {
        Range::Float { lo, hi, nan } => Some(Floats { lo, hi, nan }),
        Range::Int { .. } | Range::Bool { .. } => Some(x),
    }
}

/// The least interval of the corners that are numbers; every number where none is.
fn hull_of(corners: impl IntoIterator<Item = f64>, nan: bool) -> Floats {
    corners
        .into_iter()
        .filter(|corner| !corner.is_nan())
        .map(|corner| Floats { lo: corner, hi: corner, nan })
        .reduce(|a, b| Floats { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), nan })
        .unwrap_or(Floats { nan, ..Floats::ALL })
}

pub(super) fn negate(x: Floats) -> Floats {
    Floats { lo: -x.hi, hi: -x.lo, nan: x.nan }
}

fn magnitude(x: Floats) -> Floats {
    let (a, b) = (x.lo.abs(), x.hi.abs());
    Floats { lo: if x.holds_zero() { 0.0 } else { a.min(b) }, hi: a.max(b), nan: x.nan }
}

fn square_root(ty: Type, x: Floats) -> Floats {
    let nan = x.nan || x.lo < 0.0;
    if x.hi < 0.0 {
        return Floats::ALL;
    }
    Floats { lo: rounded(x.lo.max(0.0).sqrt(), ty), hi: rounded(x.hi.sqrt(), ty), nan }
}

fn add(ty: Type, x: Floats, y: Floats) -> Floats {
    let opposite = |a: Floats, b: Floats| a.lo == f64::NEG_INFINITY && b.hi == f64::INFINITY;
    let nan = x.nan || y.nan || opposite(x, y) || opposite(y, x);
    let (lo, hi) = (rounded(x.lo + y.lo, ty), rounded(x.hi + y.hi, ty));
    // A corner of opposite infinities is NaN; its neighbours can be anything.
    Floats {
        lo: if lo.is_nan() { f64::NEG_INFINITY } else { lo },
        hi: if hi.is_nan() { f64::INFINITY } else { hi },
        nan,
    }
}

/// A corner of zero and infinity is NaN; what lies next to it is between the other corners.
fn multiply(ty: Type, x: Floats, y: Floats) -> Floats {
    let zero_by_infinity = (x.holds_zero() && y.holds_infinity()) || (y.holds_zero() && x.holds_infinity());
    let nan = x.nan || y.nan || zero_by_infinity;
    hull_of([x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi].map(|product| rounded(product, ty)), nan)
}

fn square(ty: Type, x: Floats) -> Floats {
    let magnitude = magnitude(x);
    let square = |bound: f64| rounded(bound * bound, ty);
    Floats { lo: square(magnitude.lo), hi: square(magnitude.hi), nan: x.nan }
}

fn divide(ty: Type, x: Floats, y: Floats) -> Floats {
    let infinite = x.holds_infinity() && y.holds_infinity();
    let nan = x.nan || y.nan || infinite || (x.holds_zero() && y.holds_zero());
    if y.holds_zero() {
        return Floats { nan, ..Floats::ALL };
    }
    hull_of([x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi].map(|quotient| rounded(quotient, ty)), nan)
}

/// maximumNumber: where one side is NaN, the other is the result.
fn maximum(x: Floats, y: Floats) -> Floats {
    let both = Floats { lo: x.lo.max(y.lo), hi: x.hi.max(y.hi), nan: x.nan && y.nan };
    let lo = match (x.nan, y.nan) {
        (false, false) => both.lo,
        (true, false) => y.lo,
        (false, true) => x.lo,
        (true, true) => x.lo.min(y.lo),
    };
    Floats { lo, ..both }
}
