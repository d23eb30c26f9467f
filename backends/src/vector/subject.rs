//! What is emitted, and how many elements each of its values has in a step.

use super::across::across;
use super::decompose;
use super::in_turns::InTurns;
use super::lockstep::{in_vectors, lockstep};
use super::machine::Machine;
use windrow_dsl::ir::{Body, Kernel, Type};
use windrow_dsl::optimise::Forms;

/// What is emitted: a prepared body, its forms, the lanes of all its values, and how many bodies the kernel has.
pub struct Subject<'a, T> {
    pub target: T,
    pub kernel: &'a Kernel,
    pub body: &'a Body,
    /// The same in lockstep, in terms of the target, where that is its form.
    pub turns: Option<InTurns>,
    pub forms: &'a Forms,
    pub lanes: u32,
    pub bodies: usize,
}

/// Elements of the narrowest type that fill a vector: the lanes of all values of a step.
pub fn lanes(machine: &Machine, kernel: &Kernel, body: &Body) -> u32 {
    let outputs = kernel.outputs.iter().map(|output| output.ty);
    let mut narrowest = outputs.map(Type::bits).min().unwrap_or(8).max(8);
    // No type is narrower than a byte, so that only other bodies are looked at as they will be.
    if narrowest > 8 {
        // Lanes are of the same types, however many there are.
        let lockstep = lockstep(kernel, body).map(|body| across(machine, kernel, body, 32));
        let legal = decompose::needed(machine, kernel, lockstep.as_ref().unwrap_or(body));
        let in_vectors = legal.nodes.iter().zip(in_vectors(&legal)).filter(|(_, is_in_vectors)| *is_in_vectors);
        let values = in_vectors.map(|(node, _)| node.ty).filter(|&ty| ty != Type::BOOL);
        narrowest = values.map(Type::bits).min().map_or(narrowest, |bits| bits.min(narrowest));
    }
    machine.bits() / narrowest
}
