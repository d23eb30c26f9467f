//! The proof as text.

use super::builder::Builder;
use crate::analyse::explain;
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
    scaled: u8 in 0..=255
    rest: u8 in 0..=255
  proofs
    `x / scale` does not divide by zero: 1..=100, by intervals and declared bounds
    `x - scaled` fits u8: 0..=255, by order and declared bounds
";
    assert_eq!(explain(&b.kernel, &b.body, &facts), expected);
}
