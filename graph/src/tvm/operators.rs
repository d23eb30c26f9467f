//! What a kernel means: nodes of a model, with what the Arm Compute Library computes in passing as nodes of their own.

use std::ops::RangeInclusive;

use super::{
    attributes::Said,
    import::{Import, Kernel},
    pooling::{Pooling, global, pooling},
    tensor::Type,
};
use crate::{
    draft::axis_in_image,
    error::ModelError,
    model::{Elements, Quantization, ValueId},
    operator::{Operator, Pair},
};

/// What becomes of a kernel: nothing where this crate does not compute it, for which there is a reason.
pub(super) type Added = Result<Result<(), &'static str>, ModelError>;

/// A kernel that TVM's runtime knows.
struct Row {
    name: &'static str,
    /// How many tensors it reads.
    inputs: RangeInclusive<usize>,
    integers: Integers,
    add: fn(&mut Import, &Op<'_, '_>) -> Added,
}

/// What a kernel says of integers.
#[derive(Clone, Copy, PartialEq)]
enum Integers {
    /// It reads and writes none.
    None,
    /// Nothing: what it writes stands for what that stands for which it reads.
    Moved,
    /// Behind the image and the weights: their zeros and scales, maybe the bias, and the scale and the zero of what it writes.
    Sums,
    /// Behind two tensors: scale and zero of each, and of what it writes.
    Pairs,
}

const MANY: RangeInclusive<usize> = 1..=usize::MAX;

const ROWS: &[Row] = &[
    Row { name: "nn.conv2d", inputs: 2..=3, integers: Integers::None, add: |i, op| convolution(i, op, false) },
    Row { name: "nn.depthwise_conv2d", inputs: 2..=3, integers: Integers::None, add: |i, op| convolution(i, op, true) },
    Row { name: "qnn.conv2d", inputs: 8..=9, integers: Integers::Sums, add: |i, op| convolution(i, op, false) },
    Row {
        name: "qnn.depthwise_conv2d",
        inputs: 8..=9,
        integers: Integers::Sums,
        add: |i, op| convolution(i, op, true),
    },
    Row { name: "nn.dense", inputs: 2..=3, integers: Integers::None, add: product },
    Row { name: "qnn.dense", inputs: 8..=9, integers: Integers::Sums, add: product },
    Row {
        name: "nn.max_pool2d",
        inputs: 1..=1,
        integers: Integers::Moved,
        add: |i, op| pooling(i, op, Pooling::Greatest),
    },
    Row { name: "nn.avg_pool2d", inputs: 1..=1, integers: Integers::Moved, add: |i, op| pooling(i, op, Pooling::Mean) },
    Row { name: "nn.l2_pool2d", inputs: 1..=1, integers: Integers::None, add: |i, op| pooling(i, op, Pooling::Norm) },
    Row {
        name: "nn.global_max_pool2d",
        inputs: 1..=1,
        integers: Integers::Moved,
        add: |i, op| global(i, op, Pooling::Greatest),
    },
    Row {
        name: "nn.global_avg_pool2d",
        inputs: 1..=1,
        integers: Integers::Moved,
        add: |i, op| global(i, op, Pooling::Mean),
    },
    Row { name: "reshape", inputs: 1..=1, integers: Integers::Moved, add: reshape },
    Row {
        name: "maximum",
        inputs: 2..=2,
        integers: Integers::None,
        add: |i, op| elements(i, op, Operator::Pair(Pair::Maximum)),
    },
    Row { name: "add", inputs: 2..=2, integers: Integers::None, add: |i, op| elements(i, op, Operator::Add) },
    Row { name: "qnn.add", inputs: 8..=8, integers: Integers::Pairs, add: |i, op| elements(i, op, Operator::Add) },
    Row { name: "concatenate", inputs: MANY, integers: Integers::Moved, add: concatenation },
];

/// A kernel that is known here.
pub(super) struct Op<'k, 'g> {
    pub kernel: &'k Kernel<'g>,
    pub said: Said<'k>,
    integers: Integers,
}

