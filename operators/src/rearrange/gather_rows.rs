//! Rows of a table by their numbers (ACL `GatherLayer`, ONNX `Gather` along the first dimension, embeddings).
use windrow::prelude::*;

/// The rows of a table with these numbers; a number from −rows on counts from the end, and zeros are the row that there is none of.
#[kernel(types(T = u8, f32), window(n, d))]
pub fn gather_rows([n, d]: At<2>, #[shape(v, d)] table: View<T, 2>, #[shape(n)] rows: View<i32, 1>) -> T {
    let [count, _] = table.extents();
    let row = rows[[n]];
    table.get([if row < 0 { row + count } else { row }, d]).unwrap_or(0 as T)
}
