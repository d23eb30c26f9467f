//! What the book says that the compiler prints is what it prints.

mod common;

use common::windrow;

const PAGE: &str = include_str!("../../docs/how-it-works.md");

/// The first block of code in a language.
fn block(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    PAGE.split(fence.as_str()).nth(1).and_then(|rest| rest.split("```").next()).unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = windrow(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_kernel_that_the_book_follows_becomes_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mean.rs");
    let kernel: Vec<&str> = block("rust").lines().filter(|line| !line.starts_with("# ")).collect();
    std::fs::write(&file, kernel.join("\n")).unwrap();
    let file = file.to_str().unwrap();

    let explained = printed(&["explain", file]);
    for line in block("text").lines() {
        assert!(explained.contains(line), "the book shows `{line}`, and explain prints\n{explained}");
    }
    assert!(explained.contains("rounded mean"));

    let rows: Vec<[&str; 2]> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix("` |")?.split_once("` | `"))
        .map(|(target, shown)| [target, shown])
        .collect();
    assert_eq!(rows.len(), 5);
    for [target, shown] in rows {
        let text = printed(&["emit", file, "--target", target]);
        assert!(text.contains(shown), "the book shows `{shown}`, and emit prints\n{text}");
    }
}
