//! Methods of Rust's numbers that a kernel lacks, and what to write instead.

/// Families of names, by how they begin.
const FAMILIES: [(&str, &str); 4] = [
    ("checked_", "nothing fails here: let the proof show that the operator fits, or say `wrapping_` or `saturating_`"),
    ("overflowing_", "use the `wrapping_` method, and compare to see whether it wrapped"),
    ("unwrap", "remove it: nothing fails here"),
    ("sort", "compare and exchange: `let (a, b) = (a.min(b), a.max(b));` for each pair of a sorting network"),
];

/// Single names.
#[rustfmt::skip]
const NAMES: [(&str, &str); 45] = [
    ("pow",              "multiply it out: `a * a`"),
    ("powi",             "multiply it out, `a * a`, or write `.powf(..)` with an exponent that is a float"),
    ("exp_m1",           "write `a.exp() - 1.0`, which has few digits near 0"),
    ("ln_1p",            "write `(a + 1.0).ln()`, which has few digits near 0"),
    ("log",              "write `a.ln() / b.ln()`, or `.ln()` and `.log2()` for these bases"),
    ("log10",            "write `a.log2() * core::f32::consts::LOG10_2`"),
    ("cbrt",             "write `.powf(1.0 / 3.0)` of its magnitude, and give the root the sign"),
    ("hypot",            "write `(a * a + b * b).sqrt()`"),
    ("sin_cos",          "write `(a.sin(), a.cos())`: what they have in common is computed once"),
    ("tan",              "write `a.sin() / a.cos()`: what they have in common is computed once"),
    ("asin",             "write `a.atan2((1.0 - a * a).sqrt())`"),
    ("acos",             "write `(1.0 - a * a).sqrt().atan2(a)`"),
    ("sinh",             "write `(a.exp() - (-a).exp()) * 0.5`, which has few digits near 0"),
    ("cosh",             "write `(a.exp() + (-a).exp()) * 0.5`"),
    ("asinh",            "write `(a + (a * a + 1.0).sqrt()).ln()`"),
    ("acosh",            "write `(a + (a * a - 1.0).sqrt()).ln()`"),
    ("atanh",            "write `((1.0 + a) / (1.0 - a)).ln() * 0.5`"),
    ("gamma",            "compute its values beforehand, and look them up in a `lut: Table<f32, 256>`"),
    ("ln_gamma",         "compute its values beforehand, and look them up in a `lut: Table<f32, 256>`"),
    ("to_radians",       "write `a * (core::f32::consts::PI / 180.0)`"),
    ("to_degrees",       "write `a * (180.0 / core::f32::consts::PI)`"),
    ("unwrap_or_default", "write what stands for an element that is not there: `.unwrap_or(0)`"),
    ("into",             "name the type: `.. as u16`, or `u16::from(..)`"),
    ("try_into",         "say what happens to a value that does not fit: `.saturating_cast()`"),
    ("clone",            "remove it: everything here is `Copy`"),
    ("to_owned",         "remove it: everything here is `Copy`"),
    ("round",            "write `.round_ties_even()`, which takes a half to the even neighbour; `(a + 0.5).floor()` takes it up"),
    ("fract",            "write `a - a.trunc()`"),
    ("recip",            "write `1.0 / a`"),
    ("copysign",         "choose by the sign's bit: `if b.to_bits() >> 31 == 0 { a.abs() } else { -a.abs() }`"),
    ("is_finite",        "write `a.abs() < f32::INFINITY`"),
    ("is_infinite",      "write `a.abs() == f32::INFINITY`"),
    ("is_sign_negative", "write `a.to_bits() >> 31 != 0`"),
    ("is_positive",      "write `a > 0`"),
    ("is_negative",      "write `a < 0`"),
    ("div_euclid",       "by a power of two it is `a >> n`; of values that can't be negative, `/`"),
    ("rem_euclid",       "by a power of two it is `a & (2^n - 1)`; of values that can't be negative, `%`"),
    ("div_ceil",         "write `(a + (b - 1)) / b`"),
    ("wrapping_shr",     "write `a >> (n & 7)`, with the width less one"),
    ("rotate_right",     "write `a.rotate_left(..)` by the width less the amount"),
    ("midpoint",         "write `a.halving_add(b)`, which rounds down"),
    ("is_power_of_two",  "write `a.count_ones() == 1`"),
    ("ilog2",            "write `31 - a.leading_zeros()` of a u32 that is not 0"),
    ("sum",              "write a `for` loop, or `fold(0, |sum, v| sum + v)`"),
    ("product",          "write a `for` loop, or `fold(1, |product, v| product * v)`"),
];

/// What to write instead of a method.
pub(super) fn instead(method: &str) -> Option<&'static str> {
    let family = || FAMILIES.iter().find(|(start, _)| method.starts_with(start));
    NAMES.iter().find(|(name, _)| *name == method).or_else(family).map(|(_, help)| *help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins;

    #[test]
    fn what_the_language_has_needs_nothing_instead() {
        for method in builtins::METHODS {
            assert_eq!(instead(method.name), None, "{}", method.name);
        }
    }

    #[test]
    fn names_have_their_own_way() {
        assert!(["pow", "powi"].iter().all(|name| instead(name).is_some_and(|help| help.contains("a * a"))));
        assert!(instead("round").is_some_and(|help| help.contains("floor")));
        // On an element that may be missing something can fail.
        assert!(instead("unwrap_or_default").is_some_and(|help| help.contains(".unwrap_or(0)")));
    }

    #[test]
    fn families_are_found_by_their_start() {
        assert!(instead("checked_mul").is_some() && instead("unwrap_or").is_some() && instead("sinh").is_some());
    }
}
