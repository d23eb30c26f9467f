//! Names of intrinsics: instruction sets build them of few parts, so a call holds these, and nothing is formatted for it.

use std::hash::Hasher;
use windrow_dsl::quick::{Parts, QuickHasher};

/// The name of an intrinsic, part by part; equal names of one instruction set have equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intrinsic([&'static str; 4]);

impl Intrinsic {
    /// The name that is these parts one behind the other.
    pub const fn new(parts: [&'static str; 4]) -> Self {
        Self(parts)
    }

    /// Whether its first part begins so.
    pub fn begins_with(&self, text: &str) -> bool {
        self.0[0].starts_with(text)
    }

    /// The whole name.
    pub fn name(&self) -> String {
        self.0.concat()
    }

    /// Writes it behind what is written already.
    pub fn push_to(&self, text: &mut Parts) {
        text.push_all(&self.0);
    }

    /// Of each part so much that few names are alike.
    pub fn hash(&self, hasher: &mut QuickHasher) {
        let (mut word, mut place) = (0, 0);
        while place < self.0.len() {
            if let part @ [.., last] = self.0[place].as_bytes() {
                word = word << 16 ^ (part.len() as u64) << 12 ^ u64::from(part[part.len() / 2]) << 7 ^ u64::from(*last);
            }
            place += 1;
        }
        hasher.write_u64(word);
    }
}

impl From<&'static str> for Intrinsic {
    fn from(whole: &'static str) -> Self {
        Self([whole, "", "", ""])
    }
}
