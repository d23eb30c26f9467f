//! What an operator of a file means: nodes of a model, with what TFLite computes in passing as nodes of their own.

use std::sync::Arc;

use super::{
    custom,
    flat::Table,
    import::Import,
    schema::{OperatorTable, data_type},
};
use crate::{
    draft::{AS_IN_FILE, IN_IMAGE, axis_in_image},
    error::ModelError,
    model::ValueId,
    operator::{Axes, Function, Operator, Padding, Pads, Pair, Reduction, Window},
    shape::MAX_RANK,
};

/// An operator of the file, whose tensors are there.
struct Op<'o, 'a> {
    /// Its first output's name.
    name: String,
    kind: &'static str,
    inputs: Vec<Option<usize>>,
    output: usize,
    options: Option<&'o Table<'a>>,
}

/// What becomes of an operator: nothing where this crate does not know it, for which there is a reason.
type Added = Result<Result<(), &'static str>, ModelError>;

/// Operators of TFLite that are read: their number in the schema, and their name.
const KINDS: &[(i32, &str)] = &[
    (0, "ADD"),
    (1, "AVERAGE_POOL_2D"),
    (2, "CONCATENATION"),
    (3, "CONV_2D"),
    (4, "DEPTHWISE_CONV_2D"),
    (6, "DEQUANTIZE"),
    (9, "FULLY_CONNECTED"),
    (14, "LOGISTIC"),
    (17, "MAX_POOL_2D"),
    (18, "MUL"),
    (19, "RELU"),
    (21, "RELU6"),
    (22, "RESHAPE"),
    (25, "SOFTMAX"),
    (28, "TANH"),
    (34, "PAD"),
    (39, "TRANSPOSE"),
    (40, "MEAN"),
    (41, "SUB"),
    (42, "DIV"),
    (43, "SQUEEZE"),
    (114, "QUANTIZE"),
    (117, "HARD_SWISH"),
];

/// Adds the nodes of an operator.
pub(super) fn add<'a>(import: &mut Import<'_, 'a>, table: &OperatorTable<'a>) -> Result<(), ModelError> {
    let (code, custom) = import.code(table)?;
    let Some(&first) = table.outputs.first() else { return Ok(()) };
    let output = import.index(first)?;
    let (name, mut inputs) = (import.name(output), Vec::new());
    for &input in &table.inputs {
        // −1 is an input that is left out.
        let index = if input == -1 { None } else { Some(import.index(input)?) };
        if let Some(index) = index
            && !import.is_there(index)?
        {
            let value = import.name(index);
            return Err(ModelError::Unwritten { node: name, value, is_written: false });
        }
        inputs.push(index);
    }
    let found = KINDS.iter().find(|(number, _)| *number == code).map(|(_, kind)| *kind);
    let kind = found
        .map_or_else(|| if custom.is_empty() { format!("operator {code}") } else { custom.to_owned() }, str::to_owned);
    if let Some(operator) = import.operators.find(&kind) {
        return custom::add(import, operator, table, &inputs);
    }
    let op = found.map(|kind| Op { name, kind, inputs: inputs.clone(), output, options: table.options.as_ref() });
    let added = match &op {
        _ if table.outputs.len() > 1 => Err("it writes more than one tensor"),
        _ if !is_known(import, output) => Err("it writes neither floats of 32 bits nor integers of 8"),
        None => Err("no operator of the library is one"),
        Some(op) => lower(import, op)?,
    };
    if let Err(reason) = added {
        let mut read = Vec::new();
        for index in inputs.into_iter().flatten() {
            read.push(Some(import.draft.in_file(index)?));
        }
        let mut written = Vec::new();
        for &output in &table.outputs {
            let index = import.index(output)?;
            written.push(Some(import.written(index, false)?));
        }
        import.draft.add_unknown((&import.name(output), &kind), reason, read, written);
    }
    Ok(())
}

fn is_known(import: &Import<'_, '_>, index: usize) -> bool {
    [data_type::FLOAT32, data_type::INT8].contains(&import.tensor(index).data_type)
}

