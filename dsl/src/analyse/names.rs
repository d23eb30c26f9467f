//! Values in the author's words: the name that a `let` gave, or the expression itself.

use crate::dump::type_name;
use crate::ir::{Axis, BinaryOp, Body, CastMode, Constant, Kernel, Node, Op, Type, UnaryOp, Uniform, ValueId};

/// How deep an expression is written out; what lies deeper has no text.
const DEPTH: u32 = 4;

/// Writes the values of one body.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) body: &'a Body,
}

/// Expression text, and whether it can stand before a method call or an operator as it is.
struct Text {
    text: String,
    is_operand: bool,
}

impl Text {
    fn operand(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_operand: true }
    }

    fn compound(text: String) -> Self {
        Self { text, is_operand: false }
    }

    fn in_parentheses(self) -> String {
        if self.is_operand { self.text } else { format!("({})", self.text) }
    }
}

impl Names<'_> {
    /// The name or the expression; `None` where it would be too long to read.
    pub(super) fn of(&self, value: ValueId) -> Option<String> {
        Some(self.text(value, DEPTH)?.text)
    }

    /// The same, fit to stand before a method call or an operator.
    pub(super) fn operand(&self, value: ValueId) -> Option<String> {
        Some(self.text(value, DEPTH)?.in_parentheses())
    }

    /// What a method can be called on: a literal needs its type there.
    pub(super) fn receiver(&self, value: ValueId) -> Option<String> {
        let node = self.body.node(value);
        match node.op {
            Op::Constant(Constant::Int(number)) if node.name.is_none() => Some(literal(number, node.ty)),
            _ => self.operand(value),
        }
    }

    /// The operation of a node, even where its result has a name.
    pub(super) fn operation(&self, value: ValueId) -> Option<String> {
        Some(self.expression(self.body.node(value), DEPTH)?.text)
    }

    /// A value cast to a wider type; casts that only widen are seen through.
    pub(super) fn widened(&self, value: ValueId, ty: Type) -> Option<String> {
        let node = self.body.node(value);
        match node.op {
            Op::Constant(Constant::Int(number)) if node.name.is_none() => Some(number.to_string()),
            Op::Cast(CastMode::Value, inner) if node.name.is_none() && self.body.node(inner).ty != Type::F32 => {
                self.widened(inner, ty)
            }
            _ => Some(format!("{} as {}", self.operand(value)?, type_name(ty))),
        }
    }

    /// The scalar uniform behind a value, seen through casts.
    pub(super) fn uniform(&self, value: ValueId) -> Option<&Uniform> {
        match self.body.node(value).op {
            Op::Uniform { uniform, .. } => self.kernel.uniforms.get(uniform.0 as usize),
            Op::Cast(CastMode::Value, inner) => self.uniform(inner),
            _ => None,
        }
    }

    fn text(&self, value: ValueId, depth: u32) -> Option<Text> {
        let node = self.body.node(value);
        match (&node.name, &node.op) {
            // What is read has its place in its text, where the name may be the whole parameter's.
            (_, Op::Input { .. } | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Lookup { .. }) | (None, _) => {
                self.expression(node, depth)
            }
            (Some(name), _) => Some(Text::operand(name.as_str())),
        }
    }

    fn expression(&self, node: &Node, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let operand = |value: ValueId| Some(self.text(value, depth)?.in_parentheses());
        let plain = |value: ValueId| Some(self.text(value, depth)?.text);
        Some(match node.op {
            Op::Constant(Constant::Int(value)) if value < 0 => Text::compound(value.to_string()),
            Op::Constant(Constant::Int(value)) => Text::operand(value.to_string()),
            Op::Constant(Constant::Float(bits)) => Text::operand(format!("{:?}", f32::from_bits(bits))),
            Op::Constant(Constant::Bool(truth)) => Text::operand(truth.to_string()),
            Op::Input { input, channel, dx, dy } => Text::operand(self.element(node, input.0, channel, (dx, dy))),
            Op::Uniform { uniform, index } => {
                let uniform = self.kernel.uniforms.get(uniform.0 as usize)?;
                Text::operand(format!("{}{}", uniform.name, subscripts(&uniform.dims, index)))
            }
            Op::Coordinate { axis, .. } => Text::operand(match axis {
                Axis::X => "x()",
                Axis::Y => "y()",
            }),
            Op::Lookup { table, index } => {
                let table = self.kernel.tables.get(table.0 as usize)?;
                Text::operand(format!("{}[{}]", table.name, plain(index)?))
            }
            Op::Derived { .. } => return None,
            Op::Unary(UnaryOp::Neg, x) => Text::compound(format!("-{}", operand(x)?)),
            Op::Unary(UnaryOp::Not, x) => Text::compound(format!("!{}", operand(x)?)),
            Op::Unary(UnaryOp::FromBits, x) => Text::operand(format!("f32::from_bits({})", plain(x)?)),
            Op::Unary(op, x) => Text::operand(format!("{}.{}()", operand(x)?, unary_method(op))),
            Op::Binary(op, a, b) => match operator(op) {
                Some(symbol) => Text::compound(format!("{} {symbol} {}", operand(a)?, operand(b)?)),
                None => Text::operand(format!("{}.{}({})", operand(a)?, binary_method(op), plain(b)?)),
            },
            Op::MulAdd(a, b, c) => Text::operand(format!("{}.mul_add({}, {})", operand(a)?, plain(b)?, plain(c)?)),
            Op::Select { .. } => return None,
            Op::Cast(CastMode::Value, x) => Text::compound(format!("{} as {}", operand(x)?, type_name(node.ty))),
            Op::Cast(CastMode::Wrapping, x) => Text::operand(format!("{}.wrapping_cast()", operand(x)?)),
            Op::Cast(CastMode::Saturating, x) => Text::operand(format!("{}.saturating_cast()", operand(x)?)),
        })
    }

    fn element(&self, node: &Node, input: u32, channel: u32, (dx, dy): (i32, i32)) -> String {
        let Some(input) = self.kernel.inputs.get(input as usize) else { return String::new() };
        let name = &input.name;
        match (input.is_neighbourhood, input.channels) {
            (true, 1) => format!("{name}.at({dx}, {dy})"),
            (true, _) => format!("{name}.at({dx}, {dy})[{channel}]"),
            (false, 1) => name.clone(),
            (false, _) => node.name.clone().unwrap_or_else(|| format!("{name}[{channel}]")),
        }
    }
}

