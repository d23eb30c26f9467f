//! Where the greatest element of a row is (ACL `ArgMinMaxLayer`, ONNX `ArgMax`).
use windrow::prelude::*;

/// The first column whose x is greatest in a row; what is no number counts for nothing.
#[kernel(types(T = u8, f32), window(r, 1))]
pub fn row_argmax([r, _]: At<2>, #[shape(r, c)] src: View<T, 2>) -> i32 {
    argmax(0..src.extents()[1], |i| src[[r, i]])
}
