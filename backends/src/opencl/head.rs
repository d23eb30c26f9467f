//! The head of the function that computes a block.

use super::{
    block::{Block, Reads},
    survey::Needs,
    types::{Form, table_type},
};
use crate::text::{Text, comma};

/// The longest line of a head.
const WIDEST: usize = 120;

impl Block<'_> {
    /// The function's name and parameters, on one line where they fit.
    pub fn head(&self, out: &mut Text, needs: &Needs) {
        let (name, parameters) = (self.function.name, self.parameters(needs));
        let line = format!("INLINE void {name}_block({})", comma(&parameters));
        if line.len() <= WIDEST {
            return out.line(line);
        }
        out.line(format!("INLINE void {name}_block("));
        for (place, parameter) in parameters.iter().enumerate() {
            let end = if place + 1 == parameters.len() { ")" } else { "," };
            out.line(format!("    {parameter}{end}"));
        }
    }

    fn parameters(&self, needs: &Needs) -> Vec<String> {
        let kernel = self.function.kernel;
        let mut parameters = Vec::new();
        for input in &needs.inputs {
            let (ty, a) = (Form::scalar(kernel.inputs[input.0 as usize].ty), &self.images.inputs[input.0 as usize]);
            parameters.push(match self.function.reads {
                Reads::Buffers => format!("const Source_{} {a}", ty.suffix()),
                Reads::Images => format!(
                    "__read_only image2d_t {a}, const sampler_t {a}_sampler, const uint {a}_border, const int2 {a}_first"
                ),
            });
        }
        for output in &needs.outputs {
            let ty = Form::scalar(kernel.outputs[output.0 as usize].ty);
            parameters.push(format!("const Sink_{} {}", ty.suffix(), self.images.outputs[output.0 as usize]));
        }
        for table in &needs.tables {
            let ty = table_type(kernel.tables[table.0 as usize].ty);
            parameters.push(format!("__global const {ty} *{}", self.images.tables[table.0 as usize]));
        }
        if needs.words {
            parameters.push("__constant const uint *words".to_owned());
        }
        if needs.coordinates {
            parameters.push("const int block_x, const int block_y, const int last_x, const int last_y".to_owned());
        }
        parameters
    }
}
