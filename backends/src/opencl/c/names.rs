//! Names in the program: the author's own, made legal in C and unique within their scope.

use crate::namer::{Taken, is_plain, spelled};
use std::rc::Rc;
use windrow_dsl::quick::Words;

/// Hands out names within one scope.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: Taken,
}

impl Names {
    /// A name that nothing else has: `wanted`, or `wanted_2`, `wanted_3`, …
    pub fn claim(&mut self, wanted: &str) -> Rc<str> {
        match self.taken.claim_again(wanted) {
            Some(name) => self.taken.text(name).into(),
            None => self.claim_with(wanted, &[]),
        }
    }

    /// The same for a name that brings others with it: itself with each of `parts` behind.
    pub fn claim_with(&mut self, wanted: &str, parts: &[&str]) -> Rc<str> {
        let name = self.taken.claim(legal(wanted), parts, |_| true);
        self.taken.text(name).into()
    }
}

/// `name` as a C identifier that means nothing to OpenCL C: `r#in` and `in` become `in_`, `σ` becomes `u3c3`.
pub fn legal(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut out = if is_plain(name) { name.to_owned() } else { spelled(name) };
    if matches!(out.as_bytes(), [b'0'..=b'9', ..] | [b'_', b'_', ..]) {
        out.insert(0, 'v');
    }
    if is_reserved(&out) {
        out.push('_');
    }
    out
}

/// Whether OpenCL C, or the code that this emitter writes, has given `name` a meaning.
pub fn is_reserved(name: &str) -> bool {
    let stem = &name[..name.len() - digits_behind(name)];
    RESERVED.contain(name)
        || TYPES.contain(stem)
        || PREFIXES.begin(name)
        || name.len() != stem.len() && HELPERS.begin(name)
        || (name.len() > 1 && name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_'))
}

/// How many digits end a name.
fn digits_behind(name: &str) -> usize {
    let (bytes, mut digits) = (name.as_bytes(), 0);
    while let [before @ .., b'0'..=b'9'] = &bytes[..bytes.len() - digits] {
        digits = bytes.len() - before.len();
    }
    digits
}

/// Names of families: conversions, vector accesses, …
#[rustfmt::skip]
static PREFIXES: Words = Words::new(&[
    "convert_", "as_", "vload", "vstore", "atomic_", "atom_", "async_", "native_", "half_", "get_", "read_image",
    "write_image", "cl_",
]);

/// This emitter's helpers, whose names end in a form: `load_u8x4`.
#[rustfmt::skip]
static HELPERS: Words = Words::new(&[
    "load_", "store_", "beside_", "sample_", "gather_", "scatter_", "lookup_", "fetch_", "read_real", "write_real", "min_pairs",
    "max_pairs", "minimum_", "maximum_", "divisor_", "divide_", "root_", "isqrt_", "rounding_shr_", "image",
    "sampler",
]);

/// Types, with any number of lanes after them.
#[rustfmt::skip]
static TYPES: Words = Words::new(&[
    "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "real", "real_bits",
    "double", "quad", "complex", "imaginary", "size_t",
]);

/// Keywords, functions, and the names of this emitter's own arguments and helpers. Upper-case names are all kept
/// clear of, because the language defines many macros.
#[rustfmt::skip]
static RESERVED: Words = Words::new(&[
    // C99 and OpenCL C keywords.
    "auto", "break", "case", "const", "continue", "default", "do", "else", "enum", "extern", "for", "goto", "if",
    "inline", "register", "restrict", "return", "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
    "unsigned", "void", "volatile", "while", "true", "false", "global", "local", "constant", "private", "generic",
    "kernel", "read_only", "write_only", "read_write", "uniform", "pipe", "asm", "typeof", "this", "class", "template",
    "namespace", "event_t", "sampler_t", "queue_t", "ndrange_t", "clk_event_t", "reserve_id_t", "vec_step", "printf",
    "intptr_t", "uintptr_t", "ptrdiff_t", "barrier", "mem_fence", "prefetch", "wait_group_events", "main", "linux",
    "unix", "vector", "pixel", "byte", "intel",
    // Common functions.
    "clamp", "degrees", "max", "min", "mix", "radians", "step", "smoothstep", "sign", "cross", "dot", "distance",
    "length", "normalize", "fast_distance", "fast_length", "fast_normalize",
    // Integer functions.
    "abs", "abs_diff", "add_sat", "hadd", "rhadd", "clz", "ctz", "mad_hi", "mad_sat", "mul_hi", "rotate", "sub_sat",
    "upsample", "popcount", "mad24", "mul24",
    // Relational functions.
    "isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isfinite",
    "isinf", "isnan", "isnormal", "isordered", "isunordered", "signbit", "any", "all", "bitselect", "select",
    "shuffle", "shuffle2",
    // Mathematical functions.
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atanh", "atanpi", "atan2pi", "cbrt",
    "ceil", "copysign", "cos", "cosh", "cospi", "erfc", "erf", "exp", "exp2", "exp10", "expm1", "fabs", "fdim",
    "floor", "fma", "fmax", "fmin", "fmod", "fract", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "lgamma_r", "log",
    "log2", "log10", "log1p", "logb", "mad", "maxmag", "minmag", "modf", "nan", "nextafter", "pow", "pown", "powr",
    "remainder", "remquo", "rint", "rootn", "round", "rsqrt", "sin", "sincos", "sinh", "sinpi", "sqrt", "tan", "tanh",
    "tanpi", "tgamma", "trunc",
    // Ours: arguments of every entry, what its body computes with, and helpers.
    "x0", "y0", "x1", "y1", "border", "words", "plane", "planes_0", "planes_1", "planes_2", "planes_3", "outer_0",
    "outer_1", "outer_2", "outer_3", "block_x", "block_y",
    "last_x", "last_y", "in_window", "whole", "aligned", "border_index", "is_aligned", "find_block", "find_rows",
    "index_at", "min_pair", "max_pair", "read_real", "write_real", "stored",
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_legal() {
        let cases = [
            ("sum", "sum"),
            ("r#in", "in"),
            ("kernel", "kernel_"),
            ("float4", "float4_"),
            ("σ", "u3c3"),
            ("abs_diff", "abs_diff_"),
            ("INFINITY", "INFINITY_"),
            ("x", "x"),
            ("__hidden", "v__hidden"),
        ];
        for (name, expected) in cases {
            assert_eq!(legal(name), expected);
        }
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        let wanted = ["sum", "sum", "sum", "sum_2", "v1", "r#v1", "5"];
        let given = ["sum", "sum_2", "sum_3", "sum_2_2", "v1", "v1_2", "v5"];
        assert_eq!(wanted.map(|name| names.claim(name)), given.map(Rc::from));
    }
}
