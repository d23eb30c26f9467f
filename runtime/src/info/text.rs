//! A tensor's metadata as text: `u8×3 640×480 NCHW; strides 3 1920 …`, and what isn't the default.

use core::fmt::{Display, Formatter, Result as Written};

use super::TensorInfo;

impl Display for TensorInfo {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{} {} {}; strides", self.element, self.channels, self.shape, self.layout)?;
        self.strides.iter().try_for_each(|stride| write!(f, " {stride}"))?;
        write!(f, "; first {}; buffer {}; valid {}", self.first, self.buffer, self.valid_region())?;
        self.quantization.map_or(Ok(()), |quantization| write!(f, "; quantization {quantization}"))
    }
}
