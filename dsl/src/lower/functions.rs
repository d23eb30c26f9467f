//! Calls of the elementary functions: their operations are written down in place of the call.

use super::value::{Scalar, Source};
use super::{Lower, Stop};
use crate::functions;
use crate::ir::{Measured, Op};
use proc_macro2::Span;

impl Lower<'_> {
    /// The value of a function at these arguments; what is known of them is computed here.
    pub(super) fn function(&mut self, name: &str, arguments: &[Scalar], span: Span) -> Result<Scalar, Stop> {
        let function = functions::function(name).map_err(|errors| {
            self.errors.extend(errors);
            Stop
        })?;
        let mut values: Vec<Scalar> = Vec::with_capacity(function.steps.len());
        for step in &function.steps {
            self.step(1, None)?;
            let at = |id: crate::ir::ValueId| values[id.0 as usize];
            let before = self.body.nodes.len();
            let value = match &step.op {
                Op::Load(access) => *arguments.get(access.tensor.0 as usize).ok_or(Stop)?,
                Op::Constant(constant) => Scalar::known(step.ty, *constant),
                Op::Unary(op, x) => self.unary_op(*op, step.ty, at(*x), span),
                Op::Binary(op, a, b) => self.binary_op(*op, at(*a), at(*b), span),
                Op::MulAdd(a, b, c) => self.mul_add(at(*a), at(*b), at(*c), span),
                Op::Select { condition, then, otherwise } => {
                    let (then, otherwise) = (at(*then), at(*otherwise));
                    match at(*condition).source {
                        Source::Known(_) if at(*condition).as_bool() == Some(true) => then,
                        Source::Known(_) => otherwise,
                        Source::Node(condition) => self.select_scalar(condition, then, otherwise, span),
                    }
                }
                Op::Cast(mode, x) => self.cast(*mode, step.ty, at(*x), span),
                Op::Uniform { .. }
                | Op::Coordinate { .. }
                | Op::Lookup { .. }
                | Op::Extent { .. }
                | Op::Stride { .. }
                | Op::Plane { .. }
                | Op::Gather { .. }
                | Op::Fetch { .. }
                | Op::Contiguous { .. }
                | Op::Across { .. }
                | Op::Local { .. }
                | Op::Derived { .. }
                | Op::Turn { .. }
                | Op::Carried { .. }
                | Op::Advance { .. }
                | Op::Outcome { .. } => return Err(Stop),
            };
            if self.body.nodes.len() > before {
                let is_result = values.len() == function.result.0 as usize;
                let words = match &step.name {
                    _ if is_result => Some(format!("{name}(…)")),
                    Some(word) => Some(format!("{name}.{word}")),
                    None => None,
                };
                words.into_iter().for_each(|words| self.name_node(value, &words.into()));
            }
            values.push(value);
        }
        let result = values[function.result.0 as usize];
        if let Source::Node(value) = result.source {
            self.body.measured.push(Measured { value, bounds: function.bounds });
        }
        Ok(result)
    }
}
