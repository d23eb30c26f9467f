//! Writes one `.cl` a kernel, `manifest.json`, and the list behind `windrow_operators::all()`.

fn main() {
    windrow_backends::doors::Build::new().source("src").list_kernels("all.rs").run_or_exit();
}
