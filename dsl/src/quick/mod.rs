//! Code that is less plain than it could be, only because macros are compiled without optimisation: hashing, growing text, and
//! lists of words in which names are looked up. Elsewhere, inner loops over the nodes of a body do the same on a small scale,
//! as they are most of the time: they index a slice (`as_slice`) and count a place (`while`) instead of going through iterators, and the keys
//! by which `ir` numbers equal values are packed into words.

mod hash;
mod parts;
mod words;

pub use hash::{QuickHasher, QuickMap, QuickTable, hash_of};
pub use parts::{Parts, count_while};
pub use words::Words;
