//! The build-script door: what it writes, and what it says when it can't.
#![cfg(feature = "doors")]

mod packages;

use packages::{MISTAKES, OPERATORS, package};
use std::{fs, path::Path};
use windrow_backends::doors::{
    Build, BuildError, Manifest,
    crates::{self, Crates},
    manifest, source,
};
use windrow_dsl::library::Library;

fn build(root: &Path) -> Build {
    Build::new().root(root).out_dir(root.join("out"))
}

#[test]
fn a_build_keeps_the_limits_of_the_macro() {
    let bodies = "#[kernel(output(a?, b?, c?, d?, e?, f?, g?))]\npub fn k(x: u8, #[variant] v: Overflow) -> \
                  (u8, u8, u8, u8, u8, u8, u8) {\n    let x = match v { Overflow::Wrap => x, Overflow::Saturate => !x };\n    \
                  (x, x, x, x, x, x, x)\n}\n";
    let root = package("bodies", &[("src/ops.rs", bodies)]);
    let Err(BuildError::Mistakes(mistakes)) = build(&root).source("src/ops.rs").run() else { panic!("accepted") };
    assert!(mistakes[0].message.contains("254 bodies") && mistakes[0].line == 2, "{mistakes:?}");
}

/// The compiler of the crate shows them, where `#[kernel]` finds them.
#[test]
fn a_build_script_leaves_mistakes_of_its_crate_to_the_compiler() {
    let root = package("leaves", &[("src/ops.rs", OPERATORS), ("src/wrong.rs", MISTAKES)]);
    assert!(matches!(build(&root).source("src").run(), Err(BuildError::Mistakes(_))));
    let manifest = build(&root).source("src").run_or_exit();
    let names: Vec<_> = manifest.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["remoteness", "slope"]);
    assert_eq!(fs::read_dir(root.join("out")).unwrap().count(), 4, "two programs, one over images, and the manifest");
}

#[test]
fn a_build_writes_programs_and_a_manifest() {
    let root = package("writes", &[("src/ops.rs", OPERATORS)]);
    let manifest = build(&root).source("src/ops.rs").run().unwrap();
    let names: Vec<_> = manifest.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["remoteness", "slope"]);
    let text = fs::read_to_string(root.join("out/manifest.json")).unwrap();
    assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
    for kernel in &manifest.kernels {
        let program = fs::read_to_string(root.join("out").join(&kernel.opencl.file)).unwrap();
        assert_eq!(manifest::sha256(&program), kernel.opencl.sha256);
        for entry in &kernel.opencl.entries {
            assert!(program.contains(&format!("__kernel void {}(", entry.name)), "{}", entry.name);
        }
    }
    let [pixelwise, filter] = &manifest.kernels[..] else { panic!("{names:?}") };
    assert!(pixelwise.images.is_none() && pixelwise.no_images.as_ref().is_some_and(|why| why.contains("no sampler")));
    let images = filter.images.as_ref().unwrap();
    let program = fs::read_to_string(root.join("out/slope.image.cl")).unwrap();
    assert_eq!((images.file.as_str(), &images.sha256), ("slope.image.cl", &manifest::sha256(&program)));
    assert!(images.entries.iter().all(|entry| program.contains(&format!("__kernel void {}(", entry.name))));
}

