use windrow::prelude::*;

#[kernels]
pub mod ops {
    #[kernel]
    pub fn twice(a: u8) -> u8 {
        a
    }

    #[kernel]
    pub fn twice(a: u8, b: u8) -> u8 {
        a.max(b)
    }
}

fn main() {}
