//! Floats of 16 bits in memory: what is read of them, computed in 32 bits, and rounded back.

use windrow::prelude::*;

/// An element at a time, of both kinds and of 32 bits by one text.
#[kernel(types(T = f16, bf16, f32), step(16, 1))]
pub fn scale_and_add(a: T, b: T, #[uniform] gain: f32) -> T {
    (a.cast::<f32>() * gain + b.cast::<f32>()).cast()
}

/// What lies around the element, beyond the edges too.
#[kernel(step(8, 1))]
pub fn smooth(src: Neighbourhood<f16>) -> f16 {
    let row = |dy| f32::from(src.at(-1, dy)) + 2.0 * f32::from(src.at(0, dy)) + f32::from(src.at(1, dy));
    ((row(-1) + 2.0 * row(0) + row(1)) * 0.0625).cast()
}

/// Halves that are moved and chosen between, never computed with.
#[kernel(output(low, high), step(16, 1))]
pub fn sort(p: [f16; 2], limit: bf16, #[uniform] is_down: u8) -> (f16, [bf16; 2]) {
    let [a, b] = p;
    let is_less = a.cast::<f32>() < b.cast::<f32>();
    let low = if is_less == (is_down == 0) { a } else { b };
    (low, if is_less { [limit, bf16::MAX] } else { [bf16::NEG_INFINITY, limit] })
}

/// From one kind to the other, from integers and to them.
#[kernel(output(brain, count, half), step(16, 1))]
pub fn convert(a: f16, n: i32) -> (bf16, i16, f16) {
    let value = a.cast::<f32>();
    (value.cast(), value as i16, (n as f32).cast())
}

/// Entries of a table.
#[kernel(step(16, 1))]
pub fn tone(a: u8, curve: Table<f16, 256>) -> f32 {
    curve[a].cast()
}

/// Sums of 32 bits of products of halves, read anywhere.
#[kernel(window(m, n), types(T = f16, bf16))]
pub fn matmul([m, n]: At<2>, #[shape(m, k)] left: View<T, 2>, #[shape(k, n)] right: View<T, 2>) -> T {
    let [_, inner] = left.extents();
    let mut sum = 0.0f32;
    for k in 0..inner {
        sum = left[[m, k]].cast::<f32>().mul_add(right[[k, n]].cast(), sum);
    }
    sum.cast()
}

/// A row of scores as probabilities.
#[kernel(window(n, c))]
pub fn softmax([n, c]: At<2>, #[shape(n, c)] scores: View<f16, 2>) -> f16 {
    let [_, columns] = scores.extents();
    let score = |i| scores[[n, i]].cast::<f32>();
    let most = greatest(0..columns, |i| score(i));
    let total = sum(0..columns, |i| (score(i) - most).exp());
    ((score(c) - most).exp() / total).cast()
}

#[test]
fn sums_of_halves_are_rounded_once() -> Result<(), windrow::Error> {
    let [a, b] = [2048.0, 1.0].map(f16::from_f32);
    let [a, b] = [a, b].map(|value| Tensor::from_fn([3, 5], |_| value).unwrap());
    let found = scale_and_add::<f16>::apply(&a, &b, 1.0)?;
    // 2049 lies between two halves, of which 2048 is the even one.
    assert_eq!(found.view().get([1, 1]), Some(f16::from_f32(2048.0)));
    let found = scale_and_add::<f16>::apply(&a, &b, 1.5)?;
    assert_eq!(found.view().get([1, 1]), Some(f16::from_f32(3072.0)));
    Ok(())
}

#[test]
fn an_edge_is_what_the_border_says() -> Result<(), windrow::Error> {
    let one = f16::from_f32(1.0);
    let image = Tensor::from_fn([4, 4], |_| one)?;
    let found = smooth::apply(&image, Border::constant(f16::from_f32(3.0)))?;
    assert_eq!(found.view().get([0, 1]), Some(f16::from_f32(1.5)));
    assert_eq!(smooth::apply(&image, Border::Replicate)?.view().get([0, 0]), Some(one));
    Ok(())
}
