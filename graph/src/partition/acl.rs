//! What TVM 0.19 takes for the Arm Compute Library: the patterns and the predicates of its `relay/op/contrib/arm_compute_lib.py`.
//!
//! Where TVM asks whether an image has its channels last, nothing is asked: between layers they lie so here, whatever the file says.
//! Two of its predicates are held to more than TVM holds them to, which offloads what its library computes otherwise: zeros around an
//! image are part of a convolution if they are zeros and lie around rows and columns, and `maximum` is asked for both of its types.

use windrow::ElementType;

use super::{Candidate, Taken, Target};
use crate::{
    fold::around_image,
    operator::{Axes, Function, Operator, Pads, Pair, Reduction, Window},
};

/// The predicates by which TVM 0.19 chooses what its integration of the Arm Compute Library computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TvmAcl {
    /// Whether `concatenate` is taken, which TVM has turned off by default.
    pub concatenate: bool,
}

impl TvmAcl {
    /// The predicates as TVM has them, with or without `concatenate`.
    pub fn new(concatenate: bool) -> TvmAcl {
        TvmAcl { concatenate }
    }
}

type Said = Result<Taken, String>;

/// The types that are taken: all others are refused with a reason.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Floats,
    Bytes,
}

impl Target for TvmAcl {
    fn take(&self, node: &Candidate<'_>) -> Said {
        match node.node().operator() {
            Operator::Convolution { window, groups } => convolution(node, window, *groups),
            Operator::Product { alpha, beta, .. } => product(node, [*alpha, *beta]),
            Operator::MaxPool(window) => pooling(node, window, "nn.max_pool2d"),
            Operator::AveragePool { window, .. } if is_norm(node) => {
                let taken = pooling(node, window, "l2_pool2d")?;
                Ok(taken.with_before(1).with_behind(1))
            }
            Operator::AveragePool { window, .. } => pooling(node, window, "nn.avg_pool2d"),
            Operator::L2Pool(window) => {
                floats(node, 1)?;
                pooling(node, window, "l2_pool2d")
            }
            Operator::Reduction { by, axes: Axes::OfImage, keeps: true } => match by {
                Reduction::Mean => one_type(node, 1).map(|_| Taken::new("nn.global_avg_pool2d")),
                Reduction::Greatest => one_type(node, 1).map(|_| Taken::new("nn.global_max_pool2d")),
                _ => no_pattern(),
            },
            Operator::Reshape { .. } => Ok(Taken::new("reshape")),
            Operator::Pair(Pair::Maximum) => pair(node).and_then(|()| floats(node, 2)).map(|()| Taken::new("maximum")),
            Operator::Add => {
                pair(node)?;
                match one_type(node, 2)? {
                    Of::Floats => Ok(Taken::new("add")),
                    Of::Bytes => one_scale(node, &[0, 1]).map(|()| Taken::new("qnn.add")),
                }
            }
            Operator::Concatenate { .. } if !self.concatenate => Err("`concatenate` is turned off".to_owned()),
            Operator::Concatenate { .. } => one_type(node, node.inputs()).map(|_| Taken::new("concatenate")),
            _ => no_pattern(),
        }
    }
}

fn no_pattern() -> Said {
    Err("no pattern has it".to_owned())
}

fn refused<T>(reason: impl Into<String>) -> Result<T, String> {
    Err(reason.into())
}

/// The one type of the first inputs and of the output.
fn one_type(node: &Candidate<'_>, inputs: usize) -> Result<Of, String> {
    let output = node.output_element();
    if (0..inputs).any(|input| node.element(input) != output) {
        return refused("its tensors have several types");
    }
    match output {
        Some(ElementType::F32) => Ok(Of::Floats),
        Some(ElementType::I8) => Ok(Of::Bytes),
        _ => refused("its elements are neither floats of 32 bits nor integers of 8"),
    }
}

fn floats(node: &Candidate<'_>, inputs: usize) -> Result<(), String> {
    match one_type(node, inputs)? {
        Of::Floats => Ok(()),
        Of::Bytes => refused("its elements are no floats of 32 bits"),
    }
}

