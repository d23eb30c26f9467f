//! The C interface: its header, and programs in C and C++ against the libraries.

use anyhow::ensure;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use xshell::cmd;

use crate::context::Context;

/// The header, which a package outside of the workspace writes with cbindgen; and the programs, against the debug build.
pub fn capi(cx: &Context) -> anyhow::Result<()> {
    header(cx)?;
    // The same packages with the same features as in the stage `host`: what is left is to link.
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --lib --example c_expected"))?;
    let target = cx.target_folder();
    let (debug, include) = (target.join("debug"), "capi/include");
    let folder = cx.shell.create_temp_dir()?;
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let page = folder.path().join("page.c");
    cx.shell.write_file(&page, code(&cx.shell.read_file("docs/c.md")?)?)?;
    cx.run(cmd!(cx.shell, "clang -std=c11 {warnings...} -I {include} -fsyntax-only {page}"))?;
    let blur = folder.path().join("blur");
    let archive = debug.join("libwindrow_c.a");
    let system = ["-lm", "-lpthread", "-ldl"];
    let source = "capi/examples/blur.c";
    cx.run(cmd!(cx.shell, "clang -std=c11 {warnings...} -I {include} {source} {archive} {system...} -o {blur}"))?;
    let gradients = folder.path().join("gradients");
    let path = format!("-Wl,-rpath,{}", debug.display());
    let source = "capi/examples/gradients.cpp";
    cx.run(cmd!(
        cx.shell,
        "clang++ -std=c++17 {warnings...} -I {include} {source} -L {debug} -lwindrow_c {path} -o {gradients}"
    ))?;
    for (name, program) in [("blur", blur), ("gradients", gradients)] {
        let expected = debug.join("examples/c_expected");
        let expected = cx.read(cmd!(cx.shell, "{expected} {name}"))?;
        let found = cx.read(cmd!(cx.shell, "{program}"))?;
        ensure!(found.len() > 1000 && found == expected, "{name} prints:\n{found}\nand should print:\n{expected}");
    }
    cx.say("C and C++ print what Rust computes")
}

/// The C of a page.
fn code(page: &str) -> anyhow::Result<String> {
    let (mut found, mut in_code) = (String::new(), false);
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => in_code = &*language == "c",
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if in_code => found.push_str(&text),
            _ => {}
        }
    }
    ensure!(!found.is_empty(), "the page has no C");
    Ok(found)
}

/// Its own folder of builds: the packages of the workspace are not built with cbindgen's features.
fn header(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("header-tool");
    let package = ["--manifest-path", "capi/header/Cargo.toml"];
    let build = ["--locked", "--target-dir"];
    cx.run(cmd!(cx.shell, "cargo fmt {package...} --check"))?;
    cx.test(cmd!(cx.shell, "cargo test {package...} {build...} {folder}"), 1)?;
    cx.run(cmd!(cx.shell, "cargo run {package...} {build...} {folder}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_of_a_page_is_found() {
        let page = "text\n\n```c\nint a;\n```\n\n```sh\nls\n```\n\n```c\nint b;\n```\n";
        assert_eq!(code(page).unwrap(), "int a;\nint b;\n");
        assert!(code("```cpp\nint a;\n```\n").is_err());
    }
}
