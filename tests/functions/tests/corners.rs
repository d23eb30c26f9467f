//! Zeros, infinities, NaN and the ends of the domains: what IEEE 754-2019 recommends in §9.2.

use core::f32::consts::{FRAC_PI_2, PI};
use windrow::reference::functions::*;
use windrow_function_tests::measure::same;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// The least float above zero.
const TINY: f32 = 1e-45;

#[track_caller]
fn check(name: &str, found: f32, expected: f32) {
    assert!(same(found, expected), "{name}: {found:?}, and not {expected:?}");
}

#[test]
fn functions_of_one_number() {
    type Row = (&'static str, fn(f32) -> f32, &'static [(f32, f32)]);
    let rows: [Row; 11] = [
        ("exp", exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (TINY, 1.0), (88.8, INF), (-104.0, 0.0)]),
        (
            "exp2",
            exp2,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (128.0, INF), (-149.0, TINY), (-150.5, 0.0)],
        ),
        ("ln", ln, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-TINY, NAN), (-INF, NAN)]),
        ("log2", log2, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (TINY, -149.0), (-INF, NAN)]),
        ("rsqrt", rsqrt, &[(0.0, INF), (-0.0, -INF), (1.0, 1.0), (INF, 0.0), (-1.0, NAN), (-INF, NAN), (0.25, 2.0)]),
        (
            "tanh",
            tanh,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (TINY, TINY), (-TINY, -TINY), (20.0, 1.0)],
        ),
        ("sigmoid", sigmoid, &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (TINY, 0.5), (20.0, 1.0)]),
        ("erf", erf, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (TINY, TINY), (-TINY, -TINY), (4.0, 1.0)]),
        ("sin", sin, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (TINY, TINY), (-TINY, -TINY)]),
        ("cos", cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (TINY, 1.0)]),
        ("atan", atan, &[(0.0, 0.0), (-0.0, -0.0), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (TINY, TINY), (-TINY, -TINY)]),
    ];
    for (name, function, values) in rows {
        for (x, expected) in values {
            check(&format!("{name} of {x:?}"), function(*x), *expected);
        }
        check(&format!("{name} of NaN"), function(NAN), NAN);
        check(&format!("{name} of a signalling NaN"), function(f32::from_bits(0xff80_0001)), NAN);
    }
}

#[test]
fn powers_of_two_are_exact() {
    for n in -149..128i16 {
        let power =
            if n < -126 { f32::from_bits(1 << (n + 149)) } else { f32::from_bits(((i32::from(n) + 127) << 23) as u32) };
        check(&format!("2^{n}"), exp2(f32::from(n)), power);
        check(&format!("log2 of 2^{n}"), log2(power), f32::from(n));
        check(&format!("2 to the power {n}"), powf(2.0, f32::from(n)), power);
    }
}

/// y, x, atan2.
#[test]
fn directions() {
    let quarter = [
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, 1.0, 0.0),
        (0.0, -1.0, PI),
        (1.0, 0.0, FRAC_PI_2),
        (1.0, -0.0, FRAC_PI_2),
        (1.0, INF, 0.0),
        (1.0, -INF, PI),
        (INF, 1.0, FRAC_PI_2),
        (INF, -1.0, FRAC_PI_2),
        (TINY, f32::MAX, 0.0),
        (f32::MAX, TINY, FRAC_PI_2),
    ];
    for (y, x, expected) in quarter {
        check(&format!("atan2 of {y:?} and {x:?}"), atan2(y, x), expected);
        check(&format!("atan2 of {:?} and {x:?}", -y), atan2(-y, x), -expected);
    }
    // Diagonals, to one unit of the last place.
    for (y, x, expected) in
        [(1.0, 1.0, 0.25), (INF, INF, 0.25), (TINY, TINY, 0.25), (1.0, -1.0, 0.75), (INF, -INF, 0.75)]
    {
        let (found, expected) = (f64::from(atan2(y, x)), expected * core::f64::consts::PI);
        assert!((found - expected).abs() < 2.0 * f64::from(f32::EPSILON), "atan2 of {y:?} and {x:?}: {found}");
        check(&format!("atan2 of {:?} and {x:?}", -y), atan2(-y, x), -atan2(y, x));
    }
    for other in [0.0, 1.0, -1.0, INF, NAN] {
        check("atan2 of NaN", atan2(NAN, other), NAN);
        check("atan2 to NaN", atan2(other, NAN), NAN);
    }
}

/// The table of `pow` in IEEE 754-2019, §9.2.1.
#[test]
fn powers() {
    let all = [0.0, -0.0, TINY, -TINY, 0.5, -0.5, 1.0, -1.0, 1.5, -2.0, 3.0, -3.0, 1e30, -1e30, INF, -INF, NAN];
    for v in all {
        for zero in [0.0, -0.0] {
            check(&format!("{v:?} to the power of {zero:?}"), powf(v, zero), 1.0);
        }
        check(&format!("1 to the power of {v:?}"), powf(1.0, v), 1.0);
    }
    let rows = [
        // Zeros to odd powers, and to others.
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (0.0, -2.0, INF),
        (-0.0, -2.0, INF),
        (-0.0, -0.5, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (-0.0, INF, 0.0),
        (-0.0, -16_777_216.0, INF),
        // -1 to infinite powers, and magnitudes on both sides of 1.
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.5, INF, 0.0),
        (-0.5, INF, 0.0),
        (2.0, INF, INF),
        (-2.0, INF, INF),
        (0.5, -INF, INF),
        (-0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (-2.0, -INF, 0.0),
        // Infinities.
        (INF, 0.5, INF),
        (INF, -0.5, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, 0.5, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, -0.5, 0.0),
        (INF, INF, INF),
        (-INF, -INF, 0.0),
        // Negative numbers: integers, and what is not one.
        (-2.0, 3.0, -8.0),
        (-2.0, 4.0, 16.0),
        (-8.0, -1.0, -0.125),
        (-2.0, 0.5, NAN),
        (-TINY, 1.5, NAN),
        (-1.0, 16_777_215.0, -1.0),
        (-1.0, 16_777_216.0, 1.0),
        (-1.0, 8_388_607.5, NAN),
        (-2.0, -1.5, NAN),
        // NaN.
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (-1.0, NAN, NAN),
        (0.0, NAN, NAN),
        (INF, NAN, NAN),
        (NAN, INF, NAN),
        // Overflow, underflow, and a denormal.
        (1e20, 2.0, INF),
        (-1e20, 3.0, -INF),
        (1e-30, 2.0, 0.0),
        (-1e-30, 3.0, -0.0),
        (2.0, -149.0, TINY),
        (TINY, 1.0, TINY),
    ];
    for (x, y, expected) in rows {
        check(&format!("{x:?} to the power of {y:?}"), powf(x, y), expected);
    }
}

/// Multiples of π/2 that a float comes nearest to, and very large angles: one bit of 2/π too few would show.
#[test]
fn angles_that_are_hard_to_reduce() {
    for x in [
        16_367_173.0 * f32::from_bits((72 + 127) << 23),
        1.177_183_4e27,
        2.387_687e28,
        7.931_297e29,
        f32::MAX,
        6.303_87e28,
    ] {
        let x: f32 = x;
        for (name, found, exact) in [("sin", sin(x), f64::from(x).sin()), ("cos", cos(x), f64::from(x).cos())] {
            let error = windrow_function_tests::measure::error(found, exact);
            assert!(error < 1.5, "{name} of {x:e}: {found:e}, and not {exact:e}");
        }
    }
}