fn row(kernel: &Kernel<'_>) -> Result<Option<&'static Row>, ModelError> {
    let Some(row) = ROWS.iter().find(|row| row.name == kernel.form.name) else { return Ok(None) };
    if row.inputs.contains(&kernel.inputs.len()) {
        return Ok(Some(row));
    }
    let (node, found) = (kernel.name.clone(), format!("a list of {}", kernel.inputs.len()));
    let rule = match row.integers {
        Integers::Sums => {
            "it is an image, weights, their zeros, their scales, maybe a bias, and the output's scale and zero"
        }
        Integers::Pairs => "it is two tensors, and three times a scale and a zero",
        _ if row.inputs == (2..=3) => "it is an image or rows, weights, and maybe a bias",
        _ if row.inputs == (2..=2) => "it is two tensors",
        _ if row.inputs == MANY => "it is at least one tensor",
        _ => "it is one tensor",
    };
    Err(ModelError::Attribute { node, attribute: "inputs", found, rule })
}

/// Takes what a kernel says of integers.
pub(super) fn say_scales(import: &mut Import, kernel: &Kernel<'_>) -> Result<(), ModelError> {
    let Some(row) = row(kernel)? else { return Ok(()) };
    let (inputs, last) = (&kernel.inputs[..], kernel.inputs.len() - 1);
    match row.integers {
        Integers::None => Ok(()),
        Integers::Sums => {
            say(import, inputs[0], inputs[4], inputs[2])?;
            say(import, inputs[1], inputs[5], inputs[3])?;
            say(import, kernel.output, inputs[last - 1], inputs[last])
        }
        Integers::Pairs => {
            say(import, inputs[0], inputs[2], inputs[3])?;
            say(import, inputs[1], inputs[4], inputs[5])?;
            say(import, kernel.output, inputs[6], inputs[7])
        }
        Integers::Moved => {
            for &input in inputs {
                let are_bytes = [input, kernel.output].iter().all(|&tensor| import.tensors[tensor].of == Type::Byte);
                if are_bytes {
                    let joined = import.scales.join(kernel.output, input);
                    import.held(input, joined)?;
                }
            }
            Ok(())
        }
    }
}

/// Takes the scales and the zeros that a kernel says of a tensor.
fn say(import: &mut Import, tensor: usize, scales: usize, zeros: usize) -> Result<(), ModelError> {
    if import.tensors[tensor].of != Type::Byte {
        return Ok(());
    }
    let wrong = |import: &Import, value: usize, found: String, rule| {
        Err(ModelError::Value { value: import.tensors[value].name.clone(), found, rule })
    };
    let Elements::Floats(found) = import.constant(scales)? else {
        return wrong(import, scales, "of another type".to_owned(), "scales are floats of 32 bits");
    };
    if let Some(scale) = found.iter().find(|scale| !(scale.is_normal() && **scale > 0.0)) {
        return wrong(import, scales, format!("the scale {scale}"), "scales are above zero");
    }
    let found = found.clone();
    let Elements::Ints(ints) = import.constant(zeros)? else {
        return wrong(import, zeros, "of another type".to_owned(), "zeros are integers of 32 bits");
    };
    let first = ints.first().copied().unwrap_or(0);
    let zero = i8::try_from(first).ok().filter(|_| ints.iter().all(|&zero| zero == first));
    let Some(zero) = zero else {
        let found = if ints.len() == 1 {
            format!("the zero {first}")
        } else {
            format!("{} zeros, the first of which is {first}", ints.len())
        };
        return wrong(import, zeros, found, "it is one zero, between -128 and 127");
    };
    let said = import.scales.say(tensor, Quantization { scales: found, zero });
    import.held(tensor, said)
}

/// Adds the nodes of a kernel.
pub(super) fn add(import: &mut Import, kernel: &Kernel<'_>) -> Result<(), ModelError> {
    let added = match row(kernel)? {
        None => Err("it is no kernel of TVM's runtime for the Arm Compute Library"),
        Some(row) => {
            let said = Said { node: &kernel.name, attributes: &kernel.form.attrs };
            let op = Op { kernel, said, integers: row.integers };
            match op.mistyped(import) {
                Some(reason) => Err(reason),
                None => (row.add)(import, &op)?,
            }
        }
    };
    if let Err(reason) = added {
        let read = kernel.inputs.iter().map(|&input| Ok(Some(import.draft.in_file(input)?)));
        let read = read.collect::<Result<Vec<_>, ModelError>>()?;
        let written = vec![Some(import.written(kernel.output, false))];
        import.draft.add_unknown((&kernel.name, &kernel.form.name), reason, read, written);
    }
    Ok(())
}

impl Op<'_, '_> {
    /// Why its tensors have other types than it computes.
    fn mistyped(&self, import: &Import) -> Option<&'static str> {
        let of = |tensor: usize| import.tensors[tensor].of;
        let written = of(self.kernel.output);
        let data = match self.integers {
            Integers::Sums | Integers::Pairs => 2,
            _ => self.kernel.inputs.len(),
        };
        match (self.integers, written) {
            (Integers::None | Integers::Moved, Type::Float)
            | (Integers::Moved | Integers::Sums | Integers::Pairs, Type::Byte) => {}
            (Integers::None, Type::Byte) => return Some("it is computed of floats alone"),
            (Integers::Sums | Integers::Pairs, Type::Float) => return Some("it is computed of integers alone"),
            _ => return Some("it writes neither floats of 32 bits nor integers of 8 with a sign"),
        }
        let is_other = self.kernel.inputs[..data].iter().any(|&input| of(input) != written);
        is_other.then_some("what it reads has another type than what it writes")
    }

    pub fn rank(&self, import: &Import) -> usize {
        import.tensors[self.kernel.output].extents.len()
    }

    /// The bias of sums, with one dimension: the file's has the output's.
    fn bias(&self, import: &mut Import, outputs: usize) -> Result<Option<ValueId>, ModelError> {
        let place = match self.integers {
            Integers::Sums if self.kernel.inputs.len() == 9 => 6,
            Integers::Sums => return Ok(None),
            _ => 2,
        };
        let Some(&bias) = self.kernel.inputs.get(place) else { return Ok(None) };
        let in_file = import.draft.in_file(bias)?;
        if import.tensors[bias].extents == [outputs] {
            return Ok(Some(in_file));
        }
        let one_each = import.like(bias, &format!("the bias of {}", self.kernel.name));
        import.draft.add_reshaped(&self.kernel.name, in_file, one_each, &[outputs as i64]);
        Ok(Some(one_each))
    }

    /// Adds the node that writes the output, and what follows it in passing.
    pub fn write(
        &self,
        import: &mut Import,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        is_image: bool,
    ) -> Added {
        let (kernel, kind) = (self.kernel, self.kernel.form.name.as_str());
        let follows = match self.said.word("activation_type") {
            None => false,
            Some("relu") => true,
            Some(_) => return Ok(Err("its `activation_type` is another one than `relu`")),
        };
        if !follows {
            let output = import.written(kernel.output, is_image);
            import.draft.add_node((&kernel.name, kind), operator, inputs, output);
            return Ok(Ok(()));
        }
        let before = import.like(kernel.output, &format!("{} before its activation", kernel.name));
        import.draft.add_node((&kernel.name, kind), operator, inputs, before);
        let output = import.written(kernel.output, is_image);
        import.draft.add_node((&kernel.name, kind), Operator::Relu, vec![Some(before)], output);
        Ok(Ok(()))
    }
}

