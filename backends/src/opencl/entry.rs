//! A `__kernel` function: its arguments, its place in the window, and its block's ways in and out.
//!
//! A work-item whose block, and all that it reads, lies inside computes straight on the images. Any other computes the same
//! block in one of two functions, which read through the border and write as far as the window goes: one where the block's
//! own columns lie inside, so that only its rows have to be found, and one for the rest, and for images whose rows start
//! nowhere special. Those functions are never inlined: their registers would be the kernel's.

use super::{
    edges::call_edge,
    names::Names,
    pieces::{Beside, Layout, Unit},
    prelude::{Helper, Prelude},
    reals,
    survey::Needs,
    types::{Form, bytes, table_type},
    ways::{Edge, Rows, all_hold, edge_function, inside},
};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Block, Input, Kernel, Neighbourhood, Output, Type};

/// One entry point.
pub struct Entry<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its function.
    pub name: &'a str,
    /// The names of its arguments.
    pub arguments: &'a Arguments,
    /// What that one takes.
    pub needs: &'a Needs,
    /// Elements that a work-item computes.
    pub block: Block,
    /// What stands in a lane of a vector.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Whether the program is given words at all.
    pub has_words: bool,
}

/// What stands behind an image's name in the names that go with it.
const IMAGE_PARTS: [&str; 15] = [
    "_offset", "_stride", "_plane", "_width", "_height", "_border", "_first", "_inside", "_between", "_edge",
    "_columns", "_beside", "_rows", "_sampler", "_sink",
];

/// The window, as parameters.
pub const WINDOW: &str = "const int x0, const int y0, const int x1, const int y1";

/// The names of a kernel's arguments.
pub struct Arguments {
    /// Of the inputs.
    pub inputs: Vec<String>,
    /// Of the outputs.
    pub outputs: Vec<String>,
    /// Of the tables.
    pub tables: Vec<String>,
}

/// Whether reads of `input` may fall outside it: the entry then takes its border's constant.
pub fn has_neighbourhood(input: &Input) -> bool {
    input.neighbourhood != Neighbourhood::default()
}

/// Writes the entry point.
pub fn emit(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>) {
    let arguments = entry.arguments;
    let whole = tests_of_rows(entry, arguments);
    let lines = &arguments.edge_lines(entry);
    // Where no row is outside, no function is needed for it.
    let between = (!whole.is_empty()).then_some(Edge::Rows);
    for edge in between.into_iter().chain([Edge::Any]) {
        edge_function(out, prelude, entry, lines, edge);
        out.line("");
    }
    head(out, &format!("__kernel void {}", entry.name), arguments.list(entry).iter());
    out.open("");
    place(out, prelude, entry);
    planes(out, entry, arguments);
    firsts(out, entry, arguments);
    aligned(out, prelude, alignments(entry, arguments));
    for id in &entry.needs.inputs {
        let (input, a) = (&entry.kernel.inputs[id.0 as usize], &arguments.inputs[id.0 as usize]);
        columns(out, prelude, entry, input, a);
    }
    between_edges(out, entry, arguments);
    if !whole.is_empty() {
        out.line("// Whether all that it reads and writes does.");
        all_hold(out, "const bool whole = between && ", &whole);
    }
    out.open(if whole.is_empty() { "if (between)" } else { "if (whole)" });
    inside(out, entry, arguments);
    if !whole.is_empty() {
        out.between("} else if (between) {");
        call_edge(out, entry, lines, Edge::Rows);
    }
    out.between("} else {");
    call_edge(out, entry, lines, Edge::Any);
    out.close("");
    out.close("");
}

/// A function's head: its parameters, one line each.
pub fn head<'a>(out: &mut Text, name: &str, parameters: impl ExactSizeIterator<Item = &'a String>) {
    out.line(format!("{name}("));
    let last = parameters.len().saturating_sub(1);
    for (position, parameter) in parameters.enumerate() {
        listed(out, parameter, if position == last { ")" } else { "," });
    }
}

impl Arguments {
    /// The names in the scope of an entry point.
    pub fn of(kernel: &Kernel) -> Self {
        let mut names = Names::default();
        let mut image = |name: &str| names.claim_with(name, &IMAGE_PARTS);
        let inputs = kernel.inputs.iter().map(|input| image(&input.name)).collect();
        let outputs = kernel.outputs.iter().map(|output| image(&output.name)).collect();
        Self { inputs, outputs, tables: kernel.tables.iter().map(|table| names.claim_text(&table.name)).collect() }
    }

