//! Loops whose turns add to one element of a row.

use super::{Emitter, Frame, Pointers};
use crate::scalar::expression::Operands;
use crate::text::Text;
use windrow_dsl::ir::Op;
use windrow_dsl::ir::loops::{Loop, Step};
use windrow_dsl::optimise::{Byte, Deposit, Scatter};

/// Where bytes are counted, on which depends what turns add.
pub(super) struct Counts<'a> {
    name: String,
    byte: &'a Byte,
}

impl Emitter<'_> {
    /// A loop whose turns add to one element of a row.
    pub(super) fn scatter(
        &mut self,
        out: &mut Text,
        pointers: &Pointers<'_>,
        frame: &Frame<'_>,
        turns: &Loop,
        scatter: &Scatter,
        counts: Option<&Counts<'_>>,
    ) {
        let body = self.body;
        let Op::Turn { start, end, .. } = body.node(turns.turn).op else { return };
        let shared = frame.of_row(turns);
        shared.iter().for_each(|variable| self.variable(out, variable));
        let [start, end] = [start, end].map(|id| self.values.text(id));
        let turn = self.values.claim(turns.turn.0 as usize, self.kernel, body.node(turns.turn));
        let counts_here = counts.filter(|_| scatter.deposits.contains_key(&turns.turn));
        let is_run = counts_here.is_some_and(|counts| self.count_run(out, pointers, counts, [&start, &end]));
        out.open(format!("for {turn} in {start}..{end}"));
        for step in &turns.body {
            match step {
                Step::Loop(own) if frame.is_of_elements(step) => {
                    self.scatter(out, pointers, frame, own, scatter, counts);
                }
                step if !frame.is_of_elements(step) => self.step(out, pointers, step),
                _ => {}
            }
        }
        match counts_here {
            Some(Counts { name, byte }) => {
                out.line(format!("{name}.add({turn} as usize, {});", self.values.text(byte.element)));
            }
            None => {
                let deposits = scatter.deposits.get(&turns.turn).into_iter().flatten();
                deposits.for_each(|deposit| self.deposit(out, frame, deposit, None));
            }
        }
        if !shared.is_empty() {
            self.advance(out, &shared);
        }
        out.close("");
        if is_run {
            out.close("");
        }
    }

    pub(super) fn begin_counts<'b>(&mut self, out: &mut Text, byte: &'b Byte) -> Counts<'b> {
        let name = self.values.names.claim_text("counts");
        out.line(format!("let mut {name} = ::windrow::__rt::ByteCounts::new();"));
        Counts { name, byte }
    }

    /// Counts the bytes of a loop at once where they lie side by side; opens what is done elsewhere.
    fn count_run(
        &mut self,
        out: &mut Text,
        pointers: &Pointers<'_>,
        Counts { name, byte }: &Counts<'_>,
        [start, end]: [&String; 2],
    ) -> bool {
        if !byte.is_in_a_row {
            return false;
        }
        let run = self.values.names.claim_text("run");
        let found = self.run(pointers, byte.element, &format!("{start}, {end}"));
        out.line("// SAFETY: a row of the view begins there, by `max` and `min`.");
        out.open(format!("if let Some({run}) = unsafe {{ {found} }}"));
        out.line(format!("{name}.add_all({run});"));
        out.between("} else {");
        true
    }

    /// Adds what the bytes that were counted add.
    pub(super) fn add_counts(
        &mut self,
        out: &mut Text,
        pointers: &Pointers<'_>,
        frame: &Frame<'_>,
        scatter: &Scatter,
        Counts { name, byte }: Counts<'_>,
    ) {
        let [own, times] = ["byte", "times"].map(|name| self.values.names.claim_text(name));
        out.open(format!("for {own} in 0..=u8::MAX"));
        out.line(format!("let {times} = {name}.of({own});"));
        let line = out.begin();
        self.values.declare(line, byte.element.0 as usize, self.kernel, self.body.node(byte.element));
        line.push_all(&[" = ", &own, ";"]);
        out.end();
        for id in &byte.from {
            self.step(out, pointers, &Step::Value(*id));
        }
        for deposit in scatter.deposits.values().flatten() {
            self.deposit(out, frame, deposit, Some(&times));
        }
        out.close("");
    }

    /// Adds to an element, once or the given number of times.
    fn deposit(&self, out: &mut Text, frame: &Frame<'_>, deposit: &Deposit, times: Option<&String>) {
        let conditions: Vec<String> = deposit.conditions.iter().map(|id| self.values.text(*id)).collect();
        let row = frame.row_of(&self.kept[&deposit.sum]);
        let ty = self.body.node(deposit.sum).ty.name();
        let value = deposit.value.map(|id| format!("{} as {ty}", self.values.text(id)));
        let value = match (value, times) {
            (None, None) => "1".to_owned(),
            (Some(value), None) => value,
            (None, Some(times)) => format!("{times} as {ty}"),
            (Some(value), Some(times)) => format!("({value}).wrapping_mul({times} as {ty})"),
        };
        let first = format!("i64::from(rows.x) - {} as i64 - {}", frame.first, deposit.offset);
        if !conditions.is_empty() {
            out.open(format!("if {}", conditions.join(" & ")));
        }
        let place = format!("i64::from({}) - {first}", self.values.text(deposit.at));
        out.open(format!("if let Some(own) = {row}.get_mut(({place}) as usize)"));
        out.line(format!("*own = own.wrapping_add({value});"));
        out.close("");
        if !conditions.is_empty() {
            out.close("");
        }
    }
}