/// `[output, row, column, channel]`, or `[1, row, column, output]` where each channel has outputs of its own.
fn convolution(import: &mut Import, op: &Op<'_, '_>, is_depthwise: bool) -> Added {
    let (said, inputs) = (&op.said, &op.kernel.inputs);
    said.layout("data_layout", "NHWC", "images have their channels last: NHWC")?;
    said.layout("out_layout", "NHWC", "images have their channels last: NHWC")?;
    let (layout, rule) = if is_depthwise {
        ("IHWO", "weights of each channel by itself are [1, row, column, output] here: IHWO")
    } else {
        ("OHWI", "weights are [output, row, column, channel] here: OHWI")
    };
    said.layout("kernel_layout", layout, rule)?;
    let window = said.window(None, false)?;
    let groups = said.number("groups", "it is a number from 1 to 65536")?;
    let (&[_, _, _, channels], &[first, rows, columns, last]) =
        (&import.tensors[inputs[0]].extents[..], &import.tensors[inputs[1]].extents[..])
    else {
        return Ok(Err("its image and its weights have four dimensions here"));
    };
    if said.list("kernel_size").is_some() && said.pair("kernel_size")? != [rows, columns] {
        return said.wrong(
            "kernel_size",
            format!("{:?}", said.pair("kernel_size")?),
            "it is the weights' rows and columns",
        );
    }
    let outputs = if is_depthwise { last } else { first };
    if said.word("channels").is_some_and(|found| found.parse() != Ok(outputs)) {
        return said.wrong(
            "channels",
            said.word("channels").unwrap_or_default().to_owned(),
            "there are weights for each of them",
        );
    }
    if is_depthwise && (first != 1 || groups != channels) {
        return Ok(Err("it has not one group for each channel"));
    }
    // `[output, channel, row, column]`.
    let order = if is_depthwise { [3, 0, 1, 2] } else { [0, 3, 1, 2] };
    let from = import.draft.in_file(inputs[1])?;
    let weights = import.like(inputs[1], &format!("the weights of {}", op.kernel.name));
    import.draft.add_turned(from, weights, &order);
    let read = vec![Some(import.draft.as_image(inputs[0])?), Some(weights), op.bias(import, outputs)?];
    op.write(import, Operator::Convolution { window, groups }, read, true)
}

