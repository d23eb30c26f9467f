//! The author's words for values: a binding's name before all else, then the call that gave the value.
//!
//! Names serve readers only: the emitters' texts and the messages of the proof. Nothing is decided by them.

use super::Lower;
use super::value::{Scalar, Source, Value};
use crate::infer::types::{Callable, Ty};
use crate::ir::{Constant, Name, Op};
use crate::syntax::{Expr, ExprKind, LocalId};

/// The names of a binding and of its elements, once they were asked for: a loop gives many values the same.
#[derive(Clone, Default)]
pub(super) struct Names {
    own: Option<Name>,
    elements: Vec<Option<Name>>,
}

impl<'a> Lower<'a> {
    /// The author's name of a binding.
    pub(super) fn name_of(&mut self, local: LocalId) -> Name {
        let word = &self.unit.locals[local.0 as usize].name;
        self.names[local.0 as usize].own.get_or_insert_with(|| word.to_string().into()).clone()
    }

    /// The name of one of its elements: with its number.
    pub(super) fn name_of_element(&mut self, local: LocalId, index: usize) -> Name {
        let name = self.name_of(local);
        let ty = self.type_of(local);
        let elements = &mut self.names[local.0 as usize].elements;
        if elements.len() <= index {
            elements.resize(index + 1, None);
        }
        elements[index].get_or_insert_with(|| part_of(&name, ty, index).0).clone()
    }

    /// The type of a binding.
    pub(super) fn type_of(&self, local: LocalId) -> Option<&'a Ty> {
        self.types.locals.get(local.0 as usize)
    }

    /// Gives a node the author's name, where it has none.
    pub(super) fn name_node(&mut self, scalar: Scalar, name: &Name) {
        if let Source::Node(id) = scalar.source
            && let Some(node) = self.body.nodes.get_mut(id.0 as usize)
            && node.name.is_none()
            && !matches!(node.op, Op::Constant(_))
        {
            node.name = Some(name.clone());
        }
    }

    /// Gives the parts of a value the author's name, numbered as Rust numbers the parts of this type.
    pub(super) fn name_value(&mut self, value: &Value<'a>, name: &Name, ty: Option<&Ty>) {
        match value {
            Value::Scalar(scalar) => self.name_node(*scalar, name),
            Value::Parts(parts) if parts.len() <= 64 => {
                for (index, part) in parts.iter().enumerate() {
                    let (name, ty) = part_of(name, ty, index);
                    self.name_value(part, &name, ty);
                }
            }
            Value::Parts(_)
            | Value::Closure(_)
            | Value::Function(_)
            | Value::Neighbourhood(_)
            | Value::View(_)
            | Value::Table(_)
            | Value::Enum(_)
            | Value::Iterator(_) => {}
        }
    }

    /// Notes what a call gave, for those of its values that the call itself computed (from node `first` on).
    pub(super) fn note_call(&mut self, value: &Value<'a>, first: usize, words: Option<String>) {
        let Some(words) = words else { return };
        match value {
            Value::Scalar(Scalar { source: Source::Node(id), .. }) if id.0 as usize >= first => {
                self.called.push((*id, words));
            }
            Value::Parts(parts) if parts.len() <= 64 => {
                for (index, part) in parts.iter().enumerate() {
                    self.note_call(part, first, Some(format!("{words}.{index}")));
                }
            }
            Value::Scalar(_)
            | Value::Parts(_)
            | Value::Closure(_)
            | Value::Function(_)
            | Value::Neighbourhood(_)
            | Value::View(_)
            | Value::Table(_)
            | Value::Enum(_)
            | Value::Iterator(_) => {}
        }
    }

    /// Names what calls gave and no binding names. Of calls within calls the innermost names it, but a call whose
    /// arguments are known says more than one whose are not.
    pub(super) fn name_calls(&mut self) {
        let (unknown, known): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.called).into_iter().partition(|(_, words)| words.contains('…'));
        for (id, words) in known.into_iter().chain(unknown) {
            if let Some(node) = self.body.nodes.get_mut(id.0 as usize)
                && node.name.is_none()
                && !matches!(node.op, Op::Constant(_) | Op::Load(_))
            {
                node.name = Some(words.into());
            }
        }
    }
}

/// `v[1]` of an array, `v.1` of a tuple, and the type of that.
pub(super) fn part_of<'t>(name: &str, ty: Option<&'t Ty>, index: usize) -> (Name, Option<&'t Ty>) {
    match ty {
        Some(Ty::Tuple(parts)) => (format!("{name}.{index}").into(), parts.get(index)),
        Some(Ty::Array(element, _)) => (format!("{name}[{index}]").into(), Some(element)),
        Some(_) | None => (format!("{name}[{index}]").into(), None),
    }
}

/// `column(-1)` for a call of the author's own closure or function; what is not a known integer becomes `…`.
pub(super) fn words_of_call(callee: &Expr, called: &Value<'_>, arguments: &[Value<'_>]) -> Option<String> {
    let (Value::Closure(_) | Value::Function(Callable::Item(_))) = called else { return None };
    let ExprKind::Path(path) = &callee.kind else { return None };
    let known = |argument: &Value<'_>| match argument {
        Value::Scalar(scalar) => match scalar.constant() {
            Some(Constant::Int(value)) => Some(value.to_string()),
            Some(Constant::Bool(_) | Constant::Float(_) | Constant::Double(_)) | None => None,
        },
        _ => None,
    };
    let arguments: Vec<String> =
        arguments.iter().map(|argument| known(argument).unwrap_or_else(|| "…".into())).collect();
    Some(format!("{}({})", path.last()?, arguments.join(", ")))
}

#[cfg(test)]
mod tests {
    use crate::ir::Node;

    #[test]
    fn a_binding_names_before_a_call_and_a_known_call_before_an_unknown_one() {
        let source = "
            #[kernel]
            pub fn blend(src: Neighbourhood<u8>) -> u8 {
                fn both(a: u8, b: u8) -> (u8, u8) { (a.min(b), a.max(b)) }
                let least = |a: u8, b: u8| a.min(b);
                let row = |dy| least(src.at(-1, dy), src.at(1, dy));
                let middle = row(0);
                both(row(-1), row(1)).1.max(middle)
            }";
        let kernels = crate::compile_file(source).kernels;
        let labels = kernels[0].kernel.bodies[0].nodes.iter().filter_map(Node::label);
        let labels: Vec<&str> = labels.map(AsRef::as_ref).collect();
        assert_eq!(labels, ["middle", "row_m1", "row_1", "both_0", "both_1"]);
    }
}
