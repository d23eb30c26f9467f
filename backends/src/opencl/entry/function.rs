//! A `__kernel` function: its arguments, its place in the window, and its block's ways in and out.
//!
//! A work-item whose block, and all that it reads, lies inside computes straight on the images. Any other computes the same
//! block in one of two functions, which read through the border and write as far as the window goes: one where the block's
//! own columns lie inside, so that only its rows have to be found, and one for the rest, and for images whose rows are not
//! aligned. Those functions are never inlined: their registers would be the kernel's.

use super::arguments::{Arguments, Head, outer_coordinates, outer_extents, whole_parts};
use super::places::{element, in_window, last, long, origin, plain, size};
use crate::opencl::block::reads::{Beside, UnitLayout};
use crate::opencl::block::row_lanes::LaneArray;
use crate::opencl::block::tile_arrays::TileArray;
use crate::opencl::c::prelude::{Helper, Prelude};
use crate::opencl::c::text::Expr;
use crate::opencl::c::types::CType;
use crate::opencl::program::{Function, Needs, Reads};
use crate::opencl::tiles::Group;
use crate::text::{Text, comma};
use windrow_dsl::ir::{Block, Input, Neighbourhood, Output, Type};

/// An entry point to be written.
pub struct Entry<'a> {
    /// The text so far.
    pub out: &'a mut Text,
    /// Where helpers are pulled in.
    pub prelude: &'a mut Prelude,
    /// What its functions have in common.
    pub function: Function<'a>,
    /// Whether the block is computed by runs of neighbours first, which says whether there are.
    pub has_runs: bool,
    /// What the block function is given of local memory.
    pub tiles: Vec<TileArray>,
    pub lanes: Vec<LaneArray>,
    /// The names of the arguments.
    pub arguments: &'a Arguments,
    /// What the program is given at all.
    pub given: &'a Needs,
}

/// How a block is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockPath {
    /// Straight on the buffers.
    Inside,
    /// Its own columns lie inside; rows don't, or what it reads on its left and right is the border's constant.
    Between,
    /// At any edge.
    Edge,
    /// On images, which know their border.
    Image,
    /// With a whole work-group, wherever the block lies.
    Group(Group),
    /// With the other work-items of a row.
    Row,
}

impl BlockPath {
    /// How the names of its places end, and what places say of themselves.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Inside => ("inside", ".whole = true"),
            Self::Row => ("row", ".whole = true"),
            Self::Between => ("between", ".between = true"),
            Self::Edge => ("edge", ".whole = false"),
            Self::Image | Self::Group(_) => ("sink", ".whole = whole, .between = between"),
        }
    }
}

impl<'a> Entry<'a> {
    /// Writes the entry point of a program of buffers, after its functions for edges.
    pub fn of_buffers(mut self) {
        let rows = self.tests_of_rows();
        // Where no row is outside, no function is needed for it.
        if !rows.is_empty() {
            self.edge_function(BlockPath::Between, "// The same where only the block's own columns lie inside.");
        }
        self.edge_function(BlockPath::Edge, "// The same at any edge, or where rows are not aligned.");
        self.head(Reads::Buffers);
        self.out.line("const long plane = (long)get_global_id(2);");
        self.planes();
        let layouts = self.firsts_of_inputs();
        self.firsts_of_outputs(layouts);
        for (input, a) in self.inputs() {
            self.columns(input, a);
        }
        self.out.line("// Whether the block's own columns lie inside.");
        let columns = self.tests_of_columns();
        self.all_hold("const bool between = ", &columns);
        if !rows.is_empty() {
            self.out.line("// Whether all that it reads and writes does.");
            self.all_hold("const bool whole = between && ", &rows);
        }
        self.out.open(if rows.is_empty() { "if (between)" } else { "if (whole)" });
        self.compute(BlockPath::Inside);
        if !rows.is_empty() {
            self.out.between("} else if (between) {");
            self.call_edge(BlockPath::Between);
        }
        if self.has_runs {
            self.out.close("");
            self.call_edge(BlockPath::Edge);
        } else {
            self.out.between("} else {");
            self.call_edge(BlockPath::Edge);
            self.out.close("");
        }
        self.out.close("");
    }

