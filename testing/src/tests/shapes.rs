//! Kernels of other forms: inputs at a stride, interleaved pixels, float borders, no input at all.

use super::{kernels::*, run};
use crate::{Outcome, Target};
use windrow_reference::testing::Mode;
use windrow_runtime::{
    border::BorderMode,
    code::{Body, Kernel, KernelCode, OpenClImages, OpenClProgram, Rows},
    element::ElementType,
    neighbourhood,
    point::Point,
    spec::{ArgumentKind, ArgumentSpec, InputSpec, KernelSpec, NeighbourhoodSpec, OutputSpec},
    tier::Tier,
    view::{View, ViewMut},
};

static NO_OPENCL: OpenClProgram =
    OpenClProgram { source: "", file: "", lines: "", entries: &[], images: OpenClImages::None("none was emitted") };
const NOTHING: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };

pub(super) const fn scalar_body(reads: &'static [NeighbourhoodSpec], run: unsafe fn(&Rows<'_>)) -> Body {
    // SAFETY: `run` computes one element, and reads what `reads` says.
    unsafe { Body::new(Tier::Scalar, 0, (1, 1), reads, false, run) }
}

pub(super) const fn code(
    spec: &'static KernelSpec,
    bodies: &'static [Body],
    reference: fn(&mut Point<'_>),
) -> KernelCode {
    // SAFETY: the bodies compute the kernel, or what the harness must catch, inside the rows that they are lent.
    unsafe { KernelCode::new(spec, bodies, |_| {}, reference, &NO_OPENCL) }
}

/// The average of each 2×2 block and its left neighbours: read at a stride of (2, 2), in floats.
enum Half<const FAULT: u8> {}

static HALF: KernelSpec = KernelSpec {
    floats: true,
    ..spec(
        "half",
        &[ArgumentSpec {
            name: "src",
            kind: ArgumentKind::Input(InputSpec::image(
                ElementType::F32,
                1,
                NeighbourhoodSpec { left: -1, right: 1, top: 0, bottom: 1 },
                (2, 2),
                None,
            )),
        }],
        &[output("out", ElementType::F32, false)],
        &BorderMode::ALL,
    )
};

unsafe fn half<const FAULT: u8>(rows: &Rows<'_>) {
    for x in 0..rows.width {
        let at = |row: usize, dx: isize| {
            let stride = if FAULT == WRONG_TAP { 1 } else { 2 };
            // SAFETY: within `Reads`.
            unsafe { rows.inputs[row].cast::<f32>().offset(stride * x as isize + dx).read() }
        };
        let sum = at(0, -1) + at(0, 0) + at(0, 1) + at(1, 0) * 0.5;
        // SAFETY: the column belongs to this call.
        unsafe { rows.outputs[0].cast::<f32>().add(x).write(sum) };
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Half<FAULT> {
    const CODE: &'static KernelCode = &code(
        &HALF,
        &[scalar_body(&[NeighbourhoodSpec { left: -1, right: 1, top: 0, bottom: 1 }], half::<FAULT>)],
        |point| {
            let src: neighbourhood::Neighbourhood<'_, f32> = point.neighbourhood(0);
            point.write(0, src.at(-1, 0) + src.at(0, 0) + src.at(1, 0) + src.at(0, 1) * 0.5);
        },
    );
    type Inputs<'a> = View<'a, f32>;
    type Outputs<'a> = ViewMut<'a, f32>;
}

/// Exchanges the channels of a pixel.
enum Exchange<const FAULT: u8> {}

static EXCHANGE: KernelSpec = spec(
    "exchange",
    &[ArgumentSpec {
        name: "pixel",
        kind: ArgumentKind::Input(InputSpec::image(ElementType::I16, 3, NONE, (1, 1), None)),
    }],
    &[OutputSpec { name: "out", element: ElementType::I16, channels: 3, optional: false }],
    &[BorderMode::Undefined],
);

unsafe fn exchange<const FAULT: u8>(rows: &Rows<'_>) {
    for x in 0..rows.width {
        // SAFETY: within `Reads`, and the column belongs to this call.
        unsafe {
            let [a, b, c] = rows.inputs[0].cast::<[i16; 3]>().add(x).read();
            let pixel = if FAULT == SWAPPED { [b, c, a] } else { [c, b, a] };
            rows.outputs[0].cast::<[i16; 3]>().add(x).write(pixel);
        }
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Exchange<FAULT> {
    const CODE: &'static KernelCode = &code(&EXCHANGE, &[scalar_body(&[NOTHING], exchange::<FAULT>)], |point| {
        let [a, b, c] = point.element::<[i16; 3]>(0);
        point.write(0, [c, b, a]);
    });
    type Inputs<'a> = View<'a, [i16; 3]>;
    type Outputs<'a> = ViewMut<'a, [i16; 3]>;
}

/// A checkerboard: it reads no image.
enum Checker<const FAULT: u8> {}

static CHECKER: KernelSpec = KernelSpec {
    coordinates: true,
    ..spec("checker", &[], &[output("out", ElementType::I32, false)], &[BorderMode::Undefined])
};

unsafe fn checker<const FAULT: u8>(rows: &Rows<'_>) {
    for x in 0..rows.width {
        let y = if FAULT == WRONG_COORDINATE { 0 } else { rows.y };
        // SAFETY: the column belongs to this call.
        unsafe { rows.outputs[0].cast::<i32>().add(x).write((rows.x + x as i32) * 1000 + y) };
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Checker<FAULT> {
    const CODE: &'static KernelCode = &code(&CHECKER, &[scalar_body(&[], checker::<FAULT>)], |point| {
        point.write(0, windrow_runtime::x() * 1000 + windrow_runtime::y())
    });
    type Inputs<'a> = ();
    type Outputs<'a> = ViewMut<'a, i32>;
}

fn agrees<K: Kernel>() {
    let outcome = run::<K>(Target::Scalar, Mode::Quick);
    assert!(matches!(outcome, Ok(Outcome::Agreed(cases)) if cases > 20), "{outcome:?}");
}

fn caught<K: Kernel>() {
    let outcome = run::<K>(Target::Scalar, Mode::Quick);
    assert!(matches!(&outcome, Err(failure) if failure.what.contains("expected")), "{outcome:?}");
}

#[test]
fn inputs_at_a_stride_are_tested() {
    agrees::<Half<RIGHT>>();
    caught::<Half<WRONG_TAP>>();
}

#[test]
fn interleaved_pixels_are_tested() {
    agrees::<Exchange<RIGHT>>();
    caught::<Exchange<SWAPPED>>();
}

#[test]
fn kernels_without_inputs_are_tested() {
    agrees::<Checker<RIGHT>>();
    caught::<Checker<WRONG_COORDINATE>>();
}
