//! What a stage runs its commands with.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use xshell::{Cmd, Shell};

/// Runs the commands of one stage, in the workspace's folder. All that they say goes to the terminal, or to a log.
pub struct Context {
    /// For `xshell::cmd!`.
    pub shell: Shell,
    log: Option<File>,
}

impl Context {
    /// For commands in `root`; with a log, nothing reaches the terminal.
    pub fn new(root: &Path, log: Option<File>) -> anyhow::Result<Self> {
        let shell = Shell::new()?;
        shell.change_dir(root);
        if std::env::var_os("CI").is_some() {
            // Everything is built once, from nothing: neither for a next build nor for a debugger. In one unit, as the other lane
            // has the other core: generated tests then take a fifth less time.
            shell.set_var("CARGO_INCREMENTAL", "0");
            shell.set_var("CARGO_PROFILE_DEV_DEBUG", "false");
            // Macros and build scripts too: their dependencies are those of the tests.
            shell.set_var("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1");
            shell.set_var("CARGO_PROFILE_DEV_BUILD_OVERRIDE_CODEGEN_UNITS", "1");
            // One unit leaves nothing to optimise across. `off` says so to tests and their dependencies, but not to macros: where a
            // stage names a target, what only macros need would be built a second time.
            shell.set_var("CARGO_PROFILE_DEV_LTO", "false");
        }
        Ok(Self { shell, log })
    }

    /// The folder that cargo builds in.
    pub fn target_folder(&self) -> PathBuf {
        let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        self.shell.current_dir().join(folder)
    }

    /// Says something to whoever reads the stage's output.
    pub fn say(&self, text: &str) -> anyhow::Result<()> {
        match &self.log {
            Some(log) => writeln!(&*log, "{text}")?,
            None => anstream::println!("{text}"),
        }
        Ok(())
    }

    /// Runs a command. An exit status other than 0 is an error.
    pub fn run(&self, command: Cmd<'_>) -> anyhow::Result<()> {
        let (text, mut command) = self.start(command)?;
        if let Some(log) = &self.log {
            command.stdout(log.try_clone()?);
        }
        let status = command.status().with_context(|| format!("cannot run `{text}`"))?;
        ensure!(status.success(), "`{text}` failed: {status}");
        Ok(())
    }

    /// Runs a command, and returns what it writes to its standard output.
    pub fn read(&self, command: Cmd<'_>) -> anyhow::Result<String> {
        let (text, mut command) = self.start(command)?;
        let output = command.stdout(Stdio::piped()).output().with_context(|| format!("cannot run `{text}`"))?;
        ensure!(output.status.success(), "`{text}` failed: {}", output.status);
        String::from_utf8(output.stdout).with_context(|| format!("what `{text}` prints is not text"))
    }

    /// Runs a command, and hands each line of its standard output on, too.
    pub fn follow(&self, command: Cmd<'_>, mut each: impl FnMut(&str)) -> anyhow::Result<()> {
        let (text, mut command) = self.start(command)?;
        let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot run `{text}`"))?;
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).split(b'\n') {
                let line = line?;
                let line = String::from_utf8_lossy(&line);
                self.say(&line)?;
                each(&line);
            }
        }
        let status = child.wait()?;
        ensure!(status.success(), "`{text}` failed: {status}");
        Ok(())
    }

    /// Runs a command that runs tests, and fails if fewer than `least` of them pass: a filter that matches nothing passes
    /// by itself.
    pub fn test(&self, command: Cmd<'_>, least: u64) -> anyhow::Result<()> {
        let text = command.to_string();
        let passed = self.passed(command)?;
        ensure!(passed >= least, "`{text}` ran {passed} tests, and should run at least {least}");
        Ok(())
    }

    /// Runs a command that runs tests, and returns how many of them passed.
    pub fn passed(&self, command: Cmd<'_>) -> anyhow::Result<u64> {
        let mut passed = 0;
        self.follow(command, |line| passed += passed_tests(line))?;
        Ok(passed)
    }

    /// What cargo says, message by message, of a command with `--message-format json-render-diagnostics`.
    pub fn messages(&self, command: Cmd<'_>) -> anyhow::Result<Vec<Value>> {
        let parse = |line: &str| serde_json::from_str(line).with_context(|| format!("a message of cargo: {line}"));
        self.read(command)?.lines().map(parse).collect()
    }

    /// What a command is called, and the command with the log as its error output.
    fn start(&self, command: Cmd<'_>) -> anyhow::Result<(String, Command)> {
        let text = command.to_string();
        self.say(&format!("$ {text}"))?;
        let mut command = Command::from(command);
        command.stdin(Stdio::null());
        if let Some(log) = &self.log {
            command.stderr(log.try_clone()?);
        }
        Ok((text, command))
    }
}

/// How many tests passed, by the summary of a test program; 0 for every other line.
fn passed_tests(line: &str) -> u64 {
    let Some(rest) = line.trim_start().strip_prefix("test result: ") else { return 0 };
    let count = rest.split_once(". ").and_then(|(_, rest)| rest.split_once(" passed"));
    count.and_then(|(count, _)| count.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use xshell::cmd;

    use super::*;

    #[test]
    fn passed_tests_are_counted() {
        assert_eq!(passed_tests("test result: ok. 17 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out"), 17);
        assert_eq!(passed_tests("test schedule::tests::a_cut ... ok"), 0);
    }

    #[test]
    fn tests_that_do_not_run_fail() {
        let context = Context::new(Path::new("."), None).unwrap();
        let command = |text: &str| cmd!(context.shell, "echo {text}");
        context.test(command("test result: ok. 2 passed; 0 failed"), 2).unwrap();
        assert!(context.test(command("test result: ok. 0 passed; 0 failed"), 1).is_err());
    }

    #[test]
    fn a_failing_command_is_named() {
        let context = Context::new(Path::new("."), None).unwrap();
        let error = context.run(cmd!(context.shell, "false")).unwrap_err();
        assert!(error.to_string().contains("`false` failed"), "{error}");
    }
}
