//! Names in emitted Rust: the author's own where there is one, else what the operation gives; unique in the function.

use crate::value_name::wanted;
use windrow_dsl::ir::{Kernel, Node};
use windrow_dsl::quick::{Parts, QuickTable, Words, hash_of};

/// Hands out names within one function.
#[derive(Clone, Debug, Default)]
pub struct Namer {
    taken: Taken,
}

/// A name in use: where [`Taken`] has it, and the number behind it, if that is greater than 1. It is written from there
/// wherever it is used: a text of its own would take longer than all that.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    place: usize,
    number: u32,
}

/// Names in use.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Each with the greatest number that follows it, once it was claimed: all from 2 up to that are in use.
    names: Vec<(String, u32)>,
    table: QuickTable,
    /// The names that end in a number, as a set by [`mark`]: most names with a number are like none of them.
    marks: u64,
}

impl Taken {
    /// The first of `wanted`, `wanted_2`, `wanted_3`, … that `may_be` is, and that nothing else has; nor anything the names
    /// that it brings with it, itself with each of `parts` behind. By itself, a name with a number may always be.
    pub fn claim(&mut self, wanted: String, parts: &[&str], may_be: impl Fn(&str) -> bool) -> Name {
        if parts.is_empty() {
            return self.claim_alone(wanted, may_be);
        }
        let known = self.number(&wanted);
        let mut number = 0;
        let is_free = |name: &str| may_be(name) && self.number(name).is_none() && !self.is_numbered(name);
        let name = loop {
            number += 1;
            let name = if number == 1 { wanted.clone() } else { format!("{wanted}_{number}") };
            if is_free(&name) && parts.iter().all(|part| is_free(&format!("{name}{part}"))) {
                break name;
            }
        };
        parts.iter().for_each(|part| self.add(format!("{name}{part}"), 0));
        let place = match known {
            Some(place) if number == 1 => {
                self.names[place].1 = number;
                place
            }
            _ => {
                self.add(name, 0);
                self.names.len() - 1
            }
        };
        Name { place, number: 1 }
    }

    /// The same without parts: most names.
    fn claim_alone(&mut self, wanted: String, may_be: impl Fn(&str) -> bool) -> Name {
        let hash = hash_of(&wanted);
        if let Some(place) = self.find(hash, &wanted) {
            return self.claim_next(place);
        }
        let (may_be, place) = (may_be(&wanted) && !self.is_numbered(&wanted), self.names.len());
        // What may not be is entered too: its number is what counts.
        self.enter(hash, wanted, 1);
        if may_be { Name { place, number: 1 } } else { self.claim_next(place) }
    }

    /// The same for a name that was claimed before, by itself: neither copied nor looked at again; none otherwise.
    pub fn claim_again(&mut self, wanted: &str) -> Option<Name> {
        match self.find(hash_of(wanted), wanted) {
            Some(place) if self.names.as_slice()[place].1 > 0 => Some(self.claim_next(place)),
            Some(_) | None => None,
        }
    }

    /// The first number that is free behind a name that is in use: all smaller ones are.
    fn claim_next(&mut self, place: usize) -> Name {
        let (wanted, last) = &self.names.as_slice()[place];
        let mut number = (*last).max(1);
        loop {
            number += 1;
            if self.marks & mark_of(wanted, number) == 0 || self.number(&numbered(wanted, number)).is_none() {
                self.names[place].1 = number;
                return Name { place, number };
            }
        }
    }

    /// Writes a name.
    pub fn push(&self, out: &mut Parts, name: Name) {
        out.push(&self.names.as_slice()[name.place].0);
        if name.number > 1 {
            out.push("_");
            out.push_number(name.number.into());
        }
    }

    /// A name by itself.
    pub fn text(&self, name: Name) -> String {
        let mut text = Parts::with_capacity(self.names[name.place].0.len() + 4);
        self.push(&mut text, name);
        text.finish()
    }

    /// Whether a name is that of another one's number.
    fn is_numbered(&self, name: &str) -> bool {
        let digits = number_in(name);
        if digits == name.len() {
            return false;
        }
        let number: u32 = name[digits..].parse().unwrap_or(u32::MAX);
        number > 1 && self.number(&name[..digits - 1]).is_some_and(|place| number <= self.names[place].1)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.find(hash_of(name), name)
    }

    fn find(&self, hash: u64, name: &str) -> Option<usize> {
        let names = self.names.as_slice();
        self.table.find(hash, |number| names[number].0 == name)
    }

    fn add(&mut self, name: String, number: u32) {
        self.enter(hash_of(&name), name, number);
    }

    fn enter(&mut self, hash: u64, name: String, number: u32) {
        if number_in(&name) < name.len() {
            self.marks |= mark(&name);
        }
        self.table.add(hash);
        self.names.push((name, number));
    }
}

/// Where a number begins that ends a name, as in `name_2`; behind the name where there is none.
fn number_in(name: &str) -> usize {
    let bytes = name.as_bytes();
    let mut digits = bytes.len();
    while digits > 0 && bytes[digits - 1].is_ascii_digit() {
        digits -= 1;
    }
    if digits == bytes.len() || digits < 2 || bytes[digits - 1] != b'_' || bytes[digits] == b'0' {
        return bytes.len();
    }
    digits
}

/// One of 64 marks of a name that ends in a number: its length and its last digit.
fn mark(name: &str) -> u64 {
    let bytes = name.as_bytes();
    1 << ((10 * bytes.len() + bytes[bytes.len() - 1] as usize) & 63)
}

