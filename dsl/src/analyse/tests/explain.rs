//! The proof as text.

use super::builder::Builder;
use crate::analyse::{explain, proofs};
use crate::ir::*;

#[test]
fn a_proof_reads_as_text() {
    let mut b = Builder::new();
    let (x, scale) = (b.input("x", Type::U8), b.bounded("scale", Type::U8, 1, 100));
    let half = b.binary(BinaryOp::Div, x, scale);
    let half = b.named("scaled", half);
    let greater = b.binary(BinaryOp::Ge, x, half);
    let out = b.branch(greater, |b| b.sub(x, half), |_| x);
    b.named("rest", out);
    let (facts, diagnostics) = b.prove();
    assert!(diagnostics.is_empty());
    let expected = "\
kernel k
  reads x: u8, the element itself
  values
    x: u8 in 0..=255
    scale: u8 in 1..=100
    scaled: u8 in 0..=255
    x >= scaled: bool in true
    x - scaled: u8 in 0..=255
    rest: u8 in 0..=255
  proofs
    `x / scale` does not divide by zero: 1..=100, by intervals and declared bounds
    `x - scaled` fits u8: 0..=255, by order and declared bounds
";
    assert_eq!(explain(&b.kernel, &b.body, &facts), expected);
}

#[test]
fn copies_of_a_loop_stand_once_with_all_that_they_can_be() {
    let source = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {
        let mut sum = 0;
        for dy in -1..=1 { for dx in -1..=1 { sum += src.at(dx, dy) as u16; } }
        (sum / 9) as u8
    }";
    let compiled = crate::compile_file(source);
    let kernel = &compiled.kernels[0];
    let text = explain(&kernel.kernel, &kernel.kernel.bodies[0], &kernel.kernel.facts[0]);
    for line in [
        "  reads src: u8, x = -1..=1, y = -1..=1",
        "  writes out: u8 in 0..=255",
        "    sum: u16 in 0..=2295 (9 values)",
        "fits u16: 0..=2295, by intervals (9 times)",
        "    `(sum / 9) as u8` keeps the value: 0..=255, by intervals",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
}

#[test]
fn what_is_explained_has_a_name_and_an_extent_its_image() {
    let source = "#[kernel(window(h, 1))]\nfn k([y, _]: At<2>, #[shape(h, w)] src: View<u8, 2>) -> u32 {
        let ([_, wide], mut count) = (src.extents(), 0u32);
        for x in 0..wide { if src[[y, x]] > 9 { count = count.wrapping_add(1); } }
        count
    }";
    let compiled = crate::compile_file(source);
    let kernel = &compiled.kernels[0];
    let text = explain(&kernel.kernel, &kernel.kernel.bodies[0], &kernel.kernel.facts[0]);
    for line in ["`y` is below `src.extents()[0]`", "`x` is below `src.extents()[1]`", "    count: u32 in "] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    assert!(!text.contains("    …:") && !text.contains("`…`"), "{text}");
}

#[test]
fn proofs_know_the_tokens_that_demand_them() {
    let source = "#[kernel]\nfn k(a: u8, b: u8) -> u8 {\n    let double = |x: u8| x as u16 * 2;\n    ((double(a) + double(b)) / 4) as u8\n}\n";
    let compiled = crate::compile_file(source);
    let kernel = &compiled.kernels[0].kernel;
    let proved = proofs(kernel, &kernel.bodies[0]);
    let texts: Vec<&str> = proved.iter().map(|own| own.text.as_str()).collect();
    assert!(explain(kernel, &kernel.bodies[0], &kernel.facts[0]).contains(texts[0]));
    let lines: Vec<&str> = source.lines().collect();
    let at = |span: &proc_macro2::Span| &lines[span.start().line - 1][span.start().column..];
    for demand in ["* 2", "+ double(b)", "/ 4", "as u8"] {
        let token = demand.split(' ').next().unwrap();
        let is_own = |own: &&crate::analyse::Proved| own.text.contains(&format!(" {token} "));
        let at_token =
            proved.iter().filter(is_own).any(|own| own.tokens.iter().all(|span| at(span).starts_with(demand)));
        assert!(at_token, "{demand}: {texts:?}");
    }
}
