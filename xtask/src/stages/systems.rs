//! Other systems, as far as they can be checked from here.

use xshell::cmd;

use crate::context::Context;

/// Windows and macOS: what users link, and the command line, is checked by the compiler. Nothing is linked or run.
pub fn systems(cx: &Context) -> anyhow::Result<()> {
    let packages = ["windrow", "windrow-operators", "windrow-capi-library", "windrow-testing", "windrow-cli"];
    let packages = packages.map(|package| ["--package", package]).concat();
    let features = ["opencl", "image", "ndarray", "pinning"].map(|feature| format!("windrow/{feature}"));
    let features = [&features[..], &["windrow-operators/opencl".into()]].concat().join(",");
    for target in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"] {
        let (folder, packages) = (cx.target_folder().join("systems"), &packages);
        cx.run(cmd!(
            cx.shell,
            "cargo check {packages...} --features {features} --target {target} --target-dir {folder}"
        ))?;
    }
    Ok(())
}

/// Android's 64-bit Arm: the static library of C is built. Without Google's NDK there is no C library to link a program with.
pub fn android(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("systems");
    cx.run(cmd!(
        cx.shell,
        "cargo rustc --package windrow-capi-library --target aarch64-linux-android --target-dir {folder} --crate-type staticlib"
    ))
}
