//! Where the pointers of a step are found.

use super::{Program, Source};
use crate::scopes::MOST_STATEMENTS;

/// Reads of neighbouring elements in a step from which on all of its pointers come first.
const MANY_READS: usize = 8;

impl Program {
    /// Puts the scalars and pointers of a step without loops before its vectors, where it reads neighbouring elements in many places: to
    /// find each may be a call, across which no vector stays in its register. A step in blocks stays as it is: what a pointer leads to may
    /// end with its block.
    pub fn put_pointers_first(&mut self) {
        let step = self.step();
        let depends_on_vectors = |source: &Source| matches!(source, Source::Turns(_) | Source::Across { .. });
        let reads = step.iter().filter(|line| matches!(line.source, Source::Contiguous { .. })).count();
        let is_apart = step.len() <= MOST_STATEMENTS && !step.iter().any(|line| depends_on_vectors(&line.source));
        if reads >= MANY_READS && is_apart && self.fences.is_empty() {
            // What scalars are computed from are scalars.
            self.depths.last_mut().into_iter().for_each(|lines| lines.sort_by_key(|line| !line.source.is_scalar()));
        }
    }
}
