//! What authors write, and the operation that is found in it.

use crate::compile_file;
use crate::dump;
use crate::ir::{Node, Op};
use crate::optimise::{in_demand_order, prepare};

/// The operations of a function over `a` and `b`, and perhaps `c`, without what reads and stores.
fn operations(signature: &str, expression: &str) -> String {
    let source = format!("#[kernel] fn k({signature} {{ {expression} }}");
    let compiled = compile_file(&source);
    let errors: Vec<&str> = compiled.errors.iter().map(|error| error.message.as_str()).collect();
    assert!(errors.is_empty(), "{expression}: {errors:?}");
    let kernel = &compiled.kernels[0].kernel;
    let body = in_demand_order(&prepare(kernel).bodies[0]);
    let is_leaf = |node: &Node| matches!(node.op, Op::Constant(_) | Op::Load(_) | Op::Uniform { .. });
    let name = |node: &Node| {
        let mut one = body.clone();
        one.nodes = vec![node.clone()];
        let text = dump::body(kernel, &one);
        let words = text.split_once(" = ").map_or("", |(_, operation)| operation);
        let word = words.split_whitespace().next().unwrap_or_default().to_owned();
        format!("{word}<{}>", node.ty.name())
    };
    let names: Vec<String> = body.nodes.iter().filter(|node| !is_leaf(node)).map(name).collect();
    names.join(" ")
}

const BYTES: &str = "a: u8, b: u8) -> u8";
const SIGNED: &str = "a: i8, b: i8) -> i8";
const WORDS: &str = "a: i16, b: i16) -> i16";
const UNSIGNED: &str = "a: u16, b: u16) -> u16";

