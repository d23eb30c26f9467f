//! Tiles to the byte: how many rows and columns they hold, how wide they may be, and what is written into them.

use std::{boxed::Box, vec, vec::Vec};

use super::{series::copy, *};
use crate::{
    code::{Rows, Strips},
    element::{ElementType, Scalar},
    spec::{ArgumentKind, ArgumentSpec, NeighbourhoodSpec, OutputSpec, WordCount},
    tier::Tier,
};

const ELEMENT: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };

fn image(channels: u32, reads: NeighbourhoodSpec, stride: (u32, u32)) -> InputSpec {
    let NeighbourhoodSpec { left, right, top, bottom } = reads;
    let neighbourhood = NeighbourhoodSpec { left, right, top, bottom };
    InputSpec::image(ElementType::U8, channels, neighbourhood, stride, None)
}

/// A kernel of these images and of outputs with these numbers of bytes an element.
fn spec(images: Vec<InputSpec>, outputs: &[u32]) -> &'static KernelSpec {
    let argument = |input| ArgumentSpec { name: "image", kind: ArgumentKind::Input(input) };
    let output = |&channels: &u32| OutputSpec { name: "out", element: ElementType::U8, channels, optional: false };
    Box::leak(Box::new(KernelSpec {
        name: "tiles",
        docs: "",
        module: "",
        rank: 2,
        dimensions: 2,
        arguments: Vec::leak(images.into_iter().map(argument).collect()),
        outputs: Vec::leak(outputs.iter().map(output).collect()),
        step: (1, 1),
        borders: &BorderMode::ALL,
        requires: &[],
        extents: &[],
        window: None,
        words: WordCount { uniforms: 0, derived: 0 },
        bodies: 1,
        fast: false,
        floats: false,
        coordinates: false,
    }))
}

unsafe fn nothing(_: &Rows<'_>) {}

fn body(lanes: usize, rows: u32, reads: Vec<NeighbourhoodSpec>) -> Body {
    Body {
        tier: Tier::Scalar,
        index: 0,
        lanes: lanes as u32,
        rows,
        reads: Vec::leak(reads),
        has_head: false,
        carries_rows: false,
        strips: Strips::NONE,
        run: nothing,
    }
}

/// The widest tile of a kernel with one image, whose body reads its neighbourhood.
fn columns(lanes: usize, rows: u32, image: InputSpec, outputs: &[u32]) -> Option<usize> {
    let NeighbourhoodSpec { left, right, top, bottom } = image.neighbourhood();
    tile_columns(spec(vec![image], outputs), &body(lanes, rows, vec![NeighbourhoodSpec { left, right, top, bottom }]))
}

#[test]
fn a_block_reads_from_its_first_element_to_its_last() {
    let reads = NeighbourhoodSpec { left: -2, right: 3, top: -1, bottom: 4 };
    assert_eq!([1, 2, 5].map(|rows| input_rows(&reads, (1, 3), rows)), [6, 9, 18]);
    assert_eq!([1, 2, 5].map(|columns| input_columns(&reads, (2, 1), columns)), [6, 8, 14]);
    assert_eq!((input_rows(&ELEMENT, (1, 1), 1), input_columns(&ELEMENT, (1, 1), 1)), (1, 1));
    // Reads that name nothing, as a body makes them that leaves an input out.
    let none = NeighbourhoodSpec { left: 1, right: -5, top: 1, bottom: -5 };
    assert_eq!((input_rows(&none, (1, 1), 2), input_columns(&none, (1, 1), 2)), (0, 0));
}

#[test]
fn rows_of_a_tile_are_aligned() {
    assert_eq!(
        [(0, 1), (1, 1), (16, 1), (17, 1), (5, 3), (6, 3), (4, 8)].map(|(c, p)| pitch(c, p)),
        [0, 16, 16, 32, 16, 32, 32]
    );
}

#[test]
fn a_tile_holds_each_row_once() {
    let around = NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };
    let spec = spec(vec![image(1, ELEMENT, (1, 1)), image(3, around, (2, 2))], &[1, 4]);
    let body = body(8, 2, vec![ELEMENT, around]);
    // Two rows of 24 and of 96 bytes; two of 24; five of 3·(2·23 + 3) = 147.
    assert_eq!(tile_bytes(spec, &body, 2, 24), 2 * 32 + 2 * 96 + 2 * 32 + 5 * 160);
    // One byte more a row, where that needs another line.
    assert_eq!(tile_bytes(spec, &body, 2, 33), 2 * 48 + 2 * 144 + 2 * 48 + 5 * 208);
}

