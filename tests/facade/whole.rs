//! Images that are read anywhere: at places of the element's own, at places that other images say, in every form of reading.

use windrow::{InvalidConfiguration, prelude::*};

/// Reads where a scale leads, the nearest element.
#[kernel]
pub fn nearest([y, x]: At<2>, src: View<u8>, #[uniform] step_y: f32, #[uniform] step_x: f32) -> u8 {
    src.get([((y as f32 + 0.5) * step_y) as i32, ((x as f32 + 0.5) * step_x) as i32]).unwrap_or(7)
}

/// Interpolates between four pixels at a place that two images say; beyond an edge the last one counts.
#[kernel]
pub fn sampled(src: View<[u8; 3]>, at_x: f32, at_y: f32) -> [u8; 3] {
    let [height, width] = src.extents();
    let (row, column) = (at_y.floor(), at_x.floor());
    let (y, x) = ((row as i32).clamp(0, height - 1), (column as i32).clamp(0, width - 1));
    let (below, right) = ((y + 1).min(height - 1), (x + 1).min(width - 1));
    let pixel = |y: i32, x: i32| src.get([y, x]).unwrap_or([0; 3]).map(|channel| channel as f32);
    let (a, b, c, d) = (pixel(y, x), pixel(y, right), pixel(below, x), pixel(below, right));
    let mix = |i: usize| {
        let (top, bottom) = (a[i] + (b[i] - a[i]) * (at_x - column), c[i] + (d[i] - c[i]) * (at_x - column));
        (top + (bottom - top) * (at_y - row)).round_ties_even() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// Exchanges rows and columns, of any type.
#[kernel(types(T = u8, i16, f32))]
pub fn transposed([y, x]: At<2>, src: View<T>, otherwise: T) -> T {
    src.get([x, y]).unwrap_or(otherwise)
}

/// Averages what lies inside around an element's place in another image.
#[kernel]
pub fn inside(at: At<2>, src: View<i16>, near: Neighbourhood<i16>) -> (i32, u8) {
    let [y, x] = at;
    let (mut sum, mut count) = (near.at(0, 1) as i32, 0u8);
    for (dy, dx) in [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)] {
        if let Some(element) = src.get([(y / 2 + dy), (x / 2 + dx)]) {
            sum += element as i32;
            count += 1;
        }
    }
    (sum, count)
}

/// What stands in two whole images decides, and where they end.
#[kernel]
pub fn compared([y, x]: At<2>, #[inout] acc: u32, first: View<f32>, second: View<[u16; 2]>) -> u32 {
    let [height, _] = first.extents();
    let level = first.get([height - 1 - y, x]).map_or(-1.0, |value| value * 0.5);
    match second.get([y % 5, x % 3]) {
        Some([least, most]) if (least as f32) < level => acc ^ most as u32,
        Some([least, _]) => acc.wrapping_add(least as u32),
        None => acc / 2,
    }
}

/// Turns an image by a half, where the output may be larger: places that are proved to lie inside.
#[kernel]
pub fn turned([y, x]: At<2>, src: View<[u8; 2]>, level: u8) -> u8 {
    let [height, width] = src.extents();
    let [a, b] = src[[(height - 1 - y).max(0), (width - 1 - x).max(0)]];
    let [c, _] = src[[y.min(height - 1), 0]];
    let far = if level > 9 && width > 3 { src[[height / 2, 3]][1] } else { b };
    a ^ c ^ far
}

#[test]
fn a_kernel_that_reads_anywhere_is_called_with_its_output() {
    let src = Tensor::from_fn([2, 3], |[y, x]| (10 * y + x) as u8).unwrap();
    let mut out = Tensor::<u8>::new([4, 6]).unwrap();
    nearest::apply_into(&src, 0.5, 0.5, &mut out).unwrap();
    let rows = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [10, 10, 11, 11, 12, 12], [10, 10, 11, 11, 12, 12]];
    assert_eq!(out.view().as_slice().unwrap(), rows.concat());
    // Without an output nothing says how large it is.
    let refused = nearest::infer(src.info());
    assert!(matches!(refused, Err(InvalidConfiguration::NoShape { .. })), "{refused:?}");
}

#[test]
fn the_image_that_says_places_gives_the_shape() {
    let src = Tensor::from_fn([5, 4], |[y, x]| [y as u8 * 10, x as u8 * 20, 7]).unwrap();
    let (xs, ys) = (Tensor::from_fn([1, 3], |[_, x]| x as f32 * 0.5), Tensor::from_fn([1, 3], |_| 1.25f32));
    let out = sampled::apply(&src, &xs.unwrap(), &ys.unwrap()).unwrap();
    assert_eq!(out.view().as_slice().unwrap(), [[12, 0, 7], [12, 10, 7], [12, 20, 7]]);
}
