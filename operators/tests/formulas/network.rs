//! Pieces of networks, in floats of 64 bits.

use windrow::{Border, Scalar, Tensor};
use windrow_operators::*;

use crate::{floats, hold};

const PLANE: [usize; 2] = [13, 37];

/// The element at (x, y), or that of a constant border.
fn at(image: &Tensor<f32>, x: i64, y: i64, outside: f64) -> f64 {
    let [height, width] = PLANE.map(|extent| extent as i64);
    if x < 0 || y < 0 || x >= width || y >= height {
        return outside;
    }
    f64::from(image.view().get([y as usize, x as usize]).unwrap())
}

fn near(found: f32, expected: f64, what: &str) {
    assert!(
        approx::relative_eq!(f64::from(found), expected, max_relative = 1e-6, epsilon = 1e-6),
        "{what}: {found} instead of {expected}"
    );
}

#[test]
fn pooling_of_every_size() {
    let src = floats(1, PLANE);
    macro_rules! sizes {
        ($($kernel:ident $first:literal $last:literal $stride:literal)*) => {$(
            for pooling in [Pooling::Max, Pooling::Average, Pooling::L2] {
                let outside = if pooling == Pooling::Max { f64::NEG_INFINITY } else { 0.0 };
                let border = Border::Constant(Scalar::F32(outside as f32));
                let found = $kernel::apply(&src, pooling, border).unwrap();
                assert_eq!(found.info().shape().extents(), PLANE.map(|extent| extent.div_ceil($stride)));
                for y in 0..found.info().height() {
                    for x in 0..found.info().width() {
                        let window = ($first..=$last).flat_map(|dy| ($first..=$last).map(move |dx| (dx, dy)));
                        let elements = window.map(|(dx, dy)| at(&src, (x * $stride) as i64 + dx, (y * $stride) as i64 + dy, outside));
                        let count = (($last - $first + 1i64) as f64).powi(2);
                        let expected = match pooling {
                            Pooling::Max => elements.fold(f64::NEG_INFINITY, f64::max),
                            Pooling::Average => elements.sum::<f64>() / count,
                            Pooling::L2 => (elements.map(|v| v * v).sum::<f64>() / count).sqrt(),
                        };
                        near(found.view().get([y, x]).unwrap(), expected, stringify!($kernel));
                    }
                }
            }
        )*};
    }
    sizes! { pool2x2_stride2 0i64 1i64 2 pool3x3 -1i64 1i64 1 pool3x3_stride2 -1i64 1i64 2 }
}

/// Three channels at once, each with its own weights.
#[test]
fn depthwise_convolutions() {
    const CHANNELS: usize = 3;
    let planes: Vec<Tensor<f32>> = (0..CHANNELS).map(|channel| floats(10 + channel as u64, PLANE)).collect();
    let [height, width] = PLANE;
    let src = Tensor::from_fn([CHANNELS, height, width], |[c, y, x]| planes[c].view().get([y, x]).unwrap()).unwrap();
    let weight = |c: usize, i: usize| ((c * 31 + i * 17) % 23) as f32 / 8.0 - 1.25;
    let bias = |c: usize| c as f32 - 0.5;
    let border = Border::Constant(Scalar::F32(0.0));
    let check = |found: &Tensor<f32>, size: usize, stride: usize| {
        let extents = [CHANNELS, height.div_ceil(stride), width.div_ceil(stride)];
        assert_eq!(found.info().shape().extents(), extents);
        for (c, plane) in planes.iter().enumerate() {
            for y in 0..extents[1] {
                for x in 0..extents[2] {
                    let mut sum = f64::from(bias(c));
                    for i in 0..size * size {
                        let (dx, dy) = ((i % size) as i64 - size as i64 / 2, (i / size) as i64 - size as i64 / 2);
                        sum += f64::from(weight(c, i))
                            * at(plane, (x * stride) as i64 + dx, (y * stride) as i64 + dy, 0.0);
                    }
                    let found = found.view().get([c, y, x]).unwrap();
                    assert!((f64::from(found) - sum).abs() < 1e-3, "{found} instead of {sum}");
                }
            }
        }
    };
    let row = |j: usize| {
        Tensor::from_fn([CHANNELS, 1, 1], |[c, _, _]| std::array::from_fn::<f32, 3, _>(|i| weight(c, 3 * j + i)))
            .unwrap()
    };
    let biases = Tensor::from_fn([CHANNELS, 1, 1], |[c, _, _]| bias(c)).unwrap();
    check(&depthwise3x3::apply(&src, &row(0), &row(1), &row(2), &biases, border).unwrap(), 3, 1);
    check(&depthwise3x3_stride2::apply(&src, &row(0), &row(1), &row(2), &biases, border).unwrap(), 3, 2);
}

