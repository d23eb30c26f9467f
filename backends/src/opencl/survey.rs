//! What must be known of a body before its text: what its function is given, and the form of each value.

use super::{
    steps::{Place, Steps},
    types::{Form, signed},
};
use std::collections::BTreeSet;
use windrow_dsl::ir::{Axis, InputId, Node, Op, OutputId, Store, TableId, Type, ValueId};

/// What a block function needs from its caller; its parameters stand in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Whether it computes with floats.
    pub floats: bool,
}

impl Needs {
    /// What values and stores need.
    pub fn of(nodes: &[Node], stores: &[Store]) -> Self {
        let mut needs = Self { outputs: stores.iter().map(|store| store.output).collect(), ..Self::default() };
        for node in nodes {
            needs.floats |= node.ty == Type::F32;
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
        let known = forms.as_slice();
        // Of several operands the first that is a vector decides how wide a mask is; of a selection, the condition is the last.
        let mut vector = None;
        let mut look = |id: ValueId| {
            let form = &known[id.0 as usize];
            if form.lanes > 1 && vector.is_none() {
                vector = Some(form.ty);
            }
        };
        match node.op {
            Op::Select { condition, then, otherwise } => {
                look(then);
                look(otherwise);
                look(condition);
            }
            _ => node.op.for_operands(look),
        }
        let varies = match node.op {
            Op::Input { .. } => true,
            Op::Coordinate { axis, .. } => axis == Axis::X,
            _ => vector.is_some(),
        };
        let form = if !varies || lanes == 1 {
            Form::scalar(node.ty)
        } else if node.ty == Type::Bool {
            Form { ty: signed(vector.unwrap_or(Type::I8)), lanes }
        } else {
            Form { ty: node.ty, lanes }
        };
        forms.push(form);
    }
    forms
}

/// Finds the elements and uniforms whose one user is a conversion.
pub fn find_lone_casts(steps: &Steps) -> Vec<bool> {
    let (mut users, mut casts) = (vec![0u32; steps.nodes.len()], vec![false; steps.nodes.len()]);
    let mut index = 0;
    while index < steps.nodes.len() {
        match steps.places[index] {
            Place::Before | Place::Turn { .. } => {
                let op = &steps.nodes[index].op;
                op.for_operands(|operand| users[operand.0 as usize] += 1);
                if let Op::Cast(_, operand) = *op {
                    casts[operand.0 as usize] = true;
                }
            }
            // It stands in an array.
            Place::Earlier { of, .. } => users[of.0 as usize] += 2,
        }
        index += 1;
    }
    for store in &steps.stores {
        users[store.value.0 as usize] += 1;
    }
    let mut index = 0;
    while index < casts.len() {
        casts[index] = casts[index] && users[index] == 1 && is_read(&steps.nodes[index].op);
        index += 1;
    }
    casts
}

fn is_read(op: &Op) -> bool {
    matches!(op, Op::Input { .. } | Op::Uniform { .. })
}
