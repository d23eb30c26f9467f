//! The code of targets line by line, each line with the place of the source that it comes from.

use super::places::{Places, position};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use windrow_backends::scalar;
use windrow_backends::text::Mark;

/// Lines of code, each once: those of several bodies and targets have many in common.
#[derive(Debug, Default)]
pub struct Lines {
    known: HashMap<String, usize>,
    list: Vec<String>,
}

impl Lines {
    /// The number of a line without its indentation.
    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.known.get(line) {
            return *number;
        }
        self.known.insert(line.to_owned(), self.list.len());
        self.list.push(line.to_owned());
        self.list.len() - 1
    }

    /// The lines by their numbers.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// How far a mark reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Up to the next one.
    Next,
    /// Over its own line.
    Line,
}

/// A text, line by line.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Code {
    /// For each line its number among [`Lines`], its indentation, and where it comes from.
    lines: Vec<(usize, usize, Origin)>,
}

/// Where a line comes from: 1 and on is a place by its number and 1, below 0 a line of the source by its number, 0 is nothing of
/// the author's.
pub type Origin = i64;

impl Code {
    /// A text with marks.
    pub fn of(text: &str, marks: &[Mark], reach: Reach, places: &Places, lines: &mut Lines) -> Self {
        let (mut marks, mut origin) = (marks.iter().peekable(), 0);
        let mut code = Self::default();
        for (number, line) in text.lines().enumerate() {
            if reach == Reach::Line {
                origin = 0;
            }
            while let Some(mark) = marks.next_if(|mark| mark.line <= number) {
                origin = origin_of(mark, places);
            }
            let words = line.trim_start_matches(' ');
            code.lines.push((lines.number(words), line.len() - words.len(), origin));
        }
        code
    }
}

/// How often a statement of a loop is counted whose length is known at run time alone: the cost model's number of turns.
pub const TURNS: f64 = 32.0;

/// How many statements of some lines come from each place, those of a loop [`TURNS`] times.
pub fn statements(text: &str, marks: &[Mark], within: Range<usize>, places: &Places) -> BTreeMap<usize, f64> {
    let depths = depths(text);
    let mut counts = BTreeMap::new();
    for mark in marks.iter().filter(|mark| within.contains(&mark.line)) {
        let Some(place) = mark.author.and_then(|token| places.of_token(position(token))) else { continue };
        *counts.entry(place).or_insert(0.0) += TURNS.powi(depths.get(mark.line).copied().unwrap_or(0));
    }
    counts
}

/// Whether a text has loops whose length is known at run time alone.
pub fn has_loops(text: &str) -> bool {
    depths(text).into_iter().any(|depth| depth > 0)
}

/// For each line in how many of the author's loops it stands whose length is known at run time alone.
fn depths(text: &str) -> Vec<i32> {
    let mut open: Vec<usize> = Vec::new();
    let depth = |line: &str| {
        let indentation = line.len() - line.trim_start().len();
        if !line.trim().is_empty() {
            open.retain(|own| *own < indentation);
        }
        let depth = open.len() as i32;
        if is_loop(line.trim_start()) {
            open.push(indentation);
        }
        depth
    };
    text.lines().map(depth).collect()
}

