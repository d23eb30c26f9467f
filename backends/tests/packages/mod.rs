//! Packages of kernels for the doors: what the tests of the build script and of the command line read.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Two kernels without a mistake.
pub const OPERATORS: &str = "
/// The distance of two images.
#[kernel(step(32, 1), schedule(opencl(16, 1), opencl(4, 4)))]
pub fn remoteness(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

#[kernel(output(dx?, dy?))]
pub fn slope(src: Neighbourhood<u8>, #[uniform(1..=9)] scale: i32, #[variant] policy: Overflow) -> (i16, i16) {
    let along = (src.at(1, 0) as i32 - src.at(-1, 0) as i32) / scale;
    let across = (src.at(0, 1) as i32 - src.at(0, -1) as i32) / scale;
    match policy {
        Overflow::Wrap => (along.wrapping_cast(), across.wrapping_cast()),
        Overflow::Saturate => (along.saturating_cast(), across.saturating_cast()),
    }
}
";

/// Two with one each.
pub const MISTAKES: &str = "
#[kernel]
pub fn next(a: u8) -> u8 {
    a + 1
}

#[kernel]
pub fn before(a: u8) -> u8 {
    a - 1
}
";

/// A package's folder of its own, with these files.
pub fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    for (file, text) in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}
