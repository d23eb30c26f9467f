//! Kernels as large as the language allows are compiled by `cargo build` and `cargo build --release`, in the profiles that
//! an author has who says nothing of them: with what debuggers need, and optimised.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use windrow_backends::{
    scalar,
    targets::{CPU, by_default},
};
use windrow_dsl::{ir::Kernel, optimise::prepare};

/// A box of 31 by 31 elements.
const SQUARE: &str = "
#[kernel]
pub fn square(src: Neighbourhood<u8>) -> u32 {
    let mut s = 0;
    for dy in -15..=15 { for dx in -15..=15 { s += src.at(dx, dy) as u32; } }
    s
}
";

/// Two columns of 511 rows; a long chain of constants; a long word that is derived.
const OTHERS: &str = "
#[kernel]
pub fn columns(src: Neighbourhood<u8>) -> u32 {
    let mut s = 0;
    for dy in -255..=255 { s += src.at(0, dy) as u32 + src.at(1, dy) as u32; }
    s
}
#[kernel]
pub fn constants(t: u32) -> u32 {
    let mut s = 0u32;
    for i in 0..3000 { s = s.wrapping_add(t ^ i); }
    s
}
#[kernel]
pub fn derived(#[uniform] t: u32, a: u32) -> u32 {
    let mut s = 0u32;
    for i in 0..3000 { s = s.wrapping_add(t ^ i); }
    s ^ a
}
";

/// The bodies of the best of this machine's targets.
fn bodies(kernel: &Kernel, targets: usize, text: &mut String) {
    let prepared = prepare(kernel);
    let own = by_default().filter(|target| target.architecture.is_none_or(|own| own == std::env::consts::ARCH));
    for target in own.take(targets) {
        let name = format!("{}_{}", target.tier.to_lowercase(), kernel.name);
        let body = (target.emit)(kernel, &prepared, 0, &name, None).unwrap();
        text.push_str(&body.text.replace("\nunsafe fn", "\npub unsafe fn"));
    }
    let derive = scalar::derive(kernel, &prepared.derive);
    text.push_str(&derive.replace("fn derive", &format!("pub fn derive_{}", kernel.name)));
}

/// Builds the bodies of a source's kernels as a package of their own.
fn build_bodies(name: &str, kernels: &str, targets: usize, profile: &[&str]) {
    let compiled = windrow_dsl::compile_file(kernels);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
    let [scalar, rows] = ["reference/src/scalar.rs", "runtime/src/code/rows.rs"].map(|path| root().join(path));
    let mut text = String::from("#![allow(warnings)]\nextern crate self as windrow;\n");
    writeln!(
        text,
        "pub mod __rt {{ pub use rows::*; #[path = {rows:?}] mod rows; #[path = {scalar:?}] pub mod scalar; }}"
    )
    .unwrap();
    compiled.kernels.iter().for_each(|kernel| bodies(&kernel.kernel, targets, &mut text));
    build(name, "[features]\ndefault = [\"std\"]\nstd = []\n", &text, profile);
}

/// Builds a package.
fn build(name: &str, manifest: &str, text: &str, profile: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long_bodies").join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let head = "[package]\nname = \"long_bodies\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), format!("{head}{manifest}")).unwrap();
    // The versions that the workspace is tested with.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/lib.rs"), text).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--target-dir"]).arg(folder.join("target")).args(profile).current_dir(&folder);
    // What the tests themselves are built with is not what the author has.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PROFILE_") || name == "RUSTFLAGS") {
        cargo.env_remove(name);
    }
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{name} {profile:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_largest_neighbourhood_is_built_in_both_profiles() {
    build_bodies("square", SQUARE, CPU.len(), &[]);
    // Optimised, a body takes some ten seconds: one is enough.
    build_bodies("square", SQUARE, 1, &["--release"]);
}

#[test]
fn other_long_bodies_are_built_with_what_debuggers_need() {
    build_bodies("others", OTHERS, CPU.len(), &[]);
}

/// With all that the attribute writes beside the bodies, in a crate that says nothing of profiles.
#[test]
#[ignore = "a stage of its own, as it builds the compiler of kernels too: cargo xtask test long"]
fn the_largest_neighbourhood_is_built_behind_the_attribute() {
    let manifest = format!("[dependencies]\nwindrow = {{ path = {:?} }}\n", root());
    for profile in [&[][..], &["--release"]] {
        build("attribute", &manifest, &format!("use windrow::prelude::*;\n{SQUARE}"), profile);
    }
}
