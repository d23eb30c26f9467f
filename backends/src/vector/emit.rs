//! From a prepared body to the text of one function: a block is chosen, its program selected and printed.

use super::in_turns::InTurns;
use super::strips::strips;
use super::{
    Target,
    program::{Lane, Program, StoreLine, VectorId},
};
use super::{decompose, exempt, lockstep, order, schedule, text, turns_schedule};
use super::{
    select::Select,
    selection::{Memory, Ranges},
    subject::{Subject, lanes},
};
use crate::rows::{EmittedBody, RowPlan, describe_body};
use crate::scalar;
use crate::text::{Text, counted};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{AxisId, Block, Body, Kernel, Neighbourhood, OutputId, Type};
use windrow_dsl::optimise::{Choice, Nest, Prepared, jam, sharing};

/// Intrinsic calls of a kernel's bodies, loops of rests included, with which the compiler is still fast: of one tier, and of
/// all tiers of an architecture.
pub(super) const MOST_CALLS: usize = 1200;
pub(super) const MOST_OF_ALL_TIERS: usize = 1500;

/// The function `name` for the body `index` of [`Prepared::bodies`], with the block given in vectors and rows, or else
/// of the author's schedule, or else of the cost model.
///
/// # Errors
/// Each operation that the target has no instructions for.
pub fn emit<T: Target>(
    target: T,
    kernel: &Kernel,
    prepared: &Prepared,
    index: usize,
    name: &str,
    block: Option<Block>,
) -> Result<EmittedBody, Vec<Diagnostic>> {
    let prepared = if target.machine().has_fused() { prepared.for_fused(kernel) } else { prepared };
    let body = &prepared.bodies[index];
    if !is_in_vectors(kernel, body) {
        // Lanes take different numbers of turns, or each goes on where another ended: plain Rust, compiled for this processor.
        let machine = target.machine();
        let mut emitted = scalar::emit_with(kernel, prepared, index, name, Some(machine));
        emitted.notes.extend(exempt::notes(machine, kernel, body));
        return Ok(emitted);
    }
    let lockstep = lockstep::lockstep(kernel, body);
    let strips = lockstep.as_ref().map_or(0, |body| strips(kernel, body));
    let (body, forms) = (&prepared.bodies[index], prepared.forms(kernel, index));
    let lanes = lanes(target.machine(), kernel, body);
    let turns = lockstep.map(|body| InTurns::new(target.machine(), kernel, body, lanes));
    let subject = Subject { target, kernel, body, turns, forms, lanes, bodies: prepared.bodies.len() };
    let (choice, selected) = match &subject.turns {
        Some(turns) => turns_schedule::choose(&subject, turns, block)?,
        None => {
            let choice = schedule::choose(&subject, prepared, block);
            let selected = select(&subject, &choice)?;
            (choice, selected)
        }
    };
    // A block of several rows reads a strip once for all of them.
    let strips = if choice.block.y > 1 { strips } else { 0 };
    let mut selected = selected;
    selected.program.quads.retain(|quads| strips & 1 << quads.input.0 != 0);
    let quads = selected.program.inputs_in_quads();
    let emitted = print(&subject, &choice, selected, name, &describe_body(kernel, prepared, index))?;
    Ok(in_strips(kernel, EmittedBody { quads, ..emitted }, strips))
}

/// A body that reads some inputs strip by strip, and says so.
fn in_strips(kernel: &Kernel, mut body: EmittedBody, strips: u32) -> EmittedBody {
    let inputs = kernel.inputs.iter().enumerate().filter(|(input, _)| strips & 1 << input != 0);
    let columns = body.columns;
    let note = |name: &str| {
        format!("`{name}` is read in strips of {columns} columns; if it is large and re-read, the run packs it first")
    };
    body.notes.extend(inputs.map(|(_, input)| note(&input.name)));
    EmittedBody { strips, ..body }
}

/// Whether what an element costs depends on the run, and not on the body's text alone: on how many turns its loops take, or on whether
/// the neighbouring elements that it reads at once lie inside.
pub fn cost_depends_on_run(kernel: &Kernel, body: &Body) -> bool {
    has_loops(&body.nodes) || lockstep::lockstep(kernel, body).is_some()
}

/// Whether a body is in vectors: one with a loop of which lanes take different numbers of turns, or of which elements share turns,
/// is not.
pub fn is_in_vectors(kernel: &Kernel, body: &Body) -> bool {
    !has_loops(&body.nodes) || sharing(kernel, body).is_none() && lockstep::lockstep(kernel, body).is_some()
}

