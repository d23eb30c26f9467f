//! Blocks and tiles: kernels whose result depends on a block, one written by hand, and pictures of who computes what.
//!
//! `cargo run --example tiling [PICTURE] [--output FOLDER]`

mod draw;
mod kernels;
mod posterise;
mod run;

use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Parser;
use image::{ImageReader, Luma, Rgb, RgbImage};
use windrow::{
    Border, Tensor,
    chain::ChainBuilder,
    spec::NeighbourhoodSpec,
    window::{Bodies, Division},
};
use windrow_operators::gaussian5x5;

/// Dithers, debayers, upsamples and posterises a picture, and draws how images are divided.
#[derive(Parser)]
struct Arguments {
    /// A PNG or a JPEG.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/images/astronaut.png"))]
    picture: PathBuf,
    /// The folder for the results.
    #[arg(long, short, default_value = "target/tiling")]
    output: PathBuf,
}

fn main() -> ExitCode {
    match work(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(&arguments.output)?;
    let photo = ImageReader::open(&arguments.picture)?.decode()?.to_rgb8();
    let save = |name: &str, picture: &RgbImage| picture.save(arguments.output.join(name));
    let grey = Tensor::from_fn([photo.height() as usize, photo.width() as usize], |[y, x]| {
        let Rgb([r, g, b]) = *photo.get_pixel(x as u32, y as u32);
        ((u32::from(r) * 54 + u32::from(g) * 183 + u32::from(b) * 19) >> 8) as u8
    })?;
    save("dithered.png", &from_grey(&run::dither(&grey)?))?;
    save("posterised.png", &from_grey(&run::posterise(&grey)?))?;
    save("debayered.png", &from_rgb(&run::debayer(&run::mosaic(&photo)?)?))?;
    save("upsampled.png", &run::through_nv12(&photo)?)?;
    for (name, division) in DIVISIONS {
        save(name, &draw::division(division)?)?;
    }
    save("bands.png", &bands()?)?;
    println!("{}: {} pictures", arguments.output.display(), 5 + DIVISIONS.len());
    Ok(())
}

const ALONE: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };
const AROUND: NeighbourhoodSpec = NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };

/// The tiling extension's figures, and generated kernels' own division of the same image.
#[rustfmt::skip]
const DIVISIONS: &[(&str, &Division)] = &[
    ("division-12x6.png",           &grid(12, 6, ALONE,  false)),
    ("division-14x6.png",           &grid(14, 6, ALONE,  false)),
    ("division-14x8-undefined.png", &grid(14, 8, AROUND, false)),
    ("division-14x8-self.png",      &grid(14, 8, AROUND, true)),
    ("division-14x8-generated.png", &Division { block: (1, 1), ..grid(14, 8, AROUND, true) }),
];

const fn grid(width: usize, height: usize, neighbourhood: NeighbourhoodSpec, self_bordered: bool) -> Division {
    let (block, bodies) = ((4, 1), Bodies::Both);
    Division { width, height, block, neighbourhood, self_bordered, bodies }
}

/// Three blurs, one after the other, in bands: what each reads is more than it writes.
fn bands() -> Result<RgbImage, Box<dyn Error>> {
    let image = *Tensor::<u8>::new([96, 640])?.info();
    let blur = gaussian5x5::configure(&image, &image, Border::Replicate)?;
    let mut chain = ChainBuilder::new();
    let mut slots = vec![chain.input(image)];
    for _ in 0..3 {
        slots = chain.stage(&blur, &slots)?;
    }
    slots.into_iter().try_for_each(|slot| chain.output(slot))?;
    let bands = chain.finish_in_bands(64 << 10)?;
    let (written, read): (Vec<_>, Vec<_>) = (bands.output_rows(0).collect(), bands.input_rows(0).collect());
    Ok(draw::bands(&written, &read, 2))
}

fn from_grey(image: &Tensor<u8>) -> RgbImage {
    let view = image.view();
    let shape = view.info().shape();
    RgbImage::from_fn(shape.width() as u32, shape.height() as u32, |x, y| {
        let Luma([value]) = Luma([view.get([y as usize, x as usize]).unwrap_or(0)]);
        Rgb([value; 3])
    })
}

fn from_rgb(image: &Tensor<[u8; 3]>) -> RgbImage {
    let view = image.view();
    let shape = view.info().shape();
    let pixel = |x, y| Rgb(view.get([y as usize, x as usize]).unwrap_or_default());
    RgbImage::from_fn(shape.width() as u32, shape.height() as u32, pixel)
}
