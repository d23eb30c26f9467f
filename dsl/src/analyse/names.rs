//! Values in the author's words: the name that a `let` gave, or the expression itself.

use crate::builtins::{Lowering, METHODS};
use crate::ir::Overflow::Never;
use crate::ir::{
    Access, AxisId, BinaryOp, Body, CastMode, Constant, InputId, Kernel, Name, Node, Op, Parameter, Tap, Type, UnaryOp,
    Uniform, ValueId,
};
use crate::operators::OPERATORS;

/// How deep an expression is written out; what lies deeper has no text.
const DEPTH: u32 = 8;
/// Longer texts are not worth reading.
const MAX_LENGTH: usize = 90;
/// The same for the parts of an outline.
const MAX_PART: usize = 30;

/// Writes the values of one body.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) body: &'a Body,
    /// What the author calls u32 here: an index is `usize`.
    pub(super) word: &'static str,
}

/// How tightly an expression binds, as in Rust's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Comparison,
    Or,
    Xor,
    And,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    /// A name, a literal, a call: never in parentheses.
    Whole,
}

/// Expression text, and how tightly it binds.
struct Text {
    text: String,
    binding: Binding,
}

impl Text {
    fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), binding: Binding::Whole }
    }

    /// In parentheses where it binds less tightly than its place asks.
    fn within(self, place: Binding) -> String {
        if self.binding >= place { self.text } else { format!("({})", self.text) }
    }
}

impl<'a> Names<'a> {
    /// The names of a body's values.
    pub(super) fn new(kernel: &'a Kernel, body: &'a Body) -> Self {
        Self { kernel, body, word: "u32" }
    }

    /// The same for values that are the index of an array.
    pub(super) fn of_indices(self) -> Self {
        Self { word: "usize", ..self }
    }

    fn type_name(&self, ty: Type) -> &'static str {
        if ty == Type::U32 { self.word } else { ty.name() }
    }
}

