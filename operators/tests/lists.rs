//! Lists of places and of corners: what plain loops find, in the same order, however long the list.

#![cfg(feature = "std")]

use std::sync::Arc;

use windrow::{
    Border, Element, Rayon, Serial, Tensor, TensorInfo,
    chain::{Function, OnProcessor, Whole},
    memory::Heap,
    testing::Counted,
};
use windrow_operators::functions::{FastCorners, FastSettings, HarrisCorners, HarrisSettings, MinMaxLoc, NonZero};
use windrow_operators::{fast_score, harris_score, harris_score3, harris_score5};

type Place = [i32; 2];

const SHAPES: [[usize; 2]; 9] = [[1, 1], [1, 200], [70, 1], [7, 7], [6, 9], [13, 64], [13, 65], [45, 61], [64, 130]];

fn whole() -> Whole {
    Whole::immediate(Arc::new(Heap))
}

fn noise(seed: usize, [y, x]: [usize; 2]) -> u32 {
    let mixed = (seed * 1_000_003 + y * 7919 + x * 104_729) as u64;
    let mixed = (mixed ^ (mixed >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 33) as u32
}

/// Boxes of many grey values, which have corners.
fn boxes(seed: usize, extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |[y, x]| {
        let near = noise(seed, [y / 5, x / 7]);
        if near.is_multiple_of(3) { (near >> 8) as u8 } else { (40 + (y * 3 + x) % 4) as u8 }
    })
    .unwrap()
}

/// The coordinates of an image, row by row.
fn coordinates([height, width]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    (0..height).flat_map(move |y| (0..width).map(move |x| [y, x]))
}

fn place([y, x]: [usize; 2]) -> Place {
    [y as i32, x as i32]
}

/// The first of a list, and what stands behind it.
fn first<T: Copy>(found: &[T], capacity: usize, behind: T) -> Vec<T> {
    found.iter().copied().chain(std::iter::repeat(behind)).take(capacity).collect()
}

fn listed<T: Element + PartialEq>(image: &Tensor<T>, is_listed: impl Fn(T) -> bool) -> Vec<Place> {
    let extents = [image.info().height(), image.info().width()];
    coordinates(extents).filter(|at| is_listed(image.view().get(*at).unwrap())).map(place).collect()
}

#[test]
fn what_is_not_zero_is_listed_row_by_row() {
    for extents in SHAPES {
        for one_in in [1, 2, 17, 90, 0] {
            let is_set = |at| one_in > 0 && noise(one_in as usize, at).is_multiple_of(one_in);
            let bytes =
                Tensor::from_fn(extents, |at| if is_set(at) { 1 + (noise(2, at) % 255) as u8 } else { 0 }).unwrap();
            let zeros = [0.0, -0.0];
            let float = |at| if is_set(at) { [f32::NAN, -1e-40, 3.5][at[1] % 3] } else { zeros[at[0] % 2] };
            let floats = Tensor::from_fn(extents, float).unwrap();
            let expected = listed(&bytes, |byte| byte != 0);
            for capacity in [1, expected.len().saturating_sub(1).max(1), expected.len() + 3] {
                check_nonzero(&bytes, &expected, capacity);
                check_nonzero(&floats, &expected, capacity);
            }
        }
    }
}

