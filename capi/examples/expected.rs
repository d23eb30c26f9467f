//! What the programs in C and C++ beside this one print, computed by Rust: `blur` and `gradients`.

use std::{error::Error, fmt::Write};

use windrow::{Border, Element, Tensor};
use windrow_operators::{convolve3x3, gaussian3x3, sobel3x3};

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1).as_deref() {
        Some("blur") => blur()?,
        Some("gradients") => gradients()?,
        _ => return Err("name the program: blur or gradients".into()),
    };
    print!("{text}");
    Ok(())
}

fn pixel(y: usize, x: usize) -> u8 {
    (7 * x + 13 * y + x * y % 11) as u8
}

fn blur() -> Result<String, Box<dyn Error>> {
    let part = Tensor::from_fn([24, 40], |[y, x]| pixel(y + 5, x + 9))?;
    let mut text = "invalid configuration: `out` holds f32, expected u8\n".to_owned();
    for row in gaussian3x3::apply(&part, Border::Replicate)?.to_vec().chunks(40) {
        for value in row {
            write!(text, "{value:02x}")?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn gradients() -> Result<String, Box<dyn Error>> {
    let image = Tensor::from_fn([24, 40], |[y, x]| pixel(y, x))?;
    let (dx, dy) = sobel3x3::apply(&image, Border::constant(100u8))?;
    let k = [[0, -1, 0], [-1, 5, -1], [0, -1, 0]];
    let sums = convolve3x3::<i16>::apply(&image, k, 1, Border::Reflect101)?;
    Ok([dx, dy, sums].iter().map(rows).collect::<String>() + "unknown operator: there is no operator `gaussian4x4`\n")
}

fn rows<T: Element + ToString>(tensor: &Tensor<T>) -> String {
    let elements = tensor.to_vec();
    let row = |row: &[T]| row.iter().map(T::to_string).collect::<Vec<_>>().join(" ") + "\n";
    elements.chunks(40).map(row).collect()
}
