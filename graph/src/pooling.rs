//! Poolings: windows over images, of which each becomes one element.

use crate::{
    array::Array,
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::{Operator, Window},
    shape::Laid,
    slot::{CHANNELS_LAST, Slot},
    sums::{Numbers, lay},
};

pub(crate) fn max_pool(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::MaxPool(window) = &layer.node.operator else { return refused("it is no pooling") };
    let (src, out, Pooled { size, stride, pads }) = pooled(lowering, layer, window)?;
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    lowering.compute(layer, Call::max_pool2d { size, stride, pads }, vec![src], out)
}

pub(crate) fn l2_pool(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::L2Pool(window) = &layer.node.operator else { return refused("it is no pooling") };
    let (src, out, Pooled { size, stride, pads }) = pooled(lowering, layer, window)?;
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    lowering.compute(layer, Call::l2_pool2d { size, stride, pads }, vec![src], out)
}

pub(crate) fn average_pool(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::AveragePool { window, counts_pads } = &layer.node.operator else {
        return refused("it is no pooling");
    };
    let (src, out, Pooled { size, stride, pads }) = pooled(lowering, layer, window)?;
    if *counts_pads && window.is_ceiled {
        return refused("zeros count that are pads, and a last window may end behind them");
    }
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    let call = Call::average_pool2d { size, stride, pads, counts_pads: (*counts_pads).into() };
    lowering.compute(layer, call, vec![src], out)
}

/// The windows of a pooling, as kernels take them.
pub(crate) struct Pooled {
    pub size: [i32; 2],
    pub stride: [i32; 2],
    pub pads: [i32; 4],
}

pub(crate) fn pooled(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    window: &Window,
) -> Result<(Slot, Slot, Pooled), Refusal> {
    let src = lowering.input(layer, 0)?;
    let size = window.size.unwrap_or([1; 2]);
    let (laid, Numbers { stride, dilation, mut pads }) = lay(window, size, &src)?;
    if dilation != [1; 2] {
        return refused("the library pools elements side by side, and these lie apart");
    }
    let size = size.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    reach(window, &laid, &src, &mut pads);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    Ok((src, out, Pooled { size, stride, pads }))
}

/// A last window that ends behind the pads needs more of them.
fn reach(window: &Window, laid: &Laid, src: &Slot, pads: &mut [i32; 4]) {
    for d in 0..2 {
        let span = (window.size.unwrap_or([1; 2])[d] - 1) * window.dilation[d] + 1;
        let end = (laid.windows[d] - 1) * window.stride[d] + span;
        let behind = end.saturating_sub(src.extents[d + 2] + laid.pads[d]);
        pads[d + 2] = pads[d + 2].max(i32::try_from(behind).unwrap_or(i32::MAX));
    }
}

/// The root of sums of magnitudes to a power: the sums are those of a convolution of each channel whose weights are 1.
pub(crate) fn norm_pool(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::NormPool { window, power } = &layer.node.operator else { return refused("it is no pooling") };
    let src = lowering.input(layer, 0)?;
    let [rows, columns] = window.size.unwrap_or([1; 2]);
    let (laid, Numbers { stride, dilation, mut pads }) = lay(window, [rows, columns], &src)?;
    reach(window, &laid, &src, &mut pads);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&CHANNELS_LAST);
    let src = src.permuted(&CHANNELS_LAST);
    let channels = src.extents[3];
    let weights = rows.saturating_mul(columns).saturating_mul(channels);
    lowering.budget.floats(layer.node.name(), weights.saturating_add(channels))?;
    let filled = |lowering: &mut Lowering<'_>, number: f32, extents: &[usize]| {
        let all = std::iter::repeat_n(number, extents.iter().product()).collect();
        lowering.constant(Array::Floats(all), extents)
    };
    let weights = filled(lowering, 1.0, &[rows, columns, channels]);
    let bias = filled(lowering, 0.0, &[channels]);
    let next = |lowering: &mut Lowering<'_>, call: Call, reads: Vec<Slot>| {
        let to = lowering.memory(src.element, &src.extents);
        lowering.compute(layer, call, reads, to.clone()).map(|()| to)
    };
    let raised = match power {
        2 => next(lowering, Call::multiply_f32 {}, vec![src.clone(), src.clone()])?,
        _ => next(lowering, Call::absolute {}, vec![src.clone()])?,
    };
    let raised = match power {
        1 | 2 => raised,
        _ => {
            let exponent = filled(lowering, *power as f32, &[1; 4]);
            next(lowering, Call::power {}, vec![raised, exponent])?
        }
    };
    let call = Call::depthwise_conv2d { stride, dilation, pads };
    if *power == 1 {
        return lowering.compute(layer, call, vec![raised, weights, bias], out);
    }
    let sums = lowering.memory(out.element, &out.extents);
    lowering.compute(layer, call, vec![raised, weights, bias], sums.clone())?;
    match power {
        2 => lowering.compute(layer, Call::sqrt {}, vec![sums], out),
        _ => {
            let exponent = filled(lowering, 1.0 / *power as f32, &[1; 4]);
            lowering.compute(layer, Call::power {}, vec![sums, exponent], out)
        }
    }
}
