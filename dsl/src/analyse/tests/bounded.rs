//! Work is bounded: large and hostile bodies end soon, and nothing panics.

use allocation_counter::measure;

use super::builder::Builder;
use super::random::{Random, body};
use crate::analyse::{explain, prove, ranges};
use crate::ir::*;

use BinaryOp::*;

/// Allocations of an analysis, at most.
const MOST_ALLOCATIONS: u64 = 10_000_000;

#[track_caller]
fn ends_soon(b: &Builder) {
    let work = measure(|| {
        let (facts, _) = prove(&b.kernel, &b.body);
        assert_eq!(facts.ranges.len(), b.body.nodes.len());
        ranges(&b.kernel, &b.body);
    });
    println!("{} allocations", work.count_total);
    assert!(work.count_total < MOST_ALLOCATIONS, "{} allocations", work.count_total);
}

#[test]
fn a_long_sum_with_many_terms() {
    let mut b = Builder::new();
    let mut sum = b.int(Type::I32, 0);
    for i in 0..5_000 {
        let tap = b.tap("src", Type::U8, i % 97, i / 97);
        let tap = b.cast(tap, Type::I32);
        let weight = b.int(Type::I32, i128::from(i % 7) - 3);
        let product = b.mul(tap, weight);
        sum = b.add(sum, product);
    }
    ends_soon(&b);
}

#[test]
fn a_sorting_network_over_25_taps() {
    let mut b = Builder::new();
    let mut v: Vec<ValueId> = (0..25).map(|i| b.tap("src", Type::U8, i % 5, i / 5)).collect();
    for i in 0..25 {
        for j in (i + 1)..25 {
            (v[i], v[j]) = (b.binary(Min, v[i], v[j]), b.binary(Max, v[i], v[j]));
        }
    }
    for i in 0..24 {
        b.sub(v[i + 1], v[i]);
    }
    ends_soon(&b);
}

#[test]
fn a_chain_of_conditions() {
    let mut b = Builder::new();
    let (x, y) = (b.input("x", Type::U8), b.input("y", Type::U8));
    fn arms(b: &mut Builder, x: ValueId, y: ValueId, at: i128) -> ValueId {
        if at == 120 {
            return b.sub(x, y);
        }
        let limit = b.int(Type::U8, at);
        let condition = b.binary(Eq, x, limit);
        b.branch(
            condition,
            |b| {
                let sum = b.add(x, y);
                b.mul(sum, x)
            },
            |b| arms(b, x, y, at + 1),
        )
    }
    arms(&mut b, x, y, 0);
    ends_soon(&b);
}

#[test]
fn many_failures() {
    let mut b = Builder::new();
    let mut value = b.input("x", Type::U8);
    for i in 0..2_000 {
        let other = b.tap("src", Type::U8, i % 50, i / 50);
        let product = b.mul(value, other);
        value = b.sub(product, other);
    }
    ends_soon(&b);
}

#[test]
fn powers_and_nested_products() {
    let mut b = Builder::new();
    let mut values: Vec<ValueId> = (0..6).map(|dx| b.tap("src", Type::U32, dx, 0)).collect();
    for round in 0..2_000 {
        let (x, y) = (values[round % 6], values[(round + 1) % 6]);
        let product = b.mul(x, y);
        let sum = b.add(product, values[(round + 2) % 6]);
        values[round % 6] = if round % 3 == 0 { product } else { sum };
    }
    ends_soon(&b);
}

#[test]
fn a_large_random_body() {
    for seed in 0..2 {
        let b = body(&mut Random::new(seed), 3_000);
        ends_soon(&b);
    }
}

#[test]
fn explanations_of_random_bodies_do_not_fail() {
    for seed in 0..100 {
        let b = body(&mut Random::new(seed ^ 0x5151), 20);
        let (facts, diagnostics) = prove(&b.kernel, &b.body);
        assert!(explain(&b.kernel, &b.body, &facts).starts_with("kernel k\n"));
        for diagnostic in diagnostics {
            assert!(!diagnostic.help.is_empty() && !diagnostic.message.is_empty());
        }
    }
}