#[test]
fn the_manifest_says_how_to_call_a_kernel() {
    let root = package("says", &[("src/ops.rs", OPERATORS)]);
    let manifest = build(&root).source("src/ops.rs").run().unwrap();
    let value = serde_json::to_value(&manifest.kernels[1]).unwrap();
    let expected = serde_json::json!([
        {
            "kind": "input", "name": "src", "element": "u8", "channels": 1, "stride": [1, 1],
            "neighbourhood": { "left": -1, "right": 1, "top": -1, "bottom": 1 },
        },
        { "kind": "uniform", "name": "scale", "element": "i32", "dims": [], "bounds": [1, 9], "word": 0 },
        { "kind": "variant", "name": "policy", "enum": "Overflow", "values": ["Wrap", "Saturate"] },
    ]);
    assert_eq!(value["arguments"], expected);
    assert_eq!(value["words"]["uniforms"], 1);
    assert_eq!(value["source"]["file"], "src/ops.rs");
    assert_eq!(value["source"]["line"], 9);
    let entries = value["opencl"]["entries"].as_array().unwrap();
    let found: Vec<_> = entries.iter().map(|entry| (entry["name"].as_str().unwrap(), &entry["outputs"])).collect();
    let [both, dx, dy] = [serde_json::json!(["dx", "dy"]), serde_json::json!(["dx"]), serde_json::json!(["dy"])];
    let named = |name: &str| &found.iter().find(|(found, _)| *found == name).unwrap_or_else(|| panic!("{found:?}")).1;
    assert_eq!(**named("slope__wrap"), both);
    assert_eq!(**named("slope__saturate__dx"), dx);
    assert_eq!(**named("slope__saturate__dy"), dy);
}

