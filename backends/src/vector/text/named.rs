//! The names of vectors.

use super::Printer;
use crate::namer::{Name, numbered};
use crate::vector::program::{Source, Vector, VectorId};

impl<T> Printer<'_, T> {
    /// Names the vectors that something reads.
    pub(super) fn name_vectors(&mut self) {
        let mut is_read = vec![false; self.program.vectors.len()];
        for line in self.program.lines() {
            self.program.reads(&line.source, &mut |id| is_read[id.0 as usize] = true);
            if let Source::Turns(_) = line.source {
                is_read[line.results.places()].fill(true);
            }
        }
        for store in &self.program.stores {
            store.vectors.iter().for_each(|id| is_read[id.0 as usize] = true);
        }
        for line in self.program.lines() {
            let turn =
                if let Source::Turns(number) = line.source { Some(self.program.turns(number).turn) } else { None };
            if let Some(VectorId(turn)) = turn {
                self.vectors[turn as usize] = Some(self.name_like(&self.program.vectors[turn as usize]));
            }
            for place in line.results.places().filter(|place| is_read[*place]) {
                self.vectors[place] = Some(self.name_like(&self.program.vectors[place]));
            }
        }
    }

    /// A name as a vector would like it.
    fn name_like(&mut self, vector: &Vector) -> Name {
        match vector.part {
            None => self.names.claim(&vector.name),
            Some(part) => self.names.claim(&numbered(&vector.name, part as u32)),
        }
    }
}
