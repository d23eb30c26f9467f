//! Mistakes in `#[helper]` and `uses(..)`.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: BAD_USES,
            at: "uses",
            wrong: "#[kernel(uses)] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
            right: "#[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: BAD_USES,
            at: "half(u8)",
            wrong: "#[kernel(uses(half(u8)))] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
            right: "#[kernel(uses(half,))] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: OPTION_VALUE,
            at: "uses = half",
            wrong: "#[kernel(uses = half)] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
            right: "#[kernel(uses(self::half))] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: USES_INSIDE,
            at: "super::half",
            wrong: "#[helper] fn half(a: u8) -> u8 { a / 2 } #[kernels] mod m { #[kernel(uses(super::half))] fn f(a: u8) -> u8 { half(a) } }",
            right: "#[helper] fn half(a: u8) -> u8 { a / 2 } #[kernels(uses(half))] mod m { #[kernel] fn f(a: u8) -> u8 { half(a) } }",
        },
        Case {
            message: USES_INSIDE,
            at: "uses(BY)",
            wrong: "#[kernels] mod m { const BY: u8 = 2; #[helper(uses(BY))] fn half(a: u8) -> u8 { a / BY } #[kernel] fn f(a: u8) -> u8 { half(a) } }",
            right: "#[kernels] mod m { const BY: u8 = 2; #[helper] fn half(a: u8) -> u8 { a / BY } #[kernel] fn f(a: u8) -> u8 { half(a) } }",
        },
        Case {
            message: USES_NOTHING,
            at: "half",
            wrong: "#[kernel(uses(half))] fn f(a: u8) -> u8 { a / 2 } #[helper] fn half(a: u8) -> u8 { a / 2 }",
            right: "#[kernel] fn f(a: u8) -> u8 { a / 2 } #[helper] fn half(a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: USES_NO_HELPER,
            at: "half",
            wrong: "#[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) } fn half(a: u8) -> u8 { a / 2 }",
            right: "#[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) } #[helper] fn half(a: u8) -> u8 { a / 2 }",
        },
        Case {
            message: OPTION_TWICE,
            at: "half",
            wrong: "mod m { #[helper] pub fn half(a: u8) -> u8 { a / 2 } } use m::half; #[kernel(uses(m::half, half))] fn f(a: u8) -> u8 { half(a) }",
            right: "mod m { #[helper] pub fn half(a: u8) -> u8 { a / 2 } } use m::half; #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
        },
        Case {
            message: HELPER_OPTION,
            at: "fast",
            wrong: "#[helper(fast)] fn half(a: f32) -> f32 { a / 2.0 } #[kernel(uses(half))] fn f(a: f32) -> f32 { half(a) }",
            right: "#[helper] fn half(a: f32) -> f32 { a / 2.0 } #[kernel(fast, uses(half))] fn f(a: f32) -> f32 { half(a) }",
        },
        Case {
            message: HELPER_NAME,
            at: "line",
            wrong: "#[helper] fn line(a: u8) -> u8 { a / 2 } #[kernel(uses(line))] fn f(a: u8) -> u8 { line(a) }",
            right: "#[helper] fn straight(a: u8) -> u8 { a / 2 } #[kernel(uses(straight))] fn f(a: u8) -> u8 { straight(a) }",
        },
        Case {
            message: NOT_A_HELPER,
            at: "helper",
            wrong: "#[helper] struct Half;",
            right: "",
        },
        Case {
            message: PATH_FORM,
            at: "m::half",
            wrong: "mod m { #[helper] pub fn half(a: u8) -> u8 { a / 2 } } #[kernel] fn f(a: u8) -> u8 { m::half(a) }",
            right: "mod m { #[helper] pub fn half(a: u8) -> u8 { a / 2 } } #[kernel(uses(m::half))] fn f(a: u8) -> u8 { half(a) }",
        },
        Case {
            message: UNKNOWN_FUNCTION,
            at: "half",
            wrong: "#[helper] fn half(a: u8) -> u8 { a / 2 } #[kernel] fn f(a: u8) -> u8 { half(a) }",
            right: "#[helper] fn half(a: u8) -> u8 { a / 2 } #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
        },
        Case {
            message: UNKNOWN_NAME,
            at: "BY",
            wrong: "#[helper] const BY: u8 = 2; #[kernel] fn f(a: u8) -> u8 { a / BY }",
            right: "#[helper] const BY: u8 = 2; #[kernel(uses(BY))] fn f(a: u8) -> u8 { a / BY }",
        },
        // What is wrong with a helper whatever it is given is said where it is written, once.
        Case {
            message: MISMATCH,
            at: "a as u16 / 2",
            wrong: "#[helper] fn half(a: u8) -> u8 { a as u16 / 2 } #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
            right: "#[helper] fn half(a: u8) -> u8 { a / 2 } #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
        },
        Case {
            message: UNKNOWN_NAME,
            at: "BY",
            wrong: "#[helper] const BY: u8 = 2; #[helper] fn half(a: u8) -> u8 { a / BY } #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
            right: "#[helper] const BY: u8 = 2; #[helper(uses(BY))] fn half(a: u8) -> u8 { a / BY } #[kernel(uses(half))] fn f(a: u8) -> u8 { half(a) }",
        },
    ]
}
