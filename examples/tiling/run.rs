//! Runs the kernels on whole images.

use std::error::Error;

use image::{Rgb, RgbImage};
use windrow::{
    Border, Tensor,
    schedule::{Rayon, schedule},
    tensor::{Format, PlanarMut},
    tiling::TilingRequest,
};

use crate::{
    kernels::{debayer as debayer_kernel, ordered_dither, upsample_uv},
    posterise::POSTERISE,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Black and white.
pub fn dither(grey: &Tensor<u8>) -> Result<Tensor<u8>> {
    let mut out = Tensor::with_info(*grey.info())?;
    let configured = ordered_dither::configure(grey.info(), out.info())?;
    configured.run(&Rayon::new(), grey.view(), out.view_mut())?;
    Ok(out)
}

/// Sixteen levels, by the kernel that was written by hand.
pub fn posterise(grey: &Tensor<u8>) -> Result<Tensor<u8>> {
    let mut out = Tensor::with_info(*grey.info())?;
    let mut configured = POSTERISE.configure(&TilingRequest::new(&[grey.info()], &[out.info()]), &mut [])?;
    let mut outputs = [out.view_mut().any()];
    schedule(&Rayon::new(), &mut configured.bind(&[grey.view().any()], &mut outputs)?)?;
    Ok(out)
}

/// What a sensor behind a filter of red, green; green, blue sees.
pub fn mosaic(photo: &RgbImage) -> Result<Tensor<u8>> {
    let (width, height) = photo.dimensions();
    Ok(Tensor::from_fn([width as usize, height as usize], |x, y, _| {
        let Rgb(pixel) = *photo.get_pixel(x as u32, y as u32);
        pixel[x % 2 + y % 2]
    })?)
}

/// Full colour. The border mirrors without repeating the edge: colours stay where they belong in their blocks.
pub fn debayer(mosaic: &Tensor<u8>) -> Result<Tensor<[u8; 3]>> {
    let mut out = Tensor::new([mosaic.shape().width(), mosaic.shape().height()])?;
    let configured = debayer_kernel::configure(mosaic.info(), out.info(), Border::Reflect101)?;
    configured.run(&Rayon::new(), mosaic.view(), out.view_mut())?;
    Ok(out)
}

/// Chroma brought to full size: blocks of 2 × 2 are written as pixels of two pairs in rows that alternate. `full` has even
/// extents.
pub fn upsample(chroma: windrow::View<'_, [u8; 2]>, full: windrow::ViewMut<'_, [u8; 2]>) -> Result<()> {
    let (upper, lower) = full.regroup::<[u8; 4]>()?.alternate_rows()?;
    let configured = upsample_uv::configure(chroma.info(), upper.info(), lower.info(), Border::Replicate)?;
    Ok(configured.run(&Rayon::new(), chroma, (upper, lower))?)
}

/// The photograph through NV12 and back: luma as it is, chroma at a quarter of the size, upsampled.
pub fn through_nv12(photo: &RgbImage) -> Result<RgbImage> {
    let (width, height) = (photo.width() as usize / 2 * 2, photo.height() as usize / 2 * 2);
    let yuv = |x: usize, y: usize| {
        let Rgb([r, g, b]) = photo.get_pixel(x as u32, y as u32).0.map(f32::from).into();
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        [luma, (b - luma) / 1.8556 + 128.0, (r - luma) / 1.5748 + 128.0]
    };
    let mut bytes = vec![0; width * height * 3 / 2];
    let mut image = PlanarMut::from_slice(Format::Nv12, width, height, &mut bytes)?;
    let mut luma = image.plane::<u8>(0)?;
    for y in 0..height {
        let row = luma.row_mut(y).into_iter().flatten().enumerate();
        row.for_each(|(x, value)| *value = yuv(x, y)[0].round() as u8);
    }
    let mut chroma = image.plane::<[u8; 2]>(1)?;
    for y in 0..height / 2 {
        let row = chroma.row_mut(y).into_iter().flatten().enumerate();
        row.for_each(|(x, pair)| {
            let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| yuv(2 * x + dx, 2 * y + dy));
            *pair = [1, 2].map(|c| (block.iter().map(|pixel| pixel[c]).sum::<f32>() / 4.0).round() as u8);
        });
    }
    let image = image.view();
    let mut full = Tensor::<[u8; 2]>::new([width, height])?;
    upsample(image.plane(1)?, full.view_mut())?;
    let (luma, chroma) = (image.plane::<u8>(0)?, full.view());
    Ok(RgbImage::from_fn(width as u32, height as u32, |x, y| {
        let at = [x as usize, y as usize];
        let (y, [u, v]) = (luma.get(at).unwrap_or(0), chroma.get(at).unwrap_or([128; 2]));
        let (y, u, v) = (f32::from(y), f32::from(u) - 128.0, f32::from(v) - 128.0);
        Rgb([y + 1.5748 * v, y - 0.1873 * u - 0.4681 * v, y + 1.8556 * u].map(|value| value.round() as u8))
    }))
}
