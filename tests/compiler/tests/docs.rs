//! The documentation is true to the code: its kernels compile, the files and links that it names are there.

use std::path::{Path, PathBuf};

fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root.join(page)).into();
    let in_docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(in_docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    pages.into_iter().map(|page| (page.clone(), std::fs::read_to_string(page).unwrap())).collect()
}

#[test]
fn kernels_in_the_documentation_compile() {
    let mut kernels = 0;
    for (page, text) in pages() {
        for block in text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            // Hidden lines begin with `# `, as rustdoc has them.
            let shown = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned() + "\n";
            let block: String = block.lines().map(|line| shown(line.trim_start_matches("   "))).collect();
            if block.contains("#[kernel") {
                let compiled = windrow_dsl::compile_file(&block);
                let errors: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
                assert!(errors.is_empty() && !compiled.kernels.is_empty(), "{}: {errors:?}\n{block}", page.display());
                kernels += compiled.kernels.len();
            }
        }
    }
    assert!(kernels >= 3, "only {kernels} kernels found");
}

/// Each page with Rust on it is compiled whole: as documentation tests of the facade, of the C interface or of networks, by `tests/book`, or by the test of the
/// proof's page; and no block of any page is set aside by an attribute that no one checks.
#[test]
fn all_rust_in_the_documentation_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let by =
        ["src/lib.rs", "capi/src/lib.rs", "graph/src/lib.rs", "tests/book/build.rs", "dsl/src/analyse/tests/page.rs"];
    let by = by.map(|file| std::fs::read_to_string(root.join(file)).unwrap()).concat();
    let mut compiled = 0;
    for (page, text) in pages() {
        let fences = text.lines().filter_map(|line| line.trim_start().strip_prefix("```"));
        for language in fences.step_by(2) {
            // The tests of the Python package run the page about it.
            let is_run = language == "python" && page.ends_with("python.md");
            let known = is_run || ["", "rust", "text", "toml", "sh", "c", "cpp"].contains(&language);
            assert!(known, "{} has a block of `{language}`, which nothing compiles", page.display());
        }
        if text.contains("```rust") {
            let name = page.file_name().unwrap().to_string_lossy().into_owned();
            assert!(by.contains(&format!("{name}\"")), "the Rust of {name} is not compiled");
            compiled += 1;
        }
    }
    assert!(compiled >= 14, "only {compiled} pages found");
}

/// A file that a page names in code marks, from the root: one with a folder and an ending.
#[test]
fn files_named_in_the_documentation_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The operator that a how-to adds.
    let added = ["operators/src/filter/emboss.rs"];
    let mut missing = Vec::new();
    for (page, text) in pages() {
        for word in text.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains(' ')) {
            let is_file = [".rs", ".txt", ".md", ".toml"].iter().any(|ending| word.ends_with(ending));
            let is_path = word.chars().all(|c| c.is_alphanumeric() || "/_.-".contains(c));
            if is_file && is_path && !added.contains(&word) && !root.join(word).exists() {
                missing.push(format!("{} names {word}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Whatever the pages for newcomers name as `Type::function` is in the sources of the runtime, of its OpenCL half or of the reference.
#[test]
fn calls_named_for_newcomers_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = ["reference/src", "runtime/src", "opencl/src"].map(|folder| sources(&root.join(folder))).concat();
    let mut named = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| page.to_string_lossy().contains("coming-from")) {
        let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
        for word in rows.flat_map(|(_, ours)| ours.split('`').skip(1).step_by(2)) {
            let Some((path, name)) = word.rsplit_once("::").filter(|(path, _)| !path.contains('(')) else { continue };
            let holder = path.rsplit("::").next().unwrap_or(path);
            if name.chars().any(|c| !c.is_alphanumeric() && c != '_') || holder == "foo" {
                continue;
            }
            let declared = ["fn ", "struct ", "enum ", "trait ", "type "].map(|kind| format!("{kind}{name}"));
            let variant = format!("    {name}");
            let found =
                |source: &&String| declared.iter().any(|text| source.contains(text)) || source.contains(&variant);
            let held = |source: &&String| holder.starts_with(char::is_lowercase) || source.contains(holder);
            assert!(sources.iter().filter(held).any(|source| found(&source)), "{} names {word}", page.display());
            named += 1;
        }
    }
    assert!(named > 60, "only {named} names found");
}

/// The text of every Rust file below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![std::fs::read_to_string(path).unwrap()],
    });
    texts.collect()
}

#[test]
fn links_lead_somewhere() {
    for (page, text) in pages() {
        // Blocks of code are every second part.
        let prose: String = text.split("```").step_by(2).collect();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let leaves = page.parent().is_some_and(|folder| folder.ends_with("docs")) && file.starts_with("../");
            assert!(!leaves, "{} links to {target}, which the book lacks: name it without a link", page.display());
            if !file.is_empty() && !file.contains("://") {
                assert!(page.parent().unwrap().join(file).exists(), "{} links to {target}", page.display());
            }
        }
    }
}
