//! Quantized integers: `value = scale · (integer − offset)`.

use core::fmt::{Display, Formatter, Result as Written};

use crate::info::InvalidTensor;

/// What the integers of a tensor stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantization {
    scale: f32,
    offset: i32,
}

// The scale is no NaN.
impl Eq for Quantization {}

impl Quantization {
    /// Describes integers that stand for `scale · (integer − offset)`; the scale is positive.
    ///
    /// ```
    /// use windrow::tensor::Quantization;
    ///
    /// let quantization = Quantization::new(0.5, 128)?;
    /// assert_eq!(quantization.dequantize(130), 1.0);
    /// assert!(Quantization::new(f32::NAN, 0).is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub const fn new(scale: f32, offset: i32) -> Result<Quantization, InvalidTensor> {
        if scale > 0.0 && scale <= f32::MAX { Ok(Quantization { scale, offset }) } else { Err(InvalidTensor::Scale) }
    }

    /// Returns the value of one step.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the integer that stands for 0.
    pub const fn offset(&self) -> i32 {
        self.offset
    }

    /// Returns what `integer` stands for.
    pub fn dequantize(&self, integer: i32) -> f32 {
        self.scale * (i64::from(integer) - i64::from(self.offset)) as f32
    }
}

impl Display for Quantization {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "scale {:?}, offset {}", self.scale, self.offset)
    }
}
