//! The blocks that a work-item computes: what the author fixed, or what suits most GPUs.

use windrow_dsl::ir::{Block, Body, Kernel, Neighbourhood};

/// At most this many schedules are emitted for a kernel.
pub const MOST_SCHEDULES: usize = 4;

/// Rows of a block whose neighbourhoods share rows, and how many values such a block may have.
const SHARED_ROWS: [(u32, usize); 3] = [(8, 800), (4, 1_500), (2, 1_500)];

/// The blocks of a kernel, the default first.
pub fn blocks(kernel: &Kernel, body: &Body) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for block in &kernel.schedule.opencl {
        let block = Block { x: block.x.max(1), y: block.y.max(1) };
        if !blocks.contains(&block) && blocks.len() < MOST_SCHEDULES {
            blocks.push(block);
        }
    }
    if blocks.is_empty() { vec![default_block(kernel, body)] } else { blocks }
}

/// The longest vector whose length divides a row of the block.
pub fn lanes(block: Block) -> u32 {
    [16, 8, 4, 2].into_iter().find(|lanes| block.x.is_multiple_of(*lanes)).unwrap_or(1)
}

/// 16 bytes a work-item where elements are computed alone; 4 elements of several rows where neighbours share what they
/// read. (On an H200, 3×3 filters of bytes: 4 × 8 takes 0.8 of the time of 4 × 4, and 0.6 of that of 16 × 4.)
fn default_block(kernel: &Kernel, body: &Body) -> Block {
    if kernel.inputs.iter().any(|input| input.neighbourhood != Neighbourhood::default()) {
        let shares_rows = kernel.inputs.iter().any(|input| input.neighbourhood.top < input.neighbourhood.bottom);
        let fits = |&&(rows, most): &&(u32, usize)| body.nodes.len() * rows as usize <= most;
        let rows = SHARED_ROWS.iter().find(fits).filter(|_| shares_rows).map_or(1, |&(rows, _)| rows);
        return Block { x: 4, y: rows };
    }
    let inputs = kernel.inputs.iter().map(|input| super::types::bytes(input.ty) * input.channels);
    let outputs = kernel.outputs.iter().map(|output| super::types::bytes(output.ty) * output.channels);
    let widest = inputs.chain(outputs).max().unwrap_or(1);
    let x = [16, 8, 4, 2].into_iter().find(|x| x * widest <= 16).unwrap_or(1);
    Block { x, y: 1 }
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
