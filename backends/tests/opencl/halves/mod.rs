//! Arithmetic in halves, executed: clang compiles programs for this processor, which converts halves by instructions of its
//! own, and what they compute is close to the same in 32 bits. Without such a processor, or clang, nothing is run.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};
use windrow_backends::opencl;
use windrow_dsl::{compile_file, optimise::prepare};

const KERNELS: &str = "
#[kernel(schedule(opencl(4, 2)))]
pub fn smooth(src: Neighbourhood<f32>) -> f32 {
    let row = |dy| 0.25 * src.at(-1, dy) + 0.5 * src.at(0, dy) + 0.25 * src.at(1, dy);
    0.25 * row(-1) + 0.5 * row(0) + 0.25 * row(1)
}

#[kernel(schedule(opencl(4, 1)))]
pub fn level(x: f32) -> f32 {
    let bounded = x.max(-3.0).min(5.0);
    if bounded < 0.1 { bounded * 0.3 } else { (bounded / 1.7).sqrt() }
}
";

const WIDTH: usize = 37;
const HEIGHT: usize = 9;
const STRIDE: usize = 80;

/// One `run` for both kernels: without borders but the nearest element.
const RUN: &str = "
void run(__global const uchar *source, __global uchar *target, int stride, int width, int height)
{
    KERNEL(source, 0, stride, 0, width, height, BORDER target, 0, stride, 0, 0, 0, width, height MODE);
}
";

#[test]
fn what_is_computed_in_halves_is_close() {
    if !converts_halves() {
        eprintln!("not run: the processor does not convert halves");
        return;
    }
    let compiled = compile_file(KERNELS);
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    let folder = std::env::temp_dir().join(format!("windrow-halves-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let source: Vec<f32> = (0..WIDTH * HEIGHT).map(|k| narrowed((k * 7919 % 1009) as f32 / 101.0 - 4.0)).collect();
    for (kernel, expected) in compiled.kernels.iter().zip([smooth, level]) {
        let kernel = &kernel.kernel;
        let text = opencl::emit(kernel, &prepare(kernel));
        let around = kernel.name == "smooth";
        let run = RUN.replace("KERNEL", &text.entries[0].name);
        let run =
            run.replace("BORDER", if around { "0," } else { "" }).replace("MODE", if around { ", 2" } else { "" });
        let Some(found) = executed(&folder, &(text.source + &run), &source) else { continue };
        for (k, found) in found.into_iter().enumerate() {
            let expected = expected(&source, k % WIDTH, k / WIDTH);
            // At most 16 roundings of values of at most 6.
            assert!((found - expected).abs() <= 16.0 * 6.0 / 2048.0, "{}: {found}, expected {expected}", kernel.name);
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

fn smooth(source: &[f32], x: usize, y: usize) -> f32 {
    let at = |dx: isize, dy: isize| {
        let column = (x as isize + dx).clamp(0, WIDTH as isize - 1) as usize;
        source[(y as isize + dy).clamp(0, HEIGHT as isize - 1) as usize * WIDTH + column]
    };
    let row = |dy| 0.25 * at(-1, dy) + 0.5 * at(0, dy) + 0.25 * at(1, dy);
    0.25 * row(-1) + 0.5 * row(0) + 0.25 * row(1)
}

fn level(source: &[f32], x: usize, y: usize) -> f32 {
    let bounded = source[y * WIDTH + x].clamp(-3.0, 5.0);
    if bounded < 0.1 { bounded * 0.3 } else { (bounded / 1.7).sqrt() }
}

#[cfg(target_arch = "x86_64")]
fn converts_halves() -> bool {
    std::arch::is_x86_feature_detected!("f16c")
}

#[cfg(not(target_arch = "x86_64"))]
fn converts_halves() -> bool {
    false
}

/// A float cut to the bits that a half has: exact in both.
fn narrowed(float: f32) -> f32 {
    f32::from_bits(float.to_bits() & !0x1fff)
}

/// The bits of a float that a half holds exactly, and is normal there.
fn half(float: f32) -> u16 {
    let magnitude = (float.to_bits() >> 13 & 0x3_ffff).saturating_sub(BIAS);
    (float.to_bits() >> 16 & 0x8000 | magnitude) as u16
}

/// How much more the exponent of a float counts, where a half has it.
const BIAS: u32 = (127 - 15) << 10;

/// The value of a half that is zero or normal.
fn single(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff);
    f32::from_bits(u32::from(bits & 0x8000) << 16 | if magnitude < 0x400 { 0 } else { (magnitude + BIAS) << 13 })
}

/// What a program computes in halves; none where clang is missing.
fn executed(folder: &Path, program: &str, source: &[f32]) -> Option<Vec<f32>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opencl/halves");
    let kernel = folder.join("kernel.cl");
    fs::write(&kernel, program).unwrap();
    let mut objects = Vec::new();
    for (name, file) in [("kernel", &kernel), ("builtins", &here.join("builtins.cl"))] {
        let object = folder.join(name).with_extension("o");
        let options = ["-x", "cl", "-cl-std=CL1.2", "-DWINDROW_F16", "-DWINDROW_F16_STORAGE", "-O1", "-mf16c", "-c"];
        let headers = ["-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+cl_khr_fp16"];
        compile(Command::new("clang").args(options).args(headers).arg(file).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let binary = folder.join("main");
    compile(Command::new("clang").args(["-O1", "-w"]).arg(here.join("main.c")).args(objects).arg("-o").arg(&binary))?;
    let mut bytes = vec![0; STRIDE * HEIGHT];
    for (k, &float) in source.iter().enumerate() {
        let at = k / WIDTH * STRIDE + k % WIDTH * 2;
        bytes[at..at + 2].copy_from_slice(&half(float).to_le_bytes());
    }
    let arguments = [WIDTH, HEIGHT, STRIDE].map(|number| number.to_string());
    let piped = Stdio::piped;
    let mut main = Command::new(&binary).args(arguments).stdin(piped()).stdout(piped()).spawn().unwrap();
    main.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = main.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let at = |k: usize| k / WIDTH * STRIDE + k % WIDTH * 2;
    let found = |k: usize| single(u16::from_le_bytes([output.stdout[at(k)], output.stdout[at(k) + 1]]));
    Some((0..source.len()).map(found).collect())
}

/// Runs the compiler; none where there is none.
fn compile(clang: &mut Command) -> Option<()> {
    let Ok(output) = clang.output() else {
        eprintln!("not run: no clang");
        return None;
    };
    assert!(output.status.success(), "{clang:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(())
}
