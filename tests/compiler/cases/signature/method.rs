#![allow(unused)]
use windrow::prelude::*;

pub struct Level(u8);

impl Level {
    #[kernel]
    pub fn example(&self, a: u8) -> u8 {
        a.saturating_add(self.0)
    }
}

fn main() {}
