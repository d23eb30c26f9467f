//! Kernels whose compile time once exploded: each is compiled, text of all targets included, or refused, without much
//! work and on the stack of a test, which is a quarter of what a compiler gives a macro.

use allocation_counter::measure;
use proc_macro2::TokenStream;
use windrow_backends::host::expand_kernel;
use windrow_compiler_tests::probe::{Reached, probe};

/// Allocations of a compilation, text of all targets included, at most: twice what the longest chain below takes. Unlike
/// seconds they do not depend on the machine, nor on what else it does.
const MOST_ALLOCATIONS: u64 = 5_000_000;

/// Whether a kernel is accepted.
fn is_accepted(source: &str) -> bool {
    let mut reached = Reached::Refused;
    let work = measure(|| match probe(source, true) {
        Ok((own, _)) => reached = own,
        // More derived words than a run holds.
        Err(fault) if fault.starts_with("accepted, then refused by the emitters") => {}
        Err(fault) => panic!("{fault}: {source}"),
    });
    println!("{} allocations", work.count_total);
    assert!(work.count_total < MOST_ALLOCATIONS, "{} allocations: {source}", work.count_total);
    reached == Reached::Accepted
}

/// A condition of two comparisons a turn, each of which reads the one before twice: 2^40 paths.
#[test]
fn choices_over_shared_conditions() {
    let source = "#[kernel] pub fn k(a: u8, b: u8) -> u8 {
        let mut c = a > b;
        for i in 0..40 { c = (c & (a > i)) | (c & (b > i)); }
        if c { a } else { b }
    }";
    assert!(is_accepted(source));
}

/// The same as facts of a path condition.
#[test]
fn facts_of_shared_conditions() {
    for (turns, is_proved) in [(12, true), (200, false)] {
        let source = format!(
            "#[kernel] pub fn k(a: u8, b: u8) -> u8 {{
                let mut c = a > b;
                for i in 0..{turns} {{ c = (c & (a > i)) & (c & (b > i)); }}
                if c {{ a - b }} else {{ 0 }}
            }}"
        );
        assert_eq!(is_accepted(&source), is_proved, "{turns}");
    }
}

/// The same where one of two conditions holds.
#[test]
fn alternatives_of_shared_conditions() {
    let source = "#[kernel] pub fn k(a: u8, b: u8) -> u8 {
        let mut c = a > b;
        for i in 0..100 { c = (c | (a > i)) & ((c & (b > i)) | (c & (a > i))); }
        if c { a.wrapping_sub(b) / 2 } else { a / 2 + b / 2 }
    }";
    assert!(is_accepted(source));
}

/// Differences of a sorting network's results, each of which is decided by 4096 choices of its inputs.
#[test]
fn differences_of_sorted_values() {
    let source = "#[kernel] pub fn k(p: [u8; 4], q: [u8; 4], r: [u8; 4]) -> u8 {
        let mut s = [p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3], r[0], r[1], r[2], r[3]];
        for i in 0..12 {
            for j in 0..11 {
                let low = s[j].min(s[j + 1]);
                s[j + 1] = s[j].max(s[j + 1]);
                s[j] = low;
            }
        }
        let mut most = 0u8;
        for i in 1..12 { for j in 0..i { most = most.max(s[i] - s[j]); } }
        most
    }";
    is_accepted(source);
}

/// Chains of up to 4,500 operations, each of which only the next reads, on a stack of 2 MiB.
#[test]
fn long_chains() {
    let families = [
        ("a: u32, t: u32", "u32", "s.wrapping_add(t ^ i)"),
        ("a: u32, t: u32", "u32", "s.wrapping_add(t).wrapping_sub(i)"),
        ("a: u32, t: u32", "u32", "s ^ (t & i)"),
        ("a: u32, t: u32", "u32", "s.max(t ^ i)"),
        ("a: u32, t: u32", "u32", "s.max(t ^ i).min(t | i)"),
        ("a: u32, t: u32", "u32", "s.saturating_add(t)"),
        ("a: u32, t: u32", "u32", "s.abs_diff(t) / 2"),
        ("a: u32, t: u32", "u32", "if s > t { t } else { s.wrapping_add(i) }"),
        ("a: u8, t: u8", "u8", "(s as i32 + t as i32).wrapping_cast()"),
        ("a: u8, t: u8", "u8", "(s as i32 + t as i32).saturating_cast()"),
        ("a: u8, t: u8, #[uniform] n: [u8; 9]", "u8", "s.max(n[(i & 7) as usize] ^ t)"),
        ("t: u32, #[uniform] a: u32", "u32", "s.wrapping_mul(a ^ 3)"),
        ("t: u32, #[uniform] a: u32", "u32", "s.wrapping_add(s >> 3)"),
        ("a: f32, t: f32", "f32", "s * 0.5 + t"),
        ("a: f32, t: f32", "f32", "s.max(t).min(a) - 0.25"),
        // Refused: each step may leave its type.
        ("a: u32, t: u32", "u32", "s + (t ^ i)"),
        ("a: u8, t: u8", "u8", "(s as u16 + t as u16) as u8"),
        ("a: i32, t: i32", "i32", "s - (t & 1)"),
        ("a: i32, t: i32", "i32", "s.max(t * 2)"),
    ];
    for fast in ["", "(fast)"] {
        for (parameters, ty, step) in families {
            // A choice, and a minimum of floats, are several instructions.
            let end = if step.contains("if") || step.contains("min(a)") { 600 } else { 1_500 };
            let source = format!(
                "#[kernel{fast}] pub fn k({parameters}) -> {ty} {{ let mut s = a; for i in 0..{end} {{ let _ = i; s = {step}; }} s }}"
            );
            println!("{parameters}: {step}");
            is_accepted(&source);
        }
    }
}

