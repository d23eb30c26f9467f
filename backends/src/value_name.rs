//! The name that a value wants: the author's words for it, else what its operation gives.

use std::rc::Rc;
use windrow_dsl::ir::{AxisId, BinaryOp, Kernel, Node, Op, Tap, UnaryOp};
use windrow_dsl::quick::Parts;

/// The author's name, or the operation's.
pub fn wanted(kernel: &Kernel, node: &Node) -> Rc<str> {
    if let Some(Tap { input, channel, dx, dy }) = node.op.tap() {
        let input = &kernel.inputs[input.0 as usize];
        let mut name = Parts::with_capacity(input.name.len() + 12);
        match node.label() {
            Some(label) if input.channels > 1 => name.push(label),
            _ => name.push(&input.name),
        }
        if input.channels > 1 && node.label().is_none() {
            name.push("_");
            name.push_number(channel.into());
        }
        if dx != 0 || dy != 0 || input.is_neighbourhood {
            push_offset(&mut name, dx);
            push_offset(&mut name, dy);
        }
        return name.finish().into();
    }
    match node.label() {
        Some(label) => Rc::clone(label),
        None => of_operation(kernel, &node.op),
    }
}

/// An offset as a part of a name that follows others.
fn push_offset(parts: &mut Parts, offset: i32) {
    parts.push(match offset {
        0 => "_",
        1.. => "_p",
        _ => "_m",
    });
    parts.push_number(i64::from(offset.unsigned_abs()));
}

fn of_operation(kernel: &Kernel, op: &Op) -> Rc<str> {
    let word = match *op {
        Op::Uniform { uniform, index } => {
            let uniform = &kernel.uniforms[uniform.0 as usize];
            let name = uniform.name.as_str();
            return if uniform.dims.is_empty() { name.into() } else { format!("{name}_{index}").into() };
        }
        Op::Derived { index, .. } => return format!("derived_{index}").into(),
        Op::Lookup { table, .. } => return format!("{}_entry", kernel.tables[table.0 as usize].name).into(),
        Op::Gather { input, .. } | Op::Fetch { input, .. } | Op::Contiguous { input, .. } => {
            return format!("{}_element", kernel.inputs[input.0 as usize].name).into();
        }
        Op::Extent { input, dimension } => {
            let input = &kernel.inputs[input.0 as usize];
            let name = &input.name;
            return match input.dimensions() - dimension {
                1 => format!("{name}_width").into(),
                2 => format!("{name}_height").into(),
                _ => format!("{name}_extent_{dimension}").into(),
            };
        }
        Op::Plane { input, .. } => return format!("{}_plane", kernel.inputs[input.0 as usize].name).into(),
        Op::Stride { .. } => "stride",
        Op::Constant(_) => "constant",
        Op::Load(_) => "element",
        Op::Coordinate { axis: AxisId::X | AxisId::STEP, .. } => "column",
        Op::Coordinate { axis: AxisId::Y, .. } => "row",
        Op::Coordinate { axis: AxisId::LANE, .. } => "lane",
        Op::Coordinate { .. } => "outer",
        Op::Unary(op, _) => of_unary(op),
        Op::Binary(op, ..) => of_binary(op),
        Op::MulAdd(..) => "sum",
        Op::Select { .. } => "chosen",
        Op::Cast(..) => "cast",
        Op::Turn { .. } => "turn",
        Op::Carried { .. } => "carried",
        Op::Advance { .. } => "next",
        Op::Outcome { .. } => "outcome",
        Op::Across { .. } => "across",
        Op::Local { .. } => "local",
    };
    word.into()
}

fn of_unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg(_) => "negated",
        UnaryOp::Not => "inverse",
        UnaryOp::Abs(_) | UnaryOp::UnsignedAbs => "magnitude",
        UnaryOp::Signum => "sign",
        UnaryOp::Sqrt | UnaryOp::Isqrt => "root",
        UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => "count",
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundTiesEven => "rounded",
        UnaryOp::IsNan => "is_nan",
        UnaryOp::FromBits | UnaryOp::FromHalf => "float",
        UnaryOp::ToBits => "bits",
        UnaryOp::ToHalf => "half",
    }
}

fn of_binary(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add(_) => "sum",
        Sub(_) | AbsDiff => "difference",
        Mul(_) | MulHigh => "product",
        Div => "quotient",
        Rem => "remainder",
        Shl(_) | Shr | RoundingShr => "shifted",
        And | Or | Xor => "bits",
        Min => "least",
        Max => "greatest",
        HalvingAdd | RoundingHalvingAdd => "mean",
        Eq | Ne | Lt | Le | Gt | Ge => "holds",
    }
}
