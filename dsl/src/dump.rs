//! The IR as text, for people and for snapshots: `windrow emit --target ir` prints it.
//!
//! One line a value, `name: type = operation operands`; the text is stable and holds no spans.

use crate::ir::{Affine, Body, Constant, GuardId, Input, InputId, Kernel, Node, Op, Order, Tap, ValueId};
use std::fmt::Write;

/// The whole kernel: its signature, then each body.
pub fn kernel(kernel: &Kernel) -> String {
    let mut out = format!("kernel {}\n", kernel.name);
    for input in &kernel.inputs {
        let _ = writeln!(out, "  input {}", signature(input));
    }
    for uniform in &kernel.uniforms {
        let bounds = uniform.bounds.map_or(String::new(), |(lo, hi)| format!(" in {lo:?}..={hi:?}"));
        let _ = writeln!(out, "  uniform {}: {}{:?}{bounds}", uniform.name, uniform.ty.name(), uniform.dims);
    }
    for table in &kernel.tables {
        let _ = writeln!(out, "  table {}: [{}; {}]", table.name, table.element.name(), table.length);
    }
    for output in &kernel.outputs {
        let optional = if output.optional { "?" } else { "" };
        let _ = writeln!(out, "  output {}{optional}: {} x{}", output.name, output.element.name(), output.channels);
    }
    for body in &kernel.bodies {
        let choice: Vec<&str> = body
            .choice
            .iter()
            .zip(&kernel.variants)
            .filter_map(|(&value, variant)| variant.values.get(value as usize).map(String::as_str))
            .collect();
        let _ = writeln!(out, "body [{}]", choice.join(", "));
        out.push_str(&self::body(kernel, body));
    }
    out
}

/// One body, a line a value.
pub fn body(kernel: &Kernel, body: &Body) -> String {
    let mut out = String::new();
    for (index, node) in body.nodes.iter().enumerate() {
        let guard = node.guard.map_or(String::new(), |guard| format!("  if {}", condition(body, guard)));
        let id = value_name(body, ValueId(index as u32));
        let _ = writeln!(out, "  {id}: {} = {}{guard}", node.ty.name(), operation(kernel, body, node));
    }
    for store in &body.stores {
        let ([dy, dx], to) = (store.place(), &store.to);
        let name = kernel.outputs.get(to.tensor.0 as usize).map_or("?", |output| output.name.as_str());
        let value = value_name(body, store.value);
        let _ = writeln!(out, "  {name}.{}[{dx}, {dy}] <- {value}", to.channel);
    }
    out
}

fn signature(input: &Input) -> String {
    let n = input.neighbourhood;
    format!(
        "{}: {} x{} [{}..={}, {}..={}] stride {:?}",
        input.name,
        input.element.name(),
        input.channels,
        n.left,
        n.right,
        n.top,
        n.bottom,
        input.stride()
    )
}

fn value_name(body: &Body, id: ValueId) -> String {
    body.nodes
        .get(id.0 as usize)
        .and_then(Node::label)
        .map_or_else(|| format!("v{}", id.0), |name| format!("v{}_{name}", id.0))
}

fn condition(body: &Body, guard: GuardId) -> String {
    let mut parts = Vec::new();
    let mut next = Some(guard);
    while let Some(guard) = next.and_then(|id| body.guards.get(id.0 as usize)) {
        parts.push(format!("{}{}", if guard.polarity { "" } else { "!" }, value_name(body, guard.condition)));
        next = guard.parent;
    }
    parts.reverse();
    parts.join(" && ")
}

fn input_name(kernel: &Kernel, input: InputId) -> &str {
    kernel.inputs.get(input.0 as usize).map_or("?", |input| input.name.as_str())
}

fn operation(kernel: &Kernel, body: &Body, node: &Node) -> String {
    let name = |id: ValueId| value_name(body, id);
    match node.op {
        Op::Constant(Constant::Bool(value)) => value.to_string(),
        Op::Constant(Constant::Int(value)) => value.to_string(),
        Op::Constant(Constant::Float(bits)) => format!("{:?}", f32::from_bits(bits)),
        Op::Constant(Constant::Double(bits)) => format!("{:?}", f64::from_bits(bits)),
        Op::Load(ref access) => {
            let input = input_name(kernel, access.tensor);
            let place = match access.tap() {
                // The input's signature says the rest.
                Some(Tap { dx, dy, .. }) => format!("{dx}, {dy}"),
                None => access.at().iter().map(Affine::to_string).collect::<Vec<_>>().join("; "),
            };
            format!("{input}.{}[{place}]", access.channel)
        }
        Op::Uniform { uniform, index } => {
            let uniform = kernel.uniforms.get(uniform.0 as usize).map_or("?", |uniform| uniform.name.as_str());
            format!("{uniform}.{index}")
        }
        Op::Derived { index, .. } => format!("derived.{index}"),
        Op::Coordinate { axis, offset } => format!("{axis}{offset:+}"),
        Op::Lookup { table, index } => {
            let table = kernel.tables.get(table.0 as usize).map_or("?", |table| table.name.as_str());
            format!("{table}[{}]", name(index))
        }
        Op::Extent { input, dimension } => format!("{}.extent.{dimension}", input_name(kernel, input)),
        Op::Stride { input, dimension } => format!("{}.stride.{dimension}", input_name(kernel, input)),
        Op::Plane { input, dimension, outside, index } => {
            let outside = outside.map_or_else(String::new, |id| format!("{}, ", name(id)));
            format!("{}.plane.{dimension}[{outside}{}]", input_name(kernel, input), name(index))
        }
        Op::Gather { input, channel, plane, at: [row, column] } => {
            let plane = plane.map_or_else(String::new, |id| format!("{}; ", name(id)));
            format!("{}.{channel}[{plane}{}; {}]", input_name(kernel, input), name(row), name(column))
        }
        Op::Fetch { input, channel, offset } => {
            format!("{}.{channel}[+ {}]", input_name(kernel, input), name(offset))
        }
        Op::Contiguous { input, row, first, last, .. } => {
            format!("{}.0[+ {}; {}.. <= {}]", input_name(kernel, input), name(row), name(first), name(last))
        }
        Op::Across { op, value } => format!("Across {op} {}", name(value)),
        Op::Local { value, axis, offset } => format!("Local {} {axis}{offset:+}", name(value)),
        Op::Unary(op, operand) => format!("{op} {}", name(operand)),
        Op::Binary(op, left, right) => format!("{op} {} {}", name(left), name(right)),
        Op::MulAdd(a, b, c) => format!("MulAdd {} {} {}", name(a), name(b), name(c)),
        Op::Select { condition, then, otherwise } => {
            format!("Select {} {} {}", name(condition), name(then), name(otherwise))
        }
        Op::Cast(mode, operand) => format!("Cast::{mode:?} {}", name(operand)),
        Op::Turn { axis, start, end, order } => {
            let lanes = if order == Order::Lanes { " in lanes" } else { "" };
            format!("{axis} in {}..{}{lanes}", name(start), name(end))
        }
        Op::Carried { turn, before, .. } => format!("Carried {} from {}", name(turn), name(before)),
        Op::Advance { carried, after, rest } => format!("Advance {} to {}, {}", name(carried), name(after), name(rest)),
        Op::Outcome { end, carried } => format!("Outcome {} {}", name(end), name(carried)),
    }
}
