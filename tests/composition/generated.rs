//! The generated tests of chains: one line each.

use crate::{add_into, darker, spread, widen};
use windrow::{chain::*, prelude::*};

/// Reads its neighbours twice, and adds to a sum in place.
fn summed(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
    let bytes = &inputs[0];
    let words = TensorInfo::of::<i16>(&bytes.shape().extents())?;
    let mut chain = ChainBuilder::new();
    let (src, by) = (chain.input(*bytes), chain.input(inputs[1]));
    let [a] = chain.add(&spread::configure(bytes, bytes, Border::Wrap)?, &[src])?;
    let [b] = chain.add(&spread::configure(bytes, bytes, Border::Undefined)?, &[a])?;
    let seen = chain.info(b)?;
    let [wide] = chain.add(&widen::configure(&seen, &words)?, &[b])?;
    let [sum] = chain.add(&add_into::configure(bytes, &words)?, &[by, wide])?;
    chain.output(sum)?;
    Ok(chain)
}

/// Reads the elements of a value in another shape, which bands do not have.
fn reshaped(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
    let bytes = &inputs[0];
    let mut chain = ChainBuilder::new();
    let src = chain.input(*bytes);
    let [dark] = chain.add(&darker::configure(bytes, bytes)?, &[src])?;
    let tall = chain.reshape(dark, &[bytes.width(), bytes.height()])?;
    let tall_info = chain.info(tall)?;
    let [out] = chain.add(&spread::configure(&tall_info, &tall_info, Border::Replicate)?, &[tall])?;
    chain.output(out)?;
    Ok(chain)
}

windrow::chain_tests! { mod summed_everywhere: summed(u8, u8); }

windrow::chain_tests! { mod reshaped_but_in_bands: reshaped(u8), refused: [in_bands]; }
