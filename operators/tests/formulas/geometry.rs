//! Warps and maps of places: known ones to the element, others in floats of 64 bits.

use windrow::{Element, Tensor, prelude::Rounding};
use windrow_operators::*;

use crate::{Random, SIZE, bytes, hold, replicated};

const HEIGHT: i64 = SIZE[0] as i64;
const WIDTH: i64 = SIZE[1] as i64;
pub const ROUNDINGS: [Rounding; 2] = [Rounding::TowardZero, Rounding::NearestEven];

type Matrix = [[f32; 3]; 3];

/// The map of the plane with these two rows.
fn affine(u: [f32; 3], v: [f32; 3]) -> Matrix {
    [u, v, [0.0, 0.0, 1.0]]
}

pub fn output<T: Element>([height, width]: [i64; 2]) -> Tensor<T> {
    Tensor::new([height as usize, width as usize]).unwrap()
}

/// What stands for the elements outside an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outside {
    Constant,
    Replicate,
}

/// What is added before a fraction is cut off.
fn bias(rounding: Rounding) -> f32 {
    match rounding {
        Rounding::TowardZero => 0.0,
        Rounding::NearestEven => 0.5,
    }
}

/// The element at (x, y), outside the constant or the nearest.
fn read(image: &Tensor<u8>, x: i64, y: i64, outside: Outside, constant: u8) -> u8 {
    match outside {
        Outside::Replicate => replicated(image, x, y),
        Outside::Constant => {
            let at = [usize::try_from(y).ok(), usize::try_from(x).ok()];
            at[0].zip(at[1]).and_then(|(y, x)| image.view().get([y, x])).unwrap_or(constant)
        }
    }
}

/// The four elements around a place by their weights, exactly enough.
pub fn between(u: f64, v: f64, read: impl Fn(i64, i64) -> f64) -> f64 {
    let (x, y) = (u.floor(), v.floor());
    let (right, below) = (u - x, v - y);
    let tap = |dx: i64, dy: i64| read(x as i64 + dx, y as i64 + dy);
    let row = |dy: i64| tap(0, dy) * (1.0 - right) + tap(1, dy) * right;
    row(0) * (1.0 - below) + row(1) * below
}

/// Compares a result that was rounded with the sum before, which floats of 32 bits miss by less than `slack`.
pub fn near(what: &str, found: impl Into<f64>, exact: f64, rounding: Rounding) {
    const SLACK: f64 = 0.05;
    let found = found.into();
    let distance = found - exact;
    let expected = match rounding {
        Rounding::TowardZero => -1.0 - SLACK..=SLACK,
        Rounding::NearestEven => -0.5 - SLACK..=0.5 + SLACK,
    };
    assert!(expected.contains(&distance), "{what}: {found} for {exact}, {rounding:?}");
}

fn warped(src: &Tensor<u8>, size: [i64; 2], matrix: Matrix, outside: Outside) -> Tensor<u8> {
    let mut out = output(size);
    match outside {
        Outside::Constant => warp_nearest::apply_into(src, matrix, 77, &mut out).unwrap(),
        Outside::Replicate => warp_nearest_replicate::apply_into(src, matrix, &mut out).unwrap(),
    };
    out
}

fn mixed(src: &Tensor<u8>, size: [i64; 2], matrix: Matrix, outside: Outside, rounding: Rounding) -> Tensor<u8> {
    let mut out = output(size);
    match outside {
        Outside::Constant => warp_bilinear::apply_into(src, matrix, 77, bias(rounding), &mut out).unwrap(),
        Outside::Replicate => warp_bilinear_replicate::apply_into(src, matrix, bias(rounding), &mut out).unwrap(),
    };
    out
}

