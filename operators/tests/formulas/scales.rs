//! Images of another size: places by exact ratios, elements in between in floats of 64 bits.

use windrow::{Element, Tensor};
use windrow_operators::{sampling::Sampling, *};

use crate::{
    Random, SIZE, bytes, floats,
    geometry::{ROUNDINGS, between, near, output},
    hold, replicated, words,
};

const SAMPLINGS: [Sampling; 3] = [Sampling::Centres, Sampling::First, Sampling::Ends];
const HEIGHT: i64 = SIZE[0] as i64;
const WIDTH: i64 = SIZE[1] as i64;

/// Where element i of `to` lies among `from`: a numerator and a denominator.
fn place(sampling: Sampling, i: i64, from: i64, to: i64) -> (i64, i64) {
    match sampling {
        Sampling::Centres => ((2 * i + 1) * from - to, 2 * to),
        Sampling::First => (i * from, to),
        Sampling::Ends if to > 1 => (i * (from - 1), to - 1),
        Sampling::Ends => (0, 1),
    }
}

/// The nearest whole numbers: two where the place is in the middle, of which ratios in 32 bits may give either.
fn nearest((numerator, denominator): (i64, i64)) -> [i64; 2] {
    let doubled = 2 * numerator + denominator;
    let above = doubled.div_euclid(2 * denominator);
    [above, above - i64::from(doubled.rem_euclid(2 * denominator) == 0)]
}

fn real((numerator, denominator): (i64, i64)) -> f64 {
    numerator as f64 / denominator as f64
}

/// Sizes beside the input's: the same, twice, half, thirds, one element.
const SIZES: [[i64; 2]; 6] = [[HEIGHT, WIDTH], [2 * HEIGHT, 2 * WIDTH], [10, 23], [57, 15], [7, 100], [1, 1]];

fn hold_nearest<T: Element + PartialEq + std::fmt::Debug>(
    what: &str,
    src: &Tensor<T>,
    scale: impl Fn([f32; 2], [f32; 2], &mut Tensor<T>),
) {
    for (sampling, [height, width]) in SAMPLINGS.into_iter().flat_map(|sampling| SIZES.map(|size| (sampling, size))) {
        let along = |from: i64, to: i64| sampling.along(from as usize, to as usize);
        let mut found = output([height, width]);
        scale(along(HEIGHT, height), along(WIDTH, width), &mut found);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let rows = nearest(place(sampling, y, HEIGHT, height));
            let columns = nearest(place(sampling, x, WIDTH, width));
            let value = found.view().get([y as usize, x as usize]).unwrap();
            let is_one = rows.iter().any(|y| columns.iter().any(|x| replicated(src, *x, *y) == value));
            assert!(is_one, "{what} to {width}×{height} by {sampling:?}: ({x}, {y}) is {value:?}");
        }
    }
}

fn colour(value: u8) -> [u8; 4] {
    [value, 255 - value, value / 2, value ^ 0x55]
}

fn first<const N: usize>(pixel: [u8; 4]) -> [u8; N] {
    std::array::from_fn(|channel| pixel[channel])
}

/// An image of pixels with this one's elements in the first channel.
fn coloured<const N: usize>(src: &Tensor<u8>) -> Tensor<[u8; N]>
where
    [u8; N]: Element,
{
    Tensor::from_fn(SIZE, |[y, x]| first(colour(replicated(src, x as i64, y as i64)))).unwrap()
}

#[test]
fn nearest_elements_of_every_type() {
    let src = bytes(80);
    hold_nearest("u8", &src, |rows, columns, out| scale_nearest::<u8>::apply_into(&src, rows, columns, out).unwrap());
    let src = words(81);
    hold_nearest("i16", &src, |rows, columns, out| scale_nearest::<i16>::apply_into(&src, rows, columns, out).unwrap());
    let src = floats(82, SIZE);
    hold_nearest("f32", &src, |rows, columns, out| scale_nearest::<f32>::apply_into(&src, rows, columns, out).unwrap());
    let src = coloured::<3>(&bytes(83));
    hold_nearest("[u8; 3]", &src, |rows, columns, out| scale_nearest3::apply_into(&src, rows, columns, out).unwrap());
    let src = coloured::<4>(&bytes(84));
    hold_nearest("[u8; 4]", &src, |rows, columns, out| scale_nearest4::apply_into(&src, rows, columns, out).unwrap());
}

