//! What a value of a block is called: by the author's words; else by where it is from, or where it goes.

use super::{
    block::{Block, signed_name},
    names::ValueName,
};
use windrow_dsl::ir::{Axis, Node, Op, Store, UnaryOp, ValueId};

impl Block<'_> {
    /// A name for a value, which nothing else has.
    pub fn name(&mut self, id: ValueId, node: &Node) -> ValueName {
        if let Some(label) = self.label(node) {
            return self.names.claim(label);
        }
        match self.place_name(id, node) {
            Some(name) => self.names.claim(&name),
            None => self.names.claim_value(self.texts.len()),
        }
    }

    /// The author's name for a value.
    fn label<'b>(&self, node: &'b Node) -> Option<&'b str> {
        let is_plain_element = matches!(node.op, Op::Input { input, .. } if {
            let input = &self.function.kernel.inputs[input.0 as usize];
            !input.is_neighbourhood && input.channels == 1
        });
        // The parameter has the element's own name.
        if is_plain_element { None } else { node.label().map(AsRef::as_ref) }
    }

    /// For a value without such a name one that says where it is from, or where it goes.
    fn place_name(&self, id: ValueId, node: &Node) -> Option<String> {
        if let Op::Cast(_, operand) = node.op
            && self.stands_in_its_cast[operand.0 as usize]
        {
            let read = self.node(operand);
            return self.label(read).map(str::to_owned).or_else(|| self.place_name(operand, read));
        }
        if let Some(store) = self.steps.stores.iter().find(|store| store.value == id) {
            return Some(self.result_name(store));
        }
        Some(match node.op {
            Op::Input { input, channel, dx, dy } => {
                let input = &self.function.kernel.inputs[input.0 as usize];
                let mut name = input.name.clone();
                if input.is_neighbourhood {
                    name += &format!("_{}{}", signed_name(dx), self.row_name(input.stride.1, dy));
                }
                if input.channels > 1 {
                    name += &format!("_c{channel}");
                }
                if input.is_neighbourhood || input.channels > 1 { name } else { format!("{name}_0") }
            }
            Op::Uniform { uniform, index } => {
                let uniform = &self.function.kernel.uniforms[uniform.0 as usize];
                let mut rest = index;
                let mut places = Vec::new();
                for &length in uniform.dims.iter().rev() {
                    places.push(format!("_{}", rest % length.max(1)));
                    rest /= length.max(1);
                }
                places.reverse();
                format!("{}{}", uniform.name, places.concat())
            }
            Op::Derived { index } => format!("derived_{index}"),
            Op::Coordinate { axis: Axis::X, .. } => "x".to_owned(),
            Op::Coordinate { axis: Axis::Y, .. } => "y".to_owned(),
            Op::Lookup { .. } => "entry".to_owned(),
            Op::Unary(UnaryOp::Sqrt | UnaryOp::Isqrt, _) => "root".to_owned(),
            Op::Constant(_) | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                return None;
            }
        })
    }

    /// The name of a value that is written: the output's, and where in the block.
    fn result_name(&self, store: &Store) -> String {
        let output = &self.function.kernel.outputs[store.output.0 as usize];
        let channel = if output.channels > 1 { format!("_c{}", store.channel) } else { String::new() };
        format!("{}_{}{}{channel}", output.name, store.dx, self.row_name(1, store.dy))
    }
}
