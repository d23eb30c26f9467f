//! Functions of vision over several images: what plain loops over the words of their definitions compute.

#![cfg(feature = "std")]

use std::sync::Arc;

use windrow::{
    Border, Serial, Tensor, TensorInfo,
    chain::{Executor, Function, OnProcessor, Whole},
    memory::{Heap, MemoryManager, Planner},
    testing::Counted,
};
use windrow_operators::functions::{CannyEdge, CannySettings, GradientNorm, LaplacianPyramid, LaplacianReconstruct};
use windrow_operators::{Outside, convolve, convolve3x3, convolve9x9};

const SHAPES: [[usize; 2]; 7] = [[1, 1], [1, 9], [17, 1], [2, 3], [16, 16], [33, 47], [64, 45]];

fn whole() -> Whole {
    Whole::immediate(Arc::new(Heap))
}

fn noise(seed: usize, [y, x]: [usize; 2]) -> u32 {
    let mixed = (seed * 1_000_003 + y * 7919 + x * 104_729) as u64;
    let mixed = (mixed ^ (mixed >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 33) as u32
}

/// Noise, both extremes, or waves, which have edges.
fn image(kind: usize, extents: [usize; 2]) -> Tensor<u8> {
    let wave = |[y, x]: [usize; 2]| (128.0 + 100.0 * ((y as f64) / 5.0).sin() * ((x as f64) / 4.0).cos()) as u8;
    Tensor::from_fn(extents, |at| match kind {
        0 => (noise(1, at) >> 5) as u8,
        1 => [0, 255][(noise(2, at) % 2) as usize],
        2 => wave(at) + (noise(3, at) % 9) as u8,
        _ => 255,
    })
    .unwrap()
}

/// The element at (y, x), or the nearest one inside.
fn replicated(image: &Tensor<u8>, y: i64, x: i64) -> i64 {
    let (height, width) = (image.info().height() as i64, image.info().width() as i64);
    i64::from(image.view().get([y.clamp(0, height - 1), x.clamp(0, width - 1)].map(|at| at as i32)).unwrap())
}

fn extents(image: &Tensor<u8>) -> [usize; 2] {
    [image.info().height(), image.info().width()]
}

const GAUSS: [i64; 5] = [1, 4, 6, 4, 1];

/// As OpenVX' sample implementation and its conformance tests do it: zeros between the elements of an image with a border, then the
/// Gaussian, truncated, and then four times that.
fn expect_upsampled(coarse: &Tensor<u8>, to: [usize; 2]) -> Tensor<u8> {
    let spread = |y: i64, x: i64| match (y.rem_euclid(2), x.rem_euclid(2)) {
        (0, 0) => replicated(coarse, y.div_euclid(2), x.div_euclid(2)),
        _ => 0,
    };
    Tensor::from_fn(to, |[y, x]| {
        let mut sum = 0;
        for (j, wy) in (-2..=2).zip(GAUSS) {
            for (i, wx) in (-2..=2).zip(GAUSS) {
                sum += wy * wx * spread(y as i64 + j, x as i64 + i);
            }
        }
        u8::try_from(4 * (sum / 256)).unwrap()
    })
    .unwrap()
}

fn expect_halved(fine: &Tensor<u8>) -> Tensor<u8> {
    Tensor::from_fn(extents(fine).map(|extent| extent.div_ceil(2)), |[y, x]| {
        let mut sum = 0;
        for (j, wy) in (-2..=2).zip(GAUSS) {
            for (i, wx) in (-2..=2).zip(GAUSS) {
                sum += wy * wx * replicated(fine, 2 * y as i64 + j, 2 * x as i64 + i);
            }
        }
        (sum / 256) as u8
    })
    .unwrap()
}

fn expect_laplacian(src: &Tensor<u8>, levels: usize) -> (Vec<Vec<i16>>, Tensor<u8>) {
    let (mut fine, mut differences) = (src.clone(), Vec::new());
    for _ in 0..levels {
        let coarse = expect_halved(&fine);
        let blurred = expect_upsampled(&coarse, extents(&fine)).to_vec();
        let difference =
            fine.to_vec().into_iter().zip(blurred).map(|(own, blurred)| i16::from(own) - i16::from(blurred));
        differences.push(difference.collect());
        fine = coarse;
    }
    (differences, fine)
}

#[test]
fn a_laplacian_pyramid_holds_an_image_and_gives_it_back() {
    for shape in SHAPES {
        for (kind, levels) in [(0, 1), (1, 3), (2, 2), (3, 4)] {
            let src = image(kind, shape);
            let (expected, coarsest) = expect_laplacian(&src, levels);
            let manager = Arc::new(MemoryManager::new(Planner::Arena));
            let managed = Whole::managed(manager.clone());
            for executor in [&whole() as &dyn Executor, &OnProcessor, &managed] {
                let pyramid = LaplacianPyramid::configure(src.info(), levels, executor).unwrap();
                let back = LaplacianReconstruct::configure(src.info(), levels, executor).unwrap();
                manager.populate(Arc::new(Heap), 1).unwrap();
                let mut differences: Vec<Tensor<i16>> = (0..levels)
                    .map(|level| Tensor::new(shape.map(|extent| extent.div_ceil(1 << level))).unwrap())
                    .collect();
                let info = *pyramid.level(levels).unwrap();
                let mut left = Tensor::<u8>::new([info.height(), info.width()]).unwrap();
                let mut outputs: Vec<_> = differences.iter_mut().map(|level| level.view_mut().any()).collect();
                outputs.push(left.view_mut().any());
                pyramid.run(&Serial, &[src.view().any()], &mut outputs).unwrap();
                drop(outputs);
                assert_eq!(differences.iter().map(Tensor::to_vec).collect::<Vec<_>>(), expected, "{shape:?}");
                assert_eq!(left.to_vec(), coarsest.to_vec(), "{shape:?}");
                let mut inputs: Vec<_> = differences.iter().map(|level| level.view().any()).collect();
                inputs.push(left.view().any());
                let mut found = Tensor::<u8>::new(shape).unwrap();
                back.run(&Serial, &inputs, &mut [found.view_mut().any()]).unwrap();
                assert_eq!(found.to_vec(), src.to_vec(), "{shape:?}");
            }
        }
    }
}

#[test]
fn what_was_not_a_pyramid_saturates() {
    let info = TensorInfo::of::<u8>(&[2, 3]).unwrap();
    let back = LaplacianReconstruct::configure(&info, 1, &whole()).unwrap();
    let level = Tensor::from_fn([2, 3], |[y, x]| [[-256, 255, 0], [i16::MAX, i16::MIN, 1]][y][x]).unwrap();
    let coarse = Tensor::from_fn([1, 2], |_| 200u8).unwrap();
    let mut found = Tensor::<u8>::new([2, 3]).unwrap();
    back.run(&Serial, &[level.view().any(), coarse.view().any()], &mut [found.view_mut().any()]).unwrap();
    assert_eq!(found.to_vec(), [0, 255, 200, 255, 0, 201]);
}

/// The words of Canny: gradients, lengths, directions by their angle, and a flood from what is above the upper level.
fn expect_canny(src: &Tensor<u8>, settings: CannySettings) -> Vec<u8> {
    const SMOOTH: [&[i64]; 3] = [&[1, 2, 1], &[1, 4, 6, 4, 1], &[1, 6, 15, 20, 15, 6, 1]];
    const SLOPE: [&[i64]; 3] = [&[-1, 0, 1], &[-1, -2, 0, 2, 1], &[-1, -4, -5, 0, 5, 4, 1]];
    let ([height, width], size) = (extents(src), settings.gradient as i64);
    let (smooth, slope) = (SMOOTH[settings.gradient / 2 - 1], SLOPE[settings.gradient / 2 - 1]);
    let gradient = |y: i64, x: i64| {
        let (mut dx, mut dy) = (0, 0);
        for j in 0..size {
            for i in 0..size {
                let element = replicated(src, y + j - size / 2, x + i - size / 2);
                dx += element * smooth[j as usize] * slope[i as usize];
                dy += element * slope[j as usize] * smooth[i as usize];
            }
        }
        (dx, dy)
    };
    let length = |y: i64, x: i64| {
        if !(0..height as i64).contains(&y) || !(0..width as i64).contains(&x) {
            return 0;
        }
        let (dx, dy) = gradient(y, x);
        match settings.norm {
            GradientNorm::L1 => dx.abs() + dy.abs(),
            GradientNorm::L2 => ((dx * dx + dy * dy) as f64).sqrt().round() as i64,
        }
    };
    let kind = |y: i64, x: i64| {
        let (dx, dy) = gradient(y, x);
        let angle = (dy as f64).atan2(dx as f64).to_degrees().rem_euclid(180.0);
        let (i, j) = match angle {
            a if a <= 22.5 || a >= 157.5 => (1, 0),
            a if a < 67.5 => (1, 1),
            a if a <= 112.5 => (0, 1),
            _ => (-1, 1),
        };
        let (own, before, behind) = (length(y, x), length(y - j, x - i), length(y + j, x + i));
        match own > before && own >= behind {
            true if own > i64::from(settings.upper) => 2,
            true if own > i64::from(settings.lower) => 1,
            _ => 0,
        }
    };
    let kinds: Vec<i32> = (0..height * width).map(|at| kind((at / width) as i64, (at % width) as i64)).collect();
    // Sweeps until nothing changes.
    let mut edges: Vec<bool> = kinds.iter().map(|kind| *kind == 2).collect();
    loop {
        let before = edges.clone();
        for at in 0..edges.len() {
            let (y, x) = (at / width, at % width);
            let near = |row: usize, column: usize| row.abs_diff(y) <= 1 && column.abs_diff(x) <= 1;
            let touches =
                (0..edges.len()).filter(|other| edges[*other]).any(|other| near(other / width, other % width));
            edges[at] |= kinds[at] == 1 && touches;
        }
        if edges == before {
            return edges.into_iter().map(|edge| if edge { 255 } else { 0 }).collect();
        }
    }
}

const CANNY: CannySettings =
    CannySettings { gradient: 3, norm: GradientNorm::L1, lower: 60, upper: 150, border: Border::Replicate };

fn canny(src: &Tensor<u8>, settings: CannySettings, executor: &dyn Executor) -> Vec<u8> {
    let function = CannyEdge::configure(src.info(), settings, executor).unwrap();
    let mut found = Tensor::<u8>::new(extents(src)).unwrap();
    for _ in 0..2 {
        function.run(&Serial, &[src.view().any()], &mut [found.view_mut().any()]).unwrap();
    }
    found.to_vec()
}

#[test]
fn canny_follows_edges() {
    let (mut joined, mut left_out) = (0, 0);
    for shape in SHAPES {
        for (gradient, factor) in [(3, 1), (5, 12), (7, 160)] {
            for norm in [GradientNorm::L1, GradientNorm::L2] {
                for (kind, levels) in [(0, [300, 600]), (1, [0, 900]), (2, [40, 120]), (2, [0, 0]), (3, [0, 0])] {
                    let [lower, upper] = levels.map(|level| level * factor);
                    let (src, settings) = (image(kind, shape), CannySettings { gradient, norm, lower, upper, ..CANNY });
                    let expected = expect_canny(&src, settings);
                    assert_eq!(canny(&src, settings, &OnProcessor), expected, "{shape:?}, {settings:?}");
                    let count = |edges: &[u8]| edges.iter().filter(|edge| **edge > 0).count();
                    let strict = expect_canny(&src, CannySettings { lower: upper, ..settings });
                    let loose = expect_canny(&src, CannySettings { upper: lower, ..settings });
                    joined += count(&expected) - count(&strict);
                    left_out += count(&loose) - count(&expected);
                }
            }
        }
    }
    assert!(joined > 20 && left_out > 20, "{joined} were joined, {left_out} left out");
}

#[test]
fn an_edge_is_followed_across_the_whole_image() {
    // A faint spiral would take a sweep a turn: here is one ramp whose only strong element is at its end.
    let step = |[y, x]: [usize; 2]| {
        if x < 20 {
            100
        } else if y == 0 {
            140
        } else {
            112
        }
    };
    let src = Tensor::from_fn([300, 40], step).unwrap();
    let settings = CannySettings { lower: 30, upper: 80, ..CANNY };
    let found = canny(&src, settings, &whole());
    let is_joined = |y: usize| (19..=20).any(|x| found[y * 40 + x] == 255);
    assert!((3..300).all(is_joined));
    let none = canny(&src, CannySettings { upper: 1000, ..settings }, &whole());
    assert!(none.iter().all(|edge| *edge == 0));
}

#[test]
fn a_run_allocates_nothing() {
    let (counted, src) = (Arc::new(Counted::new(Heap)), image(2, [45, 61]));
    let function = CannyEdge::configure(src.info(), CANNY, &Whole::immediate(counted.clone())).unwrap();
    let (before, mut found) = (counted.counters(), Tensor::<u8>::new([45, 61]).unwrap());
    function.run(&Serial, &[src.view().any()], &mut [found.view_mut().any()]).unwrap();
    assert_eq!(counted.counters(), before);
}

#[test]
fn a_convolution_of_any_size_is_its_definition() {
    for shape in [[1, 1], [3, 50], [20, 7], [19, 45]] {
        for (rows, columns) in [(1, 1), (1, 15), (15, 1), (3, 3), (11, 5), (13, 13), (15, 15)] {
            for extreme in [false, true] {
                let weight = |at| if extreme { i16::MIN } else { (noise(4, at) % 401) as i16 - 200 };
                let k = Tensor::from_fn([rows, columns], weight).unwrap();
                let src = image(if extreme { 3 } else { 0 }, shape);
                for (outside, scale) in [(Outside::Replicate, 1), (Outside::Constant, 64), (Outside::Replicate, 32768)]
                {
                    let exact = |y: usize, x: usize| {
                        let mut sum = 0;
                        for j in 0..rows {
                            for i in 0..columns {
                                let row = (y + rows / 2) as i64 - j as i64;
                                let column = (x + columns / 2) as i64 - i as i64;
                                let element = match outside {
                                    Outside::Replicate => replicated(&src, row, column),
                                    Outside::Constant => {
                                        src.view().get([row as i32, column as i32]).map_or(77, i64::from)
                                    }
                                };
                                sum += element * i64::from(k.view().get([j, i]).unwrap());
                            }
                        }
                        sum / i64::from(scale)
                    };
                    let at = |[y, x]: [usize; 2]| exact(y, x);
                    let bytes = convolve::<u8>::apply(&src, &k, scale, outside, 77).unwrap();
                    let words = convolve::<i16>::apply(&src, &k, scale, outside, 77).unwrap();
                    let byte = Tensor::from_fn(shape, |place| at(place).clamp(0, 255) as u8).unwrap();
                    let word = Tensor::from_fn(shape, |place| at(place).clamp(-32768, 32767) as i16).unwrap();
                    assert_eq!(bytes.to_vec(), byte.to_vec(), "{rows}×{columns} over {shape:?}");
                    assert_eq!(words.to_vec(), word.to_vec(), "{rows}×{columns} over {shape:?}");
                }
            }
        }
    }
}

#[test]
fn a_convolution_of_any_size_is_that_of_its_own() {
    let src = image(0, [19, 45]);
    let weights = |n: usize| Tensor::from_fn([n, n], |at| (noise(9, at) % 101) as i16 - 50).unwrap();
    let at = |k: &Tensor<i16>, y: usize, x: usize| k.view().get([y, x]).unwrap();
    let (three, nine) = (weights(3), weights(9));
    let k3 = [0, 1, 2].map(|y| [0, 1, 2].map(|x| at(&three, y, x)));
    let k9 = core::array::from_fn(|y| core::array::from_fn(|x| at(&nine, y, x)));
    let any = |k: &Tensor<i16>| convolve::<i16>::apply(&src, k, 16, Outside::Replicate, 0).unwrap().to_vec();
    assert_eq!(any(&three), convolve3x3::<i16>::apply(&src, k3, 16, Border::Replicate).unwrap().to_vec());
    assert_eq!(any(&nine), convolve9x9::<i16>::apply(&src, k9, 16, Border::Replicate).unwrap().to_vec());
}

#[test]
fn settings_out_of_range_are_refused() {
    let info = TensorInfo::of::<u8>(&[20, 20]).unwrap();
    let canny = |settings| CannyEdge::configure(&info, settings, &whole()).unwrap_err().to_string();
    assert_eq!(canny(CannySettings { gradient: 9, ..CANNY }), "`CannyEdge`: `gradient` is 9, but must be 3, 5 or 7");
    assert!(canny(CannySettings { lower: -1, ..CANNY }).contains("`lower` is -1"));
    assert!(canny(CannySettings { lower: 9, upper: 8, ..CANNY }).contains("requires lower <= upper"));
    assert!(canny(CannySettings { border: Border::Undefined, ..CANNY }).contains("`border` is undefined"));
    let volume = TensorInfo::of::<u8>(&[2, 20, 20]).unwrap();
    assert!(CannyEdge::configure(&volume, CANNY, &whole()).unwrap_err().to_string().contains("`image` is 2×20×20"));
    for levels in [0, 31] {
        let refused = LaplacianPyramid::configure(&info, levels, &whole()).unwrap_err().to_string();
        assert!(refused.contains(&format!("`levels` is {levels}, but must be 1 to 30")), "{refused}");
        assert!(LaplacianReconstruct::configure(&info, levels, &whole()).is_err());
    }
    assert!(LaplacianPyramid::configure(&volume, 2, &whole()).is_err());
}
