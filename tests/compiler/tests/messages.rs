//! The messages of `cases/`, checked in this process: `ui.rs` shows the same cases to rustc, which is slow.

use proc_macro2::LineColumn;
use std::collections::BTreeSet;
use windrow_compiler_tests::cases::{Case, cases};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::messages;

/// A case, read and compiled.
struct Read {
    case: Case,
    source: String,
    errors: Vec<Diagnostic>,
}

fn read() -> Vec<Read> {
    cases()
        .into_iter()
        .map(|case| {
            let source = std::fs::read_to_string(&case.path).unwrap();
            let errors = windrow_dsl::compile_file(&source).errors;
            Read { case, source, errors }
        })
        .collect()
}

/// Asserts that nothing is wrong with any case, and lists what is.
fn check(rule: impl Fn(&Read) -> Vec<String>) {
    let failures: Vec<String> = read()
        .iter()
        .flat_map(|read| rule(read).into_iter().map(|text| format!("{}: {text}", read.case.id())))
        .collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// Messages without a file: 60,000 tokens are none to read, and no macro sees text that is no Rust (both are made below),
/// nor that it stands in an `impl`, nor another kernel, whose name rustc refuses; no known program meets the last resort.
const NO_FILE: [&str; 5] = ["TOO_MANY_TOKENS", "SYNTAX", "NOT_FREE", "KERNEL_TWICE", "UNSUPPORTED"];

#[test]
fn every_message_has_a_case() {
    let names: BTreeSet<String> = cases().into_iter().map(|case| case.name).collect();
    let missing = |name: &&str| !names.contains(&name.to_lowercase()) && !NO_FILE.contains(name);
    let missing: Vec<&str> = messages::ALL.iter().map(|message| message.name).filter(missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(names.len() >= 40);
}

#[test]
fn a_flood_of_tokens_is_refused() {
    let source = format!("#[kernel] fn f(a: u8) -> u8 {{ [{}][0].max(a) }}", "1, ".repeat(40_000));
    let errors = windrow_dsl::compile_file(&source).errors;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "the code is too long: more than 60000 tokens");
}

#[test]
fn text_that_is_no_rust_is_refused() {
    let errors = windrow_dsl::compile_file("#[kernel] fn f(a: u8) -> u8 { a + }").errors;
    let texts: Vec<String> = errors.iter().map(Diagnostic::text).collect();
    assert_eq!(
        texts,
        ["unexpected end of input, expected an expression\n  = help: write the value that is missing here"]
    );
}

#[test]
fn every_mistake_is_found() {
    check(|read| if read.errors.is_empty() { vec!["accepted".to_owned()] } else { Vec::new() });
}

#[test]
fn every_twin_compiles() {
    check(|read| {
        let source = std::fs::read_to_string(read.case.fixed()).unwrap();
        let compiled = windrow_dsl::compile_file(&source);
        let nothing = compiled.errors.is_empty() && compiled.kernels.is_empty();
        let nothing = nothing.then(|| "the twin has no kernel".to_owned());
        compiled.errors.iter().map(Diagnostic::text).chain(nothing).collect()
    });
}

#[test]
fn every_error_says_what_to_do() {
    check(|read| {
        let wrong = |error: &&Diagnostic| {
            error.help.trim().is_empty()
                || error.message.ends_with('.')
                || error.message.starts_with(char::is_uppercase) && !error.message.starts_with("Rust")
                || error.text().contains("{0}")
                || error.text().contains("``")
        };
        read.errors.iter().filter(wrong).map(Diagnostic::text).collect()
    });
}

/// The author's own token: inside the item, and neither the attribute nor the function as a whole.
#[test]
fn every_error_stands_at_the_authors_token() {
    check(|read| {
        let wrong = |error: &&Diagnostic| {
            let text = snippet(&read.source, error.start.start(), error.end.end());
            let lines = error.end.end().line - error.start.start().line;
            // The attribute is the author's token where it stands on the wrong item.
            let on_the_wrong_item =
                ["not_a_function", "not_a_module", "not_a_helper"].contains(&read.case.name.as_str());
            text.is_empty()
                || text.starts_with("#[kernel")
                || text.starts_with("pub fn")
                || text == "kernel" && !on_the_wrong_item
                || lines > 0 && !text.starts_with("match")
        };
        read.errors.iter().filter(wrong).map(|e| format!("{:?} {}", e.start.start(), e.message)).collect()
    });
}

/// What stands in place of a kernel with mistakes leaves rustc nothing to add.
#[test]
fn rustc_adds_no_error() {
    check(|read| {
        let printed = std::fs::read_to_string(read.case.stderr()).unwrap_or_default();
        let added = |line: &&str| line.starts_with("error[") || line.starts_with("warning");
        printed.lines().filter(added).map(str::to_owned).collect()
    });
}

#[test]
fn no_two_errors_say_the_same() {
    check(|read| {
        let mut seen = BTreeSet::new();
        let key = |error: &Diagnostic| (error.start.start().line, error.start.start().column, error.message.clone());
        read.errors.iter().filter(|error| !seen.insert(key(error))).map(Diagnostic::text).collect()
    });
}

/// The names of the compiler's own types and their variants, as its sources declare them.
#[test]
fn no_error_shows_an_internal_name() {
    let names = internal_names();
    assert!(names.contains("ValueId") && names.contains("MulAdd") && names.contains("Neighbourhood"));
    // What the author writes too.
    let known = ["Neighbourhood", "View", "At", "Table", "Option", "Some", "None", "Overflow", "Wrap", "Wrapping"];
    let known = known.into_iter().chain(["Saturate", "Copy", "HandWritten"]).collect::<Vec<_>>();
    check(|read| {
        let words = |text: &str| -> BTreeSet<String> {
            let word = |c: char| !c.is_alphanumeric() && c != '_';
            text.split(word).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let author = words(&read.source);
        let shown = read.errors.iter().flat_map(|error| words(&error.text()));
        let internal = |word: &String| {
            let generated = word.starts_with("__") || word == "rt";
            generated || names.contains(word) && !author.contains(word) && !known.contains(&word.as_str())
        };
        // A single capitalised word may begin a sentence; none of ours does, so that every hit is a name.
        shown.filter(internal).collect()
    });
}

fn internal_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../dsl/src"))];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                None => folders.push(path),
                Some(kind) if kind == "rs" => declared_in(&std::fs::read_to_string(path).unwrap(), &mut names),
                Some(_) => {}
            }
        }
    }
    names
}

