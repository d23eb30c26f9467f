//! A stage of the tests.

use crate::{context::Context, needs::Need};

/// One check of the workspace, with a name to ask for it by.
pub struct Stage {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What passing it shows, in a line.
    pub shows: &'static str,
    /// What must be installed; `cargo xtask setup` does so.
    pub needs: &'static [&'static Need],
    /// When it runs if all stages do.
    pub lane: Lane,
    /// Fails with what is wrong.
    pub run: fn(&Context) -> anyhow::Result<()>,
}

/// When a stage runs if all of them do. Within a lane stages run in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Before both lanes: stages of seconds, whose failure saves the rest.
    First,
    /// The stage `host`, and the stages that run what it has built.
    Host,
    /// Beside that lane: stages whose builds are their own, and last some that run what `host` has built.
    Other,
    /// Only when it is named.
    ByName,
}
