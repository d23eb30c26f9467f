//! Kernels as an author writes them: what is refused, and that the help's own words mend it.

use crate::compile_file;

/// A kernel that is refused, the expression to put right, and what the error must say.
struct Refused {
    source: &'static str,
    expression: &'static str,
    says: &'static [&'static str],
}

const REFUSED: &[Refused] = &[
    Refused {
        source: "fn k(a: u8, b: u8) -> u8 { let t = a + b; t.saturating_cast() }",
        expression: "a + b",
        says: &["`a + b` can overflow u8", "lies in 0..=510", "u8 holds 0..=255", "a = 255, b = 1 gives 256"],
    },
    Refused {
        source: "fn k(a: u8, b: u8) -> u8 { let t = a - b; t.saturating_cast() }",
        expression: "a - b",
        says: &["a = 0, b = 1 gives -1"],
    },
    Refused {
        source: "fn k(a: u16, b: u16) -> u8 { let t = a * b; t.saturating_cast() }",
        expression: "a * b",
        says: &["lies in 0..=4294836225", "`a as u32 * b as u32`"],
    },
    Refused {
        source: "fn k(x: i16, y: i16) -> u8 { let x = x as i32; let y = y as i32; let t = x * x + y * y; t.saturating_cast() }",
        expression: "x * x + y * y",
        says: &["`x * x + y * y` can overflow i32", "x = -32768, y = -32768 gives 2147483648"],
    },
    Refused {
        source: "fn k(x: u8, #[uniform(0..=9)] n: u32) -> u8 { let t = (x as i16) << n; t.saturating_cast() }",
        expression: "(x as i16) << n",
        says: &["x = 128, n = 8 gives 32768", "`(x as i32) << n`", "`#[uniform(0..=7)] n: u32`"],
    },
    Refused {
        source: "fn k(x: u8, #[uniform] gain: u16) -> u8 { let t = x as u16 * gain; t.saturating_cast() }",
        expression: "x as u16 * gain",
        says: &["`x as u16 * gain` can overflow u16", "`#[uniform(0..=257)] gain: u16`"],
    },
    Refused {
        source: "fn k(x: u8, #[uniform] offset: i16) -> u8 { let t = x as i16 + offset; t.saturating_cast() }",
        expression: "x as i16 + offset",
        says: &["`#[uniform(-32768..=32512)] offset: i16`"],
    },
    Refused {
        source: "fn k(x: u8, #[uniform] w: [i16; 3]) -> u8 { let t = w[0] * x as i16; t.saturating_cast() }",
        expression: "w[0] * x as i16",
        says: &["`#[uniform(sum_of_magnitudes <= 128)] w: [i16; 3]`"],
    },
    Refused {
        source: "fn k(x: i16) -> u8 { let t = -x; t.saturating_cast() }",
        expression: "-x",
        says: &["x = -32768 gives 32768", "`-(x as i32)`"],
    },
    Refused {
        source: "fn k(x: i8) -> u8 { let t = x.abs(); t.saturating_cast() }",
        expression: "x.abs()",
        says: &["x = -128 gives 128", "`x.unsigned_abs()`"],
    },
    Refused {
        source: "fn k(x: i16) -> u8 { x as u8 }",
        expression: "x as u8",
        says: &["`x as u8` can change the value", "`x` lies in -32768..=32767; u8 holds 0..=255"],
    },
    Refused { source: "fn k(x: u16) -> i16 { x as i16 }", expression: "x as i16", says: &["`x.min(32767) as i16`"] },
    Refused { source: "fn k(x: i8) -> u8 { x as u8 }", expression: "x as u8", says: &["`x.max(0) as u8`"] },
    Refused {
        source: "fn k(x: u8, #[uniform] d: u8) -> u8 { x / d }",
        expression: "x / d",
        says: &["d = 0 divides by 0", "`#[uniform(1..=255)] d: u8`", "`x / d.max(1)`"],
    },
    Refused {
        source: "fn k(x: u8, d: u8) -> u8 { x % d }",
        expression: "x % d",
        says: &["`x % d` can divide by zero", "`x % d.max(1)`"],
    },
    Refused {
        source: "fn k(x: i16, #[uniform(-3..=-1)] d: i16) -> u8 { let t = x / d; t.saturating_cast() }",
        expression: "x / d",
        says: &["can overflow i16", "divides -32768 by -1"],
    },
    Refused {
        source: "fn k(x: u16, #[uniform] n: u32) -> u16 { x >> n }",
        expression: "x >> n",
        says: &["n = 16 shifts by 16", "`#[uniform(0..=15)] n: u32`", "`x >> n.min(15)`"],
    },
    Refused {
        source: "fn k(p: [u8; 3], #[uniform(0..=5)] channel: usize) -> u8 { p[channel] }",
        expression: "channel]",
        says: &["channel = 3 reads index 3", "`#[uniform(0..=2)] channel: usize`"],
    },
    Refused {
        source: "fn k(x: i16, lut: Table<u8, 256>) -> u8 { lut[x] }",
        expression: "lut[x]",
        says: &["x = 256 reads index 256", "`lut[x.clamp(0, 255)]`"],
    },
    Refused {
        source: "fn k(x: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 { x.clamp(lower, upper) }",
        expression: ".clamp(lower, upper)",
        says: &["lower = 1, upper = 0", "`require(lower <= upper)`"],
    },
    Refused {
        source: "fn k(x: f32, #[uniform] lower: f32, #[uniform] upper: f32) -> f32 { x.clamp(lower, upper) }",
        expression: ".clamp(lower, upper)",
        says: &["`require(lower <= upper)`"],
    },
    Refused {
        source: "fn k(#[uniform] black: u8, #[uniform] white: u8, x: u8) -> u8 { let t = white - black; (t as i32 + x as i32).saturating_cast() }",
        expression: "white - black",
        says: &["black = 1, white = 0 gives -1", "`require(black <= white)`"],
    },
];

