//! What a network is given: a picture that is made to fit, or an array.

use std::path::Path;

use image::imageops::FilterType;
use windrow::{AnyView, Tensor, TensorInfo, tensor::DType};

use super::RunError;
use crate::network::bytes;

/// A tensor of one of the types that networks read.
#[derive(Debug)]
pub(super) enum Given {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
}

/// What a picture's channels, between 0 and 1, have subtracted, and what they are divided by then.
pub(super) struct Normal {
    pub mean: [f32; 3],
    pub std: [f32; 3],
}

impl Given {
    pub fn view(&self) -> AnyView<'_> {
        match self {
            Given::Floats(tensor) => tensor.view().any(),
            Given::Bytes(tensor) => tensor.view().any(),
        }
    }
}

/// Reads a file for an input of a network.
pub(super) fn read(file: &Path, input: &TensorInfo, normal: &Normal) -> Result<Given, RunError> {
    if file.extension().is_some_and(|extension| extension == "npy") {
        return array(file, input);
    }
    let wrong = |found: String, rule: &str| RunError::Given { file: file.to_owned(), found, rule: rule.to_owned() };
    let picture = image::load_from_memory(&bytes(file)?).map_err(|error| {
        let found = match error {
            image::ImageError::Unsupported(_) => format!("has a format that is not read ({error})"),
            _ => format!("can't be read as a picture ({error})"),
        };
        wrong(found, "pictures are PNG or JPEG, and arrays NumPy's `.npy`")
    })?;
    let extents = input.shape().extents();
    let (channels, rows, columns, is_last) = match extents[..] {
        [1, channels @ (1 | 3), rows, columns] => (channels, rows, columns, false),
        [1, rows, columns, channels @ (1 | 3)] => (channels, rows, columns, true),
        _ => {
            let rule = format!("the network reads {}, no image of one or three channels", input.shape());
            return Err(wrong("is a picture".to_owned(), &rule));
        }
    };
    let picture = middle(&picture, rows, columns);
    let element = |place: usize| {
        let (channel, row, column) = if is_last {
            (place % channels, place / channels / columns, place / channels % columns)
        } else {
            (place / (rows * columns), place / columns % rows, place % columns)
        };
        let pixel = picture.get_pixel(column as u32, row as u32).0;
        // Of one channel: how bright it is to the eye, as ITU-R BT.601 weighs the three.
        let value = |channel: usize| (f32::from(pixel[channel]) / 255.0 - normal.mean[channel]) / normal.std[channel];
        match channels {
            1 => 0.299 * value(0) + 0.587 * value(1) + 0.114 * value(2),
            _ => value(channel),
        }
    };
    let values = (0..extents.iter().product()).map(element);
    Ok(match input.quantization() {
        None => Given::Floats(filled(input, values)?),
        Some(found) => {
            let quantized = |value: f32| ((value / found.scale()).round() + found.offset() as f32) as i8;
            Given::Bytes(filled(input, values.map(quantized))?)
        }
    })
}

/// The middle of a picture of which the shorter side is an eighth longer than needed.
fn middle(picture: &image::DynamicImage, rows: usize, columns: usize) -> image::RgbImage {
    let (width, height) = (picture.width().max(1) as usize, picture.height().max(1) as usize);
    let (rows, columns) = (rows.max(1), columns.max(1));
    // What is kept of the picture has the shape that is needed; rounded down, but to no less than that.
    let scale = f64::max(columns as f64 / width as f64, rows as f64 / height as f64) * 8.0 / 7.0;
    let scaled = |extent: usize, least: usize| ((extent as f64 * scale).round() as usize).max(least) as u32;
    let resized = picture.resize_exact(scaled(width, columns), scaled(height, rows), FilterType::Triangle).to_rgb8();
    let (left, top) = ((resized.width() - columns as u32) / 2, (resized.height() - rows as u32) / 2);
    image::imageops::crop_imm(&resized, left, top, columns as u32, rows as u32).to_image()
}

fn filled<T: windrow::Element<Channel = T>>(
    input: &TensorInfo,
    values: impl Iterator<Item = T>,
) -> Result<Tensor<T>, RunError> {
    let mut tensor = Tensor::with_info(*input)?;
    tensor.storage_mut().iter_mut().zip(values).for_each(|(element, value)| *element = value);
    Ok(tensor)
}

/// An array in NumPy's format, of the input's type and shape.
fn array(file: &Path, input: &TensorInfo) -> Result<Given, RunError> {
    let wrong = |found: String, rule: String| RunError::Given { file: file.to_owned(), found, rule };
    let bytes = bytes(file)?;
    let array = npyz::NpyFile::new(&bytes[..])
        .map_err(|error| wrong(format!("is no array ({error})"), "it should be one of NumPy's files".to_owned()))?;
    let expected = || format!("the network reads {} of {}", input.shape(), input.dtype().name());
    let shape: Vec<usize> = array.shape().iter().map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX)).collect();
    if shape[..] != input.shape().extents()[..] || array.order() != npyz::Order::C {
        return Err(wrong(format!("has the shape {shape:?}, {:?} order", array.order()), expected()));
    }
    let unread = |error: std::io::Error| wrong(format!("holds something else ({error})"), expected());
    let of_type = |error: npyz::DTypeError| wrong(format!("holds something else ({error})"), expected());
    if input.dtype() == DType::I8 {
        let elements = array.data::<i8>().map_err(of_type)?.collect::<Result<Vec<_>, _>>().map_err(unread)?;
        Ok(Given::Bytes(filled(input, elements.into_iter())?))
    } else {
        let elements = array.data::<f32>().map_err(of_type)?.collect::<Result<Vec<_>, _>>().map_err(unread)?;
        Ok(Given::Floats(filled(input, elements.into_iter())?))
    }
}
