//! The programs of tests that cargo builds, to run some of them, or in another place than cargo would.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use xshell::{Cmd, cmd};

use crate::context::Context;

/// One program of tests.
pub struct Program {
    pub path: PathBuf,
    /// What the test is called in its package: the library's name for its own tests.
    name: String,
    /// The folder of its package, in which cargo runs it.
    pub folder: PathBuf,
    /// Whether its tests are those of a library's modules, or the generated ones of the operators, which stand in a program of their
    /// own.
    pub is_of_library: bool,
}

impl Program {
    /// Whether its test is called `name`.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name
    }
}

/// The programs that a command builds: `cargo test … --no-run --message-format json-render-diagnostics`.
pub fn built(cx: &Context, command: Cmd<'_>) -> anyhow::Result<Vec<Program>> {
    let programs = cx.messages(command)?.iter().filter_map(program).collect::<Vec<_>>();
    ensure!(programs.iter().any(|program| program.is_of_library), "cargo says of no program of tests that it built it");
    Ok(programs)
}

/// All of the workspace, as the stage `host` builds them.
pub fn of_workspace(cx: &Context) -> anyhow::Result<Vec<Program>> {
    let format = ["--message-format", "json-render-diagnostics"];
    built(cx, cmd!(cx.shell, "cargo test --workspace --all-features --tests --no-run {format...}"))
}

/// The program of tests that a message of cargo is about.
fn program(message: &Value) -> Option<Program> {
    let target = &message["target"];
    let is_test = message["profile"]["test"] == true;
    let path = message["executable"].as_str().filter(|_| is_test)?;
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    let is_library =
        target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "lib" || kind == "cdylib"));
    let name = target["name"].as_str()?.to_owned();
    let is_of_library = is_library || (name == KERNELS && target["kind"][0] == "test");
    Some(Program { path: path.into(), name, folder: manifest.parent()?.into(), is_of_library })
}

/// The name of the program of the operators' generated tests.
pub const KERNELS: &str = "kernels";

/// Runs the programs one after the other, all of them, and fails if a test did, or fewer than `least` passed. `command` makes a
/// program's command.
pub fn run<'p, 'c>(
    cx: &Context,
    programs: impl IntoIterator<Item = &'p Program>,
    command: impl Fn(&Program) -> Cmd<'c>,
    least: u64,
) -> anyhow::Result<()> {
    let (mut passed, mut failed) = (0, Vec::new());
    for program in programs {
        let _folder = cx.shell.push_dir(&program.folder);
        match cx.passed(command(program)) {
            Ok(count) => passed += count,
            Err(error) => failed.push(format!("{error:#}")),
        }
    }
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    ensure!(passed >= least, "{passed} tests ran, and should be at least {least}");
    Ok(())
}

/// The one program of the operators' generated tests.
pub fn kernels(programs: &[Program]) -> anyhow::Result<&Program> {
    programs
        .iter()
        .find(|program| program.is_named(KERNELS))
        .context("cargo does not say that it built the operators' tests")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn programs_of_tests_are_found_in_messages() {
        let message = |kind: &str, name: &str, test: bool, executable: Option<&str>| {
            json!({
                "reason": "compiler-artifact", "manifest_path": "/windrow/operators/Cargo.toml", "executable": executable,
                "target": { "kind": [kind], "name": name }, "profile": { "test": test },
            })
        };
        let of = |message: Value| program(&message).map(|program| (program.folder, program.is_of_library));
        let folder = PathBuf::from("/windrow/operators");
        assert_eq!(of(message("lib", "windrow_runtime", true, Some("/t/a"))), Some((folder.clone(), true)));
        assert_eq!(of(message("cdylib", "own_kernels", true, Some("/t/a"))), Some((folder.clone(), true)));
        assert_eq!(of(message("test", "kernels", true, Some("/t/a"))), Some((folder.clone(), true)));
        assert_eq!(of(message("test", "goldens", true, Some("/t/a"))), Some((folder, false)));
        assert_eq!(of(message("bin", "windrow", false, Some("/t/a"))), None);
        assert_eq!(of(message("lib", "windrow_runtime", false, None)), None);
        assert_eq!(of(json!({ "reason": "build-finished" })), None);
    }
}
