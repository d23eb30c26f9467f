//! Plain Rust for a body of which elements share turns of loops: scans, and scatters ([`windrow_dsl::optimise::sharing`]).
//!
//! ```text
//! what is the same for all rows
//! for each piece of the row:
//!     rows of memory for the variables that are kept from row to row
//!     for each group of rows:
//!         what is the same for all elements of a row
//!         the loops that are computed for all elements of it, turn by turn, and those whose turns add to one of them
//!         for each element: its own values; its scans go on where the element before ended
//! ```

mod scan;
mod scatter;

use super::{Emitter, Memory, Pointers};
use crate::scalar::expression::Operands;
use crate::text::Text;
use windrow_dsl::ir::loops::{Loop, Step, Variable, steps};
use windrow_dsl::ir::{Axes, AxisId, Body, Op, ValueId, along_apart};
use windrow_dsl::optimise::{Scan, Sharing, Way, outside};

/// The names of what a function with shared loops has besides values.
struct Frame<'a> {
    sharing: &'a Sharing,
    along: Vec<Axes>,
    /// Where the piece of the row begins, counted from the row's own begin, and how many elements it has.
    first: String,
    columns: String,
}

/// What `explain` says of shared loops.
pub fn notes(body: &Body, sharing: &Sharing) -> Vec<String> {
    let mut notes = Vec::new();
    for step in steps(&body.nodes) {
        let Step::Loop(turns) = step else { continue };
        let name = |turns: &Loop| match &body.node(turns.turn).name {
            Some(name) => format!("the loop over `{name}`"),
            None => "a loop".to_owned(),
        };
        let own = match sharing.way(turns.turn) {
            Way::Own | Way::Row { is_resumed: false } => continue,
            Way::Row { is_resumed: true } | Way::Turns { is_resumed: true } => " goes on from row to row",
            Way::Turns { is_resumed: false } => " is computed for a row, iteration by iteration",
            Way::Resumed => " goes on from element to element",
            Way::Scattered(_) => ": each iteration updates one element (scatter)",
        };
        notes.push(format!("{}{own}", name(&turns)));
        let inside = turns.body.iter().filter_map(as_loop).filter(|own| sharing.scan(own.turn).is_some());
        notes.extend(inside.map(|own| format!("{} goes on from element to element", name(own))));
    }
    notes
}

