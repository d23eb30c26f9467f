//! The page about the proof says what is so.

use crate::compile_file;
use crate::diagnostic::Diagnostic;

const PAGE: &str = include_str!("../../../../docs/proof.md");

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn errors(block: &str) -> Vec<String> {
    let source = if block.starts_with("#[kernel") { block.into() } else { format!("#[kernel]\n{block}") };
    compile_file(&source).errors.iter().map(Diagnostic::text).collect()
}

#[test]
fn examples_are_accepted_and_refused_as_they_say() {
    let kernels = blocks("rust");
    assert_eq!(kernels.len(), 9);
    for kernel in kernels {
        let errors = errors(kernel);
        assert_eq!(errors.is_empty(), kernel.contains("// accepted"), "{kernel}\n{}", errors.join("\n"));
        assert!(kernel.contains("// accepted") || kernel.contains("// refused"), "{kernel}");
    }
}

#[test]
fn a_quotient_is_a_value_of_its_own() {
    let refused = |value: &str| !errors(&format!("fn k(a: u8, b: u8) -> u8 {{ {value} }}")).is_empty();
    assert!(!refused("a - a / 3 * 3"));
    assert!(refused("(a.min(b) as u16 * 255 / b.max(1) as u16) as u8"));
    assert!(!refused("(a.min(b) as u16 * 255 / b.max(1) as u16).min(255) as u8"));
}

#[test]
fn the_error_is_the_one_shown() {
    let refused: Vec<&str> = blocks("rust").into_iter().filter(|kernel| kernel.contains("// refused")).collect();
    let shown: Vec<&str> = blocks("text").into_iter().map(str::trim_end).collect();
    let said: Vec<String> = refused.into_iter().flat_map(errors).collect();
    assert_eq!(said, shown);
}
