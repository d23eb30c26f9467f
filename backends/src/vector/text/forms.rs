//! Writes an innermost loop in two forms, where it looks at places that may lie outside: one for blocks of which all lies inside,
//! which is most of them, and one for the others. What decides is the same in all turns, and known before the loop.

use super::super::Target;
use super::super::printer::Chosen;
use super::Printer;
use crate::scalar::Memory;
use crate::text::Text;
use crate::vector::program::{Line, Operand, QuadSums, RowQuads, Source, Turns, VectorId};
use windrow_dsl::ir::{InputId, Op, TableId};

/// An element that is read in all turns of a loop, or a constant in all.
struct InvariantElement {
    read: VectorId,
    input: InputId,
    plane: Option<String>,
    condition: String,
    otherwise: String,
}

/// A loop that loads quads where a run has packed them.
struct PackedForm<'p> {
    /// Whether it has.
    condition: String,
    turns: Turns,
    /// The sums that are loaded behind the loop, and their first column.
    sums: Vec<(&'p RowQuads, &'p QuadSums, String)>,
}

/// What a printer sees where another view stands for an input.
pub(super) struct Seen<'s, 'a, T> {
    pub printer: &'s Printer<'a, T>,
    pub view: &'s str,
}

impl<T> Memory for Seen<'_, '_, T> {
    fn table(&self, table: TableId) -> &str {
        self.printer.table(table)
    }

    fn view(&self, _: InputId) -> String {
        self.view.to_owned()
    }

    fn dimensions(&self, input: InputId) -> u32 {
        self.printer.dimensions(input)
    }
}

impl<'a, T: Target> Printer<'a, T> {
    /// Writes a loop, in two forms where that pays.
    pub(super) fn write_forms(&mut self, out: &mut Text, turns: &Turns) {
        if turns.lines.iter().any(|line| matches!(line.source, Source::Turns(_))) {
            return self.write_loop(out, turns);
        }
        let (conditions, mut reads) = (self.conditions_before(turns), self.reads_of_same_columns(turns));
        reads.extend(self.reads_of_four_bytes(turns));
        if conditions.is_empty() && reads.is_empty() {
            return self.write_loop(out, turns);
        }
        let mut names: Vec<String> = conditions.iter().map(|condition| self.name(*condition)).collect();
        names.extend(reads.iter().map(|(_, are_side_by_side)| are_side_by_side.clone()));
        names.dedup();
        let held: Vec<VectorId> = conditions.into_iter().chain(reads.into_iter().map(|(read, _)| read)).collect();
        self.held.extend(&held);
        let inside = format!("if {}", names.join(" && "));
        match self.packed_form(turns) {
            Some(PackedForm { condition, turns: loading, sums }) => {
                out.line("// Most often, all that is read lies inside; what is packed is loaded as it is multiplied.");
                out.open(format!("{inside} && {condition}"));
                self.write_by_lane(out, &loading);
                self.quads.clear();
                sums.iter().for_each(|(quads, sums, column)| self.write_sums(out, quads, sums, column));
                out.between(&format!("}} else {inside} {{"));
            }
            None => {
                out.line("// Most often, all that is read lies inside.");
                out.open(inside);
            }
        }
        self.write_loop(out, turns);
        held.iter().for_each(|held| _ = self.held.remove(held));
        out.between("} else {");
        self.write_choices_before(out, turns);
        self.write_loop(out, turns);
        self.chosen.clear();
        out.close("");
    }

    /// A loop with loads of quads, where it brings some beside each other.
    fn packed_form(&mut self, turns: &Turns) -> Option<PackedForm<'a>> {
        let program = self.program;
        let (bits, end) = (self.target.machine().bits(), self.operand(&turns.ends[1]));
        let (mut all, mut sums, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        for quads in program.quads_in(turns) {
            let column = turns.lines.iter().find_map(|line| match &line.source {
                Source::Contiguous { at, .. } if line.results.first() == quads.pointer => Some(self.operand(&at[1])),
                _ => None,
            })?;
            let (view, vector) = (self.view(quads.input), bits / 8);
            let is_same = |sums: &&QuadSums| sums.plane.as_ref().is_none_or(|plane| is_same_in(turns, plane));
            conditions.push(match program.sums_in(turns, quads).filter(is_same) {
                Some(own) => {
                    sums.push((quads, own, column.clone()));
                    format!("{view}.has_quad_sums::<{vector}>({column}, {end})")
                }
                None => format!("{view}.has_quads::<{vector}>({column})"),
            });
            all.push(quads);
        }
        if all.is_empty() {
            return None;
        }
        conditions.dedup();
        self.quads.extend(all.iter().map(|quads| (quads.pointer, program.lane(quads.made[0]))));
        let of_loop: Vec<&QuadSums> = sums.iter().map(|(_, sums, _)| *sums).collect();
        let turns = program.loading(turns, &all, &of_loop, bits);
        Some(PackedForm { condition: conditions.join(" && "), turns, sums })
    }

    /// Adds the sums of quads that a run has packed to the variables that hold them behind the loop.
    fn write_sums(&mut self, out: &mut Text, quads: &RowQuads, sums: &QuadSums, column: &str) {
        let lane = self.program.lane(quads.made[0]);
        let plane = sums.plane.as_ref().map_or("0".to_owned(), |plane| self.operand(plane));
        let (pointer, view) = (self.name(quads.pointer), self.view(quads.input));
        out.line(format!("let {pointer} = {view}.quad_sums_at::<{}>({plane}, {column});", lane.scalar()));
        for (line, &sum) in self.program.loads(quads, self.target.machine().bits()).iter().zip(&sums.before) {
            T::write_line(self, out, line);
            let (name, of_quads) = (self.name(sum), self.whole(line.results.first(), self.program.lane(sum)));
            out.line(format!("{name} = {}({name}, {of_quads});", self.target.sum_of_integers()));
        }
    }

