//! Writes an OpenCL C file for each kernel of `src/ops`, and `manifest.json`, which says how to call them, into `OUT_DIR`.
//! A mistake in a kernel ends the build with its message.

fn main() {
    windrow_backends::doors::Build::new().source("src/ops").run_or_exit();
}