/// Ratios that floats hold, and no place in the middle of two elements.
#[test]
fn exact_ratios() {
    let src = bytes(85);
    let mut tripled = output([3 * HEIGHT, 3 * WIDTH]);
    let third = Sampling::Centres.along(1, 3);
    scale_nearest::<u8>::apply_into(&src, third, third, &mut tripled).unwrap();
    hold("three times", &tripled, |x, y| replicated(&src, x / 3, y / 3));
    // The means of 2×2.
    let half = Sampling::Centres.along(2, 1);
    let mut halved = output([HEIGHT / 2, WIDTH / 2]);
    for rounding in ROUNDINGS {
        scale_bilinear::<u8>::apply_into(&src, half, half, rounding, &mut halved).unwrap();
        hold("half", &halved, |x, y| {
            let sum: u32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(dx, dy)| u32::from(replicated(&src, 2 * x + dx, 2 * y + dy)))
                .iter()
                .sum();
            match rounding {
                windrow::prelude::Rounding::TowardZero => (sum / 4) as u8,
                windrow::prelude::Rounding::NearestEven => (f64::from(sum) / 4.0).round_ties_even() as u8,
            }
        });
    }
}

#[test]
fn elements_in_between_of_every_type() {
    let (src, wide, real_src) = (bytes(86), words(87), floats(88, SIZE));
    let (three, four) = (coloured::<3>(&src), coloured::<4>(&src));
    for (sampling, size) in SAMPLINGS.into_iter().flat_map(|sampling| SIZES.map(|size| (sampling, size))) {
        let along = |from: i64, to: i64| sampling.along(from as usize, to as usize);
        let (rows, columns) = (along(HEIGHT, size[0]), along(WIDTH, size[1]));
        let mut real_out = output(size);
        scale_bilinear_f32::apply_into(&real_src, rows, columns, &mut real_out).unwrap();
        let nearest = windrow::prelude::Rounding::NearestEven;
        let (mut out3, mut out4) = (output(size), output(size));
        scale_bilinear3::apply_into(&three, rows, columns, &mut out3).unwrap();
        scale_bilinear4::apply_into(&four, rows, columns, &mut out4).unwrap();
        for rounding in ROUNDINGS {
            let (mut grey, mut words) = (output(size), output(size));
            scale_bilinear::<u8>::apply_into(&src, rows, columns, rounding, &mut grey).unwrap();
            scale_bilinear::<i16>::apply_into(&wide, rows, columns, rounding, &mut words).unwrap();
            for (y, x) in (0..size[0]).flat_map(|y| (0..size[1]).map(move |x| (y, x))) {
                let v = real(place(sampling, y, HEIGHT, size[0]));
                let u = real(place(sampling, x, WIDTH, size[1]));
                let at = [y as usize, x as usize];
                let exact = |map: &dyn Fn(u8) -> u8| between(u, v, |x, y| f64::from(map(replicated(&src, x, y))));
                near("u8", grey.view().get(at).unwrap(), exact(&|value| value), rounding);
                for channel in 0..4 {
                    let exact = exact(&|value| colour(value)[channel]);
                    near("[u8; 4]", out4.view().get(at).unwrap()[channel], exact, nearest);
                    let found: [u8; 3] = out3.view().get(at).unwrap();
                    found.get(channel).into_iter().for_each(|found| near("[u8; 3]", *found, exact, nearest));
                }
                // 16 bits of the integers and as many behind the point are more than a float holds.
                let exact = between(u, v, |x, y| f64::from(replicated(&wide, x, y)));
                let found = f64::from(words.view().get(at).unwrap());
                assert!((found - exact).abs() <= 3.0, "i16: {found} for {exact}");
                let exact = between(u, v, |x, y| f64::from(replicated(&real_src, x, y)));
                let found = f64::from(real_out.view().get(at).unwrap());
                assert!((found - exact).abs() <= 1e-3, "f32: {found} for {exact}");
            }
        }
    }
}

/// Any scale and offset, far outside too: what is read is clamped.
#[test]
fn places_far_outside_are_the_nearest_inside() {
    let src = bytes(89);
    let mut random = Random::new(90);
    let mut far = output([3, 40]);
    for _ in 0..50 {
        let mut number = || f32::from_bits(random.next() as u32);
        let (rows, columns) = ([number(), number()], [number(), number()]);
        scale_nearest::<u8>::apply_into(&src, rows, columns, &mut far).unwrap();
        let inside = |i: i64, [scale, offset]: [f32; 2], extent: i64| {
            let place = (i as f32 * scale + (offset + 0.5)).floor();
            // What is no number counts as far before the first.
            if place.is_nan() { 0 } else { (place as i64).clamp(0, extent - 1) }
        };
        hold("far", &far, |x, y| replicated(&src, inside(x, columns, WIDTH), inside(y, rows, HEIGHT)));
    }
}
