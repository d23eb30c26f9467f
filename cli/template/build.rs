//! Writes an OpenCL C file for each kernel of `src/ops`, and `manifest.json`, which says how to call them, into `OUT_DIR`.
//! The compiler shows the mistakes of a kernel; nothing is written for a file that has some.

fn main() {
    windrow_backends::doors::Build::new().source("src/ops").run_or_exit();
}
