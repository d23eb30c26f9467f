//! Kernels with loops whose ends are computed: the generated tests hold every target against the functions.

use windrow::prelude::*;

/// The product of two matrices; the order of the sum is that of the loop.
#[kernel]
pub fn product([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
    let [height, inner] = a.extents();
    let [rows, columns] = b.extents();
    let mut sum = 0.0;
    for k in 0..inner.min(rows) {
        sum = a[[y.min(height - 1), k]].mul_add(b[[k, x.min(columns - 1)]], sum);
    }
    sum
}

/// The mean of the elements inside a box whose radius is known at run time.
#[kernel]
pub fn mean([y, x]: At<2>, src: View<u8>, #[uniform(0..=6)] radius: i32) -> u8 {
    let (mut sum, mut count) = (0u32, 0u32);
    for row in y - radius..=y + radius {
        for column in x - radius..=x + radius {
            if let Some(element) = src.get([row, column]) {
                sum += element as u32;
                count += 1;
            }
        }
    }
    ((sum + count / 2) / count.max(1)).saturating_cast()
}

/// Where the greatest element of a row is, of equals the first.
#[kernel]
pub fn greatest_of_row([y, _x]: At<2>, src: View<i16>) -> (i32, i16) {
    let [height, width] = src.extents();
    let row = y.min(height - 1);
    let (mut place, mut greatest) = (0, src[[row, 0]]);
    for column in 1..width {
        let element = src[[row, column]];
        if element > greatest {
            (place, greatest) = (column, element);
        }
    }
    (place, greatest)
}

/// How often it takes a step to come to 1, by the element.
#[kernel]
pub fn steps(n: u16) -> u8 {
    let (mut value, mut count) = (n as u32 + 1, 0u8);
    for _ in 0..n % 97 {
        if value > 1 {
            value = if value % 2 == 0 { value / 2 } else { value.wrapping_mul(3).wrapping_add(1) };
            count += 1;
        }
    }
    count
}

#[test]
fn a_product_of_matrices() {
    let a = Tensor::from_fn([2, 3], |[y, x]| (1 + y * 3 + x) as f32).unwrap();
    let b = Tensor::from_fn([3, 2], |[y, x]| (7 + y * 2 + x) as f32).unwrap();
    let mut out = Tensor::<f32>::new([2, 2]).unwrap();
    product::apply_into(&a, &b, &mut out).unwrap();
    assert_eq!(out.view().as_slice().unwrap(), [58.0, 64.0, 139.0, 154.0]);
}

#[test]
fn a_mean_of_what_lies_inside() {
    let src = Tensor::from_fn([2, 2], |[y, x]| (10 * y + x) as u8).unwrap();
    let mut out = Tensor::<u8>::new([2, 2]).unwrap();
    mean::apply_into(&src, 1, &mut out).unwrap();
    assert_eq!(out.view().as_slice().unwrap(), [6; 4]);
    mean::apply_into(&src, 0, &mut out).unwrap();
    assert_eq!(out.view().as_slice().unwrap(), [0, 1, 10, 11]);
}
