//! The Python package: its tests over the module that the other stages' builds have compiled, and the wheel that users build.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use xshell::cmd;

use crate::{context::Context, stages::host::on_pocl};

/// Tests that must have run.
const LEAST: u64 = 600;

/// The tests, over a module of the development profile: its dependencies are those of the stage `host`.
pub fn python(cx: &Context) -> anyhow::Result<()> {
    // With the examples, so that features are those of the tests' builds.
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --lib --examples"))?;
    let python = environment(cx, "tests")?;
    let package = cx.target_folder().join("python/package");
    let module = package.join("windrow/_windrow.abi3.so");
    copy(&cx.shell.current_dir().join("python/windrow"), &package.join("windrow"))?;
    for (name, module) in [("_windrow", module), ("own_kernels", package.join("own_kernels.abi3.so"))] {
        fs::copy(cx.target_folder().join("debug").join(library(name)), &module)
            .with_context(|| format!("the module {}", module.display()))?;
    }
    // Nothing of the working folder is imported, and no other module than this one.
    let tests = cmd!(cx.shell, "{python} -P -m pytest -c python/pyproject.toml -q -p no:cacheprovider python/tests");
    passed(cx, on_pocl(cx, tests.env("PYTHONPATH", &package)), LEAST)
}

/// The wheel as users build it, optimised, and a crate of kernels by an author.
pub fn wheel(cx: &Context) -> anyhow::Result<()> {
    let python = environment(cx, "wheel")?;
    let packages = ["./python", "./python/examples/own_kernels"];
    cx.run(cmd!(cx.shell, "{python} -m pip install --quiet --force-reinstall --no-deps {packages...}"))?;
    passed(
        cx,
        cmd!(cx.shell, "{python} -P -m pytest -c python/pyproject.toml -q -p no:cacheprovider python/tests"),
        LEAST,
    )
}

/// An environment with what the tests need; made anew where the list of that has changed.
fn environment(cx: &Context, name: &str) -> anyhow::Result<PathBuf> {
    let folder = cx.target_folder().join("python").join(name);
    let (python, stamp) = (folder.join("bin/python"), folder.join("requirements.txt"));
    let wanted = "python/tests/requirements.txt";
    let text = fs::read_to_string(cx.shell.current_dir().join(wanted)).context(wanted)?;
    if fs::read_to_string(&stamp).is_ok_and(|known| known == text) {
        return Ok(python);
    }
    cx.run(cmd!(cx.shell, "python3 -m venv --clear {folder}"))?;
    cx.run(cmd!(cx.shell, "{python} -m pip install --quiet --disable-pip-version-check -r {wanted}"))?;
    fs::write(&stamp, text).with_context(|| format!("the stamp {}", stamp.display()))?;
    Ok(python)
}

/// The name of the file that cargo builds for a library.
fn library(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("the folder {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("the folder {}", from.display()))? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, to.join(name)).with_context(|| format!("the file {}", path.display()))?;
        }
    }
    Ok(())
}

/// Runs pytest, and fails if fewer than `least` tests pass.
fn passed(cx: &Context, command: xshell::Cmd<'_>, least: u64) -> anyhow::Result<()> {
    let (text, mut found) = (command.to_string(), 0);
    cx.follow(command, |line| found += passed_tests(line))?;
    ensure!(found >= least, "`{text}` ran {found} tests, and should run at least {least}");
    Ok(())
}

/// How many tests passed, by pytest's last line; 0 for every other line.
fn passed_tests(line: &str) -> u64 {
    let Some((counts, _)) = line.split_once(" in ") else { return 0 };
    let count = counts.split(", ").find_map(|count| count.strip_suffix(" passed"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_of_pytest_are_counted() {
        assert_eq!(passed_tests("636 passed in 1.69s"), 636);
        assert_eq!(passed_tests("2 failed, 531 passed, 1 warning in 0.45s"), 531);
        assert_eq!(passed_tests("2 failed in 0.45s"), 0);
        assert_eq!(passed_tests("tests in a file"), 0);
    }
}
