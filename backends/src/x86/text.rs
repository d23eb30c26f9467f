//! x86's loads, stores and tables as text.

use super::X86;
use super::avx512::{load_blocks, store_blocks};
use super::lookup::PART;
use crate::text::Text;
use crate::vector::program::{Arg, Lane, Line, Origin, Place, Source, StoreLine, VectorId};
use crate::vector::text::{IN_ARRAY, Printer, READABLE, WRITABLE};
use std::collections::BTreeSet;
use windrow_dsl::quick::Parts;

/// Tables of bytes in registers, 16 entries a part and the same in every block; one whose length is not a multiple of 16 is
/// copied first.
pub fn tables(printer: &Printer<'_, X86>, out: &mut Text) {
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
        let (name, entry, length) = (printer.table(table), argument.ty.name(), argument.length);
        let mut from = format!("{name}.add({})", part * PART);
        if !length.is_multiple_of(PART) {
            if copied.insert(table) {
                let whole = length.div_ceil(PART) * PART;
                out.line(format!("let mut {name}_entries = [0{entry}; {whole}];"));
                out.line("// SAFETY: the table has that many entries, and the array is at least as long.");
                out.line(format!(
                    "unsafe {{ ::core::ptr::copy_nonoverlapping({name}, {name}_entries.as_mut_ptr(), {length}) }};"
                ));
            }
            from = format!("{name}_entries.as_ptr().add({})", part * PART);
        }
        out.line("// SAFETY: there are 16 entries.");
        let load = format!("unsafe {{ _mm_loadu_si128({from}.cast()) }}");
        let load = match printer.target {
            X86::Sse41 => load,
            X86::Avx2 | X86::Vnni => format!("_mm256_broadcastsi128_si256({load})"),
            X86::Avx512 => format!("_mm512_broadcast_i32x4({load})"),
        };
        out.line(format!("let {name}_{part} = {load};"));
    }
}

/// A statement that is not a call.
pub fn line(printer: &mut Printer<'_, X86>, out: &mut Text, line: &Line) {
    match &line.source {
        Source::Call(_)
        | Source::Scalar { .. }
        | Source::Quad(_)
        | Source::Repeated { .. }
        | Source::Either { .. }
        | Source::Contiguous { .. }
        | Source::Across { .. }
        | Source::Turns(_) => {}
        Source::Load { place, .. } => {
            out.line(READABLE);
            let text = out.begin();
            text.push("let ");
            printer.push_name(text, line.results.first());
            text.push(" = unsafe { ");
            push_load(printer, text, place);
            text.push(" };");
            out.end();
        }
        Source::LoadLane { place, into, index } => {
            let pointer = printer.input(place.base, place.offset);
            // What the intrinsics take: a lane of the wider vector, and 32 bits for the narrower.
            let (width, scalar) = (place.lane.bits(), place.lane.signed().scalar());
            let (prefix, in_block) = match printer.target {
                X86::Avx2 | X86::Vnni => ("_mm256", false),
                X86::Sse41 | X86::Avx512 => ("_mm", true),
            };
            let widened = if in_block && width < 64 { " as i32" } else { "" };
            let element = format!("{pointer}.cast::<{scalar}>().read_unaligned(){widened}");
            let insert = format!("{prefix}_insert_epi{width}");
            out.line(READABLE);
            let (name, into) = (printer.name(line.results.first()), printer.whole(*into, place.lane));
            out.line(format!("let {name} = {insert}::<{index}>({into}, unsafe {{ {element} }});"));
        }
        Source::Gather { from, indices, index_lane, entry_lane } => {
            let gathers = printer.target != X86::Sse41 && entry_lane.bits() == 32 && index_lane.bits() == 32;
            if gathers {
                gather(printer, out, &line.results.list(), *from, indices, *entry_lane);
            } else {
                one_by_one(printer, out, &line.results.list(), *from, indices, [*index_lane, *entry_lane]);
            }
        }
    }
}

