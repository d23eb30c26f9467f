//! What the zeros of quantised matrices add to their product (ACL `GEMMLowpOffsetContribution`).
use windrow::prelude::*;

/// product + `left` · columns + `right` · rows + constant, modulo 2^32: `columns` is a row that holds the sums of the right matrix'
/// columns, `rows` a column that holds the sums of the left matrix' rows.
#[kernel(step(8, 1))]
pub fn offset_contribution(
    product: i32,
    columns: i32,
    rows: i32,
    #[uniform] left: i32,
    #[uniform] right: i32,
    #[uniform] constant: i32,
) -> i32 {
    let offsets = columns.wrapping_mul(left).wrapping_add(rows.wrapping_mul(right));
    product.wrapping_add(offsets).wrapping_add(constant)
}
