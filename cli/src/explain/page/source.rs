//! The author's source as HTML: a line an element, places within it nested as the expressions are.

use super::places::{Places, Region, position};
use crate::escape::html;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fmt::Write;

/// What a part of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A place, by its number.
    Place(usize),
    /// How it is coloured.
    Class(&'static str),
}

/// A part of a line, in characters.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    end: usize,
    kind: Kind,
}

/// The lines of a source, with the places that are `shown`.
pub fn source(text: &str, places: &Places, shown: &[bool]) -> String {
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let mut parts: Vec<Vec<Part>> = vec![Vec::new(); lines.len()];
    let mut add = |region: Region, kind: Kind| {
        let ((from, start), (to, end)) = region;
        for line in from..=to {
            let Some(own) = line.checked_sub(1).and_then(|index| lines.get(index)) else { continue };
            let indentation = own.iter().take_while(|c| c.is_whitespace()).count();
            let start = if line == from { start } else { indentation };
            let end = if line == to { end } else { own.len() };
            if start < end {
                parts[line - 1].push(Part { start, end, kind });
            }
        }
    };
    for (index, place) in places.list().iter().enumerate().filter(|(index, _)| shown[*index]) {
        add(place.region, Kind::Place(index));
    }
    if let Ok(tokens) = text.parse() {
        colour(tokens, &mut add);
    }
    for (line, parts) in lines.iter().zip(&mut parts) {
        if let Some(start) = comment(line, parts) {
            parts.retain(|part| part.start < start);
            parts.push(Part { start, end: line.len(), kind: Kind::Class("c") });
        }
    }
    let mut out = String::new();
    for (number, (line, parts)) in (1..).zip(lines.iter().zip(parts)) {
        let _ = write!(
            out,
            "<div class=\"line\" data-line=\"{number}\"><span class=\"no\">{number}</span><span class=\"share\"></span>\
             <code>"
        );
        write_line(&mut out, line, parts);
        out.push_str("\n</code></div>");
    }
    out
}

/// Where a comment begins that ends the line: behind all that is known of it.
fn comment(line: &[char], parts: &[Part]) -> Option<usize> {
    let first = line.iter().position(|c| !c.is_whitespace())?;
    if line[first..].starts_with(&['/', '/']) {
        return Some(first);
    }
    let known = parts.iter().map(|part| part.end).max().unwrap_or(0);
    (known..line.len().saturating_sub(1)).find(|&at| line[at..].starts_with(&['/', '/']))
}

/// The elements of a line: what begins first is outside, and the longer of two.
fn write_line(out: &mut String, line: &[char], mut parts: Vec<Part>) {
    let rank = |kind: Kind| matches!(kind, Kind::Class(_));
    parts.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end), rank(part.kind)));
    let (mut open, mut at): (Vec<usize>, usize) = (Vec::new(), 0);
    let text =
        |out: &mut String, from: usize, to: usize| out.push_str(&html(&line[from..to].iter().collect::<String>()));
    for part in parts {
        while let Some(end) = open.pop_if(|end| *end <= part.start) {
            text(out, at, end);
            at = end;
            out.push_str("</span>");
        }
        text(out, at, part.start);
        at = part.start;
        // An element ends within what it is in.
        let end = open.last().map_or(part.end, |outer| part.end.min(*outer)).min(line.len());
        let _ = match part.kind {
            Kind::Place(index) => write!(out, "<span class=\"v\" data-p=\"{index}\">"),
            Kind::Class(class) => write!(out, "<span class=\"{class}\">"),
        };
        open.push(end);
    }
    while let Some(end) = open.pop() {
        text(out, at, end);
        at = end;
        out.push_str("</span>");
    }
    text(out, at, line.len());
}

/// Colours keywords, types, literals and attributes.
fn colour(tokens: TokenStream, add: &mut impl FnMut(Region, Kind)) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let region = |token: &TokenTree| (position(token.span()), (token.span().end().line, token.span().end().column));
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                let is_list =
                    |next: &TokenTree| matches!(next, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
                if let Some(list) = tokens.next_if(is_list) {
                    add((region(&token).0, region(&list).1), Kind::Class("a"));
                }
            }
            TokenTree::Group(group) => colour(group.stream(), add),
            TokenTree::Literal(literal) => {
                let is_text = literal.to_string().ends_with(['"', '\'']);
                add(region(&token), Kind::Class(if is_text { "s" } else { "n" }));
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if KEYWORDS.contains(&name.as_str()) {
                    add(region(&token), Kind::Class("k"));
                } else if TYPES.contains(&name.as_str()) || name.starts_with(|c: char| c.is_ascii_uppercase()) {
                    add(region(&token), Kind::Class("t"));
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "as", "const", "else", "enum", "fn", "for", "if", "impl", "in", "let", "match", "mod", "mut", "pub", "return",
    "self", "static", "struct", "type", "use", "where", "while",
];

#[rustfmt::skip]
const TYPES: &[&str] = &[
    "bool", "f32", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        let places = Places::of(text);
        let shown = vec![true; places.list().len()];
        source(text, &places, &shown)
    }

    /// What a reader sees.
    fn plain(page: &str) -> String {
        let mut out = String::new();
        for part in page.split('<').skip(1) {
            out.push_str(part.split_once('>').map_or("", |(_, text)| text));
        }
        for (escaped, own) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            out = out.replace(escaped, own);
        }
        out
    }

    #[test]
    fn a_reader_sees_the_source() {
        let text = "// a </script> & \"b\"\n#[kernel]\nfn k(a: u8) -> u8 {\n    if a < 3 { a } // <i>\n    else { !a >> 1 }\n}\n";
        let seen: String = (1..).zip(text.lines()).map(|(number, line)| format!("{number}{line}\n")).collect();
        assert_eq!(plain(&rendered(text)), seen);
        assert!(!rendered(text).contains("</script>"));
    }

    #[test]
    fn places_are_nested_as_expressions_are() {
        let page = rendered("fn k(a: u8) -> u8 {\n    (a >> 1)\n        + 2\n}\n");
        let sum = "<span class=\"v\" data-p=\"";
        let line = page.split("data-line=\"2\"").nth(1).unwrap().split("</code>").next().unwrap();
        assert_eq!(line.matches(sum).count(), 3, "{line}");
        assert_eq!(line.matches("<span").count(), line.matches("</span>").count(), "{line}");
        let next = page.split("data-line=\"3\"").nth(1).unwrap().split("</code>").next().unwrap();
        assert!(next.contains("        <span class=\"v\""), "{next}");
    }

    #[test]
    fn words_and_comments_are_coloured() {
        let page = rendered("let x: u8 = 1; // why\n");
        assert!(
            page.contains("<span class=\"k\">let</span>") && page.contains("<span class=\"c\">// why</span>"),
            "{page}"
        );
        assert!(page.contains("<span class=\"t\">u8</span>") && page.contains("<span class=\"n\">1</span>"), "{page}");
    }
}