    /// The conditions of scalar choices in a loop that are known before it.
    fn conditions_before(&self, turns: &Turns) -> Vec<VectorId> {
        let condition = |line: &Line| match &line.source {
            Source::Scalar { value, operands, .. } if matches!(self.body.node(*value).op, Op::Select { .. }) => {
                operands.first().and_then(|operand| match operand {
                    Operand::Made(condition) => Some(*condition),
                    Operand::Text(_) => None,
                })
            }
            Source::Quad(quad) => quad.choice.as_ref().and_then(|[condition, _]| match condition {
                Operand::Made(condition) => Some(*condition),
                Operand::Text(_) => None,
            }),
            _ => None,
        };
        let mut conditions: Vec<VectorId> = turns.lines.iter().filter_map(condition).collect();
        conditions.sort_unstable();
        conditions.dedup();
        conditions.retain(|condition| is_same_in(turns, &Operand::Made(*condition)));
        conditions
    }

    /// The reads of neighbouring elements in a loop whose columns are the same in all turns, and whether these lie inside and
    /// side by side.
    fn reads_of_same_columns(&self, turns: &Turns) -> Vec<(VectorId, String)> {
        let read = |line: &Line| match &line.source {
            Source::Contiguous { input, at: [_, first, last], count, lane }
                if [first, last].iter().all(|column| is_same_in(turns, column)) =>
            {
                let [view, first, last] = [self.view(*input), self.operand(first), self.operand(last)];
                let condition = format!("{view}.has_side_by_side::<{}, {count}>({first}, {last})", lane.scalar());
                Some((line.results.first(), condition))
            }
            _ => None,
        };
        turns.lines.iter().filter_map(read).collect()
    }

    /// The reads of four bytes at once in a loop, and whether these lie side by side.
    fn reads_of_four_bytes(&self, turns: &Turns) -> Vec<(VectorId, String)> {
        let read = |line: &Line| match &line.source {
            Source::Quad(quad) => {
                Some((line.results.first(), format!("{}.has_adjacent_bytes()", self.view(quad.input))))
            }
            _ => None,
        };
        turns.lines.iter().filter_map(read).collect()
    }

    /// Where a turn chooses between an element and a constant by what is the same in all turns, the loop chooses between the view and one
    /// of the constant: a choice of elements would be a branch in each turn, and ask for more registers than there are.
    fn write_choices_before(&mut self, out: &mut Text, turns: &Turns) {
        for choice in self.choices_of_elements(turns) {
            let InvariantElement { read, input, plane, condition, otherwise } = choice;
            let (own, view) = (self.names.claim_text(&format!("{}_view", self.name(read))), self.view(input));
            let constant = self.names.claim_text(&format!("{}_otherwise", self.name(read)));
            out.line(format!("let {constant}: {} = {otherwise};", self.kernel.inputs[input.0 as usize].ty.name()));
            let one = format!("::windrow::__rt::WholeView::of_one(&{constant})");
            out.line(format!("let {own} = if {condition} {{ {view} }} else {{ {one} }};"));
            let plane = plane.map(|plane| {
                let own = self.names.claim_text(&format!("{}_plane", self.name(read)));
                out.line(format!("let {own}: i32 = if {condition} {{ {plane} }} else {{ 0 }};"));
                own
            });
            self.chosen.insert(read, Chosen { view: own, plane });
        }
    }

    /// The reads of single elements in a loop that a choice alone needs, between them and a constant.
    fn choices_of_elements(&self, turns: &Turns) -> Vec<InvariantElement> {
        let reader = |id: VectorId| {
            let mut readers = 0;
            let mut count = |own: VectorId| readers += u32::from(own == id);
            turns.lines.iter().for_each(|line| self.program.reads(&line.source, &mut count));
            let after = turns.variables.iter().flat_map(|variable| &variable.after);
            after.for_each(|operand| operand.visit(&mut count));
            readers
        };
        let choice = |line: &Line| {
            let Source::Scalar { value, operands, .. } = &line.source else { return None };
            let [condition, Operand::Made(read), Operand::Text(otherwise)] = operands.as_slice() else { return None };
            if !matches!(self.body.node(*value).op, Op::Select { .. })
                || !is_same_in(turns, condition)
                || reader(*read) != 1
            {
                return None;
            }
            let made = turns.lines.iter().find(|line| line.results.first() == *read)?;
            let Source::Scalar { value, operands, .. } = &made.source else { return None };
            let Op::Gather { input, plane, .. } = self.body.node(*value).op else { return None };
            let plane = if plane.is_some() { operands.last() } else { None };
            let is_same = plane.is_none_or(|plane| is_same_in(turns, plane));
            let [condition, otherwise] = [self.operand(condition), otherwise.clone()];
            let plane = plane.map(|plane| self.operand(plane));
            is_same.then_some(InvariantElement { read: *read, input, plane, condition, otherwise })
        };
        turns.lines.iter().filter_map(choice).collect()
    }
}

/// Whether what is read is the same in all turns of a loop.
pub(super) fn is_same_in(turns: &Turns, operand: &Operand) -> bool {
    let mut is_same = true;
    operand.visit(&mut |id| {
        let is_own = |line: &Line| line.results.places().any(|place| place == id.0 as usize);
        let is_variable = turns.variables.iter().any(|variable| variable.now.contains(&id));
        is_same &= id != turns.turn && !is_variable && !turns.lines.iter().any(is_own);
    });
    is_same
}
