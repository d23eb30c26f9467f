//! What a value of a block is called: by the author's words; else by where it is from, or where it goes; else by what
//! computes it, as in the bodies of processors.

use super::writer::{BlockWriter, signed_name};
use crate::value_name::wanted;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, Node, Op, Store, Tap, ValueId};

impl BlockWriter<'_> {
    /// A name for a value, which nothing else has.
    pub fn name(&mut self, id: ValueId, node: &Node) -> Rc<str> {
        match self.label(node).cloned().or_else(|| self.place_name(id, node)) {
            Some(name) => self.names.claim(&name),
            None => self.names.claim(&wanted(self.function.kernel, node)),
        }
    }

    /// The author's name for a value.
    fn label<'b>(&self, node: &'b Node) -> Option<&'b Rc<str>> {
        let is_plain_element = node.op.load().is_some_and(|access| {
            let input = &self.function.kernel.inputs[access.tensor.0 as usize];
            !input.is_neighbourhood && input.channels == 1
        });
        // The parameter has the element's own name.
        if is_plain_element { None } else { node.label() }
    }

    /// For a value without such a name one that says where it is from, or where it goes.
    fn place_name(&self, id: ValueId, node: &Node) -> Option<Rc<str>> {
        if let Op::Cast(_, operand) = node.op
            && self.is_in_its_cast[operand.0 as usize]
        {
            let read = self.node(operand);
            return self.label(read).cloned().or_else(|| self.place_name(operand, read));
        }
        if let Some(store) = self.nested.stores.iter().find(|store| store.value == id) {
            return Some(self.result_name(store).into());
        }
        let name = match node.op {
            Op::Load(ref access) => {
                let Tap { input, channel, dx, dy } = access.tap()?;
                let input = &self.function.kernel.inputs[input.0 as usize];
                let around = match input.is_neighbourhood {
                    true => format!("_{}{}", signed_name(dx), self.row_name(input.stride().1, dy)),
                    false if input.channels == 1 => "_0".to_owned(),
                    false => String::new(),
                };
                let channel = if input.channels > 1 { format!("_c{channel}") } else { String::new() };
                format!("{}{around}{channel}", input.name)
            }
            Op::Uniform { uniform, index } => {
                let uniform = &self.function.kernel.uniforms[uniform.0 as usize];
                let (mut rest, mut places) = (index, String::new());
                for &length in uniform.dims.iter().rev() {
                    places = format!("_{}{places}", rest % length.max(1));
                    rest /= length.max(1);
                }
                format!("{}{places}", uniform.name)
            }
            Op::Coordinate { axis: AxisId::X, .. } => "x".to_owned(),
            Op::Coordinate { axis: AxisId::Y, .. } => "y".to_owned(),
            Op::Coordinate { axis, .. } => axis.to_string(),
            Op::Lookup { .. } => "entry".to_owned(),
            Op::Gather { input, channel, .. } | Op::Fetch { input, channel, .. } => {
                let input = &self.function.kernel.inputs[input.0 as usize];
                let part = if input.channels > 1 { format!("c{channel}") } else { "element".to_owned() };
                format!("{}_{part}", input.name)
            }
            Op::Local { value, .. } => return self.place_name(value, self.node(value)),
            _ => return None,
        };
        Some(name.into())
    }

    /// The name of a value that is written: the output's, and where in the block.
    fn result_name(&self, store: &Store) -> String {
        let output = &self.function.kernel.outputs[store.to.tensor.0 as usize];
        let [dy, dx] = store.place();
        let channel = if output.channels > 1 { format!("_c{}", store.to.channel) } else { String::new() };
        format!("{}_{dx}{}{channel}", output.name, self.row_name(1, dy))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_called_by_what_computes_them() {
        let source = "#[kernel] fn mean(a: u8, b: u8, c: u8) -> u8 {
            ((a as u16 + b as u16 * 3 - (a.min(b) as u16) + c as u16) / 8) as u8
        }";
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let text = crate::opencl::emit(kernel, &windrow_dsl::optimise::prepare(kernel)).source;
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_number = |word: &str| word.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
        assert_eq!(words().find(|word| is_number(word)), None, "{text}");
        for name in ["sum", "product", "difference", "least"] {
            assert!(words().any(|word| word == name), "{name}: {text}");
        }
    }
}
