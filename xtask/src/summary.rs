//! How stages ended, and the table of it.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::lanes::Options;

const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default();

/// How a stage ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Passed,
    /// It found a fault, or could not run to its end: why.
    Failed(String),
    /// It did not run, since something that it needs is missing.
    Missing(Vec<&'static str>),
    /// It did not run, since another stage had failed before.
    NotReached,
}

/// How a stage ended, and how long it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub stage: &'static str,
    pub ending: Ending,
    pub seconds: u64,
    /// What its log says of its failures, if it failed.
    pub failures: Vec<String>,
}

impl Outcome {
    /// Whether the run may go on as if nothing were wrong.
    pub fn is_success(&self, allow_missing: bool) -> bool {
        match self.ending {
            Ending::Passed => true,
            Ending::Missing(_) => allow_missing,
            Ending::Failed(_) | Ending::NotReached => false,
        }
    }

    /// Its line in the table.
    fn line(&self) -> String {
        let Self { stage, ending, seconds, .. } = self;
        match ending {
            Ending::Passed => format!("{stage:10} {GREEN}passed{GREEN:#}   {seconds:4} s"),
            Ending::Failed(why) => format!("{stage:10} {RED}FAILED{RED:#}   {seconds:4} s: {why}"),
            Ending::Missing(names) => {
                let names = names.join(", ");
                format!("{stage:10} {RED}NOT RUN{RED:#}  missing: {names} (`cargo xtask setup {stage}` installs it)")
            }
            Ending::NotReached => format!("{stage:10} {RED}NOT RUN{RED:#}  another stage had failed"),
        }
    }
}

/// Says how a stage ended, as soon as it has.
pub fn say_ending(outcome: &Outcome) {
    anstream::println!("== {}", outcome.line());
}

/// Prints the table and what failed, and whether the whole run succeeded.
pub fn print(outcomes: &[Outcome], options: Options) -> bool {
    anstream::println!("\n{}{}", table(outcomes), failures(outcomes));
    outcomes.iter().all(|outcome| outcome.is_success(options.allow_missing))
}

/// A line for each stage, and the sums.
fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let (mut passed, mut failed, mut not_run) = (0, 0, 0);
    for outcome in outcomes {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{}", outcome.line());
        match outcome.ending {
            Ending::Passed => passed += 1,
            Ending::Failed(_) => failed += 1,
            Ending::Missing(_) | Ending::NotReached => not_run += 1,
        }
    }
    text + &format!("{passed} passed, {failed} failed, {not_run} not run")
}

/// The failures of each stage that failed, under its name: whoever sees only the end of a long output sees which tests they are.
fn failures(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for Outcome { stage, failures, .. } in outcomes.iter().filter(|outcome| matches!(outcome.ending, Ending::Failed(_)))
    {
        if !failures.is_empty() {
            let _ = write!(text, "\n\n== {RED}{stage}{RED:#}\n{}", failures.join("\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ending: Ending) -> Outcome {
        Outcome { stage: "stage", ending, seconds: 7, failures: vec!["failed: a::test".to_owned()] }
    }

    #[test]
    fn what_did_not_run_is_no_success_unless_that_is_allowed() {
        assert!(outcome(Ending::Passed).is_success(false));
        assert!(!outcome(Ending::Missing(vec!["Miri"])).is_success(false));
        assert!(outcome(Ending::Missing(vec!["Miri"])).is_success(true));
        for ending in [Ending::Failed("a fault".to_owned()), Ending::NotReached] {
            assert!(!outcome(ending).is_success(true));
        }
    }

    #[test]
    fn the_table_counts_every_stage_once() {
        let endings =
            [Ending::Passed, Ending::Passed, Ending::Failed("a fault".to_owned()), Ending::Missing(vec!["Miri"])];
        let text = table(&endings.map(outcome));
        assert!(text.ends_with("2 passed, 1 failed, 1 not run"), "{text}");
        assert!(text.contains("a fault") && text.contains("missing: Miri"), "{text}");
    }
    #[test]
    fn failures_are_told_of_the_stages_that_failed() {
        assert_eq!(failures(&[outcome(Ending::Passed), outcome(Ending::NotReached)]), "");
        let text = failures(&[outcome(Ending::Failed("a fault".to_owned()))]);
        assert!(text.contains("stage") && text.ends_with("failed: a::test"), "{text}");
    }
}
