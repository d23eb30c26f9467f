//! The recipe of a C++ host: the program of its page is compiled, linked with the library of OpenCL, and run.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use windrow::{Border, Tensor, opencl::Devices};
use windrow_backends::doors::Build;
use windrow_operators::gaussian3x3;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Says why a device isn't used; that is a failure where the tests are to have one.
pub fn no_device(error: &dyn std::fmt::Display) {
    let required = std::env::var("WINDROW_REQUIRE").unwrap_or_default();
    assert!(!required.contains("opencl"), "{error}");
    eprintln!("not run: {error}");
}

/// The C++ program's blur of an image equals windrow's.
pub fn blurs(photo: &Tensor<u8>) {
    if let Err(error) = Devices::find() {
        return no_device(&error);
    }
    if !Path::new("/usr/include/CL/cl.h").exists() {
        return no_device(&"the headers of OpenCL are missing: Debian's opencl-c-headers");
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path());
    let build = Build::new().root(format!("{ROOT}/operators")).source("src/filter/gaussian3x3.rs");
    let manifest = build.out_dir(folder.path()).run().unwrap();
    let opencl = &manifest.kernels[0].opencl;
    let entry = &opencl.entries[0];
    let [height, width] = [photo.info().height(), photo.info().width()];
    let numbers = [entry.block[0] as usize, entry.block[1] as usize, width, height].map(|number| number.to_string());
    let mut child = Command::new(program)
        .arg(folder.path().join(&opencl.file))
        .args([&opencl.options, &entry.name])
        .args(numbers)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&photo.to_vec()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the host failed: {}", output.status);
    assert_eq!(output.stdout, gaussian3x3::apply(photo, Border::Replicate).unwrap().to_vec());
}

/// The page's function, and what calls it, as a program.
fn compiled(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("host");
    let status = Command::new("clang++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-DCL_TARGET_OPENCL_VERSION=120", "-include"])
        .arg(concat!(env!("OUT_DIR"), "/a_cpp_host.cpp"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host/main.cpp"))
        // The library's own name: Debian has the other one in a package for developers.
        .args(["-l:libOpenCL.so.1", "-o"])
        .arg(&program)
        .status()
        .expect("clang++, which compiles the host");
    assert!(status.success(), "the host does not compile");
    program
}
