//! Kernels written by hand, right and wrong: `FAULT` says what is wrong with the body; 0 is right.

#[path = "kernels/range.rs"]
mod range;

use super::rt::{
    border::BorderMode,
    code::{Body, Kernel, KernelCode, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram, Rows},
    element::{ElementType, Scalar},
    neighbourhood,
    spec::{
        ArgumentKind, ArgumentSpec, InputSpec, KernelSpec, NeighbourhoodSpec, OutputSpec, Relation, RequireSpec,
        RequireTerm, UniformSpec, WordCount,
    },
    tier::Tier,
    view::{View, ViewMut},
};
pub(super) use range::Range;

pub(super) const RIGHT: u8 = 0;
/// The last column of a row is left out: `<` for `<=`.
pub(super) const SHORT: u8 = 1;
/// Half is added before the shift.
pub(super) const ROUNDED: u8 = 2;
/// A store one element to the left of the rows given.
pub(super) const LEFT_OF_START: u8 = 3;
/// A weight is wrong in the last row.
pub(super) const WRONG_TAP: u8 = 4;
/// The two outputs change places.
pub(super) const SWAPPED: u8 = 5;
/// A NaN wins.
pub(super) const NAN_WINS: u8 = 6;
/// Zeros are not ordered by sign.
pub(super) const ZEROS_EQUAL: u8 = 7;
/// Elements are computed twice in place.
pub(super) const TWICE: u8 = 8;
/// Variants change places.
pub(super) const WRONG_VARIANT: u8 = 9;
/// The coordinate of the row's first element is used for all of them.
pub(super) const WRONG_COORDINATE: u8 = 10;
/// Two inclusive bounds, one of them taken as exclusive.
pub(super) const EXCLUSIVE: u8 = 11;
/// A read beyond what `Reads` names.
pub(super) const READS_ON: u8 = 12;
/// `reflect` on a device repeats no edge.
pub(super) const MIRRORED: u8 = 13;
/// A work-item writes one column beyond the window.
pub(super) const UNGUARDED: u8 = 14;
/// A schedule that is not the default computes nothing.
pub(super) const SCHEDULE: u8 = 15;

pub(super) const NONE: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };
const AROUND: NeighbourhoodSpec = NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };

const fn reads(around: NeighbourhoodSpec) -> NeighbourhoodSpec {
    NeighbourhoodSpec { left: around.left, right: around.right, top: around.top, bottom: around.bottom }
}

pub(super) const fn input(name: &'static str, element: ElementType, neighbourhood: NeighbourhoodSpec) -> ArgumentSpec {
    ArgumentSpec { name, kind: ArgumentKind::Input(InputSpec::image(element, 1, neighbourhood, (1, 1), None)) }
}

pub(super) const fn output(name: &'static str, element: ElementType, optional: bool) -> OutputSpec {
    OutputSpec { name, element, channels: 1, optional }
}

pub(super) const fn spec(
    name: &'static str,
    arguments: &'static [ArgumentSpec],
    outputs: &'static [OutputSpec],
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
        step: (8, 2),
        borders,
        requires: &[],
        extents: &[],
        window: None,
        words: WordCount { uniforms: 0, derived: 0 },
        bodies: 1,
        fast: false,
        floats: false,
        coordinates: false,
    }
}

/// # Safety
/// `run` computes the body `index` in blocks of `LANES` columns and `rows` rows, and reads what `reads` says. The faulty ones that
/// don't are run by the harness only, in memory that it guards.
const unsafe fn body(index: u32, rows: u32, reads: &'static [NeighbourhoodSpec], run: unsafe fn(&Rows<'_>)) -> Body {
    // SAFETY: the caller's.
    unsafe { Body::new(Tier::Scalar, index, (LANES as u32, rows), reads, false, run) }
}

const LANES: usize = 4;
static NO_OPENCL: OpenClProgram =
    OpenClProgram { source: "", file: "", lines: "", entries: &[], images: OpenClImages::None("none was emitted") };

/// Computes a line of the outputs in vectors of four, the last overlapping the one before; all loads of one before its stores.
unsafe fn each<T: Copy + Default>(rows: &Rows<'_>, line: usize, fault: u8, value: impl Fn(usize) -> T) {
    let width = if fault == SHORT { rows.width - 1 } else { rows.width };
    let mut x = 0;
    while x < width {
        let from = if x + LANES > rows.width { rows.width - LANES } else { x };
        let vector: [T; LANES] = core::array::from_fn(|lane| value(from + lane));
        for (lane, value) in vector.into_iter().enumerate().filter(|(lane, _)| from + lane < width) {
            // SAFETY: the columns belong to this call.
            unsafe { rows.outputs[line].cast::<T>().add(from + lane).write(value) };
        }
        x += LANES;
    }
}