fn push_load(printer: &Printer<'_, X86>, text: &mut Parts, place: &Place) {
    let is_whole = printer.target == X86::Sse41 || place.apart * i64::from(place.lane.bits()) == 128;
    if printer.target == X86::Avx512 && !is_whole {
        let at = |block: i64| {
            let place = printer.input(place.base, place.offset + block * place.apart);
            format!("{place}.cast()")
        };
        let blocks = load_blocks([0, 1, 2, 3].map(at));
        return text.push(&if place.lane == Lane::F32 { printer.target.as_floats(blocks) } else { blocks });
    }
    text.push(match (printer.target, place.lane, is_whole) {
        (X86::Sse41, Lane::F32, _) => "_mm_loadu_ps(",
        (X86::Sse41, _, _) => "_mm_loadu_si128(",
        (X86::Avx2 | X86::Vnni, Lane::F32, true) => "_mm256_loadu_ps(",
        (X86::Avx2 | X86::Vnni, _, true) => "_mm256_loadu_si256(",
        (X86::Avx2 | X86::Vnni, Lane::F32, false) => "_mm256_loadu2_m128(",
        (X86::Avx2 | X86::Vnni, _, false) => "_mm256_loadu2_m128i(",
        (X86::Avx512, Lane::F32, _) => "_mm512_loadu_ps(",
        (X86::Avx512, ..) => "_mm512_loadu_si512(",
    });
    // As in `pointer`.
    let end = if place.lane == Lane::F32 { ")" } else { ".cast())" };
    if !is_whole {
        printer.push_input(text, place.base, place.offset + place.apart);
        text.push(if place.lane == Lane::F32 { ", " } else { ".cast(), " });
    }
    printer.push_input(text, place.base, place.offset);
    text.push(end);
}

/// A store of one vector.
pub fn store(printer: &Printer<'_, X86>, out: &mut Text, store: &StoreLine) {
    let lane = store.lane;
    if printer.target == X86::Avx512 {
        return store_wide(printer, out, store);
    }
    let at = |offset: i64| pointer(lane, printer.output(store.row, offset));
    let (first, second) = (at(store.offset), at(store.offset + store.apart));
    let vector = match store.block {
        None => printer.whole(store.vectors[0], lane),
        Some(block) => {
            let [a, b] = [store.vectors[0], store.vectors[1]].map(|id| printer.whole(id, lane));
            let (base, blocks) = (if lane == Lane::F32 { "2f128_ps" } else { "2x128_si256" }, ["0x20", "0x31"]);
            format!("_mm256_permute{base}::<{}>({a}, {b})", blocks[block as usize])
        }
    };
    let text = match (printer.target, lane) {
        (X86::Sse41, Lane::F32) => format!("_mm_storeu_ps({first}, {vector})"),
        (X86::Sse41, _) => format!("_mm_storeu_si128({first}, {vector})"),
        (X86::Avx2 | X86::Vnni, _) if store.apart * i64::from(lane.bits()) == 128 => match lane {
            Lane::F32 => format!("_mm256_storeu_ps({first}, {vector})"),
            _ => format!("_mm256_storeu_si256({first}, {vector})"),
        },
        (_, Lane::F32) => format!("_mm256_storeu2_m128({second}, {first}, {vector})"),
        _ => format!("_mm256_storeu2_m128i({second}, {first}, {vector})"),
    };
    out.line(WRITABLE);
    out.line(format!("unsafe {{ {text} }};"));
}

/// A store of one vector of four blocks.
fn store_wide(printer: &Printer<'_, X86>, out: &mut Text, store: &StoreLine) {
    let bits = store.lane.bits();
    let at = |block: i64| printer.output(store.row, store.offset + block * store.apart);
    let text = match (store.apart * i64::from(bits) == 128, store.lane) {
        (true, Lane::F32) => format!("_mm512_storeu_ps({}, {})", at(0), printer.whole(store.vectors[0], Lane::F32)),
        (true, lane) => format!("_mm512_storeu_si512({}.cast(), {})", at(0), printer.whole(store.vectors[0], lane)),
        // Floats are moved as integers.
        (false, lane) => {
            let lane = if lane == Lane::F32 { Lane::U32 } else { lane };
            let vector = printer.whole(store.vectors[0], lane);
            store_blocks([0, 1, 2, 3].map(|block| format!("{}.cast()", at(block))), &vector)
        }
    };
    out.line(WRITABLE);
    out.line(format!("unsafe {{ {text} }};"));
}

