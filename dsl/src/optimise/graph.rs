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
    first: Vec<u32>,
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
        let first = self.first.as_slice();
        let place = value.0 as usize;
        &self.users.as_slice()[first[place] as usize..first[place + 1] as usize]
    }

    /// Whether a value has one user and is not stored.
    pub fn is_used_once(&self, value: ValueId) -> bool {
        let first = self.first.as_slice();
        let place = value.0 as usize;
        first[place] + 1 == first[place + 1] && !self.is_stored.as_slice()[place]
    }
}

/// The users of each value, in order, and where they begin.
fn users(nodes: &[Node]) -> (Vec<ValueId>, Vec<u32>) {
    let mut first = vec![0u32; nodes.len() + 2];
    let starts = first.as_mut_slice();
    // Counted two places on, so that filling in moves each start to the next value's.
    let mut index = 0;
    while index < nodes.len() {
        let operands = nodes[index].op.operands();
        let mut left = operands.len();
        while left > 0 {
            left -= 1;
            starts[operands[left].0 as usize + 2] += 1;
        }
        index += 1;
    }
    let mut place = 2;
    while place < starts.len() {
        starts[place] += starts[place - 1];
        place += 1;
    }
    let mut list = vec![ValueId(0); starts[nodes.len() + 1] as usize];
    let users = list.as_mut_slice();
    index = 0;
    while index < nodes.len() {
        let operands = nodes[index].op.operands();
        let count = operands.len();
        let mut place = 0;
        while place < count {
            let start = &mut starts[operands[place].0 as usize + 1];
            users[*start as usize] = ValueId(index as u32);
            *start += 1;
            place += 1;
        }
        index += 1;
    }
    (list, first)
}

/// Rows of inputs that a body reads.
pub(super) fn rows_read(nodes: &[Node]) -> Vec<(InputId, i32)> {
    let mut rows: Vec<(InputId, i32)> = Vec::with_capacity(16);
    for node in nodes {
        if let Some(Tap { input, dy, .. }) = node.op.tap() {
            // From behind: most are of the row of one before.
            let known = rows.as_slice();
            let mut place = known.len();
            while place > 0 && (known[place - 1].0.0 != input.0 || known[place - 1].1 != dy) {
                place -= 1;
            }
            if place == 0 {
                rows.push((input, dy));
            }
        }
    }
    rows
}
