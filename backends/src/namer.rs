//! Names in emitted Rust: the author's own where there is one, else what the operation gives; unique in the function.

use crate::rows::offset_name;
use std::collections::BTreeSet;
use windrow_dsl::ir::{Axis, BinaryOp, Kernel, Node, Op, UnaryOp};

/// Hands out names within one function.
#[derive(Clone, Debug)]
pub struct Namer {
    taken: BTreeSet<String>,
}

impl Default for Namer {
    fn default() -> Self {
        Self { taken: RESERVED.iter().map(|&name| name.to_owned()).collect() }
    }
}

impl Namer {
    /// A name that nothing else has: `wanted`, or `wanted_2`, `wanted_3`, …
    pub fn claim(&mut self, wanted: &str) -> String {
        self.claim_family(wanted, &[])
    }

    /// The same for a name that brings others with it: itself with each of `parts` behind.
    pub fn claim_family(&mut self, wanted: &str, parts: &[&str]) -> String {
        let wanted = legal(wanted);
        let free = |name: &str| {
            !self.taken.contains(name) && parts.iter().all(|part| !self.taken.contains(&format!("{name}{part}")))
        };
        let numbered = (2..).map(|count| format!("{wanted}_{count}"));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| free(name)).unwrap_or(wanted);
        self.taken.extend(parts.iter().map(|part| format!("{name}{part}")));
        self.taken.insert(name.clone());
        name
    }

    /// The name of a node's value.
    pub fn value(&mut self, kernel: &Kernel, node: &Node) -> String {
        self.claim(&wanted(kernel, node))
    }
}

/// A name that reads like the author's, made of characters that Rust allows everywhere.
fn legal(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out: String =
        name.chars().map(|c| if is_plain(c) { c.to_string() } else { format!("u{:x}", u32::from(c)) }).collect();
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) || out == "_" {
        out.insert_str(0, "value_");
    }
    let looks_like_an_intrinsic = out.starts_with('v') && out.len() > 4 && out.contains("_");
    if looks_like_an_intrinsic || out.starts_with(|c: char| c.is_ascii_uppercase()) {
        // Neither an intrinsic nor a constant in scope may be meant: a `let` of a constant's name is a pattern.
        out = format!("the_{}", out.to_ascii_lowercase());
    }
    out
}

/// The author's name, or the operation's.
pub fn wanted(kernel: &Kernel, node: &Node) -> String {
    if let Op::Input { input, channel, dx, dy } = node.op {
        let input = &kernel.inputs[input.0 as usize];
        let name = match node.label() {
            Some(name) if input.channels > 1 => name,
            _ if input.channels > 1 => format!("{}_{channel}", input.name),
            _ => input.name.clone(),
        };
        let is_centre = (dx, dy) == (0, 0) && !input.is_neighbourhood;
        return if is_centre { name } else { format!("{name}_{}_{}", offset_name(dx), offset_name(dy)) };
    }
    node.label().unwrap_or_else(|| of_operation(kernel, &node.op))
}

fn of_operation(kernel: &Kernel, op: &Op) -> String {
    let word = match *op {
        Op::Uniform { uniform, index } => {
            let uniform = &kernel.uniforms[uniform.0 as usize];
            return if uniform.dims.is_empty() { uniform.name.clone() } else { format!("{}_{index}", uniform.name) };
        }
        Op::Derived { index } => return format!("derived_{index}"),
        Op::Lookup { table, .. } => return format!("{}_entry", kernel.tables[table.0 as usize].name),
        Op::Constant(_) => "constant",
        Op::Input { .. } => "element",
        Op::Coordinate { axis: Axis::X, .. } => "column",
        Op::Coordinate { axis: Axis::Y, .. } => "row",
        Op::Unary(op, _) => of_unary(op),
        Op::Binary(op, ..) => of_binary(op),
        Op::MulAdd(..) => "sum",
        Op::Select { .. } => "chosen",
        Op::Cast(..) => "cast",
    };
    word.to_owned()
}

fn of_unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg | UnaryOp::WrappingNeg | UnaryOp::SaturatingNeg => "negated",
        UnaryOp::Not => "inverse",
        UnaryOp::Abs | UnaryOp::UnsignedAbs | UnaryOp::WrappingAbs | UnaryOp::SaturatingAbs => "magnitude",
        UnaryOp::Signum => "sign",
        UnaryOp::Sqrt | UnaryOp::Isqrt => "root",
        UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => "count",
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundTiesEven => "rounded",
        UnaryOp::IsNan => "is_nan",
        UnaryOp::FromBits => "float",
        UnaryOp::ToBits => "bits",
    }
}

fn of_binary(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add | WrappingAdd | SaturatingAdd => "sum",
        Sub | WrappingSub | SaturatingSub | AbsDiff => "difference",
        Mul | WrappingMul | SaturatingMul | MulHigh => "product",
        Div => "quotient",
        Rem => "remainder",
        Shl | WrappingShl | Shr | RoundingShr => "shifted",
        And | Or | Xor => "bits",
        Min => "least",
        Max => "greatest",
        HalvingAdd | RoundingHalvingAdd => "mean",
        Eq | Ne | Lt | Le | Gt | Ge => "holds",
    }
}

/// Rust's keywords, and what the emitted functions themselves name.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn", "for",
    "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "unsafe", "use", "where", "while", "abstract", "become", "box",
    "do", "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "yield", "union", "raw",
    "bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize", "f32", "f64", "str", "char",
    "rows", "words", "x", "last", "width", "lane", "lanes", "core", "std", "windrow",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_legal() {
        let mut namer = Namer::default();
        assert_eq!(namer.claim("sum"), "sum");
        assert_eq!(namer.claim("sum"), "sum_2");
        assert_eq!(namer.claim("r#in"), "in_2");
        assert_eq!(namer.claim("σ"), "u3c3");
        assert_eq!(namer.claim("K"), "the_k");
        assert_eq!(namer.claim("vadd_u8"), "the_vadd_u8");
        assert_eq!(namer.claim_family("out", &["_0", "_1"]), "out");
        assert_eq!(namer.claim("out_1"), "out_1_2");
    }
}