/// What an element costs in each body of a kernel, in instructions of a plain kind.
pub fn weights<T: Target>(target: T, kernel: &Kernel, prepared: &Prepared) -> Vec<f64> {
    let prepared = if target.machine().has_fused() { prepared.for_fused(kernel) } else { prepared };
    let of_body = |(index, body)| {
        let (forms, lanes) = (prepared.forms(kernel, index), lanes(target.machine(), kernel, body));
        let subject = Subject { target, kernel, body, turns: None, forms, lanes, bodies: prepared.bodies.len() };
        let choice = schedule::choose(&subject, prepared, None);
        choice.considered[choice.chosen].weight / f64::from(lanes)
    };
    prepared.bodies.iter().enumerate().map(of_body).collect()
}

fn print<T: Target>(
    subject: &Subject<'_, T>,
    choice: &Choice,
    selected: Selected,
    name: &str,
    title: &str,
) -> Result<EmittedBody, Vec<Diagnostic>> {
    let Subject { target, kernel, body, lanes, .. } = *subject;
    let block = choice.block;
    let machine = target.machine();
    let width = lanes * block.x;
    let plan = RowPlan::new(kernel, body, block.y);
    let mut out = Text::new();
    out.line(format!(
        "/// {title} in {}, {width} elements by {} a step.",
        machine.name,
        counted(block.y as usize, "row")
    ));
    out.line("///");
    out.line("/// # Safety");
    out.line("/// `rows` keeps the contract of `Rows` for this body.");
    out.line(format!("#[target_feature(enable = {:?})]", machine.features));
    out.open(format!("unsafe fn {name}(rows: &::windrow::__rt::Rows<'_>)"));
    out.line(format!("use ::core::arch::{}::*;", machine.architecture));
    out.line("let width = rows.width as isize;");
    out.line("let mut x = 0;");
    let mut printer = text::Printer::new(target, (kernel, &selected.body), &selected.program, &plan, width);
    let cost = selected.program.cost();
    let rest = rest(subject, choice, &selected, cost)?;
    let has_head = match &rest {
        None => printer.write_overlapping(&mut out),
        Some(rest) => {
            let has_head = printer.write_whole(&mut out);
            match rest.is_part {
                true => printer.write_part(&mut out, &rest.selected.program, lanes),
                false => {
                    let (body, program) = (&rest.selected.body, &rest.selected.program);
                    text::Printer::new(target, (kernel, body), program, &plan, lanes).write_rest(&mut out);
                }
            }
            has_head
        }
    };
    out.close("");
    let mut notes = vec![selected.program.explain(&format!("{width} x {} elements", block.y))];
    notes.extend(choice.explain(lanes));
    notes.extend(exempt::notes(machine, kernel, body));
    let (least, reads) = match rest {
        None => (width, selected.reads),
        Some(rest) => (lanes, selected.reads.iter().zip(&rest.selected.reads).map(|(a, b)| hull(a, b)).collect()),
    };
    let (text, marks) = out.finish_marked();
    Ok(EmittedBody {
        text,
        marks,
        lanes: least,
        columns: width,
        rows: block.y,
        reads,
        has_head,
        carries_rows: false,
        strips: 0,
        quads: 0,
        notes,
    })
}

/// The program of a single vector, for what whole steps of several leave, which cost so much: tails, and images narrower
/// than a step. None where a step is a vector, or where it would make the text too long.
fn rest<T: Target>(
    subject: &Subject<'_, T>,
    choice: &Choice,
    whole: &Selected,
    cost: usize,
) -> Result<Option<Rest>, Vec<Diagnostic>> {
    let most = (MOST_OF_ALL_TIERS / subject.target.machine().tiers).min(MOST_CALLS);
    if choice.block.x == 1 || cost * subject.bodies > most {
        return Ok(None);
    }
    // A load of every second element may give vectors for more than one.
    let is_part = subject.turns.is_none() && subject.kernel.inputs.iter().all(|input| input.stride().0 == 1);
    let block = Block { x: 1, ..choice.block };
    let selected = match &subject.turns {
        // What is left of a row isn't packed for vectors of its own.
        Some(turns) => turns_schedule::select(subject, turns, block)?.map(|mut selected| {
            selected.program.quads.clear();
            selected
        }),
        None if is_part => {
            let program = first_vector(subject, &whole.program);
            Some(Selected { body: Rc::clone(&whole.body), program, reads: whole.reads.clone() })
        }
        None => Some(select(subject, &Choice { block, ..choice.clone() })?),
    };
    let Some(selected) = selected else { return Ok(None) };
    let calls = (cost + selected.program.cost()) * subject.bodies;
    Ok((calls <= most).then_some(Rest { selected, is_part }))
}

