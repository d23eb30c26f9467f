//! Whatever the tokens are: an answer without much work, and never a panic or an overflown stack. (A test runs on a stack
//! of 2 MiB, a quarter of what a compiler gives a macro.)

use allocation_counter::measure;

/// Allocations of a source's compilation, at most: the same on every machine, whatever else it does.
const MOST_ALLOCATIONS: u64 = 4_000_000;

/// Compiles a source, and counts the work.
fn survives(name: &str, source: &str) -> u64 {
    let work = measure(|| {
        let compiled = windrow_dsl::compile_file(source);
        let _ = compiled.kernels.len() + compiled.errors.len();
    });
    let count = work.count_total;
    if count > MOST_ALLOCATIONS / 8 {
        println!("{name}: {count}");
    }
    assert!(count < MOST_ALLOCATIONS, "{name}: {count} allocations");
    count
}

fn body(text: &str) -> String {
    format!("#[kernel] fn f(a: u8, b: u8) -> u8 {{ {text} }}")
}

/// Forms that nest, each made from how often it does.
type Family = (&'static str, fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("parentheses", |n| body(&format!("{}a{}", "(".repeat(n), ")".repeat(n)))),
    ("blocks", |n| body(&format!("{}a{}", "{".repeat(n), "}".repeat(n)))),
    ("arrays", |n| body(&format!("{}a{}", "[".repeat(n), "]".repeat(n)))),
    ("not", |n| body(&format!("{}a", "!".repeat(n)))),
    ("minus", |n| body(&format!("{}a", "- ".repeat(n)))),
    ("references", |n| body(&format!("{}a", "&".repeat(n)))),
    ("sums", |n| body(&format!("a{}", " + a".repeat(n)))),
    ("comparisons", |n| body(&format!("(a{}) as u8", " == a".repeat(n)))),
    ("ands", |n| body(&format!("(a == b{}) as u8", " && a == b".repeat(n)))),
    ("casts", |n| body(&format!("a{}", " as u8".repeat(n)))),
    ("methods", |n| body(&format!("a{}", ".min(b)".repeat(n)))),
    ("nested methods", |n| body(&format!("{}a{}", "a.min(".repeat(n), ")".repeat(n)))),
    ("fields", |n| body(&format!("a{}", ".0".repeat(n)))),
    ("indices", |n| body(&format!("a{}", "[0]".repeat(n)))),
    ("calls", |n| body(&format!("a{}", "()".repeat(n)))),
    ("tries", |n| body(&format!("a{}", "?".repeat(n)))),
    ("else if", |n| body(&format!("if a > b {{ a }} {} else {{ b }}", "else if a < b { b }".repeat(n)))),
    ("if conditions", |n| body(&format!("{} true {}", "if ".repeat(n), "{ true } else { false }".repeat(n)))),
    ("matches", |n| body(&format!("{}a{}", "match a { _ => ".repeat(n), "}".repeat(n)))),
    ("closures", |n| body(&format!("let f = {}a; a", "|v: u8| ".repeat(n)))),
    ("empty closures", |n| body(&format!("let f = {}a; a", "|| ".repeat(n)))),
    ("assignments", |n| body(&format!("let mut v = a; {} v", "v = ".repeat(n)))),
    ("returns", |n| body(&format!("{} a", "return ".repeat(n)))),
    ("breaks", |n| body(&format!("{} a", "break ".repeat(n)))),
    ("lets", |n| body(&format!("{} a", "let v = ".repeat(n)))),
    ("array types", |n| body(&format!("let v: {}u8{} = a; a", "[".repeat(n), "; 1]".repeat(n)))),
    ("tuple types", |n| body(&format!("let v: {}u8{} = a; a", "(".repeat(n), ",)".repeat(n)))),
    ("generic types", |n| body(&format!("let v: {}u8{} = a; a", "Neighbourhood<".repeat(n), ">".repeat(n)))),
    ("function types", |n| body(&format!("let v: {}u8 = a; a", "fn() -> ".repeat(n)))),
    ("reference types", |n| body(&format!("let v: {}u8 = a; a", "& ".repeat(n)))),
    ("pointer types", |n| body(&format!("let v: {}u8 = a; a", "*const ".repeat(n)))),
    ("tuple patterns", |n| body(&format!("let {}v{} = a; a", "(".repeat(n), ",)".repeat(n)))),
    ("reference patterns", |n| body(&format!("let {}v = a; a", "&".repeat(n)))),
    ("at patterns", |n| body(&format!("match a {{ {}_ => a }}", "v @ ".repeat(n)))),
    ("or patterns", |n| body(&format!("match a {{ {}_ => a }}", "1 | ".repeat(n)))),
    ("ranges", |n| body(&format!("a{}", "..a".repeat(n)))),
    ("turbofish", |n| body(&format!("a{}", "::<u8>".repeat(n)))),
    ("nested turbofish", |n| body(&format!("a::{}u8{}", "<A::".repeat(n), ">".repeat(n)))),
    ("functions", |n| body(&format!("{} a {}", "fn g(v: u8) -> u8 {".repeat(n), "}".repeat(n)))),
    ("modules", |n| format!("{} {}", "mod m {".repeat(n), "}".repeat(n))),
    ("loops", |n| body(&format!("{} {} a", "for i in 0..1 {".repeat(n), "}".repeat(n)))),
    ("long loops", |n| body(&format!("{} {} a", "for i in 0..1000 {".repeat(n), "}".repeat(n)))),
    ("statements", |n| body(&format!("{} a", "let v = a;".repeat(n)))),
    ("doubling tuples", |n| body(&format!("let v = (a, b); {} a", "let v = (v, v);".repeat(n)))),
    ("doubling closures", |n| {
        let steps: String = (1..=n).map(|i| format!("let f{i} = |v: u8| f{}(f{}(v));", i - 1, i - 1)).collect();
        body(&format!("let f0 = |v: u8| v ^ 1; {steps} f{n}(a)"))
    }),
    ("doubling products", |n| body(&format!("let mut v = a; {} v", "v = v.wrapping_mul(v);".repeat(n)))),
    ("branches", |n| body(&format!("let mut v = a; {} v", "if v > b { v = v / 2; } else { v = v | 1; }".repeat(n)))),
    ("nested branches", |n| body(&format!("{} a {}", "if a > b {".repeat(n), "} else { b }".repeat(n)))),
    ("many arms", |n| {
        let arms: String = (0..n).map(|i| format!("{} => {},", i % 256, i % 7)).collect();
        body(&format!("match a {{ {arms} _ => b }}"))
    }),
    ("wide matches", |n| {
        let tuple = vec!["a"; n.min(40)].join(", ");
        let pattern = vec!["0..=9 | 20.."; n.min(40)].join(", ");
        body(&format!("match ({tuple}) {{ ({pattern}) => a, _ => b }}"))
    }),
    ("commas", |n| format!("#[kernel({})] fn f(a: u8) -> u8 {{ a }}", ",".repeat(n))),
    ("options", |n| format!("#[kernel({})] fn f(a: u8) -> u8 {{ a }}", "fast, ".repeat(n))),
    ("attributes", |n| format!("#[kernel] fn f({}a: u8) -> u8 {{ a }}", "#[uniform] ".repeat(n))),
    ("parameters", |n| format!("#[kernel] fn f({}) -> u8 {{ 0 }}", "a: u8, ".repeat(n))),
    ("constants", |n| {
        let items: String = (0..n).map(|i| format!("const C{i}: u8 = C{};", i + 1)).collect();
        body(&format!("{items} const C{n}: u8 = 1; a & C0"))
    }),
];

