//! Every emitted text through clang, which knows OpenCL C without any device.

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// The compiler as a second opinion: no error, and no warning.
const ARGUMENTS: [&str; 12] = [
    "-x",
    "cl",
    "-cl-std=CL1.2",
    "-target",
    "spir64",
    "-Wall",
    "-Werror",
    "-fsyntax-only",
    "-Xclang",
    "-finclude-default-header",
    "-Wno-unused-function",
    "-",
];

/// What a text whose images hold floats is built with: floats stored as halves, and computed in them too.
const PRECISIONS: [&[&str]; 2] =
    [&["-DWINDROW_F16_STORAGE"], &["-DWINDROW_F16_STORAGE", "-DWINDROW_F16", "-Xclang", "-cl-ext=+cl_khr_fp16"]];

/// A text that divides by itself is asked for that by this.
const DIVIDE: &str = "-DWINDROW_DIVIDE";

/// Checks a text, in every precision that it has; where the machine has no clang, nothing is checked.
pub fn check(name: &str, source: &str) {
    let stored = source.contains("WINDROW_F16_STORAGE");
    let divided = source.contains("WINDROW_DIVIDE");
    for precision in [&[][..]].into_iter().chain(PRECISIONS.into_iter().filter(|_| stored)) {
        check_with(name, source, precision);
        if divided {
            check_with(name, source, &[precision, &[DIVIDE]].concat());
        }
    }
}

fn check_with(name: &str, source: &str, options: &[&str]) {
    let clang =
        Command::new("clang").args(options).args(ARGUMENTS).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut clang) = clang else {
        eprintln!("skipped: no clang");
        return;
    };
    clang.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = clang.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{name} {options:?}: {}\n{}",
        String::from_utf8_lossy(&output.stderr),
        kept(name, source)
    );
}

/// Keeps a faulty text, and says where.
pub fn kept(name: &str, source: &str) -> String {
    let path = std::env::temp_dir().join(format!("windrow-{name}.cl"));
    match std::fs::write(&path, source) {
        Ok(()) => path.display().to_string(),
        Err(error) => error.to_string(),
    }
}
