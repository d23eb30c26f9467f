//! The builtin table: every method that a scalar value has, on which types, and what it lowers to.
//!
//! Inference, lowering and the language reference read it. Adding a builtin begins with a row here.

use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::legal::{self, Support};
use crate::ir::{BinaryOp, CastMode, Kind, Type, Types, UnaryOp};

/// A set of receiver types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receivers {
    /// u8, u16, u32, u64.
    pub unsigned: bool,
    /// i8, i16, i32, i64.
    pub signed: bool,
    /// f32, f64.
    pub float: bool,
    /// `usize`, where the answer does not depend on its width.
    pub usize: bool,
}

impl Receivers {
    /// Whether a type of elements is one of them.
    pub fn contain(self, ty: Type) -> bool {
        match ty.kind() {
            Kind::Unsigned => self.unsigned,
            Kind::Signed => self.signed,
            Kind::Float | Kind::Brain => self.float,
            Kind::Bool => false,
        }
    }
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value of the receiver's type.
    Same,
    /// A number of bits: u32.
    Bits,
}

/// What a method returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// The receiver's type.
    Same,
    /// The unsigned type of the receiver's width.
    Unsigned,
    /// This type.
    Fixed(Type),
    /// The type that the context asks for, or that stands in `::<..>`.
    Target,
}

/// What a method becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// A unary operation.
    Unary(UnaryOp),
    /// A binary operation.
    Binary(BinaryOp),
    /// `MulAdd`.
    MulAdd,
    /// `x << n | x >> (width - n)`, on the bits as an unsigned number.
    RotateLeft,
    /// The greater with the lower bound, then the lesser with the upper one; the bounds are an obligation.
    Clamp,
    /// A conversion.
    Cast(CastMode),
    /// The operations of the function of the method's name ([`crate::functions`]).
    Function(&'static str),
}

impl Lowering {
    /// The families of targets that lack it for values of a type, in words; none where all have it. Conversions depend on
    /// another type too.
    pub fn lacked_by(self, ty: Type) -> Option<String> {
        let (row, ty) = match self {
            Self::Unary(op) => (legal::unary_row(op), ty),
            Self::Binary(op) => (legal::binary_row(op), ty),
            Self::Clamp => (legal::binary_row(BinaryOp::Min), ty),
            Self::MulAdd | Self::Function(_) => (Support::all(Types::FLOATS), ty),
            Self::RotateLeft => (legal::binary_row(BinaryOp::Shr), ty.unsigned()),
            Self::Cast(_) => return None,
        };
        row.lacked_by(ty)
    }
}

/// The types of elements that a method or an operator takes, in words: those of `receivers` that all targets have it for.
pub fn types_in_words(receivers: Receivers, lowering: Lowering) -> String {
    let has = |ty: &Type| receivers.contain(*ty) && lowering.lacked_by(*ty).is_none();
    let widest =
        |kind: Kind| [8, 16, 32, 64].into_iter().rev().find(|&bits| Type::of(kind, bits).is_some_and(|ty| has(&ty)));
    let up_to = |word: &str, bits: u32| match bits {
        64 => word.to_owned(),
        bits => format!("{word} of up to {bits} bits"),
    };
    let mut words = match (widest(Kind::Unsigned), widest(Kind::Signed)) {
        (Some(unsigned), Some(signed)) if unsigned == signed => vec![up_to("integers", signed)],
        (unsigned, signed) => {
            let sides = [("unsigned integers", unsigned), ("signed integers", signed)];
            sides.into_iter().filter_map(|(word, bits)| Some(up_to(word, bits?))).collect()
        }
    };
    words.extend([Type::F32, Type::F64].iter().filter(|ty| has(ty)).map(|ty| ty.name().to_owned()));
    list(&words)
}

/// `a, b and c`.
pub fn list(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::from("no type"),
    }
}

/// Where Rust finds the method: it decides whether a literal of unknown type may be the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An inherent method of the primitive type.
    Inherent,
    /// A method of a trait: `Ord`'s, or one of windrow's prelude.
    Trait,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The types that have it.
    pub receivers: Receivers,
    /// What it takes besides the receiver.
    pub arguments: &'static [Argument],
    /// What it gives.
    pub result: ResultType,
    /// What it becomes.
    pub lowering: Lowering,
    /// Where Rust finds it.
    pub origin: Origin,
    /// What it means, for the language reference.
    pub doc: &'static str,
}

/// The row of this name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

