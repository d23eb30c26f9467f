//! Writes the code of each recipe into a file that `tests/recipes.rs` includes, named after its heading.

use std::{env, fs, path::Path};

fn main() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recipes.md");
    println!("cargo::rerun-if-changed={page}");
    let text = fs::read_to_string(page).expect("the page of recipes");
    let folder = env::var_os("OUT_DIR").expect("cargo's folder for what a build script writes");
    let mut names = String::new();
    for section in text.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').expect("a heading is a line");
        let name = name(heading);
        for language in ["rust", "cpp"] {
            let code = blocks(text, language);
            if !code.is_empty() {
                fs::write(Path::new(&folder).join(format!("{name}.{language}")), code).expect("a file in that folder");
            }
        }
        names.push_str(&format!("{name:?}, "));
    }
    // The names of all recipes: each has a test.
    fs::write(Path::new(&folder).join("names"), format!("[{names}]")).expect("a file in that folder");
}

/// A heading as a name: `the_crate_image`.
fn name(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '+'));
    kept.collect::<String>().to_lowercase().replace([' '], "_").replace('+', "p")
}

/// The blocks of code in a language, one after another.
fn blocks(text: &str, language: &str) -> String {
    let fence = format!("```{language}\n");
    text.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}
