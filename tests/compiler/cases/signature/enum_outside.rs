#![allow(unused)]
use windrow::prelude::*;

pub enum Mode {
    Keep,
    Invert,
}

#[kernel]
pub fn example(a: u8, #[variant] mode: Mode) -> u8 {
    match mode {
        Mode::Keep => a,
        Mode::Invert => 255 - a,
    }
}

#[kernel]
pub fn of_an_image(a: u8, policy: Policy) -> u8 {
    if policy == Policy::Keep { a } else { 255 - a }
}

fn main() {}