/// Rows by the transposed of `[output, channel]`.
fn product(import: &mut Import, op: &Op<'_, '_>) -> Added {
    let inputs = &op.kernel.inputs;
    let &[outputs, _] = &import.tensors[inputs[1]].extents[..] else {
        return Ok(Err("its weights have two dimensions here"));
    };
    if op.said.word("units").is_some_and(|found| found.parse() != Ok(outputs)) {
        return op.said.wrong(
            "units",
            op.said.word("units").unwrap_or_default().to_owned(),
            "there are weights for each of them",
        );
    }
    let rows = Some(import.draft.in_file(inputs[0])?);
    let read = vec![rows, Some(import.draft.in_file(inputs[1])?), op.bias(import, outputs)?];
    op.write(import, Operator::Product { alpha: 1.0, beta: 1.0, transposed: [false, true] }, read, false)
}

/// The shape is that of the file.
fn reshape(import: &mut Import, op: &Op<'_, '_>) -> Added {
    let shape: Vec<i64> = import.tensors[op.kernel.output].extents.iter().map(|&extent| extent as i64).collect();
    let read = vec![Some(import.draft.in_file(op.kernel.inputs[0])?), Some(import.draft.add_ints("a shape", &shape))];
    op.write(import, Operator::Reshape { keeps_zeros: true }, read, false)
}

/// A function of two elements: of images, where that is what it writes.
fn elements(import: &mut Import, op: &Op<'_, '_>, operator: Operator) -> Added {
    let is_image = op.rank(import) == 4;
    let mut read = Vec::new();
    for &input in &op.kernel.inputs[..2] {
        let extents = &import.tensors[input].extents;
        read.push(Some(if is_image {
            import.draft.beside_image(input, extents, &op.kernel.name)?
        } else {
            import.draft.in_file(input)?
        }));
    }
    op.write(import, operator, read, is_image)
}

fn concatenation(import: &mut Import, op: &Op<'_, '_>) -> Added {
    let axis = op.said.axis()?;
    let image = (op.rank(import) == 4).then(|| axis_in_image(axis)).flatten();
    let mut read = Vec::new();
    for &input in &op.kernel.inputs {
        let is_image = image.is_some() && import.tensors[input].extents.len() == 4;
        read.push(Some(if is_image { import.draft.as_image(input)? } else { import.draft.in_file(input)? }));
    }
    let operator = Operator::Concatenate { axis: image.map_or(axis, |axis| axis as i64) };
    op.write(import, operator, read, image.is_some())
}
