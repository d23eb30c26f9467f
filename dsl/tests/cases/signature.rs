//! Mistakes in a kernel's signature.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: VIEW_STRIDE,
            at: "View<u8>",
            wrong: "#[kernel] fn f([y, x]: At<2>, #[stride(2, 2)] a: View<u8>) -> u8 { a.get([y, x]).unwrap_or(0) }",
            right: "#[kernel] fn f([y, x]: At<2>, a: View<u8>) -> u8 { a.get([2 * y, 2 * x]).unwrap_or(0) }",
        },
        Case {
            message: INOUT_ROLE,
            at: "inout",
            wrong: "#[kernel] fn f([y, x]: At<2>, #[inout] a: View<u8>) -> u8 { a.get([y, x]).unwrap_or(0) }",
            right: "#[kernel] fn f(#[inout] a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: INPUT_TYPE,
            at: "View<i64>",
            wrong: "#[kernel] fn f([y, x]: At<2>, a: View<i64>) -> i64 { a.get([y, x]).unwrap_or(0) }",
            right: "#[kernel] fn f(a: i64) -> i64 { a }",
        },
        Case {
            message: PLACE_FIRST,
            at: "At<2>",
            wrong: "#[kernel] fn f(a: View<u8>, [y, x]: At<2>) -> u8 { a.get([x, y]).unwrap_or(0) }",
            right: "#[kernel] fn f([y, x]: At<2>, a: View<u8>) -> u8 { a.get([x, y]).unwrap_or(0) }",
        },
        Case {
            message: PLACE_ROLE,
            at: "At<2>",
            wrong: "#[kernel] fn f(#[uniform] at: At<2>, a: View<u8>) -> u8 { a.get(at).unwrap_or(0) }",
            right: "#[kernel] fn f(at: At<2>, a: View<u8>) -> u8 { a.get(at).unwrap_or(0) }",
        },
        Case {
            message: PLACE_RANK,
            at: "At<7>",
            wrong: "#[kernel] fn f([_, _, _, _, _, y, x]: At<7>, a: View<u8>) -> u8 { a.get([x, y]).unwrap_or(0) }",
            right: "#[kernel] fn f([y, x]: At<2>, a: View<u8>) -> u8 { a.get([x, y]).unwrap_or(0) }",
        },
        Case {
            message: UNIFORM_BOUNDS,
            at: "4294967295",
            wrong: "#[kernel] fn f(a: u8, #[uniform(0..=4294967295)] n: usize) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(0..=4294967294)] n: usize) -> u8 { a }",
        },
        Case {
            message: UNIFORM_BOUNDS,
            at: "300",
            wrong: "#[kernel] fn f(a: u8, #[uniform(0..=300)] n: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(0..=255)] n: u8) -> u8 { a }",
        },
        Case {
            message: UNIFORM_BOUNDS,
            at: "0",
            wrong: "#[kernel] fn f(a: u8, #[uniform(0..=1)] n: f32) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(0.0..=1.0)] n: f32) -> u8 { a }",
        },
        Case {
            message: UNIFORM_FORM,
            at: "0..3",
            wrong: "#[kernel] fn f(a: u8, #[uniform(0..3)] n: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(0..=2)] n: u8) -> u8 { a }",
        },
        Case {
            message: UNIFORM_SIZE,
            at: "[u8; 0]",
            wrong: "#[kernel] fn f(a: u8, #[uniform] n: [u8; 0]) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] n: [u8; 1]) -> u8 { a }",
        },
        Case {
            message: NAME,
            at: "r#in",
            wrong: "#[kernel] fn f(r#in: u8) -> u8 { r#in }",
            right: "#[kernel] fn f(input: u8) -> u8 { input }",
        },
        Case {
            message: NAME,
            at: "größe",
            wrong: "#[kernel] fn f(a: u8) -> u8 { let größe = a; größe }",
            right: "#[kernel] fn f(a: u8) -> u8 { let size = a; size }",
        },
        Case {
            message: NAME_OF_TYPE,
            at: "u8",
            wrong: "#[kernel] fn u8(a: u8) -> u8 { a }",
            right: "#[kernel] fn copy(a: u8) -> u8 { a }",
        },
        Case {
            message: SIGNATURE_MODIFIER,
            at: "async",
            wrong: "#[kernel] async fn f(a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: SIGNATURE_MODIFIER,
            at: "unsafe",
            wrong: "#[kernel] unsafe fn f(a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: SIGNATURE_GENERIC,
            at: "<T>",
            wrong: "#[kernel] fn f<T>(a: T) -> T { a }",
            right: "#[kernel(types(T = u8, i16))] fn f(a: T) -> T { a }",
        },
        Case {
            message: SIGNATURE_GENERIC,
            at: "<const N: usize>",
            wrong: "#[kernel] fn f<const N: usize>(a: u8) -> u8 { [a; N][0] }",
            right: "#[kernel] fn f(a: u8) -> u8 { const N: usize = 3; [a; N][0] }",
        },
        Case {
            message: SIGNATURE_LIFETIME,
            at: "<'a>",
            wrong: "#[kernel] fn f<'a>(src: Neighbourhood<'a, u8>) -> u8 { src.at(1, 0) }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.at(1, 0) }",
        },
        Case {
            message: UNKNOWN_TYPE,
            at: "Levels",
            wrong: "#[kernel] fn f(a: u8, #[uniform] l: Levels) -> u8 { a.max(l.gain) }",
            right: "#[kernel] fn f(a: u8, #[uniform] gain: u8) -> u8 { a.max(gain) }",
        },
        Case {
            message: REFERENCE,
            at: "&[u8]",
            wrong: "#[kernel] fn f(a: u8, curve: &[u8]) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, curve: Table<u8, 256>) -> u8 { curve[a] }",
        },
        Case {
            message: SELF_PARAMETER,
            at: "self",
            wrong: "#[kernel] fn f(self) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: NO_RESULT,
            at: "f",
            wrong: "#[kernel] fn f(a: u8) { a; }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: NO_INPUT,
            at: "f",
            wrong: "#[kernel] fn f() -> u8 { 7 }",
            right: "#[kernel] fn f(a: u8) -> u8 { 7 }",
        },
        Case {
            message: NO_INPUT,
            at: "f",
            wrong: "#[kernel] fn f(#[uniform] a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: PARAMETER_PATTERN,
            at: "(a, b)",
            wrong: "#[kernel] fn f((a, b): (u8, u8)) -> u8 { a }",
            right: "#[kernel] fn f([a, b]: [u8; 2]) -> u8 { a }",
        },
        Case {
            message: PARAMETER_ATTRIBUTE,
            at: "unifrom",
            wrong: "#[kernel] fn f(a: u8, #[unifrom] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] b: u8) -> u8 { a }",
        },
        Case {
            message: PARAMETER_ROLES,
            at: "variant",
            wrong: "#[kernel] fn f(a: u8, #[uniform] #[variant] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] b: u8) -> u8 { a }",
        },
        Case {
            message: PARAMETER_TWICE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: INPUT_TYPE,
            at: "bool",
            wrong: "#[kernel] fn f(a: u8, b: bool) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: CHANNELS,
            at: "[u8; 5]",
            wrong: "#[kernel] fn f(a: u8, b: [u8; 5]) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] b: [u8; 5]) -> u8 { a }",
        },
        Case {
            message: OUTPUT_TYPE,
            at: "bool",
            wrong: "#[kernel] fn f(a: u8) -> bool { a > 3 }",
            right: "#[kernel] fn f(a: u8) -> u8 { (a > 3) as u8 }",
        },
        Case {
            message: UNIFORM_TYPE,
            at: "bool",
            wrong: "#[kernel] fn f(a: u8, #[uniform] b: bool) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] b: u8) -> u8 { a }",
        },
        Case {
            message: UNIFORM_SIZE,
            at: "[u8; 2000]",
            wrong: "#[kernel] fn f(a: u8, #[uniform] b: [u8; 2000]) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, b: Table<u8, 2000>) -> u8 { a }",
        },
        Case {
            message: USIZE_BOUNDS,
            at: "c",
            wrong: "#[kernel] fn f(p: [u8; 3], #[uniform] c: usize) -> u8 { p[c] }",
            right: "#[kernel] fn f(p: [u8; 3], #[uniform(0..=2)] c: usize) -> u8 { p[c] }",
        },
        Case {
            message: UNIFORM_BOUNDS,
            at: "300",
            wrong: "#[kernel] fn f(a: u8, #[uniform(1..=300)] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(1..=255)] b: u8) -> u8 { a }",
        },
        Case {
            message: UNIFORM_BOUNDS,
            at: "9",
            wrong: "#[kernel] fn f(a: u8, #[uniform(9..=1)] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(1..=9)] b: u8) -> u8 { a }",
        },
        Case {
            message: UNIFORM_FORM,
            at: "1..9",
            wrong: "#[kernel] fn f(a: u8, #[uniform(1..9)] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(1..=9)] b: u8) -> u8 { a }",
        },
        Case {
            message: SUM_NEEDS_ARRAY,
            at: "sum_of_magnitudes",
            wrong: "#[kernel] fn f(a: u8, #[uniform(sum_of_magnitudes <= 9)] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform(0..=9)] b: u8) -> u8 { a }",
        },
        Case {
            message: VARIANT_TYPE,
            at: "u8",
            wrong: "#[kernel] fn f(a: u8, #[variant] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[variant] b: Overflow) -> u8 { a }",
        },
        Case {
            message: TABLE_SIZE,
            at: "0",
            wrong: "#[kernel] fn f(a: u8, t: Table<u8, 0>) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, t: Table<u8, 256>) -> u8 { a }",
        },
        Case {
            message: TABLE_ROLE,
            at: "Table<u32, 256>",
            wrong: "#[kernel] fn f(a: u8, #[inout] t: Table<u32, 256>) -> u32 { t[a] }",
            right: "#[kernel] fn f(a: u8, t: Table<u32, 256>) -> u32 { t[a] }",
        },
        Case {
            message: BAD_STRIDE,
            at: "2",
            wrong: "#[kernel] fn f(#[stride(2)] a: u8) -> u8 { a }",
            right: "#[kernel] fn f(#[stride(2, 2)] a: u8) -> u8 { a }",
        },
        Case {
            message: STRIDE_ROLE,
            at: "stride",
            wrong: "#[kernel] fn f(a: u8, #[uniform] #[stride(2, 2)] b: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[uniform] b: u8) -> u8 { a }",
        },
        Case {
            message: INOUT_ROLE,
            at: "inout",
            wrong: "#[kernel] fn f(a: u8, #[inout] b: Neighbourhood<u8>) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[inout] b: u8) -> u8 { a }",
        },
        Case {
            message: INOUT_OUTPUT,
            at: "inout",
            wrong: "#[kernel] fn f(a: u8, #[inout] b: i16) -> u8 { a }",
            right: "#[kernel] fn f(a: u8, #[inout] b: u8) -> u8 { a }",
        },
        Case {
            message: WIDE_TYPE,
            at: "u64",
            wrong: "#[kernel] fn f(a: u64) -> u8 { 7 }",
            right: "#[kernel] fn f(a: u32) -> u8 { 7 }",
        },
        Case {
            message: UNKNOWN_TYPE,
            at: "u9",
            wrong: "#[kernel] fn f(a: u9) -> u8 { 7 }",
            right: "#[kernel] fn f(a: u8) -> u8 { 7 }",
        },
    ]
}
