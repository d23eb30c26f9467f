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

/// What the pages for users of other libraries name in the last column of their tables is in the list: a module with all of its path, a type
/// by its name, as the prelude and the root have it.
#[test]
fn pages_for_users_of_other_libraries_name_what_exists() {
    let list = fs::read_to_string(LIST).unwrap();
    let names: BTreeSet<&str> =
        list.lines().filter_map(|line| line.split(": ").next()?.strip_prefix("windrow::")).collect();
    let ends: BTreeSet<&str> =
        names.iter().flat_map(|name| name.match_indices("::").map(|(at, _)| &name[at + 2..])).collect();
    let (mut seen, mut missing) = (0, Vec::new());
    for library in ["acl", "cubecl", "halide", "opencv", "openvx"] {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/coming-from-{library}.md"));
        let text = fs::read_to_string(page).unwrap();
        assert!(text.contains("Paths start at `windrow::`"), "{library}");
        for row in text.lines().filter(|line| line.starts_with('|')) {
            let cell = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap_or_default();
            for path in cell.split('`').skip(1).step_by(2).flat_map(paths).filter(|path| !path.starts_with("foo::")) {
                let path = path.strip_prefix("windrow::").unwrap_or(path);
                let is_type = path.starts_with(char::is_uppercase);
                seen += 1;
                if !(names.contains(path) || is_type && ends.contains(path)) {
                    missing.push(format!("{library}: {path}"));
                }
            }
        }
    }
    assert!(seen > 100, "only {seen} paths were found");
    assert!(missing.is_empty(), "windrow has no\n{}", missing.join("\n"));
}

/// The paths of several parts in a piece of code.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.map(|word| word.trim_matches(':')).filter(|word| word.contains("::"))
}