#[test]
fn a_folder_is_read_in_the_order_of_names() {
    let files =
        [("src/b.rs", "#[kernel]\npub fn b(x: u8) -> u8 { x }\n"), ("src/a/c.rs", OPERATORS), ("src/a.txt", "?")];
    let root = package("folder", &files);
    let manifest = build(&root).source("src").list_kernels("all.rs").list_tests("tests.rs").run().unwrap();
    let names: Vec<_> = manifest.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["remoteness", "slope", "b"]);
    let list = fs::read_to_string(root.join("out/all.rs")).unwrap();
    assert!(list.contains("<crate::a::c::remoteness as ::windrow::Kernel>::CODE,"), "{list}");
    let tests = fs::read_to_string(root.join("out/tests.rs")).unwrap();
    let expected = [
        "::windrow::__kernel_tests! { test_remoteness library::a::c::remoteness }",
        "::windrow::__kernel_tests! { test_slope library::a::c::slope }",
        "::windrow::__kernel_tests! { test_b library::b::b }",
    ];
    assert_eq!(tests.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn what_has_not_changed_is_not_written() {
    let root = package("unchanged", &[("src/ops.rs", OPERATORS)]);
    let build = build(&root).source("src/ops.rs");
    build.run().unwrap();
    let program = root.join("out/remoteness.cl");
    let before = fs::metadata(&program).unwrap().modified().unwrap();
    fs::write(root.join("out/slope.cl"), "old").unwrap();
    build.run().unwrap();
    assert_eq!(fs::metadata(&program).unwrap().modified().unwrap(), before);
    assert_ne!(fs::read_to_string(root.join("out/slope.cl")).unwrap(), "old");
}

#[test]
fn line_directives_name_the_authors_lines() {
    let root = package("lines", &[("src/ops.rs", OPERATORS)]);
    build(&root).source("src/ops.rs").line_directives(true).run().unwrap();
    let program = fs::read_to_string(root.join("out/remoteness.cl")).unwrap();
    assert!(program.contains("#line 5 \"src/ops.rs\""), "{program}");
}

#[test]
fn every_mistake_of_every_file_is_reported() {
    let root = package("mistakes", &[("src/a.rs", MISTAKES), ("src/b.rs", "fn no rust\n")]);
    let Err(BuildError::Mistakes(mistakes)) = build(&root).source("src").run() else { panic!("accepted") };
    let places: Vec<_> = mistakes.iter().map(|mistake| (mistake.file.to_str().unwrap(), mistake.line)).collect();
    assert_eq!(places, [("src/a.rs", 4), ("src/a.rs", 9), ("src/b.rs", 1)]);
    assert!(!root.join("out").exists());
}

#[test]
fn a_build_that_cannot_be_is_refused() {
    let root = package("refused", &[("src/ops.rs", OPERATORS), ("src/more.rs", OPERATORS)]);
    assert!(matches!(build(&root).run(), Err(BuildError::NoSource)));
    assert!(matches!(build(&root).source("src/no.rs").run(), Err(BuildError::MissingSource { .. })));
    let twice = build(&root).source("src").run();
    assert!(matches!(twice, Err(BuildError::DuplicateKernel { ref name, .. }) if name == "remoteness"), "{twice:?}");
    let to_a_file = build(&root).source("src/ops.rs").out_dir(root.join("src/more.rs")).run();
    assert!(matches!(to_a_file, Err(BuildError::Io { action: "create", .. })), "{to_a_file:?}");
}

/// A pipeline over a kernel of its own file and one of another crate, and the same pipeline once more.
const PIPELINES: &str = "
use helpers::{halve as half, others};

#[kernel]
pub fn soften(src: Neighbourhood<u8>) -> u8 { src.at(-1, 0) / 2 + src.at(1, 0) / 2 }

#[pipeline]
pub fn edges(src: &Tensor<u8>) -> Result<Tensor<u8>> {
    let soft = crate::ops::soften::apply(src, Border::Replicate)?;
    let lost = others::distance::apply(&soft, src)?;
    half::apply(&lost)
}

mod again {
    use helpers::others::*;

    #[pipeline]
    pub fn edges(src: &Tensor<u8>) -> Result<Tensor<u8>> {
        let soft = super::soften::apply(src, Border::Wrap)?;
        let lost = distance::apply(&soft, src)?;
        helpers::halve::apply(&lost)
    }
}
";

/// The kernels of another crate.
const HELPERS: &str = "
#[kernel]
pub fn halve(a: u8) -> u8 { a / 2 }

pub mod others {
    #[kernel]
    pub fn distance(a: u8, b: u8) -> u8 { a.abs_diff(b) }
}
";

#[test]
fn a_pipeline_fuses_kernels_of_the_crates_that_cargo_knows() {
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{rest}")
    };
    let own = manifest(
        "own",
        "[dependencies]\nhelpers = { package = \"some-helpers\", path = \"helpers\" }\n\n[workspace]\n",
    );
    let files = [
        ("Cargo.toml", own.as_str()),
        ("src/lib.rs", "pub mod ops;\n"),
        ("src/ops.rs", PIPELINES),
        ("helpers/Cargo.toml", &manifest("some-helpers", "")),
        ("helpers/src/lib.rs", HELPERS),
    ];
    let root = package("pipelines", &files);
    let manifest = build(&root).source("src").list_kernels("all.rs").run().unwrap();
    let found =
        manifest.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.source.path.as_str(), kernel.source.line));
    let expected = [
        ("soften", "soften", 5),
        ("soften_distance_halve", "edges::soften_distance_halve", 8),
        ("soften_distance_halve_2", "again::edges::soften_distance_halve", 18),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let program = fs::read_to_string(root.join("out/soften_distance_halve.cl")).unwrap();
    assert!(program.contains("__kernel void soften_distance_halve("), "{program}");
    let list = fs::read_to_string(root.join("out/all.rs")).unwrap();
    assert!(list.contains("soften as") && !list.contains("halve"), "{list}");
    // The file by itself, as the command line reads it.
    let file = root.join("src/ops.rs");
    let crates = Crates::of(&file);
    let library = Library::new([PIPELINES], |name| crates.files(name));
    assert_eq!(crates::other_files(&file), ["pub mod ops;\n"]);
    let kernels = source::compile_with(&file, PIPELINES, &library).ok().unwrap();
    assert_eq!(kernels.len(), 3);
    assert!(
        kernels[1].is_fused && kernels[1].text.contains("fn halve_of_element(a: u8) -> u8 {"),
        "{}",
        kernels[1].text
    );
    // Without the crate, what the file holds is fused.
    let kernels = source::compile(&file, PIPELINES).ok().unwrap();
    assert_eq!(kernels.len(), 1);
}
