//! The public names of the facade, against the list in `tests/public-api.txt`: no name appears, changes or goes unseen.
//!
//! `WINDROW_BLESS=1 cargo test -p windrow-compiler-tests --test public_api` writes the list anew.

use std::{collections::BTreeSet, fs, path::Path};

use windrow_compiler_tests::api::Sources;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../public-api.txt");

fn sources() -> Sources {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Sources::read(&[
        ("windrow", &root.join("src")),
        ("windrow_macros", &root.join("macros/src")),
        ("windrow_runtime", &root.join("runtime/src")),
        ("windrow_testing", &root.join("testing/src")),
        ("windrow_reference", &root.join("reference/src")),
        ("windrow_opencl", &root.join("opencl/src")),
    ])
}

#[test]
fn the_public_names_are_those_of_the_list() {
    let found = sources().public("windrow");
    assert!(found.len() > 500, "only {} names were found", found.len());
    let text = found.join("\n") + "\n";
    if std::env::var_os("WINDROW_BLESS").is_some() {
        fs::write(LIST, &text).unwrap();
    }
    let list = fs::read_to_string(LIST).unwrap();
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (list.lines().collect(), text.lines().collect());
    let gone: Vec<String> = old.difference(&new).map(|line| format!("- {line}")).collect();
    let fresh: Vec<String> = new.difference(&old).map(|line| format!("+ {line}")).collect();
    assert!(
        list == text,
        "the public names have changed; where that is meant, run the test with WINDROW_BLESS=1\n{}",
        [gone, fresh].concat().join("\n")
    );
}

#[test]
fn the_root_has_at_most_sixty_names() {
    let names = sources().names("windrow");
    assert!(names.len() > 40 && names.len() <= 60, "{} names: {:?}", names.len(), names.keys());
}

/// A function and a module of one name can't be told apart in prose, and only by their case in code.
#[test]
fn no_module_is_named_as_a_function_or_a_crate() {
    for (name, kinds) in sources().names("windrow") {
        assert!(!(kinds.contains("mod") && kinds.len() > 1), "`{name}` is {kinds:?}");
        let crates = ["image", "ndarray", "rayon", "half", "approx", "proptest", "std", "core"];
        assert!(!crates.contains(&name.as_str()), "`use windrow::*` would hide the crate `{name}`");
    }
}
