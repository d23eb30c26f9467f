//! Kernels that can't fail for reasons beyond plain intervals, and their neighbours that can.

use crate::compile_file;
use crate::diagnostic::Diagnostic;

#[track_caller]
fn errors(source: &str) -> Vec<String> {
    compile_file(&format!("#[kernel]\n{source}")).errors.iter().map(Diagnostic::text).collect()
}

#[track_caller]
fn accepted(source: &str) {
    let errors = errors(source);
    assert!(errors.is_empty(), "{source}\n{}", errors.join("\n"));
}

#[track_caller]
fn refused(source: &str, says: &str) {
    let errors = errors(source);
    assert!(errors.iter().any(|error| error.contains(says)), "{source}: no {says:?} in\n{}", errors.join("\n"));
}

#[test]
fn conditions_keep_zero_out() {
    accepted("fn k(a: u8, b: u8) -> u8 { if b != 0 { a / b } else { 0 } }");
    accepted("fn k(a: u8, b: u8) -> u8 { if b == 0 { 0 } else { a % b } }");
    accepted("fn k(a: i16, b: i16) -> i16 { if b != 0 && b != -1 { a / b } else { 0 } }");
    accepted("fn k(a: i16, b: i16) -> i16 { if b == 0 || b == -1 { 0 } else { a / b } }");
    accepted("fn k(a: i16, b: i16) -> i16 { if !(b <= 0) { a / b } else { 0 } }");
    accepted("fn k(a: u8) -> u8 { match a { 0 => 0, n => 255 / n } }");
    refused("fn k(a: i16, b: i16) -> i16 { if b != 0 { a / b } else { 0 } }", "divided by -1");
    refused("fn k(a: u8, b: u8) -> u8 { if b != 1 { a / b } else { 0 } }", "divide by zero");
    refused("fn k(a: u8, b: u8) -> u8 { if b == 0 { a / b } else { 0 } }", "divide by zero");
}

#[test]
fn a_condition_holds_on_the_right_of_and_or() {
    accepted("fn k(a: u8, b: u8) -> u8 { if b != 0 && a / b > 3 { 1 } else { 0 } }");
    accepted("fn k(a: u8, b: u8) -> u8 { if b == 0 || a / b > 3 { 1 } else { 0 } }");
    refused("fn k(a: u8, b: u8) -> u8 { if b != 0 || a / b > 3 { 1 } else { 0 } }", "divide by zero");
    refused("fn k(a: u8, b: u8) -> u8 { if a / b > 3 && b != 0 { 1 } else { 0 } }", "divide by zero");
}

#[test]
fn conditions_bound_indices_and_casts() {
    accepted("fn k(x: u8, lut: Table<u8, 10>) -> u8 { if x >= 10 && x < 20 { lut[x - 10] } else { 0 } }");
    accepted("fn k(a: u8, b: u8) -> u8 { let d = a as i16 - b as i16; if d >= 0 { d as u8 } else { 0 } }");
    accepted("fn k(a: u8, b: u8) -> u8 { let d = a as i16 - b as i16; if a >= b { d as u8 } else { (-d) as u8 } }");
    accepted("fn k(x: i16) -> u8 { if x < 0 { 0 } else if x > 255 { 255 } else { x as u8 } }");
    accepted("fn k(x: i16) -> u8 { match x { 0..=255 => x as u8, _ => 0 } }");
    accepted("fn k(x: i32) -> i16 { if x.abs_diff(0) < 100 { x as i16 } else { 0 } }");
    refused(
        "fn k(x: u8, lut: Table<u8, 10>) -> u8 { if x >= 10 && x <= 20 { lut[x - 10] } else { 0 } }",
        "reads index 10",
    );
    refused("fn k(x: i16) -> u8 { if x < 0 { 0 } else if x > 256 { 255 } else { x as u8 } }", "x = 256 gives 256");
}

