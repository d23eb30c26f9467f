//! NEON's loads, stores and tables as text.

use super::Neon;
use super::instructions::{structure, suffix};
use crate::text::{Text, comma};
use crate::vector::program::{Arg, Call, Lane, Line, Origin, Source, StoreLine, VectorId};
use crate::vector::text::{IN_ARRAY, Printer, READABLE, WRITABLE};
use std::collections::BTreeSet;

/// The instruction of [`insertion`], as the intrinsics would name it.
pub const INSERTED: &str = "vbitq";

/// Tables of bytes in registers, 64 entries a part; one whose length is not a multiple of 64 is copied first.
pub fn tables(printer: &Printer<'_, Neon>, out: &mut Text) {
    if printer.kernel.tables.is_empty() {
        return;
    }
    let mut parts = BTreeSet::new();
    for line in printer.program.lines() {
        let Source::Call(call) = &line.source else { continue };
        parts.extend(call.args.iter().filter_map(|arg| match arg {
            Arg::Table(table, part) => Some((*table, *part)),
            _ => None,
        }));
    }
    let mut copied = BTreeSet::new();
    for (table, part) in parts {
        let argument = &printer.kernel.tables[table.0 as usize];
        let (name, lane, entry) = (printer.table(table), Lane::of(argument.ty), argument.ty.name());
        let mut from = format!("{name}.add({})", part * 64);
        if !argument.length.is_multiple_of(64) {
            if copied.insert(table) {
                let (length, whole) = (argument.length, argument.length.div_ceil(64) * 64);
                out.line(format!("let mut {name}_entries = [0{entry}; {whole}];"));
                out.line("// SAFETY: the table has that many entries, and the array is at least as long.");
                out.line(format!(
                    "unsafe {{ ::core::ptr::copy_nonoverlapping({name}, {name}_entries.as_mut_ptr(), {length}) }};"
                ));
            }
            from = format!("{name}_entries.as_ptr().add({})", part * 64);
        }
        out.line("// SAFETY: there are 64 entries.");
        out.line(format!("let {name}_{part} = unsafe {{ vld1q_{}_x4({from}) }};", suffix(lane)));
    }
}

/// A choice between two uniform values, by a mask that nothing else reads: the instruction that leaves the result where
/// the mask was. The compiler's own chooses the registers first, and may have to move the mask.
///
/// This serves thresholds: without it they take 4 to 10 % more instructions, and 2 to 13 % more cycles by the models of
/// processors out of order, though 3 to 9 % fewer by that of a Cortex-A55.
pub fn choice_of_invariants(printer: &Printer<'_, Neon>, out: &mut Text, line: &Line, call: &Call) -> bool {
    let [Arg::Whole(mask, _), Arg::Whole(then, lane), Arg::Whole(otherwise, _)] = call.args.as_slice() else {
        return false;
    };
    let program = printer.program;
    let is_choice =
        call.intrinsic.begins_with("vbslq") && [then, otherwise].iter().all(|id| program.is_invariant(**id));
    if !is_choice || program.is_invariant(*mask) || !program.is_read_once(*mask) {
        return false;
    }
    let name = printer.name(line.results.first());
    let [mask, then, otherwise] = [mask, then, otherwise].map(|id| printer.whole(*id, *lane));
    let text = "bsl {0:v}.16b, {1:v}.16b, {2:v}.16b";
    out.line(format!("let mut {name} = {mask};"));
    out.line("// SAFETY: an instruction on these registers alone.");
    out.line(format!(
        "unsafe {{ ::core::arch::asm!(\"{text}\", inlateout(vreg) {name}, in(vreg) {then}, in(vreg) {otherwise}, \
         options(pure, nomem, nostack, preserves_flags)) }};"
    ));
    true
}

/// What [`super::bits`] puts into a value, by one instruction that leaves the result where the value was. The compiler has no
/// function for it, and takes apart what it has: of bits that a value has not it makes two operations, and more.
pub fn insertion(printer: &Printer<'_, Neon>, out: &mut Text, line: &Line, call: &Call) -> bool {
    let [Arg::Whole(bits, lane), Arg::Whole(mask, _), Arg::Whole(value, _)] = call.args.as_slice() else {
        return false;
    };
    if !call.intrinsic.begins_with(INSERTED) {
        return false;
    }
    let name = printer.name(line.results.first());
    let [bits, mask, value] = [bits, mask, value].map(|id| printer.whole(*id, *lane));
    out.line(format!("let mut {name} = {value};"));
    out.line("// SAFETY: an instruction on these registers alone.");
    out.line(format!(
        "unsafe {{ ::core::arch::asm!(\"bit {{0:v}}.16b, {{1:v}}.16b, {{2:v}}.16b\", inlateout(vreg) {name}, \
         in(vreg) {mask}, in(vreg) {bits}, options(pure, nomem, nostack, preserves_flags)) }};"
    ));
    true
}

