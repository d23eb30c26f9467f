//! What tuning does in this process: `WINDROW_TUNE`.

use windrow_runtime::InvalidText;

/// The environment variable that says it.
pub const TUNE_VARIABLE: &str = "WINDROW_TUNE";

/// What becomes of tunings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TuneMode {
    /// Nothing is tuned, and no tuning is used.
    Off,
    /// Tunings that are there are used.
    #[default]
    Load,
    /// What has none is tuned.
    Tune,
}

impl TuneMode {
    /// Returns what `WINDROW_TUNE` says; [`TuneMode::Load`] without it.
    ///
    /// # Errors
    /// Where it says something else.
    pub fn of_environment() -> Result<Self, InvalidText> {
        match std::env::var(TUNE_VARIABLE) {
            Ok(name) if !name.is_empty() => name.parse(),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Self::default()),
            Err(std::env::VarError::NotUnicode(_)) => "?".parse(),
        }
    }
}

#[cfg(test)]
mod tests;