#[test]
fn the_least_and_the_greatest_order_what_they_came_from() {
    accepted("fn k(a: u8, b: u8) -> u8 { a.max(b) - a.min(b) }");
    accepted("fn k(a: u8, b: u8) -> u8 { a.max(b) - a }");
    accepted("fn k(a: u8, b: u8) -> u8 { let m = if a > b { a } else { b }; m - b }");
    accepted("fn k(a: u8, b: u8) -> u8 { let (lo, hi) = if a < b { (a, b) } else { (b, a) }; hi - lo }");
    accepted("fn k(a: u8, b: u8, c: u8) -> u8 { a.max(b).max(c) - a.min(b).min(c) }");
    accepted("fn k(a: u8, b: u8) -> u8 { (a as u16 + b as u16 - a.max(b) as u16) as u8 }");
    refused("fn k(a: u8, b: u8, c: u8) -> u8 { a.max(b) - b.min(c).max(a.min(c)).max(1) }", "gives -");
}

#[test]
fn builtins_know_their_order() {
    accepted("fn k(x: u8) -> u8 { x - x / 4 }");
    accepted("fn k(x: u8) -> u8 { x - (x >> 2) * 3 }");
    accepted("fn k(x: u8) -> u8 { x - x % 7 }");
    accepted("fn k(x: u8, y: u8) -> u8 { x - (x & y) }");
    accepted("fn k(x: u8, y: u8) -> u8 { (x | y) - y }");
    accepted("fn k(x: u8, y: u8) -> u8 { x - x.saturating_sub(y) }");
    accepted("fn k(x: u8, y: u8) -> u8 { x.saturating_add(y) - y }");
    accepted("fn k(x: u8, y: u8) -> u8 { x.max(y) - x.halving_add(y) }");
    accepted("fn k(x: u8) -> u8 { x - x.isqrt() * x.isqrt() }");
    accepted("fn k(x: u8, y: u8) -> u8 { x.max(y) - x.abs_diff(y) }");
    refused("fn k(x: u8) -> u8 { (x as i16 - (x >> 2) as i16 * 5) as u8 }", "gives -");
    refused("fn k(x: u8, y: u8) -> u8 { x - (x | y) }", "gives -1");
    refused("fn k(x: u8, y: u8) -> u8 { x.max(y) - x.rounding_halving_add(y) - 1 }", "gives -1");
}

#[test]
fn products_are_bounded_at_their_corners() {
    accepted("fn k(a: u8, b: u8, w: u8) -> u8 { ((a as u16 * (255 - w) as u16 + b as u16 * w as u16) / 255) as u8 }");
    accepted("fn k(a: u8, b: u8, w: u8) -> u8 { (a as i32 + (((b as i32 - a as i32) * w as i32) >> 8)) as u8 }");
    accepted(
        "fn k(a: u8, b: u8, c: u8, d: u8, x: u8, y: u8) -> u8 {
            let (x, y) = (x as u32, y as u32);
            let top = a as u32 * (256 - x) + b as u32 * x;
            let bottom = c as u32 * (256 - x) + d as u32 * x;
            ((top * (256 - y) + bottom * y + 32768) >> 16) as u8
        }",
    );
    refused(
        "fn k(a: u8, b: u8, w: u8) -> u16 { a as u16 * (256 - w as u16) + b as u16 * (w as u16 + 2) }",
        "can overflow u16",
    );
}

#[test]
fn a_loop_has_no_more_turns_than_between_any_of_its_bounds() {
    let turns = |bounds: &str| {
        format!(
            "fn k([y, x]: At<2>, src: View<u8>, #[uniform(0..=127)] down: i32, #[uniform] other: i32) -> u8 {{
                let [rows, columns] = src.extents();
                let mut count = 0u8;
                for row in {bounds} {{ count += 1; }}
                count
            }}"
        )
    };
    accepted(&turns("(y - down).max(0)..(y + down + 1).min(rows)"));
    accepted(&turns("other.max(y - down).max(0)..rows.min(y + down + 1).min(columns)"));
    accepted(&turns("0.max(y)..rows.min(255)"));
    refused(&turns("(y - down).max(0)..(y + down + 2).min(rows)"), "`count + 1` does not overflow u8");
    refused(&turns("(y - down).min(0)..(y + down + 1).min(rows)"), "`count + 1` does not overflow u8");
    refused(&turns("(y - down).max(0)..(y + down + 1).max(rows)"), "`count + 1` does not overflow u8");
}