unsafe fn load<T: Copy>(rows: &Rows<'_>, row: usize, x: isize) -> T {
    // SAFETY: the caller reads what `Reads` names.
    unsafe { rows.inputs[row].cast::<T>().offset(x).read() }
}

/// The 3×3 Gaussian.
pub(super) enum Gaussian<const FAULT: u8> {}

static GAUSSIAN: KernelSpec = spec(
    "gaussian",
    &[input("src", ElementType::U8, AROUND)],
    &[output("out", ElementType::U8, false)],
    &BorderMode::ALL,
);

const WEIGHTS: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

unsafe fn gaussian<const FAULT: u8>(rows: &Rows<'_>) {
    let at = |row: usize, x: isize| -> u16 {
        // SAFETY: within `Reads`.
        u16::from(unsafe { load::<u8>(rows, row, x) })
    };
    let value = |line: usize, x: usize| {
        let mut sum = if FAULT == ROUNDED { 8 } else { 0 };
        for (row, weights) in WEIGHTS.iter().enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                let weight = if FAULT == WRONG_TAP && row == 2 && column == 2 { 2 } else { *weight };
                sum += weight * at(line + row, x as isize + column as isize - 1);
            }
        }
        (sum >> 4) as u8
    };
    // SAFETY: as the contract of `Rows` says, but for the faults.
    unsafe {
        each(rows, 0, FAULT, |x| value(0, x));
        each(rows, 1, FAULT, |x| value(1, x));
        if FAULT == READS_ON {
            rows.inputs[3].add(rows.width + 64).read_volatile();
        }
        // Into an image only: left of a staged tile lies the driver's own memory, and what it held would be anyone's guess.
        let frame = (&raw const rows).addr();
        if FAULT == LEFT_OF_START && rows.x > 0 && rows.outputs[0].addr().abs_diff(frame) > 1 << 18 {
            rows.outputs[0].sub(1).write(!value(0, 0));
        }
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Gaussian<FAULT> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &GAUSSIAN,
            &[body(0, 2, &[reads(AROUND)], gaussian::<FAULT>)],
            |_| {},
            |point| {
                let src: neighbourhood::Neighbourhood<'_, u8> = point.neighbourhood(0);
                let mut sum = 0;
                for (weights, dy) in WEIGHTS.iter().zip(-1..=1) {
                    for (weight, dx) in weights.iter().zip(-1..=1) {
                        sum += weight * u16::from(src.at(dx, dy));
                    }
                }
                point.write(0, (sum >> 4) as u8);
            },
            &OpenClProgram {
                source: super::sources::gaussian(FAULT),
                file: "",
                lines: "",
                entries: &[
                    OpenClEntry { name: "gaussian", index: 0, block: (2, 2), group: None, form: OpenClForm::Vectors },
                    OpenClEntry {
                        name: "gaussian_1x1",
                        index: 0,
                        block: (1, 1),
                        group: None,
                        form: OpenClForm::Vectors,
                    },
                ],
                images: OpenClImages::None("written by hand"),
            },
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

/// Differences to the right and to the left; either may be left out; and the column is added.
pub(super) enum Differences<const FAULT: u8> {}

static DIFFERENCES: KernelSpec = KernelSpec {
    bodies: 3,
    fast: false,
    coordinates: true,
    ..spec(
        "differences",
        &[input("src", ElementType::U8, NeighbourhoodSpec { left: -1, right: 1, top: 0, bottom: 0 })],
        &[output("forward", ElementType::I16, true), output("backward", ElementType::I16, true)],
        &BorderMode::ALL,
    )
};

unsafe fn differences<const FAULT: u8, const FORWARD: bool, const BACKWARD: bool>(rows: &Rows<'_>) {
    let x = |column: usize| if FAULT == WRONG_COORDINATE { rows.x } else { rows.x + column as i32 } as i16;
    // SAFETY: within `Reads`.
    let at = |column: usize, dx: isize| i16::from(unsafe { load::<u8>(rows, 0, column as isize + dx) });
    let forward = |column| at(column, 1) - at(column, 0) + x(column);
    let backward = |column| at(column, 0) - at(column, -1) + x(column);
    let (first, second) = if FAULT == SWAPPED { (1, 0) } else { (0, 1) };
    // SAFETY: as the contract of `Rows` says; the rows of an output left out are null.
    unsafe {
        if FORWARD || (FAULT == SWAPPED && BACKWARD) {
            let into = if rows.outputs[first].is_null() { second } else { first };
            each(rows, into, FAULT, forward);
        }
        if BACKWARD && !rows.outputs[second].is_null() {
            each(rows, second, FAULT, backward);
        }
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Differences<FAULT> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &DIFFERENCES,
            &[
                body(0, 1, Self::READS, differences::<FAULT, true, true>),
                body(1, 1, Self::READS, differences::<FAULT, false, true>),
                body(2, 1, Self::READS, differences::<FAULT, true, false>),
            ],
            |_| {},
            |point| {
                let src: neighbourhood::Neighbourhood<'_, u8> = point.neighbourhood(0);
                let (left, centre, right) = (src.at(-1, 0), src.at(0, 0), src.at(1, 0));
                let x = super::rt::x() as i16;
                point.write(0, i16::from(right) - i16::from(centre) + x);
                point.write(1, i16::from(centre) - i16::from(left) + x);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = (Option<ViewMut<'a, i16>>, Option<ViewMut<'a, i16>>);
}

impl<const FAULT: u8> Differences<FAULT> {
    const READS: &'static [NeighbourhoodSpec] = &[NeighbourhoodSpec { left: -1, right: 1, top: 0, bottom: 0 }];
}

/// The lesser of two floats.
pub(super) enum Least<const FAULT: u8> {}

static LEAST: KernelSpec = KernelSpec {
    floats: true,
    ..spec(
        "least",
        &[input("a", ElementType::F32, NONE), input("b", ElementType::F32, NONE)],
        &[output("out", ElementType::F32, false)],
        &[BorderMode::Undefined],
    )
};

/// minimumNumber, or what hardware makes of it.
fn least(fault: u8, a: f32, b: f32) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) if fault == NAN_WINS => a,
        (true, _) => b,
        (_, true) => a,
        _ if fault == ZEROS_EQUAL && a == b => a,
        _ if a < b || (a == b && a.is_sign_negative()) => a,
        _ => b,
    }
}

