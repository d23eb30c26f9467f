//! What a driver's compiler says, as messages with places.
//!
//! Every driver writes its log in its own way, so this is a reading, not a grammar: a line with a place and a severity
//! is a message, all others belong to the one before. The whole log is kept beside it.

use crate::LineTable;
use std::fmt;

/// A message of a driver's compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildMessage {
    /// How bad it is.
    pub severity: Severity,
    /// The line of the program, from 1 on; of the file named by `#line` where the program has them.
    pub line: u32,
    /// The column, where the driver says it.
    pub column: Option<u32>,
    /// What it says.
    pub text: String,
    /// The author's line that it comes from.
    pub author: Option<AuthorLine>,
}

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program does not build.
    Error,
    /// It builds.
    Warning,
    /// More about the message before.
    Note,
}

/// A line that an author wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorLine {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: u32,
}

impl fmt::Display for BuildMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity;
        match &self.author {
            Some(author) => write!(f, "{author}: {severity}: {}", self.text),
            None => write!(f, "line {}: {severity}: {}", self.line, self.text),
        }
    }
}

/// The words with which drivers mark a message.
const SEVERITIES: [(&str, Severity); 4] = [
    ("fatal error: ", Severity::Error),
    ("error: ", Severity::Error),
    ("warning: ", Severity::Warning),
    ("note: ", Severity::Note),
];

/// The messages of a log, in order.
pub(super) fn messages(log: &str, lines: &LineTable) -> Vec<BuildMessage> {
    log.lines().filter_map(|line| message(line, lines)).collect()
}

fn message(line: &str, lines: &LineTable) -> Option<BuildMessage> {
    let marks = SEVERITIES.iter().filter_map(|(mark, severity)| Some((line.find(mark)?, mark, severity)));
    let (start, mark, severity) = marks.min_by_key(|(start, _, _)| *start)?;
    let (head, rest) = (&line[..start], &line[start + mark.len()..]);
    let (place, text) = if head.trim().is_empty() {
        // PoCL's: the severity comes before the place.
        let ends = rest.match_indices(": ").map(|(end, _)| rest.split_at(end));
        let mut places = ends.filter_map(|(head, text)| Some((place(head)?, text.trim_start_matches(": "))));
        places.find(|(place, _)| place.column.is_some())?
    } else {
        (place(head.trim_end_matches([' ', ':']))?, rest)
    };
    let author = match place.file.ends_with(".rs") {
        true => Some(AuthorLine { file: place.file.to_owned(), line: place.line }),
        false => lines.of(place.line).map(|line| AuthorLine { file: lines.file().to_owned(), line }),
    };
    let text = text.trim().to_owned();
    Some(BuildMessage { severity: *severity, line: place.line, column: place.column, text, author })
}

struct Place<'a> {
    file: &'a str,
    line: u32,
    column: Option<u32>,
}

/// `file:line:column` or `file:line` (Clang's), `"file", line 3` (EDG's).
fn place(head: &str) -> Option<Place<'_>> {
    if let Some((file, line)) = head.rsplit_once(", line ") {
        return Some(Place { file: file.trim_matches('"'), line: line.trim().parse().ok()?, column: None });
    }
    let (rest, last) = head.rsplit_once(':')?;
    let last = last.trim().parse().ok()?;
    let numbered = rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    Some(match numbered {
        Some((file, line)) => Place { file, line, column: Some(last) },
        None => match rest.parse() {
            // Intel's: `1:3:5`, or without a name at all.
            Ok(line) => Place { file: "", line, column: Some(last) },
            Err(_) => Place { file: rest, line: last, column: None },
        },
    })
}

#[cfg(test)]
mod tests;
