//! The schedules of a kernel: in which form a work-item computes, and how many elements.
//!
//! The figures behind them are device times on an H200; `docs/performance.md` has them.

use super::{pieces::Unit, types::bytes};
use windrow_dsl::{
    ir::{BinaryOp, Block, Body, Kernel, Neighbourhood, Op},
    optimise::{Swar, separate, swar},
};

/// At most this many schedules are emitted for a kernel.
pub const MOST_SCHEDULES: usize = 4;

/// Rows of a block whose neighbourhoods share rows, and how many values such a block may have.
const SHARED_ROWS: [(u32, usize); 3] = [(8, 800), (4, 1_500), (2, 1_500)];

/// The same of a block of pairs, whose values are fewer and cost more to set up.
const SHARED_ROWS_OF_PAIRS: [(u32, usize); 4] = [(16, 1_500), (8, 2_000), (4, 3_000), (2, 3_000)];

/// Rows of a block whose elements are computed alone: enough that finding the block costs little beside them.
const LONE_ROWS: u32 = 4;

/// Bytes of a row of such a block.
const LONE_BYTES: u32 = 16;

/// How a work-item computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each value in a lane of its own type.
    Vectors,
    /// Two 16-bit values in a word.
    Pairs,
    /// The same, with a minimum or a maximum of pairs among the operations: few devices have those.
    ComparedPairs,
}

/// What a work-item computes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The body of an element, or of a cell.
    pub body: Body,
    /// How it is computed.
    pub form: Form,
    /// What stands in a lane.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Elements that a work-item computes.
    pub block: Block,
}

/// The schedules of a body, the default first.
pub fn schedules(kernel: &Kernel, body: &Body) -> Vec<Schedule> {
    let body = &separate(kernel, body);
    let mut schedules: Vec<Schedule> = blocks(kernel, body).into_iter().map(|block| of_elements(body, block)).collect();
    if let Some(pairs) = swar(kernel, body)
        && schedules.len() < MOST_SCHEDULES
    {
        schedules.push(of_pairs(kernel, pairs));
    }
    schedules
}

fn of_elements(body: &Body, block: Block) -> Schedule {
    Schedule { body: body.clone(), form: Form::Vectors, unit: Unit::Element, lanes: lanes(block), block }
}

fn of_pairs(kernel: &Kernel, pairs: Swar) -> Schedule {
    let Swar { body, cell } = pairs;
    let (cells, rows) = match shares_rows(kernel) {
        true => (2, shared_rows(&body, &SHARED_ROWS_OF_PAIRS)),
        false => (4, LONE_ROWS),
    };
    let compares = |op: &Op| matches!(op, Op::Binary(BinaryOp::Min | BinaryOp::Max, ..));
    let form = if body.nodes.iter().any(|node| compares(&node.op)) { Form::ComparedPairs } else { Form::Pairs };
    Schedule { body, form, unit: Unit::Word { cell }, lanes: cells, block: Block { x: cells * cell, y: rows } }
}

/// The blocks of single elements.
fn blocks(kernel: &Kernel, body: &Body) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for block in &kernel.schedule.opencl {
        let block = Block { x: block.x.max(1), y: block.y.max(1) };
        if !blocks.contains(&block) && blocks.len() < MOST_SCHEDULES {
            blocks.push(block);
        }
    }
    if blocks.is_empty() { vec![default_block(kernel, body)] } else { blocks }
}

/// Whether elements below each other read the same rows.
fn shares_rows(kernel: &Kernel) -> bool {
    kernel.inputs.iter().any(|input| input.neighbourhood.top < input.neighbourhood.bottom)
}

/// The most rows for which a block has few enough values.
fn shared_rows(body: &Body, most: &[(u32, usize)]) -> u32 {
    let fits = |&&(rows, most): &&(u32, usize)| body.nodes.len() * rows as usize <= most;
    most.iter().find(fits).map_or(1, |&(rows, _)| rows)
}

/// The longest vector whose length divides a row of the block.
pub fn lanes(block: Block) -> u32 {
    [16, 8, 4, 2].into_iter().find(|lanes| block.x.is_multiple_of(*lanes)).unwrap_or(1)
}

/// 16 bytes of each of several rows where elements are computed alone; 4 elements of several rows where neighbours share
/// what they read.
fn default_block(kernel: &Kernel, body: &Body) -> Block {
    if kernel.inputs.iter().any(|input| input.neighbourhood != Neighbourhood::default()) {
        return Block { x: 4, y: if shares_rows(kernel) { shared_rows(body, &SHARED_ROWS) } else { 1 } };
    }
    let inputs = kernel.inputs.iter().map(|input| bytes(input.ty) * input.channels);
    let outputs = kernel.outputs.iter().map(|output| bytes(output.ty) * output.channels);
    let widest = inputs.chain(outputs).max().unwrap_or(1);
    let x = [16, 8, 4, 2].into_iter().find(|x| x * widest <= LONE_BYTES).unwrap_or(1);
    Block { x, y: LONE_ROWS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_divide_the_row() {
        for (x, expected) in [(1, 1), (2, 2), (3, 1), (4, 4), (6, 2), (12, 4), (16, 16), (32, 16), (40, 8)] {
            assert_eq!(lanes(Block { x, y: 1 }), expected);
        }
    }
}