#[test]
fn what_belongs_to_a_channel_is_broadcast() {
    let src = Tensor::from_fn([2, 3, 5], |[c, y, x]| (c * 15 + y * 5 + x) as f32 / 4.0 - 3.0).unwrap();
    let channel = |a: f32, b: f32| Tensor::from_vec(vec![a, b], [2, 1, 1]).unwrap();
    let (scale, shift) = (channel(0.5, -2.0), channel(1.0, 3.0));
    let each = |found: &Tensor<f32>, expected: fn(f64, usize) -> f64, what: &str| {
        for (i, (found, x)) in found.to_vec().into_iter().zip(src.to_vec()).enumerate() {
            near(found, expected(f64::from(x), i / 15), what);
        }
    };
    each(&scale_shift::apply(&src, &scale, &shift).unwrap(), |x, c| x * [0.5, -2.0][c] + [1.0, 3.0][c], "scale_shift");
    each(
        &normalize_planar::apply(&src, &shift, &scale).unwrap(),
        |x, c| (x - [1.0, 3.0][c]) / [0.5, -2.0][c],
        "normalize_planar",
    );
    each(&l2_normalize::apply(&src, &channel(4.0, 1e-9), 0.25).unwrap(), |x, c| x / [2.0, 0.5][c], "l2_normalize");
    each(&bias_clip::apply(&src, &shift, 0.0, 6.0).unwrap(), |x, c| (x + [1.0, 3.0][c]).clamp(0.0, 6.0), "bias_clip");
    each(&linear::apply(&src, 1.5, -0.25).unwrap(), |x, _| 1.5 * x - 0.25, "linear");
    each(&square::apply(&src).unwrap(), |x, _| x * x, "square");
    let positive = absolute::apply(&add_scaled::apply(&src, &src, 1.0).unwrap()).unwrap();
    let rooted = reciprocal_sqrt::apply(&add_f32::apply(&positive, &channel(1.0, 1.0)).unwrap()).unwrap();
    each(&rooted, |x, _| 1.0 / ((2.0 * x).abs() + 1.0).sqrt(), "add_scaled, absolute, reciprocal_sqrt");
    each(&squared_difference::apply(&src, &scale).unwrap(), |x, c| (x - [0.5, -2.0][c]).powi(2), "squared_difference");
}

#[test]
fn series_and_complex_numbers() {
    let mut series = Tensor::<f32>::new([2, 9]).unwrap();
    range::apply(&mut series, 1.0, 0.5).unwrap();
    hold("range", &series, |x, _| 1.0 + 0.5 * x as f32);
    let mut series = Tensor::<i32>::new([2, 9]).unwrap();
    range_i32::apply(&mut series, 10, -3).unwrap();
    hold("range_i32", &series, |x, _| 10 - 3 * x as i32);
    let numbers = Tensor::from_vec(vec![[1.0f32, 2.0], [-4.0, 8.0]], [1, 2]).unwrap();
    let conjugates: Tensor<[f32; 2]> = scale_complex::apply(&numbers, [0.5, -0.5]).unwrap();
    assert_eq!(conjugates.to_vec(), [[0.5, -1.0], [-2.0, -4.0]]);
}

#[test]
fn matrices_are_multiplied() {
    let (a, b) = (
        [[1.5f32, -2.0, 0.25], [3.0, 0.5, -1.0]],
        [[2.0f32, 1.0, 0.0, 4.0], [0.5, -1.5, 8.0, 1.0], [4.0, 2.0, -2.0, 0.5]],
    );
    let a_tensor = Tensor::from_fn([2, 3], |[y, k]| a[y][k]).unwrap();
    let b_tensor = Tensor::from_fn([3, 4], |[k, x]| b[k][x]).unwrap();
    let mut product = Tensor::<f32>::new([2, 4]).unwrap();
    matrix_product::apply_into(&a_tensor, &b_tensor, &mut product).unwrap();
    for (y, row) in product.to_vec().chunks(4).enumerate() {
        for (x, found) in row.iter().enumerate() {
            let expected: f64 = (0..3).map(|k| f64::from(a[y][k]) * f64::from(b[k][x])).sum();
            near(*found, expected, "matrix_product");
        }
    }
    // Sums are modulo 2³², as -128 · -128 over 2¹⁷ turns is 2³¹.
    let long = Tensor::from_fn([1, 1 << 17], |_| -128i8).unwrap();
    let tall = Tensor::from_fn([1 << 17, 1], |_| -128i8).unwrap();
    let mut sum = Tensor::<i32>::new([1, 1]).unwrap();
    matrix_product_bytes::<i8>::apply_into(&long, &tall, &mut sum).unwrap();
    assert_eq!(sum.to_vec(), [i32::MIN]);
}

