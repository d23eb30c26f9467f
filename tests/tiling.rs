//! What the tiling example computes: kernels with a block, and one written by hand, equal to plain loops.

#[path = "../examples/tiling/draw.rs"]
mod draw;
#[path = "../examples/tiling/kernels.rs"]
mod kernels;
#[path = "../examples/tiling/posterise.rs"]
mod posterise;
#[path = "../examples/tiling/run.rs"]
mod run;

use image::{Rgb, RgbImage};
use windrow::{
    Rect, Serial, Tensor,
    spec::NeighbourhoodSpec,
    tiling::TilingRequest,
    window::{Bodies, DividedWindow, Division},
};

/// Images that are whole blocks, and some that are not.
const SIZES: [[usize; 2]; 6] = [[6, 12], [6, 14], [8, 14], [1, 1], [11, 37], [70, 3]];

fn image(size: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(size, |[y, x]| (x * 67 + y * 29 + x * y * 3) as u8).unwrap()
}

#[test]
fn the_posterised_image_is_that_of_the_formula() {
    for size in SIZES {
        let src = image(size);
        let expect: Vec<u8> = src.to_vec().iter().map(|value| (value & 0xf0) | (value >> 4)).collect();
        assert_eq!(run::posterise(&src).unwrap().to_vec(), expect, "{size:?}");
    }
    // The strip that is no whole block is the flexible function's, and only that.
    let info = *image([6, 14]).info();
    let configured = posterise::POSTERISE.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
    let none = Rect::default();
    let flexible = [none, none, none, Rect::new(12, 0, 14, 6)];
    assert_eq!(configured.parts(), DividedWindow { fast: Rect::new(0, 0, 12, 6), flexible });
}

#[test]
fn dithering_depends_on_the_place_in_a_block() {
    const ORDER: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    for size in SIZES {
        let src = image(size);
        let expect = Tensor::from_fn(size, |[y, x]| {
            let value = u32::from(src.view().get([y, x]).unwrap());
            if value >= 16 * ORDER[y % 4][x % 4] + 8 { 255u8 } else { 0 }
        });
        assert_eq!(run::dither(&src).unwrap().to_vec(), expect.unwrap().to_vec(), "{size:?}");
        // Cut anywhere, blocks are counted from the image's corner.
        let mut out = Tensor::<u8>::new(size).unwrap();
        let configured = kernels::ordered_dither::configure(src.info(), out.info()).unwrap();
        for part in configured.window().parts_2d((0, 1), (3, 2)) {
            configured.run_window(&Serial, src.view(), out.view_mut(), &part).unwrap();
        }
        assert_eq!(out.to_vec(), run::dither(&src).unwrap().to_vec(), "{size:?} in parts");
    }
    // A grey of 128 makes half of every block white.
    let grey = Tensor::from_vec(vec![128u8; 64], [8, 8]).unwrap();
    assert_eq!(run::dither(&grey).unwrap().to_vec().iter().filter(|value| **value == 255).count(), 32);
}

#[test]
fn a_mosaic_of_one_colour_is_that_colour() {
    for (width, height) in [(2, 2), (9, 6), (40, 7)] {
        let photo = RgbImage::from_pixel(width, height, Rgb([210, 55, 130]));
        let found = run::debayer(&run::mosaic(&photo).unwrap()).unwrap();
        assert!(found.to_vec().iter().all(|pixel| *pixel == [210, 55, 130]), "{width}×{height}");
    }
    // And what was measured stays as it was.
    let photo = RgbImage::from_fn(20, 12, |x, y| Rgb([(x * 11) as u8, (y * 19) as u8, (x * y) as u8]));
    let found = run::debayer(&run::mosaic(&photo).unwrap()).unwrap();
    for (x, y, pixel) in photo.enumerate_pixels() {
        let channel = (x % 2 + y % 2) as usize;
        assert_eq!(found.view().get([y as usize, x as usize]).unwrap()[channel], pixel[channel], "({x}, {y})");
    }
}

#[test]
fn upsampled_chroma_is_that_of_a_plain_loop() {
    for size in [[1, 1], [3, 5], [4, 33]] {
        let chroma = Tensor::from_fn(size, |[y, x]| [(x * 37 + y * 91) as u8, (x * y * 13) as u8]).unwrap();
        let mut full = Tensor::<[u8; 2]>::new([2 * size[0], 2 * size[1]]).unwrap();
        run::upsample(chroma.view(), full.view_mut()).unwrap();
        let expect = Tensor::from_fn([2 * size[0], 2 * size[1]], |[y, x]| {
            // The neighbour on the side on which the element lies in its block.
            let side = |at: usize, extent: usize| match at % 2 {
                0 => (at / 2).saturating_sub(1),
                _ => (at / 2 + 1).min(extent - 1),
            };
            let (near, far) = ([x / 2, y / 2], [side(x, size[1]), side(y, size[0])]);
            let at = |x, y, c: usize| u32::from(chroma.view().get([y, x]).unwrap()[c]);
            [0, 1].map(|c| {
                let beside = 3 * at(far[0], near[1], c) + 3 * at(near[0], far[1], c);
                ((9 * at(near[0], near[1], c) + beside + at(far[0], far[1], c) + 8) / 16) as u8
            })
        });
        assert_eq!(full.to_vec(), expect.unwrap().to_vec(), "{size:?}");
    }
}

#[test]
fn a_photograph_comes_back_from_nv12() {
    let photo = RgbImage::from_pixel(31, 17, Rgb([180, 90, 40]));
    let back = run::through_nv12(&photo).unwrap();
    assert_eq!(back.dimensions(), (30, 16));
    let near = |pixel: &Rgb<u8>| pixel.0.iter().zip([180u8, 90, 40]).all(|(found, value)| found.abs_diff(value) <= 2);
    assert!(back.pixels().all(near));
}

#[test]
fn pictures_show_each_part_in_its_colour() {
    let division = Division {
        width: 14,
        height: 8,
        block: (4, 1),
        neighbourhood: NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 },
        self_bordered: false,
        bodies: Bodies::Both,
    };
    let picture = draw::division(&division).unwrap();
    let colour = |x: u32, y: u32| *picture.get_pixel(14 * x + 7, 14 * y + 7);
    let count = |wanted: Rgb<u8>| {
        (0..14).flat_map(|x| (0..8).map(move |y| (x, y))).filter(|&(x, y)| colour(x, y) == wanted).count()
    };
    // The numbers of the extension's figure: 48 fast, 18 left, 6 right, 40 untouched.
    assert_eq!([colour(4, 1), colour(1, 1), colour(12, 1), colour(0, 0)].map(count), [48, 18, 6, 40]);
    let bands = draw::bands(&[(0, 8), (8, 16)], &[(0, 10), (6, 16)], 1);
    assert_ne!(bands.get_pixel(1, 1), bands.get_pixel(1, 14 * 9));
}
