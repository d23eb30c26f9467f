//! A `__kernel` function: its arguments, its place in the window, and its block's ways in and out.
//!
//! A work-item whose block, and all that it reads, lies inside computes straight on the images. Any other computes the same
//! block in one of two functions, which read through the border and write as far as the window goes: one where the block's
//! own columns lie inside, so that only its rows have to be found, and one for the rest, and for images whose rows are not
//! aligned. Those functions are never inlined: their registers would be the kernel's.

use super::arguments::{Arguments, EdgeLine};
use super::c::Expr;
use super::pieces::{Beside, Layout};
use super::places::{all_hold, columns_at_edge, element, in_window, last, long, origin, place, plain, sink, size};
use super::prelude::{Helper, Prelude};
use super::program::{Needs, Unit, has_neighbourhood};
use super::types::CType;
use crate::text::{Text, comma};
use windrow_dsl::ir::{Block, Input, Kernel, Neighbourhood, Output, Type};

/// What an entry point is written from.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The function's name.
    pub name: &'a str,
    /// The names of the arguments.
    pub arguments: &'a Arguments,
    /// What its block function takes.
    pub needs: &'a Needs,
    /// Elements that a work-item computes.
    pub block: Block,
    /// What a lane of a vector holds.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Whether the program is given words at all.
    pub has_words: bool,
}

/// Where a block lies that is not inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Its own columns lie inside; rows don't, or what it reads on its left and right is the border's constant.
    Rows,
    /// Anywhere.
    Any,
}

impl Edge {
    /// How the names of functions for it end.
    fn name(self) -> &'static str {
        match self {
            Self::Rows => "between",
            Self::Any => "edge",
        }
    }
}

/// Writes the entry point of a program of buffers, after its functions for edges.
pub fn of_buffers(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>) {
    let rows = entry.tests_of_rows();
    let given = entry.arguments.of_edges(entry.kernel, entry.needs);
    // Where no row is outside, no function is needed for it.
    let edges: &[Edge] = if rows.is_empty() { &[Edge::Any] } else { &[Edge::Rows, Edge::Any] };
    for &edge in edges {
        entry.edge_function(out, prelude, &given, edge);
        out.line("");
    }
    entry.head(out, prelude, &entry.arguments.of_buffers(entry.kernel, entry.has_words));
    out.line("const long plane = (long)get_global_id(2);");
    for a in entry.inputs().map(|(_, a)| a).chain(entry.outputs().map(|(_, o)| o)) {
        out.line(format!("{a} += {a}_offset + plane * {a}_plane;"));
    }
    for (input, a) in entry.inputs() {
        let first = element(a, origin(input), input.ty, input.channels);
        out.line(format!("__global const uchar *{a}_first = {first};"));
    }
    entry.firsts_of_outputs(out);
    let inputs = entry.inputs().map(|(input, a)| (a, Layout::of_input(input, entry.unit, entry.lanes)));
    entry.aligned(out, prelude, inputs);
    for (input, a) in entry.inputs() {
        entry.columns(out, prelude, input, a);
    }
    out.line("// Whether the block's own columns lie inside.");
    all_hold(out, "const bool between = ", &entry.tests_of_columns());
    if !rows.is_empty() {
        out.line("// Whether all that it reads and writes does.");
        all_hold(out, "const bool whole = between && ", &rows);
    }
    out.open(if rows.is_empty() { "if (between)" } else { "if (whole)" });
    entry.inside(out);
    if !rows.is_empty() {
        out.between("} else if (between) {");
        entry.call_edge(out, &given, Edge::Rows);
    }
    out.between("} else {");
    entry.call_edge(out, &given, Edge::Any);
    out.close("");
    out.close("");
}

