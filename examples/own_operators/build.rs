//! Writes a `.cl` for each kernel of `src/ops` and each one that a pipeline fuses, `manifest.json`, and the list of all kernels, into `OUT_DIR`.

fn main() {
    windrow_backends::doors::Build::new()
        .source("src/ops")
        .source("src/pipelines.rs")
        .list_kernels("all.rs")
        .run_or_exit();
}
