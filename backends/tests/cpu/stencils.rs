//! Operators over windows, as authors write them: equal in every form and schedule, and as cheap in every way of writing.

use crate::make::Subject;
use windrow_backends::opencl;
use windrow_backends::targets::CPU;
use windrow_dsl::ir::{Block, Constant, Kernel};
use windrow_dsl::optimise::prepare;

const GAUSSIANS: [&str; 5] = [
    "(src: Neighbourhood<u8>) -> u8 { let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + \
     src.at(dx, 1) as u16; ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8 }",
    "(src: Neighbourhood<u8>) -> u8 { const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; let mut sum = 0; \
     for y in 0..3 { for x in 0..3 { sum += K[y][x] * src.at(x as i32 - 1, y as i32 - 1) as u16; } } (sum >> 4) as u8 }",
    "(src: Neighbourhood<u8>) -> u8 { const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; let mut sum = 0; \
     for (row, weights) in src.window::<3, 3>().into_iter().zip(K) { for (pixel, w) in row.into_iter().zip(weights) { \
     sum += w * pixel as u16; } } (sum >> 4) as u8 }",
    "(src: Neighbourhood<u8>) -> u8 { let q = |x, y| src.at(x, y) as u16; (((q(1, 1) + q(-1, -1) + q(1, -1) + q(-1, 1)) + \
     ((q(0, 1) + q(1, 0) + q(0, -1) + q(-1, 0)) << 1) + (q(0, 0) << 2)) / 16) as u8 }",
    "(src: Neighbourhood<u8>) -> u8 { let q = |x, y| src.at(x, y) as i32; let edges = q(0, 1) + q(1, 0) + q(0, -1) + \
     q(-1, 0); let all = q(1, 1) + edges + q(-1, 1) + q(0, 0) + q(1, -1) + q(-1, -1); \
     ((all + edges + 3 * q(0, 0)) >> 4) as u8 }",
];

const MEDIANS: [&str; 3] = [
    "(src: Neighbourhood<u8>) -> u8 { let min3 = |a: u8, b: u8, c: u8| a.min(b).min(c); \
     let max3 = |a: u8, b: u8, c: u8| a.max(b).max(c); let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c)); \
     let low = |x| min3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     let mid = |x| med3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     let high = |x| max3(src.at(x, -1), src.at(x, 0), src.at(x, 1)); \
     med3(max3(low(-1), low(0), low(1)), med3(mid(-1), mid(0), mid(1)), min3(high(-1), high(0), high(1))) }",
    "(src: Neighbourhood<u8>) -> u8 { const EXCHANGES: [(usize, usize); 19] = [(1,2),(4,5),(7,8),(0,1),(3,4),(6,7),(1,2),\
     (4,5),(7,8),(0,3),(5,8),(4,7),(3,6),(1,4),(2,5),(4,7),(4,2),(6,4),(4,2)]; let mut v = [0; 9]; \
     for i in 0..9 { v[i] = src.at(i as i32 % 3 - 1, i as i32 / 3 - 1); } \
     for (i, j) in EXCHANGES { (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j])); } v[4] }",
    "(src: Neighbourhood<u8>) -> u8 { let mut v = [0; 9]; for i in 0..9 { v[i] = src.at(i as i32 / 3 - 1, i as i32 % 3 - 1); } \
     for i in 0..5 { for j in i + 1..9 { (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j])); } } v[4] }",
];

