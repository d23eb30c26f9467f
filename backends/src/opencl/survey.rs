//! What must be known of a body before its text: the type of each value, and which are read only to be converted.

use super::types::{CType, signed};
use windrow_dsl::ir::{AxisId, Node, Op, Type, ValueId};
use windrow_dsl::optimise::{Computed, Nest};

/// Finds the type of each value: a vector where it depends on the column.
pub fn find_types(nodes: &[Node], lanes: u32) -> Vec<CType> {
    let mut types: Vec<CType> = Vec::with_capacity(nodes.len());
    for node in nodes {
        // Of several operands the first that is a vector decides how wide a mask is; of a selection, the condition is the last.
        let mut operands: Vec<ValueId> = node.op.operands().to_vec();
        if let Op::Select { .. } = node.op {
            operands.rotate_left(1);
        }
        let vector = operands.iter().map(|id| types[id.0 as usize]).find(|ty| ty.lanes > 1);
        let varies = match node.op {
            Op::Load(_) => true,
            Op::Coordinate { axis, .. } => axis == AxisId::X,
            _ => vector.is_some(),
        };
        types.push(match node.ty {
            ty if !varies || lanes == 1 => CType::scalar(ty),
            Type::BOOL => CType { ty: signed(vector.map_or(Type::I8, |vector| vector.ty)), lanes },
            ty => CType { ty, lanes },
        });
    }
    types
}

/// Finds the elements and uniforms whose one user is a conversion.
pub fn find_lone_casts(nest: &Nest) -> Vec<bool> {
    let (mut users, mut casts) = (vec![0u32; nest.nodes.len()], vec![false; nest.nodes.len()]);
    for (node, place) in nest.nodes.iter().zip(&nest.computed) {
        match *place {
            Computed::Before | Computed::Turn { .. } => {
                node.op.for_operands(|operand| users[operand.0 as usize] += 1);
                if let Op::Cast(_, operand) = node.op {
                    casts[operand.0 as usize] = true;
                }
            }
            // It is in an array.
            Computed::Earlier { of, .. } => users[of.0 as usize] += 2,
        }
    }
    for store in &nest.stores {
        users[store.value.0 as usize] += 1;
    }
    for (index, is_cast) in casts.iter_mut().enumerate() {
        let is_read = matches!(nest.nodes[index].op, Op::Load(_) | Op::Uniform { .. });
        *is_cast = *is_cast && users[index] == 1 && is_read;
    }
    casts
}