const fn receivers(unsigned: bool, signed: bool, float: bool, usize: bool) -> Receivers {
    Receivers { unsigned, signed, float, usize }
}

const INTS: Receivers = receivers(true, true, false, false);
const INTS_AND_USIZE: Receivers = receivers(true, true, false, true);
const ALL: Receivers = receivers(true, true, true, true);
const UNSIGNED: Receivers = receivers(true, false, false, true);
const SIGNED: Receivers = receivers(false, true, false, false);
const SIGNED_AND_FLOAT: Receivers = receivers(false, true, true, false);
const FLOAT: Receivers = receivers(false, false, true, false);
const NUMBERS: Receivers = receivers(true, true, true, false);

const NONE: &[Argument] = &[];
const ONE: &[Argument] = &[Argument::Same];
const TWO: &[Argument] = &[Argument::Same, Argument::Same];
const BITS: &[Argument] = &[Argument::Bits];

use Lowering::{Binary, Cast, Clamp, Function, MulAdd, RotateLeft, Unary};
use Origin::{Inherent, Trait};
use ResultType::{Fixed, Same, Target, Unsigned};

macro_rules! methods {
    ($($name:literal $receivers:ident ($arguments:ident) -> $result:expr, $lowering:expr, $origin:ident, $doc:literal;)*) => {
        /// The table.
        pub const METHODS: &[Method] = &[$(Method {
            name: $name, receivers: $receivers, arguments: $arguments, result: $result,
            lowering: $lowering, origin: $origin, doc: $doc,
        }),*];
    };
}

