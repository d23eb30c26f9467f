//! The schedules of a kernel: in which form a work-item computes, and how many elements.
//!
//! The figures behind them are device times on an H200; `docs/measurements.md` has them.

use super::c::types::bytes;
use super::program::{OpenClForm, Reads, Unit};
use super::row_groups::{self, by_rows};
use super::tiles::{Group, tiled};
use crate::bounded::without_bounds_of_turns;
use crate::pairs::{Swar, swar};
use std::borrow::Cow;
use windrow_dsl::{
    ir::loops::has_loops,
    ir::{Axes, AxisId, BinaryOp, Block, Body, Input, Kernel, Node, Op, Order, along, check},
    optimise::{Prepared, count_in_rows},
};

/// At most this many schedules are emitted for a kernel.
pub const MOST_SCHEDULES: usize = 5;

/// Rows of a block whose neighbourhoods share rows, and how many values such a block may have.
const SHARED_ROWS: [(u32, usize); 4] = [(16, 640), (8, 800), (4, 1_500), (2, 1_500)];

/// The same of a block of pairs, each of which is more than one element's.
const SHARED_ROWS_OF_PAIRS: [(u32, usize); 4] = [(16, 3_600), (8, 1_800), (4, 1_800), (2, 1_800)];

/// Rows of a block whose elements are computed alone: enough that finding the block costs little beside them.
const LONE_ROWS: u32 = 4;

/// Bytes of a row of such a block.
const LONE_BYTES: u32 = 16;

/// Elements of its row at most where an image is read anywhere, lane by lane: to scale 8192² bytes to 4096² by the nearest takes
/// 17 µs in rows of 8, and 25 µs in rows of 16.
const LONE_READS: u32 = 8;

/// Rows over which forms of a body are compared.
const COMPARED_ROWS: u32 = 4;

/// Blocks of elements that take the turns of their loops together, the largest first, and those whose rows share nothing.
const BLOCKS_OF_TURNS: [Block; 3] = [Block { x: 4, y: 8 }, Block { x: 4, y: 4 }, Block { x: 1, y: 1 }];
const BLOCKS_OF_LONE_TURNS: [Block; 2] = [Block { x: 4, y: 1 }, Block { x: 1, y: 1 }];

/// Blocks of elements that read from tiles, with their groups, the largest first.
const BLOCKS_OF_TILES: [(Block, Group); 2] = [
    (Block { x: 4, y: 8 }, Group { x: 16, y: 8, planes: 1 }),
    (Block { x: 4, y: 4 }, Group { x: 16, y: 16, planes: 1 }),
];

/// The same where planes have columns in common: planes of few rows would not fill a group of one. What is computed to find an element
/// tells more there, and many work-items hide it.
const BLOCKS_OF_PLANES: [(Block, Group); 1] = [(Block { x: 4, y: 4 }, Group { x: 16, y: 2, planes: 8 })];

/// A form whose elements take more than this many tenths of the fewest operations is not the cheapest in pairs either: it is
/// not looked at.
const NEAR: usize = 11;

/// What a work-item computes.
#[derive(Clone, Debug)]
pub struct Schedule<'a> {
    /// The number of the body.
    pub index: usize,
    /// The body of an element, or of a cell, in the block's first row, second row and so on, again and again.
    pub phases: Cow<'a, [Body]>,
    /// How it is computed.
    pub form: OpenClForm,
    /// What a lane of a vector holds.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Elements that a work-item computes.
    pub block: Block,
    /// The work-items of a group, where they read from tiles in local memory; else groups are as the caller likes.
    pub group: Option<Group>,
    /// Whether a group computes whole rows of the window, with as many work-items for each.
    pub computes_rows: bool,
}

