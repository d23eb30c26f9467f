//! Convolutions of few channels.
//!
//! A loop over three channels is over before it has begun, and fills none of the instructions that multiply four bytes at a time. In an
//! image whose channels go last, what lies under a row of a window lies side by side, and is as many channels of one column:
//!
//! ```text
//!   r g b r g b r g b r g b r g b      a row of an image
//!   └───────────────┘                  the window of the first output
//!               └───────────────┘      that of the next one, two columns further on
//! ```
//!
//! The image of these columns is a matter of strides. One whose channels do not go last, or with pads at its sides, is copied first, with
//! its pads: it has few channels, and is small beside what is computed of it. Sums have their terms in the same order.

use crate::{array::Array, fold::Layer, lower::Lowering, slot::Slot, sums::Numbers};

/// The most channels that a loop of their own is too short for.
const FEW: usize = 3;

/// A convolution whose windows are a column wide.
#[derive(Debug, PartialEq)]
pub(crate) struct RowWindows {
    /// `[image, row, window, channel]`.
    pub src: Slot,
    /// `[row, 1, channel, output]`.
    pub weights: Slot,
    pub numbers: Numbers,
}

/// What there is of a convolution along its rows.
pub(crate) struct Columns<'n> {
    /// Of a window, and of the output.
    pub window: usize,
    pub outputs: usize,
    pub numbers: &'n Numbers,
    /// Channels are a multiple of so many: those behind a window's are other elements, which are to be multiplied by zeros.
    pub together: usize,
}

impl Columns<'_> {
    /// The channels of the windows of an image of so many.
    fn taken(&self, channels: usize) -> usize {
        (self.window * channels).next_multiple_of(self.together)
    }

    /// The same convolution of windows that are a column wide: of an image, `[image, row, column, channel]`, and weights,
    /// `[row, column, channel, output]`, where channels are few. Between this element's pads, where there are any.
    pub fn as_channels(
        &self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        [src, weights]: [&Slot; 2],
        pad: Array,
    ) -> Option<RowWindows> {
        let &Numbers { stride: [_, step], dilation: [_, 1], pads: [_, left, _, right] } = self.numbers else {
            return None;
        };
        let &[images, rows, width, channels] = &src.extents[..] else { return None };
        if !(1..=FEW).contains(&channels) || self.window == 1 || self.outputs == 0 {
            return None;
        }
        let weights = self.with_zeros(lowering, layer, weights)?;
        if (left, right) == (0, 0)
            && let Some((src, numbers)) = self.of_rows(src)
        {
            return Some(RowWindows { src, weights, numbers });
        }
        let left = usize::try_from(left).ok()?;
        let last = (self.outputs - 1).checked_mul(usize::try_from(step).ok()?)?;
        let all = last.checked_add(self.taken(channels).div_ceil(channels))?.max(width.checked_add(left)?);
        let image = lowering.memory(src.element, &[images, rows, all, channels]);
        let pad = lowering.constant(pad, &[1; 4]);
        for side in [0..left, left + width..all] {
            if !side.is_empty() {
                let side = image.part(2, side.start, side.len());
                lowering.copy_for(layer, pad.spread(&side.extents), side);
            }
        }
        lowering.copy_for(layer, src.clone(), image.part(2, left, width));
        let (src, numbers) = self.of_rows(&image)?;
        Some(RowWindows { src, weights, numbers })
    }

    /// The weights of windows that are a column wide, with zeros behind those of each row.
    fn with_zeros(&self, lowering: &mut Lowering<'_>, layer: &Layer<'_>, weights: &Slot) -> Option<Slot> {
        let &[rows, columns, channels, outputs] = &weights.extents[..] else { return None };
        let (own, taken) = (columns * channels, self.taken(channels));
        if own == taken {
            return weights.reshaped(&[rows, 1, taken, outputs]);
        }
        let of_rows = weights.reshaped(&[rows, own * outputs])?;
        let wide = lowering.widened(layer, of_rows, taken * outputs).ok()?;
        Some(wide.like(&[rows, 1, taken, outputs]))
    }

    /// The rows of an image without pads at its sides; `None` where they do not lie side by side, or one ends outside.
    fn of_rows(&self, src: &Slot) -> Option<(Slot, Numbers)> {
        let (&[images, rows, width, channels], &[image, row, pixel, 1]) = (&src.extents[..], &src.strides[..]) else {
            return None;
        };
        let &Numbers { stride: [down, right], dilation, pads: [top, _, bottom, _] } = self.numbers;
        let (step, taken) = (usize::try_from(right).ok()?.checked_mul(channels)?, self.taken(channels));
        let end = self.outputs.checked_sub(1)?.checked_mul(step)?.checked_add(taken)?;
        let (extents, strides) = (vec![images, rows, self.outputs, taken], vec![image, row, step, 1]);
        let numbers = Numbers { stride: [down, 1], dilation, pads: [top, 0, bottom, 0] };
        (pixel == channels && end <= width * channels).then_some((Slot { extents, strides, ..*src }, numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slot::Root;

    fn image(extents: [usize; 4]) -> Slot {
        Slot::packed(Root::Input(0), &extents)
    }

    #[test]
    fn rows_of_windows_are_channels() {
        let numbers = Numbers { stride: [2, 2], dilation: [2, 1], pads: [1, 0, 3, 0] };
        let columns = |together| Columns { window: 3, outputs: 111, numbers: &numbers, together };
        for (together, taken) in [(4, 12), (1, 9)] {
            let (src, numbers) = columns(together).of_rows(&image([2, 9, 224, 3]).part(0, 1, 1)).unwrap();
            assert_eq!((src.offset, src.extents, src.strides), (6048, vec![1, 9, 111, taken], vec![6048, 672, 6, 1]));
            assert_eq!(numbers, Numbers { stride: [2, 1], dilation: [2, 1], pads: [1, 0, 3, 0] });
        }
        // The last one's zeros end outside; channels or columns lie apart.
        assert!(
            columns(4).of_rows(&image([1, 9, 223, 3])).is_none()
                && columns(1).of_rows(&image([1, 9, 223, 3])).is_some()
        );
        assert!(columns(1).of_rows(&image([1, 3, 9, 224]).permuted(&[0, 2, 3, 1])).is_none());
        assert!(columns(1).of_rows(&image([1, 9, 224, 6]).part(3, 0, 3)).is_none());
    }
}
