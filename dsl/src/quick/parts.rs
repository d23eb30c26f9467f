//! Text that grows by parts. A `String` that grows is compiled where it is used; the growth of this one comes compiled with the
//! standard library, and takes a tenth of the time.

use std::ffi::OsString;
use std::fmt::Write;

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

/// Text that grows by parts.
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
        if !is_ascii(text) || text.contains('\r') {
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

    /// What is written so far.
    pub fn text(&self) -> &str {
        // Of texts, it is one.
        self.0.to_str().unwrap_or_default()
    }

    /// How many bytes are written so far.
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// Takes back what was written behind the first bytes.
    pub fn take_back(&mut self, length: usize) -> String {
        let mut text = std::mem::take(&mut self.0).into_string().unwrap_or_default();
        let behind = text.split_off(length.min(text.len()));
        self.0 = text.into();
        behind
    }

    /// The whole.
    pub fn finish(self) -> String {
        self.0.into_string().unwrap_or_default()
    }
}

/// Counts the bytes at the beginning of a text for which something holds.
pub fn count_while(text: &str, holds: impl Fn(u8) -> bool) -> usize {
    let (bytes, mut count) = (text.as_bytes(), 0);
    while count < bytes.len() && holds(bytes[count]) {
        count += 1;
    }
    count
}

/// Whether a text is ASCII: the library's own looks at byte by byte where it is compiled without optimisation.
fn is_ascii(text: &str) -> bool {
    let mut bytes = text.as_bytes();
    while let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, behind @ ..] = bytes {
        if (a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p) & 0x80 != 0 {
            return false;
        }
        bytes = behind;
    }
    bytes.is_ascii()
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
        for text in [
            "0123456789abcdef\u{e9}",
            "0123456789abcde\u{e9}f",
            "",
            "a\nb \"c\" \\ d",
            "\"# e \"### f #",
            "\"",
            "g\r\n\"h\"",
            "\u{202e}i",
        ] {
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
