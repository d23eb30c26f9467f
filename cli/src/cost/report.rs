//! The figures, as a table and as JSON, and the difference of two of them.

use super::{body::Measured, count::Counts, emulate::Executed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Instructions are counted for as many elements: a vector of bytes.
const ELEMENTS: f64 = 16.0;

/// What the bodies of some kernels cost.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of rustc, whose code it is.
    pub compiler: String,
    /// In the order of the files.
    pub bodies: Vec<BodyCost>,
}

/// What a body costs. Instructions are for 16 elements of the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyCost {
    /// The kernel's name.
    pub kernel: String,
    /// Which choice of variants and subset of outputs; empty where there is only one.
    pub body: String,
    /// Elements of a step along the row.
    pub columns: u32,
    /// Rows of a step.
    pub rows: u32,
    /// Elements in a vector.
    pub lanes: u32,
    /// Of the loop over whole steps.
    pub instructions: f64,
    /// Of these: on vectors.
    pub operations: f64,
    /// Of these: that read memory.
    pub loads: f64,
    /// Of these: that write memory.
    pub stores: f64,
    /// Of these: addresses and the loop's own control.
    pub control: f64,
    /// Of loads and stores: of the stack.
    pub spills: f64,
    /// Vector registers in use, of 32.
    pub vector_registers: usize,
    /// General registers in use, of 31.
    pub general_registers: usize,
    /// Bytes read and written for an element, at least.
    pub bytes: f64,
    /// The fewest instructions: the operations, and the bytes in whole vectors.
    pub floor: f64,
    /// For one element, by processor.
    pub cycles: BTreeMap<String, f64>,
    /// What an emulator counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulated: Option<Emulated>,
}

/// What an emulator counted, for 16 elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Emulated {
    /// Of the loop: what a longer row executes more.
    pub instructions: f64,
    /// Of these: that read memory.
    pub loads: f64,
    /// Of these: that write memory.
    pub stores: f64,
    /// Of whole rows of 1920 elements, with all that a call does before and after the loop.
    pub whole_rows: f64,
}

impl BodyCost {
    /// The figures of a body.
    pub fn new(body: &Measured, counts: Counts, cycles: &[(&'static str, f64)], executed: Option<&Executed>) -> Self {
        let (columns, rows) = (body.emitted.columns, body.emitted.rows);
        let elements = f64::from(columns * rows);
        let each = |count: usize| rounded(count as f64 * ELEMENTS / elements);
        Self {
            kernel: body.kernel.clone(),
            body: body.title.clone(),
            columns,
            rows,
            lanes: body.lanes,
            instructions: each(counts.instructions()),
            operations: each(counts.operations),
            loads: each(counts.loads),
            stores: each(counts.stores),
            control: each(counts.control),
            spills: each(counts.spills),
            vector_registers: counts.vector_registers,
            general_registers: counts.general_registers,
            bytes: body.bytes,
            floor: rounded(each(counts.operations) + body.bytes * ELEMENTS / f64::from(body.target.vector_bytes())),
            cycles: cycles.iter().map(|(core, cycles)| ((*core).to_owned(), rounded(cycles / elements))).collect(),
            emulated: executed.map(|executed| Emulated {
                instructions: rounded(executed.steps.instructions * ELEMENTS),
                loads: rounded(executed.steps.loads * ELEMENTS),
                stores: rounded(executed.steps.stores * ELEMENTS),
                whole_rows: rounded(executed.whole_rows * ELEMENTS),
            }),
        }
    }

    /// The kernel's name, and which of its bodies.
    pub fn label(&self) -> String {
        if self.body.is_empty() { self.kernel.clone() } else { format!("{} ({})", self.kernel, self.body) }
    }

    fn cells(&self) -> Vec<String> {
        let counts = [self.instructions, self.operations, self.loads, self.stores, self.control, self.spills];
        let mut cells = vec![self.label(), format!("{}x{}", self.columns, self.rows), self.lanes.to_string()];
        cells.extend(counts.map(|count| format!("{count:.2}")));
        cells.push(format!("{}+{}", self.vector_registers, self.general_registers));
        cells.extend([format!("{}", self.bytes), format!("{:.2}", self.floor)]);
        cells.extend(self.cycles.values().map(|cycles| format!("{cycles:.3}")));
        if let Some(emulated) = &self.emulated {
            cells.extend([emulated.instructions, emulated.whole_rows].map(|count| format!("{count:.2}")));
        }
        cells
    }
}

/// What is said below the table.
const LEGEND: &str = "\
step: elements and rows that an iteration of the loop computes; lanes: elements in a vector
instructions, for 16 elements of the output: operations on vectors, loads, stores (some of the stack: spills), control
registers: vector + general; bytes: read and written for an element; floor: the operations, and the bytes in whole vectors
";

impl Report {
    /// A table, a line a body.
    pub fn to_text(&self) -> String {
        let names = [
            "kernel",
            "step",
            "lanes",
            "instructions",
            "operations",
            "loads",
            "stores",
            "control",
            "spills",
            "registers",
        ];
        let mut head: Vec<String> = names.iter().chain(&["bytes", "floor"]).map(|name| (*name).to_owned()).collect();
        if let Some(first) = self.bodies.first() {
            head.extend(first.cycles.keys().cloned());
            head.extend(first.emulated.iter().flat_map(|_| ["executed", "whole rows"].map(str::to_owned)));
        }
        let lines: Vec<Vec<String>> = self.bodies.iter().map(BodyCost::cells).collect();
        let has_cycles = self.bodies.iter().any(|body| !body.cycles.is_empty());
        let cycles = if has_cycles { "names of processors: cycles for an element, by llvm-mca's model\n" } else { "" };
        format!("{}\n{LEGEND}{cycles}{}\n", table(&head, &lines), self.compiler)
    }

    /// The same figures for programs.
    pub fn to_json(&self) -> String {
        json(self)
    }

    /// How these figures differ from earlier ones.
    pub fn difference(&self, before: &Self) -> Difference {
        let is_same = |a: &BodyCost, b: &BodyCost| (&a.kernel, &a.body) == (&b.kernel, &b.body);
        let mut changes: Vec<Change> = self
            .bodies
            .iter()
            .map(|after| Change {
                before: before.bodies.iter().find(|before| is_same(before, after)).cloned(),
                after: Some(after.clone()),
            })
            .collect();
        let is_gone = |body: &&BodyCost| !self.bodies.iter().any(|after| is_same(body, after));
        changes.extend(
            before.bodies.iter().filter(is_gone).map(|body| Change { before: Some(body.clone()), after: None }),
        );
        Difference { before: before.compiler.clone(), after: self.compiler.clone(), changes }
    }
}

/// Two reports beside each other.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The rustc of the earlier one.
    before: String,
    /// The rustc of the later one.
    after: String,
    /// By body, in the later one's order.
    changes: Vec<Change>,
}

/// A body in both, or in one.
#[derive(Debug, Serialize)]
struct Change {
    before: Option<BodyCost>,
    after: Option<BodyCost>,
}

impl Difference {
    /// A table of what has changed.
    pub fn to_text(&self) -> String {
        let mut lines = Vec::new();
        for change in &self.changes {
            match (&change.before, &change.after) {
                (Some(before), Some(after)) => lines.extend(changed(before, after)),
                (None, Some(after)) => lines.push(vec![after.label(), "is new".to_owned()]),
                (Some(before), None) => lines.push(vec![before.label(), "is gone".to_owned()]),
                (None, None) => {}
            }
        }
        if lines.is_empty() {
            return "no difference\n".to_owned();
        }
        let head = ["difference", "of", "before", "after", "by"].map(str::to_owned);
        table(&head, &lines)
    }

