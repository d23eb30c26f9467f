//! What is published: the packages' metadata, and the files in them.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::context::Context;

/// The packages that are published. All others say that they are not.
const PUBLISHED: [&str; 13] = [
    "windrow",
    "windrow-backends",
    "windrow-capi",
    "windrow-cli",
    "windrow-dsl",
    "windrow-graph",
    "windrow-macros",
    "windrow-opencl",
    "windrow-operators",
    "windrow-pymodule",
    "windrow-reference",
    "windrow-runtime",
    "windrow-testing",
];

/// Files that each package has, beside its sources.
const EXPECTED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The greatest file of a package, in bytes: no source is as long, and most test data is longer.
const GREATEST: u64 = 100_000;

/// Everything that cargo and the registry ask for before a publication, except that nothing is compiled.
pub fn package(cx: &Context) -> anyhow::Result<()> {
    let root = cx.shell.current_dir();
    let metadata = metadata(cx)?;
    let packages = metadata["packages"].as_array().context("cargo's metadata has packages")?;
    let oldest = cx.shell.read_file(root.join("rust-toolchain.toml"))?;
    let mut published = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        // `publish = false` is a list of no registry.
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        published.insert(name);
        check_metadata(package).with_context(|| format!("the manifest of {name}"))?;
        let version = package["rust_version"].as_str().unwrap_or_default();
        ensure!(
            oldest.contains(&format!("channel = \"{version}")),
            "{name} promises Rust {version}, and rust-toolchain.toml names another: nothing tests the promise"
        );
        let list = cx.read(cmd!(cx.shell, "cargo package --package {name} --list --allow-dirty --quiet"))?;
        let manifest = package["manifest_path"].as_str().context("a package has a manifest")?;
        let folder = Path::new(manifest).parent().context("a manifest is in a folder")?;
        check_files(folder, &list).with_context(|| format!("the package {name}"))?;
    }
    ensure!(published == PUBLISHED.into(), "published would be {published:?}, and should be {PUBLISHED:?}");
    // Cargo resolves each package as a registry would, without the folders beside it, and takes them in an order in which each
    // finds what it needs.
    cx.run(cmd!(cx.shell, "cargo publish --workspace --dry-run --no-verify --allow-dirty"))
}

/// Each package compiled from what is in it, and from nothing else of the workspace.
pub fn publish(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("publish");
    let command = cmd!(cx.shell, "cargo publish --workspace --dry-run --allow-dirty --target-dir {folder}");
    cx.run(command)
}

fn metadata(cx: &Context) -> anyhow::Result<Value> {
    let text = cx.read(cmd!(cx.shell, "cargo metadata --no-deps --format-version 1"))?;
    serde_json::from_str(&text).context("cargo's metadata")
}

/// What crates.io shows or asks for, within its rules.
fn check_metadata(package: &Value) -> anyhow::Result<()> {
    for key in ["description", "license", "readme", "documentation", "rust_version"] {
        ensure!(package[key].as_str().is_some_and(|text| !text.is_empty()), "`{key}` is missing");
    }
    for key in ["keywords", "categories"] {
        let words: Vec<_> = package[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        ensure!((1..=5).contains(&words.len()), "`{key}` should be one to five, and are {words:?}");
        if let Some(word) = words.iter().find(|word| word.len() > 20 && key == "keywords") {
            bail!("the keyword `{word}` is longer than 20 characters");
        }
    }
    Ok(())
}

/// The files that cargo lists: sources, the licences and a text for whoever finds the package.
fn check_files(folder: &Path, list: &str) -> anyhow::Result<()> {
    let files: BTreeSet<&str> = list.lines().collect();
    for expected in EXPECTED {
        ensure!(files.contains(expected), "{expected} is missing");
    }
    for file in files {
        // Written by cargo while it packs.
        if [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"].contains(&file) {
            continue;
        }
        let is_source =
            ["src/", "template/", "include/"].iter().any(|folder| file.starts_with(folder)) || file == "build.rs";
        ensure!(
            is_source || EXPECTED.contains(&file),
            "{file} is packed, and nobody who depends on the crate needs it"
        );
        let path = folder.join(file);
        let bytes = std::fs::metadata(&path).with_context(|| format!("{}", path.display()))?.len();
        ensure!(bytes <= GREATEST, "{file} has {bytes} bytes, more than {GREATEST}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_manifest_without_something_is_found() {
        let full = json!({
            "description": "d", "license": "l", "readme": "r", "documentation": "d", "rust_version": "1.95",
            "keywords": ["k"], "categories": ["c"],
        });
        check_metadata(&full).unwrap();
        for (key, wrong) in [
            ("description", json!(null)),
            ("readme", json!("")),
            ("keywords", json!([])),
            ("keywords", json!(["more than twenty letters"])),
            ("categories", json!(["a", "b", "c", "d", "e", "f"])),
        ] {
            let mut package = full.clone();
            package[key] = wrong;
            assert!(check_metadata(&package).is_err(), "{package}");
        }
    }

    #[test]
    fn a_file_too_many_or_too_few_is_found() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference");
        let list = "Cargo.lock\nCargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nREADME.md\nsrc/lib.rs";
        check_files(&folder, list).unwrap();
        assert!(check_files(&folder, &list.replace("LICENSE-MIT\n", "")).is_err());
        assert!(check_files(&folder, &format!("{list}\ntools/coefficients.py")).is_err());
    }
}
