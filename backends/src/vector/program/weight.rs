//! What a program with loops at run time costs, and the registers that it fills.

use super::{Arg, Call, Line, Program, Source, Turns, VectorId};
use crate::vector::machine::Costs;
use std::collections::BTreeSet;

/// Turns of a loop whose number is not known.
const TURNS: f64 = 32.0;
/// What a turn costs beside its statements.
const TURN: f64 = 1.5;
/// What a scalar costs, which other ports compute; one in all lanes, as most are loads that do both; and a pointer that is
/// compared with the ends of its row.
const SCALAR: f64 = 0.2;
const SPLAT: f64 = 0.5;
const POINTER: f64 = 1.2;

impl Program {
    /// What a step costs, in instructions of a plain kind.
    pub fn weight(&self, costs: &Costs) -> f64 {
        self.weight_of(self.step(), costs) + costs.step + costs.store * self.stores.len() as f64
    }

    fn weight_of(&self, lines: &[Line], costs: &Costs) -> f64 {
        let of_line = |line: &Line| match line.source {
            Source::Call(Call { ref args, .. }) if matches!(args.as_slice(), [Arg::Scalar(..) | Arg::Parts(_)]) => {
                SPLAT
            }
            Source::Call(_) | Source::Gather { .. } | Source::Across { .. } => line.source.cost() as f64,
            Source::Load { .. } | Source::LoadLane { .. } => costs.load,
            Source::Scalar { .. } | Source::Quad(_) | Source::Repeated { .. } | Source::Either { .. } => SCALAR,
            Source::Contiguous { .. } => POINTER,
            Source::Turns(number) => {
                let turns = &self.turns[number];
                turns.most.map_or(TURNS, |most| TURNS.min(most.into())) * (TURN + self.weight_of(&turns.lines, costs))
            }
        };
        lines.iter().map(of_line).sum()
    }

    /// Vector registers that are full at once in the innermost loops.
    pub fn registers(&self) -> usize {
        let is_loop = |line: &Line| matches!(line.source, Source::Turns(_));
        let innermost = self.turns.iter().filter(|turns| !turns.lines.iter().any(is_loop));
        let zeros = self.zeros();
        innermost.map(|turns| self.registers_of(turns, &zeros)).max().unwrap_or(0)
    }

    /// The vectors of zeros, which an instruction without operands makes wherever there is no register to keep one.
    fn zeros(&self) -> BTreeSet<VectorId> {
        let is_zero = |line: &&Line| match &line.source {
            Source::Call(Call { args, .. }) => matches!(args.as_slice(), [Arg::Text(text)] if text == "0"),
            _ => false,
        };
        self.before().iter().filter(is_zero).map(|line| line.results.first()).collect()
    }

    fn registers_of(&self, turns: &Turns, zeros: &BTreeSet<VectorId>) -> usize {
        let is_vector = |id: &VectorId| !self.vectors[id.0 as usize].is_scalar && !zeros.contains(id);
        // What a variable holds is there until it is read last, what comes from outside in every turn.
        let of_turn = turns.lines.iter().flat_map(|line| line.results.list());
        let of_turn: BTreeSet<VectorId> =
            of_turn.chain(turns.variables.iter().flat_map(|variable| variable.now.clone())).collect();
        let (mut held, mut live) = (BTreeSet::new(), BTreeSet::new());
        let read = |id: VectorId, held: &mut BTreeSet<VectorId>, live: &mut BTreeSet<VectorId>| {
            if is_vector(&id) {
                if of_turn.contains(&id) {
                    live.insert(id)
                } else {
                    held.insert(id)
                };
            }
        };
        for operand in turns.variables.iter().flat_map(|variable| &variable.after) {
            operand.visit(&mut |id| read(id, &mut held, &mut live));
        }
        let mut most = live.len();
        for line in turns.lines.iter().rev() {
            line.results.list().iter().for_each(|id| _ = live.remove(id));
            line.source.vectors(&mut |id| read(id, &mut held, &mut live));
            most = most.max(live.len());
        }
        held.len() + most
    }
}
