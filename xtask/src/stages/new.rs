//! The crate that `windrow new` makes.

use anyhow::ensure;
use xshell::cmd;

use super::host::{on_pocl, required};
use crate::context::Context;

/// The targets' tests of the template's kernel on any machine, its digest, and its property tests.
const LEAST: u64 = 8;

/// Makes the crate in the target folder and does what the command says to do next, in a debug build.
///
/// It is no member of the workspace and has profiles of its own, so all that it depends on is built anew.
pub fn new(cx: &Context) -> anyhow::Result<()> {
    // With the examples, so that features are those of the tests' builds.
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --bin windrow --examples"))?;
    let target = cx.target_folder();
    let (command, folder) = (target.join("debug/windrow"), target.join("new"));
    let package = folder.join("tried-out");
    cx.shell.remove_path(&package)?;
    cx.run(cmd!(cx.shell, "{command} new {package}"))?;
    // The versions that the workspace is tested with.
    cx.shell.copy_file("Cargo.lock", package.join("Cargo.lock"))?;

    let root = cx.shell.current_dir();
    let (picture, sharpened) = (root.join("examples/images/astronaut.png"), folder.join("sharpened.png"));
    let _here = cx.shell.push_dir(&package);
    let built = folder.join("target");
    let cargo =
        |arguments: &[&str]| on_pocl(cx, cmd!(cx.shell, "cargo {arguments...}")).env("CARGO_TARGET_DIR", &built);
    cx.test(cargo(&["test"]).env("WINDROW_REQUIRE", required()), LEAST)?;
    let said = cargo(&["run", "--quiet", "--"]).arg(&picture).arg(&sharpened).read_stderr()?;
    cx.say(&said)?;
    ensure!(said.matches("a debug build").count() == 1, "a debug run says once that it is one; it says: {said}");
    let header =
        |path| -> anyhow::Result<Vec<u8>> { Ok(cx.shell.read_binary_file(path)?.into_iter().take(24).collect()) };
    ensure!(header(&sharpened)? == header(&picture)?, "the sharpened picture is not a PNG file of the picture's size");
    cx.run(cargo(&["bench", "--no-run"]))
}
