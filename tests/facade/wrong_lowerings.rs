//! The harness bites: a kernel whose emitted bodies mean something else than the author's function is caught.
//!
//! Each pair is two kernels of one signature, the second as a wrong lowering of the first would be; the bodies of the
//! second are held against the function of the first. Wrong windows, regions and tails are right bodies, called or
//! described wrongly (`region-mutants` tries all such mistakes, one by one).

use windrow::__rt::{Body, Kernel, KernelCode, Rows};
use windrow::prelude::*;
use windrow::reference::testing::Mode;
use windrow::spec::{ArgumentKind, ArgumentSpec, InputSpec, KernelSpec, NeighbourhoodSpec};
use windrow::testing::{Outcome, Target, run};

macro_rules! wrong {
    ($($test:ident: $right:ident, $wrong:ident;)*) => { $(
        #[test]
        fn $test() {
            held_against!($right, {
                let (right, wrong) = ($right::CODE, $wrong::CODE);
                KernelCode::new(right.spec(), wrong.bodies(), wrong.derive(), right.reference(), wrong.opencl())
            });
        }
    )* };
}

/// Runs the kernel of this code, which is wrong, with the views of the right one.
macro_rules! held_against {
    ($right:ident, $code:expr) => {{
        enum Mixed {}
        // SAFETY: it breaks the contract on purpose. The harness gives kernels memory between guard pages, and what a body here
        // touches beside its own rows and columns lies in that memory or stops the process.
        static CODE: KernelCode = unsafe { $code };
        // SAFETY: the views are those of the specification.
        unsafe impl Kernel for Mixed {
            const CODE: &'static KernelCode = &CODE;
            type Inputs<'a> = <$right as Kernel>::Inputs<'a>;
            type Outputs<'a> = <$right as Kernel>::Outputs<'a>;
        }
        is_caught::<$right, Mixed>();
    }};
}

fn is_caught<Right: Kernel, Wrong: Kernel>() {
    let mut caught = 0;
    for target in [Target::Scalar, Target::Neon, Target::Sse41, Target::Avx2] {
        assert!(run::<Right>(target, Mode::Quick).is_ok(), "the right one is refused");
        match run::<Wrong>(target, Mode::Quick) {
            Err(failure) => {
                println!("{failure}");
                assert!(failure.what.contains("expected"), "nothing was compared");
                caught += 1;
            }
            Ok(Outcome::Agreed(cases)) => panic!("not caught in {cases} cases"),
            // A target that this machine, or the wrong kernel, lacks.
            Ok(Outcome::NotRun(_)) => {}
        }
    }
    assert!(caught > 0);
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

/// The code of `K` with other bodies.
///
/// # Safety
/// It is run by the harness only: the bodies may break the contract on purpose.
const unsafe fn with_bodies<K: Kernel>(bodies: &'static [Body]) -> KernelCode {
    let code = K::CODE;
    // SAFETY: the caller's.
    unsafe { KernelCode::new(code.spec(), bodies, code.derive(), code.reference(), code.opencl()) }
}

/// The scalar body of `K`, which reads what `reads` says, run by `run`.
///
/// # Safety
/// As [`with_bodies`].
const unsafe fn called<K: Kernel>(reads: &'static [NeighbourhoodSpec], run: unsafe fn(&Rows<'_>)) -> Body {
    let right = scalar::<K>();
    let block = (right.lanes(), right.rows());
    // SAFETY: the caller's.
    let body = unsafe { Body::new(right.tier(), right.index(), block, reads, right.has_head(), run) };
    // SAFETY: as above.
    if right.carries_rows() { unsafe { body.carrying_rows() } } else { body }
}

const fn scalar<K: Kernel>() -> &'static Body {
    let bodies = K::CODE.bodies();
    &bodies[bodies.len() - 1]
}

const ELEMENT: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };

/// `x + lanes < width` for `<=`: the last vector of a row is left out.
#[test]
fn a_window_that_ends_too_early_is_caught() {
    unsafe fn short(rows: &Rows<'_>) {
        let body = scalar::<wrapping>();
        let width = rows.width - body.lanes() as usize;
        if width >= body.lanes() as usize {
            // SAFETY: fewer columns than the caller vouches for, and at least a vector.
            unsafe { (body.run())(&Rows { width, ..*rows }) }
        }
    }
    // SAFETY: only the harness runs it.
    static BODIES: &[Body] = unsafe { &[called::<wrapping>(&[ELEMENT, ELEMENT], short)] };
    held_against!(wrapping, with_bodies::<wrapping>(BODIES));
}

/// The body runs from column 0, though it reads to the left of it.
#[test]
fn a_fast_region_over_the_left_edge_is_caught() {
    static SPEC: KernelSpec = KernelSpec {
        arguments: &[ArgumentSpec {
            name: "src",
            kind: ArgumentKind::Input(InputSpec::image(
                windrow::ElementType::U8,
                1,
                NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 },
                (1, 1),
                None,
            )),
        }],
        ..*with_left::CODE.spec()
    };
    // SAFETY: only the harness runs it.
    static BODIES: &[Body] = unsafe { &[called::<with_left>(&[ELEMENT], scalar::<with_left>().run())] };
    held_against!(with_left, {
        let code = with_left::CODE;
        KernelCode::new(&SPEC, BODIES, code.derive(), code.reference(), code.opencl())
    });
}

/// The last vector of a row overlaps the one before, though the output is an input.
#[test]
fn a_tail_that_overlaps_in_place_is_caught() {
    unsafe fn overlapping(rows: &Rows<'_>) {
        let body = scalar::<accumulate>();
        let (lanes, height) = (body.lanes() as usize, body.rows() as usize);
        let at = rows.width - lanes;
        let input = |(row, pointer): (usize, &*const u8)| pointer.wrapping_add(at * if row < height { 1 } else { 2 });
        let inputs: Vec<*const u8> = rows.inputs.iter().enumerate().map(input).collect();
        let outputs: Vec<*mut u8> = rows.outputs.iter().map(|row| row.wrapping_add(2 * at)).collect();
        // SAFETY: the columns are some of those that the caller vouches for.
        unsafe {
            (body.run())(rows);
            (body.run())(&Rows { inputs: &inputs, outputs: &outputs, width: lanes, ..*rows });
        }
    }
    // SAFETY: only the harness runs it.
    static BODIES: &[Body] = unsafe { &[called::<accumulate>(&[ELEMENT, ELEMENT], overlapping)] };
    held_against!(accumulate, with_bodies::<accumulate>(BODIES));
}

#[kernel]
fn with_left(src: Neighbourhood<u8>) -> u8 {
    ((src.at(-1, 0) as u16 + src.at(0, 0) as u16) / 2) as u8
}

#[kernel]
fn accumulate(x: u8, #[inout] acc: i16) -> i16 {
    acc.wrapping_add(x as i16)
}
