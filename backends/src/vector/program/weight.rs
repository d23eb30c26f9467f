//! What a program with loops at run time costs, and the registers that it fills.

use super::{Arg, Call, Line, Program, Source, Turns, VectorId};
use crate::text::counted;
use crate::vector::machine::Costs;
use std::collections::BTreeSet;
use std::rc::Rc;

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

    /// Instructions of one step, and of a turn of each loop at run time, in words.
    pub fn explain(&self, elements: &str) -> String {
        let (mut turns, mut step) = (Vec::new(), self.stores.len() + self.halves());
        for (depth, lines) in self.depths.iter().enumerate() {
            let own = self.explain_turns(lines, &mut turns);
            step += if depth + 1 == self.depths.len() { own } else { 0 };
        }
        let turns = turns.into_iter().map(|(name, cost)| format!(", {cost} in each iteration of the loop over {name}"));
        format!("{} for {elements}{}", counted(step, "instruction"), turns.collect::<String>())
    }

    /// Instructions of statements outside the loops among them, whose turns are listed.
    fn explain_turns(&self, lines: &[Line], list: &mut Vec<(Rc<str>, usize)>) -> usize {
        let mut cost = 0;
        for line in lines {
            match line.source {
                Source::Turns(number) => {
                    let (turns, place) = (&self.turns[number], list.len());
                    list.push((Rc::clone(&self.vectors[turns.turn.0 as usize].name), 0));
                    list[place].1 = self.explain_turns(&turns.lines, list);
                }
                ref source => cost += source.cost(),
            }
        }
        cost
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

#[cfg(test)]
mod tests {
    use crate::neon::TARGET;

    /// What a body's first note says.
    fn note(source: &str) -> String {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let kernel = &compiled.kernels[0].kernel;
        (TARGET.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "f", None).unwrap().notes.swap_remove(0)
    }

    #[test]
    fn a_turn_of_each_loop_is_counted() {
        let outside = "#[kernel(window(n), schedule(neon(4, 1)))] fn f([r]: At<1>, #[shape(n)] a: View<f32, 1>, b: View<f32, 1>) -> f32 {
            let [count] = b.extents(); a[[r]] - sum(0..count, |k| b[[k]])
        }";
        let text = note(outside);
        let (both, _) = text.split_once(" in each iteration of the loop over k").unwrap();
        let (step, turn) = both.split_once(" instructions for 4 x 1 elements, ").unwrap();
        assert!(step.parse::<u32>().unwrap() > 2 && turn.parse::<u32>().unwrap() > 0, "{text}");
        let nested = "#[kernel(window(h, w))] fn f([y, x]: At<2>, #[shape(h, w)] a: View<f32, 2>, #[uniform(1..=9)] n: i32) -> f32 {
            let mut sum = 0.0;
            for ky in 0..n { for kx in 0..n { sum += a.get([y + ky, x + kx]).unwrap_or(0.0); } }
            sum
        }";
        let text = note(nested);
        let places = ["loop over ky", "loop over kx"].map(|place| text.find(place).unwrap());
        assert!(places[0] < places[1], "{text}");
    }

    #[test]
    fn one_instruction_is_one() {
        let text = note("#[kernel(schedule(neon(16, 1)))] fn f(a: u8) -> u8 { 7 + (a & 0) }");
        assert_eq!(text, "1 instruction for 16 x 1 elements");
    }
}
