//! Says what is on a photograph: `cargo run --release --example classify [PHOTO]`.
//!
//! MobileNetV2 in integers of 8 bits, which TensorFlow Lite runs on phones, with the bits of its reference kernels.
use image::imageops::{FilterType, crop_imm};
use windrow::{Rayon, Tensor};
use windrow_graph::Model;

const MODEL: &str = "graph/tests/models/quantized/mobilenet_v2_int8.tflite";
const NAMES: &str = include_str!("../cli/src/run/imagenet.txt");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = Model::from_bytes(&std::fs::read(MODEL)?)?.plan()?;
    let photo = image::open(std::env::args().nth(1).unwrap_or("examples/images/coffee.png".into()))?;
    // The middle of the photo, of which the shorter side has 256 pixels.
    let photo = photo.resize_to_fill(256, 256, FilterType::Triangle).to_rgb8();
    let photo = crop_imm(&photo, 16, 16, 224, 224).to_image();
    // [image, channel, row, column], as far from the mean of ImageNet's photographs as they are spread, in steps of the network's scale.
    let (_, input) = plan.inputs().next().ok_or("the network reads nothing")?;
    let scaled = input.quantization().ok_or("the network reads floats")?;
    let (mean, spread) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
    let pixels = Tensor::from_fn([1, 3, 224, 224], |[_, channel, row, column]| {
        let value = f32::from(photo.get_pixel(column as u32, row as u32).0[channel]) / 255.0;
        let value = (value - mean[channel]) / spread[channel];
        ((value / scaled.scale()).round() + scaled.offset() as f32) as i8
    })?;
    let scores = plan.apply::<i8>(&Rayon::new(), &[pixels.view().any()])?[0].to_vec();
    let mut classes: Vec<(usize, &str)> = NAMES.lines().enumerate().collect();
    classes.sort_by_key(|&(class, _)| std::cmp::Reverse(scores[class]));
    for (class, name) in classes.into_iter().take(5) {
        println!("{:4}  {name}", scores[class]);
    }
    Ok(())
}
