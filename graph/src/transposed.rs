//! Transposed convolutions.

use crate::{
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::Operator,
    shape,
    slot::{CHANNELS_LAST, Slot},
    sums::MAX_GROUPS,
    weights::{bias, permuted},
};

/// The numbers of a transposed convolution, as kernels take them.
struct Numbers {
    stride: [i32; 2],
    dilation: [i32; 2],
    pads: [i32; 4],
    extra: [i32; 2],
}

/// `[image, channel, row, column]` and `[channel, output, row, column]`: the channels of both go last, and outputs behind them. Each group
/// reads and writes its part of the channels where they lie.
pub(crate) fn convolution(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::TransposedConvolution { groups, .. } = layer.node.operator else {
        return refused("it is no transposed convolution");
    };
    let src = lowering.input(layer, 0)?;
    let weights = permuted(lowering, layer, 1, &[2, 3, 0, 1], None)?;
    let &[rows, columns, channels, each] = &weights.extents[..] else {
        return refused("its weights have no four dimensions");
    };
    let numbers = numbers(layer, &src, [rows, columns])?;
    let bias = bias(lowering, layer, each * groups)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&CHANNELS_LAST);
    let src = src.permuted(&CHANNELS_LAST);
    let Numbers { stride, dilation, pads, extra } = numbers;
    if groups == channels && each == 1 {
        let Some(weights) = weights.reshaped(&[rows, columns, channels]) else {
            return refused("its weights lie apart");
        };
        let call = Call::transposed_depthwise_conv2d { stride, dilation, pads, extra };
        return lowering.compute(layer, call, vec![src, weights, bias], out);
    }
    if groups > MAX_GROUPS {
        return refused(format!(
            "it has {groups} groups, and not as many channels and outputs; {MAX_GROUPS} are computed"
        ));
    }
    let inner = channels / groups;
    for group in 0..groups {
        let reads = vec![
            src.part(3, group * inner, inner),
            weights.part(2, group * inner, inner),
            bias.part(0, group * each, each),
        ];
        let call = Call::transposed_conv2d { stride, dilation, pads, extra };
        lowering.compute(layer, call, reads, out.part(3, group * each, each))?;
    }
    Ok(())
}

fn numbers(layer: &Layer<'_>, src: &Slot, size: [usize; 2]) -> Result<Numbers, Refusal> {
    let Operator::TransposedConvolution { window, extra, extents, .. } = &layer.node.operator else {
        return refused("it is no transposed convolution");
    };
    let &[_, _, h, w] = &src.extents[..] else { return refused("it has another rank than four") };
    let Some(laid) = shape::transposed(window, size, [h, w], (*extra, *extents)) else {
        return refused("nothing is left of what it writes");
    };
    let number =
        |number: usize| i32::try_from(number).or_else(|_| refused(format!("{number} is no number of a window")));
    let ([mut stride, mut dilation, mut more], mut pads) = ([[0; 2]; 3], [0; 4]);
    for d in 0..2 {
        (stride[d], dilation[d]) = (number(window.stride[d])?, number(window.dilation[d])?);
        (pads[d], pads[d + 2]) = (number(laid.pads[d])?, number(laid.pads[d + 2])?);
        // What the windows reach, without the pads.
        let reached = ([h, w][d] - 1) * window.stride[d] + window.dilation[d] * (size[d] - 1) + 1;
        let wanted = laid.windows[d] + laid.pads[d] + laid.pads[d + 2];
        more[d] = number(wanted.saturating_sub(reached))?;
    }
    Ok(Numbers { stride, dilation, pads, extra: more })
}
