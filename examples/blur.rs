//! Blurs a photo: `cargo run --release --example blur [PHOTO [BLURRED]]`.
use std::env::args;
use windrow::prelude::*;
use windrow_operators::gaussian5x5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open(args().nth(1).unwrap_or("examples/images/astronaut.png".into()))?.to_luma8();
    let blurred = gaussian5x5::apply(&photo, Border::Replicate)?;
    // Cargo may build elsewhere.
    std::fs::create_dir_all("target")?;
    Ok(blurred.save(args().nth(2).unwrap_or("target/blurred.png".into()))?)
}
