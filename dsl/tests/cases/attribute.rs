//! Mistakes in `#[kernel(..)]`.

use crate::Case;
use windrow_dsl::messages::*;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            message: OPTION_VALUE,
            at: "step = 16",
            wrong: "#[kernel(step = 16)] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_OUTPUT,
            at: "u16",
            wrong: "#[kernel(output(low, high: u16))] fn f(a: u8) -> (u8, u16) { (a, 3) }",
            right: "#[kernel(output(low, high))] fn f(a: u8) -> (u8, u16) { (a, 3) }",
        },
        Case {
            message: FAST_CONTENTS,
            at: "true",
            wrong: "#[kernel(fast(true))] fn f(a: f32) -> f32 { a }",
            right: "#[kernel(fast)] fn f(a: f32) -> f32 { a }",
        },
        Case {
            message: OPTION_TWICE,
            at: "neon",
            wrong: "#[kernel(schedule(neon(16, 1), neon(32, 1)))] fn f(a: u8) -> u8 { a }",
            right: "",
        },
        Case {
            message: OPTION_TWICE,
            at: "4, 1",
            wrong: "#[kernel(schedule(opencl(8, 1), opencl(4, 1), opencl(4, 1)))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(schedule(opencl(8, 1), opencl(4, 1)))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: NAME_OF_TYPE,
            at: "u8",
            wrong: "#[kernel(types(u8 = i8))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(types(T = i8))] fn f(a: T) -> T { a }",
        },
        Case {
            message: BAD_BORDER,
            at: "border",
            wrong: "#[kernel(border())] fn f(a: Neighbourhood<u8>) -> u8 { a.at(1, 0) }",
            right: "#[kernel(border(constant))] fn f(a: Neighbourhood<u8>) -> u8 { a.at(1, 0) }",
        },
        Case {
            message: UNKNOWN_OPTION,
            at: "setp",
            wrong: "#[kernel(setp(16, 1))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: UNKNOWN_OPTION,
            at: "turbo",
            wrong: "#[kernel(turbo)] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(fast)] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: OPTIONS,
            at: "16",
            wrong: "#[kernel(step 16)] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: OPTION_TWICE,
            at: "step",
            wrong: "#[kernel(fast, step(8, 1), step(16, 1))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(fast, step(8, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_STEP,
            at: "16",
            wrong: "#[kernel(step(16))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_STEP,
            at: "0, 1",
            wrong: "#[kernel(step(0, 1))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_STEP,
            at: "step",
            wrong: "#[kernel(step)] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(16, 1))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_BLOCK,
            at: "32",
            wrong: "#[kernel(schedule(neon(32)))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(schedule(neon(32, 4)))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BLOCK_TOO_LARGE,
            at: "70000, 1",
            wrong: "#[kernel(step(70000, 1))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(step(32, 4))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: TOO_MANY_OPENCL_BLOCKS,
            at: "opencl",
            wrong: "#[kernel(schedule(opencl(1, 1), opencl(2, 1), opencl(4, 1), opencl(8, 1), opencl(16, 1)))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(schedule(opencl(1, 1), opencl(2, 1), opencl(4, 1), opencl(8, 1)))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: UNKNOWN_TARGET,
            at: "noen",
            wrong: "#[kernel(schedule(noen(32, 4)))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(schedule(neon(32, 4)))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_NEIGHBOURHOOD,
            at: "1",
            wrong: "#[kernel(neighbourhood(1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
            right: "#[kernel(neighbourhood(x = -1..=1, y = -1..=1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: BAD_NEIGHBOURHOOD,
            at: "z",
            wrong: "#[kernel(neighbourhood(z = -1..=1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
            right: "#[kernel(neighbourhood(x = -1..=1))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: BAD_NEIGHBOURHOOD,
            at: "1..=2",
            wrong: "#[kernel(neighbourhood(x = 1..=2))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
            right: "#[kernel(neighbourhood(x = 0..=2))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: BAD_OUTPUT,
            at: "3",
            wrong: "#[kernel(output(3))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(output(sum))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: OUTPUT_COUNT,
            at: "p, q",
            wrong: "#[kernel(output(p, q))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(output(p))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: SINGLE_OUTPUT_OPTIONAL,
            at: "sum",
            wrong: "#[kernel(output(sum?))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(output(sum))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_BORDER,
            at: "replicat",
            wrong: "#[kernel(border(replicat))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
            right: "#[kernel(border(replicate))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: BAD_BORDER,
            at: "border",
            wrong: "#[kernel(border())] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
            right: "#[kernel(border(replicate))] fn f(src: Neighbourhood<u8>) -> u8 { src.at(0, 0) }",
        },
        Case {
            message: BORDER_WITHOUT_NEIGHBOURHOOD,
            at: "border",
            wrong: "#[kernel(border(wrap))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: NEIGHBOURHOOD_WITHOUT_INPUT,
            at: "neighbourhood",
            wrong: "#[kernel(neighbourhood(x = -1..=1))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_REQUIRE,
            at: "lo + hi",
            wrong: "#[kernel(require(lo + hi))] fn f(a: u8, #[uniform] lo: u8, #[uniform] hi: u8) -> u8 { a }",
            right: "#[kernel(require(lo <= hi))] fn f(a: u8, #[uniform] lo: u8, #[uniform] hi: u8) -> u8 { a }",
        },
        Case {
            message: REQUIRE_UNKNOWN,
            at: "low",
            wrong: "#[kernel(require(low <= hi))] fn f(a: u8, #[uniform] low_1: u8, #[uniform] lo: u8, #[uniform] hi: u8) -> u8 { a }",
            right: "#[kernel(require(lo <= hi))] fn f(a: u8, #[uniform] low_1: u8, #[uniform] lo: u8, #[uniform] hi: u8) -> u8 { a }",
        },
        Case {
            message: REQUIRE_TYPES,
            at: "lo <= hi",
            wrong: "#[kernel(require(lo <= hi))] fn f(a: u8, #[uniform] lo: u8, #[uniform] hi: i16) -> u8 { a }",
            right: "#[kernel(require(lo <= hi))] fn f(a: u8, #[uniform] lo: i16, #[uniform] hi: i16) -> u8 { a }",
        },
        Case {
            message: BAD_TYPES,
            at: "u8",
            wrong: "#[kernel(types(u8))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(types(T = u8))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_DENY,
            at: "vector",
            wrong: "#[kernel(deny(vector))] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(deny(scalar))] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_BODY,
            at: "3",
            wrong: "#[kernel(neon = 3)] fn f(a: u8) -> u8 { a }",
            right: "#[kernel(neon = bodies::F)] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: BAD_WINDOW,
            at: "h % 2",
            wrong: "#[kernel(window(h % 2, w))] fn f(#[shape(h, w)] a: View<u8>) -> u8 { a.get([0, 0]).unwrap_or(0) }",
            right: "#[kernel(window(h / 2, w))] fn f(#[shape(h, w)] a: View<u8>) -> u8 { a.get([0, 0]).unwrap_or(0) }",
        },
        Case {
            message: UNKNOWN_EXTENT,
            at: "height",
            wrong: "#[kernel(window(height, w))] fn f(#[shape(h, w)] a: View<u8>) -> u8 { a.get([0, 0]).unwrap_or(0) }",
            right: "#[kernel(window(h, w))] fn f(#[shape(h, w)] a: View<u8>) -> u8 { a.get([0, 0]).unwrap_or(0) }",
        },
        Case {
            message: WINDOW_RANK,
            at: "window",
            wrong: "#[kernel(window(h))] fn f([y, x]: At<2>, #[shape(h, _)] a: View<u8>) -> u8 { a.get([y, x]).unwrap_or(0) }",
            right: "#[kernel(window(h, 9))] fn f([y, x]: At<2>, #[shape(h, _)] a: View<u8>) -> u8 { a.get([y, x]).unwrap_or(0) }",
        },
        Case {
            message: BAD_SHAPE,
            at: "8",
            wrong: "#[kernel] fn f(#[shape(8)] a: View<u8, 1>) -> u8 { a.get([0]).unwrap_or(0) }",
            right: "#[kernel(window(n))] fn f(#[shape(n)] a: View<u8, 1>) -> u8 { a.get([0]).unwrap_or(0) }",
        },
        Case {
            message: SHAPE_ROLE,
            at: "shape",
            wrong: "#[kernel] fn f(#[shape(h, w)] a: u8) -> u8 { a }",
            right: "#[kernel] fn f(a: u8) -> u8 { a }",
        },
        Case {
            message: SHAPE_RANK,
            at: "shape",
            wrong: "#[kernel] fn f(b: u8, #[shape(h, w)] a: View<u8, 3>) -> u8 { b.max(a.get([0, 0, 0]).unwrap_or(0)) }",
            right: "#[kernel] fn f(b: u8, #[shape(_, h, w)] a: View<u8, 3>) -> u8 { b.max(a.get([0, 0, 0]).unwrap_or(0)) }",
        },
        Case {
            message: NOT_A_FUNCTION,
            at: "kernel",
            wrong: "#[kernel] struct S;",
            right: "",
        },
        Case {
            message: NOT_A_MODULE,
            at: "m",
            wrong: "#[kernels] mod m;",
            right: "#[kernels] mod m { #[kernel] fn f(a: u8) -> u8 { a } }",
        },
        Case {
            message: KERNELS_OPTION,
            at: "fast",
            wrong: "#[kernels(fast)] mod m { #[kernel] fn f(a: u8) -> u8 { a } }",
            right: "#[kernels] mod m { #[kernel(fast)] fn f(a: u8) -> u8 { a } }",
        },
        Case {
            message: KERNELS_EMPTY,
            at: "m",
            wrong: "#[kernels] mod m { fn f(a: u8) -> u8 { a } }",
            right: "#[kernels] mod m { #[kernel] fn f(a: u8) -> u8 { a } }",
        },
    ]
}
