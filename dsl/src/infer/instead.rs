//! Methods of Rust's numbers that a kernel lacks, and what to write instead.

/// The functions of floats whose last bits differ from library to library.
const TRANSCENDENTAL: [&str; 26] = [
    "powf", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "cbrt", "hypot", "sin", "cos", "tan",
    "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma",
];

/// Families of names, by how they begin.
const FAMILIES: [(&str, &str); 4] = [
    ("checked_", "nothing fails here: let the proof show that the operator fits, or say `wrapping_` or `saturating_`"),
    ("overflowing_", "use the `wrapping_` method, and compare to see whether it wrapped"),
    ("unwrap", "remove it: nothing fails here"),
    ("sort", "compare and exchange: `let (a, b) = (a.min(b), a.max(b));` for each pair of a sorting network"),
];

/// Single names.
#[rustfmt::skip]
const NAMES: [(&str, &str); 25] = [
    ("pow",              "multiply it out: `a * a`"),
    ("powi",             "multiply it out: `a * a`"),
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
    if TRANSCENDENTAL.contains(&method) {
        let help = "no target computes it to the same bits: compute its values beforehand, and look them up in a \
                    `lut: Table<f32, 256>`";
        return Some(help);
    }
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
    fn a_power_by_an_integer_is_a_product() {
        assert!(["pow", "powi"].iter().all(|name| instead(name).is_some_and(|help| help.contains("a * a"))));
        assert!(instead("round").is_some_and(|help| help.contains("floor")));
    }

    #[test]
    fn families_are_found_by_their_start() {
        assert!(instead("checked_mul").is_some() && instead("unwrap_or").is_some() && instead("tanh").is_some());
    }
}