/// The schedules of a body of `prepared`, the default first. Of the image form there is one: elements are read one by one,
/// whatever the author's blocks for buffers are, and few of a row, so that each is shared by many.
pub fn schedules<'a>(kernel: &Kernel, prepared: &'a Prepared, index: usize, reads: Reads) -> Vec<Schedule<'a>> {
    let forms = prepared.forms(kernel, index);
    let list = forms.list();
    let cost = |form| {
        forms.in_rows(form, COMPARED_ROWS, |nodes, _| nodes.iter().filter(|node| is_operation(&node.op)).count())
    };
    // A single form is not looked at.
    let costs: Vec<usize> = if list.len() == 1 { vec![0] } else { (0..list.len()).map(cost).collect() };
    let place = (0..costs.len()).min_by_key(|&form| rank(form, costs[form])).unwrap_or(0);
    let blocks = match reads {
        Reads::Buffers => blocks(kernel, &list[place].phases),
        Reads::Images => vec![default_block(kernel, &list[place].phases)],
    };
    let phases = list[place].phases.as_slice();
    let without_bounds = |body: &Body| {
        let body = without_bounds_of_turns(kernel, body);
        check(kernel, &body, "the bounds of turns");
        body
    };
    let in_turns: Option<Vec<Body>> =
        phases.iter().any(|body| has_loops(&body.nodes)).then(|| phases.iter().map(without_bounds).collect());
    let of_elements = |block| {
        let phases = in_turns.clone().map_or(Cow::Borrowed(phases), Cow::Owned);
        Schedule {
            index,
            phases,
            form: OpenClForm::Vectors,
            unit: Unit::Element,
            lanes: lanes(block),
            block,
            group: None,
            computes_rows: false,
        }
    };
    let mut schedules: Vec<Schedule<'_>> = blocks.into_iter().map(of_elements).collect();
    // Where an author has not fixed the blocks, and the elements of one take their turns together.
    if let (Reads::Buffers, Some([body])) = (reads, in_turns.as_deref())
        && schedules.len() > 1
        && kernel.schedule.opencl.is_empty()
    {
        schedules.extend(with_tiles(kernel, body).into_iter().map(|(block, group, body)| Schedule {
            phases: Cow::Owned(vec![body]),
            group: Some(group),
            ..of_elements(block)
        }));
    }
    if let (Reads::Buffers, Some([body])) = (reads, in_turns.as_deref())
        && kernel.schedule.opencl.is_empty()
        && let Some(body) = by_rows(kernel, body)
    {
        let (phases, group) = (Cow::Owned(vec![body]), Some(row_groups::GROUP));
        schedules.push(Schedule { phases, group, computes_rows: true, ..of_elements(Block { x: 1, y: 1 }) });
    }
    if reads == Reads::Buffers && schedules.len() < MOST_SCHEDULES {
        let pairs = |phases: &[Body]| phases.iter().map(|body| swar(kernel, body)).collect::<Option<Vec<Swar>>>();
        let near = (0..costs.len()).filter(|&form| costs[form] * 10 <= costs[place] * NEAR);
        schedules.extend(of_pairs(
            kernel,
            index,
            near.filter_map(|form| Some((form, pairs(&list[form].phases)?))).collect(),
        ));
    }
    schedules
}

/// The blocks of a body that read from tiles, each with its group and its body.
fn with_tiles(kernel: &Kernel, body: &Body) -> Vec<(Block, Group, Body)> {
    let tiled = |&(block, group): &(Block, Group)| Some((block, group, tiled(kernel, body, block, group)?));
    let has_planes = kernel.rank() > AxisId::COUNT;
    let of_planes: Vec<_> = BLOCKS_OF_PLANES.iter().filter(|_| has_planes).filter_map(tiled).collect();
    if of_planes.is_empty() { BLOCKS_OF_TILES.iter().filter_map(tiled).collect() } else { of_planes }
}

/// The order of forms that compute the same, of which the first is chosen. Of equals that is the first that shares rows:
/// over more of them it is the cheaper.
fn rank(form: usize, cost: usize) -> (usize, bool) {
    (cost, form == 0)
}

/// What counts of a body: all but conversions.
fn is_operation(op: &Op) -> bool {
    matches!(op, Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. })
}

