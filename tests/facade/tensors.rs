//! Kernels over tensors of more or fewer dimensions than an image: the generated tests hold every target against the functions.

use windrow::prelude::*;

/// A convolution of images whose channels follow each other, with what lies outside them left out; the weights' last dimension is
/// the output's.
#[kernel]
pub fn convolved([n, y, x, k]: At<4>, src: View<f32, 4>, weights: View<f32, 4>, bias: View<f32, 1>) -> f32 {
    let [images, _, _, channels] = src.extents();
    let [rows, columns, depth, count] = weights.extents();
    let [biases] = bias.extents();
    let mut sum = bias[[k.min(biases - 1)]];
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..channels.min(depth) {
                let weight = weights[[row, column, channel, k.min(count - 1)]];
                if let Some(element) = src.get([n.min(images - 1), y + row - 1, x + column - 1, channel]) {
                    sum = element.mul_add(weight, sum);
                }
            }
        }
    }
    sum
}

/// Each element with the number of its channel, its row and its image added.
#[kernel]
pub fn numbered([n, y, _x, c]: At<4>, src: u8) -> i32 {
    src as i32 + (n % 1000) * 1_000_000 + (y % 1000) * 1000 + c % 1000
}

/// The dimensions in the opposite order.
#[kernel]
pub fn reversed([z, y, x]: At<3>, src: View<[u8; 3], 3>) -> [u8; 3] {
    src.get([x, y, z]).unwrap_or([7, 8, 9])
}

/// A sum for each column, in rows of any tensor.
#[kernel]
pub fn biased([c]: At<1>, src: i16, bias: View<i16, 1>) -> i16 {
    src.saturating_add(bias.get([c]).unwrap_or(0))
}

/// A place in six dimensions that the elements say.
#[kernel]
pub fn far(a: i8, b: i8, src: View<u16, 6>) -> u16 {
    let (a, b) = (a as i32, b as i32);
    src.get([a & 1, b & 1, (a >> 1) & 1, b % 3, a % 5, b]).unwrap_or(65535)
}

#[test]
fn a_convolution_of_two_images() {
    let src = Tensor::<f32>::from_vec((0..2 * 3 * 4 * 2).map(|at| at as f32).collect(), [2, 3, 4, 2]).unwrap();
    let weights =
        Tensor::<f32>::from_vec((0..3 * 3 * 2 * 5).map(|at| (at % 7) as f32).collect(), [3, 3, 2, 5]).unwrap();
    let bias = Tensor::<f32>::from_vec(vec![0.5; 5], [5]).unwrap();
    let mut out = Tensor::<f32>::new([2, 3, 4, 5]).unwrap();
    convolved::apply_into(&src, &weights, &bias, &mut out).unwrap();
    let (source, weighed) = (src.view().into_rank::<4>().unwrap(), weights.view().into_rank::<4>().unwrap());
    for ([n, y, x, k], found) in (0..2)
        .flat_map(|n| (0..3).flat_map(move |y| (0..4).flat_map(move |x| (0..5).map(move |k| [n, y, x, k]))))
        .zip(out.to_vec())
    {
        let mut expected = 0.5;
        for (row, column, channel) in
            (0..3).flat_map(|row| (0..3).flat_map(move |column| (0..2).map(move |c| (row, column, c))))
        {
            let element = source.get([n, y + row - 1, x + column - 1, channel]).unwrap_or(0.0);
            expected += element * weighed[[row, column, channel, k]];
        }
        assert_eq!(found, expected, "{:?}", [n, y, x, k]);
    }
}

#[test]
fn coordinates_of_four_dimensions() {
    let src = Tensor::<u8>::new([2, 3, 2, 2]).unwrap();
    let out = numbered::apply(&src).unwrap();
    assert_eq!(out.view().get([1, 2, 1, 1]), Some(1_002_001));
    // Further dimensions are run over; one that is missing is 0.
    let volume = Tensor::<u8>::new([2, 2, 3, 2, 2]).unwrap();
    assert_eq!(numbered::apply(&volume).unwrap().view().get([1, 1, 2, 1, 1]), Some(1_002_001));
    assert_eq!(numbered::apply(&Tensor::<u8>::new([3, 2, 2]).unwrap()).unwrap().view().get([2, 1, 1]), Some(2001));
}

#[test]
fn a_tensor_of_another_rank_is_refused() {
    let src = Tensor::<i16>::new([2, 3]).unwrap();
    let bias = Tensor::<i16>::new([1, 3]).unwrap();
    let said = biased::apply(&src, &bias).unwrap_err().to_string();
    assert!(said.contains("`bias` has the shape 1×3: the kernel reads a tensor of rank 1"), "{said}");
    let bias = Tensor::<i16>::from_vec(vec![1, 2, 3], [3]).unwrap();
    assert_eq!(biased::apply(&src, &bias).unwrap().to_vec(), [1, 2, 3, 1, 2, 3]);
}

