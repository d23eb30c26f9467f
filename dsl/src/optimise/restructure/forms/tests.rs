//! Before and after: one form whatever the author wrote, as few operations as the form needs, and equal values.

use super::*;
use crate::interpret::{self, Arguments};
use crate::ir::Overflow::Never;
use crate::ir::*;
use crate::optimise::testing::{Raw, kernel, lines};
use crate::optimise::{Nest, jam, number, prepare};
use crate::{compile_file, dump};

/// The Gaussian and median forms of one operator must end as one body.
const GAUSSIANS: [&str; 4] = [
    "let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16; \
     ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8",
    "const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; let mut sum = 0; for y in 0..3 { for x in 0..3 { \
     sum += K[y][x] * src.at(x as i32 - 1, y as i32 - 1) as u16; } } (sum >> 4) as u8",
    "const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; let mut sum = 0; for (row, weights) in \
     src.window::<3, 3>().into_iter().zip(K) { for (pixel, w) in row.into_iter().zip(weights) { sum += w * pixel as \
     u16; } } (sum >> 4) as u8",
    "let p = |x, y| src.at(x, y) as u16; (((p(1, 1) + p(-1, -1) + p(1, -1) + p(-1, 1)) + ((p(0, 1) + p(1, 0) + p(0, -1) \
     + p(-1, 0)) << 1) + (p(0, 0) << 2)) / 16) as u8",
];

const MEDIANS: [&str; 3] = [
    "let min3 = |a: u8, b: u8, c: u8| a.min(b).min(c); let max3 = |a: u8, b: u8, c: u8| a.max(b).max(c); \
     let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c)); \
     let low = |x| min3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     let mid = |x| med3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     let high = |x| max3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     med3(max3(low(-1), low(0), low(1)), med3(mid(-1), mid(0), mid(1)), min3(high(-1), high(0), high(1)))",
    "const EXCHANGES: [(usize, usize); 19] = [(1,2),(4,5),(7,8),(0,1),(3,4),(6,7),(1,2),(4,5),(7,8),(0,3),(5,8),(4,7),\
     (3,6),(1,4),(2,5),(4,7),(4,2),(6,4),(4,2)]; let mut v = [0; 9]; \
     for i in 0..9 { v[i] = src.at(i as i32 % 3 - 1, i as i32 / 3 - 1); } \
     for (i, j) in EXCHANGES { (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j])); } v[4]",
    "let mut v = [0; 9]; for i in 0..9 { v[i] = src.at(i as i32 % 3 - 1, i as i32 / 3 - 1); } \
     for i in 0..5 { for j in i + 1..9 { (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j])); } } v[4]",
];

fn compiled(body: &str, result: &str) -> Kernel {
    let source = format!("#[kernel] pub fn filter(src: Neighbourhood<u8>) -> {result} {{ {body} }}");
    let mut compiled = compile_file(&source);
    assert!(compiled.errors.is_empty(), "{body}: {:?}", compiled.errors.iter().map(|e| &e.message).collect::<Vec<_>>());
    compiled.kernels.remove(0).kernel
}

fn formed(kernel: &Kernel) -> Vec<Form> {
    forms(kernel, &prepare(kernel).bodies[0])
}

fn named<'a>(forms: &'a [Form], name: &str) -> &'a Form {
    forms.iter().find(|form| form.name == name).unwrap_or_else(|| panic!("no form {name}"))
}

/// The lines of a body without the author's names.
fn anonymous(body: &Body) -> Vec<String> {
    let mut body = body.clone();
    body.nodes.iter_mut().for_each(|node| node.name = None);
    lines(&body)
}

/// As it is jammed: without folding and simplifying it again.
#[test]
fn forms_are_as_a_builder_leaves_them() {
    for body in GAUSSIANS.iter().chain(&MEDIANS) {
        for phase in formed(&compiled(body, "u8")).iter().flat_map(|form| &form.phases) {
            assert_eq!(lines(&number(phase)), lines(phase), "{body}");
        }
    }
}

#[test]
fn all_gaussians_and_all_medians_are_one() {
    for bodies in [&GAUSSIANS[..], &MEDIANS[..]] {
        let rows = |body: &&str| named(&formed(&compiled(body, "u8")), "rows first").phases.clone();
        let all: Vec<Vec<Body>> = bodies.iter().map(rows).collect();
        for phases in &all {
            assert_eq!(phases.len(), all[0].len());
            for (phase, first) in phases.iter().zip(&all[0]) {
                assert_eq!(anonymous(phase), anonymous(first));
            }
        }
    }
}

fn count(body: &Body, operation: &str) -> usize {
    lines(body).iter().filter(|line| line.split(' ').next().is_some_and(|name| name.ends_with(operation))).count()
}

