//! Every message of the catalogue, at the author's own token, with a way out that works.
//!
//! The cases are data, in files by kind: the message, the tokens that it must stand at, the mistake, and the same text
//! mended as the help says. A case may meet several messages; the first is the one that it is about.

mod cases {
    pub mod attribute;
    pub mod forms;
    pub mod helpers;
    pub mod limits;
    pub mod names;
    pub mod pipelines;
    pub mod signature;
    pub mod types;
}

use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::messages::{self, Message};

/// A mistake, and its mended twin.
pub struct Case {
    /// The message.
    pub message: Message,
    /// The author's tokens that it must underline.
    pub at: &'static str,
    /// The mistake.
    pub wrong: &'static str,
    /// The same, mended as the help says; empty where nothing of it could stay.
    pub right: &'static str,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(cases::attribute::cases());
    cases.extend(cases::signature::cases());
    cases.extend(cases::forms::cases());
    cases.extend(cases::names::cases());
    cases.extend(cases::types::cases());
    cases.extend(cases::limits::cases());
    cases.extend(cases::pipelines::cases());
    cases.extend(cases::helpers::cases());
    cases
}

#[test]
fn every_mistake_is_shown_at_its_token_with_a_help() {
    let mut failures = Vec::new();
    for case in cases() {
        let errors = windrow_dsl::compile_file(case.wrong).errors;
        let found = errors.iter().find(|error| is(&case.message, error));
        match found {
            None => failures.push(format!("{}: not reported, but {:?}", case.message.name, texts(&errors))),
            Some(error) => {
                let at = snippet(case.wrong, error);
                if at != case.at {
                    failures.push(format!("{}: at `{at}`, not at `{}`", case.message.name, case.at));
                }
                if error.help.is_empty() || error.help.contains('{') && error.help.contains("{0}") {
                    failures.push(format!("{}: help `{}`", case.message.name, error.help));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_mistake_is_shown_once() {
    for case in cases() {
        let errors = windrow_dsl::compile_file(case.wrong).errors;
        let count = errors.iter().filter(|error| is(&case.message, error)).count();
        assert_eq!(count, 1, "{}: {:?}", case.message.name, texts(&errors));
    }
}

#[test]
fn every_mended_twin_compiles() {
    let mut failures = Vec::new();
    for case in cases().iter().filter(|case| !case.right.is_empty()) {
        let errors = windrow_dsl::compile_file(case.right).errors;
        if !errors.is_empty() {
            failures.push(format!("{}: {:?}", case.message.name, texts(&errors)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_message_has_a_case() {
    let cases = cases();
    let missing: Vec<&str> = messages::ALL
        .iter()
        .filter(|message| message.name != "UNSUPPORTED") // a last resort: no known program meets it
        .filter(|message| !cases.iter().any(|case| case.message.name == message.name))
        .map(|message| message.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn several_mistakes_are_reported_together() {
    let source =
        "#[kernel(setp(1, 1), boder(wrap))] fn f(a: u128, #[unifrom] b: u8) -> u8 { while true {} return a?; }";
    let errors = windrow_dsl::compile_file(source).errors;
    assert_eq!(errors.len(), 6, "{:?}", texts(&errors));
    let source = "#[kernel] fn f(a: u8) -> u8 { let b = c; let d = a + 1u16; a.mni(d); e }";
    let errors = windrow_dsl::compile_file(source).errors;
    assert_eq!(errors.len(), 4, "{:?}", texts(&errors));
}

/// What follows from a mistake is no other one.
#[test]
fn a_mistake_is_told_once() {
    let cases = cases();
    let once = ["get", "-i", "Levels", "self", "K"];
    for case in cases.iter().filter(|case| once.contains(&case.at)) {
        let errors = windrow_dsl::compile_file(case.wrong).errors;
        assert_eq!(errors.len(), 1, "{}: {:?}", case.message.name, texts(&errors));
    }
}

#[test]
fn a_constant_that_a_kernel_does_not_see_is_no_slip_of_the_pen() {
    let source = "const K: u8 = 3; #[kernel] fn f(k: u8, gain: u8) -> u8 { gain.max(K).max(GAIN).max(half(k)) }";
    let errors = windrow_dsl::compile_file(source).errors;
    let says = |error: &Diagnostic| error.help.contains("doesn't see what stands around it");
    assert!(errors.len() == 3 && errors.iter().all(says), "{:?}", texts(&errors));
}

#[test]
fn a_kernel_that_is_wrong_is_kept_for_editors() {
    let item: proc_macro2::TokenStream = "fn f(a: u8) -> u8 { while true {} a.min(3) }".parse().unwrap();
    let compiled = windrow_dsl::compile_kernel(proc_macro2::TokenStream::new(), item);
    assert_eq!(compiled.errors.len(), 1);
    let items = compiled.items.to_string();
    assert!(items.contains("cfg (rust_analyzer)") && items.contains("a . min (3)"), "{items}");
    assert!(items.contains("type f = __refused") && items.contains("fn f (_ : __refused) -> __refused"), "{items}");
}

fn texts(errors: &[Diagnostic]) -> Vec<String> {
    errors.iter().map(|error| format!("{} = help: {}", error.message, error.help)).collect()
}

/// Whether a mistake is of this message: its fixed words, in order.
fn is(message: &Message, error: &Diagnostic) -> bool {
    if message.name == "SYNTAX" {
        return error.message.contains("expected");
    }
    let mut rest = error.message.as_str();
    let mut fits = true;
    for (position, part) in fixed_parts(message.text).iter().enumerate() {
        match rest.find(part.as_str()) {
            Some(at) if position > 0 || at == 0 => rest = &rest[at + part.len()..],
            Some(_) | None => fits = false,
        }
    }
    fits
}

fn fixed_parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut skipping = false;
    for letter in text.chars() {
        match letter {
            '{' => {
                skipping = true;
                parts.push(String::new());
            }
            '}' if skipping => skipping = false,
            _ if skipping => {}
            _ => parts.last_mut().unwrap().push(letter),
        }
    }
    parts
}

/// The author's text from the first token to the last.
fn snippet(source: &str, error: &Diagnostic) -> String {
    let offset = |place: proc_macro2::LineColumn| -> usize {
        let before: usize = source.lines().take(place.line - 1).map(|line| line.len() + 1).sum();
        before
            + source
                .lines()
                .nth(place.line - 1)
                .unwrap_or("")
                .char_indices()
                .nth(place.column)
                .map_or(source.lines().nth(place.line - 1).unwrap_or("").len(), |(index, _)| index)
    };
    let (start, end) = (offset(error.start.start()), offset(error.end.end()));
    source.get(start..end).unwrap_or("?").to_owned()
}
