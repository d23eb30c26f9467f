//! Writes one `.cl` a kernel, `manifest.json`, the list behind `windrow_operators::all()`, and the generated tests.

use std::env;

use windrow_backends::doors::Build;

/// What the feature `network` adds to the folders that are always compiled.
const NETWORKS: [&str; 6] = ["network", "pooling", "quantization", "reduction", "tensor", "unary"];
const IMAGES: [&str; 13] = [
    "arithmetic",
    "bitwise",
    "colour",
    "comparison",
    "conversion",
    "feature",
    "filter",
    "functions",
    "geometry",
    "gradient",
    "pixelwise",
    "rearrange",
    "statistics",
];

fn main() {
    let networks = if env::var_os("CARGO_FEATURE_NETWORK").is_some() { &NETWORKS[..] } else { &[] };
    let mut folders = [&IMAGES, networks].concat();
    folders.sort_unstable();
    let build = folders.into_iter().fold(Build::new(), |build, folder| build.source(format!("src/{folder}")));
    build.list_kernels("all.rs").list_tests("tests.rs").run_or_exit();
}
