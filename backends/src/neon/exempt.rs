//! The operations that NEON has no vector form for, as data: they go lane by lane, `explain` says so, and a kernel with
//! `deny(scalar)` that needs one is refused.

use windrow_dsl::arithmetic::bits;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{Body, Kernel, Op, Type};
use windrow_dsl::optimise::Prepared;

/// A builtin, the types for which it goes lane by lane, and why.
#[derive(Clone, Copy, Debug)]
pub struct Exemption {
    /// The builtin.
    pub builtin: &'static str,
    /// Entry types, or operand types.
    pub types: &'static [Type],
    /// The greatest table that needs no exemption.
    pub above: u32,
    /// The tier.
    pub tier: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// The table. Division by an element's own value is not in it: it is a division of floats, exact after truncation.
pub const EXEMPTIONS: &[Exemption] = &[
    Exemption {
        builtin: "table",
        types: &[Type::U8, Type::I8],
        above: 256,
        tier: "neon",
        reason: "table instructions reach 256 entries",
    },
    Exemption {
        builtin: "table",
        types: &[Type::U16, Type::I16, Type::U32, Type::I32, Type::F32],
        above: 0,
        tier: "neon",
        reason: "NEON cannot gather entries wider than a byte",
    },
];

/// An exempted operation of a body.
#[derive(Clone, Debug)]
pub struct Found {
    /// What `explain` prints.
    pub text: String,
    /// The author's expression.
    pub span: proc_macro2::Span,
}

/// The exempted operations of a body.
pub fn in_body(kernel: &Kernel, body: &Body) -> Vec<Found> {
    let mut found = Vec::new();
    for node in &body.nodes {
        let Op::Lookup { table, .. } = node.op else { continue };
        let table = &kernel.tables[table.0 as usize];
        let exemption = EXEMPTIONS.iter().find(|row| row.types.contains(&table.ty) && table.length > row.above);
        if let Some(row) = exemption {
            let (name, length, width) = (&table.name, table.length, bits(table.ty));
            let text = format!("{name}: {length} entries of {width} bits, lane by lane: {}", row.reason);
            found.push(Found { text, span: node.span });
        }
    }
    found
}

/// The mistakes of a kernel that says `deny(scalar)`.
pub fn refuse(kernel: &Kernel, prepared: &Prepared) -> Vec<Diagnostic> {
    if !kernel.deny_scalar {
        return Vec::new();
    }
    let help = "use a table of at most 256 bytes, or remove `deny(scalar)`";
    let mut found: Vec<Found> = prepared.bodies.iter().flat_map(|body| in_body(kernel, body)).collect();
    // The bodies of all variants hold the same expression.
    let mut seen = Vec::new();
    found.retain(|found| {
        let place = format!("{:?} {}", found.span, found.text);
        let is_new = !seen.contains(&place);
        seen.push(place);
        is_new
    });
    let refused = found.into_iter().map(|found| {
        let message = "this look-up goes lane by lane on NEON, which `deny(scalar)` forbids";
        Diagnostic::at(found.span, message, help).note(found.text)
    });
    refused.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::optimise::prepare;

    fn refused(source: &str) -> usize {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty());
        compiled.kernels.iter().map(|kernel| refuse(&kernel.kernel, &prepare(&kernel.kernel)).len()).sum()
    }

    #[test]
    fn a_wide_table_is_refused_on_request() {
        let kernel = "pub fn look(x: u8, lut: Table<i16, 256>) -> i16 { lut[x] }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 1);
        assert_eq!(refused(&format!("#[kernel] {kernel}")), 0);
    }

    #[test]
    fn a_table_of_bytes_is_not() {
        let kernel = "pub fn look(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }";
        assert_eq!(refused(&format!("#[kernel(deny(scalar))] {kernel}")), 0);
    }
}
