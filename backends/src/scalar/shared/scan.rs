//! Loops in which an element goes on where the one before it ended.

use super::{Emitter, Frame, Pointers};
use crate::scalar::expression::Operands;
use crate::text::Text;
use windrow_dsl::ir::loops::{Loop, Step};
use windrow_dsl::ir::{AxisId, Op, ValueId};
use windrow_dsl::optimise::{Scan, of_end};

impl Emitter<'_> {
    /// What a loop has before the first element of a piece in which each goes on where the one before it ended. Where an element
    /// takes one turn, the others of the first one are taken here; where that adds a term, the sums of all elements are made.
    pub(super) fn begin_scan(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, turns: &Loop) {
        for variable in &turns.variables {
            if frame.along(variable.before).has(AxisId::X) {
                self.befores.insert(variable.carried, variable.before);
                self.variable_from(out, variable, "0");
            } else {
                self.variable(out, variable);
            }
        }
        self.next(out, turns);
        let Some(Scan { is_by_one: true, terms, element }) = frame.sharing.scan(turns.turn) else { return };
        let Op::Turn { end, .. } = self.body.node(turns.turn).op else { return };
        let own = self.values.names.claim_text("own_turn");
        out.open(format!("let {own} ="));
        out.line(format!("let x = {} as isize;", frame.first));
        self.values_of_end(out, pointers, frame, turns);
        let [turn, end] = [turns.turn, end].map(|id| self.values.text(id));
        out.open(format!("while {turn} < {end}.wrapping_sub(1)"));
        self.turn(out, pointers, turns);
        out.close("");
        out.line(format!("{end}.wrapping_sub(1)"));
        out.close(";");
        if let Some(terms) = terms {
            self.sums(out, pointers, frame, turns, (terms, *element), &own);
        }
    }

    /// The sums of the terms of a loop up to each element. `own` is the turn of the first element.
    fn sums(
        &mut self,
        out: &mut Text,
        pointers: &Pointers<'_>,
        frame: &Frame<'_>,
        turns: &Loop,
        (terms, element): (&[ValueId], Option<ValueId>),
        own: &str,
    ) {
        let befores: Vec<String> = turns.variables.iter().map(|own| self.values.text(own.carried)).collect();
        turns.variables.iter().for_each(|variable| self.fill_with(out, frame, variable.carried, "0"));
        if let Some(element) = element {
            self.terms_of_run(out, pointers, frame, turns, (terms, element), own);
        }
        out.open(frame.all_elements());
        self.values_of_end(out, pointers, frame, turns);
        self.open_own(out, turns);
        turns.body.iter().for_each(|step| self.step(out, pointers, step));
        for (variable, term) in turns.variables.iter().zip(terms) {
            out.line(format!("{} = {};", self.kept[&variable.carried], self.values.text(*term)));
        }
        out.close("");
        out.close("");
        if element.is_some() {
            out.close("");
        }
        for (variable, before) in turns.variables.iter().zip(befores) {
            let ty = self.body.node(variable.carried).ty.name();
            let row = frame.row_of(&self.kept[&variable.carried]);
            out.line(format!("::windrow::__rt::running_sums({row}, {before}, {ty}::wrapping_add);"));
        }
    }

    /// Fills rows with what turns add, where the elements that they read lie side by side; opens what is done elsewhere.
    fn terms_of_run(
        &mut self,
        out: &mut Text,
        pointers: &Pointers<'_>,
        frame: &Frame<'_>,
        turns: &Loop,
        (terms, element): (&[ValueId], ValueId),
        own: &str,
    ) {
        let Op::Turn { start, .. } = self.body.node(turns.turn).op else { return };
        let (node, start) = (self.body.node(element), self.values.text(start));
        let [run, place] = ["run", "place"].map(|name| self.values.names.claim_text(name));
        let end = format!("{own}.wrapping_add({} as i32)", frame.columns);
        let found = self.run(pointers, element, &format!("{own}, {end}"));
        out.line("// SAFETY: a row of the view begins there, by `max` and `min`.");
        out.open(format!("if let Some({run}) = unsafe {{ {found} }}.filter(|_| {own} >= {start})"));
        out.open(format!("for {place} in 0..{}", frame.columns));
        let turn = self.values.claim(turns.turn.0 as usize, self.kernel, self.body.node(turns.turn));
        out.line(format!("let {turn} = {own} + {place} as i32;"));
        for step in &turns.body {
            match step {
                Step::Value(id) if *id == element => {
                    let line = out.begin();
                    self.values.declare(line, id.0 as usize, self.kernel, node);
                    line.push_all(&[": ", node.ty.name(), " = ", &run, "[", &place, "];"]);
                    out.end();
                }
                step => self.step(out, pointers, step),
            }
        }
        for (variable, term) in turns.variables.iter().zip(terms) {
            let row = frame.row_of(&self.kept[&variable.carried]);
            out.line(format!("{row}[{place}] = {};", self.values.text(*term)));
        }
        out.close("");
        out.between("} else {");
    }

    /// What the end of a loop is computed from, at the element `x`.
    fn values_of_end(&mut self, out: &mut Text, pointers: &Pointers<'_>, frame: &Frame<'_>, turns: &Loop) {
        for id in of_end(&self.body.nodes, &frame.along, turns).unwrap_or_default() {
            self.step(out, pointers, &Step::Value(id));
        }
    }

    /// The turn that is an element's own: the last one, if it has any.
    pub(super) fn take_one(&mut self, out: &mut Text, pointers: &Pointers<'_>, turns: &Loop) {
        self.open_own(out, turns);
        turns.body.iter().for_each(|step| self.step(out, pointers, step));
        self.advance(out, &turns.variables);
        out.close("");
    }

    fn open_own(&mut self, out: &mut Text, turns: &Loop) {
        let Op::Turn { start, end, .. } = self.body.node(turns.turn).op else { return };
        let [start, end] = [start, end].map(|id| self.values.text(id));
        let turn = self.values.claim(turns.turn.0 as usize, self.kernel, self.body.node(turns.turn));
        out.open(format!("if {start} < {end}"));
        out.line(format!("let {turn} = {end}.wrapping_sub(1);"));
    }
}