impl Names<'_> {
    /// The amount of a shift as the author wrote it: any integer will do there.
    pub(super) fn amount(&self, value: ValueId) -> ValueId {
        match self.body.node(value) {
            Node { op: Op::Cast(CastMode::Value, inner), name: None, .. } if self.body.node(*inner).ty.is_integer() => {
                *inner
            }
            _ => value,
        }
    }

    /// The name or the expression; `None` where it would be too long to read.
    pub(super) fn of(&self, value: ValueId) -> Option<String> {
        Some(self.text(value, DEPTH)?.text).filter(|text| text.len() <= MAX_LENGTH)
    }

    /// What a method can be called on: a literal needs its type there.
    pub(super) fn receiver(&self, value: ValueId) -> Option<String> {
        let node = self.body.node(value);
        match node.op {
            Op::Constant(Constant::Int(number)) if node.name.is_none() => Some(literal(number, node.ty)),
            _ => Some(self.text(value, DEPTH)?.within(Binding::Whole)),
        }
    }

    /// The text of a part of an outline, where it is short.
    pub(super) fn short(&self, value: ValueId) -> Option<String> {
        self.of(value).filter(|text| text.len() <= MAX_PART)
    }

    /// The operation of a node, even where its result has a name.
    pub(super) fn operation(&self, value: ValueId) -> Option<String> {
        Some(self.expression(self.body.node(value), DEPTH)?.text).filter(|text| text.len() <= MAX_LENGTH)
    }

    /// The operation of a node, with `…` for operands that would be too long to read.
    pub(super) fn outline(&self, value: ValueId) -> String {
        let node = self.body.node(value);
        let short = |operand: ValueId| self.short(operand).unwrap_or_else(|| String::from("…"));
        let outline = || match node.op {
            Op::Unary(op, x) => format!("{}.{}()", short(x), method(Lowering::Unary(op))),
            Op::Binary(op, a, b) => match operator(op) {
                Some((symbol, _)) => format!("{} {symbol} {}", short(a), short(b)),
                None => format!("{}.{}({})", short(a), method(Lowering::Binary(op)), short(b)),
            },
            Op::Cast(_, x) => format!("{} as {}", short(x), self.type_name(node.ty)),
            Op::Lookup { table, .. } => {
                let name = self.kernel.tables.get(table.0 as usize).map_or("table", |table| &table.name);
                format!("{name}[…]")
            }
            Op::Gather { input, .. } => {
                let name = self.kernel.inputs.get(input.0 as usize).map_or("input", |input| &input.name);
                format!("{name}.get(…)")
            }
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Plane { .. }
            | Op::Stride { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => String::from("…"),
        };
        self.operation(value).unwrap_or_else(outline)
    }

    /// `left op right` with other operands in their places; methods are called.
    pub(super) fn with_right(&self, op: BinaryOp, left: ValueId, right: &str) -> Option<String> {
        let left = self.text(left, DEPTH)?;
        Some(match operator(op) {
            Some((symbol, binding)) => format!("{} {symbol} {right}", left_side(left, op, binding)),
            None => format!("{}.{}({right})", left.within(Binding::Whole), method(Lowering::Binary(op))),
        })
    }

    /// `left op right`, both cast to a wider type; the amount of a shift remains what it is.
    pub(super) fn widened_operation(&self, op: BinaryOp, left: ValueId, right: ValueId, ty: Type) -> Option<String> {
        let (symbol, binding) = operator(op)?;
        let left = left_side(self.widened(left, ty)?, op, binding);
        let right = match op {
            BinaryOp::Shl(Never) | BinaryOp::Shr => self.text(right, DEPTH)?.within(Binding::Sum),
            _ => self.widened(right, ty)?.within(Binding::Cast),
        };
        Some(format!("{left} {symbol} {right}"))
    }

    /// A sum of sums and products with each of their operands cast to a wider type.
    pub(super) fn widened_chain(&self, whole: ValueId, ty: Type) -> Option<String> {
        Some(self.widened_sum(whole, ty, true)?.text)
    }

    fn widened_sum(&self, value: ValueId, ty: Type, is_whole: bool) -> Option<Text> {
        let node = self.body.node(value);
        match node.op {
            Op::Binary(op @ (BinaryOp::Add(Never) | BinaryOp::Sub(Never) | BinaryOp::Mul(Never)), a, b)
                if is_whole || node.name.is_none() =>
            {
                let (symbol, binding) = operator(op)?;
                let left = self.widened_sum(a, ty, false)?.within(binding);
                let tighter = if binding == Binding::Sum { Binding::Product } else { Binding::Cast };
                let right = self.widened_sum(b, ty, false)?.within(tighter);
                Some(Text { text: format!("{left} {symbol} {right}"), binding })
            }
            _ => self.widened(value, ty),
        }
    }

    /// The value cast to a wider type, fit for a method call.
    pub(super) fn widened_receiver(&self, value: ValueId, ty: Type) -> Option<String> {
        Some(self.widened(value, ty)?.within(Binding::Whole))
    }

    /// The value cast to a wider type.
    pub(super) fn widened_text(&self, value: ValueId, ty: Type) -> Option<String> {
        Some(self.widened(value, ty)?.text)
    }

    /// A value cast to a wider type; casts that only widen are seen through.
    fn widened(&self, value: ValueId, ty: Type) -> Option<Text> {
        let node = self.body.node(value);
        match node.op {
            Op::Constant(Constant::Int(number)) if node.name.is_none() => {
                Some(Text { text: number.to_string(), binding: Binding::Prefix })
            }
            Op::Cast(CastMode::Value, inner) if node.name.is_none() && !self.body.node(inner).ty.is_float() => {
                self.widened(inner, ty)
            }
            _ => {
                let text = format!("{} as {}", self.text(value, DEPTH)?.within(Binding::Cast), ty.name());
                Some(Text { text, binding: Binding::Cast })
            }
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
            // The author's names of the place, where the kernel takes it.
            (Some(name), Op::Coordinate { .. })
                if self.kernel.parameters.iter().any(|own| matches!(own, Parameter::Place(_))) =>
            {
                Some(Text::whole(&**name))
            }
            // What is read has its place in its text, where the name may be the whole parameter's.
            (_, Op::Load(_) | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Lookup { .. } | Op::Gather { .. })
            | (None, _) => self.expression(node, depth),
            // A call with arguments that are not known says less than what it computes.
            (Some(name), _) if name.contains('…') => self.expression(node, depth),
            (Some(name), _) => Some(Text::whole(&**name)),
        }
    }

    fn expression(&self, node: &Node, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let whole = |value: ValueId| Some(self.text(value, depth)?.within(Binding::Whole));
        let plain = |value: ValueId| Some(self.text(value, depth)?.text);
        let prefixed = |sign: char, value: ValueId| {
            let text = format!("{sign}{}", self.text(value, depth)?.within(Binding::Prefix));
            Some(Text { text, binding: Binding::Prefix })
        };
        Some(match node.op {
            Op::Constant(Constant::Int(value)) if value < 0 => {
                Text { text: value.to_string(), binding: Binding::Prefix }
            }
            Op::Constant(Constant::Int(value)) => Text::whole(value.to_string()),
            Op::Constant(Constant::Float(bits)) => Text::whole(format!("{:?}", f32::from_bits(bits))),
            Op::Constant(Constant::Double(bits)) => Text::whole(format!("{:?}", f64::from_bits(bits))),
            Op::Constant(Constant::Bool(truth)) => Text::whole(truth.to_string()),
            Op::Load(ref access) => Text::whole(self.element(node, access)?),
            Op::Uniform { uniform, index } => {
                let uniform = self.kernel.uniforms.get(uniform.0 as usize)?;
                Text::whole(format!("{}{}", uniform.name, subscripts(&uniform.dims, index)))
            }
            Op::Coordinate { axis: AxisId::X, .. } => Text::whole("x()"),
            Op::Coordinate { .. } => Text::whole("y()"),
            Op::Lookup { table, index } => {
                let table = self.kernel.tables.get(table.0 as usize)?;
                Text::whole(format!("{}[{}]", table.name, plain(index)?))
            }
            Op::Gather { input, plane, at, .. } => self.gathered(input, plane, at, depth)?,
            Op::Extent { input, dimension } => {
                let input = self.kernel.inputs.get(input.0 as usize)?;
                Text::whole(format!("{}.extents()[{dimension}]", input.name))
            }
            Op::Derived { .. }
            | Op::Plane { .. }
            | Op::Stride { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. } => {
                return None;
            }
            Op::Unary(UnaryOp::Neg(Never), x) => prefixed('-', x)?,
            Op::Unary(UnaryOp::Not, x) => prefixed('!', x)?,
            Op::Unary(UnaryOp::FromBits, x) => Text::whole(format!("{}::from_bits({})", node.ty.name(), plain(x)?)),
            Op::Unary(UnaryOp::FromHalf, x) => Text::whole(format!("{}.cast::<f32>()", whole(x)?)),
            Op::Unary(UnaryOp::ToHalf, x) => Text::whole(format!("{}.cast::<f16>()", whole(x)?)),
            Op::Unary(op, x) => Text::whole(format!("{}.{}()", whole(x)?, method(Lowering::Unary(op)))),
            Op::Binary(op, a, b) => match operator(op) {
                Some((symbol, binding)) => {
                    let b = if matches!(op, BinaryOp::Shl(Never) | BinaryOp::Shr) { self.amount(b) } else { b };
                    let left = left_side(self.text(a, depth)?, op, binding);
                    let right = self.text(b, depth)?;
                    // Operators of one strength group to the left.
                    let right =
                        if right.binding == binding { format!("({})", right.text) } else { right.within(binding) };
                    Text { text: format!("{left} {symbol} {right}"), binding }
                }
                None => Text::whole(format!("{}.{}({})", whole(a)?, method(Lowering::Binary(op)), plain(b)?)),
            },
            Op::MulAdd(a, b, c) => Text::whole(format!("{}.mul_add({}, {})", whole(a)?, plain(b)?, plain(c)?)),
            Op::Select { .. } | Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => {
                return None;
            }
            Op::Cast(CastMode::Value, x) => {
                let text = format!("{} as {}", self.text(x, depth)?.within(Binding::Cast), self.type_name(node.ty));
                Text { text, binding: Binding::Cast }
            }
            Op::Cast(CastMode::Wrapping, x) => Text::whole(format!("{}.wrapping_cast()", whole(x)?)),
            Op::Cast(CastMode::Saturating, x) => Text::whole(format!("{}.saturating_cast()", whole(x)?)),
        })
    }

    /// An element of a tensor at a computed place, in the author's order of dimensions.
    fn gathered(
        &self,
        input: InputId,
        plane: Option<ValueId>,
        [row, column]: [ValueId; 2],
        depth: u32,
    ) -> Option<Text> {
        let plain = |value: ValueId| Some(self.text(value, depth)?.text);
        let input = self.kernel.inputs.get(input.0 as usize)?;
        let mut place = vec![plain(column)?];
        if input.dimensions() > 1 {
            place.push(plain(row)?);
        }
        let mut around = plane;
        while let Some(Op::Plane { index, outside, .. }) = around.map(|id| &self.body.node(id).op) {
            place.push(plain(*index)?);
            around = *outside;
        }
        place.reverse();
        Some(Text::whole(format!("{}[[{}]]", input.name, place.join(", "))))
    }

    fn element(&self, node: &Node, access: &Access) -> Option<String> {
        let Tap { input, channel, dx, dy } = access.tap()?;
        let input = self.kernel.inputs.get(input.0 as usize)?;
        let name = &input.name;
        Some(match (input.is_neighbourhood, input.channels) {
            (true, 1) => format!("{name}.at({dx}, {dy})"),
            (true, _) => format!("{name}.at({dx}, {dy})[{channel}]"),
            (false, 1) => name.clone(),
            (false, _) => node.name.as_ref().map_or_else(|| format!("{name}[{channel}]"), Name::to_string),
        })
    }
}

