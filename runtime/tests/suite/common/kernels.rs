//! Kernels of every kind of argument.

use super::{NO_OPENCL, around, derive_nothing, input, kernel, load, output, wide};
use windrow_runtime::{
    BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Neighbourhood, Scalar, Tier, View, ViewMut,
    code::{Body, Rows},
    spec::{self, ArgumentKind, ArgumentSpec, OutputSpec, UniformSpec, WordCount},
};

/// |a − b| of two images.
#[derive(Debug)]
pub enum AbsDiff<const L: u32, const R: u32> {}

static ABS_DIFF: KernelSpec = kernel(
    "abs_diff",
    &[
        input("a", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None),
        input("b", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None),
    ],
    &[output("out", ElementType::U8, false)],
    (4, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for AbsDiff<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &ABS_DIFF,
            &[Body::new(Tier::Scalar, 0, (L, R), &[around(0, 0, 0, 0), around(0, 0, 0, 0)], true, abs_diff::<L, R>)],
            derive_nothing,
            |point| {
                let value = point.element::<u8>(0).abs_diff(point.element::<u8>(1));
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, u8>, View<'a, u8>);
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn abs_diff<const L: u32, const R: u32>(rows: &Rows<'_>) {
    assert_eq!(rows.inputs.len(), 2 * R as usize);
    // SAFETY: the rows of `a` come first, then those of `b`; only the element itself is read.
    unsafe {
        wide::<u8, L, R>(rows, |x, row| {
            load::<u8>(rows, row, x as isize).abs_diff(load::<u8>(rows, R as usize + row, x as isize))
        });
    }
}

/// A sum over a neighbourhood with different weights, so that every tap shows: Σ (3·dx + 7·dy + 29) · src(dx, dy).
#[derive(Debug)]
pub enum Weighted<const L: u32, const R: u32, const KIND: usize> {}

const EVERY_MODE: &[BorderMode] = &BorderMode::ALL;

/// The neighbourhoods and strides of `Weighted`, by `KIND`.
pub const KINDS: [(spec::NeighbourhoodSpec, (u32, u32)); 8] = [
    (around(-1, 1, -1, 1), (1, 1)),
    (around(-3, 1, 0, 2), (1, 1)),
    (around(0, 2, -2, 0), (1, 1)),
    (around(-2, 2, -2, 2), (2, 2)),
    (around(0, 1, 0, 1), (2, 1)),
    (around(1, 4, -5, -2), (1, 3)),
    (around(-6, -4, 2, 3), (1, 3)),
    (around(-2, 1, 0, 1), (3, 1)),
];

struct Of<const KIND: usize>;

impl<const KIND: usize> Of<KIND> {
    const INPUTS: &'static [ArgumentSpec] = &[input("src", ElementType::U8, 1, KINDS[KIND].0, KINDS[KIND].1, None)];
    const OUTPUTS: &'static [OutputSpec] = &[output("out", ElementType::I32, false)];
    const SPEC: &'static KernelSpec = &kernel("weighted", Self::INPUTS, Self::OUTPUTS, (4, 2), EVERY_MODE);
}

pub fn weighted_sum(around: spec::NeighbourhoodSpec, at: impl Fn(i32, i32) -> u8) -> i32 {
    let rows = (around.top..=around.bottom).flat_map(|dy| (around.left..=around.right).map(move |dx| (dx, dy)));
    rows.map(|(dx, dy)| (3 * dx + 7 * dy + 29) * i32::from(at(dx, dy))).sum()
}

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32, const KIND: usize> Kernel for Weighted<L, R, KIND> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            Of::<KIND>::SPEC,
            &[Body::new(Tier::Scalar, 0, (L, R), const { &[KINDS[KIND].0] }, true, weighted::<L, R, KIND>)],
            derive_nothing,
            |point| {
                let src: Neighbourhood<'_, u8> = point.neighbourhood(0);
                point.write(0, weighted_sum(KINDS[KIND].0, |dx, dy| src.at(dx, dy)));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn weighted<const L: u32, const R: u32, const KIND: usize>(rows: &Rows<'_>) {
    let (around, stride) = KINDS[KIND];
    let count = stride.1 as i32 * (R as i32 - 1) + around.bottom - around.top + 1;
    assert_eq!(rows.inputs.len(), count as usize);
    // SAFETY: row 0 is that of the neighbourhood's top; the taps are those of `Reads`.
    unsafe {
        wide::<i32, L, R>(rows, |x, row| {
            weighted_sum(around, |dx, dy| {
                let line = row as i32 * stride.1 as i32 + dy - around.top;
                load::<u8>(rows, line as usize, x as isize * stride.0 as isize + dx as isize)
            })
        });
    }
}

/// acc + x, into acc.
#[derive(Debug)]
pub enum Accumulate<const L: u32, const R: u32> {}

static ACCUMULATE: KernelSpec = kernel(
    "accumulate",
    &[
        input("x", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None),
        input("acc", ElementType::I16, 1, around(0, 0, 0, 0), (1, 1), Some(0)),
    ],
    &[output("acc", ElementType::I16, false)],
    (8, 2),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Accumulate<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &ACCUMULATE,
            &[Body::new(Tier::Scalar, 0, (L, R), &[around(0, 0, 0, 0), around(0, 0, 0, 0)], true, accumulate::<L, R>)],
            derive_nothing,
            |point| {
                let sum = point.element::<i16>(1).saturating_add(i16::from(point.element::<u8>(0)));
                point.write(0, sum);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i16>;
}

unsafe fn accumulate<const L: u32, const R: u32>(rows: &Rows<'_>) {
    assert_eq!(rows.width % L as usize, 0, "an in-place run computes each element once");
    // SAFETY: as in `abs_diff`.
    unsafe {
        wide::<i16, L, R>(rows, |x, row| {
            let acc = load::<i16>(rows, R as usize + row, x as isize);
            acc.saturating_add(i16::from(load::<u8>(rows, row, x as isize)))
        });
    }
}

/// Differences to the right and below, each optional, times a uniform gain, with the coordinate mixed in.
#[derive(Debug)]
pub enum Differences<const L: u32, const R: u32> {}

static DIFFERENCES: KernelSpec = KernelSpec {
    words: WordCount { uniforms: 1, derived: 1 },
    bodies: 3,
    fast: false,
    coordinates: true,
    ..kernel(
        "differences",
        &[
            input("src", ElementType::U8, 1, around(0, 1, 0, 1), (1, 1), None),
            ArgumentSpec {
                name: "gain",
                kind: ArgumentKind::Uniform(UniformSpec {
                    element: ElementType::I16,
                    dims: &[],
                    bounds: Some((Scalar::I16(-4), Scalar::I16(4))),
                    sum_of_magnitudes: None,
                    word: 0,
                }),
            },
        ],
        &[output("dx", ElementType::I32, true), output("dy", ElementType::I32, true)],
        (4, 1),
        EVERY_MODE,
    )
};

fn difference(gain: i32, x: i32, y: i32, from: u8, to: u8) -> i32 {
    gain * (i32::from(to) - i32::from(from)) * 10_000 + 100 * x + y
}

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Differences<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &DIFFERENCES,
            &[
                Self::body(0, differences::<L, R, true, true>),
                Self::body(1, differences::<L, R, false, true>),
                Self::body(2, differences::<L, R, true, false>),
            ], // The derived word is what the bodies use, so that it shows when it is wrong.
            |words| words[1] = words[0].wrapping_mul(2),
            |point| {
                let src: Neighbourhood<'_, u8> = point.neighbourhood(0);
                let (x, y) = (windrow_runtime::x(), windrow_runtime::y());
                let gain = 2 * i32::from(point.uniform::<i16>(0));
                point.write(0, difference(gain, x, y, src.at(0, 0), src.at(1, 0)));
                point.write(1, difference(gain, x, y, src.at(0, 0), src.at(0, 1)));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = (Option<ViewMut<'a, i32>>, Option<ViewMut<'a, i32>>);
}

impl<const L: u32, const R: u32> Differences<L, R> {
    /// # Safety
    /// `run` computes the subset `index`.
    const unsafe fn body(index: u32, run: unsafe fn(&Rows<'_>)) -> Body {
        // SAFETY: the caller's.
        unsafe { Body::new(Tier::Scalar, index, (L, R), const { &[around(0, 1, 0, 1)] }, true, run) }
    }
}

unsafe fn differences<const L: u32, const R: u32, const DX: bool, const DY: bool>(rows: &Rows<'_>) {
    let (r, gain) = (R as usize, rows.words[1] as i32);
    assert_eq!(rows.outputs.len(), 2 * r);
    for (given, to, (right, below)) in [(DX, &rows.outputs[..r], (1, 0)), (DY, &rows.outputs[r..], (0, 1))] {
        assert!(to.iter().all(|row| row.is_null() != given));
        if !given {
            continue;
        }
        let rows = Rows { outputs: to, ..Rows { ..copy(rows) } };
        // SAFETY: the taps are those of `Reads`.
        unsafe {
            wide::<i32, L, R>(&rows, |x, row| {
                let (from, to) = (load(&rows, row, x as isize), load(&rows, row + below, x as isize + right));
                difference(gain, rows.x + x as i32, rows.y + row as i32, from, to)
            });
        }
    }
}

fn copy<'a>(rows: &Rows<'a>) -> Rows<'a> {
    Rows {
        inputs: rows.inputs,
        outputs: rows.outputs,
        views: rows.views,
        tables: rows.tables,
        words: rows.words,
        x: rows.x,
        y: rows.y,
        outer: rows.outer,
        width: rows.width,
        head: rows.head,
        groups: rows.groups,
        down: rows.down,
    }
}

/// A look-up of the green channel of a pixel.
#[derive(Debug)]
pub enum LookUp<const L: u32> {}

static LOOK_UP: KernelSpec = kernel(
    "look_up",
    &[
        input("pixel", ElementType::U8, 3, around(0, 0, 0, 0), (1, 1), None),
        ArgumentSpec { name: "table", kind: ArgumentKind::Table { element: ElementType::I16, length: 256 } },
    ],
    &[output("out", ElementType::I16, false)],
    (1, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl<const L: u32> Kernel for LookUp<L> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &LOOK_UP,
            &[Body::new(Tier::Scalar, 0, (L, 1), &[around(0, 0, 0, 0)], true, look_up::<L>)],
            derive_nothing,
            |point| {
                let value = point.table::<i16, 256>(0)[point.element::<[u8; 3]>(0)[1]];
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, [u8; 3]>, &'a [i16; 256]);
    type Outputs<'a> = ViewMut<'a, i16>;
}

unsafe fn look_up<const L: u32>(rows: &Rows<'_>) {
    // SAFETY: the table has 256 entries.
    unsafe {
        wide::<i16, L, 1>(rows, |x, row| {
            let [_, green, _] = load::<[u8; 3]>(rows, row, x as isize);
            rows.tables[0].cast::<i16>().add(usize::from(green)).read()
        });
    }
}

/// The low byte of a word, so that what writes words can be read as bytes again.
#[derive(Debug)]
pub enum Narrow {}

static NARROW: KernelSpec = kernel(
    "narrow",
    &[input("wide", ElementType::I32, 1, around(0, 0, 0, 0), (1, 1), None)],
    &[output("out", ElementType::U8, false)],
    (4, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Narrow {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &NARROW,
            &[Body::new(Tier::Scalar, 0, (4, 2), &[around(0, 0, 0, 0)], true, narrow)],
            derive_nothing,
            |point| {
                let value = point.element::<i32>(0) as u8;
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, i32>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn narrow(rows: &Rows<'_>) {
    // SAFETY: only the element itself is read.
    unsafe { wide::<u8, 4, 2>(rows, |x, row| load::<i32>(rows, row, x as isize) as u8) };
}
