//! Pictures from files and to files, with errors that say what to do.

use std::{
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use image::{ImageError, ImageFormat, ImageReader, RgbImage, imageops};

/// The least width and height: smaller ones show nothing.
pub const LEAST: u32 = 16;
/// The greatest number of pixels.
pub const MOST: u64 = 64 << 20;

/// Why a picture can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file can't be opened.
    #[error("cannot open {}: {error}", path.display())]
    Open { path: PathBuf, error: io::Error },
    /// The first bytes are those of no format that is read here.
    #[error("{} is neither a PNG nor a JPEG", path.display())]
    NotAPicture { path: PathBuf },
    /// The bytes end, or go wrong, before the last pixel.
    #[error("{} is damaged or cut short: {error}", path.display())]
    Damaged { path: PathBuf, error: ImageError },
    /// Too few pixels.
    #[error("{} has {width}×{height} pixels; at least {LEAST}×{LEAST} are needed", path.display())]
    TooSmall { path: PathBuf, width: u32, height: u32 },
    /// Too many pixels.
    #[error("{} has {width}×{height} pixels; at most {MOST} are taken, scale it down first", path.display())]
    TooLarge { path: PathBuf, width: u32, height: u32 },
    /// The file can't be written.
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: ImageError },
    /// The folder can't be made.
    #[error("cannot make the folder {}: {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
}

/// Reads a PNG or a JPEG, whatever its name; transparency is dropped.
pub fn load(path: &Path) -> Result<RgbImage, PictureError> {
    let owned = || path.to_owned();
    let open = |error| PictureError::Open { path: owned(), error };
    if path.is_dir() {
        return Err(open(io::ErrorKind::IsADirectory.into()));
    }
    let file = BufReader::new(File::open(path).map_err(open)?);
    let mut reader = ImageReader::new(file).with_guessed_format().map_err(open)?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err(PictureError::NotAPicture { path: owned() });
    }
    // The size is checked below, in pixels, before anything is decoded.
    reader.no_limits();
    let damaged = |error| PictureError::Damaged { path: owned(), error };
    let decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = image::ImageDecoder::dimensions(&decoder);
    if width < LEAST || height < LEAST {
        return Err(PictureError::TooSmall { path: owned(), width, height });
    }
    if u64::from(width) * u64::from(height) > MOST {
        return Err(PictureError::TooLarge { path: owned(), width, height });
    }
    let picture = image::DynamicImage::from_decoder(decoder).map_err(damaged)?;
    Ok(picture.into_rgb8())
}

/// Scales a picture up by the whole number that brings it nearest to so many megapixels; smaller ones than that stay as they are.
pub fn enlarge(picture: RgbImage, megapixels: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let factor = (f64::from(megapixels) * 1e6 / (f64::from(width) * f64::from(height))).sqrt().round() as u32;
    if factor < 2 {
        return picture;
    }
    imageops::resize(&picture, width * factor, height * factor, imageops::FilterType::Triangle)
}

/// Writes a PNG.
pub fn save(picture: &RgbImage, path: &Path) -> Result<(), PictureError> {
    let write = |error| PictureError::Write { path: path.to_owned(), error };
    picture.save_with_format(path, ImageFormat::Png).map_err(write)
}

/// Makes a folder, and those above it.
pub fn make_folder(path: &Path) -> Result<(), PictureError> {
    std::fs::create_dir_all(path).map_err(|error| PictureError::Folder { path: path.to_owned(), error })
}
