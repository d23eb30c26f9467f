//! What the photograph example says of files that are no photographs, and what it makes of those that are.

#[path = "../src/picture.rs"]
mod picture;
#[path = "../src/sheet.rs"]
#[allow(dead_code)]
mod sheet;

use std::{fs, path::PathBuf};

use image::RgbImage;
use picture::{PictureError, enlarge, load, make_folder, save};

const PHOTOGRAPH: &[u8] = include_bytes!("../../images/astronaut.png");

/// A file with these bytes, in a folder of this test's own.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("photo");
    make_folder(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Loading fails with a message that names the file and holds `reason`.
fn refused(path: PathBuf, reason: &str) -> PictureError {
    let error = load(&path).unwrap_err();
    let message = error.to_string();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(message.contains(&name) && message.contains(reason), "{message:?} should name {name} and say {reason:?}");
    error
}

#[test]
fn the_photograph_that_is_shipped_is_read() {
    assert_eq!(load(&file("whole.png", PHOTOGRAPH)).unwrap().dimensions(), (512, 512));
}

#[test]
fn a_jpeg_is_read_whatever_its_name() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbImage::new(40, 30).write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    assert_eq!(load(&file("jpeg.png", bytes.get_ref())).unwrap().dimensions(), (40, 30));
    let half = &bytes.get_ref()[..bytes.get_ref().len() / 3];
    refused(file("half.jpg", half), "damaged or cut short");
}

#[test]
fn a_missing_file_is_named() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-such-picture.png");
    assert!(matches!(refused(path, "cannot open"), PictureError::Open { .. }));
}

#[test]
fn a_folder_is_no_picture() {
    assert!(matches!(refused(PathBuf::from(env!("CARGO_TARGET_TMPDIR")), "cannot open"), PictureError::Open { .. }));
}

#[test]
fn a_picture_cut_short_is_damaged() {
    for length in [20, 1000, PHOTOGRAPH.len() / 2] {
        let error = refused(file(&format!("cut-{length}.png"), &PHOTOGRAPH[..length]), "damaged or cut short");
        assert!(matches!(error, PictureError::Damaged { .. }));
    }
}

#[test]
fn other_files_are_no_pictures() {
    for (name, bytes) in [("empty.png", &b""[..]), ("text.jpg", b"a photograph, in words"), ("gif.png", b"GIF89a....")]
    {
        assert!(matches!(refused(file(name, bytes), "neither a PNG nor a JPEG"), PictureError::NotAPicture { .. }));
    }
}

#[test]
fn pictures_too_small_or_too_large_are_refused_with_their_size() {
    let path = file("small.png", b"");
    save(&RgbImage::new(15, 400), &path).unwrap();
    assert!(matches!(refused(path, "15×400"), PictureError::TooSmall { .. }));
    // A header that promises 2^30 pixels: refused before anything is decoded.
    let mut huge = PHOTOGRAPH[..33].to_vec();
    huge[16..24].copy_from_slice(&[0, 0, 128, 0, 0, 0, 128, 0]);
    let crc = crc32(&huge[12..29]);
    huge[29..33].copy_from_slice(&crc.to_be_bytes());
    huge.extend(&PHOTOGRAPH[33..]);
    assert!(matches!(refused(file("huge.png", &huge), "32768×32768"), PictureError::TooLarge { .. }));
}

#[test]
fn small_pictures_are_enlarged_by_a_whole_number() {
    let size = |width, height, megapixels| enlarge(RgbImage::new(width, height), megapixels).dimensions();
    assert_eq!(size(512, 512, 4), (2048, 2048));
    assert_eq!(size(512, 512, 0), (512, 512));
    assert_eq!(size(1500, 1000, 2), (1500, 1000));
}

/// The check sum of a PNG's chunk.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[test]
fn the_contact_sheet_holds_every_plate_and_its_name() {
    let plate = |shade| sheet::Plate { name: "a name", picture: RgbImage::from_pixel(64, 48, image::Rgb([shade; 3])) };
    let plates: Vec<_> = [10, 20, 30, 40, 50].map(plate).into_iter().collect();
    let sheet = sheet::contact_sheet(&plates);
    for shade in [10, 20, 30, 40, 50] {
        assert!(sheet.pixels().any(|pixel| pixel.0 == [shade; 3]), "the plate of shade {shade} is missing");
    }
}
