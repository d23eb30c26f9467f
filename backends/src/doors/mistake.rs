//! A mistake in an author's kernel, as a compiler shows it: the place, the line, what to do instead.

use std::{fmt, path::PathBuf};
use windrow_dsl::diagnostic::Diagnostic;

/// A mistake and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The Rust file, as it was named to the door.
    pub file: PathBuf,
    /// The line of its first character, from 1.
    pub line: usize,
    /// The column of its first character, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// Facts that explain it.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: String,
    /// The author's line.
    text: String,
    /// How many characters of it are meant.
    width: usize,
}

impl Mistake {
    /// A diagnostic of a file's text.
    pub fn new(file: impl Into<PathBuf>, source: &str, diagnostic: &Diagnostic) -> Self {
        let (start, end) = (diagnostic.start.start(), diagnostic.end.end());
        let text = source.lines().nth(start.line.saturating_sub(1)).unwrap_or_default().to_owned();
        let line_end = text.chars().count();
        let end_column = if end.line == start.line { end.column } else { line_end };
        Self {
            file: file.into(),
            line: start.line,
            column: start.column + 1,
            message: diagnostic.message.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            width: end_column.saturating_sub(start.column).max(1),
            text,
        }
    }

    fn place(&self) -> String {
        format!("{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = " ".repeat(self.line.to_string().len());
        // A tab is as wide as one in the author's line, whatever that is.
        let before = self.text.chars().take(self.column - 1);
        let before: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(out, "error: {}", self.message)?;
        writeln!(out, "{margin}--> {}", self.place())?;
        writeln!(out, "{margin} |")?;
        writeln!(out, "{} | {}", self.line, self.text)?;
        writeln!(out, "{margin} | {before}{}", "^".repeat(self.width))?;
        for note in &self.notes {
            writeln!(out, "{margin} = note: {note}")?;
        }
        write!(out, "{margin} = help: {}", self.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_framed_at_the_token() {
        let source = "fn a() {}\n\tlet b = wrong + 1;\n";
        let tokens: proc_macro2::TokenStream = source.parse().unwrap();
        let wrong = tokens.into_iter().nth(7).unwrap();
        let diagnostic = Diagnostic::at(wrong.span(), "this is wrong", "write `right`").note("because");
        let mistake = Mistake::new("src/a.rs", source, &diagnostic);
        assert_eq!(
            mistake.to_string(),
            "error: this is wrong\n --> src/a.rs:2:10\n  |\n2 | \tlet b = wrong + 1;\n  | \t        ^^^^^\n  = note: \
             because\n  = help: write `right`"
        );
    }
}
