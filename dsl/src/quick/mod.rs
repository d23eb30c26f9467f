//! What is written otherwise than one would, only to be quick without optimisation, as macros are compiled: hashing, text that
//! grows, lists of words that names are looked up in. Everything else is written to be read.

mod hash;
mod parts;
mod words;

pub use hash::{QuickHasher, QuickMap, QuickTable, hash_of};
pub use parts::{Parts, count_while};
pub use words::Words;