impl Emitter<'_> {
    /// Writes the body of the function.
    pub(super) fn write_shared(mut self, out: &mut Text, sharing: &Sharing) {
        for index in 0..self.body.nodes.len() {
            self.uniform(out, index);
        }
        let carries = sharing.carries_rows();
        let names = &mut self.values.names;
        let [group, first, columns] = ["group", "first", "columns"].map(|name| names.claim_text(name));
        self.group = carries.then(|| group.clone());
        let frame = Frame { sharing, along: along_apart(&self.body.nodes), first, columns };
        let mut all = steps(&self.body.nodes);
        let mut pointers = Pointers::none(self.kernel);
        self.tables(out, &mut pointers);
        self.views(out, &mut pointers);
        if carries {
            for step in all.extract_if(.., |step| frame.is_of_run(step)) {
                self.step(out, &pointers, &step);
            }
        }
        let loops: Vec<Loop> = all.iter().filter_map(as_loop).cloned().collect();
        loops.iter().for_each(|turns| self.memory(out, &frame, turns));
        let Frame { first, columns, .. } = &frame;
        out.line(format!("let mut {first} = 0;"));
        out.open(format!("while {first} < rows.width"));
        out.line(format!("let {columns} = (rows.width - {first}).min(::windrow::__rt::RowMemory::<u8>::COLUMNS);"));
        loops.iter().for_each(|turns| self.begin_run(out, &frame, turns));
        if carries {
            out.open(format!("for {group} in 0..rows.groups"));
        }
        pointers.group = self.group.clone();
        self.input_rows(out, &mut pointers);
        self.output_rows(out, &mut pointers);
        for step in &all {
            match step {
                Step::Loop(turns) => self.row_loop(out, &pointers, &frame, turns),
                Step::Value(id) if !frame.along(*id).has(AxisId::X) => self.step(out, &pointers, step),
                Step::Value(_) => {}
            }
        }
        self.elements(out, &pointers, &frame, &all);
        if carries {
            out.close("");
        }
        out.line(format!("{first} += {columns};"));
        out.close("");
    }

    /// Declares the memory of the rows that hold a loop's variables.
    fn memory(&mut self, out: &mut Text, frame: &Frame<'_>, turns: &Loop) {
        let way = frame.sharing.way(turns.turn);
        if matches!(way, Way::Turns { .. }) {
            turns.body.iter().filter_map(as_loop).for_each(|own| self.memory(out, frame, own));
        }
        let has_terms = frame.sharing.scan(turns.turn).is_some_and(|scan| scan.terms.is_some());
        if !has_terms && !matches!(way, Way::Turns { .. } | Way::Scattered(_)) {
            return;
        }
        for variable in frame.of_elements(turns) {
            let node = self.body.node(variable.carried);
            let name = node.name.as_ref().map_or("sum".to_owned(), ToString::to_string);
            let memory = self.values.names.claim_text(&format!("{name}_memory"));
            out.line(format!("let mut {memory} = ::windrow::__rt::RowMemory::<{}>::new();", node.ty.name()));
            self.memories.insert(variable.carried, memory);
        }
    }

    /// What a loop that goes on from row to row has before the first one.
    fn begin_run(&mut self, out: &mut Text, frame: &Frame<'_>, turns: &Loop) {
        match frame.sharing.way(turns.turn) {
            Way::Row { is_resumed: true } => {
                turns.variables.iter().for_each(|variable| self.variable(out, variable));
                self.next(out, turns);
            }
            Way::Turns { is_resumed: true } => {
                self.fill(out, frame, turns);
                self.next(out, turns);
            }
            _ => {}
        }
    }

    /// Fills rows with what variables hold before their loop.
    fn fill(&mut self, out: &mut Text, frame: &Frame<'_>, turns: &Loop) {
        for variable in frame.of_elements(turns) {
            let before = self.values.text(variable.before);
            self.fill_with(out, frame, variable.carried, &before);
        }
    }

    /// Fills the row of a variable.
    fn fill_with(&mut self, out: &mut Text, frame: &Frame<'_>, variable: ValueId, value: &str) {
        let memory = self.memories[&variable].clone();
        let row = self.values.names.claim_text(&memory.replace("memory", "row"));
        out.line(format!("let {row} = {memory}.filled({}, {value});", frame.columns));
        self.kept.insert(variable, format!("{row}[x as usize - {}]", frame.first));
    }

    /// Declares which turn of a loop comes next.
    fn next(&mut self, out: &mut Text, turns: &Loop) {
        let Op::Turn { start, .. } = self.body.node(turns.turn).op else { return };
        let start = self.values.text(start);
        let turn = self.values.claim(turns.turn.0 as usize, self.kernel, self.body.node(turns.turn));
        out.line(format!("let mut {turn}: {} = {start};", self.body.node(turns.turn).ty.name()));
    }

    /// A loop at its place among what is the same for all elements of a row.
    fn row_loop(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, turns: &Loop) {
        match frame.sharing.way(turns.turn) {
            Way::Own => {}
            Way::Resumed => self.begin_scan(out, pointers, frame, turns),
            Way::Row { is_resumed: false } => self.turns(out, pointers, turns),
            Way::Row { is_resumed: true } => self.go_on(out, pointers, turns),
            Way::Scattered(scatter) => {
                self.fill(out, frame, turns);
                let counts = scatter.byte.as_ref().map(|byte| self.begin_counts(out, byte));
                self.scatter(out, pointers, frame, turns, scatter, counts.as_ref());
                if let Some(counts) = counts {
                    self.add_counts(out, pointers, frame, scatter, counts);
                }
            }
            Way::Turns { is_resumed } => {
                if !is_resumed {
                    self.fill(out, frame, turns);
                    self.next(out, turns);
                }
                self.turns_of_row(out, pointers, frame, turns);
            }
        }
    }

    /// The elements of the row of an input in some columns, as an option.
    fn run(&self, pointers: &Pointers<'_>, element: ValueId, columns: &str) -> String {
        let node = self.body.node(element);
        let Op::Gather { input, plane, at: [row, _], .. } = node.op else { return String::new() };
        let (view, row) = (pointers.view(input), self.values.text(row));
        let plane = plane.map(|plane| format!(".wrapping_offset({} as isize)", self.values.text(plane)));
        let first = format!("{view}.at({row}, 0){}", plane.unwrap_or_default());
        format!("{view}.run::<{}>({first}, {columns})", node.ty.name())
    }

    /// The turns of a loop that are left.
    fn go_on(&mut self, out: &mut Text, pointers: &Pointers<'_>, turns: &Loop) {
        self.open_rest(out, turns);
        self.turn(out, pointers, turns);
        out.close("");
    }

    fn open_rest(&self, out: &mut Text, turns: &Loop) {
        let Op::Turn { end, .. } = self.body.node(turns.turn).op else { return };
        out.open(format!("while {} < {}", self.values.text(turns.turn), self.values.text(end)));
    }

    /// The next turn of a loop.
    fn turn(&mut self, out: &mut Text, pointers: &Pointers<'_>, turns: &Loop) {
        for step in &turns.body {
            self.step(out, pointers, step);
        }
        self.advance(out, &turns.variables);
        self.count_turn(out, turns);
    }

    fn count_turn(&self, out: &mut Text, turns: &Loop) {
        out.line(format!("{} += 1;", self.values.text(turns.turn)));
    }

    /// The turns of a loop that are left, each for all elements of a row.
    fn turns_of_row(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, turns: &Loop) {
        self.open_rest(out, turns);
        for step in &turns.body {
            match step {
                Step::Loop(own) if frame.sharing.scan(own.turn).is_some() => self.begin_scan(out, pointers, frame, own),
                step if !frame.is_of_elements(step) => self.step(out, pointers, step),
                _ => {}
            }
        }
        out.open(frame.all_elements());
        for id in outside(&self.body.nodes, &frame.along, turns).unwrap_or_default() {
            self.step(out, pointers, &Step::Value(id));
        }
        for variable in frame.of_elements(turns) {
            let node = self.body.node(variable.carried);
            let line = out.begin();
            self.values.declare_mutable(line, variable.carried.0 as usize, self.kernel, node);
            line.push_all(&[": ", node.ty.name(), " = ", &self.kept[&variable.carried], ";"]);
            out.end();
        }
        for step in turns.body.iter().filter(|step| frame.is_of_elements(step)) {
            self.element_step(out, pointers, frame, step);
        }
        for variable in frame.of_elements(turns) {
            out.line(format!("{} = {};", self.kept[&variable.carried], self.values.text(variable.after)));
        }
        out.close("");
        let shared = frame.of_row(turns);
        if !shared.is_empty() {
            self.advance(out, &shared);
        }
        self.count_turn(out, turns);
        out.close("");
    }

    /// The elements of a row.
    fn elements(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, all: &[Step]) {
        out.open(frame.all_elements());
        for step in all {
            match step {
                Step::Loop(turns) if !matches!(frame.sharing.way(turns.turn), Way::Own | Way::Resumed) => {}
                step if frame.is_of_elements(step) => self.element_step(out, pointers, frame, step),
                _ => {}
            }
        }
        self.stores(out, pointers);
        out.close("");
    }

    /// A step of one element.
    fn element_step(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, step: &Step) {
        match step {
            Step::Loop(turns) => match frame.sharing.scan(turns.turn) {
                Some(Scan { terms: Some(_), .. }) => {}
                Some(Scan { is_by_one: true, .. }) => self.take_one(out, pointers, turns),
                Some(_) => self.go_on(out, pointers, turns),
                None => self.step(out, pointers, step),
            },
            Step::Value(_) => self.step(out, pointers, step),
        }
    }
}

