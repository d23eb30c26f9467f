//! Finds edges: three operators one after another, in bands of rows that stay in a core's cache.
use windrow::{chain::*, interop::image::view, prelude::*};
use windrow_operators::{gaussian3x3, magnitude, sobel3x3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open("examples/images/astronaut.png")?.to_luma8();
    let photo = view(&photo)?;
    let (bytes, mut edges) = (photo.info(), Tensor::<i16>::new([photo.info().width(), photo.info().height()])?);
    let words = edges.info();
    let mut chain = ChainBuilder::new();
    let source = chain.input(*bytes);
    let [blurred] = chain.add(&gaussian3x3::configure(bytes, bytes, Border::Replicate)?, &[source])?;
    let [dx, dy] = chain.add(&sobel3x3::configure(bytes, Some(words), Some(words), Border::Replicate)?, &[blurred])?;
    let [strength] = chain.add(&magnitude::configure(words, words, words)?, &[dx, dy])?;
    chain.output(strength)?;
    let chain = chain.compose(&InBands { cache: CACHE })?;
    chain.run(&Rayon::new(), &[photo.any()], &mut [edges.view_mut().any()])?;
    println!("the strongest edge is {:?}", edges.to_vec().into_iter().max());
    Ok(())
}
