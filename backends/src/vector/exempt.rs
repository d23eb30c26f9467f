//! The operations that an instruction set has no vector form for, as data: they go lane by lane, `explain` says so, and a
//! kernel with `deny(scalar)` that needs one is refused.

use super::lockstep::{in_vectors, lockstep};
use super::machine::Machine;
pub use super::machine::{Builtin, Exemption};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{Body, Kernel, Node, Op, ValueId};
use windrow_dsl::optimise::{Prepared, Sharing, sharing};

/// An exempted operation of a body.
#[derive(Clone, Debug)]
pub struct Found {
    /// What `explain` prints.
    pub text: String,
    /// The author's expression.
    pub span: proc_macro2::Span,
    /// What a message calls it, and the way out.
    what: (&'static str, &'static str),
}

const MUL_ADD: &str = "mul_add, lane by lane";

/// The exempted operations of a body.
pub fn in_body(machine: &Machine, kernel: &Kernel, body: &Body) -> Vec<Found> {
    if let Some(sharing) = sharing(kernel, body) {
        return shared(kernel, body, &sharing);
    }
    let together = lockstep(kernel, body);
    let is_apart = has_loops(&body.nodes) && together.is_none();
    let body = together.as_ref().unwrap_or(body);
    let in_vectors = in_vectors(body);
    let found = body.nodes.iter().zip(in_vectors).filter_map(|(node, is_in_vectors)| {
        let reason = match node.op {
            Op::Turn { .. } if is_apart => "elements take different numbers of iterations",
            _ if !is_in_vectors && !is_apart => return None,
            _ => machine.exemptions.iter().find(|row| row.covers(kernel, body, node))?.reason,
        };
        let text = format!("{}: {reason}", subject(kernel, node));
        Some(Found { text, span: node.span, what: what(node) })
    });
    found.collect()
}

/// What `explain` says of them: each text once, with how often it is true.
pub fn notes(machine: &Machine, kernel: &Kernel, body: &Body) -> Vec<String> {
    let mut texts: Vec<(String, usize)> = Vec::new();
    for found in in_body(machine, kernel, body) {
        match texts.iter_mut().find(|(known, _)| *known == found.text) {
            Some((_, count)) => *count += 1,
            None => texts.push((found.text, 1)),
        }
    }
    let note = |(text, count)| if count == 1 { text } else { format!("{text} ({count} times)") };
    texts.into_iter().map(note).collect()
}

/// The loops of a body of which elements share turns: it is plain Rust.
fn shared(kernel: &Kernel, body: &Body, sharing: &Sharing) -> Vec<Found> {
    let turns = body.nodes.iter().enumerate().filter(|(index, _)| sharing.is_shared(ValueId(*index as u32)));
    let found = turns.map(|(_, node)| {
        let text = format!("{}: elements share its iterations", subject(kernel, node));
        Found { text, span: node.span, what: what(node) }
    });
    found.collect()
}

/// What goes lane by lane.
fn subject(kernel: &Kernel, node: &Node) -> String {
    match node.op {
        Op::Lookup { table, .. } => {
            let table = &kernel.tables[table.0 as usize];
            format!("{}: {} entries of {} bits, lane by lane", table.name, table.length, table.ty.bits())
        }
        Op::Gather { input, .. } => {
            let input = &kernel.inputs[input.0 as usize];
            format!("{}: elements of {} bits, lane by lane", input.name, input.ty.bits())
        }
        Op::Turn { .. } => "a loop with computed ends, element by element".to_owned(),
        _ => MUL_ADD.to_owned(),
    }
}

/// What a message calls an exempted operation, and the way out.
fn what(node: &Node) -> (&'static str, &'static str) {
    match node.op {
        Op::Lookup { .. } => ("look-up", "use a table of at most 256 bytes, or remove `deny(scalar)`"),
        Op::Gather { .. } => ("read at a computed place", "read at constant offsets, or remove `deny(scalar)`"),
        Op::Turn { .. } => (
            "loop with computed ends",
            "use ends that are as far apart for all elements of a row, or remove `deny(scalar)`",
        ),
        _ => ("`mul_add`", "write the product and the sum apart, or remove `deny(scalar)`"),
    }
}

/// The mistakes of a kernel that says `deny(scalar)`: an operation that one of the machines computes lane by lane.
pub fn refuse(machines: &[&Machine], kernel: &Kernel, prepared: &Prepared) -> Vec<Diagnostic> {
    if !kernel.deny_scalar {
        return Vec::new();
    }
    // One mistake a place, whatever the machines and the bodies that have it.
    let mut refused: Vec<(String, Found, Vec<&str>)> = Vec::new();
    for machine in machines {
        for found in prepared.bodies.iter().flat_map(|body| in_body(machine, kernel, body)) {
            let place = format!("{:?}", found.span);
            match refused.iter_mut().find(|(known, ..)| *known == place) {
                Some((.., names)) if names.contains(&machine.name) => {}
                Some((.., names)) => names.push(machine.name),
                None => refused.push((place, found, vec![machine.name])),
            }
        }
    }
    let refused = refused.into_iter().map(|(_, found, names)| {
        let (what, help) = found.what;
        let message = format!("this {what} goes lane by lane on {}, which `deny(scalar)` forbids", in_words(&names));
        Diagnostic::at(found.span, message, help).note(found.text)
    });
    refused.collect()
}

/// `NEON, AVX2 and SSE4.1`.
fn in_words(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use windrow_dsl::optimise::prepare;

    fn refused(source: &str) -> usize {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty());
        compiled
            .kernels
            .iter()
            .map(|kernel| crate::targets::refuse_scalar(&kernel.kernel, &prepare(&kernel.kernel)).len())
            .sum()
    }

    #[test]
    fn a_wide_table_is_refused_on_request() {
        let kernel = "pub fn look(x: u8, lut: Table<i16, 256>) -> i16 { lut[x] }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 1);
        assert_eq!(refused(&format!("#[kernel] {kernel}")), 0);
    }

    #[test]
    fn a_read_anywhere_is_refused_on_request() {
        let kernel = "pub fn far([y, x]: At<2>, src: View<f32>) -> f32 { src.get([x, y]).unwrap_or(0.0) }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 1);
        assert_eq!(refused(&format!("#[kernel] {kernel}")), 0);
    }

    #[test]
    fn a_loop_is_refused_on_request() {
        let kernel =
            "pub fn turns(n: u8) -> u8 { let mut sum = 0u8; for i in 0..n { sum = sum.wrapping_add(i); } sum }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 1);
        assert_eq!(refused(&format!("#[kernel] {kernel}")), 0);
    }

    #[test]
    fn shared_turns_are_refused_on_request() {
        let kernel = "pub fn sums([y, x]: At<2>, src: View<u8>) -> u8 {
            let mut sum = 0u8; for i in 0..y { sum = sum.wrapping_add(src.get([i, x]).unwrap_or(0)); } sum }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 1);
        assert_eq!(refused(&format!("#[kernel] {kernel}")), 0);
    }

    #[test]
    fn a_table_of_bytes_is_not() {
        let kernel = "pub fn look(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 0);
    }
}
