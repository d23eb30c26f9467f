//! Prints the statements of a program: those of a step, and what is the same for all steps.

use super::super::{Target, loads};
use super::Printer;
use crate::scopes::{self, Uses};
use crate::text::{Text, comma};
use crate::vector::program::{Line, VectorId};

const APART: &str = "// SAFETY: no instruction; loads stay on their side of it, and two of one row stay two.";

/// What comes between the statements of a step.
struct Step {
    /// The statement after which each store comes.
    known_at: Vec<usize>,
    /// Before each statement, the vectors that a fence there holds back.
    fenced: Vec<Vec<VectorId>>,
    /// The statement before which loads are parted.
    parted: Option<usize>,
}

impl<T: Target> Printer<'_, T> {
    /// Writes what is the same for all steps.
    pub(super) fn write_invariant(&mut self, out: &mut Text) {
        let program = self.program;
        let before = program.before();
        let uses = |_: &Self| {
            let mut uses = Uses::default();
            for (place, line) in before.iter().enumerate() {
                line.results.places().for_each(|id| uses.makes(place, id));
                // A step may read any of them.
                line.results.places().for_each(|id| uses.reads(before.len(), id));
            }
            uses
        };
        scopes::write_all(out, before.len(), self, uses, Self::name_read, |printer, out, place| {
            printer.marked_line(out, &before[place]);
        });
    }

    /// The name of a vector that is read.
    pub(super) fn name_read(&self, id: usize) -> Option<String> {
        self.vectors[id].map(|name| self.names.text(name))
    }

    /// Writes a step, one of many or one of the last few.
    pub(super) fn write_step(&mut self, out: &mut Text, of_many: bool) {
        self.step_pointers(out);
        if of_many && self.outputs.len() > 1 {
            self.ask_for_lines(out);
        }
        // Stores to one row are next to each other, so that what shares a cache line leaves together.
        let early = self.outputs.len() > 1 && self.target.machine().stores_before_loads(self.kernel);
        let is_parted = of_many && self.target.machine().parts_loads;
        let step = Step {
            known_at: self.program.stores_known_at(early),
            fenced: self.program.fenced(),
            parted: if is_parted { loads::boundary(self.program) } else { None },
        };
        // What is the same for all steps is stored in each, even where nothing else is done.
        let places = self.program.step().len().max(1);
        let uses = |printer: &Self| printer.uses(&step);
        scopes::write_all(out, places, self, uses, Self::name_read, |printer, out, place| {
            printer.write_place(out, &step, place);
        });
        if of_many && self.has_head() {
            out.line("x += step;");
            out.line(format!("step = {};", self.lanes));
        } else {
            out.line(format!("x += {};", self.lanes));
        }
    }

    /// What the statements of a step make and read.
    fn uses(&self, step: &Step) -> Uses {
        let mut uses = Uses::default();
        for (place, line) in self.program.step().iter().enumerate() {
            line.results.places().for_each(|id| uses.makes(place, id));
            self.program.reads(&line.source, &mut |id| uses.reads(place, id.0 as usize));
            // A fence reads them, though their stores may be behind, and makes them anew.
            for id in step.fenced.get(place).into_iter().flatten() {
                uses.reads(place, id.0 as usize);
                uses.makes(place, id.0 as usize);
            }
        }
        for (&place, store) in step.known_at.iter().zip(&self.program.stores) {
            store.vectors.iter().for_each(|id| uses.reads(place, id.0 as usize));
        }
        uses
    }

    /// Writes a statement of a step, what comes before it, and the stores after it.
    fn write_place(&mut self, out: &mut Text, step: &Step, place: usize) {
        if let Some(held) = step.fenced.get(place) {
            self.fence(out, held);
        }
        if step.parted == Some(place) {
            out.line(APART);
            out.line("unsafe { ::core::arch::asm!(\"\", options(nostack, preserves_flags)) };");
        }
        if let Some(line) = self.program.step().get(place) {
            self.marked_line(out, line);
        }
        for (_, store) in step.known_at.iter().zip(&self.program.stores).filter(|(at, _)| **at == place) {
            out.mark(self.program.author(store.vectors[0]));
            T::write_store(self, out, store);
            out.mark(None);
        }
    }

    /// Writes a statement, and says whose token asked for it.
    pub(super) fn marked_line(&mut self, out: &mut Text, line: &Line) {
        out.mark(self.program.author(line.results.first()));
        self.line(out, line);
        out.mark(None);
    }

    /// A fence: the compiler must take the vectors to be others after it, and so computes them before it. It orders by
    /// latency otherwise, which asks for more registers than there are.
    fn fence(&self, out: &mut Text, held: &[VectorId]) {
        let (Some((class, modifier)), false) = (self.target.machine().fence, held.is_empty()) else { return };
        let names = || held.iter().map(|&id| self.name(id));
        let mentioned = (0..held.len()).map(|place| format!("{{{place}{modifier}}}")).collect::<Vec<_>>().join(" ");
        out.line(
            "// SAFETY: no instruction: the text is a comment, for which the compiler has each vector in a register.",
        );
        let operands = comma(names().map(|name| format!("inout({class}) {name}")));
        for name in names() {
            out.line(format!("let mut {name} = {name};"));
        }
        let options = "options(pure, nomem, nostack, preserves_flags)";
        out.line(format!("unsafe {{ ::core::arch::asm!(\"// {mentioned}\", {operands}, {options}) }};"));
    }
}
