//! What rests on the order of two values: differences of extremes, sides of a condition, limits of a clamp.

use super::builder::Builder;
use crate::ir::*;

use BinaryOp::*;

#[test]
fn greatest_minus_least_is_not_negative() {
    let mut b = Builder::new();
    let centre = b.tap("src", Type::U8, 0, 0);
    let (mut least, mut greatest) = (centre, centre);
    for dy in -2..=2 {
        for dx in -2..=2 {
            let p = b.tap("src", Type::U8, dx, dy);
            least = b.binary(Min, least, p);
            greatest = b.binary(Max, greatest, p);
        }
    }
    let out = b.sub(greatest, least);
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn greatest_minus_least_from_loops_of_their_own() {
    let mut b = Builder::new();
    let mut least = b.int(Type::U8, 255);
    for dx in 0..9 {
        let p = b.tap("src", Type::U8, dx, 0);
        least = b.binary(Min, least, p);
    }
    let mut greatest = b.int(Type::U8, 0);
    for dx in (0..9).rev() {
        let p = b.tap("src", Type::U8, dx, 0);
        greatest = b.binary(Max, greatest, p);
    }
    let out = b.sub(greatest, least);
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn a_condition_orders_a_difference() {
    let mut b = Builder::new();
    let (x, y) = (b.input("a", Type::U8), b.input("b", Type::U8));
    let greater = b.binary(Gt, x, y);
    let out = b.branch(greater, |b| b.sub(x, y), |b| b.sub(y, x));
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn the_wrong_side_of_a_condition_is_refused() {
    let mut b = Builder::new();
    let (x, y) = (b.input("a", Type::U8), b.input("b", Type::U8));
    let greater = b.binary(Gt, x, y);
    b.branch(greater, |b| b.sub(y, x), |b| b.sub(x, y));
    assert_eq!(b.refused().len(), 2);
}

#[test]
fn clamp_needs_ordered_bounds() {
    let clamp = |required: bool, ty: Type| {
        let mut b = Builder::new();
        let x = b.input("x", ty);
        let (lo, hi) = (b.uniform("lower", ty), b.uniform("upper", ty));
        if required {
            b.require(0, Le, 1);
        }
        b.clamp(x, lo, hi);
        b.prove().1
    };
    assert!(clamp(true, Type::U8).is_empty());
    assert!(clamp(true, Type::F32).is_empty());
    assert_eq!(clamp(false, Type::U8).len(), 1);
    assert_eq!(clamp(false, Type::F32).len(), 1);
}

#[test]
fn a_sorting_network_orders_its_outputs() {
    let sorted = |swap: bool| {
        let mut b = Builder::new();
        let mut v: Vec<ValueId> = (0..9).map(|dx| b.tap("src", Type::U8, dx, 0)).collect();
        for end in (1..9).rev() {
            for i in 0..end {
                (v[i], v[i + 1]) = (b.binary(Min, v[i], v[i + 1]), b.binary(Max, v[i], v[i + 1]));
            }
        }
        for i in 0..8 {
            if swap {
                b.sub(v[i], v[i + 1]);
            } else {
                b.sub(v[i + 1], v[i]);
            }
        }
        b
    };
    assert!(sorted(false).prove().1.is_empty());
    assert_eq!(sorted(true).refused().len(), 8);
}
