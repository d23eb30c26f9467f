//! Kernels that pool the elements of windows, or of whole images.

use super::{
    import::Import,
    operators::{Added, Op},
    tensor::Type,
};
use crate::{
    model::ValueId,
    operator::{Axes, Function, Operator, Pads, Reduction, Window},
};

/// What becomes of the elements of a window.
#[derive(Clone, Copy)]
pub(super) enum Pooling {
    Greatest,
    Mean,
    /// The root of the mean of the squares.
    Norm,
}

pub(super) fn pooling(import: &mut Import, op: &Op<'_, '_>, pooling: Pooling) -> Added {
    let said = &op.said;
    said.layout("layout", "NHWC", "images have their channels last: NHWC")?;
    said.layout("out_layout", "NHWC", "images have their channels last: NHWC")?;
    let window = said.window(Some(said.pair("pool_size")?), said.flag("ceil_mode")?)?;
    // Without pads, and without a last window that ends outside, there is nothing that could count.
    let counts_pads = said.flag("count_include_pad")? && (window.pads != Pads::Explicit([0; 4]) || window.is_ceiled);
    if op.rank(import) != 4 {
        return Ok(Err("its image has four dimensions here"));
    }
    let image = import.draft.as_image(op.kernel.inputs[0])?;
    let operator = match pooling {
        Pooling::Greatest => Operator::MaxPool(window),
        Pooling::Mean => Operator::AveragePool { window, counts_pads },
        Pooling::Norm if counts_pads => return norm_with_pads(import, op, image, window),
        Pooling::Norm => Operator::L2Pool(window),
    };
    op.write(import, operator, vec![Some(image)], true)
}

/// Squares, their means with the zeros around the image, and the roots of those.
fn norm_with_pads(import: &mut Import, op: &Op<'_, '_>, image: ValueId, window: Window) -> Added {
    let (output, name, kind) = (op.kernel.output, &op.kernel.name, &op.kernel.form.name);
    let squares = import.like(output, &format!("the squares of {name}"));
    import.draft.add_node((name, kind), Operator::Multiply, vec![Some(image); 2], squares);
    let means = import.like(output, &format!("the means of {name}"));
    let operator = Operator::AveragePool { window, counts_pads: true };
    import.draft.add_node((name, kind), operator, vec![Some(squares)], means);
    op.write(import, Operator::Function(Function::Sqrt), vec![Some(means)], true)
}

/// One window, which is the image.
pub(super) fn global(import: &mut Import, op: &Op<'_, '_>, pooling: Pooling) -> Added {
    op.said.layout("layout", "NHWC", "images have their channels last: NHWC")?;
    let &[_, rows, columns, _] = &import.tensors[op.kernel.inputs[0]].extents[..] else {
        return Ok(Err("its image has four dimensions here"));
    };
    let image = vec![Some(import.draft.as_image(op.kernel.inputs[0])?)];
    let is_greatest = matches!(pooling, Pooling::Greatest);
    let operator = if import.tensors[op.kernel.output].of == Type::Float {
        let by = if is_greatest { Reduction::Greatest } else { Reduction::Mean };
        Operator::Reduction { by, axes: Axes::OfImage, keeps: true }
    } else {
        let (size, pads) = (Some([rows, columns]), Pads::Explicit([0; 4]));
        let window = Window { size, stride: [1; 2], dilation: [1; 2], pads, is_ceiled: false };
        if is_greatest { Operator::MaxPool(window) } else { Operator::AveragePool { window, counts_pads: false } }
    };
    op.write(import, operator, image, true)
}