/// Whether a line opens a loop of the author's: of Rust over a range, or of C up to a bound. The loop over a row's elements, and one
/// with a constant bound, are the target's own.
fn is_loop(line: &str) -> bool {
    let Some(head) = line.strip_prefix("for ").and_then(|head| head.strip_suffix(" {")) else { return false };
    let end = match head.split_once("..") {
        Some((_, end)) => end,
        None => head.split(';').nth(1).and_then(|bound| bound.split_once('<')).map_or("", |(_, end)| end),
    };
    !line.starts_with(scalar::LOOP) && end.trim().starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn origin_of(mark: &Mark, places: &Places) -> Origin {
    let Some(token) = mark.author.map(position) else { return 0 };
    match places.of_token(token) {
        Some(place) => place as i64 + 1,
        // A kernel's name stands for what is written; a token of another text is none of this one's.
        None if places.function(token).is_some() => -(token.0 as i64),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::Position;
    use super::*;

    const SOURCE: &str = "#[kernel]\nfn k(a: u8) -> u8 {\n    !a + 1\n}\n";

    fn marks(places: &[(usize, Option<Position>)]) -> Vec<Mark> {
        let tokens: Vec<proc_macro2::Span> = all_tokens(SOURCE.parse().unwrap());
        let token = |at: Position| tokens.iter().find(|token| position(**token) == at).copied().unwrap();
        places.iter().map(|&(line, author)| Mark { line, author: author.map(token) }).collect()
    }

    fn all_tokens(tokens: proc_macro2::TokenStream) -> Vec<proc_macro2::Span> {
        let spans = |token| match token {
            proc_macro2::TokenTree::Group(group) => all_tokens(group.stream()),
            token => vec![token.span()],
        };
        tokens.into_iter().flat_map(spans).collect()
    }

    #[test]
    fn lines_know_where_they_come_from_and_are_kept_once() {
        let (places, mut lines) = (Places::of(SOURCE), Lines::default());
        let (plus, not, name) = ((3, 7), (3, 4), (2, 3));
        let text = "head\n    x\n    y\n        x\nend\n";
        let marks = marks(&[(1, Some(not)), (2, Some(plus)), (3, Some(name)), (4, None)]);
        let [of_not, of_plus] = [not, plus].map(|token| places.of_token(token).unwrap() as i64 + 1);
        let code = Code::of(text, &marks, Reach::Next, &places, &mut lines);
        assert_eq!(code.lines, [(0, 0, 0), (1, 4, of_not), (2, 4, of_plus), (1, 8, -2), (3, 0, 0)]);
        let alone = Code::of(text, &marks[..1], Reach::Line, &places, &mut lines);
        assert_eq!(alone.lines.iter().map(|line| line.2).collect::<Vec<_>>(), [0, of_not, 0, 0, 0]);
        assert_eq!(lines.into_list(), ["head", "x", "y", "end"]);
    }

    #[test]
    fn statements_are_counted_by_place() {
        let places = Places::of(SOURCE);
        let marks = marks(&[(1, Some((3, 4))), (2, None), (3, Some((3, 7))), (4, Some((3, 7)))]);
        let [not, plus] = [(3, 4), (3, 7)].map(|token| places.of_token(token).unwrap());
        let text = "\n".repeat(9);
        assert_eq!(statements(&text, &marks, 0..9, &places), BTreeMap::from([(not, 1.0), (plus, 2.0)]));
        assert_eq!(statements(&text, &marks, 4..9, &places), BTreeMap::from([(plus, 1.0)]));
        let text = "a\n    b\n    for k in 0i32..n {\n        c\n    }\n";
        assert_eq!(statements(text, &marks, 0..9, &places), BTreeMap::from([(not, 1.0), (plus, 1.0 + TURNS)]));
    }

    #[test]
    fn loops_of_the_author_are_known_from_those_of_targets() {
        let rust = "for x in 0..rows.width as isize {\n    a\n    for row in 0i32..rows_2 {\n        for k in -1i32..n {\n            b\n        }\n        c\n    }\n    d\n}\n";
        assert_eq!(depths(rust), [0, 0, 0, 1, 2, 1, 1, 0, 0, 0]);
        let c = "    for (int i = 0; i < 4; ++i) {\n        a\n    }\n    for (int row = 0; row < height; ++row) {\n\n        b\n    }\n";
        assert_eq!(depths(c), [0, 0, 0, 0, 1, 1, 0]);
        assert!(has_loops(rust) && has_loops(c) && !has_loops("while x < width {\n    for each of them\n}\n"));
    }
}
