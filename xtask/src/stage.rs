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
    pub turn: Turn,
    /// Fails with what is wrong.
    pub run: fn(&Context) -> anyhow::Result<()>,
}

/// When a stage runs if all of them do. Two lanes run stages; stages of one turn are taken in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Before all others: stages of seconds, whose failure saves the rest.
    First,
    /// The stage `host`, which one lane begins with.
    Host,
    /// Beside the stage `host` or after it.
    Beside,
    /// After the stage `host`, whose builds it uses.
    AfterHost,
    /// Only when it is named.
    ByName,
}