#[test]
fn the_widest_tile_fills_the_scratch() {
    for (lanes, rows, channels, outputs, widest) in [
        // One byte in and one out: all of the scratch, and the limit of a tile's width.
        (1, 1, 1, &[1][..], 16_384),
        (16, 1, 1, &[1], 16_384),
        (16_384, 1, 1, &[1], 16_384),
        (16_385, 1, 1, &[1], 0),
        (8_193, 1, 1, &[1], 8_193),
        (1, 2, 1, &[1], 8_192),
        (3, 2, 1, &[1], 8_190),
        // 1 + 1 + 4 bytes: 5,461 columns would fit, were rows not rounded up.
        (1, 1, 1, &[1, 4], 5_456),
        (16, 1, 1, &[1, 4], 5_456),
        (8, 4, 4, &[2, 2], 1_024),
        (1, 128, 1, &[1], 128),
        (1_024, 16, 1, &[1], 1_024),
        (1_025, 16, 1, &[1], 0),
    ] {
        let found = columns(lanes, rows, image(channels, ELEMENT, (1, 1)), outputs);
        assert_eq!(
            found,
            (widest > 0).then_some(widest),
            "{lanes} lanes, {rows} rows, {channels} channels, {outputs:?}"
        );
    }
    // No image at all: the limit decides, not the bytes.
    for (lanes, widest) in [(1, 16_384), (5, 16_380), (16_384, 16_384)] {
        assert_eq!(tile_columns(spec(vec![], &[1]), &body(lanes, 1, vec![])), Some(widest));
    }
    assert_eq!(tile_columns(spec(vec![], &[1]), &body(16_385, 1, vec![])), None);
    assert_eq!(tile_columns(spec(vec![], &[1]), &body(usize::MAX, 1, vec![])), None);
}

#[test]
fn a_tile_holds_what_is_read_beside_its_columns() {
    // Each column more reads two more; of the last, three are read: 2·(n − 1) + 3 + n ≤ 32,768, in lines.
    let wide = NeighbourhoodSpec { left: -1, right: 1, top: 0, bottom: 0 };
    let widest = columns(1, 1, image(1, wide, (2, 1)), &[1]).unwrap();
    let bytes = |n: usize| (2 * (n - 1) + 3).next_multiple_of(16) + n.next_multiple_of(16);
    assert!(bytes(widest) <= TILE_BYTES && bytes(widest + 1) > TILE_BYTES, "{widest}");
}

#[test]
fn rows_are_counted_up_to_the_last_pointer() {
    let tall = |bottom| image(1, NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom }, (1, 1));
    assert!(columns(1, 1, tall(511), &[1]).is_some());
    assert!(columns(1, 1, tall(512), &[1]).is_none());
    assert!(columns(1, 2, tall(510), &[1]).is_some());
    assert!(columns(1, 2, tall(511), &[1]).is_none());
    let flat = || image(1, ELEMENT, (1, 1));
    assert!(columns(1, 128, flat(), &[1]).is_some() && columns(1, 129, flat(), &[1]).is_none());
    assert!(columns(1, 64, flat(), &[1, 1]).is_some() && columns(1, 65, flat(), &[1, 1]).is_none());
    assert!(columns(1, 0, flat(), &[1]).is_none() && columns(0, 1, flat(), &[1]).is_none());
    assert!(columns(1, u32::MAX, flat(), &[1, 1]).is_none());
}

#[test]
fn bodies_must_suit_their_specification() {
    let far = |offset: i32, left| {
        let reads = NeighbourhoodSpec { left: offset - left, right: offset, top: 0, bottom: 0 };
        columns(1, 1, image(1, reads, (1, 1)), &[1]).is_some()
    };
    assert!(far(1 << 20, 0) && far(-(1 << 20), 0) && !far((1 << 20) + 1, 0) && !far(-(1 << 20) - 1, 0));
    let strided = |stride| columns(1, 1, image(1, ELEMENT, stride), &[1]).is_some();
    assert!(strided((1, 1)) && strided((1024, 1)) && strided((1, 1024)));
    for stride in [(0, 1), (1, 0), (1025, 1), (1, 1025)] {
        assert!(!strided(stride), "{stride:?}");
    }
    // At least the neighbourhood is read; more may be.
    let around = NeighbourhoodSpec { left: -1, right: 2, top: -3, bottom: 4 };
    let reading = |reads| tile_columns(spec(vec![image(1, around, (1, 1))], &[1]), &body(1, 1, vec![reads])).is_some();
    assert!(reading(around) && reading(NeighbourhoodSpec { left: -2, right: 3, top: -4, bottom: 5 }));
    for less in [
        NeighbourhoodSpec { left: 0, ..around },
        NeighbourhoodSpec { right: 1, ..around },
        NeighbourhoodSpec { top: -2, ..around },
        NeighbourhoodSpec { bottom: 3, ..around },
    ] {
        assert!(!reading(less), "{less:?}");
    }
    // One `Reads` for each image; in place nothing but the element.
    let flat = || spec(vec![image(1, ELEMENT, (1, 1))], &[1]);
    assert!(tile_columns(flat(), &body(1, 1, vec![])).is_none());
    assert!(tile_columns(flat(), &body(1, 1, vec![ELEMENT; 2])).is_none());
    let in_place = |stride, reads| {
        let image = InputSpec::image(ElementType::U8, 1, NeighbourhoodSpec::default(), stride, Some(0));
        tile_columns(spec(vec![image], &[1]), &body(1, 1, vec![reads])).is_some()
    };
    assert!(in_place((1, 1), ELEMENT));
    assert!(!in_place((2, 1), ELEMENT) && !in_place((1, 1), NeighbourhoodSpec { right: 1, ..ELEMENT }));
}