    /// Where a plane is along the dimensions that the kernel knows.
    fn outer_coordinates(&mut self) {
        let kernel = self.function.kernel;
        let mut plane = "(int)plane".to_owned();
        for (name, extent) in outer_coordinates(kernel).zip(outer_extents(kernel)) {
            self.out.line(format!("const int {name} = {plane} % {extent};"));
            plane = format!("{plane} / {extent}");
        }
    }

    /// Writes the entry point of a program of images. Their samplers are the border, so that a work-item computes every
    /// block alike, and only its stores keep to the window.
    pub fn of_images(mut self) {
        self.head(Reads::Images);
        for (_, o) in self.outputs() {
            self.out.line(format!("{o} += {o}_offset;"));
        }
        self.firsts_of_outputs(Vec::new());
        let Block { x, y } = self.function.schedule.block;
        for (name, all, test) in [("between", "aligned", in_window("x", x)), ("whole", "between", in_window("y", y))] {
            let test = test.map_or(String::new(), |test| format!(" && {test}"));
            self.out.line(format!("const bool {name} = {all}{test};"));
        }
        self.compute(BlockPath::Image);
        self.out.close("");
    }

    /// Moves each image to its plane.
    pub(super) fn planes(&mut self) {
        for (input, a) in self.read() {
            // A tensor is given with all its planes.
            let plane = if input.rank.is_some() { String::new() } else { format!(" + plane * {a}_plane") };
            self.out.line(format!("{a} += {a}_offset{plane};"));
        }
        for (_, o) in self.outputs() {
            self.out.line(format!("{o} += {o}_offset + plane * {o}_plane;"));
        }
        self.outer_coordinates();
    }

    /// Finds the block's first elements in the inputs of which rows are read, and how those lie.
    pub(super) fn firsts_of_inputs(&mut self) -> Vec<(&'a str, UnitLayout)> {
        for (input, a) in self.inputs() {
            let first = element(a, origin(input), input.ty, input.channels);
            self.out.line(format!("__global const uchar *{a}_first = {first};"));
        }
        self.inputs().map(|(input, a)| (a, self.function.layout(input))).collect()
    }