/// The cheapest of several forms in pairs, each with its number; none for a body that is too large.
fn of_pairs(kernel: &Kernel, index: usize, forms: Vec<(usize, Vec<Swar>)>) -> Option<Schedule<'static>> {
    let cell = forms.first()?.1.first()?.cell;
    let bodies = |phases: Vec<Swar>| phases.into_iter().map(|swar| swar.body).collect::<Vec<Body>>();
    let count = |phases: &[Body]| count_in_rows(phases, COMPARED_ROWS, is_operation);
    let is_single = forms.len() == 1;
    let forms = forms.into_iter().map(|(form, phases)| (form, bodies(phases)));
    // A single form is not looked at.
    let (_, phases) = forms.min_by_key(|(form, phases)| rank(*form, if is_single { 0 } else { count(phases) }))?;
    let (cells, rows) = match shares_rows(kernel) {
        true => (2, shared_rows(&phases, &SHARED_ROWS_OF_PAIRS)?),
        false => (4, LONE_ROWS),
    };
    let compares = |op: &Op| matches!(op, Op::Binary(BinaryOp::Min | BinaryOp::Max, ..));
    let does_compare = phases.iter().flat_map(|body| &body.nodes).any(|node| compares(&node.op));
    let form = if does_compare { OpenClForm::ComparedPairs } else { OpenClForm::Pairs };
    let (unit, block) = (Unit::Word { cell }, Block { x: cells * cell, y: rows });
    Some(Schedule {
        index,
        phases: Cow::Owned(phases),
        form,
        unit,
        lanes: cells,
        block,
        group: None,
        computes_rows: false,
    })
}

/// The blocks of single elements.
fn blocks(kernel: &Kernel, phases: &[Body]) -> Vec<Block> {
    let has_loops = phases.iter().any(|body| has_loops(&body.nodes));
    if has_loops && !phases.iter().all(|body| go_together(&body.nodes)) {
        // Each work-item has turns of its own.
        return vec![Block { x: 1, y: 1 }];
    }
    let mut blocks: Vec<Block> = Vec::new();
    for block in &kernel.schedule.opencl {
        let block = Block { x: block.x.max(1), y: block.y.max(1) };
        if !blocks.contains(&block) && blocks.len() < MOST_SCHEDULES {
            blocks.push(block);
        }
    }
    if !blocks.is_empty() {
        blocks
    } else if has_loops {
        blocks_of_turns(phases)
    } else {
        vec![default_block(kernel, phases)]
    }
}

/// Whether the elements of a block take the turns of their loops together: as many of them, one after another.
fn go_together(nodes: &[Node]) -> bool {
    let along = along(nodes);
    nodes.iter().zip(&along).all(|(node, axes)| match node.op {
        Op::Turn { axis, order, .. } => {
            let ends = axes.without(axis);
            order == Order::Written && !ends.has(AxisId::X) && !ends.has(AxisId::Y)
        }
        _ => true,
    })
}

/// The blocks of elements whose turns go together, the largest first. Rows of a block share what a turn reads for all of them, and the
/// lanes of a vector read neighbours at once. A large block leaves few work-items: the device takes the first that fills it.
fn blocks_of_turns(phases: &[Body]) -> Vec<Block> {
    let shares_rows = phases.iter().any(|body| {
        let is_shared = |(node, axes): (&Node, Axes)| matches!(node.op, Op::Gather { .. }) && !axes.has(AxisId::Y);
        body.nodes.iter().zip(along(&body.nodes)).any(is_shared)
    });
    if shares_rows { BLOCKS_OF_TURNS.to_vec() } else { BLOCKS_OF_LONE_TURNS.to_vec() }
}

/// Whether elements below each other read the same rows.
fn shares_rows(kernel: &Kernel) -> bool {
    kernel.inputs.iter().any(|input| input.neighbourhood.top < input.neighbourhood.bottom)
}

/// The most rows for which a block has few enough values.
fn shared_rows(phases: &[Body], most: &[(u32, usize)]) -> Option<u32> {
    let values = phases.iter().map(|body| body.nodes.len()).max().unwrap_or_default();
    let fits = |&&(rows, most): &&(u32, usize)| values * rows as usize <= most;
    most.iter().find(fits).map(|&(rows, _)| rows)
}

