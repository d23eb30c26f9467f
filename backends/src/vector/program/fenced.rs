//! What the fences of a program hold back.

use super::{Lane, Line, Program, Source, VectorId};

/// The most vectors that one fence holds back: operands of one `asm!`.
const MOST_FENCED: usize = 15;

impl Program {
    /// Before each statement of a step, the vectors that a fence there holds back: computed before it, used after. Empty
    /// where there are no fences.
    pub fn fenced(&self) -> Vec<Vec<VectorId>> {
        if self.fences.is_empty() {
            return Vec::new();
        }
        let place_of = |line: &Line| self.vectors[line.results.places().start].place;
        let mut last_use = vec![0u32; self.vectors.len()];
        for line in self.step() {
            let place = place_of(line);
            line.source.vectors(&mut |id| last_use[id.0 as usize] = place);
        }
        for store in &self.stores {
            store.vectors.iter().for_each(|id| last_use[id.0 as usize] = u32::MAX);
        }
        // What was computed so far and is still to be used; the statements are in the order of their places.
        let mut computed: Vec<usize> = Vec::new();
        let (mut fence, mut held) = (0, Vec::with_capacity(self.step().len()));
        for line in self.step() {
            let place = place_of(line);
            let mut live = Vec::new();
            if self.fences.get(fence).is_some_and(|&fence| fence <= place) {
                while self.fences.get(fence).is_some_and(|&fence| fence <= place) {
                    fence += 1;
                }
                computed.retain(|&id| last_use[id] >= place);
                if computed.len() <= MOST_FENCED {
                    live.extend(computed.iter().map(|&id| VectorId(id as u32)));
                }
            }
            held.push(live);
            if let Source::Call(_) = line.source {
                // A fence holds vector registers, not predicates.
                let is_vector = |&id: &usize| self.vectors[id].lane != Lane::PREDICATE;
                computed.extend(line.results.places().filter(is_vector));
            }
        }
        held
    }
}
