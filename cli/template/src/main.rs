//! Sharpens a picture: `cargo run --release -- IN.png OUT.png [AMOUNT]`.

use std::{env, error::Error, process::ExitCode};

use image::{GrayImage, RgbImage};
use own_operators::ops::sharpen::sharpen;
use windrow::Border;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (input, output, amount) = match &arguments[..] {
        [input, output] => (input, output, "16"),
        [input, output, amount] => (input, output, amount.as_str()),
        _ => {
            eprintln!("usage: own-operators IN.png OUT.png [AMOUNT, in sixteenths, 0 to 64]");
            return ExitCode::from(2);
        }
    };
    if cfg!(debug_assertions) {
        eprintln!("note: a debug build checks arithmetic and is optimised in part: measure with `cargo run --release`");
    }
    match develop(input, output, amount) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Sharpens each channel of a picture.
fn develop(input: &str, output: &str, amount: &str) -> Result<(), Box<dyn Error>> {
    let amount = amount.parse().map_err(|error| format!("the amount `{amount}` is not a number: {error}"))?;
    let mut picture: RgbImage = image::open(input).map_err(|error| format!("{input}: {error}"))?.to_rgb8();
    for channel in 0..3 {
        let plane = GrayImage::from_fn(picture.width(), picture.height(), |x, y| [picture[(x, y)][channel]].into());
        let sharp: GrayImage = sharpen::apply(&plane, amount, Border::Replicate)?;
        for (pixel, value) in picture.pixels_mut().zip(sharp.iter()) {
            pixel[channel] = *value;
        }
    }
    picture.save(output).map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}
