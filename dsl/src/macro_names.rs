//! Names that a macro beside a kernel or a helper can't have.

use syn::Ident;

/// Macros of the standard library's prelude. A second macro of such a name would make the first ambiguous.
const STANDARD: [&str; 42] = [
    "addr_of",
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "ready",
    "stringify",
    "test",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "derive",
    "global_allocator",
];

/// Whether a macro of the standard library's prelude has this name: then a kernel hands out nothing, and a helper needs another one.
pub fn is_standard(name: &Ident) -> bool {
    STANDARD.iter().any(|standard| name == standard)
}
