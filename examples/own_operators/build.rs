//! Writes a `.cl` for each kernel of `src/ops`, `manifest.json`, and the list of all kernels, into `OUT_DIR`.

fn main() {
    windrow_backends::doors::Build::new().source("src/ops").list_kernels("all.rs").run_or_exit();
}