fn kernel(source: &str) -> String {
    format!("#[kernel]\n{source}")
}

/// The pieces of code that a help quotes.
fn quoted(help: &str) -> Vec<String> {
    help.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The kernel with one way out taken.
fn mended(case: &Refused, code: &str) -> Option<String> {
    let source = kernel(case.source);
    if code == "#[kernel(..)]" {
        return None;
    }
    if code.starts_with("require(") {
        return Some(source.replace("#[kernel]", &format!("#[kernel({code})]")));
    }
    if code.starts_with("#[uniform(") {
        let name = &code[code.find("] ")? + 2..];
        let declared = source.find(name)?;
        let start = source[..declared].rfind("#[uniform")?;
        return Some(format!("{}{code}{}", &source[..start], &source[declared + name.len()..]));
    }
    let code = if case.expression.ends_with(']') && !code.contains('[') { format!("{code}]") } else { code.into() };
    Some(source.replace(case.expression, &code))
}

#[test]
fn refusals_say_why_where_and_what_to_do() {
    for case in REFUSED {
        let errors = compile_file(&kernel(case.source)).errors;
        let texts: Vec<String> = errors.iter().map(crate::diagnostic::Diagnostic::text).collect();
        let [error] = errors.as_slice() else { panic!("{}: {}", case.source, texts.join("\n")) };
        for part in case.says {
            assert!(texts[0].contains(part), "{}: no {part:?} in:\n{}", case.source, texts[0]);
        }
        assert_eq!(error.start.start().line, 2, "{}", case.source);
        assert!(error.start.start().column > 10, "not at the expression: {}", case.source);
    }
}

#[test]
fn every_way_out_is_accepted() {
    for case in REFUSED {
        for error in compile_file(&kernel(case.source)).errors {
            let ways = quoted(&error.help);
            assert!(!ways.is_empty(), "{}", error.text());
            for way in ways {
                let Some(source) = mended(case, &way) else { continue };
                let again = compile_file(&source).errors;
                let texts: Vec<String> = again.iter().map(crate::diagnostic::Diagnostic::text).collect();
                assert!(again.is_empty(), "{way}:\n{source}\n{}", texts.join("\n"));
            }
        }
    }
}

#[test]
fn a_sum_in_a_loop_is_one_mistake() {
    let source = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {
        let mut sum = 0;
        for dy in -1..=1 { for dx in -1..=1 { sum += src.at(dx, dy); } }
        sum / 9
    }";
    let errors = compile_file(source).errors;
    assert_eq!(errors.len(), 1);
    assert!(errors[0].help.contains("make `sum` a u16 and add `src.at(0, -1) as u16`"), "{}", errors[0].text());
    let mended = source.replace("src.at(dx, dy)", "src.at(dx, dy) as u16").replace("sum / 9", "(sum / 9) as u8");
    assert!(compile_file(&mended).errors.is_empty());
}

#[test]
fn a_long_sum_is_given_a_type_for_all_of_it() {
    let source = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {
        let mut sum = 0;
        for dy in -8..=8 { for dx in -8..=8 { sum += src.at(dx, dy); } }
        sum
    }";
    let errors = compile_file(source).errors;
    assert!(errors[0].help.contains("make `sum` a u32"), "{}", errors[0].text());
}

#[test]
fn every_mistake_is_reported() {
    let source = "#[kernel]\nfn k(a: u8, b: u8, #[uniform] n: u32) -> u8 {
        let sum = a + b;
        let shifted = sum >> n;
        let quotient = a / b;
        shifted - quotient
    }";
    let lines: Vec<usize> = compile_file(source).errors.iter().map(|error| error.start.start().line).collect();
    assert_eq!(lines, [3, 4, 5, 6]);
}

