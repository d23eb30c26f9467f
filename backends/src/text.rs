//! The sink that emitters write to: lines, indented by the blocks that are open.

use proc_macro2::Span;
use std::fmt::Write;
use windrow_dsl::quick::Parts;

/// Indentation, as deep as any text goes; deeper ones are cut.
const INDENTATION: &str = "                                                                ";

/// Columns that a line may have before it is broken.
const WIDEST: usize = 160;

/// Where a text has something of the author's: from a line on, counted from 0, until the next mark.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The line of the text.
    pub line: usize,
    /// The author's token that says what is computed; none, where nothing of the author's follows.
    pub author: Option<Span>,
}

/// Source text under construction.
#[derive(Debug, Default)]
pub struct Text {
    out: Parts,
    depth: usize,
    /// Where the line begins that is being written.
    begun: usize,
    /// Lines ended so far, but for those of [`Text::whole`].
    count: usize,
    marks: Vec<Mark>,
}

impl Text {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a line; an empty one carries no indentation.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        match line.is_empty() {
            true => self.begun = self.out.length(),
            false => self.begin().push(line),
        }
        self.end();
    }

    /// Begins a line; what is written to the result belongs to it, until [`Text::end`].
    pub fn begin(&mut self) -> &mut Parts {
        self.begun = self.out.length();
        match self.depth {
            0 => {}
            1 => self.out.push("    "),
            2 => self.out.push("        "),
            3 => self.out.push("            "),
            depth => self.out.push(&INDENTATION[..(4 * depth).min(INDENTATION.len())]),
        }
        &mut self.out
    }

    /// Ends a line that was begun. A list that is too long for one line goes on in the next ones, further in.
    pub fn end(&mut self) {
        if self.out.length() > self.begun + WIDEST {
            self.break_line();
        }
        self.out.push("\n");
        self.count += 1;
    }

    /// Writes a line that is too long as several.
    fn break_line(&mut self) {
        let line = self.out.take_back(self.begun);
        let indentation = &line[..line.len() - line.trim_start_matches(' ').len()];
        let mut rest = &line[indentation.len()..];
        let first = fitting(rest, WIDEST.saturating_sub(indentation.len()));
        self.out.push_all(&[indentation, &rest[..first]]);
        rest = &rest[first..];
        while !rest.is_empty() {
            let length = fitting(rest, WIDEST.saturating_sub(indentation.len() + 4));
            self.out.push_all(&["\n", indentation, "   ", &rest[..length]]);
            self.count += 1;
            rest = &rest[length..];
        }
    }

    /// Says where the lines that follow are from.
    pub fn mark(&mut self, author: Option<Span>) {
        self.marks.push(Mark { line: self.count, author });
    }

    /// Writes a line that opens a block, with ` {` after it.
    pub fn open(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.line(if line.is_empty() { "{".to_owned() } else { format!("{line} {{") });
        self.depth += 1;
    }

    /// Writes the items of a list, a line each and further in than the line above, with `end` behind the last.
    pub fn list<'a>(&mut self, items: impl ExactSizeIterator<Item = &'a str>, end: &str) {
        let last = items.len().saturating_sub(1);
        for (position, item) in items.enumerate() {
            self.begin().push_all(&["    ", item, if position == last { end } else { "," }]);
            self.end();
        }
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

    /// Writes a finished text as it is. Its lines are not counted: a text that holds one has no marks.
    pub fn whole(&mut self, text: &str) {
        self.out.push(text);
    }

    /// An empty text for the contents of the next block that is opened here: see [`Text::append`].
    pub fn inside(&self) -> Self {
        Self { depth: self.depth + 1, ..Self::default() }
    }

    /// Writes the lines and the marks of a text that was begun for this place.
    pub fn append(&mut self, text: Self) {
        for mark in &text.marks {
            self.marks.push(Mark { line: self.count + mark.line, ..*mark });
        }
        self.count += text.count;
        self.out.push(&text.finish());
    }

    /// Whether it is a single line without a mark.
    pub fn is_plain_line(&self) -> bool {
        self.count == 1 && self.marks.is_empty()
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.out.finish()
    }

    /// The finished text, and its marks in order.
    pub fn finish_marked(self) -> (String, Vec<Mark>) {
        (self.out.finish(), self.marks)
    }
}

/// How many bytes of a line come before the space at which it is broken, so that they fit into `columns`. It is broken behind an item of a
/// list, before a condition of several, or where a block begins; a line that fits, or has no such place, stays whole. Comments and preprocessor
/// lines end with their line.
fn fitting(line: &str, columns: usize) -> usize {
    if line.len() <= columns || line.starts_with(['#', '/']) || line.contains(" // ") {
        return line.len();
    }
    let is_outside_strings = |end: &usize| line[..*end].matches('"').count().is_multiple_of(2);
    let behind = |what: &'static str| line.match_indices(what).map(|(place, _)| place + 1);
    let conditions = line.match_indices(" && ").map(|(space, _)| space);
    let ends = behind(", ").chain(behind("{ ")).chain(conditions).filter(|end| *end <= columns);
    ends.filter(is_outside_strings).max().unwrap_or(line.len())
}

/// A text with its lists that are too long for one line going on in the next ones.
pub fn broken(text: &str) -> String {
    let mut out = Text::new();
    text.lines().for_each(|line| out.line(line));
    out.finish()
}

/// Parts, one after the other.
pub fn joined(parts: &[&str]) -> String {
    let mut text = Parts::with_capacity(64);
    text.push_all(parts);
    text.finish()
}

/// `1 row`, `2 rows`
pub fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &str) -> String {
        let mut text = Text::new();
        text.open("");
        text.line(line);
        text.line("next");
        text.close("");
        assert_eq!(text.count, text.out.text().lines().count());
        text.finish()
    }

    #[test]
    fn a_long_list_goes_on_further_in() {
        let list = format!("int list[99] = {{ {} }};", comma(100..199));
        let text = written(&list);
        assert!(text.lines().all(|line| line.len() <= WIDEST), "{text}");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), format!("{{ {list} next }}"));
        assert!(text.contains(",\n        1"), "{text}");
    }

    #[test]
    fn a_line_of_parts_is_broken_too() {
        let mut text = Text::new();
        let line = text.begin();
        line.push("a = f(");
        (100..199).for_each(|item| line.push_all(&["g(", &item.to_string(), "), "]));
        line.push("0);");
        text.end();
        text.line("");
        assert!(text.out.text().lines().all(|line| line.len() <= WIDEST), "{}", text.out.text());
        assert_eq!(text.count, text.out.text().lines().count());
        assert!(text.out.text().contains("),\n    g(1") && text.out.text().ends_with("0);\n\n"));
    }

    #[test]
    fn what_ends_with_its_line_is_not_broken() {
        let items = comma(100..199);
        let whole =
            [format!("// {items}"), format!("#define LIST {items}"), format!("a; // {items}"), format!("\"{items}\"")];
        for line in whole {
            assert!(written(&line).contains(&line), "{line}");
        }
        assert!(written(&"long".repeat(99)).contains(&"long".repeat(99)));
    }
}
