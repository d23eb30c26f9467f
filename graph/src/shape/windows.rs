//! Windows over images.

use crate::operator::{Pads, Window};

pub(super) const TOO_LARGE: &str = "the window is larger than the image with its pads";

/// Windows over an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Laid {
    /// Rows and columns of windows.
    pub windows: [usize; 2],
    /// What is around the image: above, on the left, below, on the right.
    pub pads: [usize; 4],
}

impl Window {
    /// Lays windows of `size` over an image of these rows and columns; `None` where not one fits.
    pub(crate) fn lay(&self, size: [usize; 2], image: [usize; 2]) -> Option<Laid> {
        let mut laid = Laid { windows: [0; 2], pads: [0; 4] };
        for d in 0..2 {
            let (stride, span) =
                (self.stride[d], self.dilation[d].checked_mul(size[d].checked_sub(1)?)?.checked_add(1)?);
            let [before, behind] = match self.pads {
                Pads::Explicit(pads) => [pads[d], pads[d + 2]],
                Pads::Same { before } => {
                    let steps = image[d].div_ceil(stride).checked_sub(1)?;
                    let all = (steps.checked_mul(stride)?.checked_add(span)?).saturating_sub(image[d]);
                    let (half, rest) = (all / 2, all - all / 2);
                    if before { [rest, half] } else { [half, rest] }
                }
            };
            let steps = image[d].checked_add(before)?.checked_add(behind)?.checked_sub(span)?;
            let mut windows = if self.is_ceiled { steps.div_ceil(stride) } else { steps / stride } + 1;
            // A window that begins in the pads behind the image is none.
            if self.is_ceiled && (windows - 1).checked_mul(stride)? >= image[d] + before {
                windows -= 1;
            }
            (laid.windows[d], laid.pads[d], laid.pads[d + 2]) = (windows, before, behind);
        }
        Some(laid)
    }
}

/// Lays windows of `size` into what a transposed convolution writes, one for each element of an image: the extents of that are
/// `windows`. With the rows and columns more that there are at the end, or the extents that are said. `None` where nothing is left.
pub(crate) fn transposed(
    window: &Window,
    size: [usize; 2],
    image: [usize; 2],
    (extra, extents): ([usize; 2], Option<[usize; 2]>),
) -> Option<Laid> {
    let mut laid = Laid { windows: [0; 2], pads: [0; 4] };
    for d in 0..2 {
        let span = window.dilation[d].checked_mul(size[d].checked_sub(1)?)?.checked_add(1)?;
        let whole = image[d].checked_sub(1)?.checked_mul(window.stride[d])?.checked_add(span)?.checked_add(extra[d])?;
        let before = match window.pads {
            Pads::Same { before } => before,
            Pads::Explicit(_) => true,
        };
        let wanted = match (extents, window.pads) {
            (Some(extents), _) => Some(extents[d]),
            (None, Pads::Same { .. }) => Some(image[d].checked_mul(window.stride[d])?),
            (None, Pads::Explicit(_)) => None,
        };
        let [first, last] = match (wanted, window.pads) {
            (None, Pads::Explicit(pads)) => [pads[d], pads[d + 2]],
            // What is too much is cut away on both sides.
            (wanted, _) => {
                let all = whole.saturating_sub(wanted.unwrap_or(whole));
                if before { [all - all / 2, all / 2] } else { [all / 2, all - all / 2] }
            }
        };
        let own = whole.checked_sub(first)?.checked_sub(last)?;
        (laid.windows[d], laid.pads[d], laid.pads[d + 2]) = (wanted.unwrap_or(own), first, last);
        if laid.windows[d] == 0 {
            return None;
        }
    }
    Some(laid)
}
