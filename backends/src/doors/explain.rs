//! What `windrow explain` prints: the proof of each body, and the instructions that each target makes of it.

use crate::{neon, opencl, scalar};
use std::{collections::BTreeMap, fmt::Write};
use windrow_dsl::{
    CompiledKernel, analyse,
    ir::Kernel,
    optimise::{Prepared, prepare},
};

/// Everything that is known about a kernel.
pub fn text(compiled: &CompiledKernel) -> String {
    let kernel = &compiled.kernel;
    let prepared = prepare(kernel);
    let mut out = String::new();
    for (body, facts) in kernel.bodies.iter().zip(&compiled.facts) {
        out.push_str(&analyse::explain(kernel, body, facts));
    }
    neon_instructions(&mut out, kernel, &prepared);
    scalar_notes(&mut out, kernel, &prepared);
    opencl_calls(&mut out, kernel, &prepared);
    out
}

fn neon_instructions(out: &mut String, kernel: &Kernel, prepared: &Prepared) {
    out.push_str("  neon\n");
    for index in 0..prepared.bodies.len() {
        let body = neon::emit(kernel, prepared, index, "body");
        // Writing to a String cannot fail.
        let _ = writeln!(out, "    body {index}: {} elements x {} rows a step", body.lanes, body.rows);
        let intrinsics = calls(&body.text, is_instruction);
        write_counts(out, &intrinsics);
        write_notes(out, &body.notes);
    }
}

/// Whether a function is an intrinsic that becomes an instruction: to see a register otherwise takes none.
fn is_instruction(name: &str) -> bool {
    let is_view = ["vreinterpret", "vget_low"].iter().any(|view| name.starts_with(view));
    name.starts_with('v') && name.contains('_') && !is_view
}

fn scalar_notes(out: &mut String, kernel: &Kernel, prepared: &Prepared) {
    out.push_str("  scalar\n");
    for index in 0..prepared.bodies.len() {
        let body = scalar::emit(kernel, prepared, index, "body");
        let _ = writeln!(out, "    body {index}: {} elements x {} rows a step", body.lanes, body.rows);
        write_notes(out, &body.notes);
    }
}

fn opencl_calls(out: &mut String, kernel: &Kernel, prepared: &Prepared) {
    out.push_str("  opencl\n");
    let program = opencl::emit(kernel, prepared);
    for entry in &program.entries {
        let (x, y) = entry.block;
        let _ = writeln!(out, "    {}: {x} elements x {y} rows a work-item", entry.name);
        let head = format!("INLINE void {}_block(", entry.name);
        let body = program.source.split_once(&head).and_then(|(_, rest)| rest.split_once("\n{\n"));
        let body = body.map_or("", |(_, body)| body.split("\n}\n").next().unwrap_or_default());
        write_counts(out, &calls(body, |_| true));
    }
}

fn write_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "      {note}");
    }
}

/// The counts, some on a line.
fn write_counts(out: &mut String, counts: &BTreeMap<String, usize>) {
    let texts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    for line in texts.chunks(4) {
        let _ = writeln!(out, "      {}", line.join(", "));
    }
}

/// The functions that a text calls and whose name is `wanted`, with how often.
fn calls(text: &str, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in code {
        for (place, _) in line.match_indices('(') {
            // `vshrn_n_u16::<4>(` is a call of vshrn_n_u16.
            let before =
                line[..place].split("::<").next().filter(|_| line[..place].ends_with('>')).unwrap_or(&line[..place]);
            let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |place| place + 1);
            let name = &before[start..];
            if name.starts_with(|c: char| c.is_ascii_alphabetic()) && wanted(name) {
                *found.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn calls_are_counted() {
        let text = "// f(not this)\nlet a = vaddq_u8(vld1q_u8(p), b);\nlet c = vshrn_n_u16::<4>(a);\nlet d = (a + vaddq_u8(a, c));";
        let found: Vec<_> = calls(text, |_| true).into_iter().collect();
        let expected = [("vaddq_u8", 2), ("vld1q_u8", 1), ("vshrn_n_u16", 1)];
        assert_eq!(found, expected.map(|(name, count)| (name.to_owned(), count)));
    }
}
