//! A kernel in a trait.

use windrow::prelude::*;

trait Filter {
    /// The greater element.
    #[kernel]
    fn larger(a: u8, b: u8) -> u8 {
        a.max(b)
    }
}

fn main() {}