/// Writes the entry point of a program of images. Their samplers are the border, so that a work-item computes every block
/// alike, and only its stores keep to the window.
pub fn of_images(out: &mut Text, prelude: &mut Prelude, entry: &Entry<'_>) {
    entry.head(out, prelude, &entry.arguments.of_images(entry.kernel, entry.has_words));
    for (_, o) in entry.outputs() {
        out.line(format!("{o} += {o}_offset;"));
    }
    entry.firsts_of_outputs(out);
    entry.aligned(out, prelude, [].into_iter());
    for (name, all, test) in
        [("between", "aligned", in_window("x", entry.block.x)), ("whole", "between", in_window("y", entry.block.y))]
    {
        let test = test.map_or(String::new(), |test| format!(" && {test}"));
        out.line(format!("const bool {name} = {all}{test};"));
    }
    let image = |(input, a): (&Input, &str)| {
        let [column, row] = origin(input);
        format!("{a}, {a}_sampler, {a}_border, (int2)({}, {})", plain(&column), plain(&row))
    };
    let mut given: Vec<String> = entry.inputs().map(image).collect();
    for (output, o) in entry.outputs() {
        given.push(sink(out, output, o, "sink", ".whole = whole, .between = between"));
    }
    entry.call_block(out, given);
    out.close("");
}

impl<'a> Entry<'a> {
    /// The inputs that are read.
    fn inputs(&self) -> impl Iterator<Item = (&'a Input, &'a str)> {
        let Self { kernel, arguments, needs, .. } = *self;
        needs.inputs.iter().map(|id| (&kernel.inputs[id.0 as usize], &*arguments.inputs[id.0 as usize]))
    }

    /// The outputs that are written.
    fn outputs(&self) -> impl Iterator<Item = (&'a Output, &'a str)> {
        let Self { kernel, arguments, needs, .. } = *self;
        needs.outputs.iter().map(|id| (&kernel.outputs[id.0 as usize], &*arguments.outputs[id.0 as usize]))
    }

    /// Opens the function, and finds where the block is; nothing is left to do past the window.
    fn head(&self, out: &mut Text, prelude: &mut Prelude, parameters: &[String]) {
        prelude.pull(Helper::FindBlock, CType::scalar(Type::I32));
        let Block { x, y } = self.block;
        out.line(format!("__kernel void {}(", self.name));
        list(out, parameters.iter(), ")");
        out.open("");
        out.line("int block_x, block_y;");
        out.line(format!("if (!find_block(&block_x, &block_y, {x}, {y}, x0, y0, x1, y1))"));
        out.line("    return;");
    }

    /// Where the block's first element is in each output.
    fn firsts_of_outputs(&self, out: &mut Text) {
        for (output, o) in self.outputs() {
            let first = element(o, ["block_x", "block_y"].map(Expr::name), output.ty, output.channels);
            out.line(format!("__global uchar *{o}_first = {first};"));
        }
    }

