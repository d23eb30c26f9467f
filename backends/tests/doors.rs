//! The build-script door: what it writes, and what it says when it can't.
#![cfg(feature = "doors")]

mod packages;

use packages::{MISTAKES, OPERATORS, package};
use std::{fs, path::Path};
use windrow_backends::doors::{Build, BuildError, Manifest, manifest};

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
