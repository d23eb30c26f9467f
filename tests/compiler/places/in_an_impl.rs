//! A kernel in an `impl`: it is said by the name of a macro, since an attribute isn't told where it stands.

use windrow::prelude::*;

struct Filter;

impl Filter {
    /// The greater element.
    #[kernel]
    pub fn larger(a: u8, b: u8) -> u8 {
        a.max(b)
    }
}

fn main() {}
