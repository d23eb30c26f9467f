//! The text of a few kernels, kept: a change of the emitter shows as a change of these files. `WINDROW_BLESS=1` writes
//! them anew. Their schedules are fixed, so that the choice of schedules does not show.

use std::{fs, path::Path};
use windrow_backends::opencl;
use windrow_dsl::{compile_file, optimise::prepare};

const KERNELS: &str = "
/// Absolute difference of two images.
#[kernel(schedule(opencl(16, 1)))]
pub fn distance(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

/// 3×3 Gaussian blur with the weights [1 2 1; 2 4 2; 1 2 1] / 16.
#[kernel(schedule(opencl(4, 2), opencl(1, 1)))]
pub fn gaussian3x3(src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8
}

/// Bounds a pixel's channels, and says where they lay.
#[kernel(schedule(opencl(4, 1)), output(bounded, inside?))]
pub fn bound([r, g]: [f32; 2], #[uniform(0.0..=1.0)] most: f32, #[variant] policy: Overflow) -> ([f32; 2], u8) {
    let level = match policy {
        Overflow::Wrap => r / most,
        Overflow::Saturate => r.min(most),
    };
    ([level, g.max(-0.0).sqrt()], if r < most && g > 0.0 { 255 } else { 0 })
}

/// The mean of an image at a place and of the element above it.
#[kernel(schedule(opencl(4, 2)))]
pub fn halfway(place: [i16; 2], src: View<[u8; 3]>, src_at: f32) -> ([u8; 3], f32) {
    let [row, column] = place.map(|index| index as i32);
    let below = src.get([row, column]).unwrap_or([0; 3]);
    let above = src.get([row - 1, column]).unwrap_or(below);
    ([0, 1, 2].map(|c| ((above[c] as u16 + below[c] as u16) / 2) as u8), src_at)
}
";

#[test]
fn texts_are_as_kept() {
    let compiled = compile_file(KERNELS);
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    for kernel in compiled.kernels.iter().map(|compiled| &compiled.kernel) {
        compare(&kernel.name, &opencl::emit(kernel, &prepare(kernel)).source);
        if let Ok(images) = opencl::emit_images(kernel, &prepare(kernel), None) {
            let name = format!("{}.image", kernel.name);
            compare(&name, &images.source);
            super::syntax::check(&name, &format!("#define {}\n{}", opencl::CONSTANT, images.source));
        }
    }
}

fn compare(name: &str, text: &str) {
    super::syntax::check(name, text);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/opencl/snapshots/{name}.cl"));
    if std::env::var_os("WINDROW_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name}: the text has changed; see {}", super::syntax::kept(name, text));
}

#[test]
fn kernels_without_an_image_form_say_why() {
    let cases = [
        ("fn k(a: u8) -> u8 { !a }", "no input is read around an element, so that no sampler is of use"),
        (
            "fn k(a: Neighbourhood<u8>, #[inout] sum: u8) -> u8 { sum.wrapping_add(a.at(1, 0)) }",
            "`sum` is written where it is read, an image is one or the other",
        ),
        (
            "fn k(a: Neighbourhood<u8>, b: View<u8>) -> u8 { b.get([0, 1]).unwrap_or(a.at(1, 0)) }",
            "`b` is read anywhere, which takes an address and no sampler",
        ),
        (
            "fn k(a: Neighbourhood<[u8; 3]>) -> u8 { a.at(1, 0)[2] }",
            "`a` is of [u8; 3], images of this form have one channel",
        ),
    ];
    for (function, expected) in cases {
        let compiled = compile_file(&format!("#[kernel]\n{function}"));
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        assert_eq!(opencl::check_images(kernel).unwrap_err().to_string(), expected);
    }
    let compiled = compile_file("#[kernel(border(wrap))]\nfn k(a: Neighbourhood<u8>) -> u8 { a.at(1, 0) }");
    let refused = opencl::check_images(&compiled.kernels[0].kernel);
    assert_eq!(refused, Err(opencl::NoImageForm::Borders));
}

/// What a driver makes of NaN is its own choice: see the standard's words on conversions that saturate.
#[test]
fn nan_is_zero_before_it_becomes_a_u32() {
    let compiled = compile_file("#[kernel(schedule(opencl(4, 1)))]\nfn k(a: f32) -> u32 { a as u32 }");
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    let kernel = &compiled.kernels[0].kernel;
    let text = opencl::emit(kernel, &prepare(kernel)).source;
    assert!(text.contains("convert_uint4_sat(a_0 > (real4)0 ? a_0 : (real4)0)"), "{text}");
    super::syntax::check("nan", &text);
}

/// NVIDIA's compiler drops the sign of a negated operand of one minimum or maximum that another one takes.
#[test]
fn negations_in_extremes_are_hidden() {
    let source =
        "#[kernel(schedule(opencl(4, 1)))]\nfn k(a: i16, b: i16, c: i16) -> i16 { (a / 2).max(-(b / 2)).max(c) }";
    let compiled = compile_file(source);
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    let kernel = &compiled.kernels[0].kernel;
    let text = opencl::emit(kernel, &prepare(kernel)).source;
    assert!(text.contains(" + zero_i16x4())"), "{text}");
    super::syntax::check("negation", &text);
}
