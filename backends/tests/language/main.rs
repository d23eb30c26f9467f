//! `docs/language.md` is written from the compiler's own tables: operators and methods from `dsl`, what they demand
//! from the analysis, what becomes of them from each target's emitter, what is refused from the message catalogue.
//! `WINDROW_BLESS=1` writes it anew.

#[path = "../cpu/make.rs"]
#[allow(dead_code)]
mod make;
mod operation;
mod targets;

use operation::{Operation, operations};
use std::{collections::BTreeSet, fmt::Write, path::Path};
use windrow_dsl::messages;

fn language() -> String {
    let mut text = include_str!("language.md").to_owned();
    let operations = operations();
    let (operators, methods): (Vec<_>, Vec<_>) = operations.iter().partition(|operation| operation.is_operator);
    text.push_str("## Operators\n\nWhat must hold is proved while the kernel is compiled, or is an error.\n\n");
    text.push_str(&meanings("Operator", &operators));
    text.push_str("\n## Methods\n\n");
    let (functions, methods): (Vec<_>, Vec<_>) = methods.iter().partition(|operation| operation.is_function);
    text.push_str(&meanings("Method", &methods));
    text.push_str(
        "\n## Functions\n\nMethods of f32 that windrow defines itself, by sums and products: all targets compute the \
         same bits. [The functions](functions.md)\nsays how near they are to the exact values, and what they cost.\n\n",
    );
    text.push_str(&meanings("Function", &functions));
    text.push_str(
        "\n## What becomes of them\n\nThe instructions or functions of each target, without types, in the order of \
         their use; loads, stores, constants and\nregister views are left out. In a kernel, neighbouring operations \
         become one where an instruction does both. `T` stands for a \
         type; `minimum`,\n`maximum`, `isqrt` and `rounding_shr` are functions in the program; `derived` is computed once for the \
         run.\nA comparison is shown at the choice that depends on it; it may be the opposite comparison, with the arms \
         exchanged.\n\n",
    );
    text.push_str(&lowerings(&operations));
    text.push_str(
        "\n## What is refused\n\nEvery mistake is shown at its own token, all of a phase at once, with a way out.\n\n",
    );
    text.push_str("| Message | Way out |\n|---|---|\n");
    for message in messages::ALL.iter().filter(|message| message.text != "{0}") {
        writeln!(text, "| {} | {} |", words(message.text), words(message.help)).unwrap();
    }
    text
}

/// What each operation means, and what it demands.
fn meanings(title: &str, operations: &[&Operation]) -> String {
    let mut text = format!("| {title} | On | Meaning | Proved |\n|---|---|---|---|\n");
    for operation in operations {
        let demands: BTreeSet<&str> = operation.kernels.iter().flat_map(|kernel| kernel.demands()).collect();
        let demands: Vec<&str> = demands.into_iter().collect();
        let demands = if demands.is_empty() { "nothing".to_owned() } else { demands.join("; ") };
        let cells = [format!("`{}`", operation.form), operation.on.clone(), operation.doc.to_owned(), demands];
        writeln!(text, "| {} |", cells.map(|text| cell(&text)).join(" | ")).unwrap();
    }
    text
}

/// What each target makes of each operation.
fn lowerings(operations: &[Operation]) -> String {
    let names: Vec<&str> = targets::COLUMNS.iter().map(|column| column.name).collect();
    let mut text = format!("| | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for operation in operations.iter().filter(|operation| !operation.is_function) {
        let columns = targets::COLUMNS.iter().map(|column| cell(&column.cell(operation)));
        writeln!(text, "| `{}` | {} |", cell(&operation.form), columns.collect::<Vec<_>>().join(" | ")).unwrap();
    }
    text
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
    assert!(
        text == written,
        "docs/language.md is out of date: WINDROW_BLESS=1 cargo test -p windrow-backends --test language"
    );
}
