//! NEON: real `core::arch::aarch64` intrinsics on whole vectors, for every operation of the language.
//!
//! A prepared body is decomposed into what the instruction set has, jammed over the block of a schedule, and selected:
//! one table row an instruction. The only operations that go lane by lane are those of [`exempt`].

mod decompose;
pub mod exempt;
pub mod fuse;
mod masks;
mod memory;
mod program;
mod schedule;
mod select;
mod sequence;
pub mod table;
mod text;

use crate::rows::{EmittedBody, RowPlan, describe_body};
use crate::text::Text;
use memory::Memory;
use program::{Lane, StoreLine, vectors_of};
use std::collections::BTreeMap;
use windrow_dsl::arithmetic::bits;
use windrow_dsl::ir::{Block, Body, Kernel, Neighbourhood, Type};
use windrow_dsl::optimise::{Prepared, in_demand_order, jam, separate};

/// The function `name` for the body `index` of [`Prepared::bodies`], with the block of the author's schedule, or else
/// of the cost model.
pub fn emit(kernel: &Kernel, prepared: &Prepared, index: usize, name: &str) -> EmittedBody {
    let subject = Subject::new(kernel, &prepared.bodies[index]);
    let block = schedule::block(&subject);
    print(&subject, block, name, &describe_body(kernel, prepared, index))
}

/// The same with a given block, in vectors and rows.
pub fn emit_block(kernel: &Kernel, prepared: &Prepared, index: usize, name: &str, block: Block) -> EmittedBody {
    let subject = Subject::new(kernel, &prepared.bodies[index]);
    print(&subject, block, name, &describe_body(kernel, prepared, index))
}

/// What is emitted: a prepared body, and the lanes of all its values.
struct Subject<'a> {
    kernel: &'a Kernel,
    body: Body,
    lanes: u32,
}

impl<'a> Subject<'a> {
    fn new(kernel: &'a Kernel, body: &Body) -> Self {
        let body = separate(body);
        let lanes = lanes(kernel, &decompose::decompose(kernel, &body));
        Self { kernel, body, lanes }
    }
}

fn print(subject: &Subject<'_>, block: Block, name: &str, title: &str) -> EmittedBody {
    let Subject { kernel, ref body, lanes } = *subject;
    let width = lanes * block.x;
    let plan = RowPlan::new(kernel, body, block.y);
    let selected = select(subject, block, &plan);
    let mut out = Text::new();
    out.line(format!("/// {title} in NEON, {width} elements by {} a step.", count(block.y, "row")));
    out.line("///");
    out.line("/// # Safety");
    out.line("/// `rows` keeps the contract of `Rows` for this body.");
    out.line("#[target_feature(enable = \"neon\")]");
    out.open(format!("unsafe fn {name}(rows: &::windrow::__rt::Rows<'_>)"));
    text::Printer::new(kernel, &selected.program, &plan, width).write(&mut out);
    out.close("");
    let mut notes = vec![format!("{} instructions for {width} x {} elements", selected.program.cost(), block.y)];
    notes.extend(exempt::in_body(kernel, body).into_iter().map(|exemption| exemption.text));
    EmittedBody { text: out.finish(), lanes: width, rows: block.y, reads: selected.reads, notes }
}

/// The selected, dead-code-free program of a block.
fn select(subject: &Subject<'_>, block: Block, plan: &RowPlan<'_>) -> Selected {
    let Subject { kernel, ref body, lanes } = *subject;
    // Jammed first: the algebra that the jam applies would undo the forms of a decomposed body.
    let legal = in_demand_order(&decompose::decompose(kernel, &jam(kernel, body, lanes, block)));
    let memory = Memory::new(kernel, plan.reads.clone(), lanes * block.x);
    let mut selection = select::Select::all(kernel, &legal, lanes, memory);
    let stores = stores(kernel, &legal, lanes, &mut selection);
    let (mut program, reads) = (selection.program, selection.memory.reads);
    program.stores = stores;
    program.remove_dead();
    Selected { program, reads }
}

/// A program, and what its loads read.
struct Selected {
    program: program::Program,
    reads: Vec<Neighbourhood>,
}

/// The stores of a block, the channels of a pixel together.
fn stores(kernel: &Kernel, body: &Body, lanes: u32, selection: &mut select::Select<'_>) -> Vec<StoreLine> {
    let mut pixels: BTreeMap<(u32, i32, i32), Vec<Vec<program::VectorId>>> = BTreeMap::new();
    let mut sorted: Vec<_> = body.stores.iter().collect();
    sorted.sort_by_key(|store| (store.output, store.dy, store.dx, store.channel));
    for store in sorted {
        let output = &kernel.outputs[store.output.0 as usize];
        let vectors = match body.node(store.value).ty {
            Type::Bool => selection.masks(store.value, bits(output.ty)),
            _ => selection.vectors(store.value),
        };
        pixels.entry((store.output.0, store.dy, store.dx)).or_default().push(vectors);
    }
    let mut lines = Vec::new();
    for ((output, dy, dx), channels) in pixels {
        let argument = &kernel.outputs[output as usize];
        let lane = Lane::of(argument.ty);
        for place in 0..vectors_of(argument.ty, lanes) {
            let column = i64::from(dx) + place as i64 * i64::from(128 / lane.bits());
            lines.push(StoreLine {
                row: (windrow_dsl::ir::OutputId(output), dy),
                factor: argument.channels,
                offset: i64::from(argument.channels) * column,
                lane,
                vectors: channels.iter().map(|vectors| vectors[place]).collect(),
            });
        }
    }
    lines
}

/// Elements of the narrowest type that fill a vector: the lanes of all values of a step.
fn lanes(kernel: &Kernel, body: &Body) -> u32 {
    let values = body.nodes.iter().map(|node| node.ty).filter(|&ty| ty != Type::Bool);
    let outputs = kernel.outputs.iter().map(|output| output.ty);
    let narrowest = values.chain(outputs).map(bits).min().unwrap_or(8);
    128 / narrowest.max(8)
}

fn count(n: u32, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