fn lower(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    match op.kind {
        "CONV_2D" => convolution(import, op, false),
        "DEPTHWISE_CONV_2D" => convolution(import, op, true),
        "AVERAGE_POOL_2D" | "MAX_POOL_2D" => pooling(import, op),
        "FULLY_CONNECTED" => product(import, op),
        "ADD" => elements(import, op, Operator::Add, op.activation(0)?),
        "MUL" => elements(import, op, Operator::Multiply, op.activation(0)?),
        "SUB" => elements(import, op, Operator::Pair(Pair::Subtract), op.activation(0)?),
        "DIV" => elements(import, op, Operator::Pair(Pair::Divide), op.activation(0)?),
        "RELU" => elements(import, op, Operator::Relu, None),
        "RELU6" => elements(import, op, RELU6, None),
        "TANH" => elements(import, op, Operator::Function(Function::Tanh), None),
        "LOGISTIC" => elements(import, op, Operator::Function(Function::Sigmoid), None),
        "HARD_SWISH" => elements(import, op, Operator::Function(Function::HardSwish), None),
        "QUANTIZE" => elements(import, op, Operator::Quantize { to_even: false }, None),
        "DEQUANTIZE" => elements(import, op, Operator::Dequantize, None),
        "CONCATENATION" => concatenation(import, op),
        "PAD" => pad(import, op),
        "MEAN" => mean(import, op),
        "SOFTMAX" if op.number(0, 1.0f32)? != 1.0 => Ok(Err("it multiplies what it reads by `beta`")),
        "SOFTMAX" => in_file(import, op, Operator::Softmax { axis: -1, joins: false, is_logarithm: false }, &[]),
        // Of both, the file has the shape that it comes to.
        "RESHAPE" | "SQUEEZE" => {
            let shape: Vec<i64> = import.extents(op.output)?.iter().map(|&extent| extent as i64).collect();
            in_file(import, op, Operator::Reshape { keeps_zeros: true }, &shape)
        }
        "TRANSPOSE" => match op.ints(import, 1)? {
            Some(order) => in_file(import, op, Operator::Transpose(Some(order.to_vec())), &[]),
            None => Ok(Err("its order is no constant")),
        },
        _ => Ok(Err("no operator of the library is one")),
    }
}

const RELU6: Operator = Operator::Clip { lower: 0.0, upper: 6.0 };

impl Op<'_, '_> {
    fn number<T: super::flat::Number>(&self, field: usize, otherwise: T) -> Result<T, ModelError> {
        Ok(match self.options {
            Some(options) => options.number(field, otherwise)?,
            None => otherwise,
        })
    }

    /// A number of a window.
    fn size(&self, field: usize, otherwise: i32, attribute: &'static str) -> Result<usize, ModelError> {
        let found = self.number(field, otherwise)?;
        let size = usize::try_from(found).ok().filter(|size| (1..=1 << 16).contains(size));
        size.ok_or_else(|| ModelError::Attribute {
            node: self.name.clone(),
            attribute,
            found: found.to_string(),
            rule: "it is a number from 1 to 65536",
        })
    }

    /// What follows an operator in passing.
    fn activation(&self, field: usize) -> Result<Option<Operator>, ModelError> {
        let found: i8 = self.number(field, 0)?;
        Ok(match found {
            0 => None,
            1 => Some(Operator::Relu),
            2 => Some(Operator::Clip { lower: -1.0, upper: 1.0 }),
            3 => Some(RELU6),
            4 => Some(Operator::Function(Function::Tanh)),
            _ => Some(Operator::Other("its `fused_activation_function` is none of TFLite's".to_owned())),
        })
    }

    /// The windows of an operator whose options begin with padding and strides.
    fn window(&self, size: Option<[usize; 2]>, dilation: [usize; 2]) -> Result<Window, ModelError> {
        let stride = [self.size(2, 0, "stride_h")?, self.size(1, 0, "stride_w")?];
        let pads = match self.number(0, 0i8)? {
            0 => Pads::Same { before: false },
            _ => Pads::Explicit([0; 4]),
        };
        Ok(Window { size, stride, dilation, pads, is_ceiled: false })
    }

    fn input(&self, input: usize) -> Option<usize> {
        self.inputs.get(input).copied().flatten()
    }

    /// The numbers of a constant that has no more than two for each dimension: nodes keep copies.
    fn ints(&self, import: &mut Import<'_, '_>, input: usize) -> Result<Option<Arc<[i64]>>, ModelError> {
        let found = self.input(input).map_or(Ok(None), |index| import.ints(index))?;
        Ok(found.filter(|numbers| numbers.len() <= 2 * MAX_RANK))
    }

    /// Adds the node that writes the output, and what follows it in passing.
    fn write(
        &self,
        import: &mut Import<'_, '_>,
        (operator, activation): (Operator, Option<Operator>),
        inputs: Vec<Option<ValueId>>,
        is_image: bool,
    ) -> Added {
        let Some(activation) = activation else {
            let output = import.written(self.output, is_image)?;
            import.draft.add_node((&self.name, self.kind), operator, inputs, output);
            return Ok(Ok(()));
        };
        let before = import.like(self.output, format!("{} before its activation", self.name))?;
        import.draft.add_node((&self.name, self.kind), operator, inputs, before);
        let output = import.written(self.output, is_image)?;
        import.draft.add_node((&self.name, self.kind), activation, vec![Some(before)], output);
        Ok(Ok(()))
    }
}