#[test]
fn requirements_are_facts() {
    let source = |require: &str, body: &str| {
        let signature = "fn k(x: u8, #[uniform] a: u8, #[uniform] b: u8, #[uniform] c: u8) -> u8";
        format!("#[kernel({require})]\n{signature} {{ {body} }}")
    };
    let errors = |require: &str, body: &str| compile_file(&source(require, body)).errors.len();
    assert_eq!(errors("require(a <= b)", "x.clamp(a, b)"), 0);
    assert_eq!(errors("require(a <= b), require(b <= c)", "x.clamp(a, c) - a"), 0);
    assert_eq!(errors("require(a < b)", "b - a - 1"), 0);
    assert_eq!(errors("require(a >= 1)", "x / a"), 0);
    assert_eq!(errors("require(a < b)", "a + 1"), 0);
    assert_eq!(errors("require(a < b)", "b - 1"), 0);
    assert_eq!(errors("require(a < b)", "a + 2"), 1);
    assert_eq!(errors("require(a < b), require(b <= c)", "c - a - 1"), 0);
    assert_eq!(errors("require(a <= b), require(b <= c)", "c - a - 1"), 1);
    assert_eq!(errors("require(a == b)", "(a - b) + (b - a)"), 0);
    assert_eq!(errors("require(a > 255)", "x"), 1);
    assert_eq!(errors("require(a >= 255)", "x"), 0);
    assert_eq!(errors("require(b <= a)", "x.clamp(a, b)"), 1);
    assert_eq!(errors("require(a <= b)", "b - a - 1"), 1);
}

#[test]
fn what_one_branch_proves_holds_there_alone() {
    refused("fn k(a: u8, b: u8) -> u8 { if a > b { a - b } else { a - b } }", "gives -1");
    refused("fn k(a: u8, b: u8) -> u8 { let d = if a > b { a - b } else { 0 }; d / 2 + (a - b) / 2 }", "gives -1");
    accepted("fn k(a: u8, b: u8) -> u8 { if a > b { let d = a - b; if d > 3 { (a - b) - 3 } else { 0 } } else { 0 } }");
    refused("fn k(a: u8, b: u8) -> u8 { if a > b { if b > 3 { b - 4 } else { 0 } } else { b - 4 } }", "gives -4");
}

#[test]
fn contradictory_conditions_demand_nothing() {
    accepted("fn k(a: u8, b: u8) -> u8 { if a > 200 { if a < 100 { a + b } else { 1 } } else { 2 } }");
    accepted("fn k(a: u8, b: u8) -> u8 { if a > b { if b > a { a / 0 } else { 1 } } else { 2 } }");
}

#[test]
fn either_of_two_conditions_is_known() {
    accepted("fn k(x: u8) -> u8 { if x < 10 || (x > 20 && x < 30) { x + 226 } else { 0 } }");
    refused("fn k(x: u8) -> u8 { if x < 10 || x > 250 { x + 200 } else { 0 } }", "can overflow u8");
    refused("fn k(x: u8) -> u8 { if x > 250 || x < 10 { x + 200 } else { 0 } }", "can overflow u8");
    refused("fn k(x: u8) -> u8 { if x > 250 || x < 10 { x - 200 } else { 0 } }", "can overflow u8");
    refused("fn k(x: u8, y: u8) -> u8 { if x != 0 || y > 3 { 255 / x } else { 0 } }", "divide by zero");
    refused("fn k(x: u8, y: u8) -> u8 { if y > 3 || x != 0 { 255 / x } else { 0 } }", "divide by zero");
    accepted("fn k(x: u8) -> u8 { if x != 5 && x >= 5 { x - 6 } else { 0 } }");
    refused("fn k(x: u8, y: u8) -> u8 { if x > y || x > 3 { x - y } else { 0 } }", "gives -");
    accepted("fn k(x: u8, y: u8) -> u8 { if !(x > y || x > 3) { y - x } else { 0 } }");
}

