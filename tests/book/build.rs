//! Writes the code of each recipe into a file that `tests/recipes.rs` includes, named after its heading.

use std::{collections::BTreeMap, env, fs, path::Path};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

/// A recipe: its heading, and its code in each language.
#[derive(Default)]
struct Recipe {
    heading: String,
    code: BTreeMap<String, String>,
}

fn main() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recipes.md");
    println!("cargo::rerun-if-changed={page}");
    let text = fs::read_to_string(page).expect("the page of recipes");
    let folder = env::var_os("OUT_DIR").expect("cargo's folder for what a build script writes");
    let mut names = String::new();
    for Recipe { heading, code } in recipes(&text) {
        let name = name(&heading);
        for language in ["rust", "cpp"] {
            if let Some(code) = code.get(language) {
                fs::write(Path::new(&folder).join(format!("{name}.{language}")), code).expect("a file in that folder");
            }
        }
        names.push_str(&format!("{name:?}, "));
    }
    // The names of all recipes: each has a test.
    fs::write(Path::new(&folder).join("names"), format!("[{names}]")).expect("a file in that folder");
}

/// The sections of a page. Blocks of code in one language follow one another.
fn recipes(page: &str) -> Vec<Recipe> {
    let mut recipes: Vec<Recipe> = Vec::new();
    let (mut in_heading, mut language) = (false, None);
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                recipes.push(Recipe::default());
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(name))) => language = Some(name),
            Event::End(TagEnd::CodeBlock) => language = None,
            Event::Text(text) | Event::Code(text) => match (recipes.last_mut(), &language) {
                (Some(recipe), _) if in_heading => recipe.heading.push_str(&text),
                (Some(recipe), Some(language)) => recipe.code.entry(language.to_string()).or_default().push_str(&text),
                _ => {}
            },
            _ => {}
        }
    }
    recipes
}

/// A heading as a name: `the_crate_image`.
fn name(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '+'));
    kept.collect::<String>().to_lowercase().replace([' '], "_").replace('+', "p")
}
