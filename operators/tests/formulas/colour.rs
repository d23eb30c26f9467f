//! Colours by OpenVX' specification: real weights of four digits, rounded down.

use windrow::{Serial, Tensor, View, ViewMut, prelude::*};
use windrow_operators::*;

use crate::Random;

/// Both spaces: weights of luma and of both chromas; of red by v, of green by u and v, of blue by u; in ten-thousandths.
const SPACES: [(ColourSpace, [[i64; 3]; 3], [i64; 4]); 2] = [
    (ColourSpace::Bt601, [[2990, 5870, 1140], [-1687, -3313, 5000], [5000, -4187, -813]], [14020, -3441, -7141, 17720]),
    (ColourSpace::Bt709, [[2126, 7152, 722], [-1146, -3854, 5000], [5000, -4542, -458]], [15748, -1873, -4681, 18556]),
];

/// A plane in pairs.
type Pairs = Tensor<[u8; 2]>;

/// Grays, corners and any.
fn pixels() -> Vec<[u8; 3]> {
    let mut random = Random::new(1);
    let grays = (0..=255).map(|v| [v; 3]);
    let corners = (0..8).map(|c| [c & 1, c >> 1 & 1, c >> 2].map(|bit: u8| bit * 255));
    grays
        .chain(corners)
        .chain((0..3832).map(|_| [random.next() as u8, random.next() as u8, random.next() as u8]))
        .collect()
}

fn weigh(p: [u8; 3], weights: [i64; 3], base: i64) -> u8 {
    let sum: i64 = p.iter().zip(weights).map(|(v, w)| i64::from(*v) * w).sum();
    (sum.div_euclid(10000) + base).clamp(0, 255) as u8
}

#[test]
fn rgb_to_yuv_rounds_down() {
    let rgb = pixels();
    for (space, [y, u, v], _) in SPACES {
        let found: (Tensor<u8>, Tensor<u8>, Tensor<u8>) =
            rgb_to_yuv::apply(View::from_slice(&rgb, [64, 64]).unwrap(), space).unwrap();
        let expected = |weights, base| rgb.iter().map(|p| weigh(*p, weights, base)).collect::<Vec<_>>();
        assert_eq!(found.0.to_vec(), expected(y, 0), "{space:?}, luma");
        assert_eq!(found.1.to_vec(), expected(u, 128), "{space:?}, u");
        assert_eq!(found.2.to_vec(), expected(v, 128), "{space:?}, v");
        assert!(
            found.1.to_vec()[..256].iter().chain(&found.2.to_vec()[..256]).all(|c| *c == 128),
            "grays have no colour"
        );
        for full in [&found.1, &found.2] {
            let plane: Tensor<u8> = mean_of_quads::apply(full, Border::Replicate).unwrap();
            let quad = |x: i64, y: i64| {
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| crate::replicated(full, 2 * x + dx, 2 * y + dy))
            };
            crate::hold("mean chroma", &plane, |x, y| {
                (quad(x, y).iter().map(|c| u16::from(*c)).sum::<u16>() / 4) as u8
            });
        }
    }
}

#[test]
fn yuv_to_rgb_rounds_down() {
    let yuv = pixels();
    let plane = |channel: usize| Tensor::from_fn([64, 64], |[y, x]| yuv[64 * y + x][channel]).unwrap();
    for (space, _, [red, green_u, green_v, blue]) in SPACES {
        let found: Tensor<[u8; 3]> = yuv_to_rgb::apply(&plane(0), &plane(1), &plane(2), space).unwrap();
        for ([y, u, v], found) in yuv.iter().zip(found.to_vec()) {
            let (y, u, v) = (i64::from(*y) * 10000, i64::from(*u) - 128, i64::from(*v) - 128);
            let real = [y + red * v, y + green_u * u + green_v * v, y + blue * u];
            assert_eq!(found, real.map(|c| c.div_euclid(10000).clamp(0, 255) as u8), "{space:?}");
        }
    }
}

#[test]
fn layouts_move_what_they_say() {
    let rgb = pixels();
    let wide: Tensor<[u8; 4]> = rgb_to_rgbx::apply(View::from_slice(&rgb, [64, 64]).unwrap()).unwrap();
    assert!(wide.to_vec().iter().zip(&rgb).all(|(wide, [r, g, b])| *wide == [*r, *g, *b, 255]));
    let groups = [[1u8, 2, 3, 4], [5, 6, 7, 8]];
    let uyvy: (Pairs, Pairs, Pairs) = unpack_uyvy::apply(View::from_slice(&groups, [1, 2]).unwrap()).unwrap();
    assert_eq!(uyvy.0.to_vec(), [[2, 4], [6, 8]]);
    assert_eq!((uyvy.1.to_vec(), uyvy.2.to_vec()), (vec![[1, 1], [5, 5]], vec![[3, 3], [7, 7]]));
    let yuyv: (Pairs, Pairs, Pairs) = unpack_yuyv::apply(View::from_slice(&groups, [1, 2]).unwrap()).unwrap();
    assert_eq!(yuyv.0.to_vec(), [[1, 3], [5, 7]]);
    assert_eq!((yuyv.1.to_vec(), yuyv.2.to_vec()), (vec![[2, 2], [6, 6]], vec![[4, 4], [8, 8]]));
    let rows: Tensor<u8> =
        mean_of_rows::apply(View::from_slice(&[1u8, 10, 4, 255], [4, 1]).unwrap(), Border::Replicate).unwrap();
    assert_eq!(rows.to_vec(), [5, 129]);
}

/// The kernel writes the even and the odd rows of an image of twice the size, in place.
#[test]
fn elements_are_doubled_in_place() {
    let small = crate::floats(3, [5, 7]);
    let mut large = vec![0.0f32; 10 * 14];
    let view = ViewMut::from_slice(&mut large, [10, 14]).unwrap();
    let (even, odd) = view.regroup::<[f32; 2]>().unwrap().alternate_rows().unwrap();
    let info = *even.info();
    let configured = double_elements::<f32>::configure(small.info(), &info, odd.info()).unwrap();
    configured.run(&Serial, small.view(), (even, odd)).unwrap();
    let large = Tensor::from_vec(large, [10, 14]).unwrap();
    crate::hold("double_elements", &large, |x, y| crate::replicated(&small, x / 2, y / 2));
}
