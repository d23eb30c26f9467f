//! Kernels of a user's own, and models with nodes that they compute.

use windrow::prelude::*;
use windrow_graph::{Attribute, CustomOperator, CustomOperators};

use crate::common::file::{File, float, integer, word};

/// x, as far as its magnitude is above a level; 0 elsewhere.
#[kernel]
pub fn keep_above(x: f32, #[uniform] level: f32) -> f32 {
    if x.abs() > level { x } else { 0.0 }
}

/// The sum of two tensors, either of which may be repeated, one of them times a weight.
#[kernel]
pub fn weighed_sum(a: f32, b: f32, #[uniform] weights: [f32; 2], #[uniform(-8..=8)] offset: i32) -> f32 {
    a * weights[0] + b * weights[1] + offset as f32
}

/// Each element of an image as a square of that many rows and columns, times what its channel is gated by.
#[kernel(window(n, h * times, w * times, c))]
pub fn upsample_gated(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(n, c)] gate: View<f32, 2>,
    #[uniform(1..=4)] times: i32,
) -> f32 {
    src.get([n, y / times, x / times, c]).unwrap_or(0.0) * gate[[n, c]]
}

/// The same of channels in front of rows.
#[kernel(window(n, c, h * times, w * times))]
pub fn upsample_gated_planes(
    [n, c, y, x]: At<4>,
    #[shape(n, c, h, w)] src: View<f32, 4>,
    #[shape(n, c)] gate: View<f32, 2>,
    #[uniform(1..=4)] times: i32,
) -> f32 {
    src.get([n, c, y / times, x / times]).unwrap_or(0.0) * gate[[n, c]]
}

/// The differences between the neighbours on the right and on the left.
#[kernel]
pub fn slope(src: Neighbourhood<f32>) -> f32 {
    src.at(1, 0) - src.at(-1, 0)
}

/// How many bytes of a row are at least as great as a bound.
#[kernel(window(n, 1))]
pub fn count_from([n, _]: At<2>, #[shape(n, m)] src: View<u8, 2>, #[uniform] bound: u8) -> i32 {
    let [_, length] = src.extents();
    let mut count = 0i32;
    for x in 0..length {
        count = count.wrapping_add((src[[n, x]] >= bound) as i32);
    }
    count
}

/// A sum of as many tensors as a step reads at most.
#[kernel]
pub fn sum_of_seven(a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32) -> f32 {
    a + b + c + d + e + f + g
}

/// The operators that the models of these tests have.
pub fn operators() -> CustomOperators {
    let mut operators = CustomOperators::new();
    let all = [
        CustomOperator::new::<keep_above>("com.example.KeepAbove").default("level", 0.5f32),
        CustomOperator::new::<weighed_sum>("com.example.WeighedSum").attribute("weights", "w").computed(
            "offset",
            &["side"],
            |node| match node.attribute("side") {
                None => Ok(Attribute::Int(0)),
                Some(Attribute::Text(side)) if side == "columns" => {
                    Ok(Attribute::Int(node.inputs()[0].shape().width() as i64))
                }
                Some(other) => Err(format!("`side` is \"columns\", not {other:?}")),
            },
        ),
        CustomOperator::new::<upsample_gated>("com.example.UpsampleGated").channels_last(),
        CustomOperator::new::<upsample_gated_planes>("com.example.UpsamplePlanes"),
        CustomOperator::new::<slope>("com.example.Slope").border(Border::Replicate),
        CustomOperator::new::<sum_of_seven>("com.example.SumOfSeven"),
        CustomOperator::new::<count_from>("com.example.CountFrom"),
    ];
    all.into_iter().for_each(|operator| operators.add(operator).unwrap());
    operators
}

/// A convolution, then an operator that changes the shape of what it writes, then one of each element, and one of two tensors that
/// is joined to another.
pub fn network(upsample: &str) -> File {
    let weights: Vec<f32> = (0..4 * 3 * 9).map(|place| (place % 7) as f32 * 0.25 - 0.75).collect();
    File::new(&[2, 3, 5, 6])
        .floats("w", &[4, 3, 3, 3], &weights)
        .floats("gate", &[2, 4], &[1.0, -0.5, 2.0, 0.25, -1.0, 3.0, 0.5, 1.5])
        .node("Conv", &["x", "w"], &["conv"])
        .node_of("com.example", upsample, &["conv", "gate"], &["up"], &[integer("times", 2)])
        .node_of("com.example", "KeepAbove", &["up"], &["kept"], &[float("level", 0.75)])
        .node_of(
            "com.example",
            "WeighedSum",
            &["kept", "up"],
            &["sum"],
            &[crate::common::file::floats("w", &[0.5, 2.0]), word("side", "columns")],
        )
        .node("Concat", &["sum", "up"], &["joined"])
        .node("Relu", &["joined"], &["y"])
}

/// What the network computes, element by element.
pub fn network_answer(x: &[f32]) -> Vec<f32> {
    let weights: Vec<f32> = (0..4 * 3 * 9).map(|place| (place % 7) as f32 * 0.25 - 0.75).collect();
    let gate = [1.0f32, -0.5, 2.0, 0.25, -1.0, 3.0, 0.5, 1.5];
    let conv = |n: usize, o: usize, y: usize, x_: usize| {
        let mut sum = 0.0;
        for dy in 0..3 {
            for dx in 0..3 {
                for c in 0..3 {
                    sum += x[((n * 3 + c) * 5 + y + dy) * 6 + x_ + dx] * weights[((o * 3 + c) * 3 + dy) * 3 + dx];
                }
            }
        }
        sum
    };
    let mut answer = vec![0.0; 2 * 8 * 6 * 8];
    for n in 0..2 {
        for c in 0..4 {
            for y in 0..6 {
                for x_ in 0..8 {
                    let up: f32 = conv(n, c, y / 2, x_ / 2) * gate[n * 4 + c];
                    let kept = if up.abs() > 0.75 { up } else { 0.0 };
                    let sum = kept * 0.5 + up * 2.0 + 8.0;
                    answer[((n * 8 + c) * 6 + y) * 8 + x_] = sum.max(0.0);
                    answer[((n * 8 + 4 + c) * 6 + y) * 8 + x_] = up.max(0.0);
                }
            }
        }
    }
    answer
}