#[test]
fn mistakes_that_start_at_one_token_are_told_apart() {
    let source = "#[kernel]\nfn k(a: u8, b: u8, c: u8) -> u8 { a * b / c }";
    let errors = compile_file(source).errors;
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["`a * b` can overflow u8", "`a * b / c` can divide by zero"]);
}

#[test]
fn ways_out_have_the_authors_types() {
    let help = |body: &str| {
        let source = format!("#[kernel]\nfn k(a: u8, b: u8, #[uniform] k: [u8; 4]) -> u8 {{ {body} }}");
        compile_file(&source).errors[0].help.clone()
    };
    assert_eq!(help("k[a as usize + 1]"), "limit the index: `(a as usize + 1).min(3)`");
    assert_eq!(help("a >> b"), "limit the amount: `a >> b.min(7)`");
    assert_eq!(help("a >> (b as u32 + 1)"), "limit the amount: `a >> (b as u32 + 1).min(7)`");
}

#[test]
fn a_sum_of_sums_is_one_mistake_mended_as_a_whole() {
    let source = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {
        (5 * src.at(0, 0) - src.at(-1, 0) - (src.at(1, 0) + src.at(0, 1))).clamp(0, 255)
    }";
    let errors = compile_file(source).errors;
    let whole = "`5 * src.at(0, 0) as i16 - src.at(-1, 0) as i16 - (src.at(1, 0) as i16 + src.at(0, 1) as i16)`";
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["`5 * src.at(0, 0)` can overflow u8", "`src.at(1, 0) + src.at(0, 1)` can overflow u8"]);
    assert!(errors.iter().all(|error| error.help.starts_with(&format!("widen the operands: {whole}"))));
    let mended = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {
        (5 * src.at(0, 0) as i16 - src.at(-1, 0) as i16 - (src.at(1, 0) as i16 + src.at(0, 1) as i16)).clamp(0, 255) as u8
    }";
    assert!(compile_file(mended).errors.is_empty());
}
