//! Names that mean nothing, and calls that don't fit.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: UNKNOWN_NAME,
            at: "K",
            wrong: "const K: u8 = 3; #[kernel] fn f(k: u8, a: u8) -> u8 { a.max(K) }",
            right: "#[kernel] fn f(k: u8, a: u8) -> u8 { const K: u8 = 3; a.max(K) }",
        },
        Case {
            message: UNKNOWN_NAME,
            at: "lavel",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let level = a; lavel }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let level = a; level }",
        },
        Case {
            message: UNKNOWN_NAME,
            at: "u8::MAXIMUM",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { u8::MAXIMUM }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { u8::MAX }",
        },
        Case {
            message: UNKNOWN_NAME,
            at: "PIE",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { (core::f32::consts::PIE * a as f32) as u8 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (core::f32::consts::PI * a as f32) as u8 }",
        },
        Case {
            message: UNKNOWN_FUNCTION,
            at: "hlaf",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn half(v: u8) -> u8 { v / 2 } hlaf(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn half(v: u8) -> u8 { v / 2 } half(a) }",
        },
        Case {
            message: UNKNOWN_FUNCTION,
            at: "min",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { min(a, b) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.min(b) }",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "abs_dif",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_dif(b) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "pow",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.pow(2) }",
            right: "",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "iter",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut s = 0; for v in [1, 2].iter() { s += 1; } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut s = 0; for v in [1, 2].into_iter() { s += 1; } a }",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "get",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.get(0, 0) }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: METHOD_TYPE,
            at: "unsigned_abs",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.unsigned_abs() }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a as i16).unsigned_abs() as u8 }",
        },
        Case {
            message: METHOD_FLOAT_ONLY,
            at: "sqrt",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.sqrt() }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a as f32).sqrt() as u8 }",
        },
        Case {
            message: RECEIVER_UNKNOWN,
            at: "v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v| v.min(3); f(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8| v.min(3); f(a) }",
        },
        Case {
            message: RECEIVER_AMBIGUOUS,
            at: "2",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 2.abs_diff(3); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 2_u8.abs_diff(3); a }",
        },
        Case {
            message: RECEIVER_AMBIGUOUS,
            at: "2.0",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 2.0.sqrt(); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 2.0_f32.sqrt(); a }",
        },
        Case {
            message: TYPE_UNKNOWN,
            at: "v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8; a }",
        },
        Case {
            message: TYPE_UNKNOWN,
            at: "v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v| a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8| a; a }",
        },
        Case {
            message: RESULT_UNKNOWN,
            at: "(a as i16).saturating_cast()",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = (a as i16).saturating_cast(); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8 = (a as i16).saturating_cast(); a }",
        },
        Case {
            message: RESULT_UNKNOWN,
            at: "(a as i16).wrapping_cast()",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a as i16).wrapping_cast(); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a as i16).wrapping_cast::<u8>(); a }",
        },
        Case {
            message: ARGUMENTS,
            at: "abs_diff",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_diff() }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
        },
        Case {
            message: ARGUMENTS,
            at: "get",
            wrong: "#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src.get(y, x).unwrap_or(0) }",
            right: "#[kernel] fn f([y, x]: At<2>, src: View<u8>) -> u8 { src.get([y, x]).unwrap_or(0) }",
        },
        Case {
            message: ARGUMENTS,
            at: "f(a)",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8, w: u8| v; f(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8, w: u8| v; f(a, b) }",
        },
        Case {
            message: NOT_CALLABLE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a(b) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: NOT_INDEXABLE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a[0] }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { [a][0] }",
        },
        Case {
            message: NOT_ITERABLE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in a { } b }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in [a] { } b }",
        },
        Case {
            message: REDUCTION_RANGE,
            at: "[a, 1]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { least([a, 1], |i| i).min(b) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { least(0..a, |i| i).min(b) }",
        },
        Case {
            message: REDUCTION_STATE,
            at: "|i| { last = i; i }",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut last = b; least(0..a, |i| { last = i; i }).min(last) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { least(0..a, |i| { let mut last = b; last = i; last }) }",
        },
        Case {
            message: REDUCTION_TERM,
            at: "|i| i > b",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { greatest(0..a, |i| i > b) as u8 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { greatest(0..a, |i| (i > b) as u8) }",
        },
        Case {
            message: ITERATOR_METHOD,
            at: "fitler",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = (0..3).fitler(|i| i > 1); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in (0..3).skip(2) { } a }",
        },
        Case {
            message: OPEN_RANGE,
            at: "0..",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0.. { } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { } a }",
        },
        Case {
            message: STEP_OF_ZERO,
            at: "0",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in (0..3).step_by(0) { } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in (0..3).step_by(1) { } a }",
        },
        Case {
            message: ENUM_VALUE,
            at: "Wrpa",
            wrong: "#[kernel] fn f(a: u8, #[variant] policy: Overflow) -> u8 { match policy { Overflow::Wrpa => a, Overflow::Saturate => a } }",
            right: "#[kernel] fn f(a: u8, #[variant] policy: Overflow) -> u8 { match policy { Overflow::Wrap => a, Overflow::Saturate => a } }",
        },
        Case {
            message: IMMUTABLE,
            at: "sum",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let sum = a; sum = b; sum }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut sum = a; sum = b; sum }",
        },
        Case {
            message: IMMUTABLE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a = b; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut v = a; v = b; v }",
        },
        Case {
            message: UNINITIALISED,
            at: "v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v; if a > b { v = 1; } v }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut v = 0; if a > b { v = 1; } v }",
        },
        Case {
            message: NOT_A_PLACE,
            at: "a + b",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a + b = 3; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut v = a; v = 3; v }",
        },
        Case {
            message: NOT_A_PLACE,
            at: "C",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { const C: u8 = 1; C = 2; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut c = 1; c = 2; a }",
        },
        Case {
            message: CONSTANT_CYCLE,
            at: "C",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { const C: u8 = C; a + C }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { const C: u8 = 0; a | C }",
        },
        Case {
            message: CONSTANT,
            at: "x() as u8",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { const C: u8 = x() as u8; a & C }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { const C: u8 = 1; a & C }",
        },
        Case {
            message: CAPTURE,
            at: "b",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn g(v: u8) -> u8 { v & b } g(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let g = |v: u8| v & b; g(a) }",
        },
        Case {
            message: RECURSION,
            at: "g(v)",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn g(v: u8) -> u8 { g(v) } g(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn g(v: u8) -> u8 { v } g(a) }",
        },
        Case {
            message: NOT_EXHAUSTIVE,
            at: "match a { 1 => 2, 3 => 4 }",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { 1 => 2, 3 => 4 } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { 1 => 2, _ => 4 } }",
        },
        Case {
            message: LOOP_NOT_CONSTANT,
            at: "0..a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut s = b; for (i, j) in (0..a).zip(0..9) { s = i; } s }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut s = b; for i in 0..a { s = i; } s }",
        },
        Case {
            message: RUN_TIME_STORE,
            at: "if a > b { Overflow::Wrap } else { Overflow::Saturate }",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let p = if a > b { Overflow::Wrap } else { Overflow::Saturate }; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let p = if a > b { 0 } else { 1 }; a }",
        },
        Case {
            message: OFFSET_NOT_CONSTANT,
            at: "a as i32",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { src.at(a as i32, 0) }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { src.at(1, 0) }",
        },
        Case {
            message: OFFSET_RANGE,
            at: "999",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { src.at(999, 0) }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { src.at(99, 0) }",
        },
        Case {
            message: WINDOW_SIZE,
            at: "window",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { let w = src.window(); a }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>, a: u8) -> u8 { let w = src.window::<3, 3>(); a }",
        },
        Case {
            message: TAP_OUTSIDE,
            at: "2, 0",
            wrong: "#[kernel(neighbourhood(x = -1..=1, y = -1..=1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(2, 0) }",
            right: "#[kernel(neighbourhood(x = -1..=2, y = -1..=1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(2, 0) }",
        },
    ]
}
