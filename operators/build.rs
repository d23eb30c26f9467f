//! Writes one `.cl` a kernel, `manifest.json`, the list behind `windrow_operators::all()`, and the generated tests.

fn main() {
    windrow_backends::doors::Build::new().source("src").list_kernels("all.rs").list_tests("tests.rs").run_or_exit();
}
