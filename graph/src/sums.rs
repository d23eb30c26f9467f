//! Sums of products, with what is added to them and what bounds them: products of matrices and convolutions.

use windrow::chain::OneKernel;
use windrow_operators as library;

use crate::{
    fold::Layer,
    lower::{Lowering, Refusal},
    slot::Slot,
};

/// The kernel that a pipeline of the library is.
pub(crate) type One<P> = <P as OneKernel>::Kernel;

/// The numbers of a window, as kernels take them.
pub(crate) struct Numbers {
    pub stride: [i32; 2],
    pub dilation: [i32; 2],
    pub pads: [i32; 4],
}

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
        let (src, weights, bias) = (&self.src.info()?, &self.weights.info()?, &self.bias.info()?);
        let (added, out) = (self.added.as_ref().map(Slot::info).transpose()?, &self.out.info()?);
        let (reads, to) = self.slots();
        match (&added, layer.upper) {
            (None, None) => {
                let configured = library::dense::configure(src, weights, bias, out);
                lowering.compute(layer, "dense", configured, reads, to)
            }
            (None, Some(upper)) => {
                let configured = One::<library::functions::dense_relu>::configure(src, weights, bias, upper, out);
                lowering.compute(layer, "dense_relu", configured, reads, to)
            }
            (Some(added), None) => {
                let configured = One::<library::functions::dense_add>::configure(src, weights, bias, added, out);
                lowering.compute(layer, "dense_add", configured, reads, to)
            }
            (Some(added), Some(upper)) => {
                let configured =
                    One::<library::functions::dense_add_relu>::configure(src, weights, bias, added, upper, out);
                lowering.compute(layer, "dense_add_relu", configured, reads, to)
            }
        }
    }

    /// Adds the step of a convolution, whose channels go last.
    pub fn convolution(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let (src, weights, bias) = (&self.src.info()?, &self.weights.info()?, &self.bias.info()?);
        let (added, out) = (self.added.as_ref().map(Slot::info).transpose()?, &self.out.info()?);
        let (reads, to) = self.slots();
        match (&added, layer.upper) {
            (None, None) => {
                let configured = library::conv2d::configure(src, weights, bias, stride, dilation, pads, out);
                lowering.compute(layer, "conv2d", configured, reads, to)
            }
            (None, Some(upper)) => {
                let configured = One::<library::functions::conv2d_relu>::configure(
                    src, weights, bias, stride, dilation, pads, upper, out,
                );
                lowering.compute(layer, "conv2d_relu", configured, reads, to)
            }
            (Some(added), None) => {
                let configured = One::<library::functions::conv2d_add>::configure(
                    src, weights, bias, added, stride, dilation, pads, out,
                );
                lowering.compute(layer, "conv2d_add", configured, reads, to)
            }
            (Some(added), Some(upper)) => {
                let configured = One::<library::functions::conv2d_add_relu>::configure(
                    src, weights, bias, added, stride, dilation, pads, upper, out,
                );
                lowering.compute(layer, "conv2d_add_relu", configured, reads, to)
            }
        }
    }

    /// What the kernel reads, in its order, and what it writes.
    fn slots(self) -> (Vec<Slot>, Slot) {
        let reads = [self.src, self.weights, self.bias].into_iter().chain(self.added).collect();
        (reads, self.out)
    }
}
