//! Writes the list of the cases' twins, and of the operators of the language's own example, which `tests/twins.rs` compiles.

use std::{env, fmt::Write, fs, path::Path};

#[allow(dead_code)]
#[path = "src/cases.rs"]
mod cases;

fn main() {
    let mut list = String::new();
    for case in cases::cases() {
        writeln!(list, "#[path = {:?}]\nmod {};", case.fixed(), case.id().replace('/', "_")).unwrap();
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dsl/tests/data/operators.rs");
    writeln!(list, "#[path = {example:?}]\nmod example;").unwrap();
    let folder = env::var_os("OUT_DIR").unwrap();
    fs::write(Path::new(&folder).join("twins.rs"), list).unwrap();
    println!("cargo::rerun-if-changed=cases");
}