#[test]
fn a_product_of_vectors_is_rows_then_columns() {
    let kernel = compiled(GAUSSIANS[1], "u8");
    let forms = formed(&kernel);
    let rows = &named(&forms, "rows first").phases[0];
    // One product in each of three rows, and one across them.
    assert_eq!((count(rows, "Mul"), count(rows, "Add")), (4, 8));
    let pairs = &named(&forms, "rows first, pairs of rows").phases[0];
    assert_eq!((count(pairs, "Mul"), count(pairs, "Add")), (3, 9));
}

#[test]
fn every_sum_of_a_product_is_proved() {
    // Nothing leaves u16, and so nothing is written as if it might.
    for form in formed(&compiled(GAUSSIANS[0], "u8")) {
        for body in &form.phases {
            assert!(lines(body).iter().all(|line| !line.starts_with("Wrapping")), "{}: {:?}", form.name, lines(body));
        }
    }
}

/// What is summed need not be an element: the same value of each place will do.
#[test]
fn rows_of_a_block_share_sums_of_alike_values() {
    for (term, operation, of_a_row, across) in [
        ("{ let v = src.at(dx, dy) as i32; v * v }", "Add", 2, 2),
        ("src.at(dx, dy).abs_diff(src.at(dx + 1, dy)) as i32", "Add", 2, 2),
        ("src.at(dx, dy) as i32 * src.at(dx, dy + 3) as i32", "Add", 2, 2),
        ("(src.at(dx, dy) as i32 & 3) * 5", "Add", 2, 2),
    ] {
        let body = format!("let mut sum = 0; for dy in -1..=1 {{ for dx in -1..=1 {{ sum += {term}; }} }} sum");
        let forms = formed(&compiled(&body, "i32"));
        let jammed = jam(&named(&forms, "rows first").phases, &Nest::block(16, Block { x: 1, y: 4 }));
        // Six rows, and two sums that the four of the block share, each with one row more.
        assert_eq!(count(&jammed, operation), 6 * of_a_row + 4 * across - 2, "{term}");
    }
}

/// Weights that are uniform values differ from place to place.
#[test]
fn products_with_weights_are_not_alike() {
    let source = "#[kernel] pub fn filter(src: Neighbourhood<u8>, #[uniform(-9..=9)] w: [i32; 9]) -> i32 {
        let mut sum = 0; for i in 0..9 { sum += w[i] * src.at(i as i32 % 3, i as i32 / 3) as i32; } sum }";
    let compiled = compile_file(source);
    let forms = formed(&compiled.kernels[0].kernel);
    let names =
        forms.iter().flat_map(|form| &form.phases).flat_map(|body| &body.nodes).filter_map(|node| node.name.as_deref());
    assert!(!names.into_iter().any(|name| name.ends_with("_sum")), "{forms:?}");
}

#[test]
fn a_derivative_has_no_products_in_its_rows() {
    for turned in ["column(1) - column(-1)", "column(-1) - column(1)", "-column(1) + column(-1)"] {
        let body =
            format!("let p = |x, y| src.at(x, y) as i16; let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); {turned}");
        let forms = formed(&compiled(&body, "i16"));
        let rows = &named(&forms, "rows first").phases[0];
        assert_eq!((count(rows, "Mul"), count(rows, "Sub"), count(rows, "Add")), (1, 3, 2), "{turned}");
    }
}

#[test]
fn neighbouring_rows_share_what_they_can() {
    let erode = "let mut least = u8::MAX; for dy in -1..=1 { for dx in -1..=1 { least = least.min(src.at(dx, dy)); } } \
                 least";
    let counts = [(erode, "Min", 6 * 2 + 6), (MEDIANS[1], "Min", 6 * 3 + 4 * 5), (MEDIANS[1], "Max", 6 * 3 + 4 * 5)];
    for (body, operation, expected) in counts {
        let kernel = compiled(body, "u8");
        let forms = formed(&kernel);
        let jammed = jam(&named(&forms, "rows first").phases, &Nest::block(16, Block { x: 1, y: 4 }));
        assert_eq!(count(&jammed, operation), expected, "{operation} of {body}");
    }
}

#[test]
fn a_rank_of_many_is_left_to_the_author() {
    let mut raw = Raw::default();
    let tap = |place: i32| Tap { input: InputId(0), channel: 0, dx: place % 5, dy: place / 5 }.op();
    let taps: Vec<ValueId> = (0..25).map(|place| raw.raw(tap(place), Type::U8)).collect();
    let mut wires = taps;
    for low in 0..13 {
        for high in low + 1..25 {
            let (a, b) = (wires[low], wires[high]);
            wires[low] = raw.raw(Op::Binary(BinaryOp::Min, a, b), Type::U8);
            wires[high] = raw.raw(Op::Binary(BinaryOp::Max, a, b), Type::U8);
        }
    }
    let body = number(&raw.store(wires[12]));
    assert_eq!(forms(&kernel(Type::U8, body.clone()), &body).len(), 1);
}