fn check_nonzero<T: Element>(image: &Tensor<T>, expected: &[Place], capacity: usize) {
    let list = NonZero::configure(image.info(), capacity, &whole()).unwrap();
    let (mut places, mut count) = (Tensor::<Place>::new([capacity]).unwrap(), Tensor::<i32>::new([1]).unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut outputs = [places.view_mut().any(), count.view_mut().any()];
    list.run(&Rayon::on(&pool).with_grain(1), &[image.view().any()], &mut outputs).unwrap();
    assert_eq!(count.to_vec(), [expected.len() as i32], "{:?}", image.shape());
    assert_eq!(places.to_vec(), first(expected, capacity, [-1, -1]), "{:?}", image.shape());
}

#[test]
fn extremes_are_found_wherever_they_are() {
    for extents in SHAPES {
        for levels in [1, 3, 65536] {
            let word = |at| ((noise(5, at) % levels) as i32 - 32768) as i16;
            check_extremes(&Tensor::from_fn(extents, word).unwrap());
            let byte = |at| [0, 255][(noise(6, at) % levels.min(2)) as usize];
            check_extremes(&Tensor::<u8>::from_fn(extents, byte).unwrap());
        }
    }
}

fn check_extremes<T: Element + Ord + std::fmt::Debug>(image: &Tensor<T>) {
    let elements = image.to_vec();
    let [min, max] = [elements.iter().min().unwrap(), elements.iter().max().unwrap()];
    let [low, high] = [min, max].map(|extreme| listed(image, |element| element == *extreme));
    for capacity in [1, 20, elements.len() + 1] {
        let function = MinMaxLoc::configure(image.info(), capacity, &whole()).unwrap();
        let mut extremes = [0; 2].map(|_| Tensor::<T>::new([1]).unwrap());
        let mut counts = [0; 2].map(|_| Tensor::<u32>::new([1]).unwrap());
        let mut lists = [0; 2].map(|_| Tensor::<Place>::new([capacity]).unwrap());
        let mut outputs: Vec<_> = extremes.iter_mut().map(|tensor| tensor.view_mut().any()).collect();
        outputs.extend(counts.iter_mut().map(|tensor| tensor.view_mut().any()));
        outputs.extend(lists.iter_mut().map(|tensor| tensor.view_mut().any()));
        function.run(&Serial, &[image.view().any()], &mut outputs).unwrap();
        drop(outputs);
        assert_eq!(extremes.map(|tensor| tensor.to_vec()), [vec![*min], vec![*max]]);
        assert_eq!(counts.map(|tensor| tensor.to_vec()), [vec![low.len() as u32], vec![high.len() as u32]]);
        let expected = [&low, &high].map(|places| first(places, capacity, [-1, -1]));
        assert_eq!(lists.map(|tensor| tensor.to_vec()), expected, "{:?}", image.shape());
    }
}

/// Lists of places and strengths, and how many corners there are.
#[derive(Debug, PartialEq)]
struct Corners<S>(Vec<Place>, Vec<S>, i32);

fn corners<S: Element>(function: &dyn Function, src: &Tensor<u8>, capacity: usize) -> Corners<S> {
    let mut places = Tensor::<Place>::new([capacity]).unwrap();
    let (mut strengths, mut count) = (Tensor::<S>::new([capacity]).unwrap(), Tensor::<i32>::new([1]).unwrap());
    let mut outputs = [places.view_mut().any(), strengths.view_mut().any(), count.view_mut().any()];
    function.run(&Serial, &[src.view().any()], &mut outputs).unwrap();
    Corners(places.to_vec(), strengths.to_vec(), count.to_vec()[0])
}

fn expected<S: Copy>(found: &[(Place, S)], capacity: usize, none: S) -> Corners<S> {
    let (places, strengths): (Vec<_>, Vec<_>) = found.iter().copied().unzip();
    Corners(first(&places, capacity, [-1, -1]), first(&strengths, capacity, none), found.len() as i32)
}

/// Whether an element is kept: none before it is greater, and all behind it are less.
fn is_greatest<S: PartialOrd>(strength: &dyn Fn(i64, i64) -> S, [y, x]: [usize; 2]) -> bool {
    let (y, x) = (y as i64, x as i64);
    let own = strength(y, x);
    let around = coordinates([3, 3]).map(|[j, i]| (j as i64 - 1, i as i64 - 1)).filter(|at| *at != (0, 0));
    around
        .into_iter()
        .all(|(j, i)| if (j, i) < (0, 0) { own >= strength(y + j, x + i) } else { own > strength(y + j, x + i) })
}

/// The strengths that `fast_score` gives where the circle lies inside; its own test holds it to its definition.
fn expect_fast(src: &Tensor<u8>, settings: FastSettings) -> Vec<(Place, u8)> {
    let [height, width] = [src.info().height(), src.info().width()];
    let score = fast_score::apply(src, settings.threshold, Border::Replicate).unwrap();
    let strength = |y: i64, x: i64| {
        let is_inside = (3..height as i64 - 3).contains(&y) && (3..width as i64 - 3).contains(&x);
        if is_inside { score.view().get([y as i32, x as i32]).unwrap() } else { 0 }
    };
    let corners = coordinates([height, width]).map(|at| (at, strength(at[0] as i64, at[1] as i64)));
    let corners = corners.filter(|(at, own)| *own > 0 && (!settings.suppress || is_greatest(&strength, *at)));
    corners.map(|(at, own)| (place(at), own)).collect()
}

#[test]
fn fast_corners_are_listed() {
    let mut most = 0;
    for extents in SHAPES {
        for (suppress, threshold) in [(false, 5), (true, 5), (true, 254), (true, 1)] {
            let (src, settings) = (boxes(threshold as usize, extents), FastSettings { threshold, suppress });
            let found = expect_fast(&src, settings);
            most = most.max(found.len());
            for capacity in [1, 7, extents[0] * extents[1]] {
                for executor in [&whole() as &dyn windrow::chain::Executor, &OnProcessor] {
                    let function = FastCorners::configure(src.info(), settings, capacity, executor).unwrap();
                    assert_eq!(corners(&function, &src, capacity), expected(&found, capacity, 0), "{extents:?}");
                }
            }
        }
    }
    assert!(most > 100, "{most} corners");
}

/// OpenVX' words: gradients, measures, the greatest of 3×3, sorted, and each of those left that no stronger one is nearer to than r.
fn expect_harris(src: &Tensor<u8>, settings: HarrisSettings) -> Vec<(Place, f64)> {
    const SMOOTH: [&[i64]; 3] = [&[1, 2, 1], &[1, 4, 6, 4, 1], &[1, 6, 15, 20, 15, 6, 1]];
    const SLOPE: [&[i64]; 3] = [&[-1, 0, 1], &[-1, -2, 0, 2, 1], &[-1, -4, -5, 0, 5, 4, 1]];
    let [height, width] = [src.info().height(), src.info().width()];
    let (size, block) = (settings.gradient as i64, settings.block as i64);
    let (smooth, slope) = (SMOOTH[settings.gradient / 2 - 1], SLOPE[settings.gradient / 2 - 1]);
    let scale = 1.0 / ((1 << (size - 1)) as f64 * 255.0 * block as f64);
    let gradient = |y: i64, x: i64| {
        let (mut dx, mut dy) = (0, 0);
        for j in 0..size {
            for i in 0..size {
                let element =
                    i64::from(src.view().get([y + j - size / 2, x + i - size / 2].map(|at| at as i32)).unwrap());
                dx += element * smooth[j as usize] * slope[i as usize];
                dy += element * slope[j as usize] * smooth[i as usize];
            }
        }
        (dx as f64 * scale, dy as f64 * scale)
    };
    let reach = size / 2 + block / 2;
    let measure = |y: i64, x: i64| {
        if !(reach..height as i64 - reach).contains(&y) || !(reach..width as i64 - reach).contains(&x) {
            return 0.0;
        }
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for j in -(block / 2)..=block / 2 {
            for i in -(block / 2)..=block / 2 {
                let (dx, dy) = gradient(y + j, x + i);
                (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
            }
        }
        let score = xx * yy - xy * xy - f64::from(settings.sensitivity) * (xx + yy) * (xx + yy);
        if score > f64::from(settings.threshold) { score } else { 0.0 }
    };
    let measures = Tensor::from_fn([height, width], |[y, x]| measure(y as i64, x as i64) as f32).unwrap();
    let strength = |y: i64, x: i64| measures.view().get([y as i32, x as i32]).unwrap_or(0.0);
    let all = coordinates([height, width])
        .filter(|at| measures.view().get(*at).unwrap() > 0.0 && is_greatest(&strength, *at));
    let mut all: Vec<_> = all.map(|at| (place(at), f64::from(measures.view().get(at).unwrap()))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut left: Vec<(Place, f64)> = Vec::new();
    for (at, own) in all {
        let distance = |(other, _): &(Place, f64)| f64::from(at[0] - other[0]).hypot(f64::from(at[1] - other[1]));
        if left.iter().all(|other| distance(other) >= f64::from(settings.min_distance)) {
            left.push((at, own));
        }
    }
    left
}

const HARRIS: HarrisSettings =
    HarrisSettings { gradient: 3, block: 3, sensitivity: 0.04, threshold: 1e-5, min_distance: 5.0 };

#[test]
fn harris_corners_are_listed_by_strength_and_keep_their_distance() {
    let mut most = 0;
    for extents in [[1, 1], [5, 5], [6, 40], [45, 61], [64, 130]] {
        // Noise, so that no two measures are equal but for the order in which they are summed.
        let src = Tensor::from_fn(extents, |at| (noise(11, at) >> 4) as u8).unwrap();
        for (gradient, block) in [(3, 3), (3, 5), (3, 7), (5, 5), (5, 7), (7, 3), (7, 7)] {
            for min_distance in [0.0, 1.5, 5.0, 5.5, 30.0] {
                let settings = HarrisSettings { gradient, block, min_distance, ..HARRIS };
                let expected = expect_harris(&src, settings);
                most = most.max(expected.len());
                for capacity in [1, expected.len().max(1), expected.len() + 2] {
                    let function = HarrisCorners::configure(src.info(), settings, capacity, &OnProcessor).unwrap();
                    let Corners(places, strengths, count) = corners::<f32>(&function, &src, capacity);
                    let (at, exact): (Vec<_>, Vec<_>) = expected.iter().copied().unzip();
                    assert_eq!(count, at.len() as i32, "{settings:?}, {extents:?}");
                    assert_eq!(places, first(&at, capacity, [-1, -1]), "{settings:?}, {extents:?}");
                    for (strength, exact) in strengths.iter().zip(first(&exact, capacity, 0.0)) {
                        approx::assert_relative_eq!(f64::from(*strength), exact, max_relative = 1e-3);
                    }
                }
            }
        }
    }
    assert!(most > 100, "{most} corners");
}

#[test]
fn of_equally_strong_corners_the_first_is_chosen() {
    // Equal squares on a grid: each corner of each has the same measure as those of the others.
    let src = Tensor::from_fn([60, 90], |[y, x]| if y % 30 / 10 == 1 && x % 30 / 10 == 1 { 255 } else { 0 }).unwrap();
    let corners_at = |min_distance| {
        let settings = HarrisSettings { min_distance, ..HARRIS };
        corners::<f32>(&HarrisCorners::configure(src.info(), settings, 40, &whole()).unwrap(), &src, 40)
    };
    let all = corners_at(0.0);
    assert_eq!(all.2, 24);
    let order = |(strength, at): (&f32, &Place)| (std::cmp::Reverse(strength.to_bits()), *at);
    assert!(all.1.iter().zip(&all.0).take(24).map(order).is_sorted(), "{all:?}");
    for (min_distance, least) in [(12.0, 6), (31.0, 2), (65536.0, 1)] {
        let mut left: Vec<(Place, f32)> = Vec::new();
        for (at, strength) in all.0.iter().zip(&all.1).take(24) {
            let distance = |other: &Place| f64::from(at[0] - other[0]).hypot(f64::from(at[1] - other[1]));
            if left.iter().all(|(other, _)| distance(other) >= min_distance) {
                left.push((*at, *strength));
            }
        }
        assert!(left.len() >= least && left.len() < 24, "{min_distance}: {left:?}");
        assert_eq!(corners_at(min_distance as f32), expected(&left, 40, 0.0), "{min_distance}");
    }
}

#[test]
fn one_colour_has_no_corner() {
    for (value, extents) in [(0u8, [1, 1]), (255, [40, 40]), (0, [33, 70]), (7, [3, 3])] {
        let src = Tensor::from_fn(extents, |_| value).unwrap();
        let settings = FastSettings { threshold: 1, suppress: false };
        let fast = FastCorners::configure(src.info(), settings, 2, &whole()).unwrap();
        assert_eq!(corners(&fast, &src, 2), expected(&[], 2, 0u8));
        for gradient in [3, 5, 7] {
            let settings = HarrisSettings { gradient, threshold: 0.0, ..HARRIS };
            let harris = HarrisCorners::configure(src.info(), settings, 2, &whole()).unwrap();
            assert_eq!(corners(&harris, &src, 2), expected(&[], 2, 0f32));
        }
    }
}

#[test]
fn a_run_allocates_nothing() {
    let (counted, src) = (Arc::new(Counted::new(Heap)), boxes(3, [45, 61]));
    let harris = HarrisCorners::configure(src.info(), HARRIS, 9, &Whole::immediate(counted.clone())).unwrap();
    let before = counted.counters();
    let found = corners::<f32>(&harris, &src, 9);
    assert_eq!(corners::<f32>(&harris, &src, 9), found);
    assert_eq!(counted.counters(), before);
}

#[test]
fn blocks_of_any_size_have_the_bits_of_those_of_their_own() {
    let gradient = |seed| Tensor::from_fn([19, 45], |at| (noise(seed, at) % 2041) as i16 - 1020).unwrap();
    let (x, y) = (gradient(1), gradient(2));
    let inner = |tensor: Tensor<f32>, reach: usize| {
        let extents = [tensor.info().height() - 2 * reach, tensor.info().width() - 2 * reach];
        let view = tensor.view().region([reach, reach], extents).unwrap();
        coordinates(extents).map(|at| view.get(at).unwrap().to_bits()).collect::<Vec<_>>()
    };
    let any = |block| harris_score::<i16>::apply(&x, &y, block, 0.001, 0.04, 0.0).unwrap();
    let three = harris_score3::apply(&x, &y, 0.001, 0.04, 0.0, Border::Replicate).unwrap();
    assert_eq!(inner(any(3), 0), inner(three, 1));
    let five = harris_score5::apply(&x, &y, 0.001, 0.04, 0.0, Border::Replicate).unwrap();
    assert_eq!(inner(any(5), 0), inner(five, 2));
}

#[test]
fn settings_out_of_range_are_refused() {
    let info = TensorInfo::of::<u8>(&[20, 20]).unwrap();
    let harris = |settings| HarrisCorners::configure(&info, settings, 4, &whole()).unwrap_err().to_string();
    let found = harris(HarrisSettings { block: 9, ..HARRIS });
    assert_eq!(found, "`HarrisCorners`: `block` is 9, but must be 3, 5 or 7");
    assert!(harris(HarrisSettings { gradient: 4, ..HARRIS }).contains("`gradient` is 4"));
    assert!(harris(HarrisSettings { threshold: -1.0, ..HARRIS }).contains("`threshold` is -1"));
    assert!(harris(HarrisSettings { sensitivity: f32::NAN, ..HARRIS }).contains("`sensitivity` is NaN"));
    assert!(harris(HarrisSettings { min_distance: 65537.0, ..HARRIS }).contains("`min_distance` is 65537"));
    let fast = |threshold, capacity| {
        let settings = FastSettings { threshold, suppress: true };
        FastCorners::configure(&info, settings, capacity, &whole()).unwrap_err().to_string()
    };
    assert_eq!(fast(0, 4), "`threshold` is 0, expected 1 to 254");
    assert!(!fast(9, 0).is_empty());
    let volume = TensorInfo::of::<u8>(&[2, 20, 20]).unwrap();
    let refused = NonZero::configure(&volume, 4, &whole()).unwrap_err().to_string();
    assert!(refused.contains("rank 2"), "{refused}");
    let words = TensorInfo::of::<i32>(&[20, 20]).unwrap();
    assert!(NonZero::configure(&words, 4, &whole()).is_err());
    assert!(MinMaxLoc::configure(&TensorInfo::of::<f32>(&[20, 20]).unwrap(), 4, &whole()).is_err());
}
