//! The contact sheet: all results, side by side, each with its name below.

use font8x8::{BASIC_FONTS, UnicodeFonts};
use image::{Rgb, RgbImage, imageops};

/// A result to look at.
pub struct Plate {
    pub name: &'static str,
    pub picture: RgbImage,
}

const COLUMNS: u32 = 4;
const GAP: u32 = 12;
const LABEL: u32 = 26;
/// The width of a plate on the sheet.
const WIDTH: u32 = 320;
const PAPER: Rgb<u8> = Rgb([250, 249, 246]);
const INK: Rgb<u8> = Rgb([38, 38, 42]);

/// Lays the plates out in a grid. A picture smaller than the first is shown as much smaller, in the
/// middle of its place.
pub fn contact_sheet(plates: &[Plate]) -> RgbImage {
    let Some(first) = plates.first() else { return RgbImage::new(1, 1) };
    let scale = f64::from(WIDTH) / f64::from(first.picture.width());
    let scaled = |pixels: u32| ((f64::from(pixels) * scale).round() as u32).max(1);
    let tallest = scaled(first.picture.height());
    let columns = COLUMNS.min(plates.len() as u32);
    let rows = (plates.len() as u32).div_ceil(columns);
    let (cell_width, cell_height) = (WIDTH + GAP, tallest + LABEL + GAP);
    let mut sheet = RgbImage::from_pixel(GAP + columns * cell_width, GAP + rows * cell_height, PAPER);
    for (index, plate) in (0..).zip(plates) {
        let (x, y) = (GAP + index % columns * cell_width, GAP + index / columns * cell_height);
        let (width, height) = (scaled(plate.picture.width()), scaled(plate.picture.height()));
        let small = imageops::resize(&plate.picture, width, height, imageops::FilterType::CatmullRom);
        let middle = |place: u32, small: u32| i64::from(place.saturating_sub(small) / 2);
        imageops::replace(
            &mut sheet,
            &small,
            i64::from(x) + middle(WIDTH, width),
            i64::from(y) + middle(tallest, height),
        );
        write(&mut sheet, plate.name, x, y + tallest + 6);
    }
    sheet
}

/// Writes a line of text, its upper left corner at (x, y), 8×16 pixels a letter.
fn write(sheet: &mut RgbImage, text: &str, x: u32, y: u32) {
    for (place, letter) in (0..).zip(text.chars()) {
        let Some(glyph) = BASIC_FONTS.get(letter) else { continue };
        for (row, bits) in (0..).zip(glyph) {
            for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                for half in 0..2 {
                    let (x, y) = (x + place * 8 + column, y + row * 2 + half);
                    if let Some(pixel) = sheet.get_pixel_mut_checked(x, y) {
                        *pixel = INK;
                    }
                }
            }
        }
    }
}
