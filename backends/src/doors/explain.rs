//! What `windrow explain` prints: the proof of each body, and the instructions that each target makes of it.

use crate::opencl;
use std::{collections::BTreeMap, fmt::Write};
use windrow_dsl::{CompiledKernel, analyse, optimise::prepare};

/// Everything that is known about a kernel.
pub fn text(compiled: &CompiledKernel) -> String {
    let kernel = &compiled.kernel;
    let mut out = String::new();
    for (body, facts) in kernel.bodies.iter().zip(&compiled.facts) {
        out.push_str(&analyse::explain(kernel, body, facts));
        out.push('\n');
    }
    let prepared = prepare(kernel);
    let program = opencl::emit(kernel, &prepared);
    out.push_str("  opencl\n");
    for entry in &program.entries {
        let (x, y) = entry.block;
        let _ = writeln!(
            out,
            "    {}, {x} x {y} elements a work-item: {}",
            entry.name,
            counted(&calls(&program.source, &entry.name))
        );
    }
    out
}

/// The calls in the block function of an entry, and how often each stands there.
fn calls(source: &str, entry: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let head = format!("INLINE void {entry}_block(");
    let body = source.split_once(&head).map_or("", |(_, rest)| rest.split("\n}\n").next().unwrap_or_default());
    for line in body.lines().skip(1) {
        for (place, _) in line.match_indices('(') {
            let name: String =
                line[..place].chars().rev().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if !name.is_empty() {
                *found.entry(name.chars().rev().collect()).or_insert(0) += 1;
            }
        }
    }
    found
}

fn counted(calls: &BTreeMap<String, usize>) -> String {
    calls.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}
