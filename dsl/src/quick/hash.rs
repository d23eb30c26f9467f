//! Hashing where the standard library's is slow: a multiplication a word, and a table of few steps. Nobody but the author chooses the keys, and nothing is emitted in a map's order.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by `QuickHasher`.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// The hasher.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuickHasher(u64);

/// Numbers of entries by their hashes, for a list that its owner keeps: open addresses, a power of two of them.
#[derive(Clone, Debug, Default)]
pub struct QuickTable {
    hashes: Vec<u64>,
    /// Numbers plus one, by hash; 0: none.
    places: Vec<u32>,
}

/// Places of the first table.
const FEWEST: usize = 128;

impl QuickTable {
    /// The number of the first entry of this hash for which `is_wanted` holds.
    pub fn find(&self, hash: u64, is_wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let (places, hashes) = (self.places.as_slice(), self.hashes.as_slice());
        if places.is_empty() {
            return None;
        }
        let mut place = hash as usize & (places.len() - 1);
        while places[place] != 0 {
            let number = places[place] as usize - 1;
            if hashes[number] == hash && is_wanted(number) {
                return Some(number);
            }
            place = (place + 1) & (places.len() - 1);
        }
        None
    }

    /// Adds an entry of this hash; its number is that of all before.
    pub fn add(&mut self, hash: u64) -> usize {
        self.hashes.push(hash);
        let count = self.hashes.len();
        if 2 * count > self.places.len() {
            self.places = vec![0; (4 * self.places.len()).max(FEWEST)];
            let mut number = 0;
            while number < count {
                self.enter(number, self.hashes[number]);
                number += 1;
            }
        } else {
            self.enter(count - 1, hash);
        }
        count - 1
    }

    fn enter(&mut self, number: usize, hash: u64) {
        let places = self.places.as_mut_slice();
        let last = places.len() - 1;
        let mut place = hash as usize & last;
        while places[place] != 0 {
            place = (place + 1) & last;
        }
        places[place] = number as u32 + 1;
    }
}

/// The hash of a text.
pub fn hash_of(text: &str) -> u64 {
    let mut hasher = QuickHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

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
        let mut bytes = bytes;
        while let [a, b, c, d, e, f, g, h, behind @ ..] = bytes {
            self.add(u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]));
            bytes = behind;
        }
        let mut rest = 0;
        while let [byte, behind @ ..] = bytes {
            rest = rest << 8 | u64::from(*byte);
            bytes = behind;
        }
        self.add(rest);
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

    fn write_i128(&mut self, word: i128) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_what_was_added() {
        let (mut table, mut names) = (QuickTable::default(), Vec::new());
        for n in 0..500 {
            let name = format!("name_{n}");
            assert_eq!(table.find(hash_of(&name), |number| names[number] == name), None);
            assert_eq!(table.add(hash_of(&name)), n);
            names.push(name);
        }
        for (n, name) in names.iter().enumerate() {
            assert_eq!(table.find(hash_of(name), |number| names[number] == *name), Some(n));
        }
    }
}