/// An operator whose tensors are as the file has them, with a shape for its second input.
fn in_file(import: &mut Import<'_, '_>, op: &Op<'_, '_>, operator: Operator, shape: &[i64]) -> Added {
    let Some(src) = op.input(0) else { return Ok(Err("it reads nothing")) };
    let mut inputs = vec![Some(import.draft.in_file(src)?)];
    if !shape.is_empty() {
        inputs.push(Some(import.draft.add_ints("a shape", shape)));
    }
    op.write(import, (operator, None), inputs, false)
}

/// `[output, row, column, channel]`, or `[1, row, column, output]` where each channel has outputs of its own.
fn convolution(import: &mut Import<'_, '_>, op: &Op<'_, '_>, is_depthwise: bool) -> Added {
    let (Some(src), Some(weights)) = (op.input(0), op.input(1)) else { return Ok(Err("it lacks an image or weights")) };
    let (image, kernel) = (import.extents(src)?, import.extents(weights)?);
    let (&[_, _, _, channels], 4) = (&image[..], kernel.len()) else {
        return Ok(Err("its image and its weights have four dimensions here"));
    };
    let (dilations, activation) = if is_depthwise { ([6, 5], 4) } else { ([5, 4], 3) };
    let dilation = [op.size(dilations[0], 1, "dilation_h_factor")?, op.size(dilations[1], 1, "dilation_w_factor")?];
    let window = op.window(None, dilation)?;
    let groups = if is_depthwise { channels } else { 1 };
    if is_depthwise && kernel[0] != 1 {
        return Ok(Err("the first extent of its weights is 1"));
    }
    // `[output, channel, row, column]`.
    let order = if is_depthwise { [3, 0, 1, 2] } else { [0, 3, 1, 2] };
    let from = import.draft.in_file(weights)?;
    let turned = import.like(weights, format!("the weights of {}", op.name))?;
    import.draft.add_turned(from, turned, &order);
    let bias = op.input(2).map(|bias| import.draft.in_file(bias)).transpose()?;
    let inputs = vec![Some(import.draft.as_image(src)?), Some(turned), bias];
    op.write(import, (Operator::Convolution { window, groups }, op.activation(activation)?), inputs, true)
}

fn pooling(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    let Some(src) = op.input(0).filter(|&src| import.tensor(src).shape.len() == 4) else {
        return Ok(Err("its image has four dimensions here"));
    };
    let size = [op.size(4, 0, "filter_height")?, op.size(3, 0, "filter_width")?];
    let window = op.window(Some(size), [1; 2])?;
    let operator = match op.kind {
        "MAX_POOL_2D" => Operator::MaxPool(window),
        _ => Operator::AveragePool { window, counts_pads: false },
    };
    let inputs = vec![Some(import.draft.as_image(src)?)];
    op.write(import, (operator, op.activation(5)?), inputs, true)
}

/// Rows by the transposed of `[output, channel]`: all dimensions but the last one are rows.
fn product(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    let (Some(src), Some(weights)) = (op.input(0), op.input(1)) else { return Ok(Err("it lacks rows or weights")) };
    let (extents, kernel, wanted) = (import.extents(src)?, import.extents(weights)?, import.extents(op.output)?);
    let &[_, channels] = &kernel[..] else { return Ok(Err("its weights have two dimensions here")) };
    if op.number(1, 0i8)? != 0 {
        return Ok(Err("its weights are in an order of their own"));
    }
    let mut rows = import.draft.in_file(src)?;
    if extents.len() != 2 || extents[1] != channels {
        let flat = import.like(src, format!("the rows of {}", op.name))?;
        import.draft.add_reshaped(&op.name, rows, flat, &[-1, channels as i64]);
        rows = flat;
    }
    let bias = op.input(2).map(|bias| import.draft.in_file(bias)).transpose()?;
    let inputs = vec![Some(rows), Some(import.draft.in_file(weights)?), bias];
    let operator = Operator::Product { alpha: 1.0, beta: 1.0, transposed: [false, true] };
    let activation = op.activation(0)?;
    if wanted.len() == 2 {
        return op.write(import, (operator, activation), inputs, false);
    }
    let mut found = import.like(op.output, format!("{} as rows", op.name))?;
    import.draft.add_node((&op.name, op.kind), operator, inputs, found);
    if let Some(activation) = activation {
        let before = std::mem::replace(&mut found, import.like(op.output, format!("{} as bounded rows", op.name))?);
        import.draft.add_node((&op.name, op.kind), activation, vec![Some(before)], found);
    }
    let shape: Vec<i64> = wanted.iter().map(|&extent| extent as i64).collect();
    let shape = import.draft.add_ints("a shape", &shape);
    op.write(import, (Operator::Reshape { keeps_zeros: true }, None), vec![Some(found), Some(shape)], false)
}

