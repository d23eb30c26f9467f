//! Products of matrices (ACL `GEMM`, ONNX `MatMul`).
//!
//! The caller gives the output, which has the rows of `a` and the columns of `b`; planes are multiplied plane by plane.
use windrow::prelude::*;

/// Σ a[y, k] · b[k, x], from k = 0 on, each product and its sum rounded once. Elements outside a matrix are those at its edge.
#[kernel(step(8, 1))]
pub fn matrix_product([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
    let ([rows, inner], [height, columns]) = (a.extents(), b.extents());
    let (row, column) = (y.min(rows - 1), x.min(columns - 1));
    let mut sum = 0.0;
    for k in 0..inner.min(height) {
        sum = a[[row, k]].mul_add(b[[k, column]], sum);
    }
    sum
}

/// Σ a[y, k] · b[k, x] with a second matrix of halves, as `matrix_product` of the same numbers in 32 bits.
#[kernel(step(8, 1))]
pub fn matrix_product_half([y, x]: At<2>, a: View<f32>, b: View<f16>) -> f32 {
    let ([rows, inner], [height, columns]) = (a.extents(), b.extents());
    let (row, column) = (y.min(rows - 1), x.min(columns - 1));
    let mut sum = 0.0;
    for k in 0..inner.min(height) {
        sum = a[[row, k]].mul_add(b[[k, column]].cast(), sum);
    }
    sum
}

/// Σ a[y, k] · b[k, x] of bytes, modulo 2³². Elements outside a matrix are those at its edge.
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn matrix_product_bytes([y, x]: At<2>, a: View<T>, b: View<i8>) -> i32 {
    let ([rows, inner], [height, columns]) = (a.extents(), b.extents());
    let (row, column) = (y.min(rows - 1), x.min(columns - 1));
    let mut sum = 0i32;
    for k in 0..inner.min(height) {
        sum = sum.wrapping_add(a[[row, k]] as i32 * b[[k, column]] as i32);
    }
    sum
}