/// An operator, and the same written otherwise: sums commuted, taps written out, shifts for products, other names.
const TWINS: &[(&str, &str)] = &[
    (GAUSSIANS[0], GAUSSIANS[3]),
    (GAUSSIANS[0], GAUSSIANS[4]),
    (
        "(src: Neighbourhood<u8>) -> u8 { let mut sum = 0; for dy in -1..=1 { for dx in -1..=1 { \
         sum += src.at(dx, dy) as u16; } } (sum / 9) as u8 }",
        "(q: Neighbourhood<u8>) -> u8 { let w = |x, y| q.at(x, y) as i32; let s = w(1, 0) + (w(-1, 1) + w(0, -1)) + w(0, 0); \
         ((w(1, 1) + s + w(-1, -1) + (w(1, -1) + w(-1, 0) + w(0, 1))) / 9) as u8 }",
    ),
    (
        "(src: Neighbourhood<u8>) -> i16 { let p = |x, y| src.at(x, y) as i16; \
         let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); column(1) - column(-1) }",
        "(f: Neighbourhood<u8>) -> i16 { let d = |y| f.at(1, y) as i16 - f.at(-1, y) as i16; d(1) + (d(0) << 1) + d(-1) }",
    ),
    (
        "(src: Neighbourhood<u8>) -> u8 { let mut least = u8::MAX; for dy in -1..=1 { for dx in -1..=1 { \
         least = least.min(src.at(dx, dy)); } } least }",
        "(s: Neighbourhood<u8>) -> u8 { let m = |x: i32| s.at(x, 1).min(s.at(x, -1)).min(s.at(x, 0)); m(0).min(m(1).min(m(-1))) }",
    ),
    (MEDIANS[0], MEDIANS[1]),
    (
        "([r, g, b]: [u8; 3]) -> u8 { ((54 * r as u16 + 183 * g as u16 + 19 * b as u16) >> 8) as u8 }",
        "([x, y, z]: [u8; 3]) -> u8 { ((z as u16 * 19 + (y as u16 * 183 + x as u16 * 54)) / 256) as u8 }",
    ),
    (
        "(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
        "(left: u8, right: u8) -> u8 { if left > right { left - right } else { right - left } }",
    ),
];

/// Operators whose forms differ between rows of a block, or whose floats wait for each other.
const OTHERS: [&str; 6] = [
    "(src: Neighbourhood<u8>) -> u8 { const K: [u16; 5] = [1, 4, 6, 4, 1]; let mut sum = 0; \
     for (dy, wy) in (-2..=2).zip(K) { let mut row = 0; for (dx, wx) in (-2..=2).zip(K) { \
     row += wx * src.at(dx, dy) as u16; } sum += wy * row; } (sum >> 8) as u8 }",
    "(src: Neighbourhood<f32>) -> f32 { const K: [[f32; 3]; 3] = [[0.25, -0.5, 0.1], [0.3, 1.5, -2.0], [7.0, 0.0, 1.0]]; \
     let mut sum = 0.0; for (dy, row) in (-1..=1).zip(K) { for (dx, k) in (-1..=1).zip(row) { \
     sum = src.at(dx, dy).mul_add(k, sum); } } sum }",
    "(src: Neighbourhood<i16>) -> i16 { let mut least = i16::MAX; let mut greatest = i16::MIN; \
     for dy in -2..=1 { for dx in 0..=2 { least = least.min(src.at(dx, dy)); greatest = greatest.max(src.at(dx, dy)); } } \
     (greatest as i32 - least as i32).saturating_cast() }",
    "(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 { let mut sum = 8; for dy in -1..=1 { for dx in -1..=1 { \
     sum += src.at(dx, dy) as u16 * (2 - dx * dx) as u16 * (2 - dy * dy) as u16; } } (sum >> 4) as u8 }",
    "(src: Neighbourhood<u8>) -> u8 { let p = |x, y| src.at(x, y) as i16; (9 * p(0, 0) - (p(-1, -1) + p(0, -1) + p(1, -1) \
     + p(-1, 0) + p(1, 0) + p(-1, 1) + p(0, 1) + p(1, 1))).saturating_cast() }",
    "(src: Neighbourhood<u8>, #[uniform] a: i16, #[uniform] b: i16, #[uniform] c: i16, #[uniform] d: i16) -> i16 { \
     let p = |x, y| src.at(x, y) as i32; let sum = a as i32 * p(1, 1) + b as i32 * p(0, 1) + c as i32 * p(1, 0) + \
     d as i32 * p(-1, 0) - b as i32 * p(0, 0) + c as i32 * p(-1, -1) + a as i32 * p(0, -1); \
     (sum / 16).saturating_cast() }",
];