/// Maps that take elements to elements: all kinds of warps give these, those outside what is said.
#[test]
fn warps_move_elements() {
    let src = bytes(70);
    let size = [HEIGHT, WIDTH];
    let hold_all = |what: &str, size: [i64; 2], matrix: Matrix, from: &dyn Fn(i64, i64) -> (i64, i64)| {
        for outside in [Outside::Constant, Outside::Replicate] {
            let expected = |x: i64, y: i64| {
                let (x, y) = from(x, y);
                read(&src, x, y, outside, 77)
            };
            hold(what, &warped(&src, size, matrix, outside), expected);
            for rounding in ROUNDINGS {
                hold(what, &mixed(&src, size, matrix, outside, rounding), expected);
            }
        }
    };
    hold_all("identity", size, affine([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), &|x, y| (x, y));
    hold_all("shift", size, affine([1.0, 0.0, 3.0], [0.0, 1.0, -2.0]), &|x, y| (x + 3, y - 2));
    hold_all("far", size, affine([1.0, 0.0, 1e30], [0.0, 1.0, -1e30]), &|_, _| (WIDTH, -1));
    let last = (HEIGHT - 1) as f32;
    hold_all("a quarter turn", [WIDTH, HEIGHT], affine([0.0, 1.0, 0.0], [-1.0, 0.0, last]), &|x, y| {
        (y, HEIGHT - 1 - x)
    });
    hold_all("every second", size, affine([2.0, 0.0, 0.0], [0.0, 2.0, 0.0]), &|x, y| (2 * x, 2 * y));
    // The same through a division.
    let halved = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 2.0]];
    hold_all("every second", size, halved, &|x, y| (2 * x, 2 * y));
    // Centres: element x of twice the size lies at x / 2 − ¼.
    let doubled =
        warped(&src, [2 * HEIGHT, 2 * WIDTH], affine([0.5, 0.0, -0.25], [0.0, 0.5, -0.25]), Outside::Constant);
    hold("twice the size", &doubled, |x, y| read(&src, x / 2, y / 2, Outside::Constant, 77));
}

#[test]
fn warps_mix_elements() {
    let src = bytes(71);
    let mut random = Random::new(72);
    for round in 0..20 {
        let mut number = |scale: f64| random.of(-1000, 1000) as f64 / 1000.0 * scale;
        // Near the identity, so that much lies inside; the divisor stays away from 0.
        let mut matrix = [
            [1.0 + number(0.5), number(0.5), number(9.0)],
            [number(0.5), 1.0 + number(0.5), number(5.0)],
            [number(0.004), number(0.004), 1.0],
        ];
        if round % 2 == 0 {
            matrix[2] = [0.0, 0.0, 1.0];
        }
        let matrix = matrix.map(|row| row.map(|x: f64| x as f32));
        for outside in [Outside::Constant, Outside::Replicate] {
            for rounding in ROUNDINGS {
                let found = mixed(&src, [HEIGHT, WIDTH], matrix, outside, rounding);
                for (y, x) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (y, x))) {
                    let [u, v, w] =
                        matrix.map(|[a, b, c]| f64::from(a) * x as f64 + f64::from(b) * y as f64 + f64::from(c));
                    let exact = between(u / w, v / w, |x, y| f64::from(read(&src, x, y, outside, 77)));
                    let found = found.view().get([y as usize, x as usize]).unwrap();
                    near(&format!("{matrix:?} at ({x}, {y})"), found, exact, rounding);
                }
            }
        }
    }
}

/// What lies nowhere is outside.
#[test]
fn what_is_no_place_is_outside() {
    let src = bytes(73);
    let nowhere = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    let size = [3, 40];
    hold("0 / 0", &warped(&src, size, nowhere, Outside::Constant), |_, _| 77);
    hold("0 / 0", &mixed(&src, size, nowhere, Outside::Constant, Rounding::NearestEven), |_, _| 77);
    let (maps, infinite) =
        (Tensor::from_fn([3, 40], |_| f32::NAN).unwrap(), Tensor::from_fn([3, 40], |_| f32::INFINITY).unwrap());
    hold("NaN", &remap_nearest::<u8>::apply(&src, &maps, &infinite, 9).unwrap(), |_, _| 9);
    hold("NaN", &remap_bilinear::apply(&src, &maps, &infinite, 9, Rounding::TowardZero).unwrap(), |_, _| 9);
}

