//! A `__kernel` function: its arguments, its place in the window, and its block's way in and out.
//!
//! A work-item whose block, and all that it reads, lies inside computes straight on the images. Any other computes the
//! same block on private tiles: inputs filled through the border, outputs kept as far as the window goes.

use super::{
    names::Names,
    prelude::{Helper, Prelude},
    survey::Needs,
    types::{Form, bytes, c_name},
};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Block, Input, Kernel, Neighbourhood, Output, Type};

/// One entry point.
pub struct Entry<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its function.
    pub name: &'a str,
    /// The function that computes a block.
    pub block_function: &'a str,
    /// What that one takes.
    pub needs: &'a Needs,
    /// Elements that a work-item computes.
    pub block: Block,
    /// Elements of a vector.
    pub lanes: u32,
    /// Whether the program is given words at all.
    pub has_words: bool,
}

/// What stands behind an image's name in the names that go with it.
const IMAGE_PARTS: [&str; 10] =
    ["_offset", "_stride", "_plane", "_width", "_height", "_border", "_first", "_image", "_tile", "_part"];

/// The names of a kernel's arguments.
struct Arguments {
    inputs: Vec<String>,
    outputs: Vec<String>,
    tables: Vec<String>,
}

/// The elements of an input that a block reads: `columns` × `rows` from (`left`, `top`) beside `stride` times its first.
struct Area {
    left: i32,
    top: i32,
    columns: i32,
    rows: i32,
}

impl Area {
    fn of(input: &Input, block: Block) -> Self {
        let Neighbourhood { left, right, top, bottom } = input.neighbourhood;
        let span =
            |stride: u32, elements: u32, from: i32, to: i32| stride as i32 * (elements as i32 - 1) + to - from + 1;
        Self {
            left,
            top,
            columns: span(input.stride.0, block.x, left, right),
            rows: span(input.stride.1, block.y, top, bottom),
        }
    }
}

/// Whether reads of `input` may fall outside it: the entry then takes its border's constant.
pub fn has_neighbourhood(input: &Input) -> bool {
    input.neighbourhood != Neighbourhood::default()
}

/// Writes the entry point.
pub fn emit(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>) {
    let arguments = Arguments::of(entry.kernel);
    out.line(format!("__kernel void {}(", entry.name));
    let list = arguments.list(entry);
    for (position, argument) in list.iter().enumerate() {
        let end = if position + 1 == list.len() { ")" } else { "," };
        out.line(format!("    {argument}{end}"));
    }
    out.open("");
    place(out, entry);
    planes(out, entry, &arguments);
    whole(out, entry, &arguments);
    out.line("if (whole) {");
    indented(out, |out| inside(out, prelude, entry, &arguments));
    out.line("} else {");
    indented(out, |out| edge(out, prelude, entry, &arguments));
    out.line("}");
    out.close("");
}

fn indented(out: &mut Text, write: impl FnOnce(&mut Text)) {
    let mut inner = Text::new();
    write(&mut inner);
    for line in inner.finish().lines() {
        out.line(format!("    {line}"));
    }
}

impl Arguments {
    fn of(kernel: &Kernel) -> Self {
        let mut names = Names::default();
        let mut image = |name: &str| names.claim_with(name, &IMAGE_PARTS);
        let inputs = kernel.inputs.iter().map(|input| image(&input.name)).collect();
        let outputs = kernel.outputs.iter().map(|output| image(&output.name)).collect();
        Self { inputs, outputs, tables: kernel.tables.iter().map(|table| names.claim(&table.name)).collect() }
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
        for (table, name) in kernel.tables.iter().zip(&self.tables) {
            list.push(format!("__global const {} *{name}", c_name(table.ty)));
        }
        if entry.has_words {
            list.push("__constant const uint *words".to_owned());
        }
        let border = if kernel.inputs.iter().any(has_neighbourhood) { ", const int border" } else { "" };
        list.push(format!("const int x0, const int y0, const int x1, const int y1{border}"));
        list
    }
}

/// Where the block is; nothing is left to do past the window.
fn place(out: &mut Text, entry: &Entry<'_>) {
    let Block { x, y } = entry.block;
    let from = |first: &str, size: u32, dimension: u32| match size {
        1 => format!("{first} + (long)get_global_id({dimension})"),
        _ => format!("{first} + {size} * (long)get_global_id({dimension})"),
    };
    out.line(format!("const long item_x = {}, item_y = {};", from("x0", x, 0), from("y0", y, 1)));
    out.line("if (item_x >= x1 || item_y >= y1)");
    out.line("    return;");
    out.line("const int block_x = (int)item_x, last_x = x1 - 1;");
    out.line("const int block_y = (int)item_y, last_y = y1 - 1;");
    out.line("const long plane = (long)get_global_id(2);");
}

