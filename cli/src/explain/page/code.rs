//! The code of targets line by line, each line with the place of the source that it comes from.

use super::places::{Places, position};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
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

/// How many statements of some lines come from each place.
pub fn statements(marks: &[Mark], within: Range<usize>, places: &Places) -> BTreeMap<usize, f64> {
    let mut counts = BTreeMap::new();
    let tokens = marks.iter().filter(|mark| within.contains(&mark.line)).filter_map(|mark| mark.author);
    for place in tokens.filter_map(|token| places.of_token(position(token))) {
        *counts.entry(place).or_insert(0.0) += 1.0;
    }
    counts
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
        assert_eq!(statements(&marks, 0..9, &places), BTreeMap::from([(not, 1.0), (plus, 2.0)]));
        assert_eq!(statements(&marks, 4..9, &places), BTreeMap::from([(plus, 1.0)]));
    }
}
