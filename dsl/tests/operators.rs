//! The language's own example compiles whole, and its IR is what it was. `WINDROW_BLESS=1` writes the snapshot anew.

use std::path::Path;
use windrow_dsl::{Compiled, dump};

fn compiled() -> Compiled {
    let compiled = windrow_dsl::compile_file(include_str!("data/operators.rs"));
    let errors: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    compiled
}

#[test]
fn the_example_operators_compile() {
    assert_eq!(compiled().kernels.len(), 37);
}

#[test]
fn the_ir_of_the_example_operators_is_stable() {
    let text: String = compiled().kernels.iter().map(|kernel| dump::kernel(&kernel.kernel) + "\n").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/operators.ir");
    if std::env::var_os("WINDROW_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let changed = text.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert_eq!(changed, None);
    assert_eq!(text.len(), expected.len());
}

#[test]
fn a_file_compiles_to_the_same_ir_twice() {
    let dump = |compiled: &Compiled| compiled.kernels.iter().map(|k| dump::kernel(&k.kernel)).collect::<Vec<_>>();
    assert_eq!(dump(&compiled()), dump(&compiled()));
}

/// The example leaves `exp_part` without an upper bound in one version: n + 127 could overflow.
#[test]
fn an_unbounded_exponent_is_refused() {
    let source = include_str!("data/operators.rs").replace(".max(-87.0).min(0.0)", ".max(-87.0)");
    let errors = windrow_dsl::compile_file(&source).errors;
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error.message.contains("can overflow i32")), "{:?}", errors[0].message);
}