    /// The same for programs.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// A line for each figure that differs.
fn changed(before: &BodyCost, after: &BodyCost) -> Vec<Vec<String>> {
    let mut figures = vec![
        ("instructions".to_owned(), before.instructions, after.instructions),
        ("loads".to_owned(), before.loads, after.loads),
        ("stores".to_owned(), before.stores, after.stores),
        ("spills".to_owned(), before.spills, after.spills),
        ("bytes".to_owned(), before.bytes, after.bytes),
        ("floor".to_owned(), before.floor, after.floor),
    ];
    let cores = after.cycles.iter().filter_map(|(core, after)| Some((core.clone(), *before.cycles.get(core)?, *after)));
    figures.extend(cores);
    let step = |body: &BodyCost| format!("{}x{}", body.columns, body.rows);
    let moved = (step(before) != step(after))
        .then(|| vec![after.label(), "step".to_owned(), step(before), step(after), String::new()]);
    let label = after.label();
    let differing = figures.into_iter().filter(|(_, before, after)| before != after);
    let lines = differing.map(|(name, before, after)| {
        let by = if before == 0.0 { String::new() } else { format!("{:+.1} %", (after / before - 1.0) * 100.0) };
        vec![label.clone(), name, format!("{before:.3}"), format!("{after:.3}"), by]
    });
    moved.into_iter().chain(lines).collect()
}

/// Columns as wide as their widest cell: the first to the left, the others to the right.
fn table(head: &[String], lines: &[Vec<String>]) -> String {
    let all: Vec<&[String]> = std::iter::once(head).chain(lines.iter().map(Vec::as_slice)).collect();
    let count = all.iter().map(|line| line.len()).max().unwrap_or(0);
    let widest = |column: usize| all.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for line in all {
        let cells = line.iter().zip(&widths).enumerate().map(|(place, (cell, &width))| match place {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

fn json(value: &impl Serialize) -> String {
    // Figures and names alone: nothing of them can't be written.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// To four places: what is behind them is noise.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(kernel: &str, instructions: f64) -> BodyCost {
        BodyCost {
            kernel: kernel.to_owned(),
            body: String::new(),
            columns: 32,
            rows: 4,
            lanes: 16,
            instructions,
            operations: 14.0,
            loads: 4.0,
            stores: 1.0,
            control: instructions - 19.0,
            spills: 0.0,
            vector_registers: 20,
            general_registers: 9,
            bytes: 2.0,
            floor: 16.0,
            cycles: BTreeMap::from([("neoverse-n1".to_owned(), instructions / 40.0)]),
            emulated: None,
        }
    }

    fn report(bodies: &[(&str, f64)]) -> Report {
        let bodies = bodies.iter().map(|(kernel, instructions)| body(kernel, *instructions)).collect();
        Report { compiler: "rustc".to_owned(), bodies }
    }

    #[test]
    fn a_report_comes_back_from_json() {
        let report = report(&[("blur", 20.0)]);
        assert_eq!(serde_json::from_str::<Report>(&report.to_json()).unwrap(), report);
    }

    #[test]
    fn what_differs_is_shown() {
        let before = report(&[("blur", 20.0), ("same", 30.0), ("old", 9.0)]);
        let after = report(&[("blur", 22.0), ("same", 30.0), ("new", 8.0)]);
        let expected = "\
difference            of  before   after       by
blur        instructions  20.000  22.000  +10.0 %
blur         neoverse-n1   0.500   0.550  +10.0 %
new               is new
old              is gone
";
        assert_eq!(after.difference(&before).to_text(), expected);
        assert_eq!(after.difference(&after).to_text(), "no difference\n");
    }
}
