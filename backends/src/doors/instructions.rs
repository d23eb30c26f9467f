//! What each target makes of a kernel, read off the target's own text: the instructions or functions by name.
//!
//! `explain` prints it, and `docs/language.md` has the column of a target from it.

use crate::opencl;
use crate::targets::{CpuTarget, by_default};
use windrow_dsl::{diagnostic::Diagnostic, ir::Kernel, optimise::Prepared};

/// One body or entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Which one; empty where there is only one.
    pub title: String,
    /// How much it computes at a time.
    pub block: String,
    /// How many elements that are; 0 where there is no body.
    pub elements: u32,
    /// The instructions, or the functions called, in the order of their first use; how often.
    pub calls: Vec<(String, usize)>,
    /// What the target says besides: what goes lane by lane, and why.
    pub notes: Vec<String>,
}

/// The listings of all targets that are written by default, each with its target's name; of one that has no bodies, why.
///
/// # Errors
/// Each operation that a target cannot compute.
pub fn listings(kernel: &Kernel, prepared: &Prepared) -> Result<Vec<(&'static str, Listing)>, Vec<Diagnostic>> {
    let mut all = Vec::new();
    for target in by_default() {
        let bodies = cpu(target, kernel, prepared)?;
        // Few kernels have bodies for bytes; the others are not told so.
        let is_missing = bodies.is_empty() && !target.is_for_bytes;
        let none = is_missing.then(|| none("a body would be no faster than plain Rust"));
        all.extend(bodies.into_iter().chain(none).map(|body| (target.name, body)));
    }
    let of_buffers = opencl(kernel, prepared)?.into_iter().map(|entry| ("opencl", entry));
    let of_images = opencl_images(kernel, prepared)?.into_iter().map(|entry| ("opencl-images", entry));
    all.extend(of_buffers.chain(of_images));
    Ok(all)
}

/// The listings of a CPU target: a body for each choice of variants and subset of outputs.
///
/// # Errors
/// Each operation that it has no instructions for.
pub fn cpu(target: &CpuTarget, kernel: &Kernel, prepared: &Prepared) -> Result<Vec<Listing>, Vec<Diagnostic>> {
    let listing = |(index, body): (usize, crate::rows::EmittedBody)| Listing {
        title: title(kernel, prepared, index),
        block: block(body.columns, body.rows, "step"),
        elements: body.columns * body.rows,
        calls: calls(whole_steps(&body.text), target.is_instruction),
        notes: body.notes,
    };
    Ok(target.bodies(kernel, prepared)?.into_iter().enumerate().map(listing).collect())
}

/// A body's text up to the loop of what whole steps leave.
fn whole_steps(text: &str) -> &str {
    text.split(crate::vector::REST).next().unwrap_or(text)
}

fn opencl(kernel: &Kernel, prepared: &Prepared) -> Result<Vec<Listing>, Vec<Diagnostic>> {
    Ok(entries(&opencl::emit(kernel, prepared).accepted()?))
}

/// The entries of the image form, or why there are none.
fn opencl_images(kernel: &Kernel, prepared: &Prepared) -> Result<Vec<Listing>, Vec<Diagnostic>> {
    Ok(match opencl::emit_images(kernel, prepared, None) {
        Ok(program) => entries(&program.accepted()?),
        Err(reason) => vec![none(&reason.to_string())],
    })
}

/// What stands in the place of bodies or entries where there are none.
fn none(reason: &str) -> Listing {
    Listing {
        title: String::new(),
        block: format!("none: {reason}"),
        elements: 0,
        calls: Vec::new(),
        notes: Vec::new(),
    }
}

fn entries(program: &opencl::OpenClText) -> Vec<Listing> {
    let listing = |entry: &opencl::EntryPoint| Listing {
        title: if program.entries.len() == 1 { String::new() } else { entry.name.clone() },
        block: block(entry.block.0, entry.block.1, "work-item"),
        elements: entry.block.0 * entry.block.1,
        calls: calls(&block_text(&program.source, &entry.name), |_| true),
        notes: entry.group.map(of_group).into_iter().collect(),
    };
    program.entries.iter().map(listing).collect()
}

/// What is said of an entry whose work-groups have tiles.
fn of_group((x, y, planes): (u32, u32, u32)) -> String {
    format!("work-groups of {x} x {y} x {planes} read what their rows or columns share into local memory")
}

/// The statements of the function that computes an entry's block.
pub fn block_text(source: &str, entry: &str) -> String {
    let of = |ty: &str| source.split_once(&format!("INLINE {ty} {entry}_block("));
    let body = of("void").or_else(|| of("bool")).and_then(|(_, rest)| rest.split_once("\n{\n"));
    body.and_then(|(_, body)| body.split("\n}\n").next()).unwrap_or_default().to_owned()
}

/// Which of a kernel's bodies it is: `policy = Wrap, only dx`; empty where there is only one.
pub fn title(kernel: &Kernel, prepared: &Prepared, index: usize) -> String {
    let body = &prepared.bodies[index];
    let value = |(variant, &choice): (&windrow_dsl::ir::Variant, &u32)| {
        format!("{} = {}", variant.name, variant.values.get(choice as usize).map_or("", String::as_str))
    };
    let mut parts: Vec<String> = kernel.variants.iter().zip(&body.choice).map(value).collect();
    let subset = prepared.subsets[index % prepared.subsets.len()];
    let is_written = |place: usize| subset & (1 << place) != 0;
    let written = || kernel.outputs.iter().enumerate().filter(|(place, _)| is_written(*place));
    if written().count() < kernel.outputs.len() {
        let names: Vec<&str> = written().map(|(_, output)| output.name.as_str()).collect();
        parts.push(format!("only {}", names.join(", ")));
    }
    parts.join(", ")
}

/// The calls of intrinsics in a body's text, those that become no instruction too: what a compiler has to read.
pub fn intrinsics(text: &str) -> usize {
    let is_intrinsic = |name: &str| name.starts_with("_mm") || name.starts_with('v') && name.contains('_');
    calls(text, is_intrinsic).into_iter().map(|(_, count)| count).sum()
}

fn block(columns: u32, rows: u32, unit: &str) -> String {
    match (columns, rows) {
        (1, 1) => format!("1 element a {unit}"),
        (_, 1) => format!("{columns} elements a {unit}"),
        (_, _) => format!("{columns} x {rows} elements a {unit}"),
    }
}

/// The functions that a text calls and whose name is `wanted`, with how often, in the order of their first call.
fn calls(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in code {
        for (place, _) in line.match_indices('(') {
            // `vshrn_n_u16::<4>(` is a call of vshrn_n_u16.
            let before = &line[..place];
            let before =
                if before.ends_with('>') { before.rsplit_once("::<").map_or(before, |(name, _)| name) } else { before };
            let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |place| place + 1);
            let name = &before[start..];
            if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !wanted(name) {
                continue;
            }
            match found.iter_mut().find(|(own, _)| own == name) {
                Some((_, count)) => *count += 1,
                None => found.push((name.to_owned(), 1)),
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
        let text = "// f(not this)\nlet a = vaddq_u8(vld1q_u8(p), b);\nlet c = g::<1>(vshrn_n_u16::<4>(a));\nlet d = (a + vaddq_u8(a, c));";
        let expected = [("vaddq_u8", 2), ("vld1q_u8", 1), ("g", 1), ("vshrn_n_u16", 1)];
        assert_eq!(calls(text, |_| true), expected.map(|(name, count)| (name.to_owned(), count)));
    }
}