/// A condition on `f(x)`, and the bounds of `x` that follow: no less is proved, and no more.
#[test]
fn conditions_on_results_bound_operands() {
    let cases = [
        ("x.min(y) >= -5", -5, 32767),
        ("x.max(y) <= 50", -32768, 50),
        ("x.unsigned_abs() <= 9", -9, 9),
        ("x >> 2 <= 5", -32768, 23),
        ("x >> 2 >= -5", -20, 32767),
        ("x / 4 <= 5", -32768, 23),
        ("x / 4 <= -5", -32768, -20),
        ("x / 4 >= -2", -11, 32767),
        ("x / 4 >= 2", 8, 32767),
        ("x.abs_diff(7) <= 3", 4, 10),
        ("x.abs_diff(z) <= 3", -3, 23),
        ("z.abs_diff(x) <= 3", -3, 23),
        ("x as i32 * 3 + 1 < 100", -32768, 32),
        ("1 - (x as i32) * 3 < 100", -32, 32767),
        ("x as i32 - 5 == 7", 12, 12),
        ("!(x < 3)", 3, 32767),
    ];
    for (condition, lo, hi) in cases {
        let source = |lo: i32, hi: i32| {
            let inside = format!("((x as i32 - ({lo})) as u32 + (({hi}) - x as i32) as u32) as u8 & 0");
            format!(
                "fn k(x: i16, #[uniform] y: i16, #[uniform(0..=20)] z: i16) -> u8 {{ if {condition} {{ {inside} }} else {{ 0 }} }}"
            )
        };
        let casts = |lo: i32, hi: i32| {
            errors(&source(lo, hi)).into_iter().filter(|error| error.contains("as u32` c")).collect::<Vec<_>>()
        };
        assert_eq!(casts(lo, hi), Vec::<String>::new(), "{condition}");
        assert!(!casts(lo + 1, hi).is_empty(), "{condition}: above {lo}");
        assert!(!casts(lo, hi - 1).is_empty(), "{condition}: below {hi}");
    }
}

#[test]
fn the_sign_decides_what_abs_is() {
    refused("fn k(x: i8) -> u8 { let m = x.max(-1); let d = m.abs() as i16 - m as i16; 1 - d as u8 }", "gives -1");
    accepted("fn k(x: i8) -> u8 { let m = x.max(-1); let d = m.abs() as i16 - m as i16; 2 - d as u8 }");
    accepted("fn k(x: i8) -> u8 { let m = x.max(0); let d = m.abs() - m; d as u8 }");
}

#[test]
fn the_order_of_factors_does_not_matter() {
    accepted("fn k(x: u8, y: u8) -> u8 { (x as i32 * y as i32 - y as i32 * x as i32) as u8 }");
}

#[test]
fn a_negative_factor_turns_an_order_round() {
    let source = |tail: &str| {
        format!(
            "fn k(x: u8, y: u8, #[uniform(-10..=-1)] w: i32) -> u32 {{
                let (m, x) = (x.max(y) as i32, x as i32);
                {tail}
            }}"
        )
    };
    accepted(&source("(x * w - m * w) as u32"));
    refused(&source("(m * w - x * w) as u32"), "can change the value");
}

