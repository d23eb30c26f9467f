//! The sink that emitters write to: lines, indented by the blocks that are open.

use std::fmt::Write;

/// Indentation, as deep as any text goes; deeper ones are cut.
const INDENTATION: &str = "                                                                ";

/// Source text under construction.
#[derive(Debug, Default)]
pub struct Text {
    out: String,
    depth: usize,
}

impl Text {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a line; an empty one carries no indentation.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.out.push_str(&INDENTATION[..(4 * self.depth).min(INDENTATION.len())]);
            self.out.push_str(line);
        }
        self.out.push('\n');
    }

    /// Writes a line that opens a block, with ` {` after it.
    pub fn open(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.line(if line.is_empty() { "{".to_owned() } else { format!("{line} {{") });
        self.depth += 1;
    }

    /// Closes a block, with `after` behind the brace.
    pub fn close(&mut self, after: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(format!("}}{after}"));
    }

    /// Closes a block and opens another, with `line` between: `} else {`.
    pub fn between(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
        self.depth += 1;
    }

    /// Writes several lines as they are, at the present depth.
    pub fn lines(&mut self, lines: &str) {
        if self.depth == 0 && lines.ends_with('\n') {
            self.out.push_str(lines);
            return;
        }
        for line in lines.lines() {
            self.line(line);
        }
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.out
    }
}

/// `items` joined by `, `.
pub fn comma<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (position, item) in items.into_iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(out, "{separator}{item}");
    }
    out
}