/// Every strip of rows, inside the image and around it, is what the border says; nothing else is written.
#[test]
fn a_strip_is_copied_with_its_borders() {
    const PITCH: usize = 80;
    // An interpreter that watches each access is shown a few.
    let (widths, few) = if cfg!(miri) { (&[1usize, 5][..], 9) } else { (&[1, 2, 5, 9][..], 1) };
    let pixels = [1usize, 3].into_iter().step_by(few);
    for (pixel, width, mode) in
        pixels.flat_map(|p| widths.iter().flat_map(move |&w| modes().map(move |mode| (p, w, mode))))
    {
        let image: Vec<u8> = (1..).take(2 * width * pixel).collect();
        let source = Source {
            base: image.as_ptr(),
            stride: (width * pixel) as isize,
            apart: pixel as isize,
            width,
            height: 2,
            pixel,
            mode,
            constant: [200; 16],
            unrolled: false,
        };
        let starts = (-12..12isize).step_by(few);
        for (first, needed) in starts.flat_map(|first| [0, 1, 3, 8, 20].map(|needed| (first, needed))) {
            for rows in [0..2, 1..2, -3..4, -2..0, 2..3] {
                let mut tile = vec![0u8; rows.len() * PITCH];
                let mut expected = tile.clone();
                // SAFETY: the tile has room for `needed` elements behind the first of each row.
                unsafe {
                    source.copy_rows(rows.clone(), first, needed, (tile.as_mut_ptr().add(pixel), PITCH as isize))
                };
                for (place, row) in expected.chunks_mut(PITCH).zip(rows.clone()) {
                    let behind = first + needed as isize;
                    for (column, place) in (first..behind).zip(place[pixel..].chunks_mut(pixel)) {
                        match (mode.map(row, 2), mode.map(column, width)) {
                            (Some(row), Some(column)) => {
                                place.copy_from_slice(&image[(row * width + column) * pixel..][..pixel]);
                            }
                            (None, _) | (_, None) => place.fill(200),
                        }
                    }
                }
                assert_eq!(tile, expected, "{mode:?}: {needed} from {first} of {width}, rows {rows:?}, pixel {pixel}");
            }
        }
    }
}

fn modes() -> impl Iterator<Item = BorderMode> {
    BorderMode::ALL.into_iter().filter(|mode| *mode != BorderMode::Undefined)
}

#[test]
fn a_constant_is_repeated_in_every_channel() {
    let beside = NeighbourhoodSpec { left: -1, ..NeighbourhoodSpec::default() };
    let image = |around| InputSpec::image(ElementType::I16, 3, around, (1, 1), None);
    let input = image(beside);
    let (mode, bytes) = Source::outside(&input, Border::Constant(Scalar::I16(0x1234)));
    assert_eq!((mode, &bytes[..6]), (BorderMode::Constant, &[0x34, 0x12, 0x34, 0x12, 0x34, 0x12][..]));
    assert_eq!(Source::outside(&input, Border::Undefined).0, BorderMode::Replicate);
    assert_eq!(Source::outside(&input, Border::Wrap).0, BorderMode::Wrap);
    // One element that is broadcast stands for all beside it.
    let alone = image(NeighbourhoodSpec::default());
    assert_eq!(Source::outside(&alone, Border::Constant(Scalar::I16(5))).0, BorderMode::Replicate);
}

#[test]
fn every_number_of_bytes_is_copied() {
    let from: Vec<u8> = (1..=60).collect();
    for count in 0..=50 {
        let mut to = vec![0; 60];
        // SAFETY: both hold the bytes.
        unsafe { copy(from.as_ptr(), to.as_mut_ptr(), count) };
        assert_eq!((&to[..count], &to[count..]), (&from[..count], &vec![0; 60 - count][..]));
    }
}

#[test]
fn a_target_is_addressed_by_rows_and_columns() {
    let mut bytes = [0u8; 100];
    let target = Target { base: bytes.as_mut_ptr(), stride: 20, apart: 3, pixel: 3 };
    let offset = |x, y| target.at(x, y).addr() - target.base.addr();
    assert_eq!([(0, 0), (1, 0), (0, 1), (5, 4)].map(|(x, y)| offset(x, y)), [0, 3, 20, 95]);
    assert!(Target::NONE.at(3, 3).is_null());
}