/// A signature, spellings, and what they all become.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &[&str], &str)] = &[
    (BYTES, &[
        "a.abs_diff(b)",
        "(a as i16 - b as i16).abs() as u8",
        "(a as i32 - b as i32).unsigned_abs() as u8",
        "if a > b { a - b } else { b - a }",
        "if b >= a { b - a } else { a - b }",
        "if (a as i32) < b as i32 { b - a } else { a - b }",
        "a.max(b) - a.min(b)",
        "(a as i32 - b as i32).max(b as i32 - a as i32) as u8",
        "a.saturating_sub(b) | b.saturating_sub(a)",
        "a.saturating_sub(b) + b.saturating_sub(a)",
    ], "AbsDiff<u8>"),
    (BYTES, &[
        "a.saturating_add(b)",
        "(a as u16 + b as u16).min(255) as u8",
        "(a as u16 + b as u16).saturating_cast()",
        "let s = a as i32 + b as i32; if s > 255 { 255 } else { s as u8 }",
        "a.min(255 - b) + b",
    ], "SaturatingAdd<u8>"),
    (BYTES, &[
        "a.saturating_sub(b)",
        "(a as i32 - b as i32).max(0) as u8",
        "(a as i16 - b as i16).clamp(0, 255) as u8",
        "(a as i16 - b as i16).saturating_cast()",
        "if a > b { a - b } else { 0 }",
        "if a <= b { 0 } else { a - b }",
        "a - a.min(b)",
        "a.max(b) - b",
    ], "SaturatingSub<u8>"),
    (SIGNED, &[
        "a.saturating_add(b)",
        "(a as i32 + b as i32).clamp(-128, 127) as i8",
        "(a as i16 + b as i16).min(127).max(-128) as i8",
        "(a as i16 + b as i16).saturating_cast()",
    ], "SaturatingAdd<i8>"),
    (WORDS, &[
        "a.saturating_sub(b)",
        "(a as i32 - b as i32).clamp(-32768, 32767) as i16",
        "(a as i32 - b as i32).saturating_cast()",
    ], "SaturatingSub<i16>"),
    (BYTES, &[
        "a.rounding_halving_add(b)",
        "((a as u16 + b as u16 + 1) >> 1) as u8",
        "((1 + a as i32 + b as i32) / 2) as u8",
        "((a as i32 + 1 + b as i32) / 2) as u8",
        "(a | b).wrapping_sub((a ^ b) >> 1)",
    ], "RoundingHalvingAdd<u8>"),
    (WORDS, &["((a as i32 + b as i32 + 1) >> 1) as i16"], "RoundingHalvingAdd<i16>"),
    (BYTES, &[
        "a.halving_add(b)",
        "((a as u32 + b as u32) / 2) as u8",
        "(a & b).wrapping_add((a ^ b) >> 1)",
    ], "HalvingAdd<u8>"),
    (UNSIGNED, &["((a as u32 + b as u32) >> 1) as u16"], "HalvingAdd<u16>"),
    (BYTES, &["((a as u16 + 8) >> 4) as u8 + (b & 0)", "a.rounding_shr(4) + (b & 0)"], "RoundingShr<u8>"),
    (BYTES, &["if a < b { a } else { b }", "if a > b { b } else { a }", "a.min(b)"], "Min<u8>"),
    (BYTES, &["if a < b { b } else { a }", "if a >= b { a } else { b }", "a.max(b)"], "Max<u8>"),
    (WORDS, &["((a as i32 * b as i32) >> 16) as i16", "a.mul_high(b)"], "MulHigh<i16>"),
    ("a: i16) -> u8", &[
        "a.saturating_cast()",
        "a.clamp(0, 255) as u8",
        "a.max(0).min(255) as u8",
        "if a < 0 { 0 } else if a > 255 { 255 } else { a as u8 }",
        "(a as i32).clamp(0, 255) as u8",
    ], "Cast::Saturating<u8>"),
    ("a: u16) -> u8", &["a.min(255) as u8", "a.saturating_cast()"], "Cast::Saturating<u8>"),
    (BYTES, &[
        "a | if a > b { 4 } else { 0 }",
        "if a > b { a | 4 } else { a }",
        "if a <= b { a } else { a | 4 }",
        "a | ((a > b) as u8) << 2",
        "a | (a > b) as u8 * 4",
    ], "Gt<bool> Select<u8> Or<u8>"),
    (BYTES, &["if a > b { a ^ 4 } else { a }", "a ^ ((a > b) as u8) << 2"], "Gt<bool> Select<u8> Xor<u8>"),
    (BYTES, &["if a > b { a | 4 } else { a & !4 }", "((a > b) as u8) << 2 | a & 251"], "Gt<bool> Select<u8> And<u8> Or<u8>"),
    ("a: u8) -> u8", &["a / 16", "a >> 4", "(a as i32 / 16) as u8"], "Shr<u8>"),
    ("a: u8) -> u8", &["a % 16", "a & 15", "(a as i32 % 16) as u8"], "And<u8>"),
    ("a: u8) -> u8", &["a.min(255)", "a.saturating_add(0)", "(a as i32).abs() as u8", "(a as i32).clamp(-5, 300) as u8"], ""),
];

#[test]
fn spellings_are_found() {
    for (signature, spellings, expected) in SPELLINGS {
        for spelling in *spellings {
            assert_eq!(operations(signature, spelling), *expected, "{spelling}");
        }
    }
}

#[test]
fn what_only_looks_like_an_idiom_is_left_alone() {
    for (signature, spelling, absent) in [
        (BYTES, "((a as u16 + b as u16 + 2) >> 1).min(255) as u8", "RoundingHalvingAdd"),
        (BYTES, "(a as u16 + b as u16).min(254) as u8", "SaturatingAdd"),
        (BYTES, "((a as u16 + 4) >> 4) as u8 | b", "RoundingShr"),
        (WORDS, "(a as i32 + b as i32).clamp(-32767, 32767) as i16", "SaturatingAdd"),
        (BYTES, "if a > b { a | 4 } else { a & 3 }", "Select<u8> Or"),
        // What is computed anyway is chosen.
        (BYTES, "let set = a | 4; (if a > b { set } else { a }).max(set / 3)", "Select<u8> Or"),
        ("a: f32, b: f32) -> f32", "if a < b { a } else { b }", "Min"),
    ] {
        assert!(!operations(signature, spelling).contains(absent), "{spelling}");
    }
}