/// The pointers, moved to the plane.
fn planes(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    for input in &entry.needs.inputs {
        let a = &arguments.inputs[input.0 as usize];
        out.line(format!("{a} += {a}_offset + plane * {a}_plane;"));
    }
    for output in &entry.needs.outputs {
        let o = &arguments.outputs[output.0 as usize];
        out.line(format!("{o} += {o}_offset + plane * {o}_plane;"));
    }
}

/// Whether the block lies inside the window, and what it reads inside the inputs.
fn whole(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments) {
    let Block { x, y } = entry.block;
    let beyond_x = (x > 1).then(|| format!("block_x + {} <= last_x", x - 1));
    let beyond_y = (y > 1).then(|| format!("block_y + {} <= last_y", y - 1));
    let beyond: Vec<String> = beyond_x.into_iter().chain(beyond_y).collect();
    let mut tests = if beyond.is_empty() { vec![] } else { vec![beyond.join(" && ")] };
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        if !has_neighbourhood(input) {
            continue;
        }
        let a = &arguments.inputs[id.0 as usize];
        let area = Area::of(input, entry.block);
        let (column, row) = origin(input);
        tests.push(format!(
            "{} >= 0 && {} >= 0 && {} <= {a}_width && {} <= {a}_height",
            sum(&column, area.left),
            sum(&row, area.top),
            sum(&column, area.left + area.columns),
            sum(&row, area.top + area.rows),
        ));
    }
    if tests.is_empty() {
        tests.push("true".to_owned());
    }
    out.line("// Whether the block lies in the window, and all that it reads in the inputs.");
    out.line(format!("const bool whole = {};", tests.join("\n        && ")));
}

/// Computes on the images.
fn inside(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, arguments: &Arguments) {
    let mut given = Vec::new();
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        let a = &arguments.inputs[id.0 as usize];
        let (column, row) = origin(input);
        let first = element(a, &column, &row, input.ty, input.channels);
        out.line(format!("__global const uchar *{a}_first = {first};"));
        given.push(image(out, prelude, "Source", input.ty, a, entry.lanes));
    }
    for id in &entry.needs.outputs {
        let output = &entry.kernel.outputs[id.0 as usize];
        let o = &arguments.outputs[id.0 as usize];
        let first = element(o, "block_x", "block_y", output.ty, output.channels);
        out.line(format!("__global uchar *{o}_first = {first};"));
        given.push(image(out, prelude, "Sink", output.ty, o, entry.lanes));
    }
    call(out, entry, arguments, given);
}

/// Declares the place of an image whose block starts at `{name}_first`; the result is its name.
fn image(out: &mut Text, prelude: &mut Prelude, kind: &str, ty: Type, name: &str, lanes: u32) -> String {
    let aligned = if lanes == 1 {
        "false".to_owned()
    } else {
        prelude.pull(Helper::IsAligned, Form::scalar(Type::I32));
        format!("is_aligned({name}_first, {name}_stride, {})", lanes * bytes(ty))
    };
    out.line(format!(
        "const {kind}_{} {name}_image = {{ {name}_first, {name}_stride, 0, 0, true, {aligned} }};",
        suffix(ty)
    ));
    format!("{name}_image")
}

/// Computes on tiles.
fn edge(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>, arguments: &Arguments) {
    let mut given = Vec::new();
    for id in &entry.needs.inputs {
        let input = &entry.kernel.inputs[id.0 as usize];
        let a = &arguments.inputs[id.0 as usize];
        let border = border_of(entry.kernel, input);
        given.push(fill(out, prelude, (input, &border), a, entry.block));
    }
    let Block { x, y } = entry.block;
    for id in &entry.needs.outputs {
        let output = &entry.kernel.outputs[id.0 as usize];
        let o = &arguments.outputs[id.0 as usize];
        let pitch = x * output.channels;
        out.line(format!("{} {o}_tile[{y} * {pitch}];", c_name(output.ty)));
        out.line(format!("const Sink_{} {o}_part = {{ 0, 0, {o}_tile, {pitch}, false, false }};", suffix(output.ty)));
        given.push(format!("{o}_part"));
    }
    call(out, entry, arguments, given);
    for id in &entry.needs.outputs {
        let Output { ty, channels, .. } = entry.kernel.outputs[id.0 as usize];
        let o = &arguments.outputs[id.0 as usize];
        prelude.pull(Helper::Drain, Form::scalar(ty));
        let first = element(o, "block_x", "block_y", ty, channels);
        out.line(format!(
            "drain_{}({o}_tile, {}, min({x}, x1 - block_x), min({y}, y1 - block_y), {channels},",
            suffix(ty),
            x * channels,
        ));
        out.line(format!("    {first}, {o}_stride);"));
    }
}

