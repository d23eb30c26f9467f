use windrow::prelude::*;

#[kernel]
pub fn example(
    a: u8,
    #[variant] p: Overflow,
    #[variant] q: Overflow,
    #[variant] r: Overflow,
    #[variant] s: Overflow,
    #[variant] t: Overflow,
    #[variant] u: Overflow,
) -> u8 {
    let step = |v: u8, policy: Overflow| match policy {
        Overflow::Wrap => v.wrapping_add(99),
        Overflow::Saturate => v.saturating_add(99),
    };
    let mut v = step(step(step(step(step(step(a, p), q), r), s), t), u);
    for _ in 0..1000 {
        v = !(v ^ a);
    }
    v
}

fn main() {}
