//! Sums of products, with what is added to them and what bounds them: products of matrices and convolutions.

use crate::{
    call::Call,
    float::Float,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::Window,
    shape::Laid,
    slot::Slot,
};

/// The numbers of a window, as kernels take them.
#[derive(Debug, PartialEq)]
pub(crate) struct Numbers {
    pub stride: [i32; 2],
    pub dilation: [i32; 2],
    pub pads: [i32; 4],
}

/// Lays windows over an image, and gives their numbers as kernels take them.
pub(crate) fn lay(window: &Window, size: [usize; 2], image: &Slot) -> Result<(Laid, Numbers), Refusal> {
    let laid = match image.extents[..] {
        [_, _, h, w] => window.lay(size, [h, w]),
        _ => None,
    };
    let Some(laid) = laid else { return refused("its windows do not lie inside the image with its pads") };
    let number =
        |number: usize| i32::try_from(number).or_else(|_| refused(format!("{number} is no number of a window")));
    let numbers = Numbers {
        stride: [number(window.stride[0])?, number(window.stride[1])?],
        dilation: [number(window.dilation[0])?, number(window.dilation[1])?],
        pads: [number(laid.pads[0])?, number(laid.pads[1])?, number(laid.pads[2])?, number(laid.pads[3])?],
    };
    Ok((laid, numbers))
}

/// Groups of a convolution, at most: each is a step.
pub(crate) const MAX_GROUPS: usize = 64;

/// What a product or a convolution reads and writes.
pub(crate) struct Sums {
    pub src: Slot,
    pub weights: Slot,
    pub bias: Slot,
    /// What is added to each.
    pub added: Option<Slot>,
    pub out: Slot,
}

impl Sums {
    /// The product that a convolution without a window is, where its operands lie so: one row for each place of the image. Its sums
    /// have the same terms in the same order, and its blocks do not end with a row of the image.
    pub fn as_product(&self) -> Option<Sums> {
        let of_places = |slot: &Slot| match slot.extents[..] {
            [n, h, w, channels] => slot.reshaped(&[n.checked_mul(h)?.checked_mul(w)?, channels]),
            _ => None,
        };
        let [_, _, channels, outputs] = self.weights.extents[..] else { return None };
        let added = match &self.added {
            Some(added) => Some(of_places(added)?),
            None => None,
        };
        Some(Sums {
            src: of_places(&self.src)?,
            weights: self.weights.reshaped(&[channels, outputs])?,
            bias: self.bias.clone(),
            added,
            out: of_places(&self.out)?,
        })
    }

    /// Adds the step of a product of matrices.
    pub fn product(self, lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
        let call = match (&self.added, layer.upper.map(Float)) {
            (None, None) => Call::dense {},
            (None, Some(upper)) => Call::dense_relu { upper },
            (Some(_), None) => Call::dense_add {},
            (Some(_), Some(upper)) => Call::dense_add_relu { upper },
        };
        let (reads, to) = self.slots();
        lowering.compute(layer, call, reads, to)
    }

    /// Adds the step of a convolution, whose channels go last.
    pub fn convolution(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let call = match (&self.added, layer.upper.map(Float)) {
            (None, None) => Call::conv2d { stride, dilation, pads },
            (None, Some(upper)) => Call::conv2d_relu { stride, dilation, pads, upper },
            (Some(_), None) => Call::conv2d_add { stride, dilation, pads },
            (Some(_), Some(upper)) => Call::conv2d_add_relu { stride, dilation, pads, upper },
        };
        let (reads, to) = self.slots();
        lowering.compute(layer, call, reads, to)
    }

    /// What the kernel reads, in its order, and what it writes.
    fn slots(self) -> (Vec<Slot>, Slot) {
        let reads = [self.src, self.weights, self.bias].into_iter().chain(self.added).collect();
        (reads, self.out)
    }
}