/// Onto an image, what lies outside leaves it; where all of the four are inside, it is the warp.
#[test]
fn warps_onto_an_image_leave_the_rest() {
    let (src, below) = (bytes(74), bytes(75));
    let matrix = affine([0.9, -0.3, -4.5], [0.25, 1.1, -3.25]);
    let place = |x: i64, y: i64| {
        let [u, v] = [matrix[0], matrix[1]].map(|[a, b, c]| x as f32 * a + y as f32 * b + c);
        (u, v)
    };
    let is_inside = |x: f32, y: f32| x >= 0.0 && y >= 0.0 && x < WIDTH as f32 && y < HEIGHT as f32;
    let size = [HEIGHT, WIDTH];
    let get = |image: &Tensor<u8>, x: i64, y: i64| image.view().get([y as usize, x as usize]).unwrap();
    let mut onto = below.clone();
    warp_nearest_onto::apply(&src, &mut onto, matrix).unwrap();
    let alone = warped(&src, size, matrix, Outside::Constant);
    hold("nearest", &onto, |x, y| {
        let (u, v) = place(x, y);
        get(if is_inside(u + 0.5, v + 0.5) { &alone } else { &below }, x, y)
    });
    for rounding in ROUNDINGS {
        let mut onto = below.clone();
        warp_bilinear_onto::apply(&src, &mut onto, matrix, bias(rounding)).unwrap();
        let alone = mixed(&src, size, matrix, Outside::Constant, rounding);
        hold("bilinear", &onto, |x, y| {
            let (u, v) = place(x, y);
            let all = is_inside(u.floor(), v.floor()) && is_inside(u.floor() + 1.0, v.floor() + 1.0);
            get(if all { &alone } else { &below }, x, y)
        });
    }
}

/// Pairs of places are a table, its channels the maps.
#[test]
fn maps_of_places() {
    let src = bytes(76);
    let mut random = Random::new(77);
    let table =
        Tensor::from_fn([11, 61], |_| [random.of(-600, 7800) as f32 / 160.0, random.of(-600, 3600) as f32 / 160.0]);
    let table: Tensor<[f32; 2]> = table.unwrap();
    let (map_x, map_y) = (table.view().channel(0).unwrap(), table.view().channel(1).unwrap());
    let place = |x: i64, y: i64| table.view().get([y as usize, x as usize]).unwrap().map(f64::from);
    let outside = Outside::Constant;
    let nearest = remap_nearest::<u8>::apply(&src, map_x, map_y, 5).unwrap();
    let formula = |x: i64, y: i64| {
        let [u, v] = place(x, y).map(|place| (place + 0.5).floor() as i64);
        read(&src, u, v, outside, 5)
    };
    hold("remap_nearest", &nearest, formula);
    let pixels = Tensor::from_fn(SIZE, |[y, x]| {
        let value = replicated(&src, x as i64, y as i64);
        [value, 255 - value, value / 2]
    });
    let pixels: Tensor<[u8; 3]> = pixels.unwrap();
    let found = remap_nearest3::apply(&pixels, map_x, map_y, [5, 250, 2]).unwrap();
    hold("remap_nearest3", &found, |x, y| [formula(x, y), 255 - formula(x, y), formula(x, y) / 2]);
    let real: Tensor<f32> = to_float::<u8>::apply(&src).unwrap();
    let found = remap_nearest::<f32>::apply(&real, map_x, map_y, 5.0).unwrap();
    hold("remap_nearest<f32>", &found, |x, y| f32::from(formula(x, y)));
    let found = remap_bilinear3::apply(&pixels, map_x, map_y, [5, 250, 2]).unwrap();
    for rounding in ROUNDINGS {
        let grey = remap_bilinear::apply(&src, map_x, map_y, 5, rounding).unwrap();
        for (y, x) in (0..11).flat_map(|y| (0..61).map(move |x| (y, x))) {
            let [u, v] = place(x, y);
            let exact = |map: &dyn Fn(u8) -> u8| between(u, v, |x, y| f64::from(map(read(&src, x, y, outside, 5))));
            let at = [y as usize, x as usize];
            near("remap_bilinear", grey.view().get(at).unwrap(), exact(&|x| x), rounding);
            let found = found.view().get(at).unwrap();
            let maps: [&dyn Fn(u8) -> u8; 3] = [&|x| x, &|x| 255 - x, &|x| x / 2];
            found
                .into_iter()
                .zip(maps)
                .for_each(|(found, map)| near("remap_bilinear3", found, exact(map), Rounding::NearestEven));
        }
    }
}
