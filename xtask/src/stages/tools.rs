//! Programs of others over the dependencies and the interfaces, which are compiled here once.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use xshell::cmd;

use crate::context::Context;

/// The published packages that programs depend on, and their manifests: what they offer is compared.
const INTERFACES: [(&str, &str); 10] = [
    ("windrow", "Cargo.toml"),
    ("windrow-runtime", "runtime/Cargo.toml"),
    ("windrow-opencl", "opencl/Cargo.toml"),
    ("windrow-reference", "reference/Cargo.toml"),
    ("windrow-testing", "testing/Cargo.toml"),
    ("windrow-graph", "graph/Cargo.toml"),
    ("windrow-pymodule", "python/module/Cargo.toml"),
    ("windrow-backends", "backends/Cargo.toml"),
    ("windrow-operators", "operators/Cargo.toml"),
    ("windrow-capi", "capi/Cargo.toml"),
];

/// Licences, bans and sources, by `deny.toml`.
pub fn deny(cx: &Context) -> anyhow::Result<()> {
    let deny = installed(cx, "cargo-deny", "0.20.2")?;
    cx.run(cmd!(
        cx.shell,
        "{deny} --workspace --all-features --locked check --hide-inclusion-graph bans licenses sources"
    ))
}

/// What the RustSec database knows against the dependencies, which is fetched.
pub fn advisories(cx: &Context) -> anyhow::Result<()> {
    let deny = installed(cx, "cargo-deny", "0.20.2")?;
    cx.run(cmd!(cx.shell, "{deny} --workspace --all-features --locked check advisories"))
}

/// The interfaces against those of the last tag, or of the commit that `WINDROW_BASELINE` names.
pub fn semver(cx: &Context) -> anyhow::Result<()> {
    let checks = installed(cx, "cargo-semver-checks", "0.51.0")?;
    let baseline = match std::env::var("WINDROW_BASELINE") {
        Ok(commit) => commit,
        Err(_) => {
            let tag = cx.read(cmd!(cx.shell, "git describe --tags --abbrev=0"));
            tag.context("no release has a tag yet: WINDROW_BASELINE names a commit to compare with")?.trim().to_owned()
        }
    };
    let mut packages = Vec::new();
    for (package, manifest) in INTERFACES {
        let place = format!("{baseline}:{manifest}");
        // One that is new breaks nobody.
        match cx.read(cmd!(cx.shell, "git cat-file -t {place}")) {
            Ok(_) => packages.extend(["--package", package]),
            Err(_) => cx.say(&format!("{package} is not in {baseline}"))?,
        }
    }
    ensure!(!packages.is_empty(), "{baseline} has none of the packages");
    cx.run(cmd!(cx.shell, "{checks} semver-checks {packages...} --baseline-rev {baseline}"))
}

/// A program of cargo's, in a folder of the builds. Unoptimised, it is compiled in half the time, and fast enough.
fn installed(cx: &Context, name: &str, version: &str) -> anyhow::Result<PathBuf> {
    let folder = cx.target_folder().join("tools");
    cx.run(cmd!(cx.shell, "cargo install {name} --version {version} --locked --debug --root {folder}"))?;
    Ok(folder.join("bin").join(name))
}
