//! Pipelines of the operators: functions that call them, which `#[pipeline]` makes one operator of.

use crate::ops::{
    sharpen::unsharp,
    tone::{invert, mix},
};
use windrow::{Error, prelude::*};

/// An image that is sharpened, and then mixed with its negative. The negative and the mixture are one kernel: `invert_mix`.
#[pipeline]
pub fn flat(src: &Tensor<u8>, #[uniform(0..=64)] amount: i32) -> Result<Tensor<u8>, Error> {
    let sharp = unsharp::apply(src, amount, Border::Replicate)?;
    let negative = invert::apply(src)?;
    mix::apply(&sharp, &negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_negative_is_never_stored() -> Result<(), Error> {
        let photo = Tensor::from_fn([60, 80], |[y, x]| (x ^ y) as u8)?;
        let chain = flat::chain(photo.info(), 24)?;
        assert_eq!(chain.stage_names().collect::<Vec<_>>(), ["unsharp", "invert_mix"]);
        assert_eq!(flat::apply(&photo, 24)?.to_vec(), flat(&photo, 24)?.to_vec());
        Ok(())
    }
}
