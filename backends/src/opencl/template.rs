//! Templates of helpers: texts in which words stand for the form that a helper is written for.
//!
//! A helper has few of all the words. Which ones is found while this crate is compiled, since a macro, which nobody
//! optimises, takes longer to look for a word in vain than for all else that it does with a helper.

/// The words that few templates have, longer ones before those that they begin with.
#[rustfmt::skip]
const WORDS: [&str; 23] = [
    "READ_VECTOR(", "WRITE_VECTOR(", "READ(", "WRITE(",
    "EACH_PAIR(min_pair)", "EACH_PAIR(max_pair)", "EACH_QUOTIENT", "EACH_ROOT", "EACH_ENTRY",
    "DEVICE_QUOTIENT", "DEVICE_ROOT",
    "FROM_WORD(source.constant_bits)", "FROM_WORD(border)", "FROM_WORD(SAMPLED)",
    "UNSIGNED", "SIGNED", "WIDTH_MASK", "SCALAR", "STORED", "TABLE_TYPE", "ELEMENT", "GATHERED", "SCATTERED",
];

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    text: &'static str,
    bit: u32,
}

impl Word {
    /// The word of this text; to be asked for in constants.
    pub const fn of(text: &'static str) -> Self {
        let mut place = 0;
        while place < WORDS.len() {
            if WORDS[place].len() == text.len() && stands_in(WORDS[place].as_bytes(), text.as_bytes()) {
                return Self { text, bit: 1 << place };
            }
            place += 1;
        }
        panic!("no word of templates")
    }
}

/// A template, and which words it has.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    text: &'static str,
    words: u32,
}

impl Template {
    /// A template; to be asked for in constants.
    pub const fn of(text: &'static str) -> Self {
        let (mut words, mut place) = (0, 0);
        while place < WORDS.len() {
            if stands_in(WORDS[place].as_bytes(), text.as_bytes()) {
                words |= 1 << place;
            }
            place += 1;
        }
        Self { text, words }
    }

    /// The template, to be filled in.
    pub fn fill(self) -> Filling {
        Filling { text: self.text.to_owned(), words: self.words }
    }
}

/// Whether a word stands in a text.
const fn stands_in(word: &[u8], text: &[u8]) -> bool {
    let mut start = 0;
    while start + word.len() <= text.len() {
        let mut length = 0;
        while length < word.len() && text[start + length] == word[length] {
            length += 1;
        }
        if length == word.len() {
            return true;
        }
        start += 1;
    }
    false
}

/// A template of which some words are filled in.
#[derive(Clone, Debug)]
pub struct Filling {
    /// The text so far.
    pub text: String,
    words: u32,
}

impl Filling {
    /// A part of it.
    pub fn part(&self, text: &str) -> Self {
        Self { text: text.to_owned(), words: self.words }
    }

    /// Fills in a word, where the template has it.
    pub fn replace(self, word: Word, written: impl FnOnce() -> String) -> Self {
        self.change(word, |text| text.replace(word.text, &written()))
    }

    /// Changes the text, where the template has a word.
    pub fn change(mut self, word: Word, change: impl FnOnce(&str) -> String) -> Self {
        if self.words & word.bit != 0 {
            self.text = change(&self.text);
        }
        self
    }
}
