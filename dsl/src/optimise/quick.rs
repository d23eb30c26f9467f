//! A hash map for value numbers: a multiplication a word, where the standard library's is slow without optimisation, as
//! macros are built. Nobody but the author chooses the keys, and nothing is emitted in the map's order.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by `QuickHasher`.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// The hasher.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuickHasher(u64);

impl QuickHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        // The map looks at the lowest and at the highest bits.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn write_i32(&mut self, word: i32) {
        self.add(word as u64);
    }

    fn write_i64(&mut self, word: i64) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }
}
