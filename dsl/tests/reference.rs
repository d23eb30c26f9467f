//! `docs/language.md` is written from the builtin table and the message catalogue. `WINDROW_BLESS=1` writes it anew.

use std::fmt::Write;
use std::path::Path;
use windrow_dsl::builtins::{Argument, METHODS, Method, ResultType};
use windrow_dsl::{dump, messages};

fn language() -> String {
    let mut text = include_str!("../reference/language.md").to_owned();
    text.push_str("| Method | On | Meaning |\n|---|---|---|\n");
    for method in METHODS {
        writeln!(text, "| `{}` | {} | {} |", signature(method), method.receivers.words(), cell(method.doc)).unwrap();
    }
    text.push_str(
        "\n## What is refused\n\nEvery mistake is shown at its own token, all of a phase at once, with a way out.\n\n",
    );
    text.push_str("| Message | Way out |\n|---|---|\n");
    for message in messages::ALL.iter().filter(|message| message.text != "{0}") {
        writeln!(text, "| {} | {} |", words(message.text), words(message.help)).unwrap();
    }
    text
}

fn signature(method: &Method) -> String {
    let arguments: Vec<&str> = method
        .arguments
        .iter()
        .zip(["b", "c"])
        .map(|(argument, name)| if *argument == Argument::Bits { "n: u32" } else { name })
        .collect();
    let result = match method.result {
        ResultType::Same => String::new(),
        ResultType::Unsigned => " -> unsigned".to_owned(),
        ResultType::Fixed(ty) => format!(" -> {}", dump::type_name(ty)),
        ResultType::Target => " -> the type asked for".to_owned(),
    };
    format!("a.{}({}){result}", method.name, arguments.join(", "))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A message's text, with … for the author's words.
fn words(text: &str) -> String {
    let mut text = cell(text);
    for place in 0..6 {
        text = text.replace(&format!("{{{place}}}"), "…");
    }
    text
}

#[test]
fn the_language_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let text = language();
    if std::env::var_os("WINDROW_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == written, "docs/language.md is out of date: BLESS=1 cargo test -p windrow-dsl --test reference");
}
