//! Kernels written by hand, as the macro would emit them, with bodies of any number of lanes and rows: what they are made of.
//!
//! A body here is a loop that does to plain arrays what a vector body does to registers: it loads every lane of every row of
//! a step before it stores one, overlaps its last step, and reads exactly what its `Reads` say.

pub mod chains;
mod kernels;
pub mod threads;

use windrow_runtime::{
    Border, BorderMode, ElementType, KernelSpec, Scalar, TensorInfo,
    code::{OpenClImages, OpenClProgram, Rows},
    spec::{self, ArgumentKind, ArgumentSpec, InputSpec, OutputSpec, WordCount},
    validate::Request,
};

pub use kernels::*;

pub const EVERY_BORDER: [Border; 6] = [
    Border::Undefined,
    Border::Constant(Scalar::U8(77)),
    Border::Replicate,
    Border::Reflect,
    Border::Reflect101,
    Border::Wrap,
];

pub static NO_OPENCL: OpenClProgram =
    OpenClProgram { source: "", file: "", lines: "", entries: &[], images: OpenClImages::None("none was emitted") };

pub const fn around(left: i32, right: i32, top: i32, bottom: i32) -> spec::NeighbourhoodSpec {
    spec::NeighbourhoodSpec { left, right, top, bottom }
}

pub const fn input(
    name: &'static str,
    element: ElementType,
    channels: u32,
    neighbourhood: spec::NeighbourhoodSpec,
    stride: (u32, u32),
    inout: Option<u32>,
) -> ArgumentSpec {
    ArgumentSpec { name, kind: ArgumentKind::Input(InputSpec::image(element, channels, neighbourhood, stride, inout)) }
}

pub const fn output(name: &'static str, element: ElementType, optional: bool) -> OutputSpec {
    OutputSpec { name, element, channels: 1, optional }
}

pub const fn kernel(
    name: &'static str,
    arguments: &'static [ArgumentSpec],
    outputs: &'static [OutputSpec],
    step: (u32, u32),
    borders: &'static [BorderMode],
) -> KernelSpec {
    KernelSpec {
        name,
        docs: "",
        module: "",
        rank: 2,
        dimensions: 2,
        arguments,
        outputs,
        step,
        borders,
        requires: &[],
        extents: &[],
        window: None,
        words: WordCount { uniforms: 0, derived: 0 },
        bodies: 1,
        fast: false,
        floats: has_floats(arguments, outputs),
        coordinates: false,
    }
}

/// Whether some image holds floats.
const fn has_floats(arguments: &[ArgumentSpec], outputs: &[OutputSpec]) -> bool {
    let (mut found, mut at) = (false, 0);
    while at < arguments.len() {
        found |= matches!(&arguments[at].kind, ArgumentKind::Input(input) if matches!(input.element, ElementType::F32));
        at += 1;
    }
    at = 0;
    while at < outputs.len() {
        found |= matches!(outputs[at].element, ElementType::F32);
        at += 1;
    }
    found
}

pub fn derive_nothing(_: &mut [u32]) {}

/// Calls `step(x)` as a body of `lanes` does over `width` columns, of which the second step begins at `head`, unless that is 0.
pub fn steps(width: usize, lanes: usize, head: usize, mut step: impl FnMut(usize)) {
    assert!(width >= lanes, "a body is called with {width} columns, fewer than its {lanes} lanes");
    assert!(head <= lanes, "a head of {head} columns, more than {lanes} lanes");
    let (mut x, mut next) = (0, if head > 0 { head } else { lanes });
    while x + lanes <= width {
        step(x);
        (x, next) = (x + next, lanes);
    }
    if x < width {
        step(width - lanes);
    }
}

/// Loads, computes and stores one step at a time, every load before the first store.
///
/// # Safety
/// `rows` keeps its contract for bodies of `L` lanes and `R` rows with one output of `T`, and `value` reads within `Reads`.
pub unsafe fn wide<T: Copy + Default, const L: u32, const R: u32>(rows: &Rows<'_>, value: impl Fn(usize, usize) -> T) {
    assert_eq!(rows.outputs.len(), R as usize);
    assert!(rows.outputs.iter().all(|row| row.cast::<T>().is_aligned()), "a row of the outputs is misaligned");
    steps(rows.width, L as usize, rows.head, |x| {
        let mut block = vec![T::default(); (L * R) as usize];
        for row in 0..R as usize {
            for lane in 0..L as usize {
                block[row * L as usize + lane] = value(x + lane, row);
            }
        }
        for row in 0..R as usize {
            for lane in 0..L as usize {
                // SAFETY: the caller's.
                unsafe { rows.outputs[row].cast::<T>().add(x + lane).write(block[row * L as usize + lane]) };
            }
        }
    });
}

/// # Safety
/// The element at column `x` of row `row` is one that the body's `Reads` name.
pub unsafe fn load<T: Copy>(rows: &Rows<'_>, row: usize, x: isize) -> T {
    let first = rows.inputs[row].cast::<T>();
    assert!(first.is_aligned(), "a row of the inputs is misaligned");
    // SAFETY: the caller's.
    unsafe { first.offset(x).read() }
}

pub fn request<'a>(inputs: &'a [&'a TensorInfo], outputs: &'a [Option<&'a TensorInfo>], border: Border) -> Request<'a> {
    Request { inputs, outputs, words: &[], choice: &[], border: border.into() }
}

/// A byte that looks random, from a position.
/// An element's value, by its coordinates outermost first.
pub fn noise_at<const R: usize>(seed: usize, at: [usize; R]) -> u8 {
    let (outer, inner) = at.split_at(R.saturating_sub(2));
    let (x, y) = (inner.last().copied().unwrap_or(0), inner.iter().rev().nth(1).copied().unwrap_or(0));
    noise(seed, x, y, outer.iter().fold(0, |plane, at| 7 * plane + at))
}

pub fn noise(seed: usize, x: usize, y: usize, plane: usize) -> u8 {
    let mixed = (seed as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((x as u64) << 32 | (y as u64) << 8 | plane as u64)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 56) as u8
}
