//! A decision procedure for integers of a fixed width: binary decision diagrams, one for each bit.
//!
//! Sums, shifts, comparisons and choices of 16-bit values have small diagrams when the bits of the letters alternate,
//! so that an identity is checked for all 2^32 pairs at once.

use std::collections::HashMap;

/// A function of the letters' bits: an index, where 0 is false and 1 true.
pub type Bit = u32;
/// A two's-complement integer, least bit first.
pub type Word = Vec<Bit>;

/// Bits of a word: enough for the sum of two 32-bit values.
pub const WIDTH: usize = 36;

/// All diagrams made so far; equal ones are one.
pub struct Diagrams {
    nodes: Vec<(u32, Bit, Bit)>,
    unique: HashMap<(u32, Bit, Bit), Bit>,
    choices: HashMap<(Bit, Bit, Bit), Bit>,
}

impl Diagrams {
    pub fn new() -> Self {
        let ends = [(u32::MAX, 0, 0), (u32::MAX, 1, 1)];
        Self { nodes: ends.to_vec(), unique: HashMap::new(), choices: HashMap::new() }
    }

    /// The letter `letter`, of `bits` bits; the sign is repeated above them, or zeros.
    pub fn letter(&mut self, letter: u32, bits: usize, signed: bool) -> Word {
        // The greatest bits first, and all letters' bits of one weight together.
        let own: Word = (0..bits).map(|bit| self.node((32 - bit as u32) * 4 + letter, 0, 1)).collect();
        let above = if signed { own[bits - 1] } else { 0 };
        (0..WIDTH).map(|bit| own.get(bit).copied().unwrap_or(above)).collect()
    }

    pub fn constant(&self, value: i128) -> Word {
        (0..WIDTH).map(|bit| (value >> bit & 1) as Bit).collect()
    }

    fn node(&mut self, variable: u32, no: Bit, yes: Bit) -> Bit {
        if no == yes {
            return no;
        }
        let next = self.nodes.len() as Bit;
        let id = *self.unique.entry((variable, no, yes)).or_insert(next);
        if id == next {
            self.nodes.push((variable, no, yes));
        }
        id
    }

    /// `if c { x } else { y }`
    pub fn choose(&mut self, c: Bit, x: Bit, y: Bit) -> Bit {
        match (c, x, y) {
            (1, _, _) => return x,
            (0, _, _) => return y,
            (_, 1, 0) => return c,
            _ if x == y => return x,
            _ => {}
        }
        if let Some(&known) = self.choices.get(&(c, x, y)) {
            return known;
        }
        let top = [c, x, y].into_iter().map(|bit| self.nodes[bit as usize].0).min().unwrap_or(u32::MAX);
        let side = |bit: Bit, yes: bool| match self.nodes[bit as usize] {
            (variable, no, own) if variable == top => {
                if yes {
                    own
                } else {
                    no
                }
            }
            _ => bit,
        };
        let (no, yes) = ([c, x, y].map(|bit| side(bit, false)), [c, x, y].map(|bit| side(bit, true)));
        let (no, yes) = (self.choose(no[0], no[1], no[2]), self.choose(yes[0], yes[1], yes[2]));
        let id = self.node(top, no, yes);
        self.choices.insert((c, x, y), id);
        id
    }

    fn not(&mut self, x: Bit) -> Bit {
        self.choose(x, 0, 1)
    }

    fn xor(&mut self, x: Bit, y: Bit) -> Bit {
        let other = self.not(y);
        self.choose(x, other, y)
    }

    fn add_with(&mut self, x: &[Bit], y: &[Bit], mut carry: Bit) -> Word {
        let mut sum = Word::new();
        for (&x, &y) in x.iter().zip(y) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.choose(half, carry, x);
        }
        sum
    }

    pub fn add(&mut self, x: &[Bit], y: &[Bit]) -> Word {
        self.add_with(x, y, 0)
    }

    pub fn sub(&mut self, x: &[Bit], y: &[Bit]) -> Word {
        let y: Word = y.iter().map(|&bit| self.not(bit)).collect();
        self.add_with(x, &y, 1)
    }

    /// x < y
    pub fn less(&mut self, x: &[Bit], y: &[Bit]) -> Bit {
        self.sub(x, y)[WIDTH - 1]
    }

    pub fn select(&mut self, c: Bit, x: &[Bit], y: &[Bit]) -> Word {
        x.iter().zip(y).map(|(&x, &y)| self.choose(c, x, y)).collect()
    }

    /// Bit by bit, by the truth table of (0, 0), (0, 1), (1, 0), (1, 1).
    pub fn bitwise(&mut self, x: &[Bit], y: &[Bit], table: [Bit; 4]) -> Word {
        let pairs: Vec<(Bit, Bit)> = x.iter().copied().zip(y.iter().copied()).collect();
        let one = |diagrams: &mut Self, (x, y): (Bit, Bit)| {
            let (no, yes) = (diagrams.choose(y, table[1], table[0]), diagrams.choose(y, table[3], table[2]));
            diagrams.choose(x, yes, no)
        };
        pairs.into_iter().map(|pair| one(self, pair)).collect()
    }

    /// ⌊x / 2^n⌋
    pub fn shift_right(&self, x: &[Bit], n: usize) -> Word {
        (0..WIDTH).map(|bit| x[(bit + n).min(WIDTH - 1)]).collect()
    }

    /// The low bits, with the sign of the greatest of them or zeros above.
    pub fn wrap(&self, x: &[Bit], bits: usize, signed: bool) -> Word {
        let above = if signed { x[bits - 1] } else { 0 };
        (0..WIDTH).map(|bit| if bit < bits { x[bit] } else { above }).collect()
    }
}

#[test]
fn a_sum_commutes_and_a_difference_does_not() {
    let mut d = Diagrams::new();
    let (x, y) = (d.letter(0, 16, true), d.letter(1, 16, true));
    assert_eq!(d.add(&x, &y), d.add(&y, &x));
    assert_ne!(d.sub(&x, &y), d.sub(&y, &x));
    let (a, b) = (d.constant(-5), d.constant(3));
    assert_eq!(d.add(&a, &b), d.constant(-2));
    assert_eq!(d.less(&a, &b), 1);
}
