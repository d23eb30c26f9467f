//! A block's ways in and out: on the images themselves, or through their borders and as far as the window goes.

use super::{
    entry::{Arguments, Entry, border_of, has_neighbourhood, head, origin, pixels_beside, suffix, sum, times},
    prelude::{Helper, Prelude},
    types::Form,
};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Block, Input, InputId, Neighbourhood, Output, OutputId, Type};

/// The rows of an input that a block reads: `count` from `top` beside `stride` times its first.
pub struct Rows {
    /// The first, from `stride` times the block's.
    pub top: i32,
    /// How many.
    pub count: i32,
}

impl Rows {
    /// Those of `input`.
    pub fn of(input: &Input, block: Block) -> Self {
        let Neighbourhood { top, bottom, .. } = input.neighbourhood;
        Self { top, count: input.stride.1 as i32 * (block.y as i32 - 1) + bottom - top + 1 }
    }
}

/// Computes on the images.
pub fn inside(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    let mut given = Vec::new();
    for id in &entry.needs.inputs {
        let (a, ty) = (&arguments.inputs[id.0 as usize], suffix(entry.kernel.inputs[id.0 as usize].ty));
        let beside = columns_inside(out, entry, *id, a);
        let columns = beside.map_or(String::new(), |name| format!(".columns = {name}, "));
        out.line(format!("const Source_{ty} {a}_inside = {{"));
        out.line(format!("    .image = {a}_first, .stride = {a}_stride, {columns}.whole = true, .aligned = true"));
        out.line("};");
        given.push(format!("{a}_inside"));
    }
    for id in &entry.needs.outputs {
        let (o, ty) = (&arguments.outputs[id.0 as usize], suffix(entry.kernel.outputs[id.0 as usize].ty));
        out.line(format!("const Sink_{ty} {o}_inside = {{"));
        out.line(format!("    .image = {o}_first, .stride = {o}_stride, .whole = true, .aligned = true"));
        out.line("};");
        given.push(format!("{o}_inside"));
    }
    call(out, entry, arguments, given);
}

/// Declares where the elements beside the block stand, counted from its first; the result is their name.
fn columns_inside(out: &mut Text, entry: &Entry<'_>, id: InputId, a: &str) -> Option<String> {
    let input = &entry.kernel.inputs[id.0 as usize];
    let (first, _) = origin(input);
    let channels = input.channels;
    let column = |place: usize| {
        let pixel = format!("{a}_columns[{place}] - {first}");
        match channels {
            1 => pixel,
            _ => comma((0..channels).map(|channel| format!("{channels} * ({pixel}) + {channel}"))),
        }
    };
    let pixels = pixels_beside(input, entry.block).len();
    let columns = comma((0..pixels).map(column));
    (pixels > 0).then(|| {
        out.line(format!("const int {a}_beside[{}] = {{ {columns} }};", pixels * channels as usize));
        format!("{a}_beside")
    })
}

/// The function that computes a block through the borders, as far as the window goes.
pub fn edge_function(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, arguments: &Arguments) {
    out.line("// The same at an edge, or where rows are not aligned.");
    head(out, &format!("OUTLINE void {}_edge", entry.name), &arguments.edge_list(entry));
    out.open("");
    let mut given = Vec::new();
    for id in &entry.needs.inputs {
        given.push(source(out, prelude, entry, *id, &arguments.inputs[id.0 as usize]));
    }
    for id in &entry.needs.outputs {
        given.push(sink(out, entry, *id, &arguments.outputs[id.0 as usize], "edge"));
    }
    call(out, entry, arguments, given);
    out.close("");
}

/// Declares the place of an output that is written as far as the window goes; the result is its name.
pub fn sink(out: &mut Text, entry: &Entry<'_>, id: OutputId, o: &str, part: &str) -> String {
    let Output { ty, channels, .. } = entry.kernel.outputs[id.0 as usize];
    out.line(format!("const Sink_{} {o}_{part} = {{", suffix(ty)));
    out.line(format!("    .image = {o}_first, .stride = {o}_stride, .channels = {channels},"));
    out.line("    .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,");
    out.line("    .whole = in_window, .aligned = aligned");
    out.line("};");
    format!("{o}_{part}")
}

/// Declares the place of an input that is read through its border; the result is its name.
fn source(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, id: InputId, a: &str) -> String {
    let input = &entry.kernel.inputs[id.0 as usize];
    prelude.pull(Helper::FindRows, Form::scalar(Type::I32));
    let Rows { top, count: rows } = Rows::of(input, entry.block);
    let (border, constant) = if has_neighbourhood(input) {
        let border = border_of(entry.kernel, input);
        (border.clone(), format!(".border = {border}, .constant_bits = {a}_border, "))
    } else {
        ("0".to_owned(), String::new())
    };
    let (column, row) = origin(input);
    let last = |stride: u32, end: &str, beyond: i32| match stride {
        1 => sum(end, beyond - 1),
        _ => sum(&times(stride, &format!("({end} - 1)")), beyond),
    };
    let last_x = last(input.stride.0, "x1", input.neighbourhood.right);
    let last_y = last(input.stride.1, "y1", input.neighbourhood.bottom);
    let first = sum(&format!("{a}_rows"), -top);
    out.line(format!("long {a}_rows[{rows}];"));
    out.line(format!("find_rows({a}_rows, {rows}, {}, {last_y}, {a}_height, {a}_stride, {border});", sum(&row, top)));
    out.line(format!("const Source_{} {a}_edge = {{", suffix(input.ty)));
    out.line(format!("    .image = {a}, .rows = {first}, .x = {column}, .last_x = {last_x}, .width = {a}_width,"));
    out.line(format!("    {constant}.channels = {}, .aligned = aligned", input.channels));
    out.line("};");
    format!("{a}_edge")
}

/// Computes the block on places to read and to write.
pub fn call(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments, mut given: Vec<String>) {
    given.extend(entry.needs.tables.iter().map(|table| arguments.tables[table.0 as usize].clone()));
    if entry.needs.words {
        given.push("words".to_owned());
    }
    if entry.needs.coordinates {
        given.push("block_x, block_y, x1 - 1, y1 - 1".to_owned());
    }
    out.line(format!("{}_block({});", entry.name, comma(given)));
}
