//! Quads of rows in a program: what a loop brings beside each other, or loads where a run has packed it.

use super::{Base, Line, Place, Program, RowQuads, Source, Turns, VectorId};

impl Program {
    /// The pointer to neighbouring elements from which a vector is loaded, without an offset.
    pub fn pointer_of(&self, vector: VectorId) -> Option<VectorId> {
        let maker = self.lines().find(|line| line.results.first() == vector)?;
        let Source::Load { place: Place { base: Base::Pointer(pointer), offset: 0, .. }, count: 1 } = maker.source
        else {
            return None;
        };
        let is_contiguous =
            |line: &Line| line.results.first() == pointer && matches!(line.source, Source::Contiguous { .. });
        self.lines().any(is_contiguous).then_some(pointer)
    }

    /// The quads that a loop brings beside each other.
    pub fn quads_in<'t>(&'t self, turns: &'t Turns) -> impl Iterator<Item = &'t RowQuads> {
        let is_made = |id: &VectorId| turns.lines.iter().any(|line| line.results.first() == *id);
        self.quads.iter().filter(move |quads| quads.made.iter().all(is_made))
    }

    /// The inputs of which some loop brings quads beside each other: a bit for each, the first one's the lowest.
    pub fn inputs_in_quads(&self) -> u32 {
        let of_loop = |turns: &Turns| self.quads_in(turns).fold(0, |bits, quads| bits | 1 << quads.input.0);
        self.turns.iter().map(of_loop).fold(0, |all, bits| all | bits)
    }

    /// A loop that loads quads.
    pub fn loading(&self, turns: &Turns, quads: &[&RowQuads], vector_bits: u32) -> Turns {
        let mut needed = vec![false; self.vectors.len()];
        let after = turns.variables.iter().flat_map(|variable| &variable.after);
        after.for_each(|operand| operand.visit(&mut |id| needed[id.0 as usize] = true));
        let mut lines: Vec<Line> = turns.lines.iter().map(|line| self.loaded(line, quads, vector_bits)).collect();
        self.mark_needed(&lines, &mut needed);
        lines.retain(|line| line.results.has(&needed));
        let mut loading = turns.clone();
        loading.lines = lines;
        loading
    }

    /// A statement, or the load of what it makes.
    fn loaded(&self, line: &Line, quads: &[&RowQuads], vector_bits: u32) -> Line {
        let made = line.results.first();
        let own = quads.iter().find_map(|quads| Some((quads, quads.made.iter().position(|id| *id == made)?)));
        let Some((quads, number)) = own else { return line.clone() };
        let lane = self.lane(made);
        let vector = i64::from(vector_bits / lane.bits());
        let place = Place {
            base: Base::Pointer(quads.pointer),
            factor: 1,
            offset: number as i64 * vector,
            apart: i64::from(128 / lane.bits()),
            lane,
        };
        Line { source: Source::Load { place, count: 1 }, ..line.clone() }
    }
}