    /// The arguments in the order of the calling convention, one line an argument of the author's.
    fn list(&self, entry: &Entry<'_>) -> Vec<String> {
        let kernel = entry.kernel;
        let mut list = Vec::new();
        for (input, a) in kernel.inputs.iter().zip(&self.inputs) {
            list.push(format!(
                "__global const uchar *{a}, const long {a}_offset, const int {a}_stride, const long {a}_plane"
            ));
            let border = if has_neighbourhood(input) { format!(", const uint {a}_border") } else { String::new() };
            list.push(format!("    const int {a}_width, const int {a}_height{border}"));
        }
        for o in &self.outputs {
            list.push(format!(
                "__global uchar *{o}, const long {o}_offset, const int {o}_stride, const long {o}_plane"
            ));
        }
        list.extend(self.shared_list(entry));
        let border = if kernel.inputs.iter().any(has_neighbourhood) { ", const int border" } else { "" };
        list.push(format!("{WINDOW}{border}"));
        list
    }

    /// Those that are the same for all work-items: tables and words.
    pub fn shared_list(&self, entry: &Entry<'_>) -> Vec<String> {
        let tables = entry.kernel.tables.iter().zip(&self.tables);
        let mut list: Vec<String> =
            tables.map(|(table, name)| format!("__global const {} *{name}", table_type(table.ty))).collect();
        if entry.has_words {
            list.push("__constant const uint *words".to_owned());
        }
        list
    }
}

/// A line of a list, further in than the line above the list.
pub fn listed(out: &mut Text, item: &str, end: &str) {
    out.begin().push_all(&["    ", item, end]);
    out.end();
}

/// Where the block is; nothing is left to do past the window.
pub fn place(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>) {
    prelude.pull(Helper::FindBlock, Form::scalar(Type::I32));
    let Block { x, y } = entry.block;
    out.line("int block_x, block_y;");
    out.line(format!("if (!find_block(&block_x, &block_y, {x}, {y}, x0, y0, x1, y1))"));
    out.line("    return;");
}

/// The pointers, moved to the plane.
fn planes(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    out.line("const long plane = (long)get_global_id(2);");
    for input in &entry.needs.inputs {
        let a = &arguments.inputs[input.0 as usize];
        out.line(format!("{a} += {a}_offset + plane * {a}_plane;"));
    }
    for output in &entry.needs.outputs {
        let o = &arguments.outputs[output.0 as usize];
        out.line(format!("{o} += {o}_offset + plane * {o}_plane;"));
    }
}

/// Where the block's first element is in each image.
fn firsts(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        let a = &arguments.inputs[id.0 as usize];
        let (column, row) = origin(input);
        let first = element(a, &column, &row, input.ty, input.channels);
        out.line(format!("__global const uchar *{a}_first = {first};"));
    }
    firsts_of_outputs(out, entry, arguments);
}

/// The same in each output.
pub fn firsts_of_outputs(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    for id in &entry.needs.outputs {
        let Output { ty, channels, .. } = entry.kernel.outputs[id.0 as usize];
        let o = &arguments.outputs[id.0 as usize];
        let first = element(o, "block_x", "block_y", ty, channels);
        out.line(format!("__global uchar *{o}_first = {first};"));
    }
}

/// Each image that is read or written in vectors, and the bytes at a multiple of which they start.
fn alignments(entry: &Entry<'_>, arguments: &Arguments) -> Vec<(String, String)> {
    let Entry { kernel, needs, unit, lanes, .. } = *entry;
    let inputs = needs.inputs.iter().map(|id| {
        let input = &kernel.inputs[id.0 as usize];
        (&arguments.inputs[id.0 as usize], Layout::of_input(input, unit, lanes))
    });
    let mut found: Vec<(String, String)> = inputs.filter_map(in_vectors).collect();
    found.extend(alignments_of_outputs(entry, arguments));
    found
}

/// The same for each output.
pub fn alignments_of_outputs(entry: &Entry<'_>, arguments: &Arguments) -> Vec<(String, String)> {
    let Entry { kernel, needs, unit, lanes, .. } = *entry;
    let outputs = needs.outputs.iter().map(|id| {
        let Output { ty, channels, .. } = kernel.outputs[id.0 as usize];
        (&arguments.outputs[id.0 as usize], Layout::of(ty, channels, 1, unit, lanes))
    });
    outputs.filter_map(in_vectors).collect()
}

fn in_vectors((name, layout): (&String, Layout)) -> Option<(String, String)> {
    (layout.loaded(layout.widest()).lanes > 1).then(|| (name.clone(), size(layout.unit, layout.widest())))
}

/// Whether every vector of the block starts at a multiple of its size.
pub fn aligned(out: &mut Text, prelude: &mut Prelude, alignments: Vec<(String, String)>) {
    let test = |(name, bytes): (String, String)| format!("is_aligned({name}_first, {name}_stride, {bytes})");
    let tests: Vec<String> = alignments.into_iter().map(test).collect();
    if tests.is_empty() {
        return out.line("const bool aligned = true;");
    }
    prelude.pull(Helper::IsAligned, Form::scalar(Type::I32));
    all_hold(out, "const bool aligned = ", &tests);
}