/// A convolution whose windows lie inside the images, at a stride: places are proved to lie inside.
#[kernel(window(n, (h - kh) / stride + 1, (w - kw) / stride + 1, k))]
pub fn inside(
    [n, y, x, k]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(kh, kw, c, k)] weights: View<f32, 4>,
    #[uniform(1..=4)] stride: i32,
) -> f32 {
    let [rows, columns, channels, _] = weights.extents();
    let mut sum = 0.0;
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..channels {
                let element = src[[n, y * stride + row, x * stride + column, channel]];
                sum = element.mul_add(weights[[row, column, channel, k]], sum);
            }
        }
    }
    sum
}

/// Products of matrices, plane by plane; the shapes are checked.
#[kernel(window(b, m, n))]
pub fn products([b, y, x]: At<3>, #[shape(b, m, k)] left: View<i16, 3>, #[shape(b, k, n)] right: View<i16, 3>) -> i32 {
    let [_, _, inner] = left.extents();
    let mut sum = 0i32;
    for i in 0..inner {
        sum = sum.wrapping_add(left[[b, y, i]] as i32 * right[[b, i, x]] as i32);
    }
    sum
}

/// Rows and columns exchanged.
#[kernel(window(w, h))]
pub fn transposed([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> u8 {
    src[[x, y]]
}

/// What is read at the element's own place has the window's extents, which follow from an input of half size.
#[kernel(window(2 * h, 2 * w))]
pub fn shifted([y, x]: At<2>, luma: u8, #[shape(h, w)] blue: View<u8>) -> u8 {
    luma.wrapping_add(blue[[y / 2, x / 2]])
}

#[test]
fn the_shape_of_an_output_follows_from_its_window() {
    let src = Tensor::<f32>::new([2, 7, 9, 3]).unwrap();
    let weights = Tensor::<f32>::new([3, 2, 3, 5]).unwrap();
    let out = inside::apply(&src, &weights, 2).unwrap();
    assert_eq!(out.info().shape().extents(), [2, 3, 4, 5]);
    assert_eq!(inside::infer(src.info(), weights.info(), 1).unwrap().shape().extents(), [2, 5, 8, 5]);
    let turned = transposed::apply(&Tensor::<u8>::from_vec((0..6).collect(), [2, 3]).unwrap()).unwrap();
    assert_eq!(turned.info().shape().extents(), [3, 2]);
    assert_eq!(turned.to_vec(), [0, 3, 1, 4, 2, 5]);
    let halves = Tensor::<u8>::from_vec(vec![1, 2], [1, 2]).unwrap();
    let luma = Tensor::<u8>::from_vec((10..18).collect(), [2, 4]).unwrap();
    assert_eq!(shifted::apply(&luma, &halves).unwrap().to_vec(), [11, 12, 14, 15, 15, 16, 18, 19]);
    let said = shifted::apply(&halves, &halves).unwrap_err().to_string();
    assert_eq!(said, "`luma` has the shape 1×2, expected 2×4");
}

#[test]
fn extents_that_do_not_go_together_are_refused() {
    let (src, weights) = (Tensor::<f32>::new([2, 7, 9, 3]).unwrap(), Tensor::<f32>::new([3, 2, 4, 5]).unwrap());
    let said = inside::apply(&src, &weights, 2).unwrap_err().to_string();
    assert_eq!(said, "the extent `c` of `weights` is 4, that of `src` 3");
    let large = Tensor::<f32>::new([8, 2, 3, 5]).unwrap();
    let said = inside::apply(&src, &large, 2).unwrap_err().to_string();
    assert_eq!(said, "`inside`: the output would have 0 elements along dimension 1, it can have 1 to 16777216");
    let mut out = Tensor::<f32>::new([2, 3, 4, 6]).unwrap();
    let weights = Tensor::<f32>::new([3, 2, 3, 5]).unwrap();
    // The uniform itself, and not the extent that can't be computed from it.
    let said = inside::apply(&src, &weights, 0).unwrap_err().to_string();
    assert_eq!(said, "`stride` is 0, expected 1 to 4");
    let said = inside::apply_into(&src, &weights, 2, &mut out).unwrap_err().to_string();
    assert_eq!(said, "`out` has the shape 2×3×4×6, expected 2×3×4×5");
}

/// Its inputs are as large as that takes.
#[test]
fn a_kernel_is_timed_at_the_size_of_its_outputs() {
    let budget = std::time::Duration::ZERO;
    let options = windrow::testing::BenchOptions { width: 64, height: 48, rounds: 1, budget };
    let times = windrow::testing::bench::<shifted>(&options).unwrap();
    assert_eq!(times.bytes, 64 * 48 * 2 + 32 * 24);
    assert!(times.ways.iter().all(|way| way.times.is_ok()), "{:?}", times.ways);
}
