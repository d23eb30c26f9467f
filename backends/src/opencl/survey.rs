//! What must be known of a body before its text: what its function is given, and the form of each value.

use super::{
    operation,
    steps::{Place, Steps},
    types::{Form, signed},
};
use std::collections::BTreeSet;
use windrow_dsl::{
    ir::{Axis, InputId, Node, Op, OutputId, Store, TableId, Type, ValueId},
    optimise::for_operands,
};

/// What a block function needs from its caller; its parameters stand in this order.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// The inputs that it reads.
    pub inputs: BTreeSet<InputId>,
    /// The outputs that it writes.
    pub outputs: BTreeSet<OutputId>,
    /// The tables that it reads.
    pub tables: BTreeSet<TableId>,
    /// Whether it reads uniforms or derived words.
    pub words: bool,
    /// Whether it asks where it is.
    pub coordinates: bool,
}

impl Needs {
    /// What values and stores need.
    pub fn of(nodes: &[Node], stores: &[Store]) -> Self {
        let mut needs = Self { outputs: stores.iter().map(|store| store.output).collect(), ..Self::default() };
        for node in nodes {
            match node.op {
                Op::Input { input, .. } => drop(needs.inputs.insert(input)),
                Op::Uniform { .. } | Op::Derived { .. } => needs.words = true,
                Op::Coordinate { .. } => needs.coordinates = true,
                Op::Lookup { table, .. } => drop(needs.tables.insert(table)),
                Op::Constant(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::MulAdd(..)
                | Op::Select { .. }
                | Op::Cast(..) => {}
            }
        }
        needs
    }
}

/// Finds each node's form: a vector where it depends on the column.
pub fn find_forms(nodes: &[Node], lanes: u32) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |id: &ValueId| forms[id.0 as usize];
        let operands = operation::operands(&node.op);
        let varies = match node.op {
            Op::Input { .. } => true,
            Op::Coordinate { axis, .. } => axis == Axis::X,
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => false,
            Op::Lookup { .. } | Op::Unary(..) | Op::Binary(..) => operands.iter().any(|id| of(id).lanes > 1),
            Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => operands.iter().any(|id| of(id).lanes > 1),
        };
        let form = if !varies || lanes == 1 {
            Form::scalar(node.ty)
        } else if node.ty == Type::Bool {
            // Of several masks the first that is a vector decides; a comparison's width is its operands'.
            let width = operation::mask_operand(&node.op, &forms);
            Form { ty: signed(width), lanes }
        } else {
            Form { ty: node.ty, lanes }
        };
        forms.push(form);
    }
    forms
}

/// Finds the elements and uniforms whose one user is a conversion.
pub fn find_lone_casts(steps: &Steps) -> Vec<bool> {
    let mut users = vec![0; steps.nodes.len()];
    let mut casts = vec![0; steps.nodes.len()];
    for (node, place) in steps.nodes.iter().zip(&steps.places) {
        match place {
            Place::Before | Place::Turn { .. } => for_operands(&node.op, |operand| {
                users[operand.0 as usize] += 1;
                casts[operand.0 as usize] += usize::from(matches!(node.op, Op::Cast(..)));
            }),
            // It stands in an array.
            Place::Earlier { of, .. } => users[of.0 as usize] += 2,
        }
    }
    for store in &steps.stores {
        users[store.value.0 as usize] += 1;
    }
    let is_lone = |(index, node): (usize, &Node)| {
        matches!(node.op, Op::Input { .. } | Op::Uniform { .. }) && users[index] == 1 && casts[index] == 1
    };
    steps.nodes.iter().enumerate().map(is_lone).collect()
}