/// An integer literal with its type, in parentheses where it is negative.
fn literal(value: i64, ty: Type) -> String {
    let text = format!("{value}{}", type_name(ty));
    if value < 0 { format!("({text})") } else { text }
}

/// `[1][2]`: the place of a scalar in an array.
fn subscripts(dims: &[u32], index: u32) -> String {
    let mut rest = index;
    let mut text = String::new();
    for dim in dims.iter().rev() {
        text = format!("[{}]{text}", rest % (*dim).max(1));
        rest /= (*dim).max(1);
    }
    text
}

/// The operator's symbol; `None` for methods.
fn operator(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        _ => return None,
    })
}

fn binary_method(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::AbsDiff => "abs_diff",
        BinaryOp::WrappingAdd => "wrapping_add",
        BinaryOp::WrappingSub => "wrapping_sub",
        BinaryOp::WrappingMul => "wrapping_mul",
        BinaryOp::SaturatingAdd => "saturating_add",
        BinaryOp::SaturatingSub => "saturating_sub",
        BinaryOp::SaturatingMul => "saturating_mul",
        BinaryOp::HalvingAdd => "halving_add",
        BinaryOp::RoundingHalvingAdd => "rounding_halving_add",
        BinaryOp::MulHigh => "mul_high",
        BinaryOp::RoundingShr => "rounding_shr",
        BinaryOp::WrappingShl => "wrapping_shl",
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
        BinaryOp::And => "bitand",
        BinaryOp::Or => "bitor",
        BinaryOp::Xor => "bitxor",
        BinaryOp::Eq => "eq",
        BinaryOp::Ne => "ne",
        BinaryOp::Lt => "lt",
        BinaryOp::Le => "le",
        BinaryOp::Gt => "gt",
        BinaryOp::Ge => "ge",
    }
}

fn unary_method(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Not => "not",
        UnaryOp::Abs => "abs",
        UnaryOp::UnsignedAbs => "unsigned_abs",
        UnaryOp::WrappingNeg => "wrapping_neg",
        UnaryOp::WrappingAbs => "wrapping_abs",
        UnaryOp::SaturatingNeg => "saturating_neg",
        UnaryOp::SaturatingAbs => "saturating_abs",
        UnaryOp::Signum => "signum",
        UnaryOp::Sqrt => "sqrt",
        UnaryOp::Isqrt => "isqrt",
        UnaryOp::CountOnes => "count_ones",
        UnaryOp::LeadingZeros => "leading_zeros",
        UnaryOp::TrailingZeros => "trailing_zeros",
        UnaryOp::Floor => "floor",
        UnaryOp::Ceil => "ceil",
        UnaryOp::Trunc => "trunc",
        UnaryOp::RoundTiesEven => "round_ties_even",
        UnaryOp::IsNan => "is_nan",
        UnaryOp::FromBits => "from_bits",
        UnaryOp::ToBits => "to_bits",
    }
}
