//! The harness bites: a kernel whose emitted bodies mean something else than the author's function is caught.
//!
//! Each pair is two kernels of one signature, the second as a wrong lowering of the first would be; the bodies of the
//! second are held against the function of the first. Wrong regions, windows and tails are made by `region-mutants`.

use windrow::__rt::{Kernel, KernelCode};
use windrow::prelude::*;
use windrow::reference::testing::Mode;
use windrow::testing::{Outcome, Target, run};

macro_rules! wrong {
    ($($test:ident: $right:ident, $wrong:ident;)*) => { $(
        #[test]
        fn $test() {
            enum Mixed {}
            static CODE: KernelCode = KernelCode {
                spec: $right::CODE.spec,
                reference: $right::CODE.reference,
                bodies: $wrong::CODE.bodies,
                derive: $wrong::CODE.derive,
                opencl: $wrong::CODE.opencl,
            };
            impl Kernel for Mixed {
                const CODE: &'static KernelCode = &CODE;
                type Inputs<'a> = <$right as Kernel>::Inputs<'a>;
                type Outputs<'a> = <$right as Kernel>::Outputs<'a>;
            }
            for target in [Target::Scalar, Target::Neon] {
                assert!(run::<$right>(target, Mode::Quick).is_ok(), "the right one is refused");
                match run::<Mixed>(target, Mode::Quick) {
                    Err(failure) => println!("{failure}"),
                    Ok(Outcome::Agreed(cases)) => panic!("not caught in {cases} cases"),
                    // A target that this machine lacks.
                    Ok(_) => {}
                }
            }
        }
    )* };
}

wrong! {
    a_rounded_shift_is_caught: gaussian, gaussian_rounded;
    an_unflipped_convolution_is_caught: flipped, unflipped;
    a_shift_that_truncates_is_caught: floored, truncated;
    a_minimum_that_keeps_nan_is_caught: least, least_by_comparison;
    a_contracted_multiplication_is_caught: separate, contracted;
    saturation_for_wrapping_is_caught: wrapping, saturating;
    swapped_outputs_are_caught: low_high, high_low;
    a_window_one_too_wide_is_caught: three, four;
    a_comparison_that_lets_equals_through_is_caught: above, at_least;
    an_unsigned_reading_is_caught: signed, unsigned;
}

#[kernel]
fn gaussian(src: Neighbourhood<u8>) -> u8 {
    let row = |y| src.at(-1, y) as u16 + 2 * src.at(0, y) as u16 + src.at(1, y) as u16;
    ((row(-1) + 2 * row(0) + row(1)) >> 4) as u8
}
#[kernel]
fn gaussian_rounded(src: Neighbourhood<u8>) -> u8 {
    let row = |y| src.at(-1, y) as u16 + 2 * src.at(0, y) as u16 + src.at(1, y) as u16;
    ((row(-1) + 2 * row(0) + row(1) + 8) >> 4) as u8
}

#[kernel]
fn flipped(src: Neighbourhood<u8>, #[uniform] k: [i16; 3]) -> i32 {
    k[0] as i32 * src.at(1, 0) as i32 + k[1] as i32 * src.at(0, 0) as i32 + k[2] as i32 * src.at(-1, 0) as i32
}
#[kernel]
fn unflipped(src: Neighbourhood<u8>, #[uniform] k: [i16; 3]) -> i32 {
    k[0] as i32 * src.at(-1, 0) as i32 + k[1] as i32 * src.at(0, 0) as i32 + k[2] as i32 * src.at(1, 0) as i32
}

#[kernel]
fn floored(a: i16) -> i16 {
    a >> 3
}
#[kernel]
fn truncated(a: i16) -> i16 {
    a / 8
}

#[kernel]
fn least(a: f32, b: f32) -> f32 {
    a.min(b)
}
#[kernel]
fn least_by_comparison(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[kernel]
fn separate(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}
#[kernel]
fn contracted(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

#[kernel]
fn wrapping(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}
#[kernel]
fn saturating(a: u8, b: u8) -> u8 {
    a.saturating_add(b)
}

#[kernel(output(low, high))]
fn low_high(a: u8, b: u8) -> (u8, u8) {
    (a.min(b), a.max(b))
}
#[kernel(output(low, high))]
fn high_low(a: u8, b: u8) -> (u8, u8) {
    (a.max(b), a.min(b))
}

#[kernel(neighbourhood(x = -1..=2, y = 0..=0))]
fn three(src: Neighbourhood<u8>) -> u8 {
    src.at(-1, 0).max(src.at(0, 0)).max(src.at(1, 0))
}
#[kernel(neighbourhood(x = -1..=2, y = 0..=0))]
fn four(src: Neighbourhood<u8>) -> u8 {
    src.at(-1, 0).max(src.at(0, 0)).max(src.at(1, 0)).max(src.at(2, 0))
}

#[kernel]
fn above(a: u8, b: u8) -> u8 {
    if a > b { 255 } else { 0 }
}
#[kernel]
fn at_least(a: u8, b: u8) -> u8 {
    if a >= b { 255 } else { 0 }
}

#[kernel]
fn signed(a: i8) -> i16 {
    a as i16
}
#[kernel]
fn unsigned(a: i8) -> i16 {
    (a as i16) & 255
}