methods! {
    "min"                 ALL (ONE) -> Same, Binary(BinaryOp::Min), Trait, "the lesser; of floats the one that is a number, -0.0 below +0.0";
    "max"                 ALL (ONE) -> Same, Binary(BinaryOp::Max), Trait, "the greater; of floats the one that is a number, -0.0 below +0.0";
    "clamp"               ALL (TWO) -> Same, Clamp, Trait, "the nearest value from the first bound to the second";
    "abs_diff"            INTS_AND_USIZE (ONE) -> Unsigned, Binary(BinaryOp::AbsDiff), Inherent, "|a - b|, exact";
    "abs"                 SIGNED_AND_FLOAT (NONE) -> Same, Unary(UnaryOp::Abs(Never)), Inherent, "the magnitude";
    "unsigned_abs"        SIGNED (NONE) -> Unsigned, Unary(UnaryOp::UnsignedAbs), Inherent, "the magnitude, exact";
    "signum"              SIGNED (NONE) -> Same, Unary(UnaryOp::Signum), Inherent, "-1, 0 or 1";
    "wrapping_add"        INTS (ONE) -> Same, Binary(BinaryOp::Add(Wrap)), Inherent, "a + b modulo 2^width";
    "wrapping_sub"        INTS (ONE) -> Same, Binary(BinaryOp::Sub(Wrap)), Inherent, "a - b modulo 2^width";
    "wrapping_mul"        INTS (ONE) -> Same, Binary(BinaryOp::Mul(Wrap)), Inherent, "a * b modulo 2^width";
    "wrapping_neg"        INTS (NONE) -> Same, Unary(UnaryOp::Neg(Wrap)), Inherent, "-a modulo 2^width";
    "wrapping_abs"        SIGNED (NONE) -> Same, Unary(UnaryOp::Abs(Wrap)), Inherent, "the magnitude modulo 2^width: MIN stays MIN";
    "wrapping_shl"        INTS (BITS) -> Same, Binary(BinaryOp::Shl(Wrap)), Inherent, "bits leave on the left; the amount modulo the width";
    "rotate_left"         INTS (BITS) -> Same, RotateLeft, Inherent, "the bits that leave on the left come back on the right; the amount modulo the width";
    "saturating_add"      INTS (ONE) -> Same, Binary(BinaryOp::Add(Saturate)), Inherent, "the value of the type nearest to a + b";
    "saturating_sub"      INTS_AND_USIZE (ONE) -> Same, Binary(BinaryOp::Sub(Saturate)), Inherent, "the value of the type nearest to a - b";
    "saturating_mul"      INTS (ONE) -> Same, Binary(BinaryOp::Mul(Saturate)), Inherent, "the value of the type nearest to a * b";
    "saturating_neg"      SIGNED (NONE) -> Same, Unary(UnaryOp::Neg(Saturate)), Inherent, "the value of the type nearest to -a";
    "saturating_abs"      SIGNED (NONE) -> Same, Unary(UnaryOp::Abs(Saturate)), Inherent, "the value of the type nearest to |a|";
    "halving_add"         INTS (ONE) -> Same, Binary(BinaryOp::HalvingAdd), Trait, "(a + b) / 2 rounded down, exact inside";
    "rounding_halving_add" INTS (ONE) -> Same, Binary(BinaryOp::RoundingHalvingAdd), Trait, "(a + b + 1) / 2 rounded down, exact inside";
    "mul_high"            INTS (ONE) -> Same, Binary(BinaryOp::MulHigh), Trait, "the upper half of the product of double width";
    "rounding_shr"        INTS (BITS) -> Same, Binary(BinaryOp::RoundingShr), Trait, "a / 2^n rounded to nearest, halves up, exact inside";
    "isqrt"               UNSIGNED (NONE) -> Same, Unary(UnaryOp::Isqrt), Inherent, "the square root, rounded down";
    "count_ones"          INTS (NONE) -> Fixed(Type::U32), Unary(UnaryOp::CountOnes), Inherent, "how many bits are 1";
    "leading_zeros"       INTS (NONE) -> Fixed(Type::U32), Unary(UnaryOp::LeadingZeros), Inherent, "how many bits above the highest 1 are 0";
    "trailing_zeros"      INTS (NONE) -> Fixed(Type::U32), Unary(UnaryOp::TrailingZeros), Inherent, "how many bits below the lowest 1 are 0";
    "sqrt"                FLOAT (NONE) -> Same, Unary(UnaryOp::Sqrt), Inherent, "the square root, correctly rounded";
    "floor"               FLOAT (NONE) -> Same, Unary(UnaryOp::Floor), Inherent, "rounded down";
    "ceil"                FLOAT (NONE) -> Same, Unary(UnaryOp::Ceil), Inherent, "rounded up";
    "trunc"               FLOAT (NONE) -> Same, Unary(UnaryOp::Trunc), Inherent, "rounded toward zero";
    "round_ties_even"     FLOAT (NONE) -> Same, Unary(UnaryOp::RoundTiesEven), Inherent, "rounded to nearest, ties to even";
    "mul_add"             FLOAT (TWO) -> Same, MulAdd, Inherent, "a * b + c with one rounding";
    "exp"                 FLOAT (NONE) -> Same, Function("exp"), Trait, "e^a";
    "exp2"                FLOAT (NONE) -> Same, Function("exp2"), Trait, "2^a, exact for integers";
    "ln"                  FLOAT (NONE) -> Same, Function("ln"), Trait, "the natural logarithm";
    "log2"                FLOAT (NONE) -> Same, Function("log2"), Trait, "the logarithm to the base 2, exact for powers of two";
    "powf"                FLOAT (ONE) -> Same, Function("powf"), Trait, "a^b, with IEEE 754's results for zeros, infinities and NaN";
    "rsqrt"               FLOAT (NONE) -> Same, Function("rsqrt"), Trait, "1 / the square root";
    "tanh"                FLOAT (NONE) -> Same, Function("tanh"), Trait, "the hyperbolic tangent";
    "sigmoid"             FLOAT (NONE) -> Same, Function("sigmoid"), Trait, "1 / (1 + e^-a)";
    "erf"                 FLOAT (NONE) -> Same, Function("erf"), Trait, "the error function";
    "sin"                 FLOAT (NONE) -> Same, Function("sin"), Trait, "the sine of an angle in radians, however large";
    "cos"                 FLOAT (NONE) -> Same, Function("cos"), Trait, "the cosine of an angle in radians, however large";
    "atan"                FLOAT (NONE) -> Same, Function("atan"), Trait, "the arc tangent in radians";
    "atan2"               FLOAT (ONE) -> Same, Function("atan2"), Trait, "the angle of the point (b, a) in radians, from -π to π";
    "is_nan"              FLOAT (NONE) -> Fixed(Type::BOOL), Unary(UnaryOp::IsNan), Inherent, "whether it is not a number";
    "to_bits"             FLOAT (NONE) -> Fixed(Type::U32), Unary(UnaryOp::ToBits), Inherent, "the bits of the value";
    "saturating_cast"     NUMBERS (NONE) -> Target, Cast(CastMode::Saturating), Trait, "the nearest value of the type asked for";
    "wrapping_cast"       INTS (NONE) -> Target, Cast(CastMode::Wrapping), Trait, "the value modulo 2^width of the type asked for";
    "cast"                NUMBERS (NONE) -> Target, Cast(CastMode::Value), Trait, "as `as`, to the type asked for; a half to f32, which is exact, and f32 to the nearest half";
}