fn pair(node: &Candidate<'_>) -> Result<(), String> {
    match node.inputs() {
        2 => Ok(()),
        count => refused(format!("it reads {count} tensors, and of two it is taken")),
    }
}

/// Whether the integers of inputs have a scale for all of them.
fn one_scale(node: &Candidate<'_>, inputs: &[usize]) -> Result<(), String> {
    match inputs.iter().map(|&input| node.scales(input)).find(|&scales| scales != 1) {
        None => Ok(()),
        Some(0) => refused("its integers have no scale"),
        Some(scales) => {
            refused(format!("its integers have {scales} scales, one for each output, and of one scale they are taken"))
        }
    }
}

/// The type of what a sum of products reads and writes, with weights and maybe a bias that are constants.
fn sums(node: &Candidate<'_>) -> Result<Of, String> {
    let of = one_type(node, 2)?;
    if !node.is_constant(1) {
        return refused("its weights are no constant");
    }
    if node.node().input(2).is_some() && !node.is_constant(2) {
        return refused("its bias is no constant");
    }
    if of == Of::Bytes {
        one_scale(node, &[0, 1])?;
    }
    Ok(of)
}

fn convolution(node: &Candidate<'_>, window: &Window, groups: usize) -> Said {
    let of = sums(node)?;
    let (Some(&[images, ..]), Some(&[outputs, channels, rows, columns])) = (node.extents(0), node.extents(1)) else {
        return refused("the extents of its image and of its weights are not known to be four");
    };
    if images != 1 {
        return refused(format!("it reads {images} images, and one is taken"));
    }
    if channels == 1 && groups == outputs {
        if rows != columns || ![3, 5].contains(&rows) {
            return refused(format!("its channels have windows of {rows}×{columns}, and 3×3 and 5×5 are taken"));
        }
        if ![[1, 1], [2, 2]].contains(&window.stride) {
            let [down, across] = window.stride;
            return refused(format!(
                "its channels have strides of {down} and {across}, and twice 1 and twice 2 are taken"
            ));
        }
    } else if groups != 1 {
        return refused(format!("it has {groups} groups, and one is taken, or one for each channel and output"));
    }
    let is_bounded = node.behind().is_some_and(|next| *next.node().operator() == Operator::Relu);
    let is_padded = node.before().is_some_and(|before| is_zeros(&before, window));
    let pattern = if of == Of::Bytes { "qnn_conv2d" } else { "conv2d" };
    Ok(Taken::new(pattern).with_before(is_padded.into()).with_behind(is_bounded.into()))
}

/// Whether a node puts zeros around rows and columns, which a convolution of these windows can do itself.
fn is_zeros(node: &Candidate<'_>, window: &Window) -> bool {
    around_image(node.node().operator()).is_some() && matches!(window.pads, Pads::Explicit(_))
}

fn product(node: &Candidate<'_>, factors: [f32; 2]) -> Said {
    let of = sums(node)?;
    if node.extents(1).map(<[usize]>::len) != Some(2) {
        return refused("its weights have no two dimensions");
    }
    if factors != [1.0; 2] {
        return refused("its factors are not 1");
    }
    Ok(Taken::new(if of == Of::Bytes { "qnn_dense" } else { "dense" }))
}

fn pooling(node: &Candidate<'_>, window: &Window, pattern: &'static str) -> Said {
    one_type(node, 1)?;
    match window.dilation {
        [1, 1] => Ok(Taken::new(pattern)),
        [down, across] => refused(format!("its windows are dilated by {down} and {across}, and twice 1 is taken")),
    }
}

/// Whether a mean is one of squares, whose root is taken: of the node before, and by the node behind.
fn is_norm(node: &Candidate<'_>) -> bool {
    let is_square = |before: Candidate<'_>| match before.node().operator() {
        Operator::Multiply => before.inputs() == 2 && before.is_same(0, 1),
        Operator::Pair(Pair::Power) => before.number(1) == Some(2.0),
        _ => false,
    };
    let is_root = |next: Candidate<'_>| *next.node().operator() == Operator::Function(Function::Sqrt);
    node.output_element() == Some(ElementType::F32)
        && node.before().is_some_and(is_square)
        && node.behind().is_some_and(is_root)
}
