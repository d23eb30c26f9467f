//! Programs that are too large: every limit ends in a message, never in a panic or a long wait.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
pub fn cases() -> Vec<Case> {
    let kernel = |body: String| -> &'static str { format!("#[kernel] fn f(a: u8) -> u8 {{ {body} }}").leak() };
    let many = |n: usize, text: &str| vec![text; n].join(" ");
    let variants: Vec<String> = (0..7).map(|i| format!("#[variant] p{i}: Overflow")).collect();
    let parameters: Vec<String> = (0..9).map(|i| format!("p{i}: u8")).collect();
    vec![
        Case {
            message: TOO_DEEP,
            at: "(((((((a)))))))",
            wrong: kernel(format!("{}a{}", "(".repeat(45), ")".repeat(45))),
            right: kernel(format!("{}a{}", "(".repeat(20), ")".repeat(20))),
        },
        Case {
            message: TOO_MANY_TOKENS,
            at: ";",
            wrong: kernel(many(30_100, "a;")),
            right: kernel(format!("{} a", many(200, "a;"))),
        },
        Case {
            message: TOO_MANY_NODES,
            at: "a",
            wrong: kernel("let mut s = a; for i in 0..20000 { s = s.wrapping_mul(a); } s".to_owned()),
            right: kernel("let mut s = a; for i in 0..20 { s = s.wrapping_mul(a); } s".to_owned()),
        },
        Case {
            message: TOO_MANY_STEPS,
            at: "0",
            wrong: kernel("let mut s = 0; for i in 0..1000000000 { s = 0; } a".to_owned()),
            right: kernel("let mut s = 0; for i in 0..1000 { s = 0; } a".to_owned()),
        },
        Case {
            message: TOO_MANY_LOOPS,
            at: "0..a",
            wrong: kernel("let mut s = a; for i in 0..25 { for j in 0..a { s = j; } } s".to_owned()),
            right: kernel("let mut s = a; for i in 0..24 { for j in 0..a { s = j; } } s".to_owned()),
        },
        Case {
            message: LOOP_TYPE,
            at: "0..a",
            wrong: "#[kernel] fn f(a: i64) -> i64 { let mut s = a; for i in 0..a { s = i; } s }",
            right: "#[kernel] fn f(a: i64) -> i64 { let mut s = a; for i in 0..a.clamp(0, 99) as i32 { s = i as i64; } s }",
        },
        Case {
            message: TOO_MANY_TAPS,
            at: "src.window::<33, 33>()",
            wrong: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.window::<33, 33>()[0][0] }",
            right: "#[kernel] fn f(src: Neighbourhood<u8>) -> u8 { src.window::<31, 31>()[0][0] }",
        },
        Case {
            message: TOO_MANY_BODIES,
            at: "p0",
            wrong: format!("#[kernel] fn f(a: u8, {}) -> u8 {{ a }}", variants.join(", ")).leak(),
            right: format!("#[kernel] fn f(a: u8, {}) -> u8 {{ a }}", variants[..5].join(", ")).leak(),
        },
        Case {
            message: TOO_MANY_ITEMS,
            at: "f",
            wrong: format!("#[kernel] fn f({}) -> u8 {{ p0 }}", parameters.join(", ")).leak(),
            right: format!("#[kernel] fn f({}) -> u8 {{ p0 }}", parameters[..8].join(", ")).leak(),
        },
    ]
}