#[test]
fn windows_of_any_size_are_pooled() {
    let (height, width) = (7, 9);
    let at = |y: usize, x: usize| ((y * 31 + x * 17) % 23) as f32 - 11.5;
    let src = Tensor::from_fn([height, width], |[y, x]| at(y, x)).unwrap();
    for (window, stride, pad) in [([2, 3], [1, 1], [0, 0]), ([3, 2], [2, 3], [1, 1]), ([5, 5], [3, 2], [2, 2])] {
        let [rows, columns] = [0, 1].map(|d| ([height, width][d] as i32 + 2 * pad[d] - window[d]) / stride[d] + 1);
        let shape = [rows as usize, columns as usize];
        let [mut greatest, mut mean] = [Tensor::<f32>::new(shape).unwrap(), Tensor::<f32>::new(shape).unwrap()];
        max_pool::apply_into(&src, window, stride, pad, &mut greatest).unwrap();
        average_pool::apply_into(&src, window, stride, pad, &mut mean).unwrap();
        for (place, (greatest, mean)) in greatest.to_vec().into_iter().zip(mean.to_vec()).enumerate() {
            let [y, x] = [place as i32 / columns * stride[0] - pad[0], place as i32 % columns * stride[1] - pad[1]];
            let inside = |y: i32, x: i32| (0..height as i32).contains(&y) && (0..width as i32).contains(&x);
            let places = (y..y + window[0]).flat_map(|y| (x..x + window[1]).map(move |x| (y, x)));
            let found: Vec<f64> =
                places.filter(|&(y, x)| inside(y, x)).map(|(y, x)| f64::from(at(y as usize, x as usize))).collect();
            near(greatest, found.iter().copied().fold(f64::NEG_INFINITY, f64::max), "max_pool");
            near(mean, found.iter().sum::<f64>() / found.len() as f64, "average_pool");
        }
    }
}

/// Channel by channel as planes are pooled, with pads behind too, of which the output's shape depends.
#[test]
fn channels_that_lie_side_by_side_are_pooled() {
    let at = |n: usize, y: usize, x: usize, c: usize| ((n * 41 + y * 31 + x * 17 + c * 7) % 23) as f32 - 11.5;
    let src = Tensor::from_fn([2, 7, 9, 3], |[n, y, x, c]| at(n, y, x, c)).unwrap();
    for (window, stride, pad) in
        [([2, 3], [1, 1], [0; 4]), ([3, 2], [2, 3], [1, 0, 0, 1]), ([5, 5], [3, 2], [2, 2, 1, 3])]
    {
        let pooled = max_pool2d::apply(&src, window, stride, pad).unwrap();
        let [rows, columns] = [0, 1].map(|d| ([7, 9][d] + pad[d] + pad[d + 2] - window[d]) / stride[d] + 1);
        assert_eq!(pooled.shape().extents()[..], [2, rows as usize, columns as usize, 3]);
        for n in 0..2 {
            for c in 0..3 {
                let plane = Tensor::from_fn([7, 9], |[y, x]| at(n, y, x, c)).unwrap();
                let mut expected = Tensor::<f32>::new([rows as usize, columns as usize]).unwrap();
                max_pool::apply_into(&plane, window, stride, [pad[0], pad[1]], &mut expected).unwrap();
                let found = (0..rows as usize).flat_map(|y| (0..columns as usize).map(move |x| [n, y, x, c]));
                let found: Vec<_> = found.map(|place| pooled.view().get(place).unwrap()).collect();
                assert_eq!(found, expected.to_vec(), "{window:?}, {stride:?}, {pad:?}: image {n}, channel {c}");
            }
        }
    }
}
