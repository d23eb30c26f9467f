//! Writes `capi/include/windrow.h`, or says where it is not what cbindgen writes.

use std::{fs, path::Path};

use anyhow::{Context as _, bail, ensure};

fn main() -> anyhow::Result<()> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR"));
    let capi = tool.parent().context("the tool is a folder of the C interface")?;
    let text = header(capi, &tool.join("cbindgen.toml"))?;
    let path = capi.join("include/windrow.h");
    match std::env::args().nth(1).as_deref() {
        Some("write") => fs::write(&path, text).with_context(|| path.display().to_string()),
        None => compare(&fs::read_to_string(&path).with_context(|| path.display().to_string())?, &text),
        Some(other) => bail!("`{other}` is no argument of this program: it has `write`, or none to compare"),
    }
}

fn header(capi: &Path, configuration: &Path) -> anyhow::Result<String> {
    let config = cbindgen::Config::from_file(configuration).map_err(anyhow::Error::msg)?;
    let mut builder = cbindgen::Builder::new().with_config(config);
    // By files, in the order in which a reader meets what is in them: cargo is not asked, and nothing is built.
    for file in ["types", "status", "tensor", "dlpack", "catalogue", "describe", "call", "plan"] {
        builder = builder.with_src(capi.join("src").join(file).with_extension("rs"));
    }
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    // What Rust calls safety.
    Ok(String::from_utf8(text)?.replace("// # Safety\n", "// You promise:\n"))
}

fn compare(committed: &str, written: &str) -> anyhow::Result<()> {
    let differs = committed.lines().zip(written.lines()).position(|(committed, written)| committed != written);
    let line = differs.unwrap_or(committed.lines().count().min(written.lines().count())) + 1;
    ensure!(
        committed == written,
        "capi/include/windrow.h is not what cbindgen writes, from line {line} on: run this program with `write`"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        compare("a\nb\n", "a\nb\n").unwrap();
        for (other, line) in [("a\nc\n", 2), ("a\n", 2), ("a\nb\nc\n", 3)] {
            let error = compare("a\nb\n", other).unwrap_err().to_string();
            assert!(error.contains(&format!("line {line} ")), "{error}");
        }
    }
}
