//! One value in all lanes: of a word, of a constant, of a scalar expression. All are made before the loop, as they vary along
//! nothing.

use super::Target;
use super::program::{Arg, Lane, VectorId};
use super::selection::Select;
use crate::value_name::wanted;
use windrow_dsl::ir::{Constant, Op, ValueId};

impl<T: Target> Select<'_, T> {
    /// A word in all lanes, converted to them.
    pub fn splat(&mut self, id: ValueId, lane: Lane) -> VectorId {
        match self.splats[id.0 as usize] {
            Some((of, known)) if of == lane => known,
            _ => {
                let made = self.make_splat(id, lane);
                self.splats[id.0 as usize] = Some((lane, made));
                made
            }
        }
    }

    fn make_splat(&mut self, id: ValueId, lane: Lane) -> VectorId {
        let node = self.body.node(id);
        let text = self.word(id).unwrap_or_default().to_owned();
        let scalar = lane.scalar();
        let text = match node.op {
            Op::Constant(Constant::Int(value)) => value.to_string(),
            _ if node.ty.name() == scalar => text,
            _ => format!("{text} as {scalar}"),
        };
        let name = if let Op::Constant(constant) = node.op {
            constant_name(constant).into()
        } else {
            wanted(self.kernel, node)
        };
        self.splat_text(&text, lane, &name)
    }

    /// An integer constant in all lanes, its value hidden from the compiler.
    pub fn splat_hidden(&mut self, id: ValueId, lane: Lane) -> VectorId {
        let Op::Constant(constant @ Constant::Int(value)) = self.body.node(id).op else { return self.splat(id, lane) };
        let hidden = Arg::Opaque(format!("{value}{}", lane.scalar()));
        self.program.call_named(lane, &constant_name(constant), self.target.splat(lane, hidden))
    }

    /// A scalar expression of the lanes' type in all of them.
    pub fn splat_text(&mut self, text: &str, lane: Lane, name: &str) -> VectorId {
        self.program.call_named(lane, name, self.target.splat(lane, Arg::Text(text.to_owned())))
    }

    /// An integer constant in all lanes.
    pub fn splat_int(&mut self, value: i128, lane: Lane) -> VectorId {
        if let Some(&(.., id)) = self.integers.iter().find(|(own, of, _)| (*own, *of) == (value, lane)) {
            return id;
        }
        let id = self.splat_text(&value.to_string(), lane, &constant_name(Constant::Int(value)));
        self.integers.push((value, lane, id));
        id
    }
}

/// `n_5`, `n_m1`, `n_0p5`, `yes`.
fn constant_name(constant: Constant) -> String {
    let digits = match constant {
        Constant::Bool(value) => return if value { "yes".to_owned() } else { "no".to_owned() },
        Constant::Int(value) if value < 0 => return format!("n_m{}", value.unsigned_abs()),
        Constant::Int(value) => return format!("n_{value}"),
        Constant::Float(bits) => format!("{:?}", f32::from_bits(bits)),
        Constant::Double(bits) => format!("{:?}", f64::from_bits(bits)),
    };
    let plain: String = digits.replace('-', "m").replace('.', "p").replace("pm", "p");
    format!("n_{plain}")
}
