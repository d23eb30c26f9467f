//! The proof: nothing that Rust could panic on, and no integer that changes its value unsaid.
//!
//! [`prove`] is called once for each body after lowering; [`proved_ranges`] while optimising, which keeps what was
//! proved; [`ranges`] for optimised bodies, whose operations demand nothing any more. The domain: intervals (floats with a NaN flag), polynomials over atoms, order facts, and what
//! path conditions and the kernel's declarations say. Memory safety never rests on it.
//!
//! A new operation has an arm in `integers` or `floats` (its interval), in `candidate` (is it a polynomial?), in
//! `facts` (its order) and in `obligation` (what it demands); the compiler lists them.

mod analysis;
mod apart;
mod assume;
mod bounding;
mod breach;
mod candidate;
mod chain;
mod context;
mod contexts;
mod counterexample;
mod declared;
mod demand;
mod explain;
mod facts;
mod floats;
mod integers;
mod invariants;
mod lattice;
mod limits;
mod messages;
mod monomial;
mod names;
mod obligation;
mod order_facts;
mod polynomial;
mod reductions;
mod refine;
mod remedies;
mod transfer;
mod windows;

#[cfg(test)]
mod tests;

pub use explain::{Proved, explain, proofs};

use crate::diagnostic::Diagnostic;
use crate::ir::{Body, Facts, Kernel, Node, Range, Type, ValueId};
use demand::Mode;

/// Proves every obligation of `body`: what its values can be, and what could not be proved.
pub fn prove(kernel: &Kernel, body: &Body) -> (Facts, Vec<Diagnostic>) {
    let analysis = analysis::analyse(kernel, body, Mode::Prove);
    let diagnostics = messages::diagnostics(&analysis);
    (Facts { ranges: analysis.ranges }, diagnostics)
}

/// What the operations of `body` demand and its declarations do not give them, in words: each rule once.
pub fn demands(kernel: &Kernel, body: &Body) -> Vec<&'static str> {
    let analysis = analysis::analyse(kernel, body, Mode::Prove);
    let mut rules: Vec<demand::Rule> = analysis.failures.iter().map(|failure| failure.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.into_iter().map(demand::Rule::words).collect()
}

/// What the values of a body can be whose checked operations were all proved, in it or in the body that it came from. What is
/// `known` there of variables of loops is tried here first.
pub fn proved_ranges(kernel: &Kernel, body: &Body, known: &[Option<Range>]) -> Facts {
    Facts { ranges: analysis::analyse_known(kernel, body, Mode::Proved, known).ranges }
}

/// What a node gives whose operands' ranges and types are known. Inputs, uniforms and tables hold anything of their
/// type; a checked operation stays in its type, because it was proved to; floats may be rounded as in a `fast` kernel.
pub fn node_range(node: &Node, get: &impl Fn(ValueId) -> Range, ty: &impl Fn(ValueId) -> Type) -> Range {
    transfer::outcome(node, get, ty, &|a, b| a == b, true).range(node.ty)
}

/// What the values of an optimised body can be: operations that may leave their type wrap.
pub fn ranges(kernel: &Kernel, body: &Body) -> Facts {
    Facts { ranges: analysis::analyse(kernel, body, Mode::Ranges).ranges }
}
