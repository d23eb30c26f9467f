//! `windrow new`: a whole crate, or a reason.

mod common;

use common::windrow;
use std::{fs, path::Path};

#[test]
fn a_crate_has_every_part_and_its_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tone-curves");
    let output = windrow(&["new", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("cargo test"));

    let read = |file: &str| fs::read_to_string(path.join(file)).unwrap();
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("name = \"tone-curves\""), "{manifest}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    assert!(manifest.contains(&format!("windrow = {{ path = \"{}\"", root.display())), "{manifest}");
    assert!(read("src/main.rs").contains("use tone_curves::ops::sharpen"));
    assert!(read(".cargo/config.toml").contains("qemu-aarch64-static"));
    for file in [".gitignore", "build.rs", "src/lib.rs", "src/ops/mod.rs", "src/ops/sharpen.rs", "benches/kernels.rs"] {
        let text = read(file);
        assert!(!text.contains("own_operators") && !text.contains("WINDROW"), "{file}: {text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn a_name_or_a_folder_that_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let cases = [
        ("3d", &[][..], "`3d` can't be the name of a crate: it doesn't begin with a letter"),
        ("a b", &[], "it has other characters than letters, digits, `-` and `_`"),
        ("windrow", &[], "another crate that it uses has this name"),
        ("match", &[], "it is a word of the Rust language"),
        ("fine", &["--windrow", "absent"], "absent is not the folder of windrow's sources"),
        ("file/fine", &[], "cannot write"),
    ];
    for (name, more, expected) in cases {
        let path = folder.path().join(name);
        let output = windrow(&[&["new", path.to_str().unwrap()], more].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {text}");
        assert!(text.contains(expected), "{name}: {text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    let path = folder.path().join("kept");
    fs::create_dir(&path).unwrap();
    let output = windrow(&["new", path.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("exists already"));
}

#[test]
fn folders_around_the_crate_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/yet/curves");
    let output = windrow(&["new", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(path.join("Cargo.toml").is_file());
}
