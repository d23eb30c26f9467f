//! What a cost is compared with: a cost saved by `--json`, another Rust file, or the same files in a commit.

use super::{error::CostError, report::Report};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The other side of the comparison.
pub enum Before {
    /// A saved cost.
    Saved(Report),
    /// Rust files and their texts.
    Sources(Vec<(PathBuf, String)>),
}

/// Finds what `text` names.
pub fn find(text: &str, files: &[PathBuf]) -> Result<Before, CostError> {
    let path = Path::new(text);
    if path.is_file() {
        let read = std::fs::read_to_string(path).map_err(|error| nothing(text, error.to_string()))?;
        return match path.extension().is_some_and(|ending| ending == "json") {
            true => serde_json::from_str(&read).map(Before::Saved).map_err(|error| nothing(text, error.to_string())),
            false => Ok(Before::Sources(vec![(path.to_owned(), read)])),
        };
    }
    let texts = files.iter().map(|file| Ok((file.clone(), committed(text, file)?)));
    texts.collect::<Result<_, _>>().map(Before::Sources)
}

/// A file as it was in a commit.
fn committed(commit: &str, file: &Path) -> Result<String, CostError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A leading dash would be an option of git's.
    let object = format!("{commit}:./{name}");
    let output = Command::new("git").arg("-C").arg(folder).args(["show", "--end-of-options", &object]).output();
    let output = output.map_err(|error| nothing(commit, error.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(nothing(commit, String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

fn nothing(text: &str, reason: String) -> CostError {
    CostError::NothingAgainst { text: text.to_owned(), reason }
}
