//! Lists of words that names are looked up in.

/// Words that names are compared with, most of which are none of them: chained by their first letters.
pub struct Words {
    list: &'static [&'static str],
    /// The last word with each letter, and the one before each word, plus one; 0: none.
    last: [u8; 128],
    before: [u8; 256],
    /// Bytes of the longest.
    longest: usize,
}

impl Words {
    /// The words of a list.
    pub const fn new(list: &'static [&'static str]) -> Self {
        let (mut last, mut before) = ([0; 128], [0; 256]);
        let (mut place, mut longest) = (0, 0);
        while place < list.len() {
            if list[place].len() > longest {
                longest = list[place].len();
            }
            let letter = list[place].as_bytes()[0] as usize;
            before[place] = last[letter];
            last[letter] = place as u8 + 1;
            place += 1;
        }
        Self { list, last, before, longest }
    }

    /// All of them.
    pub fn list(&self) -> &'static [&'static str] {
        self.list
    }

    /// Whether a name is one of them.
    pub fn contain(&self, name: &str) -> bool {
        if name.len() > self.longest {
            return false;
        }
        let mut next = self.first(name);
        while next != 0 {
            let word = self.list[next - 1];
            if word.len() == name.len() && word == name {
                return true;
            }
            next = self.before[next - 1].into();
        }
        false
    }

    /// Whether a name begins with one of them.
    pub fn begin(&self, name: &str) -> bool {
        let mut next = self.first(name);
        while next != 0 {
            if name.starts_with(self.list[next - 1]) {
                return true;
            }
            next = self.before[next - 1].into();
        }
        false
    }

    fn first(&self, name: &str) -> usize {
        match name.as_bytes() {
            [letter @ 0..128, ..] => self.last[usize::from(*letter)].into(),
            _ => 0,
        }
    }
}