/// The types of a source and their variants.
fn declared_in(source: &str, names: &mut BTreeSet<String>) {
    for item in syn::parse_file(source).unwrap().items {
        match item {
            syn::Item::Struct(item) => {
                names.insert(item.ident.to_string());
            }
            syn::Item::Enum(item) => {
                names.insert(item.ident.to_string());
                names.extend(item.variants.iter().map(|variant| variant.ident.to_string()));
            }
            _ => {}
        }
    }
}

/// What the proof could not show: the interval found, and an input that breaks it.
#[test]
fn a_failed_proof_shows_interval_and_counter_example() {
    check(|read| {
        if read.case.kind != "proof" {
            return Vec::new();
        }
        let example = ["gives", "divides", "shifts by", "reads index", "lies outside", "has no value between"];
        let wrong = |error: &&Diagnostic| {
            let interval = error.notes.iter().any(|note| note.contains("lies in") && note.contains("..="));
            let example =
                error.notes.iter().any(|note| note.contains(" = ") && example.iter().any(|e| note.contains(e)));
            !interval || !example
        };
        read.errors.iter().filter(wrong).map(Diagnostic::text).collect()
    });
    let sum = "#[kernel] fn f(a: u8, b: u8) -> u8 { a + b }";
    let errors = windrow_dsl::compile_file(sum).errors;
    assert_eq!(errors[0].notes, ["it lies in 0..=510; u8 holds 0..=255", "a = 255, b = 1 gives 256"]);
}

#[test]
fn several_mistakes_are_reported_together() {
    let counts = |name: &str| match name {
        "forms" => 4,
        "kernels" => 2,
        "nested" => 2,
        "attribute" => 3,
        "callers" => 6,
        "proofs" => 3,
        "types" => 4,
        other => panic!("how many mistakes has {other}?"),
    };
    check(|read| {
        let wrong = read.case.kind == "several" && read.errors.len() != counts(&read.case.name);
        if wrong { read.errors.iter().map(Diagnostic::text).collect() } else { Vec::new() }
    });
}

/// What rustc was seen to print holds each message with its place: the line, and carets below it.
#[test]
fn rustc_prints_what_is_said_here() {
    check(|read| {
        // A macro does not see its own attribute: it points at the item, the build script at the attribute.
        if ["not_a_function", "not_a_module", "not_a_helper"].contains(&read.case.name.as_str()) {
            return Vec::new();
        }
        let printed = std::fs::read_to_string(read.case.stderr()).unwrap_or_default();
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let wrong = |error: &&Diagnostic| {
            let notes = error.notes.iter().map(|note| format!("= note: {note}"));
            let mut said = notes.chain([format!("error: {}", error.message), format!("= help: {}", error.help)]);
            !said.all(|text| printed.iter().any(|line| line.ends_with(&text))) || !is_underlined(read, error, &printed)
        };
        read.errors.iter().filter(wrong).map(Diagnostic::text).collect()
    });
}

fn is_underlined(read: &Read, error: &Diagnostic, printed: &[&str]) -> bool {
    let (start, end) = (error.start.start(), error.end.end());
    let source = read.source.lines().nth(start.line - 1).unwrap_or("").trim_end();
    if start.line != end.line {
        return printed.iter().any(|line| line.ends_with(source.trim_start()));
    }
    let carets = " ".repeat(start.column) + &"^".repeat(end.column - start.column);
    let shows = |line: &str, text: &str| line.split_once("| ").is_some_and(|(_, shown)| shown.starts_with(text));
    printed.windows(2).any(|pair| shows(pair[0], source) && shows(pair[1], &carets))
}

fn snippet(source: &str, start: LineColumn, end: LineColumn) -> String {
    let offset = |place: LineColumn| -> usize {
        let lines = source.split_inclusive('\n').take(place.line.saturating_sub(1));
        let line = source.lines().nth(place.line.saturating_sub(1)).unwrap_or("");
        lines.map(str::len).sum::<usize>() + line.chars().take(place.column).map(char::len_utf8).sum::<usize>()
    };
    source.get(offset(start)..offset(end)).unwrap_or("").to_owned()
}
