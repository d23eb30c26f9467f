//! A fingerprint of results, committed so that no later change alters one unseen.

use super::random::PRIME;
use std::fmt;

/// A running fingerprint of words (FNV-1a, 64 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// Returns the digest of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in a word.
    pub fn word(&mut self, word: u32) {
        self.0 = word.to_le_bytes().into_iter().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    }

    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    }

    /// Returns the value of the digest.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn digest_sees_every_bit_and_the_order() {
        let of = |words: &[u32]| {
            let mut digest = Digest::new();
            words.iter().for_each(|word| digest.word(*word));
            digest.value()
        };
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[1]), of(&[1 << 31 | 1]));
        assert_eq!(Digest::new().to_string(), "cbf29ce484222325");
    }
}