impl Frame<'_> {
    fn along(&self, id: ValueId) -> Axes {
        self.along[id.0 as usize]
    }

    /// What a step varies along.
    fn axes(&self, step: &Step) -> Axes {
        match step {
            Step::Value(id) => self.along(*id),
            Step::Loop(turns) => {
                let variables = turns.variables.iter().map(|variable| self.along(variable.carried));
                variables.fold(self.along(turns.turn), |all, axes| all | axes)
            }
        }
    }

    /// Whether a step is the same for all rows.
    fn is_of_run(&self, step: &Step) -> bool {
        let axes = self.axes(step);
        !axes.has(AxisId::X) && !axes.has(AxisId::Y)
    }

    /// Whether a step is not the same for all elements of a row.
    fn is_of_elements(&self, step: &Step) -> bool {
        self.axes(step).has(AxisId::X)
    }

    /// The variables of a loop that are not the same for all elements of a row.
    fn of_elements<'l>(&'l self, turns: &'l Loop) -> impl Iterator<Item = &'l Variable> {
        turns.variables.iter().filter(|variable| self.along(variable.carried).has(AxisId::X))
    }

    /// The variables of a loop that are the same for all elements of a row.
    fn of_row(&self, turns: &Loop) -> Vec<Variable> {
        turns.variables.iter().filter(|variable| !self.along(variable.carried).has(AxisId::X)).copied().collect()
    }

    /// The row that an element at `x` is of.
    fn row_of<'t>(&self, element: &'t str) -> &'t str {
        element.split_once('[').map_or(element, |(row, _)| row)
    }

    /// How the loop over the elements of a piece begins.
    fn all_elements(&self) -> String {
        let Frame { first, columns, .. } = self;
        format!("for x in {first} as isize..({first} + {columns}) as isize")
    }
}

fn as_loop(step: &Step) -> Option<&Loop> {
    match step {
        Step::Loop(turns) => Some(turns),
        Step::Value(_) => None,
    }
}