/// The part of a program that computes the first vector of each row.
fn first_vector<T: Target>(subject: &Subject<'_, T>, whole: &Program) -> Program {
    whole.part(|store| {
        let output = &subject.kernel.outputs[store.row.0.0 as usize];
        store.offset < i64::from(output.channels * subject.lanes)
    })
}

/// What either reads.
fn hull(a: &Neighbourhood, b: &Neighbourhood) -> Neighbourhood {
    Neighbourhood {
        left: a.left.min(b.left),
        right: a.right.max(b.right),
        top: a.top.min(b.top),
        bottom: a.bottom.max(b.bottom),
    }
}

/// The loops of a function: as many steps along the row as the run asks for, each a block of vectors.
pub(super) fn steps(lanes: u32, block: Block) -> Nest {
    Nest::block(lanes, block).within(AxisId::X, None)
}

/// The program of a form over a block.
fn select<T: Target>(subject: &Subject<'_, T>, choice: &Choice) -> Result<Selected, Vec<Diagnostic>> {
    let Subject { target, kernel, lanes, .. } = *subject;
    let (machine, nest) = (target.machine(), steps(lanes, choice.block));
    let legal = subject.forms.in_nest(machine.kind(subject.body), choice.chosen, &nest, || {
        // Jammed first: the algebra that the jam applies would undo the forms of a decomposed body.
        let jammed = jam(&subject.forms.list()[choice.chosen].phases, &nest);
        order::ordered(machine, &decompose::decompose(machine, kernel, &jammed))
    });
    select_legal(subject, legal, &nest, Ranges::OfBlock(OnceCell::new()))
}

/// The selected, dead-code-free program of a body in terms of the target.
pub(super) fn select_legal<T: Target>(
    subject: &Subject<'_, T>,
    legal: Rc<Body>,
    nest: &Nest,
    ranges: Ranges<'_>,
) -> Result<Selected, Vec<Diagnostic>> {
    let Subject { target, kernel, body, .. } = *subject;
    let reads = RowPlan::new(kernel, body, nest.elements(AxisId::Y)).reads;
    let memory = Memory::new(kernel, reads, nest.elements(AxisId::X));
    let mut selection = Select::all(target, kernel, &legal, nest, memory, ranges);
    let stores = stores(&legal, &mut selection);
    if !selection.refused.is_empty() {
        return Err(selection.refused);
    }
    let (mut program, reads) = (selection.program, selection.memory.reads);
    program.stores = stores;
    program.authors = legal.nodes.iter().map(|node| node.span).collect();
    program.remove_dead();
    program.sort();
    program.put_pointers_first();
    target.balance(&mut program);
    Ok(Selected { body: legal, program, reads })
}

/// A program, the body that it was selected from, and what its loads read.
pub(super) struct Selected {
    body: Rc<Body>,
    pub(super) program: Program,
    reads: Vec<Neighbourhood>,
}

/// The program of what whole steps leave, and whether it is a part of theirs.
struct Rest {
    selected: Selected,
    is_part: bool,
}

/// The stores of a block, the channels of a pixel together.
fn stores<T: Target>(body: &Body, selection: &mut Select<'_, T>) -> Vec<StoreLine> {
    let (kernel, lanes) = (selection.kernel, selection.lanes);
    let mut pixels: BTreeMap<(OutputId, [i32; 2]), Vec<Vec<VectorId>>> = BTreeMap::new();
    let mut sorted: Vec<_> = body.stores.iter().collect();
    sorted.sort_by_key(|store| (store.to.tensor, store.place(), store.to.channel));
    for store in sorted {
        let output = &kernel.outputs[store.to.tensor.0 as usize];
        let vectors = match body.node(store.value).ty {
            Type::BOOL => selection.mask_vectors(store.value, output.ty.bits()),
            _ => selection.vectors(store.value),
        };
        pixels.entry((store.to.tensor, store.place())).or_default().push(vectors);
    }
    let machine = selection.target.machine();
    let mut lines = Vec::new();
    for ((output, [dy, dx]), channels) in pixels {
        let argument = &kernel.outputs[output.0 as usize];
        let (lane, first) = (Lane::of(argument.ty), lines.len());
        for place in 0..machine.vectors_of(argument.ty, lanes) {
            let column = i64::from(dx) + place as i64 * i64::from(machine.lanes_in_run(lane));
            let line = StoreLine {
                row: (output, dy),
                offset: i64::from(argument.channels) * column,
                apart: i64::from(argument.channels) * machine.apart(lanes),
                lane,
                vectors: channels.iter().map(|vectors| vectors[place]).collect(),
                block: None,
            };
            T::store(selection, line, &mut lines);
        }
        if channels.len() == 1 {
            T::join_stores(selection, &mut lines[first..]);
        }
    }
    lines
}