/// Whether `to::from(value)` exists: every value fits.
pub fn from_is_lossless(from: Type, to: Type) -> bool {
    let digits = |ty: Type| match ty {
        Type::F32 => 24,
        Type::F64 => 53,
        _ => ty.bits() - u32::from(ty.is_signed()),
    };
    let negative = |ty: Type| ty.is_signed() || ty.is_float();
    match (from, to) {
        (a, b) if a == b => true,
        (half, to) if half.is_half() => to == Type::F32,
        (_, half) if half.is_half() => false,
        (Type::F32, Type::F64) => true,
        (Type::F32 | Type::F64, _) | (_, Type::BOOL) => false,
        (a, b) => digits(a) <= digits(b) && (!negative(a) || negative(b)),
    }
}

/// The named constants of a type, such as `u8::MAX`.
pub fn associated_constant(ty: Type, name: &str) -> Option<(crate::ir::Constant, Type)> {
    use crate::ir::Constant::{Double, Float, Int};
    let float = |value: f32| Some((Float(value.to_bits()), Type::F32));
    let double = |value: f64| Some((Double(value.to_bits()), Type::F64));
    match (ty, name) {
        (Type::BOOL, _) => None,
        (Type::F32, "MAX") => float(f32::MAX),
        (Type::F32, "MIN") => float(f32::MIN),
        (Type::F32, "INFINITY") => float(f32::INFINITY),
        (Type::F32, "NEG_INFINITY") => float(f32::NEG_INFINITY),
        (Type::F32, "NAN") => float(f32::NAN),
        (Type::F32, "EPSILON") => float(f32::EPSILON),
        (Type::F32, "MIN_POSITIVE") => float(f32::MIN_POSITIVE),
        (Type::F64, "MAX") => double(f64::MAX),
        (Type::F64, "MIN") => double(f64::MIN),
        (Type::F64, "INFINITY") => double(f64::INFINITY),
        (Type::F64, "NEG_INFINITY") => double(f64::NEG_INFINITY),
        (Type::F64, "NAN") => double(f64::NAN),
        (Type::F64, "EPSILON") => double(f64::EPSILON),
        (Type::F64, "MIN_POSITIVE") => double(f64::MIN_POSITIVE),
        (Type::F32 | Type::F64, _) => None,
        (ty, _) if ty.is_half() => half_constant(ty, name).map(|bits| (Int(bits.into()), ty)),
        (_, "MAX") => Some((Int(ty.limits().1), ty)),
        (_, "MIN") => Some((Int(ty.limits().0), ty)),
        (_, "BITS") => Some((Int(i128::from(ty.bits())), Type::U32)),
        (_, _) => None,
    }
}

/// The bits of a named constant of halves.
fn half_constant(ty: Type, name: &str) -> Option<u16> {
    let [half, brain] = match name {
        "ZERO" => [0, 0],
        "ONE" => [0x3c00, 0x3f80],
        "MAX" => [0x7bff, 0x7f7f],
        "MIN" => [0xfbff, 0xff7f],
        "INFINITY" => [0x7c00, 0x7f80],
        "NEG_INFINITY" => [0xfc00, 0xff80],
        "NAN" => [0x7e00, 0x7fc0],
        "EPSILON" => [0x1400, 0x3c00],
        "MIN_POSITIVE" => [0x0400, 0x0080],
        _ => return None,
    };
    Some(if ty == Type::F16 { half } else { brain })
}

/// The constants of a module of floats, `core::f32::consts` or `core::f64::consts`.
macro_rules! float_constants {
    ($($name:ident),*) => {
        /// `core::f32::consts` and `core::f64::consts`.
        pub const FLOAT_CONSTANTS: &[(&str, f32, f64)] =
            &[$((stringify!($name), core::f32::consts::$name, core::f64::consts::$name)),*];
    };
}

float_constants! {
    E, FRAC_1_PI, FRAC_1_SQRT_2, FRAC_2_PI, FRAC_2_SQRT_PI, FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, FRAC_PI_8, LN_10, LN_2, LOG10_2, LOG10_E, LOG2_10, LOG2_E, PI, SQRT_2, TAU
}

/// The closed enums of the prelude, for `#[variant]`.
pub const ENUMS: &[(&str, &[&str])] = &[
    ("Overflow", &["Wrap", "Saturate"]),
    ("Rounding", &["TowardZero", "NearestEven"]),
    ("Rank", &["Min", "Median", "Max"]),
];
