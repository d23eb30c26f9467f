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
";

#[test]
fn texts_are_as_kept() {
    let compiled = compile_file(KERNELS);
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    for kernel in compiled.kernels.iter().map(|compiled| &compiled.kernel) {
        let text = opencl::emit(kernel, &prepare(kernel)).source;
        super::syntax::check(&kernel.name, &text);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/opencl/snapshots/{}.cl", kernel.name));
        if std::env::var_os("WINDROW_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == text,
            "{}: the text has changed; see {}",
            kernel.name,
            super::syntax::kept(&kernel.name, &text)
        );
    }
}