    /// Whether every vector of the block starts at a multiple of its size: in these inputs, and in the outputs.
    fn aligned(&self, out: &mut Text, prelude: &mut Prelude, inputs: impl Iterator<Item = (&'a str, Layout)>) {
        let outputs =
            self.outputs().map(|(output, o)| (o, Layout::of(output.ty, output.channels, 1, self.unit, self.lanes)));
        let images = inputs.chain(outputs).filter(|(_, layout)| layout.loaded(layout.widest()).lanes > 1);
        let test = |(a, layout): (&str, Layout)| {
            format!("is_aligned({a}_first, {a}_stride, {})", size(layout.unit, layout.widest()))
        };
        let tests: Vec<String> = images.map(test).collect();
        if tests.is_empty() {
            return out.line("const bool aligned = true;");
        }
        prelude.pull(Helper::IsAligned, CType::scalar(Type::I32));
        all_hold(out, "const bool aligned = ", &tests);
    }

    /// The pixels beside the block, from its first.
    fn pixels_beside(&self, input: &Input) -> Vec<i32> {
        let channels = input.channels as i32;
        let columns = Beside::of(input, self.block.x).columns().step_by(channels as usize);
        columns.map(|column| column.div_euclid(channels)).collect()
    }

    /// Where the elements beside the block are in an input: a list of columns, if it is read there.
    fn columns(&self, out: &mut Text, prelude: &mut Prelude, input: &Input, a: &str) {
        let pixels = self.pixels_beside(input);
        if pixels.is_empty() {
            return;
        }
        prelude.pull(Helper::IndexAt, CType::scalar(Type::I32));
        let ([first, _], border) = (origin(input), plain(&self.border_of(input)));
        let column = |&pixel: &i32| format!("index_at({border}, {}, {a}_width)", plain(&first.clone().plus(pixel)));
        out.line(format!("const int {a}_columns[{}] = {{", pixels.len()));
        for line in pixels.chunks(2) {
            out.line(format!("    {},", comma(line.iter().map(column))));
        }
        out.line("};");
    }

    /// Whether the block's columns lie inside the window and the inputs.
    fn tests_of_columns(&self) -> Vec<String> {
        let mut tests = vec!["aligned".to_owned()];
        tests.extend(in_window("x", self.block.x));
        for (input, a) in self.inputs().filter(|(input, _)| has_neighbourhood(input)) {
            let [column, _] = origin(input);
            let Neighbourhood { left, right, .. } = input.neighbourhood;
            let (stride, elements) = (input.stride.0 as i32, self.block.x as i32);
            let end = (stride * (elements - 1) + right + 1).min(stride * elements);
            tests.push(format!("{} <= {a}_width", plain(&column.clone().plus(end))));
            tests.extend((left > 0).then(|| format!("{} >= 0", plain(&column.plus(left)))));
        }
        tests
    }

    /// What must hold too for a block to be computed without any border but that on its left and right.
    fn tests_of_rows(&self) -> Vec<String> {
        let mut tests: Vec<String> = in_window("y", self.block.y).into_iter().collect();
        for (input, a) in self.inputs().filter(|(input, _)| has_neighbourhood(input)) {
            let ([_, row], (top, count)) = (origin(input), self.rows(input));
            let [first, end] = [top, top + count].map(|by| plain(&row.clone().plus(by)));
            tests.push(format!("{first} >= 0 && {end} <= {a}_height"));
            tests.extend((0..self.pixels_beside(input).len()).map(|place| format!("{a}_columns[{place}] >= 0")));
        }
        tests
    }

    /// The rows of an input that the block reads: the first, from `stride` times the block's, and how many.
    fn rows(&self, input: &Input) -> (i32, i32) {
        let Neighbourhood { top, bottom, .. } = input.neighbourhood;
        (top, input.stride.1 as i32 * (self.block.y as i32 - 1) + bottom - top + 1)
    }

    /// The number of an input's border: all of `border` where it is the only one, else four bits of it.
    fn border_of(&self, input: &Input) -> Expr {
        let mut around = self.kernel.inputs.iter().filter(|input| has_neighbourhood(input));
        let (count, border) = (around.clone().count(), Expr::name("border"));
        match around.position(|other| other.name == input.name) {
            Some(place) if count > 1 => {
                border.infix(">>", Expr::number(4 * place as i128)).infix("&", Expr::number(15))
            }
            _ => border,
        }
    }

    /// Computes on the images.
    fn inside(&self, out: &mut Text) {
        let mut given = Vec::new();
        for (input, a) in self.inputs() {
            let [first, _] = origin(input);
            let beside = self.elements_beside(out, input, a, |place, channel| {
                let pixel = Expr::name(format!("{a}_columns[{place}]")).infix("-", first.clone());
                let column = pixel.times(input.channels);
                plain(&if input.channels == 1 { column } else { column.infix("+", Expr::number(channel)) })
            });
            let columns = beside.map_or(String::new(), |name| format!(".columns = {name}, "));
            let fields = format!(".image = {a}_first, .stride = {a}_stride, {columns}.whole = true");
            given.push(place(out, "Source", input.ty, format!("{a}_inside"), &[fields]));
        }
        for (output, o) in self.outputs() {
            let fields = format!(".image = {o}_first, .stride = {o}_stride, .whole = true");
            given.push(place(out, "Sink", output.ty, format!("{o}_inside"), &[fields]));
        }
        self.call_block(out, given);
    }

    /// Declares a column for each element beside the block, by its pixel's place and its channel; the result is their name.
    fn elements_beside(
        &self,
        out: &mut Text,
        input: &Input,
        a: &str,
        column: impl Fn(usize, u32) -> String,
    ) -> Option<String> {
        let pixels = self.pixels_beside(input).len();
        let elements = (0..pixels).flat_map(|place| (0..input.channels).map(move |channel| (place, channel)));
        let columns: Vec<String> = elements.map(|(place, channel)| column(place, channel)).collect();
        (pixels > 0).then(|| {
            out.line(format!("const int {a}_beside[{}] = {{ {} }};", columns.len(), comma(columns)));
            format!("{a}_beside")
        })
    }

    /// A function that computes a block through the borders, as far as the window goes.
    fn edge_function(&self, out: &mut Text, prelude: &mut Prelude, lines: &[EdgeLine], edge: Edge) {
        out.line(match edge {
            Edge::Rows => "// The same where only the block's own columns lie inside.",
            Edge::Any => "// The same at any edge, or where rows are not aligned.",
        });
        out.line(format!("OUTLINE void {}_{}(", self.name, edge.name()));
        list(out, lines.iter().map(|line| &line.parameters), ")");
        out.open("");
        let mut given: Vec<String> = Vec::new();
        for (input, a) in self.inputs() {
            given.push(self.source(out, prelude, input, a, edge));
        }
        let flags = if edge == Edge::Rows { ".between = true" } else { ".whole = false" };
        for (output, o) in self.outputs() {
            given.push(sink(out, output, o, edge.name(), flags));
        }
        self.call_block(out, given);
        out.close("");
    }

    /// Has the block computed by the function for an edge.
    fn call_edge(&self, out: &mut Text, lines: &[EdgeLine], edge: Edge) {
        out.line(format!("{}_{}(", self.name, edge.name()));
        list(out, lines.iter().map(|line| &line.values), ");");
    }

    /// Declares the place of an input that is read through its border; the result is its name.
    fn source(&self, out: &mut Text, prelude: &mut Prelude, input: &Input, a: &str, edge: Edge) -> String {
        prelude.pull(Helper::FindRows, CType::scalar(Type::I32));
        let ([_, row], (top, rows)) = (origin(input), self.rows(input));
        let (border, constant) = match has_neighbourhood(input) {
            true => (plain(&self.border_of(input)), format!("{a}_border")),
            false => ("0".to_owned(), "0".to_owned()),
        };
        let last_y = plain(&last(input.stride.1, "y1", input.neighbourhood.bottom));
        let first = plain(&row.plus(top));
        out.line(format!("int {a}_rows[{rows}];"));
        out.line(format!("find_rows({a}_rows, {rows}, {first}, {last_y}, {a}_height, {border});"));
        let (columns, flag) = match edge {
            Edge::Rows => (self.columns_between(out, prelude, input, a), ".between = true"),
            Edge::Any => (columns_at_edge(input, a, &border), ".whole = false"),
        };
        let rows = plain(&Expr::name(format!("{a}_rows")).plus(-top));
        let fields = [
            format!(".image = {a}, .stride = {a}_stride, .rows = {rows}, {columns}"),
            format!(".constant_bits = {constant}, {flag}"),
        ];
        place(out, "Source", input.ty, format!("{a}_{}", edge.name()), &fields)
    }

    /// Declares where the elements beside the block are in a row, -1 for the border's constant; the result is what a source
    /// says of its columns.
    fn columns_between(&self, out: &mut Text, prelude: &mut Prelude, input: &Input, a: &str) -> String {
        self.columns(out, prelude, input, a);
        let ([first, _], channels) = (origin(input), input.channels);
        let element = |place: usize, channel: u32| {
            let pixel = format!("{a}_columns[{place}]");
            format!("{pixel} < 0 ? -1 : {channels} * {pixel} + {channel}")
        };
        let beside = match channels {
            1 => (!self.pixels_beside(input).is_empty()).then(|| format!("{a}_columns")),
            _ => self.elements_beside(out, input, a, element),
        };
        let beside = beside.map_or(String::new(), |name| format!(".columns = {name}, "));
        format!("{beside}.first = {}", plain(&Expr::name(long(&first)).times(channels)))
    }

    /// Computes the block on places to read and to write.
    fn call_block(&self, out: &mut Text, mut given: Vec<String>) {
        given.extend(self.needs.tables.iter().map(|table| self.arguments.tables[table.0 as usize].to_string()));
        given.extend(self.needs.words.then(|| "words".to_owned()));
        given.extend(self.needs.coordinates.then(|| "block_x, block_y, x1 - 1, y1 - 1".to_owned()));
        out.line(format!("{}_block({});", self.name, comma(given)));
    }
}

/// Lines of a list, further in than the line above the list.
fn list<'a>(out: &mut Text, items: impl ExactSizeIterator<Item = &'a String>, end: &str) {
    let last = items.len().saturating_sub(1);
    for (position, item) in items.enumerate() {
        out.begin().push_all(&["    ", item, if position == last { end } else { "," }]);
        out.end();
    }
}
