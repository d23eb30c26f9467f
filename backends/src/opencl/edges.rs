//! What the functions for edges are given: a line of parameters an argument of the author's, and as many of values.

use super::{
    entry::{Arguments, Entry, WINDOW, has_neighbourhood, listed},
    types::table_type,
    ways::Edge,
};
use crate::text::Text;

impl Arguments {
    /// The parameters of a function for edges: what it needs of the arguments, moved to the block.
    pub fn edge_lines(&self, entry: &Entry<'_>) -> Vec<EdgeLine> {
        let kernel = entry.kernel;
        let mut list = Vec::new();
        for id in &entry.needs.inputs {
            let a = &self.inputs[id.0 as usize];
            let [border, its] = if has_neighbourhood(&kernel.inputs[id.0 as usize]) {
                [format!(", const uint {a}_border"), format!(", {a}_border")]
            } else {
                [String::new(), String::new()]
            };
            list.push(EdgeLine {
                parameters: format!(
                    "__global const uchar *{a}, const int {a}_stride, const int {a}_width, const int {a}_height{border}"
                ),
                values: format!("{a}, {a}_stride, {a}_width, {a}_height{its}"),
            });
        }
        for id in &entry.needs.outputs {
            let o = &self.outputs[id.0 as usize];
            list.push(EdgeLine {
                parameters: format!("__global uchar *{o}_first, const int {o}_stride"),
                values: format!("{o}_first, {o}_stride"),
            });
        }
        for id in &entry.needs.tables {
            let (ty, name) = (table_type(kernel.tables[id.0 as usize].ty), &self.tables[id.0 as usize]);
            list.push(EdgeLine { parameters: format!("__global const {ty} *{name}"), values: name.clone() });
        }
        if entry.needs.words {
            list.push(EdgeLine::of("__constant const uint *words", "words"));
        }
        let has_border = kernel.inputs.iter().any(has_neighbourhood);
        let [border, its] = if has_border { [", const int border", ", border"] } else { ["", ""] };
        list.push(EdgeLine { parameters: format!("{WINDOW}{border}"), values: format!("x0, y0, x1, y1{its}") });
        list.push(EdgeLine::of("const int block_x, const int block_y", "block_x, block_y"));
        list
    }
}

/// A line of a function for edges: some of its parameters, and what the entry point gives for them.
pub struct EdgeLine {
    /// In the function's head.
    pub parameters: String,
    /// In its call.
    values: String,
}

impl EdgeLine {
    fn of(parameters: &str, values: &str) -> Self {
        Self { parameters: parameters.to_owned(), values: values.to_owned() }
    }
}

/// Has the block computed by the function for an edge.
pub fn call_edge(out: &mut Text, entry: &Entry<'_>, lines: &[EdgeLine], edge: Edge) {
    out.line(format!("{}_{}(", entry.name, edge.name()));
    for (position, line) in lines.iter().enumerate() {
        let end = if position + 1 == lines.len() { ");" } else { "," };
        listed(out, &line.values, end);
    }
}
