//! A block's ways in and out: on the images themselves, or through their borders and as far as the window goes.

use super::{
    edges::EdgeLine,
    entry::{
        Arguments, Entry, border_of, columns, has_neighbourhood, head, long, origin, pixels_beside, suffix, sum, times,
    },
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

/// Where a block lies that is not inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Its own columns lie inside; rows don't, or what it reads on its left and right is the border's constant.
    Rows,
    /// Anywhere.
    Any,
}

impl Edge {
    /// How the names of functions for it end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "between",
            Self::Any => "edge",
        }
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
        out.line(format!("    .image = {a}_first, .stride = {a}_stride, {columns}.whole = true"));
        out.line("};");
        given.push(format!("{a}_inside"));
    }
    for id in &entry.needs.outputs {
        let (o, ty) = (&arguments.outputs[id.0 as usize], suffix(entry.kernel.outputs[id.0 as usize].ty));
        out.line(format!("const Sink_{ty} {o}_inside = {{"));
        out.line(format!("    .image = {o}_first, .stride = {o}_stride, .whole = true"));
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
    let element = |place: usize, channel: u32| {
        let pixel = format!("{a}_columns[{place}] - {first}");
        if channels == 1 { pixel } else { format!("{channels} * ({pixel}) + {channel}") }
    };
    elements_beside(out, entry, input, a, element)
}

/// Declares a column for each element beside the block, by its pixel's place and its channel; the result is their name.
fn elements_beside(
    out: &mut Text,
    entry: &Entry<'_>,
    input: &Input,
    a: &str,
    column: impl Fn(usize, u32) -> String,
) -> Option<String> {
    let pixels = pixels_beside(input, entry.block).len();
    let elements = (0..pixels).flat_map(|place| (0..input.channels).map(move |channel| (place, channel)));
    let columns: Vec<String> = elements.map(|(place, channel)| column(place, channel)).collect();
    (pixels > 0).then(|| {
        out.line(format!("const int {a}_beside[{}] = {{ {} }};", columns.len(), comma(columns)));
        format!("{a}_beside")
    })
}

/// A function that computes a block through the borders, as far as the window goes.
pub fn edge_function(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, lines: &[EdgeLine], edge: Edge) {
    let arguments = entry.arguments;
    out.line(match edge {
        Edge::Rows => "// The same where only the block's own columns lie inside.",
        Edge::Any => "// The same at any edge, or where rows are not aligned.",
    });
    head(out, &format!("OUTLINE void {}_{}", entry.name, edge.name()), lines.iter().map(|line| &line.parameters));
    out.open("");
    let mut given = Vec::new();
    for id in &entry.needs.inputs {
        given.push(source(out, prelude, entry, *id, &arguments.inputs[id.0 as usize], edge));
    }
    for id in &entry.needs.outputs {
        let flags = match edge {
            Edge::Rows => ".between = true",
            Edge::Any => ".whole = false",
        };
        given.push(sink(out, entry, *id, &arguments.outputs[id.0 as usize], edge.name(), flags));
    }
    call(out, entry, arguments, given);
    out.close("");
}

/// Declares the place of an output that is written as far as the window goes; the result is its name.
pub fn sink(out: &mut Text, entry: &Entry<'_>, id: OutputId, o: &str, part: &str, flags: &str) -> String {
    let Output { ty, channels, .. } = entry.kernel.outputs[id.0 as usize];
    out.line(format!("const Sink_{} {o}_{part} = {{", suffix(ty)));
    out.line(format!("    .image = {o}_first, .stride = {o}_stride, .channels = {channels},"));
    out.line("    .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,");
    out.line(format!("    {flags}"));
    out.line("};");
    format!("{o}_{part}")
}

/// Declares the place of an input that is read through its border; the result is its name.
fn source(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, id: InputId, a: &str, edge: Edge) -> String {
    let input = &entry.kernel.inputs[id.0 as usize];
    prelude.pull(Helper::FindRows, Form::scalar(Type::I32));
    let Rows { top, count: rows } = Rows::of(input, entry.block);
    let (border, constant) = if has_neighbourhood(input) {
        (border_of(entry.kernel, input), format!("{a}_border"))
    } else {
        ("0".to_owned(), "0".to_owned())
    };
    let (_, row) = origin(input);
    let last_y = last(input.stride.1, "y1", input.neighbourhood.bottom);
    let first = sum(&format!("{a}_rows"), -top);
    out.line(format!("int {a}_rows[{rows}];"));
    out.line(format!("find_rows({a}_rows, {rows}, {}, {last_y}, {a}_height, {border});", sum(&row, top)));
    let (columns, flag) = match edge {
        Edge::Rows => columns_between(out, prelude, entry, input, a),
        Edge::Any => (columns_at_edge(input, a, &border), ".whole = false"),
    };
    let name = format!("{a}_{}", edge.name());
    out.line(format!("const Source_{} {name} = {{", suffix(input.ty)));
    out.line(format!("    .image = {a}, .stride = {a}_stride, .rows = {first}, {columns},"));
    out.line(format!("    .constant_bits = {constant}, {flag}"));
    out.line("};");
    name
}

/// Declares where the elements beside the block stand in a row, -1 for the border's constant; the result is what a source
/// says of its columns.
fn columns_between(
    out: &mut Text,
    prelude: &mut Prelude,
    entry: &Entry<'_>,
    input: &Input,
    a: &str,
) -> (String, &'static str) {
    columns(out, prelude, entry, input, a);
    let (first, _) = origin(input);
    let channels = input.channels;
    let element = |place: usize, channel: u32| {
        let pixel = format!("{a}_columns[{place}]");
        format!("{pixel} < 0 ? -1 : {channels} * {pixel} + {channel}")
    };
    let beside = if channels == 1 {
        (!pixels_beside(input, entry.block).is_empty()).then(|| format!("{a}_columns"))
    } else {
        elements_beside(out, entry, input, a, element)
    };
    let beside = beside.map_or(String::new(), |name| format!(".columns = {name}, "));
    (format!("{beside}.first = {}", times(channels, &long(&first))), ".between = true")
}

/// What a source says of its columns where each element is looked for.
fn columns_at_edge(input: &Input, a: &str, border: &str) -> String {
    let (first, _) = origin(input);
    let last_x = last(input.stride.0, "x1", input.neighbourhood.right);
    let channels = input.channels;
    format!(".x = {first}, .last_x = {last_x}, .width = {a}_width, .channels = {channels}, .border = {border}")
}

/// The last row or column of an input that an element of the window reads.
fn last(stride: u32, end: &str, beyond: i32) -> String {
    match stride {
        1 => sum(end, beyond - 1),
        _ => sum(&times(stride, &format!("({end} - 1)")), beyond),
    }
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

/// Writes what is true where all tests hold, a line each.
pub fn all_hold(out: &mut Text, head: &str, tests: &[String]) {
    for (position, test) in tests.iter().enumerate() {
        let begin = if position == 0 { head } else { "    && " };
        let end = if position + 1 == tests.len() { ";" } else { "" };
        out.line(format!("{begin}{test}{end}"));
    }
}
