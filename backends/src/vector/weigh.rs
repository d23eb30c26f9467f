//! What the search for a schedule weighed, for a reader: all candidates, and the cost of each value of the chosen one.

use super::{
    Target, schedule,
    subject::{Subject, lanes},
};
use proc_macro2::Span;
use windrow_dsl::ir::{Block, Kernel, ValueId};
use windrow_dsl::optimise::{self, Candidate, CostModel, Graph, Prepared};

/// The search for the schedule of a body.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// Elements in a vector of the narrowest type.
    pub lanes: u32,
    /// Registers that a compiler fills without spilling any.
    pub registers: usize,
    /// Intrinsic calls that a body may have.
    pub most_calls: usize,
    /// Whether the author's `schedule(..)` fixes the block.
    pub is_fixed: bool,
    /// What is emitted.
    pub chosen: Candidate,
    /// Each form in each block that the target may take.
    pub candidates: Vec<Candidate>,
    /// What the values of the chosen one weigh for the elements of one vector, each with its token of the author's. The rest of
    /// its weight is stores, the loop, addresses and what finds no register.
    pub values: Vec<(Span, f64)>,
}

/// What is weighed for the body `index` of [`Prepared::bodies`]; nothing for a body with loops at run time or in
/// lockstep, whose block is found by its program.
pub fn weigh<T: Target>(target: T, kernel: &Kernel, prepared: &Prepared, index: usize) -> Option<Weighed> {
    let machine = target.machine();
    let prepared = if machine.has_fused() { prepared.for_fused(kernel) } else { prepared };
    let (body, forms) = (&prepared.bodies[index], prepared.forms(kernel, index));
    if super::cost_depends_on_run(kernel, body) {
        return None;
    }
    let lanes = lanes(machine, kernel, body);
    let subject = Subject { target, kernel, body, turns: None, forms, lanes, bodies: prepared.bodies.len() };
    let fixed = schedule::fixed(&subject);
    let prices = schedule::prices(&subject, prepared, fixed);
    let choice = optimise::choose(kernel, forms, || lanes, fixed, &prices);
    let chosen = choice.considered[choice.chosen].clone();
    let (rows, columns) = prices.blocks();
    let blocks = rows.iter().flat_map(|&y| columns.iter().map(move |&x| Block { x, y }));
    let in_block = |block| optimise::choose(kernel, forms, || lanes, Some(block), &prices).considered;
    let mut candidates: Vec<Candidate> = blocks.flat_map(in_block).collect();
    // The author's block may be another.
    if !candidates.contains(&chosen) {
        candidates.extend(choice.considered);
    }
    let values = forms.in_rows(choice.chosen, chosen.block.y, |nodes, stores| {
        let graph = Graph::new(kernel, nodes, stores, lanes);
        let weight = |id| prices.price(&graph, id).weight / f64::from(chosen.block.y);
        nodes.iter().zip((0..).map(ValueId)).map(|(node, id)| (node.span, weight(id))).collect()
    });
    let (registers, most_calls) = (prices.registers(), prices.most_calls());
    Some(Weighed { lanes, registers, most_calls, is_fixed: fixed.is_some(), chosen, candidates, values })
}

#[cfg(test)]
mod tests {
    use crate::targets::CPU;
    use windrow_dsl::optimise::prepare;

    #[test]
    fn the_chosen_one_is_the_lightest_and_its_values_are_part_of_it() {
        let source = "#[kernel] fn k(src: Neighbourhood<u8>) -> u8 { ((src.at(-1, 0) as u16 + src.at(0, 1) as u16 * 3) / 4) as u8 }";
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let prepared = prepare(kernel);
        for target in CPU.iter().filter(|target| target.machine.is_some()) {
            let weighed = (target.weigh)(kernel, &prepared, 0).unwrap();
            let emitted = (target.emit)(kernel, &prepared, 0, "k", None).unwrap();
            let block = weighed.chosen.block;
            assert_eq!((block.x * weighed.lanes, block.y), (emitted.columns, emitted.rows), "{}", target.name);
            let least = weighed.candidates.iter().map(|candidate| candidate.weight).fold(f64::MAX, f64::min);
            assert!(weighed.candidates.contains(&weighed.chosen) && weighed.chosen.weight <= 1.1 * least);
            let sum: f64 = weighed.values.iter().map(|(_, weight)| weight).sum();
            assert!(sum > 0.0 && sum < weighed.chosen.weight, "{}: {sum}", target.name);
        }
    }

    #[test]
    fn loops_and_plain_rust_are_not_weighed() {
        let source = "#[kernel] fn k(a: u8) -> u8 { !a }";
        let compiled = windrow_dsl::compile_file(source);
        let prepared = prepare(&compiled.kernels[0].kernel);
        assert!((crate::scalar::TARGET.weigh)(&compiled.kernels[0].kernel, &prepared, 0).is_none());
    }
}
