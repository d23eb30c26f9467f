//! The book of `docs/`, which a package outside of the workspace builds with mdBook.

use xshell::cmd;

use crate::context::Context;

/// Its own folder of builds: the packages of the workspace are not built with mdBook's features.
pub fn book(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("book-tool");
    let package = ["--manifest-path", "book/Cargo.toml"];
    let build = ["--locked", "--target-dir"];
    cx.run(cmd!(cx.shell, "cargo fmt {package...} --check"))?;
    cx.test(cmd!(cx.shell, "cargo test {package...} {build...} {folder}"), 4)?;
    cx.run(cmd!(cx.shell, "cargo run {package...} {build...} {folder}"))
}