/// The value of every uniform.
const WEIGHT: i128 = -300;

fn compiled(signature: &str) -> Kernel {
    let source = format!("#[kernel] pub fn operator{signature}");
    let mut compiled = windrow_dsl::compile_file(&source);
    let errors: Vec<&String> = compiled.errors.iter().map(|error| &error.message).collect();
    assert!(errors.is_empty(), "{source}: {errors:?}");
    compiled.kernels.remove(0).kernel
}

/// Each operator in several blocks: the cost model's, one that divides nothing, and large ones.
pub fn subjects() -> Vec<Subject> {
    const BLOCKS: [Option<Block>; 4] =
        [None, Some(Block { x: 1, y: 3 }), Some(Block { x: 2, y: 8 }), Some(Block { x: 3, y: 1 })];
    let operators = [&GAUSSIANS[..1], &MEDIANS[1..2], &OTHERS].concat();
    let mut subjects = Vec::new();
    for (index, operator) in operators.iter().enumerate() {
        let kernel = compiled(operator);
        for block in BLOCKS {
            let name = format!("operator {index} in {block:?}");
            let uniforms = vec![Constant::Int(WEIGHT); kernel.uniforms.len()];
            subjects.push(Subject { name, kernel: kernel.clone(), uniforms, pairs: false, block });
        }
    }
    subjects
}

/// The texts of a kernel for every target with vectors and for devices, without the names that its author gave values.
fn texts(operator: &str) -> Vec<(&'static str, String)> {
    let mut kernel = compiled(operator);
    kernel.bodies.iter_mut().flat_map(|body| &mut body.nodes).for_each(|node| node.name = None);
    let prepared = prepare(&kernel);
    let targets = CPU.iter().filter(|target| target.architecture.is_some());
    let bodies = targets.map(|target| (target.name, (target.emit)(&kernel, &prepared, 0, "body", None).unwrap().text));
    bodies.chain([("opencl", opencl::emit(&kernel, &prepared).source)]).collect()
}

#[test]
fn all_ways_to_write_an_operator_are_one_text() {
    for all in [&GAUSSIANS[..], &MEDIANS[..]] {
        let first = texts(all[0]);
        for operator in &all[1..] {
            for ((name, text), (_, expected)) in texts(operator).iter().zip(&first) {
                assert_eq!(text, expected, "{name}: {operator}");
            }
        }
    }
}

#[test]
fn no_way_to_write_an_operator_costs_more() {
    for target in CPU.iter().filter(|target| target.architecture.is_some()) {
        let cost = |operator: &str| {
            let kernel = compiled(operator);
            let body = (target.emit)(&kernel, &prepare(&kernel), 0, "body", None).unwrap();
            let whole_steps = body.text.split("if x < width").next().unwrap();
            let calls = whole_steps.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let calls = calls.filter(|word| (target.is_instruction)(word)).count();
            calls as f64 / f64::from(body.columns * body.rows)
        };
        for (operator, twin) in TWINS {
            let (first, second) = (cost(operator), cost(twin));
            let ratio = first.max(second) / first.min(second);
            assert!(ratio <= 1.05, "{}: {first} and {second}\n{operator}\n{twin}", target.name);
        }
    }
}

/// What an expansion's passes take, without optimisation as macros are built; printed, as machines differ.
#[test]
fn what_the_search_takes_is_printed() {
    for operator in [GAUSSIANS[0], OTHERS[0], MEDIANS[1]] {
        let kernel = compiled(operator);
        for target in CPU.iter().filter(|target| target.architecture.is_some()) {
            let times = (0..5).map(|_| {
                let start = std::time::Instant::now();
                let body = (target.emit)(&kernel, &prepare(&kernel), 0, "body", None).unwrap();
                assert!(!body.text.is_empty());
                start.elapsed()
            });
            println!("{}: {:.1?}", target.name, times.min().unwrap_or_default());
        }
    }
}
