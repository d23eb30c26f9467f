//! The arguments of entry points, and of the functions that compute blocks at an edge: lines of text, one an argument of
//! the author's.

use super::names::Names;
use super::program::{Needs, Reads, WORDS, has_neighbourhood, table_parameter};
use std::rc::Rc;
use windrow_dsl::ir::{Input, Kernel};

/// The window, as parameters.
const WINDOW: &str = "const int x0, const int y0, const int x1, const int y1";

/// What follows an image's name in the names that go with it.
const IMAGE_PARTS: [&str; 15] = [
    "_offset", "_stride", "_plane", "_width", "_height", "_border", "_first", "_inside", "_between", "_edge",
    "_columns", "_beside", "_rows", "_sampler", "_sink",
];

/// The names of a kernel's arguments.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Of the inputs.
    pub inputs: Vec<Rc<str>>,
    /// Of the outputs.
    pub outputs: Vec<Rc<str>>,
    /// Of the tables.
    pub tables: Vec<Rc<str>>,
}

/// A line of a function for edges: some of its parameters, and what the entry point gives for them.
pub struct EdgeLine {
    /// In the function's head.
    pub parameters: String,
    /// In its call.
    pub values: String,
}

impl EdgeLine {
    fn of(parameters: impl Into<String>, values: impl Into<String>) -> Self {
        Self { parameters: parameters.into(), values: values.into() }
    }
}

impl Arguments {
    /// The names in the scope of an entry point.
    pub fn of_entry(kernel: &Kernel) -> Self {
        Self::claim(kernel, &mut Names::default(), &IMAGE_PARTS, &IMAGE_PARTS)
    }

    /// The names in the scope of a block function, and the scope.
    pub fn of_block(kernel: &Kernel, reads: Reads) -> (Self, Names) {
        let mut names = Names::default();
        let parts: &[&str] = match reads {
            Reads::Buffers => &[],
            Reads::Images => &["_sampler", "_border", "_first"],
        };
        (Self::claim(kernel, &mut names, parts, &[]), names)
    }

    fn claim(kernel: &Kernel, names: &mut Names, of_input: &[&str], of_output: &[&str]) -> Self {
        Self {
            inputs: kernel.inputs.iter().map(|input| names.claim_with(&input.name, of_input)).collect(),
            outputs: kernel.outputs.iter().map(|output| names.claim_with(&output.name, of_output)).collect(),
            tables: kernel.tables.iter().map(|table| names.claim(&table.name)).collect(),
        }
    }

    /// The parameters of an entry point, in the order of the calling convention.
    pub fn of_buffers(&self, kernel: &Kernel, has_words: bool) -> Vec<String> {
        let image = |space: &str, a: &str| {
            format!("__global {space}uchar *{a}, const long {a}_offset, const int {a}_stride, const long {a}_plane")
        };
        let mut list = Vec::new();
        for (input, a) in kernel.inputs.iter().zip(&self.inputs) {
            list.push(image("const ", a));
            list.push(format!("    const int {a}_width, const int {a}_height{}", constant_of(input, a).0));
        }
        list.extend(self.outputs.iter().map(|o| image("", o)));
        list.extend(self.shared(kernel, has_words));
        list.push(window(kernel).0);
        list
    }

    /// The same of an entry point that reads images.
    pub fn of_images(&self, kernel: &Kernel, has_words: bool) -> Vec<String> {
        let image =
            |a: &Rc<str>| format!("__read_only image2d_t {a}, const sampler_t {a}_sampler, const uint {a}_border");
        let buffer = |o: &Rc<str>| format!("__global uchar *{o}, const long {o}_offset, const int {o}_stride");
        let mut list: Vec<String> = self.inputs.iter().map(image).collect();
        list.extend(self.outputs.iter().map(buffer));
        list.extend(self.shared(kernel, has_words));
        list.push(WINDOW.to_owned());
        list
    }

    /// Tables and words, which are the same for all work-items.
    fn shared(&self, kernel: &Kernel, has_words: bool) -> Vec<String> {
        let mut list = Vec::new();
        for (place, name) in self.tables.iter().enumerate() {
            list.push(table_parameter(kernel, windrow_dsl::ir::TableId(place as u32), name));
        }
        list.extend(has_words.then(|| WORDS.to_owned()));
        list
    }

    /// What a function for edges is given: what it needs of the arguments, moved to the block.
    pub fn of_edges(&self, kernel: &Kernel, needs: &Needs) -> Vec<EdgeLine> {
        let mut list = Vec::new();
        for id in &needs.inputs {
            let a = &self.inputs[id.0 as usize];
            let (parameter, value) = constant_of(&kernel.inputs[id.0 as usize], a);
            list.push(EdgeLine::of(
                format!("__global const uchar *{a}, const int {a}_stride, const int {a}_width, const int {a}_height{parameter}"),
                format!("{a}, {a}_stride, {a}_width, {a}_height{value}"),
            ));
        }
        for id in &needs.outputs {
            let o = &self.outputs[id.0 as usize];
            let parameters = format!("__global uchar *{o}_first, const int {o}_stride");
            list.push(EdgeLine::of(parameters, format!("{o}_first, {o}_stride")));
        }
        for id in &needs.tables {
            let name = &self.tables[id.0 as usize];
            list.push(EdgeLine::of(table_parameter(kernel, *id, name), &**name));
        }
        list.extend(needs.words.then(|| EdgeLine::of(WORDS, "words")));
        let (parameters, values) = window(kernel);
        list.push(EdgeLine::of(parameters, values));
        list.push(EdgeLine::of("const int block_x, const int block_y", "block_x, block_y"));
        list
    }
}

/// The constant of an input's border as a parameter and as a value, where it has one.
fn constant_of(input: &Input, a: &str) -> (String, String) {
    match has_neighbourhood(input) {
        true => (format!(", const uint {a}_border"), format!(", {a}_border")),
        false => Default::default(),
    }
}

/// The window, and the borders where any input has one.
fn window(kernel: &Kernel) -> (String, String) {
    match kernel.inputs.iter().any(has_neighbourhood) {
        true => (format!("{WINDOW}, const int border"), "x0, y0, x1, y1, border".to_owned()),
        false => (WINDOW.to_owned(), "x0, y0, x1, y1".to_owned()),
    }
}
