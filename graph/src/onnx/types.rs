//! The types of values: of the file's elements, and of what nodes write.

use windrow::ElementType;

use super::{
    import::Import,
    tensor::{BOOL, FLOAT, INT8, INT32, INT64, UINT8},
};
use crate::{
    model::{Constant, Elements, Node, Value, ValueId},
    operator::{Interpolation, Number, Operator, Resizing, Type},
};

/// The type that elements of a file have in a model; `None` for those that are not computed with.
pub(super) fn element(data_type: i64) -> Option<ElementType> {
    match data_type {
        FLOAT => Some(ElementType::F32),
        INT8 => Some(ElementType::I8),
        UINT8 | BOOL => Some(ElementType::U8),
        INT32 | INT64 => Some(ElementType::I32),
        _ => None,
    }
}

/// What `Cast` makes; `None` for types that are not computed with.
pub(super) fn made(data_type: i64) -> Option<Type> {
    match data_type {
        FLOAT => Some(Type::Float),
        UINT8 => Some(Type::Byte),
        INT32 | INT64 => Some(Type::Integer),
        BOOL => Some(Type::Truth),
        _ => None,
    }
}

/// The type of a constant's elements.
pub(super) fn of_constant(constant: &Constant, data_type: Option<i64>) -> ElementType {
    match &constant.elements {
        Elements::Bytes(_) => ElementType::I8,
        Elements::Ints(_) if data_type == Some(BOOL) => ElementType::U8,
        Elements::Ints(_) => ElementType::I32,
        Elements::Floats(_) | Elements::Filled(_) | Elements::Unread(_) => ElementType::F32,
    }
}

/// The type of what a node writes first.
pub(super) fn written(import: &Import<'_>, operator: &Operator, inputs: &[Option<ValueId>]) -> ElementType {
    let of = |input: usize| {
        let value = inputs.get(input).copied().flatten();
        value.map_or(ElementType::F32, |value| import.values[value.0].element)
    };
    match operator {
        Operator::Cast(Type::Float) => ElementType::F32,
        Operator::Cast(Type::Integer)
        | Operator::Place { .. }
        | Operator::Shape { .. }
        | Operator::Size
        | Operator::Fill(Number::Integer(_)) => ElementType::I32,
        Operator::Cast(Type::Byte | Type::Truth) | Operator::Compare(_) | Operator::Logic(_) | Operator::Not => {
            ElementType::U8
        }
        Operator::Select => of(1),
        operator if keeps(operator) => of(0),
        _ => ElementType::F32,
    }
}

/// Whether what an operator writes has the type of what it reads first.
fn keeps(operator: &Operator) -> bool {
    let is_of_pairs = matches!(operator, Operator::Add | Operator::Multiply | Operator::Pair(_) | Operator::Range);
    let is_of_pairs = is_of_pairs || matches!(operator, Operator::Later(_) | Operator::Reduction { .. });
    is_of_pairs || super::quantized::moves(operator)
}

/// Whether an operator's output has elements of its first input from other places.
pub(super) fn takes(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::Gather { .. }
            | Operator::Expand
            | Operator::Tile(_)
            | Operator::DepthToSpace { .. }
            | Operator::SpaceToDepth { .. }
            | Operator::Resize(Resizing { interpolation: Interpolation::Nearest(_), .. })
    )
}

impl<'a> Import<'a> {
    /// An input of unsigned integers of 8 bits: the model computes with such that have a sign.
    pub fn add_unsigned(&mut self, name: &'a str, input: ValueId) {
        let signed = self.add(name, Value { element: ElementType::I8, ..Value::new(name) });
        self.unsigned.insert(signed);
        self.originals.insert(signed, input);
        self.push_sign(name, Operator::Signed, [input, signed]);
    }

    /// An output of unsigned integers of 8 bits, of such that have a sign.
    pub fn add_unsigned_output(&mut self, output: ValueId) -> ValueId {
        let name = self.name(output);
        let unsigned = self.add_unnamed(Value { element: ElementType::U8, ..Value::new(&name) });
        self.push_sign(&name, Operator::Unsigned, [output, unsigned]);
        unsigned
    }

    fn push_sign(&mut self, name: &str, operator: Operator, [from, to]: [ValueId; 2]) {
        self.nodes.push(Node {
            name: name.to_owned(),
            kind: "uint8".to_owned(),
            operator,
            inputs: vec![Some(from)],
            outputs: vec![Some(to)],
        });
    }
}
