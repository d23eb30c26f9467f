//! From the lines of a generated program to the author's lines.

/// Which line of the author's file each line of a program comes from.
///
/// As a text it is pairs `program:author`, parted by spaces and ascending: from that line of the program on, the author's
/// line is this one; 0 where there is none.
///
/// ```
/// use windrow::opencl::LineTable;
///
/// let lines = LineTable::parse("src/ops.rs", "10:3 14:4 20:0");
/// assert_eq!([9, 10, 13, 14, 19, 20].map(|line| lines.of(line)), [None, Some(3), Some(3), Some(4), Some(4), None]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    file: String,
    lines: Vec<(u32, u32)>,
}

impl LineTable {
    /// Returns the lines of `file`. What isn't a pair of a line after the last one is passed over: it only costs a
    /// message its place.
    pub fn parse(file: impl Into<String>, text: &str) -> Self {
        let mut lines: Vec<(u32, u32)> = Vec::new();
        for pair in text.split_ascii_whitespace() {
            let Some((program, author)) = pair.split_once(':') else { continue };
            if let (Ok(program), Ok(author)) = (program.parse(), author.parse())
                && lines.last().is_none_or(|(last, _)| *last < program)
            {
                lines.push((program, author));
            }
        }
        Self { file: file.into(), lines }
    }

    /// Returns the author's file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the author's line that a line of the program comes from.
    pub fn of(&self, line: u32) -> Option<u32> {
        let after = self.lines.partition_point(|(program, _)| *program <= line);
        let (_, author) = self.lines.get(after.checked_sub(1)?)?;
        (*author > 0).then_some(*author)
    }
}

#[cfg(test)]
mod tests;
