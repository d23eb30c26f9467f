//! Every element twice along both axes (ACL `UpsampleLayer`, nearest; sub-sampled chroma at full size).
use windrow::prelude::*;

/// Each element as a pair in the row above and the same pair in the row below. The outputs are the even and the odd rows of an image of
/// twice the size, regrouped into pairs.
#[kernel(step(8, 1), types(T = u8, f32), output(even, odd))]
pub fn double_elements(x: T) -> ([T; 2], [T; 2]) {
    ([x, x], [x, x])
}
