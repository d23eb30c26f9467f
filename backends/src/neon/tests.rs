//! What products of kernels become, as authors write them.

use super::TARGET;

fn body(source: &str) -> String {
    let compiled = windrow_dsl::compile_file(source);
    let errors: Vec<&str> = compiled.errors.iter().map(|error| error.message.as_str()).collect();
    assert!(errors.is_empty(), "{source}: {errors:?}");
    let kernel = &compiled.kernels[0].kernel;
    (TARGET.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "f", None).unwrap().text
}

/// What a body holds, and what it doesn't.
const PRODUCTS: &[(&str, &[&str], &[&str])] = &[
    ("fn f(a: u8) -> u16 { a as u16 * 4 }", &["vshll_n_u8::<2>", "vshll_high_n_u8::<2>"], &["vmul"]),
    ("fn f(a: i8) -> i16 { a as i16 * 128 }", &["vshll_n_s8::<7>"], &["vmul", "vmovl"]),
    ("fn f(a: u16) -> u32 { a as u32 * 2 }", &["vshll_n_u16::<1>"], &["vmul"]),
    ("fn f(a: i16) -> i32 { a as i32 * 64 }", &["vshll_n_s16::<6>"], &["vmul"]),
    ("fn f(a: u32) -> u32 { a.wrapping_mul(4) }", &[], &["vshll"]),
    ("fn f(a: u8) -> u16 { a as u16 * 3 }", &["vmull_u8"], &["vshll"]),
    // A sum takes such a product in, by one instruction.
    ("fn f(a: u8, b: u16) -> u16 { b / 2 + a as u16 * 4 }", &["vmlal_u8"], &["vshll"]),
    // The kind of the narrow lanes is what all factors are of.
    (
        "fn f(a: u16, b: i16) -> i32 { a as i32 * b.max(0) as i32 }",
        &["vmull_u16", "vmull_high_u16"],
        &["vmovl", "vmulq"],
    ),
    ("fn f(a: u16, b: i16) -> i32 { (a / 2) as i32 * b as i32 }", &["vmull_s16"], &["vmovl", "vmulq"]),
    ("fn f(a: u16, #[uniform(0..=256)] b: i16) -> i32 { a as i32 * b as i32 }", &["vmull_u16"], &["vmovl", "vmulq"]),
    ("fn f(a: u16, b: i16) -> i32 { a as i32 - b.max(0) as i32 }", &["vsubl_u16"], &["vmovl"]),
    // No kind of 16 bits has both.
    ("fn f(a: u16, b: i16) -> i32 { a as i32 * b as i32 }", &["vmulq_s32"], &["vmull"]),
];

#[test]
fn products_are_as_narrow_as_their_factors() {
    for (source, present, absent) in PRODUCTS {
        let text = body(&format!("#[kernel] {source}"));
        for name in *present {
            assert!(text.contains(name), "{source}: no {name}\n{text}");
        }
        for name in *absent {
            assert!(!text.contains(name), "{source}: {name}\n{text}");
        }
    }
}