/// A statement that is not a call.
pub fn line(printer: &mut Printer<'_, Neon>, out: &mut Text, line: &Line) {
    let name = |id: &VectorId| printer.name(*id);
    match &line.source {
        Source::Call(_)
        | Source::Scalar { .. }
        | Source::Quad(_)
        | Source::Repeated { .. }
        | Source::Either { .. }
        | Source::Contiguous { .. }
        | Source::Across { .. }
        | Source::Turns(_) => {}
        Source::Load { place: at, count } => {
            out.line(READABLE);
            let suffix = suffix(at.lane);
            if *count == 1 {
                let text = out.begin();
                text.push("let ");
                printer.push_name(text, line.results.first());
                text.push_all(&[" = unsafe { vld1q_", suffix, "("]);
                printer.push_input(text, at.base, at.offset);
                text.push(") };");
                out.end();
            } else {
                let place = printer.input(at.base, at.offset);
                let (structure, names) = (structure(at.lane, *count), comma(line.results.list().iter().map(name)));
                out.line(format!("let {structure}({names}) = unsafe {{ vld{count}q_{suffix}({place}) }};"));
            }
        }
        Source::LoadLane { place: at, into, index } => {
            let place = printer.input(at.base, at.offset);
            let (name, into, suffix) = (name(&line.results.first()), name(into), suffix(at.lane));
            out.line(READABLE);
            out.line(format!("let {name} = unsafe {{ vld1q_lane_{suffix}::<{index}>({place}, {into}) }};"));
        }
        Source::Gather { from, indices, index_lane, entry_lane } => {
            gather(printer, out, &line.results.list(), *from, indices, *index_lane, *entry_lane);
        }
    }
}

fn gather(
    printer: &mut Printer<'_, Neon>,
    out: &mut Text,
    results: &[VectorId],
    from: Origin,
    indices: &[VectorId],
    index_lane: Lane,
    entry_lane: Lane,
) {
    let (pointer, safety) = printer.origin(from);
    let pointer = pointer.to_owned();
    let at = printer.names.claim_text(&format!("{pointer}_at"));
    let entries = printer.names.claim_text(&format!("{pointer}_entries"));
    let in_index = 128 / index_lane.bits();
    out.line(format!("let mut {at} = [0{}; {}];", index_lane.scalar(), in_index as usize * indices.len()));
    for (place, &index) in indices.iter().enumerate() {
        let vector = printer.whole(index, index_lane);
        let to = format!("{at}.as_mut_ptr().add({})", place * in_index as usize);
        out.line(IN_ARRAY);
        out.line(format!("unsafe {{ vst1q_{}({to}, {vector}) }};", suffix(index_lane)));
    }
    out.line(safety);
    let read = printer.gathered(from, "index");
    out.line(format!("let {entries} = {at}.map(|index| unsafe {{ {read} }});"));
    for (place, id) in results.iter().enumerate() {
        let from = format!("{entries}.as_ptr().add({})", place * (128 / entry_lane.bits()) as usize);
        let name = printer.name(*id);
        out.line(IN_ARRAY);
        out.line(format!("let {name} = unsafe {{ vld1q_{}({from}) }};", suffix(entry_lane)));
    }
}

/// A store of one or several interleaved vectors.
pub fn store(printer: &Printer<'_, Neon>, out: &mut Text, store: &StoreLine) {
    let place = printer.output(store.row, store.offset);
    let (count, suffix) = (store.vectors.len(), suffix(store.lane));
    let vectors = comma(store.vectors.iter().map(|&id| printer.whole(id, store.lane)));
    out.line(WRITABLE);
    if count == 1 {
        out.line(format!("unsafe {{ vst1q_{suffix}({place}, {vectors}) }};"));
    } else {
        let structure = structure(store.lane, count as u32);
        out.line(format!("unsafe {{ vst{count}q_{suffix}({place}, {structure}({vectors})) }};"));
    }
}

/// A constant moved to a register by an instruction that the compiler does not look into, where one instruction does.
pub fn opaque(literal: &str) -> String {
    let digits = literal.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(literal.len());
    let (value, ty) = literal.split_at(digits);
    match value.parse::<u16>() {
        Ok(value) => {
            let options = "options(pure, nomem, nostack, preserves_flags)";
            let mov = format!("::core::arch::asm!(\"mov {{0:w}}, #{value}\", out(reg) value, {options})");
            format!("{{ let value: u32; unsafe {{ {mov} }}; value as {ty} }}")
        }
        Err(_) => format!("unsafe {{ ::core::ptr::read_volatile(&{literal}) }}"),
    }
}