/// A function of elements: of images, where that is what it writes.
fn elements(import: &mut Import<'_, '_>, op: &Op<'_, '_>, operator: Operator, activation: Option<Operator>) -> Added {
    if op.inputs.len() > 2 {
        return Ok(Err("it reads more than two tensors"));
    }
    let is_image = import.tensor(op.output).shape.len() == 4;
    let mut inputs = Vec::new();
    for &input in &op.inputs {
        let Some(index) = input else { return Ok(Err("an input is left out")) };
        inputs.push(Some(if is_image {
            import.beside_image(index, &op.name)?
        } else {
            import.draft.in_file(index)?
        }));
    }
    op.write(import, (operator, activation), inputs, is_image)
}

fn concatenation(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    let axis = i64::from(op.number(0, 0i32)?);
    let image = (import.tensor(op.output).shape.len() == 4).then(|| axis_in_image(axis)).flatten();
    let mut inputs = Vec::new();
    for &input in &op.inputs {
        let Some(index) = input else { return Ok(Err("an input is left out")) };
        inputs.push(Some(if image.is_some() { import.draft.as_image(index)? } else { import.draft.in_file(index)? }));
    }
    let operator = Operator::Concatenate { axis: image.map_or(axis, |axis| axis as i64) };
    op.write(import, (operator, op.activation(1)?), inputs, image.is_some())
}

fn pad(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    let Some(src) = op.input(0) else { return Ok(Err("it reads nothing")) };
    let rank = import.tensor(src).shape.len();
    let Some(numbers) = op.ints(import, 1)?.filter(|numbers| numbers.len() == 2 * rank) else {
        return Ok(Err("its pads are no constant with two numbers for each dimension"));
    };
    let is_image = rank == 4;
    let mut pads = vec![0; 2 * rank];
    for (axis, pair) in numbers.as_chunks::<2>().0.iter().enumerate() {
        let to = if is_image { IN_IMAGE[axis] } else { axis };
        if !pair.iter().all(|pad| (0..=4095).contains(pad)) {
            return Ok(Err("its pads are 0 to 4095"));
        }
        [pads[to], pads[to + rank]] = pair.map(i64::from);
    }
    let inputs = vec![Some(if is_image { import.draft.as_image(src)? } else { import.draft.in_file(src)? })];
    op.write(import, (Operator::Pad { pads, axes: None, with: Padding::Number(0.0) }, None), inputs, is_image)
}

/// Of an image, the means keep their dimensions at first.
fn mean(import: &mut Import<'_, '_>, op: &Op<'_, '_>) -> Added {
    let Some(src) = op.input(0) else { return Ok(Err("it reads nothing")) };
    let Some(axes) = op.ints(import, 1)? else { return Ok(Err("its axes are no constant")) };
    let (rank, keeps) = (import.tensor(src).shape.len(), op.number(0, 0u8)? != 0);
    if rank != 4 {
        let inputs = vec![Some(import.draft.in_file(src)?)];
        let operator = Operator::Reduction { by: Reduction::Mean, axes: Axes::These(axes.to_vec()), keeps };
        return op.write(import, (operator, None), inputs, false);
    }
    let image: Option<Vec<i64>> = axes.iter().map(|&axis| Some(axis_in_image(axis)? as i64)).collect();
    let Some(image) = image else { return Ok(Err("its axes are dimensions of its image")) };
    let operator = Operator::Reduction { by: Reduction::Mean, axes: Axes::These(image), keeps: true };
    let inputs = vec![Some(import.draft.as_image(src)?)];
    if keeps {
        return op.write(import, (operator, None), inputs, true);
    }
    let kept = import.like(op.output, format!("{} of four dimensions", op.name))?;
    import.draft.add_node((&op.name, op.kind), operator, inputs, kept);
    let turned = import.like(op.output, format!("{} of four dimensions turned", op.name))?;
    import.draft.add_turned(kept, turned, &AS_IN_FILE);
    let shape: Vec<i64> = import.extents(op.output)?.iter().map(|&extent| extent as i64).collect();
    let inputs = vec![Some(turned), Some(import.draft.add_ints("a shape", &shape))];
    op.write(import, (Operator::Reshape { keeps_zeros: true }, None), inputs, false)
}
