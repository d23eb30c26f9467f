//! Quads of rows in a program: what a loop brings beside each other, or loads where a run has packed it.

use super::{Base, Line, Operand, Place, Program, QuadSums, Results, RowQuads, Source, Turns, Variable, VectorId};

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
    pub fn quads_in<'p>(&'p self, turns: &Turns) -> impl Iterator<Item = &'p RowQuads> {
        let is_made = |id: &VectorId| turns.lines.iter().any(|line| line.results.first() == *id);
        self.quads.iter().filter(move |quads| quads.made.iter().all(is_made))
    }

    /// The inputs of which some loop brings quads beside each other: a bit for each, the first one's the lowest.
    pub fn inputs_in_quads(&self) -> u32 {
        let of_loop = |turns: &Turns| self.quads_in(turns).fold(0, |bits, quads| bits | 1 << quads.input.0);
        self.turns.iter().map(of_loop).fold(0, |all, bits| all | bits)
    }

    /// The sums of all bytes of quads that a variable of a loop holds behind it, and nothing else reads: a run that has packed the quads
    /// has them, too.
    pub fn sums_in<'q>(&self, turns: &Turns, quads: &'q RowQuads) -> Option<&'q QuadSums> {
        let sums = quads.sums.as_ref().filter(|sums| sums.turn == turns.turn)?;
        let is_variable = |variable: &Variable| {
            let is_after = |(after, own): (&Operand, &VectorId)| *after == Operand::Made(*own);
            variable.now == sums.before && variable.after.iter().zip(&sums.after).all(is_after)
        };
        let mut readers = 0;
        let mut count = |id: VectorId| readers += usize::from(sums.before.contains(&id) || sums.after.contains(&id));
        turns.lines.iter().for_each(|line| self.reads(&line.source, &mut count));
        let after = turns.variables.iter().flat_map(|variable| &variable.after);
        after.for_each(|operand| operand.visit(&mut count));
        // Each sum is read where the next one is made, and that one where the variable is given it.
        (turns.variables.iter().any(is_variable) && readers == 2 * sums.before.len()).then_some(sums)
    }

    /// A loop that loads quads, without the variables that hold these sums.
    pub fn loading(&self, turns: &Turns, quads: &[&RowQuads], sums: &[&QuadSums], vector_bits: u32) -> Turns {
        let mut needed = vec![false; self.vectors.len()];
        let mut loading = turns.clone();
        loading.variables.retain(|variable| sums.iter().all(|sums| sums.before != variable.now));
        let after = loading.variables.iter().flat_map(|variable| &variable.after);
        after.for_each(|operand| operand.visit(&mut |id| needed[id.0 as usize] = true));
        let mut lines: Vec<Line> = turns.lines.iter().map(|line| self.loaded(line, quads, vector_bits)).collect();
        self.mark_needed(&lines, &mut needed);
        lines.retain(|line| line.results.has(&needed));
        loading.lines = lines;
        loading
    }

    /// Loads of what lies where quads do.
    pub fn loads(&self, quads: &RowQuads, vector_bits: u32) -> Vec<Line> {
        let line = |(number, &made): (usize, &VectorId)| Line {
            results: Results::new(made.0 as usize, 1),
            source: self.load(quads, number, vector_bits),
        };
        quads.made.iter().enumerate().map(line).collect()
    }

    /// A statement, or the load of what it makes.
    fn loaded(&self, line: &Line, quads: &[&RowQuads], vector_bits: u32) -> Line {
        let made = line.results.first();
        let own = quads.iter().find_map(|quads| Some((quads, quads.made.iter().position(|id| *id == made)?)));
        match own {
            Some((quads, number)) => Line { source: self.load(quads, number, vector_bits), ..line.clone() },
            None => line.clone(),
        }
    }

    /// The load of a vector of quads.
    fn load(&self, quads: &RowQuads, number: usize, vector_bits: u32) -> Source {
        let lane = self.lane(quads.made[number]);
        let vector = i64::from(vector_bits / lane.bits());
        let place = Place {
            base: Base::Pointer(quads.pointer),
            factor: 1,
            offset: number as i64 * vector,
            apart: i64::from(128 / lane.bits()),
            lane,
        };
        Source::Load { place, count: 1 }
    }
}
