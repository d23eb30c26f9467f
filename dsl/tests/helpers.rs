//! Helpers and the kernels that use them, in files: which definition a path leads to, and what becomes of it.

use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Op;
use windrow_dsl::library::Library;
use windrow_dsl::{Compiled, compile_file, compile_file_with};

fn texts(errors: &[Diagnostic]) -> Vec<String> {
    errors.iter().map(Diagnostic::text).collect()
}

/// The operations of the kernels, but for loads.
fn operations(compiled: &Compiled) -> Vec<String> {
    assert!(compiled.errors.is_empty(), "{:?}", texts(&compiled.errors));
    let nodes = compiled.kernels.iter().flat_map(|kernel| &kernel.kernel.bodies[0].nodes);
    let operations = nodes.filter(|node| !matches!(node.op, Op::Load(_)));
    operations.map(|node| format!("{:?}: {}", node.op, node.ty.name())).collect()
}

#[test]
fn a_helper_is_what_its_text_in_the_body_would_be() {
    let inside = "#[kernel] fn f(a: u8, b: u8) -> u8 {
        const OF: u16 = 2;
        fn mean(a: u8, b: u8) -> u8 { ((a as u16 + b as u16) / OF) as u8 }
        mean(a, b)
    }";
    let outside = [
        "#[helper] const OF: u16 = 2;
        #[helper(uses(OF))] fn mean(a: u8, b: u8) -> u8 { ((a as u16 + b as u16) / OF) as u8 }
        #[kernel(uses(mean))] fn f(a: u8, b: u8) -> u8 { mean(a, b) }",
        "mod m { pub mod n { #[helper] pub const OF: u16 = 2; }
        #[helper(uses(n::OF))] pub fn mean(a: u8, b: u8) -> u8 { ((a as u16 + b as u16) / OF) as u8 } }
        use m::mean as middle;
        #[kernel(uses(middle))] fn f(a: u8, b: u8) -> u8 { middle(a, b) }",
        "mod m { #[helper] pub fn mean(a: u8, b: u8) -> u8 { const OF: u16 = 2; ((a as u16 + b as u16) / OF) as u8 } }
        #[kernels(uses(self::m::mean))] mod k { fn g(a: u8, b: u8) -> u8 { mean(a, b) } #[kernel] fn f(a: u8, b: u8) -> u8 { g(a, b) } }",
        "#[kernels] mod m { type Wide = u16; const OF: Wide = 2; fn sum(a: u8, b: u8) -> Wide { a as u16 + b as u16 }
        #[helper] pub fn mean(a: u8, b: u8) -> u8 { (sum(a, b) / OF) as u8 }
        #[kernel] pub fn f(a: u8, b: u8) -> u8 { mean(a, b) } }",
    ];
    let expected = operations(&compile_file(inside));
    for file in outside {
        assert_eq!(operations(&compile_file(file)), expected, "{file}");
    }
}

#[test]
fn helpers_come_from_other_files_and_crates() {
    let file = "use colours::{self, curves::inverse}; use crate::near::BY;
        #[kernel(uses(colours::grey))] fn a(p: [u8; 3]) -> u8 { grey(p) }
        #[kernel(uses(inverse, BY))] fn b(v: f32) -> f32 { inverse(v) * BY }";
    let near = "#[helper] pub const BY: f32 = 3.0;";
    let colours = "#[kernels(uses(super::weights::RED))] mod inner { #[helper] pub fn grey([r, g, _]: [u8; 3]) -> u8 { r / RED + g / 2 } }
        pub mod weights { #[helper] pub const RED: u8 = 4; }
        pub mod curves { #[helper] pub fn inverse(v: f32) -> f32 { 1.0 / v } }";
    let others = |name: &str| if name == "colours" { vec![colours.to_owned()] } else { Vec::new() };
    let compiled = compile_file_with(file, &Library::new([file, near], others));
    assert_eq!(operations(&compiled).len(), 9, "{:?}", operations(&compiled));

    let alone = compile_file(file);
    let found: Vec<_> = alone.errors.iter().map(|error| (error.message.as_str(), error.start.start().line)).collect();
    let expected = [("`grey` is not a helper", 2), ("`inverse` is not a helper", 3), ("`BY` is not a helper", 3)];
    assert_eq!(found, expected);
}

#[test]
fn a_proof_runs_with_the_values_of_each_kernel() {
    let file = "#[helper] fn sum(a: u8, b: u8) -> u8 { a + b }
        #[kernel(uses(sum))] fn f(a: u8, b: u8) -> u8 { sum(a / 2, b / 2) }
        #[kernel(uses(sum))] fn g(a: u8, b: u8) -> u8 { sum(a, b) }";
    let errors = compile_file(file).errors;
    assert_eq!(errors.len(), 1, "{:?}", texts(&errors));
    assert_eq!((errors[0].message.as_str(), errors[0].start.start().line), ("`a + b` can overflow u8", 1));

    // One of another file is shown where it is named: this file has no such line.
    let (helper, kernel) = file.split_once('\n').unwrap();
    let errors = compile_file_with(kernel, &Library::new([kernel, helper], |_| Vec::new())).errors;
    assert_eq!(errors.len(), 1, "{:?}", texts(&errors));
    let start = errors[0].start.start();
    assert_eq!((errors[0].message.as_str(), start.line, start.column), ("`a + b` can overflow u8", 2, 22));
}

#[test]
fn helpers_that_lead_to_each_other_end() {
    let file = "#[helper(uses(b))] fn a(v: u8) -> u8 { b(v) } #[helper(uses(a))] fn b(v: u8) -> u8 { a(v) }
        #[kernel(uses(a))] fn k(v: u8) -> u8 { a(v) }";
    assert!(compile_file(file).errors.iter().all(|error| error.message.ends_with("is not a helper")));

    // Each step holds both before it.
    let steps = |first: &str, last: usize| {
        let mut file = format!(
            "#[helper] fn a0(v: u8) -> u8 {{ {first} }} #[helper(uses(a0))] fn a1(v: u8) -> u8 {{ a0(v) / 2 }}\n"
        );
        for i in 2..=last {
            let (one, two) = (i - 1, i - 2);
            file +=
                &format!("#[helper(uses(a{one}, a{two}))] fn a{i}(v: u8) -> u8 {{ a{one}(v) / 2 + a{two}(v) / 2 }}\n");
        }
        compile_file(&(file + &format!("#[kernel(uses(a{last}))] fn k(v: u8) -> u8 {{ a{last}(v) }}"))).errors
    };
    let errors = steps("v", 8);
    assert!(errors.is_empty(), "{:?}", texts(&errors));
    let long: String = (0..400).map(|i| format!("let v = v / 2 + {};", i % 100)).collect();
    let errors = steps(&(long + "v"), 12);
    assert!(
        errors.iter().any(|error| error.message == "the code is too long: more than 60000 tokens"),
        "{:?}",
        texts(&errors)
    );
}