#[test]
fn many_small_kernels_are_neither_deep_nor_long() {
    let kernel = |i: usize| {
        format!(
            "/// Text.\n#[kernel(step(16, 1))]\npub fn k{i}(a: u8, b: u8) -> u8 {{ if a > b {{ a }} else {{ b }} }}\n"
        )
    };
    let source: String = (0..200).map(kernel).collect();
    let compiled = windrow_dsl::compile_file(&source);
    assert_eq!((compiled.kernels.len(), compiled.errors.len()), (200, 0));
}

#[test]
fn a_large_filter_compiles() {
    let source =
        "#[kernel] fn f(src: Neighbourhood<u8>, #[uniform(sum_of_magnitudes <= 32768)] k: [[i16; 15]; 15]) -> i32 {
        let mut sum = 0;
        for (dy, row) in (-7..=7).zip(k) {
            for (dx, c) in (-7..=7).zip(row) { sum += c as i32 * src.at(dx, dy) as i32; }
        }
        sum
    }";
    let compiled = windrow_dsl::compile_file(source);
    assert_eq!((compiled.kernels.len(), compiled.errors.len()), (1, 0));
}

#[test]
fn deep_and_long_programs_end() {
    for (name, family) in FAMILIES {
        for n in [1, 7, 30, 60, 150, 300, 490, 700, 1_400, 5_000] {
            survives(&format!("{name} {n}"), &family(n));
        }
    }
}

/// Patterns with fewer or more parts than what they match.
#[test]
fn tuple_patterns_of_another_length_are_refused() {
    for (value, pattern) in [("(a, a, b)", "(0, v)"), ("(a, b)", "(0, v, 1)"), ("(a, b)", "(v,)"), ("(a, b)", "()")] {
        let source = body(&format!("match {value} {{ {pattern} => a, _ => b }}"));
        let compiled = windrow_dsl::compile_file(&source);
        assert!(!compiled.errors.is_empty(), "{source}");
    }
}

/// What a closure computes may begin with a block; the copy that carries types keeps it one expression.
#[test]
fn copies_of_closures_that_begin_with_a_block_are_rust() {
    let starts = ["{ let t = v; t }", "if v > 9 { v } else { 1 }", "match v { 0 => 1, _ => v }", "{ v }.min(7)"];
    let ends = [" / 2", " as u8", ".min(3) >> 1", ""];
    for (start, end) in starts.iter().flat_map(|start| ends.map(|end| (start, end))) {
        let source = body(&format!("let half = |v: u8| {start}{end}; if a > b {{ half(a) }} else {{ b }}"));
        let compiled = windrow_dsl::compile_file(&source);
        assert_eq!((compiled.kernels.len(), compiled.errors.len()), (1, 0), "{source}");
        let copy = compiled.kernels[0].witness.clone();
        assert!(syn::parse2::<syn::File>(copy.clone()).is_ok(), "{copy}");
    }
}