/// Where the elements beside the block stand in an input: a list of columns, if it is read there.
pub fn columns(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, input: &Input, a: &str) {
    let pixels = pixels_beside(input, entry.block);
    if pixels.is_empty() {
        return;
    }
    prelude.pull(Helper::IndexAt, Form::scalar(Type::I32));
    let (first, _) = origin(input);
    let border = border_of(entry.kernel, input);
    let column = |&pixel: &i32| format!("index_at({border}, {}, {a}_width)", sum(&first, pixel));
    out.line(format!("const int {a}_columns[{}] = {{", pixels.len()));
    for line in pixels.chunks(2) {
        out.line(format!("    {},", comma(line.iter().map(column))));
    }
    out.line("};");
}

/// The pixels beside a block, from its first.
pub fn pixels_beside(input: &Input, block: Block) -> Vec<i32> {
    let channels = input.channels as i32;
    Beside::of(input, block.x).columns().step_by(channels as usize).map(|column| column.div_euclid(channels)).collect()
}

/// Whether the block's columns lie inside the window and the inputs.
fn between_edges(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    let mut tests = vec!["aligned".to_owned()];
    tests.extend(in_window("x", entry.block.x));
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        if has_neighbourhood(input) {
            let a = &arguments.inputs[id.0 as usize];
            let (column, _) = origin(input);
            let Neighbourhood { left, right, .. } = input.neighbourhood;
            let (stride, elements) = (input.stride.0 as i32, entry.block.x as i32);
            let end = (stride * (elements - 1) + right + 1).min(stride * elements);
            tests.push(format!("{} <= {a}_width", sum(&column, end)));
            if left > 0 {
                tests.push(format!("{} >= 0", sum(&column, left)));
            }
        }
    }
    out.line("// Whether the block's own columns lie inside.");
    all_hold(out, "const bool between = ", &tests);
}

/// What must hold beside for a block to be computed without any border but that on its left and right.
fn tests_of_rows(entry: &Entry<'_>, arguments: &Arguments) -> Vec<String> {
    let mut tests: Vec<String> = in_window("y", entry.block.y).into_iter().collect();
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        if has_neighbourhood(input) {
            let a = &arguments.inputs[id.0 as usize];
            let (_, row) = origin(input);
            let Rows { top, count } = Rows::of(input, entry.block);
            tests.push(format!("{} >= 0 && {} <= {a}_height", sum(&row, top), sum(&row, top + count)));
            let beside = pixels_beside(input, entry.block);
            tests.extend((0..beside.len()).map(|place| format!("{a}_columns[{place}] >= 0")));
        }
    }
    tests
}

/// Whether the block lies inside the window along an axis; always where it is one element long.
pub fn in_window(axis: &str, length: u32) -> Option<String> {
    (length > 1).then(|| format!("block_{axis} >= {axis}0 && block_{axis} + {length} <= {axis}1"))
}

/// The number of an input's border: all of `border` where it is the only one, else four bits of it.
pub fn border_of(kernel: &Kernel, input: &Input) -> String {
    let mut around = kernel.inputs.iter().filter(|input| has_neighbourhood(input));
    match (around.clone().count(), around.position(|other| other.name == input.name)) {
        (0 | 1, _) | (_, None) => "border".to_owned(),
        (_, Some(place)) => format!("(border >> {}) & 15", 4 * place),
    }
}

/// The element of an input that stands at the block's first: `2 * block_x`.
pub fn origin(input: &Input) -> (String, String) {
    (times(input.stride.0, "block_x"), times(input.stride.1, "block_y"))
}

/// The address of an element, given in bytes from row to row.
fn element(image: &str, column: &str, row: &str, ty: Type, channels: u32) -> String {
    let size = size(ty, channels);
    let column = if size == "1" { column.to_owned() } else { format!("{size} * {}", long(column)) };
    format!("{image} + {} * {image}_stride + {column}", long(row))
}

/// Bytes of so many values in memory.
fn size(ty: Type, count: u32) -> String {
    match (ty, count) {
        (Type::F32, 1) => reals::BYTES.to_owned(),
        (Type::F32, _) => format!("{count} * {}", reals::BYTES),
        (_, _) => (count * bytes(ty)).to_string(),
    }
}

/// A coordinate as a factor of a byte offset, which may not fit an int.
pub fn long(coordinate: &str) -> String {
    if coordinate.contains(' ') { format!("(long)({coordinate})") } else { format!("(long){coordinate}") }
}

/// `stride * what`, plainly.
pub fn times(stride: u32, what: &str) -> String {
    if stride == 1 { what.to_owned() } else { format!("{stride} * {what}") }
}

/// `what + offset`, plainly.
pub fn sum(what: &str, offset: i32) -> String {
    match offset {
        0 => what.to_owned(),
        1.. => format!("{what} + {offset}"),
        _ => format!("{what} - {}", offset.unsigned_abs()),
    }
}

/// How names of a type's helpers end.
pub fn suffix(ty: Type) -> String {
    Form::scalar(ty).suffix()
}
