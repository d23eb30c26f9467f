//! A tensor's metadata as text: `u8×3 480×640 NCHW; strides … 1920 3`, everything else where it isn't the default.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use super::{Around, MAX_DIMENSIONS, Shape, TensorInfo};
use crate::text::{InvalidText, keyed, parts};

const INFO: InvalidText = InvalidText::new(
    "tensor's metadata",
    "u8×3 480×640 NCHW; strides 1920 3; first 0; buffer 921600; padding left 0, right 0, top 0, bottom 0; valid 0..480×0..640",
);

impl Display for TensorInfo {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{} {} {}; strides", self.element, self.channels, self.shape, self.layout)?;
        self.strides().iter().try_for_each(|stride| write!(f, " {stride}"))?;
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
    let shape: Shape = shape.parse().ok()?;
    let (mut bytes, mut texts) =
        ([0; MAX_DIMENSIONS], keyed(strides, "strides").unwrap_or_default().split_whitespace());
    for place in bytes.iter_mut().take(shape.rank()) {
        *place = texts.next()?.parse().ok()?;
    }
    let (element, channels) = (element.parse().ok()?, channels.parse().ok()?);
    if texts.next().is_some() {
        return None;
    }
    let info = TensorInfo::with_strides(element, channels, shape.extents(), &bytes[..shape.rank()]);
    let info = info.ok()?.with_first_element(keyed(first, "first")?.parse().ok()?).ok()?;
    let info = info.with_valid_region(keyed(valid, "valid")?.parse().ok()?).ok()?;
    let buffer: usize = keyed(buffer, "buffer")?.parse().ok()?;
    let padding = Around::new(keyed(padding, "padding")?.parse().ok()?)?;
    let info = TensorInfo { buffer, padding, quantization, layout: layout.parse().ok()?, ..info };
    (info.buffer >= info.first + info.size && info.buffer <= isize::MAX as usize).then_some(info)
}