/// The longest vector whose length divides a row of the block.
pub fn lanes(block: Block) -> u32 {
    [16, 8, 4, 2].into_iter().find(|lanes| block.x.is_multiple_of(*lanes)).unwrap_or(1)
}

/// 16 bytes of each of several rows where elements are computed alone, or 8 elements where they are gathered; 4 elements of
/// several rows where neighbours share what they read.
fn default_block(kernel: &Kernel, phases: &[Body]) -> Block {
    if kernel.inputs.iter().any(Input::reads_around) {
        return Block { x: 4, y: if shares_rows(kernel) { shared_rows(phases, &SHARED_ROWS).unwrap_or(1) } else { 1 } };
    }
    let inputs = kernel.inputs.iter().map(|input| bytes(input.ty) * input.channels);
    let outputs = kernel.outputs.iter().map(|output| bytes(output.ty) * output.channels);
    let widest = inputs.chain(outputs).max().unwrap_or(1);
    let most = if kernel.inputs.iter().any(|input| input.is_whole) { LONE_READS } else { LONE_BYTES };
    let x = [16, 8, 4, 2].into_iter().find(|&x| x <= most && x * widest <= LONE_BYTES).unwrap_or(1);
    Block { x, y: LONE_ROWS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks_of(function: &str) -> Vec<(u32, u32)> {
        let compiled = windrow_dsl::compile_file(&format!("#[kernel] fn {function}"));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let prepared = windrow_dsl::optimise::prepare(kernel);
        let schedules = schedules(kernel, &prepared, 0, Reads::Buffers);
        schedules.iter().map(|schedule| (schedule.block.x, schedule.block.y)).collect()
    }

    #[test]
    fn elements_take_turns_together_where_they_take_as_many() {
        let product = "f([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
            let mut sum = 0.0;
            for k in 0..a.extents()[1] { sum += a.get([y, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0); }
            sum }";
        assert_eq!(blocks_of(product), [(4, 8), (4, 4), (1, 1), (4, 8), (4, 4)]);
        // Rows share nothing.
        let columns = "f([y, x]: At<2>, a: View<f32>, #[uniform] n: u8) -> f32 {
            let mut sum = 0.0;
            for k in 0..n as i32 { sum += a.get([y + k, x]).unwrap_or(0.0); }
            sum }";
        assert_eq!(blocks_of(columns), [(4, 1), (1, 1)]);
        // Turns of each row's own, of each column's own, and an order of lanes.
        let apart = [
            "f([y, _]: At<2>, a: u32) -> u32 { let mut s = a; for k in 0..y { s = s.wrapping_mul(3) ^ k as u32; } s }",
            "f([_, x]: At<2>, a: u32) -> u32 { let mut s = a; for k in 0..x { s = s.wrapping_mul(3) ^ k as u32; } s }",
            "f([y, x]: At<2>, a: View<f32>) -> f32 { sum(0..a.extents()[0], |k| a.get([k, x]).unwrap_or(0.0)) + y as f32 }",
        ];
        for function in apart {
            assert_eq!(blocks_of(function), [(1, 1)], "{function}");
        }
    }

    #[test]
    fn a_row_that_shares_loops_is_computed_by_a_group() {
        let source = "#[kernel] fn f([y, _]: At<2>, a: View<f32>) -> f32 {
            sum(0..a.extents()[1], |k| a.get([y, k]).unwrap_or(0.0)) }";
        let kernel = &windrow_dsl::compile_file(source).kernels[0].kernel;
        let prepared = windrow_dsl::optimise::prepare(kernel);
        let schedules = schedules(kernel, &prepared, 0, Reads::Buffers);
        let forms: Vec<_> = schedules.iter().map(|schedule| (schedule.computes_rows, schedule.group)).collect();
        assert_eq!(forms, [(false, None), (true, Some(row_groups::GROUP))]);
    }

    #[test]
    fn lanes_divide_the_row() {
        for (x, expected) in [(1, 1), (2, 2), (3, 1), (4, 4), (6, 2), (12, 4), (16, 16), (32, 16), (40, 8)] {
            assert_eq!(lanes(Block { x, y: 1 }), expected);
        }
    }
}