/// An integer literal with its type, in parentheses where it is negative.
fn literal(value: i128, ty: Type) -> String {
    let text = format!("{value}{}", ty.name());
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

/// The left operand of an operator. A type before `<` would be read as the start of its arguments.
fn left_side(left: Text, op: BinaryOp, binding: Binding) -> String {
    let before_angle = matches!(op, BinaryOp::Lt | BinaryOp::Shl(Never)) && left.text.contains(" as ");
    let place = match binding {
        Binding::Comparison => Binding::Or,
        other => other,
    };
    left.within(if before_angle { Binding::Whole } else { place })
}

/// The operator's symbol and strength; `None` for methods.
fn operator(op: BinaryOp) -> Option<(&'static str, Binding)> {
    let symbol = OPERATORS.iter().find(|row| row.lowering == Lowering::Binary(op))?.symbol;
    let binding = match symbol {
        "*" | "/" | "%" => Binding::Product,
        "+" | "-" => Binding::Sum,
        "<<" | ">>" => Binding::Shift,
        "&" => Binding::And,
        "^" => Binding::Xor,
        "|" => Binding::Or,
        _ => Binding::Comparison,
    };
    Some((symbol, binding))
}

/// The method that is this operation.
fn method(lowering: Lowering) -> &'static str {
    METHODS.iter().find(|row| row.lowering == lowering).map_or("…", |row| row.name)
}
