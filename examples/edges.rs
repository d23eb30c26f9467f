//! Finds edges: a pipeline of three operators. What can be one kernel is one; the rest runs in bands of rows that stay in a core's cache.
use windrow::{Error, chain::OnProcessor, interop::image::view, prelude::*};
use windrow_operators::{gaussian3x3, magnitude, sobel3x3};

#[pipeline]
fn edges(src: &Tensor<u8>) -> Result<Tensor<i16>, Error> {
    let blurred = gaussian3x3::apply(src, Border::Replicate)?;
    let (dx, dy) = sobel3x3::apply(&blurred, Border::Replicate)?;
    magnitude::apply(&dx, &dy)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open("examples/images/astronaut.png")?.to_luma8();
    let photo = view(&photo)?;
    println!("the strongest edge is {:?}", edges::apply(photo)?.to_vec().into_iter().max());
    print!("{}", edges::chain(photo.info())?.compose(&OnProcessor)?.listing());
    Ok(())
}