/// The number of an input's border: all of `border` where it is the only one, else four bits of it.
fn border_of(kernel: &Kernel, input: &Input) -> String {
    let mut around = kernel.inputs.iter().filter(|input| has_neighbourhood(input));
    match (
        kernel.inputs.iter().filter(|input| has_neighbourhood(input)).count(),
        around.position(|other| other.name == input.name),
    ) {
        (0 | 1, _) | (_, None) => "border".to_owned(),
        (_, Some(place)) => format!("(border >> {}) & 15", 4 * place),
    }
}

/// Declares and fills the tile of an input; the result is the name of the place to read.
fn fill(out: &mut Text, prelude: &mut Prelude, (input, border): (&Input, &str), a: &str, block: Block) -> String {
    prelude.pull(Helper::Fill, Form::scalar(input.ty));
    let Area { left, top, columns, rows } = Area::of(input, block);
    let pitch = columns * input.channels as i32;
    let (border, constant) =
        if has_neighbourhood(input) { (border, format!("{a}_border")) } else { ("0", "0".to_owned()) };
    let (column, row) = origin(input);
    let last = |stride: u32, last: &str, beyond: i32| sum(&times(stride, last), beyond);
    out.line(format!("{} {a}_tile[{rows} * {pitch}];", c_name(input.ty)));
    out.line(format!(
        "fill_{}({a}_tile, {columns}, {rows}, {}, {a}, {a}_stride, {a}_width, {a}_height,",
        suffix(input.ty),
        input.channels
    ));
    out.line(format!(
        "    {}, {}, {}, {}, {border}, {constant});",
        sum(&column, left),
        sum(&row, top),
        last(input.stride.0, "last_x", input.neighbourhood.right),
        last(input.stride.1, "last_y", input.neighbourhood.bottom),
    ));
    let first = -top * pitch - left * input.channels as i32;
    out.line(format!(
        "const Source_{} {a}_part = {{ 0, 0, {}, {pitch}, false, false }};",
        suffix(input.ty),
        sum(&format!("{a}_tile"), first),
    ));
    format!("{a}_part")
}

fn call(out: &mut Text, entry: &Entry<'_>, arguments: &Arguments, mut given: Vec<String>) {
    given.extend(entry.needs.tables.iter().map(|table| arguments.tables[table.0 as usize].clone()));
    if entry.needs.words {
        given.push("words".to_owned());
    }
    if entry.needs.coordinates {
        given.push("block_x, block_y, last_x, last_y".to_owned());
    }
    out.line(format!("{}({});", entry.block_function, comma(given)));
}

/// The element of an input that stands at the block's first: `2 * block_x`.
fn origin(input: &Input) -> (String, String) {
    (times(input.stride.0, "block_x"), times(input.stride.1, "block_y"))
}

/// The address of an element, given in bytes from row to row.
fn element(image: &str, column: &str, row: &str, ty: Type, channels: u32) -> String {
    let size = bytes(ty) * channels;
    let column = if size == 1 { column.to_owned() } else { format!("{size} * {}", long(column)) };
    format!("{image} + {} * {image}_stride + {column}", long(row))
}

/// A coordinate as a factor of a byte offset, which may not fit an int.
fn long(coordinate: &str) -> String {
    if coordinate.contains(' ') { format!("(long)({coordinate})") } else { format!("(long){coordinate}") }
}

fn times(stride: u32, what: &str) -> String {
    if stride == 1 { what.to_owned() } else { format!("{stride} * {what}") }
}

fn sum(what: &str, offset: i32) -> String {
    match offset {
        0 => what.to_owned(),
        1.. => format!("{what} + {offset}"),
        _ => format!("{what} - {}", offset.unsigned_abs()),
    }
}

fn suffix(ty: Type) -> String {
    Form::scalar(ty).suffix()
}
