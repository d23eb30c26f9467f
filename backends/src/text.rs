//! The sink that emitters write to: lines, indented by the blocks that are open.

use std::ffi::OsString;
use std::fmt::Write;

/// Indentation, as deep as any text goes; deeper ones are cut.
const INDENTATION: &str = "                                                                ";

/// The numbers of at most two digits, as which most are written.
#[rustfmt::skip]
static SMALL: [&str; HUNDRED as usize] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
    "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38",
    "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57",
    "58", "59", "60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71", "72", "73", "74", "75", "76",
    "77", "78", "79", "80", "81", "82", "83", "84", "85", "86", "87", "88", "89", "90", "91", "92", "93", "94", "95",
    "96", "97", "98", "99",
];
const HUNDRED: u64 = 100;

/// Text that grows by parts. Where nothing is optimised, as in macros, a `String` that grows is compiled so too; this one's
/// growth comes compiled with the standard library, and takes a tenth of the time.
#[derive(Clone, Debug, Default)]
pub struct Parts(OsString);

impl Parts {
    /// Capacity for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(OsString::with_capacity(bytes))
    }

    /// Writes a part behind those before.
    pub fn push(&mut self, part: &str) {
        // Writing to a text never fails.
        let _ = self.0.write_str(part);
    }

    /// Writes parts behind those before.
    pub fn push_all(&mut self, parts: &[&str]) {
        let mut parts = parts;
        while let [part, behind @ ..] = parts {
            if !part.is_empty() {
                self.push(part);
            }
            parts = behind;
        }
    }

    /// Writes a text of several lines as a raw literal of Rust, which is read sooner than one with escapes.
    pub fn push_quoted(&mut self, text: &str) {
        // A raw literal has no carriage return, and nothing in it changes the direction of writing.
        if !text.is_ascii() || text.contains('\r') {
            let _ = write!(self.0, "{text:?}");
            return;
        }
        let hashes = "#".repeat(1 + most_hashes(text));
        self.push_all(&["r", &hashes, "\"", text, "\"", &hashes]);
    }

    /// Writes an integer.
    pub fn push_number(&mut self, number: i64) {
        if number < 0 {
            self.push("-");
        }
        self.push_natural(number.unsigned_abs());
    }

    /// Two digits at a time.
    fn push_natural(&mut self, number: u64) {
        if number < HUNDRED {
            return self.push(SMALL[number as usize]);
        }
        self.push_natural(number / HUNDRED);
        let last = number % HUNDRED;
        if last < 10 {
            self.push("0");
        }
        self.push(SMALL[last as usize]);
    }

    /// The whole.
    pub fn finish(self) -> String {
        // Of texts, it is one.
        self.0.into_string().unwrap_or_default()
    }
}

/// Where a text has something of the author's: from a line on, counted from 0, until the next mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line of the text.
    pub line: usize,
    /// The line of the author's; none, where nothing of his follows.
    pub author: Option<usize>,
}

/// Source text under construction.
#[derive(Debug, Default)]
pub struct Text {
    out: Parts,
    depth: usize,
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
        if !line.is_empty() {
            self.begin().push(line);
        }
        self.end();
    }

    /// Begins a line; what is written to the result belongs to it, until [`Text::end`].
    pub fn begin(&mut self) -> &mut Parts {
        match self.depth {
            0 => {}
            1 => self.out.push("    "),
            2 => self.out.push("        "),
            3 => self.out.push("            "),
            depth => self.out.push(&INDENTATION[..(4 * depth).min(INDENTATION.len())]),
        }
        &mut self.out
    }

    /// Ends a line that was begun.
    pub fn end(&mut self) {
        self.out.push("\n");
        self.count += 1;
    }

    /// Says where the lines that follow are from.
    pub fn mark(&mut self, author: Option<usize>) {
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

    /// Writes the lines of another text, which has no marks, with `name` wherever it has `place`.
    pub fn lines_of(&mut self, text: &Self, place: char, name: &str) {
        let mut before = "";
        for part in text.out.0.to_str().unwrap_or_default().split(place) {
            self.out.push_all(&[before, part]);
            before = name;
        }
        self.count += text.count;
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

/// Parts, one after the other.
pub fn joined(parts: &[&str]) -> String {
    let mut text = Parts::with_capacity(64);
    text.push_all(parts);
    text.finish()
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

/// The most `#` that follow a quotation mark.
fn most_hashes(text: &str) -> usize {
    let behind = text.split('"').skip(1);
    behind.map(|rest| rest.len() - rest.trim_start_matches('#').len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn quoted_text_is_read_as_it_was() {
        for text in ["", "a\nb \"c\" \\ d", "\"# e \"### f #", "\"", "g\r\n\"h\"", "\u{202e}i"] {
            let mut parts = Parts::default();
            parts.push_quoted(text);
            let literal: syn::LitStr = syn::parse_str(&parts.finish()).unwrap();
            assert_eq!(literal.value(), text);
        }
    }

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 7, 10, 99, 100, 101, 110, 999, 1000, 10_203, 1_000_000, -1, -305, i64::MAX, i64::MIN] {
            let mut parts = Parts::default();
            parts.push_number(number);
            assert_eq!(parts.finish(), number.to_string());
        }
    }
}
