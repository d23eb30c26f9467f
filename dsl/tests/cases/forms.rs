//! Forms of Rust that are not part of the language.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: WHILE,
            at: "while",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut i = 0; while i < 3 { i += 1; } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let mut i = 0; for _ in 0..3 { i += 1; } a }",
        },
        Case {
            message: LOOP,
            at: "loop",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { loop { } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: RETURN,
            at: "return",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { return a; } b }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { a } else { b } }",
        },
        Case {
            message: BREAK,
            at: "break",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { break; } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { } a }",
        },
        Case {
            message: BREAK,
            at: "continue",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { continue; } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { } a }",
        },
        Case {
            message: TRY,
            at: "?",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.checked_add(b)? }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.saturating_add(b) }",
        },
        Case {
            message: REFERENCE,
            at: "&",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let r = &a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let r = a; a }",
        },
        Case {
            message: REFERENCE,
            at: "&u8",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: &u8| 1; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8| 1; a }",
        },
        Case {
            message: DEREFERENCE,
            at: "*",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { *a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: MACRO,
            at: "panic",
            wrong: r#"#[kernel] fn f(a: u8, b: u8) -> u8 { panic!("no") }"#,
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: MACRO,
            at: "assert",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { assert!(a > b); a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: MACRO,
            at: "vec",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = vec![1, 2]; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = [1, 2]; a }",
        },
        Case {
            message: UNSAFE,
            at: "unsafe",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { unsafe { a } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { { a } }",
        },
        Case {
            message: ASYNC,
            at: "async",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = async { a }; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = { a }; a }",
        },
        Case {
            message: ASYNC,
            at: "const",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { const { 3 } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { 3 }",
        },
        Case {
            message: STRUCT,
            at: "P",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let p = P { x: a }; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let p = (a, b); a }",
        },
        Case {
            message: LET_CONDITION,
            at: "let",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { if let 3 = a && b > 9 { a } else { b } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { if let 3 = a { if b > 9 { a } else { b } } else { b } }",
        },
        Case {
            message: LET_ELSE,
            at: "else",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let 3 = a else { }; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: NAMED_FIELD,
            at: "x",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.x }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let p = (a, b); p.0 }",
        },
        Case {
            message: MOVE,
            at: "move",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = move |v: u8| v; f(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = |v: u8| v; f(a) }",
        },
        Case {
            message: LABEL,
            at: "'outer:",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { 'outer: for i in 0..3 { } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for i in 0..3 { } a }",
        },
        Case {
            message: ATTRIBUTE,
            at: "#[cfg(test)]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { #[cfg(test)] let v = a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a; a }",
        },
        Case {
            message: ITEM,
            at: "static",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { static V: u8 = 3; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { const V: u8 = 3; a }",
        },
        Case {
            message: ITEM,
            at: "enum",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { enum E { A } a }",
            right: "",
        },
        Case {
            message: USE_ITEM,
            at: "use",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { use core::f32::consts::PI; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let pi = core::f32::consts::PI; a }",
        },
        Case {
            message: LITERAL,
            at: r#""text""#,
            wrong: r#"#[kernel] fn f(a: u8, b: u8) -> u8 { let v = "text"; a }"#,
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 1; a }",
        },
        Case {
            message: LITERAL_TYPE,
            at: "1u128",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 1u128; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = 1u32; a }",
        },
        Case {
            message: PATTERN,
            at: "3",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let 3 = a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a; a }",
        },
        Case {
            message: PATTERN,
            at: "Pair(v)",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { Pair(v) => a, _ => b } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { v => v } }",
        },
        Case {
            message: PATTERN_REST,
            at: "..",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let [v, ..] = [a, b]; v }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let [v, _] = [a, b]; v }",
        },
        Case {
            message: PATTERN_AT,
            at: "@",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { v @ 1 => v, _ => b } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { v if v == 1 => v, _ => b } }",
        },
        Case {
            message: PATTERN_REF,
            at: "ref",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let ref v = a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v = a; a }",
        },
        Case {
            message: PATTERN_REF,
            at: "&v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { for &v in [1, 2] { } a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { for v in [1, 2] { } a }",
        },
        Case {
            message: ARM_BINDING_OR,
            at: "v",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { 1 | v => b } }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { match a { 1 => b, v => b } }",
        },
        Case {
            message: GENERIC_PATH,
            at: "::<u8>",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let f = g::<u8>; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: GENERIC_PATH,
            at: "abs_diff",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_diff::<u8>(b) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
        },
        Case {
            message: PATH_FORM,
            at: "a::b::c::d",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { a::b::c::d }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { a }",
        },
        Case {
            message: PATH_FORM,
            at: "<u8>::MAX",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { <u8>::MAX }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { u8::MAX }",
        },
        Case {
            message: TYPE_FORM,
            at: "[u8]",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: [u8] = a; a }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { let v: [u8; 1] = [a]; a }",
        },
        Case {
            message: ENUM_FIELDS,
            at: "B(u8)",
            wrong: "#[kernels] mod m { enum E { A, B(u8) } #[kernel] fn f(a: u8) -> u8 { a } }",
            right: "#[kernels] mod m { enum E { A, B } #[kernel] fn f(a: u8) -> u8 { a } }",
        },
        Case {
            message: CAST_THEN_SHIFT,
            at: "as i16 <",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { ((a as i16 << 4) >> 4) as u8 }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { (((a as i16) << 4) >> 4) as u8 }",
        },
        Case {
            message: SYNTAX,
            at: "}",
            wrong: "#[kernel] fn f(a: u8) -> u8 { a + }",
            right: "#[kernel] fn f(a: u8) -> u8 { a + 0 }",
        },
        Case {
            message: SIGNATURE_GENERIC,
            at: "<T>",
            wrong: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn g<T>(v: u8) -> u8 { v } g(a) }",
            right: "#[kernel] fn f(a: u8, b: u8) -> u8 { fn g(v: u8) -> u8 { v } g(a) }",
        },
    ]
}
