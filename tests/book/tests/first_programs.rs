//! The programs that a user sees first stay short: `cargo xtask test examples` runs them.

use std::fs;

/// Lines that such a program has at most, its first comment and its imports among them.
const MOST: usize = 20;

#[test]
fn first_programs_are_short() {
    for name in ["blur", "edges", "blur_on_device", "edges_on_device"] {
        let path = format!("{}/../../examples/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= MOST, "{path} has {lines} lines");
    }
}