/// A chain nearly as long as a body may be. To read its text back, as [`probe`] does, would be most of the work.
#[test]
fn a_chain_of_five_thousand_turns() {
    let function = "pub fn k(a: u32, t: u32) -> u32 {
        let mut s = a;
        for i in 0..5000 { s = s.wrapping_add(t ^ i); }
        s
    }";
    let item = function.parse().unwrap();
    let mut expanded = TokenStream::new();
    let work = measure(|| expanded = expand_kernel(TokenStream::new(), item));
    println!("{} allocations", work.count_total);
    assert!(work.count_total < MOST_ALLOCATIONS, "{} allocations", work.count_total);
    let text = expanded.to_string();
    assert!(!text.contains("compile_error") && text.contains("unsafe fn avx2_0"));
}

/// Choices, types and a long body together: 448 bodies of a network that sorts 25 elements.
#[test]
fn choices_of_a_rank_filter_of_many_types() {
    let variants: String = (0..6).map(|place| format!("#[variant] v{place}: Overflow, ")).collect();
    let choices: String = (0..6)
        .map(|place| {
            format!("let s = match v{place} {{ Overflow::Wrap => s, Overflow::Saturate => s.max(v[{place}]) }};")
        })
        .collect();
    let source = format!(
        "#[kernel(types(T = u8, i8, u16, i16, u32, i32, f32))] pub fn k(src: Neighbourhood<T>, {variants}) -> T {{
            let mut v = [src.at(0, 0); 25];
            for dy in -2..=2 {{ for dx in -2..=2 {{ v[(5 * (dy + 2) + dx + 2) as usize] = src.at(dx, dy); }} }}
            for i in 0..24 {{
                for j in 0..24 - i {{
                    let low = v[j].min(v[j + 1]);
                    v[j + 1] = v[j].max(v[j + 1]);
                    v[j] = low;
                }}
            }}
            let s = v[12];
            {choices}
            s
        }}"
    );
    assert!(!is_accepted(&source));
}

/// Choices within choices of values that were narrowed, in a tree.
#[test]
fn nested_choices_of_narrowed_values() {
    let mut value = "(p + 1).wrapping_cast::<u8>()".to_owned();
    for level in 0..8 {
        value = format!(
            "if p > {level} {{ {value} }} else {{ if q > {level} {{ (p * {level} + q).wrapping_cast::<u8>() }} else {{ (q - {level}).wrapping_cast() }} }}"
        );
    }
    let source = format!("#[kernel] pub fn k(a: u8, b: u8) -> u8 {{ let p = a as i32; let q = b as i32; {value} }}");
    assert!(is_accepted(&source));
}

/// The same where each choice is read twice.
#[test]
fn shared_choices_of_narrowed_values() {
    let steps: String = (0..60)
        .map(|i| {
            format!(
                "let u{1} = if p > {0} {{ u{0} }} else {{ v{0} }}; let v{1} = if q > {0} {{ v{0} }} else {{ u{0} }};",
                i,
                i + 1
            )
        })
        .collect();
    let source = format!(
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 {{
            let p = a as i32;
            let q = b as i32;
            let u0 = (p + q).wrapping_cast::<u8>();
            let v0 = (p * q).wrapping_cast::<u8>();
            {steps}
            if a > b {{ u60 }} else {{ v60 }}
        }}"
    );
    assert!(is_accepted(&source));
}
