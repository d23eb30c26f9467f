//! The types of values: of the file's elements, and of what nodes write.

use windrow::ElementType;

use super::tensor::{BOOL, FLOAT, INT8, INT32, INT64, UINT8};
use crate::{
    model::{Constant, Elements},
    operator::{Interpolation, Number, Operator, Padding, Resizing, Type},
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
        Elements::Floats(_) | Elements::Filled(_) | Elements::Absent | Elements::Unread(_) => ElementType::F32,
    }
}

/// The type of what a node writes first, by the types of its inputs.
pub(super) fn written(operator: &Operator, of: impl Fn(usize) -> ElementType) -> ElementType {
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
        Operator::OneHot { .. } => of(2),
        operator if keeps(operator) => of(0),
        _ => ElementType::F32,
    }
}

/// Whether what an operator writes has the type of what it reads first.
fn keeps(operator: &Operator) -> bool {
    let is_of_pairs = matches!(operator, Operator::Add | Operator::Multiply | Operator::Pair(_) | Operator::Range);
    let is_of_pairs = is_of_pairs || matches!(operator, Operator::Later(_) | Operator::Reduction { .. });
    let is_changed = matches!(operator, Operator::ScatterAt { .. } | Operator::Triangle { .. });
    is_of_pairs || is_changed || moves(operator)
}

/// Whether an operator's output has elements of its first input from other places.
fn takes(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::Gather { .. }
            | Operator::GatherAt(_)
            | Operator::Expand
            | Operator::Tile(_)
            | Operator::DepthToSpace { .. }
            | Operator::SpaceToDepth { .. }
            | Operator::Pad { with: Padding::Edge | Padding::Reflect | Padding::Wrap, .. }
            | Operator::Resize(Resizing { interpolation: Interpolation::Nearest(_), .. })
    )
}

/// Whether an operator's output has elements of its first input alone, or of all of them where it joins them: whatever integers stand for, so do
/// those that it writes.
pub(super) fn moves(operator: &Operator) -> bool {
    let moves = matches!(
        operator,
        Operator::Concatenate { .. }
            | Operator::Transpose(_)
            | Operator::Slice(_)
            | Operator::Part { .. }
            | Operator::MaxPool(_)
    );
    moves || takes(operator) || crate::analysis::is_view(operator)
}