unsafe fn least_body<const FAULT: u8>(rows: &Rows<'_>) {
    // SAFETY: within `Reads`, and as the contract of `Rows` says.
    unsafe { each(rows, 0, FAULT, |x| least(FAULT, load(rows, 0, x as isize), load(rows, 1, x as isize))) }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Least<FAULT> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &LEAST,
            &[body(0, 1, &[reads(NONE), reads(NONE)], least_body::<FAULT>)],
            |_| {},
            |point| {
                let value = least(RIGHT, point.element(0), point.element(1));
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, f32>, View<'a, f32>);
    type Outputs<'a> = ViewMut<'a, f32>;
}

/// acc + x into acc, wrapping or saturating.
pub(super) enum Accumulate<const FAULT: u8> {}

static ACCUMULATE: KernelSpec = KernelSpec {
    bodies: 2,
    fast: false,
    coordinates: false,
    ..spec(
        "accumulate",
        &[
            input("x", ElementType::U8, NONE),
            ArgumentSpec {
                name: "acc",
                kind: ArgumentKind::Input(InputSpec::image(ElementType::U8, 1, NONE, (1, 1), Some(0))),
            },
            ArgumentSpec {
                name: "policy",
                kind: ArgumentKind::Variant { enum_name: "Overflow", values: &["Wrap", "Saturate"] },
            },
        ],
        &[output("acc", ElementType::U8, false)],
        &[BorderMode::Undefined],
    )
};

unsafe fn accumulate<const FAULT: u8, const SATURATE: bool>(rows: &Rows<'_>) {
    let sum = |line: usize, x: usize| {
        // SAFETY: within `Reads`; two rows of each image.
        let (x, acc) = unsafe { (load::<u8>(rows, line, x as isize), load::<u8>(rows, 2 + line, x as isize)) };
        let sum = if SATURATE == (FAULT != WRONG_VARIANT) { acc.saturating_add(x) } else { acc.wrapping_add(x) };
        if FAULT == TWICE { sum.wrapping_add(x) } else { sum }
    };
    // SAFETY: as the contract of `Rows` says.
    unsafe {
        each(rows, 0, FAULT, |x| sum(0, x));
        each(rows, 1, FAULT, |x| sum(1, x));
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Accumulate<FAULT> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &ACCUMULATE,
            &[
                body(0, 2, &[reads(NONE), reads(NONE)], accumulate::<FAULT, false>),
                body(1, 2, &[reads(NONE), reads(NONE)], accumulate::<FAULT, true>),
            ],
            |_| {},
            |point| {
                let (x, acc) = (point.element::<u8>(0), point.element::<u8>(1));
                point.write(0, if point.choice(0) == 1 { acc.saturating_add(x) } else { acc.wrapping_add(x) });
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}
