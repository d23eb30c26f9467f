//! A body as the search for schedules sees it: priced value by value, by what computes a value and by who uses it.

use crate::ir::{InputId, Kernel, Node, Store, Tap, ValueId};

/// A body whose values are priced.
#[derive(Debug)]
pub struct Graph<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The values, in the order of evaluation; jammed or not.
    pub nodes: &'a [Node],
    /// What is written.
    pub stores: &'a [Store],
    /// Elements of a step of one vector.
    pub lanes: u32,
    /// The users of all values, one value's after the other's, and where those of each begin.
    users: Vec<ValueId>,
    first: Vec<usize>,
    is_stored: Vec<bool>,
}

impl<'a> Graph<'a> {
    /// The graph of a body.
    pub fn new(kernel: &'a Kernel, nodes: &'a [Node], stores: &'a [Store], lanes: u32) -> Self {
        let mut is_stored = vec![false; nodes.len()];
        for store in stores {
            is_stored[store.value.0 as usize] = true;
        }
        let (users, first) = users(nodes);
        Self { kernel, nodes, stores, lanes, users, first, is_stored }
    }

    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &'a Node {
        &self.nodes[id.0 as usize]
    }

    /// The values that a value is an operand of; a store is none.
    pub fn users(&self, value: ValueId) -> &[ValueId] {
        let place = value.0 as usize;
        &self.users[self.first[place]..self.first[place + 1]]
    }

    /// Whether a value has one user and is not stored.
    pub fn is_used_once(&self, value: ValueId) -> bool {
        self.users(value).len() == 1 && !self.is_stored[value.0 as usize]
    }
}

/// The users of each value, in order, and where they begin.
fn users(nodes: &[Node]) -> (Vec<ValueId>, Vec<usize>) {
    // Counted two places on, so that filling in moves each start to the next value's.
    let mut first = vec![0; nodes.len() + 2];
    for node in nodes {
        node.op.for_operands(|id| first[id.0 as usize + 2] += 1);
    }
    for place in 2..first.len() {
        first[place] += first[place - 1];
    }
    let mut users = vec![ValueId(0); first[nodes.len() + 1]];
    for (user, node) in (0..).map(ValueId).zip(nodes) {
        node.op.for_operands(|id| {
            let start = &mut first[id.0 as usize + 1];
            users[*start] = user;
            *start += 1;
        });
    }
    (users, first)
}

/// Rows of inputs that a body reads.
pub(super) fn rows_read(nodes: &[Node]) -> Vec<(InputId, i32)> {
    let mut rows: Vec<(InputId, i32)> = Vec::with_capacity(16);
    for node in nodes {
        if let Some(Tap { input, dy, .. }) = node.op.tap() {
            // From behind: most are of the row of one before.
            if !rows.iter().rev().any(|row| *row == (input, dy)) {
                rows.push((input, dy));
            }
        }
    }
    rows
}