/// That of [`numbered`].
fn mark_of(name: &str, number: u32) -> u64 {
    let (mut length, mut rest) = (name.len() + 2, number);
    while rest > 9 {
        length += 1;
        rest /= 10;
    }
    1 << ((10 * length + (b'0' as u32 + number % 10) as usize) & 63)
}

/// `name_2`
pub fn numbered(name: &str, number: u32) -> String {
    let mut parts = Parts::with_capacity(name.len() + 4);
    parts.push_all(&[name, "_"]);
    parts.push_number(number.into());
    parts.finish()
}

impl Namer {
    /// A name that nothing else has: `wanted`, or `wanted_2`, `wanted_3`, …
    pub fn claim(&mut self, wanted: &str) -> Name {
        match self.taken.claim_again(wanted) {
            Some(name) => name,
            None => self.claim_new(wanted, &[]),
        }
    }

    /// The same as a text.
    pub fn claim_text(&mut self, wanted: &str) -> String {
        let name = self.claim(wanted);
        self.taken.text(name)
    }

    /// The same for a name that brings others with it: itself with each of `parts` behind.
    pub fn claim_family(&mut self, wanted: &str, parts: &[&str]) -> String {
        let name = self.claim_new(wanted, parts);
        self.taken.text(name)
    }

    fn claim_new(&mut self, wanted: &str, parts: &[&str]) -> Name {
        self.taken.claim(legal(wanted.to_owned()), parts, |name| !is_reserved(name))
    }

    /// The name of a node's value.
    pub fn value(&mut self, kernel: &Kernel, node: &Node) -> Name {
        self.claim(&wanted(kernel, node))
    }

    /// Writes a name.
    pub fn push(&self, out: &mut Parts, name: Name) {
        self.taken.push(out, name);
    }

    /// A name by itself.
    pub fn text(&self, name: Name) -> String {
        self.taken.text(name)
    }
}

/// A name that reads like the author's, made of characters that Rust allows everywhere.
fn legal(name: String) -> String {
    let mut out = match name.as_bytes() {
        [b'r', b'#', ..] => spelled(&name[2..]),
        _ if is_plain(&name) => name,
        _ => spelled(&name),
    };
    if matches!(out.as_bytes(), [] | [b'_'] | [b'0'..=b'9', ..]) {
        out.insert_str(0, "value_");
    }
    let first = out.as_bytes()[0];
    let looks_like_an_intrinsic = first == b'v' && out.len() > 4 && out.contains('_');
    if looks_like_an_intrinsic || first.is_ascii_uppercase() {
        // Neither an intrinsic nor a constant in scope may be meant: a `let` of a constant's name is a pattern.
        out = format!("the_{}", out.to_ascii_lowercase());
    }
    out
}

/// Whether a name has no characters but letters, digits and underscores.
pub fn is_plain(name: &str) -> bool {
    let mut bytes = name.as_bytes();
    while let [byte, behind @ ..] = bytes
        && PLAIN[*byte as usize]
    {
        bytes = behind;
    }
    bytes.is_empty()
}

/// Whether a byte is a letter, a digit or an underscore.
static PLAIN: [bool; 256] = {
    let (mut plain, mut byte) = ([false; 256], 0u8);
    while byte < 128 {
        plain[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    plain
};

/// A name whose other characters are spelled as numbers.
pub fn spelled(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(c),
            _ => out.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    out
}

/// Whether a name is one of [`RESERVED`].
fn is_reserved(name: &str) -> bool {
    RESERVED.contain(name)
}

/// Rust's keywords, and what the emitted functions themselves name, in order.
#[rustfmt::skip]
static RESERVED: Words = Words::new(&[
    "abstract", "as", "async", "await", "become", "bool", "box", "break", "char", "const", "continue", "core",
    "crate", "do", "dyn", "else", "enum", "extern", "f32", "f64", "false", "final", "fn", "for", "gen", "i16", "i32",
    "i64", "i8", "if", "impl", "in", "isize", "lane", "lanes", "last", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "raw", "ref", "return", "rows", "self", "static", "std", "str", "struct",
    "super", "trait", "true", "try", "type", "typeof", "u16", "u32", "u64", "u8", "union", "unsafe", "unsized", "use",
    "usize", "virtual", "where", "while", "width", "windrow", "words", "x", "yield",
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_legal() {
        assert!(RESERVED.list().is_sorted());
        assert!(!RESERVED.list().iter().any(|word| word.contains('_')), "one with a number may be meant");
        let mut namer = Namer::default();
        assert_eq!(namer.claim_text("sum"), "sum");
        assert_eq!(namer.claim_text("sum"), "sum_2");
        assert_eq!(namer.claim_text("sum_4"), "sum_4");
        assert_eq!(["sum", "sum", "sum_4"].map(|name| namer.claim_text(name)), ["sum_3", "sum_5", "sum_4_2"]);
        assert_eq!(["r#in", "in"].map(|name| namer.claim_text(name)), ["in_2", "in_3"]);
        assert_eq!(namer.claim_text("σ"), "u3c3");
        assert_eq!(namer.claim_text("K"), "the_k");
        assert_eq!(namer.claim_text("vadd_u8"), "the_vadd_u8");
        assert_eq!(namer.claim_family("out", &["_0", "_1"]), "out");
        assert_eq!(namer.claim_text("out_1"), "out_1_2");
        assert!(
            [2, 9, 10, 99, 100, 4096].iter().all(|&number| mark_of("sum", number) == mark(&numbered("sum", number)))
        );
    }
}