#[test]
fn what_is_no_window_stays() {
    let mut raw = Raw::default();
    let (a, b) = (raw.input(0, Type::U8), raw.input(1, Type::U8));
    let sum = raw.raw(Op::Binary(BinaryOp::Add(Never), a, b), Type::U8);
    let body = raw.store(sum);
    assert_eq!(forms(&kernel(Type::U8, body.clone()), &body).len(), 1);
}

/// The forms of two operators as text, before and after; `WINDROW_BLESS=1` writes the files anew.
#[test]
fn forms_are_as_kept() {
    for (name, body) in [("gaussian3x3", GAUSSIANS[0]), ("median3x3", MEDIANS[1])] {
        let kernel = compiled(body, "u8");
        let mut text = String::new();
        for form in formed(&kernel) {
            for (phase, body) in form.phases.iter().enumerate() {
                text += &format!("{}, row {phase} of {}\n{}", form.name, form.phases.len(), dump::body(&kernel, body));
            }
        }
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/optimise/restructure/forms/snapshots");
        let path = folder.join(format!("{name}.txt"));
        if std::env::var_os("WINDROW_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{}", path.display());
    }
}

/// Elements of one byte input.
struct Image(u64);

impl Arguments for Image {
    fn element(&self, access: &Access) -> Constant {
        let Tap { dx, dy, .. } = access.tap().unwrap();
        let mut state = self.0 ^ ((dx + 64) as u64) << 20 ^ ((dy + 64) as u64) << 40;
        for _ in 0..3 {
            state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ state >> 29;
        }
        Constant::Int([0, 255, (state >> 32) as i128 & 255, (state >> 40) as i128 & 3][(state >> 8) as usize % 4])
    }

    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }

    fn coordinate(&self, _: AxisId) -> i32 {
        0
    }
}

/// Sums with random coefficients over random windows, written in one random way: every form of them, checked
/// operations and all, gives what the author's function gives.
#[test]
fn forms_of_random_sums_are_equal() {
    let mut state = 1u64;
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut found = 0;
    for _ in 0..150 {
        let mut terms = Vec::new();
        let (columns, rows) = (1 + below(4) as i32, 1 + below(4) as i32);
        let line: Vec<i128> = (0..4).map(|_| below(9) as i128 - 3).collect();
        let is_product = below(2) == 0;
        let value = below(3);
        for dy in 0..rows {
            for dx in 0..columns {
                let c = if is_product { line[dx as usize] * line[3 - dy as usize] } else { below(7) as i128 - 2 };
                let tap = match value {
                    0 => format!("src.at({dx}, {dy}) as i32"),
                    1 => format!("{{ let v = src.at({dx}, {dy}) as i32; v * v }}"),
                    _ => format!("(src.at({dx}, {dy}) as i32 - src.at({dx}, {dy} + 1) as i32).abs()"),
                };
                terms.push(match below(4) {
                    0 => format!("({c}) * ({tap})"),
                    1 => format!("-({}) * ({tap})", -c),
                    2 if c == 2 => format!("(({tap}) << 1)"),
                    _ => format!("({tap}) * ({c})"),
                });
            }
        }
        for place in (1..terms.len()).rev() {
            terms.swap(place, below(place as u64 + 1) as usize);
        }
        let middle = below(terms.len() as u64) as usize;
        let (left, right) = (terms[..middle].join(" + "), terms[middle..].join(" + "));
        let body = if left.is_empty() { right } else { format!("({right}) - (-({left}))") };
        let kernel = compiled(&body, "i32");
        let forms = formed(&kernel);
        for seed in 0..6 {
            let expected = interpret::stores(&kernel.bodies[0], &Image(seed));
            for form in &forms {
                for body in &form.phases {
                    assert_eq!(interpret::stores(body, &Image(seed)).ok(), expected.clone().ok(), "{}", form.name);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 1000, "{found}");
}

/// Ranks and folds over random sets of places.
#[test]
fn forms_of_random_ranks_are_equal() {
    let mut seed = 7u64;
    for count in 3..=9usize {
        for rank in 0..count {
            seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed >> 31;
            let places: Vec<String> = (0..count)
                .map(|place| (place * 5 + (seed % 7) as usize) % 16)
                .map(|place| format!("src.at({}, {})", place % 4, place / 4))
                .collect();
            let body = format!(
                "let mut v = [{}]; for i in 0..{count} {{ for j in i + 1..{count} {{ (v[i], v[j]) = (v[i].min(v[j]), \
                 v[i].max(v[j])); }} }} v[{rank}]",
                places.join(", ")
            );
            let kernel = compiled(&body, "u8");
            let forms = formed(&kernel);
            for seed in 0..20 {
                let expected = interpret::stores(&kernel.bodies[0], &Image(seed)).ok();
                assert!(expected.is_some());
                for body in forms.iter().flat_map(|form| &form.phases) {
                    assert_eq!(interpret::stores(body, &Image(seed)).ok(), expected, "{rank} of {count}");
                }
            }
        }
    }
}
