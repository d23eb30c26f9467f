//! Types that don't fit.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: PATTERN_OPTION,
            at: "Some(3)",
            wrong: "#[kernel] fn f(a: u8) -> u8 { if let Some(3) = a { 1 } else { a } }",
            right: "#[kernel] fn f(a: View<u8>) -> u8 { if let Some(3) = a.get([1, 1]) { 1 } else { 0 } }",
        },
        Case {
            message: MISMATCH,
            at: "a.get([1, 1])",
            wrong: "#[kernel] fn f(a: View<u8>) -> u8 { a.get([1, 1]) }",
            right: "#[kernel] fn f(a: View<u8>) -> u8 { a.get([1, 1]).unwrap_or(0) }",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "unwrap",
            wrong: "#[kernel] fn f(a: View<u8>) -> u8 { a.get([1, 1]).unwrap() }",
            right: "#[kernel] fn f(a: View<u8>) -> u8 { a.get([1, 1]).unwrap_or(0) }",
        },
        Case {
            message: UNKNOWN_METHOD,
            at: "at",
            wrong: "#[kernel] fn f(a: View<u8>) -> u8 { a.at(1, 1) }",
            right: "#[kernel] fn f(a: View<u8>) -> u8 { a.get([1, 1]).unwrap_or(0) }",
        },
        Case {
            message: OPERANDS,
            at: "a + 1u16",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a + 1u16 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a | 1u8 }",
        },
        Case {
            message: MISMATCH,
            at: "1u16",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8 = 1u16; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8 = (1u16) as u8; a }",
        },
        Case {
            message: MISMATCH,
            at: "b as u16",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { a } else { b as u16 } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { a } else { b } }",
        },
        Case {
            message: MISMATCH,
            at: "}",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a; }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a; v }",
        },
        Case {
            message: OPERATOR,
            at: "-a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { -a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (-(a as i16)).unsigned_abs() as u8 }",
        },
        Case {
            message: OPERATOR,
            at: "-i",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { let mut m = 0; for i in 0..3u8 { m = src.at(-i, 0).max(m); } m }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { let mut m = 0; for i in 0..3 { m = src.at(-i, 0).max(m); } m }",
        },
        Case {
            message: OPERATOR,
            at: "1.5f32 % 2.0",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 1.5f32 % 2.0; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 1 % 2; a }",
        },
        Case {
            message: OPERATOR,
            at: "[a] + [b]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [a] + [b]; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [a | b]; a }",
        },
        Case {
            message: NO_ELSE,
            at: "if",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { 255 } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { 255 } else { 0 } }",
        },
        Case {
            message: OPERATOR,
            at: "(a > b) * 255",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a > b) * 255 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { 255 } else { 0 } }",
        },
        Case {
            message: CONDITION,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a { 1 } else { 2 } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a != 0 { 1 } else { 2 } }",
        },
        Case {
            message: CAST,
            at: "a as bool",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a as bool; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a != 0; a }",
        },
        Case {
            message: CAST,
            at: "[a] as u8",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [a] as u8; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [a][0] as u8; a }",
        },
        Case {
            message: FROM,
            at: "a as i16",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { u8::from(a as i16) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a as i16) as u8 }",
        },
        Case {
            message: INDEX_TYPE,
            at: "a",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { [1, 2, 3][a] }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { [1, 2, 3][(a & 1) as usize] }",
        },
        Case {
            message: TABLE_INDEX,
            at: "1.5f32",
            wrong: "#[kernel] fn f(a: u8, t: Table<u8, 256>) -> u8 { t[1.5f32] }",
            right: "#[kernel] fn f(a: u8, t: Table<u8, 256>) -> u8 { t[1.5f32 as u8] }",
        },
        Case {
            message: FIELD,
            at: "2",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a, b).2 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (a, b).1 }",
        },
        Case {
            message: PATTERN_COUNT,
            at: "(p, q, r)",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let (p, q, r) = (a, b); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let (p, q) = (a, b); a }",
        },
        Case {
            message: PATTERN_COUNT,
            at: "[p]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let [p] = [a, b]; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let [p, _] = [a, b]; a }",
        },
        Case {
            message: LITERAL_RANGE,
            at: "300",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8 = 300; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: u8 = 200; a }",
        },
        Case {
            message: LITERAL_RANGE,
            at: "99999999999999999999",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 99999999999999999999; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 99; a }",
        },
        Case {
            message: LENGTH,
            at: "x()",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [0; x()]; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { const N: usize = 9; let v = [0; N]; a }",
        },
        Case {
            message: TOO_LONG,
            at: "[0; 70000]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [0; 70000]; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [0; 700]; a }",
        },
    ]
}