#[test]
fn floats_are_in_order_only_without_nan() {
    accepted("fn k(x: f32, lo: f32, hi: f32) -> f32 { if lo <= hi { x.clamp(lo, hi) } else { x } }");
    accepted("fn k(x: f32, a: f32, b: f32, c: f32) -> f32 { if a < b && b < c { x.clamp(a, c) } else { x } }");
    accepted(
        "fn k(x: f32, #[uniform(0.0..=1.0)] a: f32, #[uniform(-1.0..=2.0)] b: f32) -> f32 { x.clamp(a.min(b), a.max(b)) }",
    );
    refused("fn k(x: f32, lo: f32, hi: f32) -> f32 { if !(lo > hi) { x.clamp(lo, hi) } else { x } }", "clamp(lo, hi)");
    refused("fn k(x: f32, lo: f32, hi: f32) -> f32 { if !(hi < lo) { x.clamp(lo, hi) } else { x } }", "clamp(lo, hi)");
    refused("fn k(x: f32, lo: f32, hi: f32) -> f32 { if !(hi <= lo) { x.clamp(lo, hi) } else { x } }", "clamp(lo, hi)");
    refused("fn k(x: f32, a: f32, b: f32) -> f32 { x.clamp(a.min(b), a.max(b)) }", "clamp(");
    refused("fn k(x: f32, lo: f32, hi: f32) -> f32 { if lo >= hi { x.clamp(lo, hi) } else { x } }", "clamp(lo, hi)");
}

#[test]
fn floats_bound_the_integers_that_they_become() {
    accepted("fn k(x: f32) -> u8 { let n = x.max(0.0).min(9.0) as i32; (n * 28) as u8 }");
    accepted("fn k(x: f32) -> u8 { if x > -0.5 && x < 255.5 { (x as i32) as u8 } else { 0 } }");
    accepted("fn k(x: f32) -> u8 { let n = x as u8; n - n / 2 }");
    refused("fn k(x: f32) -> u8 { if x < 255.5 { (x as i32) as u8 } else { 0 } }", "can change the value");
    refused("fn k(x: f32) -> u8 { if !(x >= 10.0) { 9 - (x.abs() as u8) } else { 0 } }", "can overflow u8");
    refused("fn k(x: f32) -> i32 { (x as i32) + 1 }", "gives 2147483648");
}

#[test]
fn expressions_are_shown_as_rust_groups_them() {
    refused("fn k(a: u16, b: u8) -> u16 { (a + 1) * 2 }", "`a + 1` can overflow");
    refused("fn k(a: u16, b: u8) -> u16 { (a / 2 + 1) * b as u16 }", "`(a / 2 + 1) * b as u16` can overflow");
    refused("fn k(a: u16, b: u16) -> u16 { a / 2 * (b / 2) }", "`a / 2 * (b / 2)` can overflow");
    refused("fn k(a: u16, b: u16) -> u16 { a - (b / 2 - b / 4) }", "`a - (b / 2 - b / 4)` can overflow");
    refused(
        "fn k(a: u8, b: u8) -> u16 { ((a as u16) << 8) + ((b as u16) << 1) }",
        "`((a as u16) << 8) + ((b as u16) << 1)`",
    );
    refused("fn k(a: i16, b: i16) -> u8 { (-(a / 2) & b) as u8 }", "`(-(a / 2) & b) as u8`");
}

#[test]
fn places_lie_inside() {
    let kernel =
        |body: &str| format!("fn k([y, x]: At<2>, src: View<u8>) -> u8 {{ let [h, w] = src.extents(); {body} }}");
    for body in [
        "src[[y.min(h - 1), (w - 1 - x).max(0)]]",
        "src[[0, w - 1]] / 2 + src[[h / 2, (w - 1) / 3]] / 2",
        "if y < h && 2 * x + 1 < w { src[[y, 2 * x + 1]] } else { 0 }",
        "src[[(y as f32 * 0.37) as i32 % h, x % w]]",
        "let row = (y - 2).clamp(0, h - 1); src[[row.max(1) - 1, (x * 2 / 3).min(w - 1)]]",
    ] {
        accepted(&kernel(body));
    }
    for body in [
        "src[[y, x]]",
        "src[[y.min(h), x.min(w - 1)]]",
        "src[[h, 0]]",
        "src[[0, w - 2]]",
        "if y <= h && x < w { src[[y, x]] } else { 0 }",
        "src[[y.min(w - 1), x.min(h - 1)]]",
    ] {
        refused(&kernel(body), "lie outside the image");
    }
}
