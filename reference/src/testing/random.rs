//! The generator of all test data: small, fast, the same everywhere, for ever.
//!
//! Committed digests rest on its sequence, so the sequence must never change.

/// A sequence of random numbers that its seed fixes (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The sequence that belongs to a text, such as a case's id (FNV-1a).
    pub fn of(text: &str) -> Self {
        Self::new(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME)))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `least` to `greatest`, both included.
    pub fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let span = (i128::from(greatest) - i128::from(least) + 1).max(1);
        let drawn = ((i128::from(self.next_u64()) * span) >> 64) + i128::from(least);
        drawn as i64
    }

    /// Whether an event of chance 1 in `n` happens.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of `choices`; `None` of none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.below(choices.len() as u64) as usize)
    }
}

pub(super) const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Spreads every bit of `state` over all others.
fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn sequence_never_changes() {
        let mut random = Random::new(0);
        assert_eq!([random.next_u64(), random.next_u64()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(Random::of("gaussian3x3").next_u32(), Random::of("gaussian3x3").next_u32());
        assert_ne!(Random::of("a").next_u64(), Random::of("b").next_u64());
    }

    #[test]
    fn drawn_numbers_keep_their_bounds_and_reach_them() {
        let mut random = Random::new(1);
        let drawn: Vec<i64> = (0..200).map(|_| random.between(-2, 3)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&3)));
        assert_eq!(random.between(i64::MAX, i64::MAX), i64::MAX);
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