/// Intrinsics take addresses of floats as they are, and of integers as those of vectors.
fn pointer(lane: Lane, at: String) -> String {
    if lane == Lane::F32 { at } else { format!("{at}.cast()") }
}

fn gather(
    printer: &Printer<'_, X86>,
    out: &mut Text,
    results: &[VectorId],
    from: Origin,
    indices: &[VectorId],
    entry: Lane,
) {
    let prefix = printer.target.prefix();
    let base = format!("{prefix}_i32gather_{}", if entry == Lane::F32 { "ps" } else { "epi32" });
    let (base_pointer, safety) = printer.origin(from);
    let base_pointer = pointer(entry, base_pointer.to_owned());
    // Bytes for one of an index.
    let scale = if matches!(from, Origin::Table(_)) { 4 } else { 1 };
    for (&id, &index) in results.iter().zip(indices) {
        let index = printer.whole(index, Lane::I32);
        out.line(safety);
        let args = if printer.target == X86::Avx512 { [&index, &base_pointer] } else { [&base_pointer, &index] };
        out.line(format!("let {} = unsafe {{ {base}::<{scale}>({}, {}) }};", printer.name(id), args[0], args[1]));
    }
}

/// Indices and entries through arrays in the order of the elements.
fn one_by_one(
    printer: &mut Printer<'_, X86>,
    out: &mut Text,
    results: &[VectorId],
    from: Origin,
    indices: &[VectorId],
    [index_lane, entry_lane]: [Lane; 2],
) {
    let target = printer.target;
    let (pointer, safety) = printer.origin(from);
    let pointer = pointer.to_owned();
    let at = printer.names.claim_text(&format!("{pointer}_at"));
    let entries = printer.names.claim_text(&format!("{pointer}_entries"));
    let lanes = indices.len() as u32 * target.bits() / index_lane.bits();
    out.line(format!("let mut {at} = [0{}; {lanes}];", index_lane.scalar()));
    // The place of a vector's next block, behind the one before.
    let apart = lanes * 128 / target.bits();
    for (place, &index) in indices.iter().enumerate() {
        let vector = printer.whole(index, index_lane);
        let first = place as u32 * 128 / index_lane.bits();
        let to = |place: u32| format!("{at}.as_mut_ptr().add({place}).cast()");
        out.line(IN_ARRAY);
        out.line(match target {
            X86::Sse41 => format!("unsafe {{ _mm_storeu_si128({}, {vector}) }};", to(first)),
            X86::Avx2 | X86::Vnni => {
                format!("unsafe {{ _mm256_storeu2_m128i({}, {}, {vector}) }};", to(first + apart), to(first))
            }
            X86::Avx512 => {
                let blocks = [0, 1, 2, 3].map(|block| to(first + block * apart));
                format!("unsafe {{ {} }};", store_blocks(blocks, &vector))
            }
        });
    }
    out.line(safety);
    // Written out: a closure has the target's features, and is not inlined into a function of the library, which lacks them.
    out.open(format!("let {entries} = unsafe"));
    out.line("[");
    for lane in 0..lanes {
        out.line(format!("    {},", printer.gathered(from, &format!("{at}[{lane}]"))));
    }
    out.line("]");
    out.close(";");
    for (place, &id) in results.iter().enumerate() {
        let first = place as u32 * 128 / entry_lane.bits();
        let from = |place: u32| format!("{entries}.as_ptr().add({place}).cast()");
        let text = match target {
            X86::Sse41 => format!("_mm_loadu_si128({})", from(first)),
            X86::Avx2 | X86::Vnni => format!("_mm256_loadu2_m128i({}, {})", from(first + apart), from(first)),
            X86::Avx512 => load_blocks([0, 1, 2, 3].map(|block| from(first + block * apart))),
        };
        let text = if entry_lane == Lane::F32 { target.as_floats(text) } else { text };
        out.line(IN_ARRAY);
        out.line(format!("let {} = unsafe {{ {text} }};", printer.name(id)));
    }
}
