//! A tensor's metadata as text: `u8×3 640×480 NCHW; strides 3 1920 …`, everything else where it isn't the default.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use super::{Around, MAX_DIMENSIONS, Shape, TensorInfo};
use crate::text::{InvalidText, keyed, parts};

const INFO: InvalidText = InvalidText::new(
    "tensor's metadata",
    "u8×3 640×480 NCHW; strides 3 1920 921600 921600 921600 921600; first 0; buffer 921600; padding left 0, right 0, top 0, bottom 0; valid 0..640×0..480",
);

impl Display for TensorInfo {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{} {} {}; strides", self.element, self.channels, self.shape, self.layout)?;
        self.strides.iter().try_for_each(|stride| write!(f, " {stride}"))?;
        let (first, buffer, padding, valid) = (self.first, self.buffer, self.padding(), self.valid_region());
        write!(f, "; first {first}; buffer {buffer}; padding {padding}; valid {valid}")?;
        self.quantization.map_or(Ok(()), |quantization| write!(f, "; quantization {quantization}"))
    }
}

impl FromStr for TensorInfo {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<TensorInfo, InvalidText> {
        read(text).ok_or(INFO)
    }
}

fn read(text: &str) -> Option<TensorInfo> {
    let (plain, quantization) = match text.split_once("; quantization ") {
        Some((plain, quantization)) => (plain, Some(quantization.parse().ok()?)),
        None => (text, None),
    };
    let [kind, strides, first, buffer, padding, valid] = parts(plain, ";")?;
    let [kind, shape, layout] = parts(kind, " ")?;
    let [element, channels] = parts(kind, "×")?;
    let strides = parts::<MAX_DIMENSIONS>(keyed(strides, "strides")?, " ")?;
    let mut bytes = [0; MAX_DIMENSIONS];
    for (place, stride) in bytes.iter_mut().zip(strides) {
        *place = stride.parse().ok()?;
    }
    let shape: Shape = shape.parse().ok()?;
    let (element, channels) = (element.parse().ok()?, channels.parse().ok()?);
    let info = if shape.is_empty() {
        TensorInfo::checked(element, channels, shape, bytes)
    } else {
        TensorInfo::with_strides(element, channels, &shape.extents(), &bytes)
    };
    let info = info.ok()?.with_first_element(keyed(first, "first")?.parse().ok()?).ok()?;
    let info = info.with_valid_region(keyed(valid, "valid")?.parse().ok()?).ok()?;
    let buffer: usize = keyed(buffer, "buffer")?.parse().ok()?;
    let padding = Around::new(keyed(padding, "padding")?.parse().ok()?)?;
    let info = TensorInfo { buffer, padding, quantization, layout: layout.parse().ok()?, ..info };
    (info.buffer >= info.first + info.size && info.buffer <= isize::MAX as usize).then_some(info)
}
