//! The page of `windrow explain --html` in a browser.

use anyhow::ensure;
use xshell::cmd;

use crate::context::Context;

/// Tests that must have run.
const LEAST: u64 = 25;

/// The tests of the page, over the command that the stage `host` has built.
pub fn page(cx: &Context) -> anyhow::Result<()> {
    // With the examples, so that features are those of the tests' builds.
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --bin windrow --examples"))?;
    let command = cx.target_folder().join("debug/windrow");
    let tests = cmd!(cx.shell, "python3 -B cli/tests/browser/test_page.py").env("WINDROW", command);
    let mut found = 0;
    cx.follow(tests, |line| found += tests_run(line))?;
    ensure!(found >= LEAST, "{found} tests of the page ran, and at least {LEAST} should");
    Ok(())
}

/// How many tests ran, by unittest's last lines; 0 for every other line.
fn tests_run(line: &str) -> u64 {
    let count = line.strip_prefix("Ran ").and_then(|rest| rest.split_once(" tests in "));
    count.and_then(|(count, _)| count.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::tests_run;

    #[test]
    fn tests_of_unittest_are_counted() {
        assert_eq!(tests_run("Ran 20 tests in 29.653s"), 20);
        assert_eq!(tests_run("test_hostile_text_is_text (__main__.PageTest) ... ok"), 0);
    }
}