    /// The inputs of which rows are read.
    fn inputs(&self) -> impl Iterator<Item = (&'a Input, &'a str)> + use<'a> {
        self.read().filter(|(input, _)| !input.is_whole)
    }

    /// The inputs that are read.
    fn read(&self) -> impl Iterator<Item = (&'a Input, &'a str)> + use<'a> {
        let Self { function: Function { kernel, needs, .. }, arguments, .. } = *self;
        needs.inputs.iter().map(|id| (&kernel.inputs[id.0 as usize], &*arguments.inputs[id.0 as usize]))
    }

    /// The outputs that are written.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (&'a Output, &'a str)> + use<'a> {
        let Self { function: Function { kernel, needs, .. }, arguments, .. } = *self;
        needs.outputs.iter().map(|id| (&kernel.outputs[id.0 as usize], &*arguments.outputs[id.0 as usize]))
    }

    /// Opens the function, and finds where the block is; nothing is left to do past the window.
    fn head(&mut self, reads: Reads) {
        self.pull(Helper::FindBlock);
        let Block { x, y } = self.function.schedule.block;
        self.out.line(format!("__kernel void {}(", self.function.name));
        self.parameters(Head::Entry(reads), self.given);
        self.out.line("int block_x, block_y;");
        self.out.line(format!("if (!find_block(&block_x, &block_y, {x}, {y}, x0, y0, x1, y1))"));
        self.out.line("    return;");
    }

    /// Writes the parameters of a function that needs so much, and opens it.
    pub(super) fn parameters(&mut self, head: Head, needs: &Needs) {
        let lines = self.arguments.lines(self.function.kernel, needs, head);
        self.out.list(lines.iter().map(|line| &*line.parameters), ")");
        self.out.open("");
    }

    /// Finds where the block's first element is in each output, and whether every vector of the block starts at a multiple
    /// of its size: in these inputs, and in the outputs.
    pub(super) fn firsts_of_outputs(&mut self, mut layouts: Vec<(&'a str, UnitLayout)>) {
        for (output, o) in self.outputs() {
            let first = element(o, ["block_x", "block_y"].map(Expr::name), output.ty, output.channels);
            self.out.line(format!("__global uchar *{o}_first = {first};"));
            layouts.push((o, self.function.layout_of_output(output)));
        }
        layouts.retain(|(_, layout)| layout.loaded(layout.widest()).lanes > 1);
        let test = |(a, layout): &(&str, UnitLayout)| {
            format!("is_aligned({a}_first, {a}_stride, {})", size(layout.unit, layout.widest()))
        };
        let tests: Vec<String> = layouts.iter().map(test).collect();
        if tests.is_empty() {
            return self.out.line("const bool aligned = true;");
        }
        self.pull(Helper::IsAligned);
        self.all_hold("const bool aligned = ", &tests);
    }

    /// Writes what is true where all tests hold, a line each.
    fn all_hold(&mut self, head: &str, tests: &[String]) {
        for (position, test) in tests.iter().enumerate() {
            let begin = if position == 0 { head } else { "    && " };
            let end = if position + 1 == tests.len() { ";" } else { "" };
            self.out.line(format!("{begin}{test}{end}"));
        }
    }

    fn pull(&mut self, helper: Helper) {
        self.prelude.pull(helper, CType::scalar(Type::I32));
    }

    /// The pixels beside the block, from its first.
    fn pixels_beside(&self, input: &Input) -> Vec<i32> {
        let channels = input.channels as i32;
        let columns = Beside::of(input, self.function.schedule.block.x).columns().step_by(channels as usize);
        columns.map(|column| column.div_euclid(channels)).collect()
    }

    /// Where the elements beside the block are in an input: a list of columns, if it is read there.
    fn columns(&mut self, input: &Input, a: &str) {
        let pixels = self.pixels_beside(input);
        if pixels.is_empty() {
            return;
        }
        self.pull(Helper::IndexAt);
        let ([first, _], border) = (origin(input), plain(&self.border_of(input)));
        let column = |&pixel: &i32| format!("index_at({border}, {}, {a}_width)", plain(&first.clone().plus(pixel)));
        self.out.line(format!("const int {a}_columns[{}] = {{", pixels.len()));
        for line in pixels.chunks(2) {
            self.out.line(format!("    {},", comma(line.iter().map(column))));
        }
        self.out.line("};");
    }

    /// Whether the block's columns lie inside the window and the inputs.
    fn tests_of_columns(&self) -> Vec<String> {
        let mut tests = vec!["aligned".to_owned()];
        tests.extend(in_window("x", self.function.schedule.block.x));
        for (input, a) in self.inputs().filter(|(input, _)| input.reads_around()) {
            let [column, _] = origin(input);
            let Neighbourhood { left, right, .. } = input.neighbourhood;
            let (stride, elements) = (input.stride().0 as i32, self.function.schedule.block.x as i32);
            let end = (stride * (elements - 1) + right + 1).min(stride * elements);
            tests.push(format!("{} <= {a}_width", plain(&column.clone().plus(end))));
            tests.extend((left > 0).then(|| format!("{} >= 0", plain(&column.plus(left)))));
        }
        tests
    }

    /// What must hold too for a block to be computed without any border but that on its left and right.
    fn tests_of_rows(&self) -> Vec<String> {
        let mut tests: Vec<String> = in_window("y", self.function.schedule.block.y).into_iter().collect();
        for (input, a) in self.inputs().filter(|(input, _)| input.reads_around()) {
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
        (top, input.stride().1 as i32 * (self.function.schedule.block.y as i32 - 1) + bottom - top + 1)
    }

    /// The number of an input's border: all of `border` where it is the only one, else four bits of it.
    fn border_of(&self, input: &Input) -> Expr {
        let mut around = self.function.kernel.inputs.iter().filter(|input| input.reads_around());
        let (count, border) = (around.clone().count(), Expr::name("border"));
        match around.position(|other| other.name == input.name) {
            Some(place) if count > 1 => {
                border.infix(">>", Expr::number(4 * place as i128)).infix("&", Expr::number(15))
            }
            _ => border,
        }
    }

    /// A function that computes a block through the borders, as far as the window goes.
    fn edge_function(&mut self, way: BlockPath, comment: &str) {
        self.out.line(comment);
        let ty = if self.says(way) { "bool" } else { "void" };
        self.out.line(format!("OUTLINE {ty} {}_{}(", self.function.name, way.words().0));
        self.parameters(Head::Edge, self.function.needs);
        self.compute(way);
        self.out.close("");
        self.out.line("");
    }

    /// Has the block computed by the function for an edge.
    fn call_edge(&mut self, way: BlockPath) {
        let (before, behind) = if self.says(way) { ("if (", "))") } else { ("", ");") };
        self.out.line(format!("{before}{}_{}(", self.function.name, way.words().0));
        let lines = self.arguments.lines(self.function.kernel, self.function.needs, Head::Edge);
        self.out.list(lines.iter().map(|line| &*line.values), behind);
        if self.says(way) {
            self.out.line("    return;");
        }
    }

    /// Whether a way in computes by runs, and says whether there were any.
    fn says(&self, way: BlockPath) -> bool {
        self.has_runs && matches!(way, BlockPath::Inside | BlockPath::Between)
    }

    /// Declares where the block is read and written, and computes it.
    pub(super) fn compute(&mut self, way: BlockPath) {
        let (part, flags) = way.words();
        let mut given: Vec<String> = Vec::new();
        for (input, a) in self.read() {
            if input.is_whole {
                given.push(comma(
                    [a.to_owned()].into_iter().chain(whole_parts(input).iter().map(|part| format!("{a}{part}"))),
                ));
                continue;
            }
            let fields = match way {
                BlockPath::Inside => vec![format!("{}, {flags}", self.inside(input, a))],
                // All that it reads is read anywhere.
                BlockPath::Row => continue,
                BlockPath::Between | BlockPath::Edge => {
                    let constant = if input.reads_around() { format!("{a}_border") } else { "0".to_owned() };
                    vec![self.at_edge(input, a, way), format!(".constant_bits = {constant}, {flags}")]
                }
                BlockPath::Group(_) => {
                    vec![self.at_edge(input, a, way), ".constant_bits = 0, .whole = whole".to_owned()]
                }
                BlockPath::Image => {
                    let [column, row] = origin(input).map(|first| plain(&first));
                    given.push(format!("{a}, {a}_sampler, {a}_border, (int2)({column}, {row})"));
                    continue;
                }
            };
            given.push(self.place("Source", input.ty, format!("{a}_{part}"), &fields));
        }
        for (output, o) in self.outputs() {
            let place = format!(".image = {o}_first, .stride = {o}_stride");
            let end_x = if let BlockPath::Group(_) = way { "end_x" } else { "x1" };
            let fields = match way {
                BlockPath::Inside | BlockPath::Row => vec![format!("{place}, {flags}")],
                BlockPath::Between | BlockPath::Edge | BlockPath::Image | BlockPath::Group(_) => vec![
                    format!("{place}, .channels = {}", output.channels),
                    format!(
                        ".from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = {end_x} - block_x, .to_y = y1 - block_y"
                    ),
                    flags.to_owned(),
                ],
            };
            given.push(self.place("Sink", output.ty, format!("{o}_{part}"), &fields));
        }
        given
            .extend(self.function.needs.tables.iter().map(|table| self.arguments.tables[table.0 as usize].to_string()));
        given.extend(self.function.needs.words.then(|| "words".to_owned()));
        if self.function.needs.coordinates {
            let last_x = if way == BlockPath::Row { "last_x" } else { "x1 - 1" };
            given.push(format!("block_x, block_y, {last_x}, y1 - 1"));
            given.extend(outer_coordinates(self.function.kernel));
        }
        if self.has_runs {
            given.push(if self.says(way) { "true" } else { "false" }.to_owned());
        }
        if let BlockPath::Group(Group { planes: planes @ 2.., .. }) = way {
            given.push(format!("{planes} * (int)get_group_id(2), last_plane"));
            given.extend(outer_extents(self.function.kernel));
        }
        given.extend(self.tiles.iter().map(|tile| self.tile_name(tile)));
        given.extend(self.lanes.iter().map(|array| array.name.to_string()));
        let call = format!("{}_block({})", self.function.name, comma(given));
        match way {
            BlockPath::Inside if self.has_runs => {
                self.out.line(format!("if ({call})"));
                self.out.line("    return;");
            }
            BlockPath::Between if self.has_runs => self.out.line(format!("return {call};")),
            _ => self.out.line(format!("{call};")),
        }
    }

    /// Declares a place to read from or to write to; the result is its name.
    fn place(&mut self, kind: &str, ty: Type, name: String, fields: &[String]) -> String {
        self.out.line(format!("const {kind}_{} {name} = {{", ty.name()));
        self.out.list(fields.iter().map(|field| &**field), "");
        self.out.line("};");
        name
    }

    /// What a source says of an input whose block lies inside.
    fn inside(&mut self, input: &Input, a: &str) -> String {
        let [first, _] = origin(input);
        let beside = self.elements_beside(input, a, |place, channel| {
            let pixel = Expr::name(format!("{a}_columns[{place}]")).infix("-", first.clone());
            let column = pixel.times(input.channels);
            plain(&if input.channels == 1 { column } else { column.infix("+", Expr::number(channel)) })
        });
        format!(".image = {a}_first, .stride = {a}_stride{beside}")
    }

    /// What a source says of an input that is read through its border.
    fn at_edge(&mut self, input: &Input, a: &str, way: BlockPath) -> String {
        self.pull(Helper::FindRows);
        let ([column, row], (top, rows)) = (origin(input), self.rows(input));
        let border = if input.reads_around() { plain(&self.border_of(input)) } else { "0".to_owned() };
        let last_y = plain(&last(input.stride().1, "y1", input.neighbourhood.bottom));
        let first = plain(&row.plus(top));
        self.out.line(format!("int {a}_rows[{rows}];"));
        self.out.line(format!("find_rows({a}_rows, {rows}, {first}, {last_y}, {a}_height, {border});"));
        let columns = match way {
            // Each element is looked for.
            BlockPath::Edge | BlockPath::Group(_) => {
                let last_x = plain(&last(input.stride().0, "x1", input.neighbourhood.right));
                let (first, channels) = (plain(&column), input.channels);
                format!(
                    ", .x = {first}, .last_x = {last_x}, .width = {a}_width, .channels = {channels}, .border = {border}"
                )
            }
            BlockPath::Inside | BlockPath::Row | BlockPath::Between | BlockPath::Image => {
                self.columns(input, a);
                let channels = input.channels;
                let beside = match channels {
                    1 if self.pixels_beside(input).is_empty() => String::new(),
                    1 => format!(", .columns = {a}_columns"),
                    // -1 for the border's constant.
                    _ => self.elements_beside(input, a, |place, channel| {
                        format!("{a}_columns[{place}] < 0 ? -1 : {channels} * {a}_columns[{place}] + {channel}")
                    }),
                };
                format!("{beside}, .first = {}", plain(&Expr::name(long(&column)).times(channels)))
            }
        };
        let rows = plain(&Expr::name(format!("{a}_rows")).plus(-top));
        let image = if let BlockPath::Group(_) = way { format!("whole ? {a}_first : {a}") } else { a.to_owned() };
        format!(".image = {image}, .stride = {a}_stride, .rows = {rows}{columns}")
    }

    /// Declares a column for each element beside the block, by its pixel's place and its channel; the result is what a
    /// source says of them.
    fn elements_beside(&mut self, input: &Input, a: &str, column: impl Fn(usize, u32) -> String) -> String {
        let pixels = self.pixels_beside(input).len();
        let elements = (0..pixels).flat_map(|place| (0..input.channels).map(move |channel| (place, channel)));
        let columns: Vec<String> = elements.map(|(place, channel)| column(place, channel)).collect();
        if columns.is_empty() {
            return String::new();
        }
        self.out.line(format!("const int {a}_beside[{}] = {{ {} }};", columns.len(), comma(columns)));
        format!(", .columns = {a}_beside")
    }
}
