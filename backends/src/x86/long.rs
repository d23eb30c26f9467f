//! What AVX2 and SSE4.1 lack for lanes of 64 bits, in terms of what they have.
//!
//! Each sequence is written over [`Long`], which has two readers: the selection, which writes the instructions down, and the
//! proof below, which computes them. There a lane has two halves of any width. No instruction asks how wide they are, and the
//! reasons given here hold for each width; the proof tries all values of narrow lanes, and the edges of 64 bits.

use super::X86;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;

/// What takes instructions on vectors whose lanes have 64 bits.
pub trait Long {
    /// A vector.
    type Vector: Copy;

    /// The result of an instruction, with its constant if it has one, in lanes of a kind.
    fn take(&mut self, name: &'static str, constant: Option<u32>, lane: Lane, of: &[Self::Vector]) -> Self::Vector;
}

impl Long for Select<'_, X86> {
    type Vector = VectorId;

    fn take(&mut self, name: &'static str, constant: Option<u32>, lane: Lane, of: &[VectorId]) -> VectorId {
        match constant {
            Some(n) => self.op_n(name, n, lane, of),
            None => self.op(name, lane, of),
        }
    }
}

/// The mask of a > b. Where the upper halves differ, they decide, as signed numbers. Where they are equal, b − a is nearer to
/// 0 than a half's values are many: its upper half is all ones where it is negative, and 0 elsewhere.
pub fn greater<L: Long>(long: &mut L, a: L::Vector, b: L::Vector) -> L::Vector {
    let difference = long.take("sub_epi64", None, Lane::I64, &[b, a]);
    let equal = long.take("cmpeq_epi32", None, Lane::U32, &[a, b]);
    let borrows = long.take("and_si", None, Lane::U32, &[equal, difference]);
    let above = long.take("cmpgt_epi32", None, Lane::U32, &[a, b]);
    let upper = long.take("or_si", None, Lane::U32, &[above, borrows]);
    long.take("shuffle_epi32", Some(0b11_11_01_01), Lane::U64, &[upper])
}

/// An arithmetic shift to the right by a logical one: `moved` is the value and `sign` the sign bit alone, both shifted. The
/// number that is left has its highest bit where `sign` is; inverted and subtracted, that bit counts negative.
pub fn signs<L: Long>(long: &mut L, lane: Lane, moved: L::Vector, sign: L::Vector) -> L::Vector {
    let inverted = long.take("xor_si", None, lane, &[moved, sign]);
    long.take("sub_epi64", None, lane, &[inverted, sign])
}

/// The sign bit of a lane, shifted to the right by a constant.
pub fn sign_bit(lane: Lane, n: u32) -> i128 {
    let (least, _) = lane.ty().limits();
    -(least >> n)
}

/// Two vectors as one in lanes of 32 bits: nothing packs them, but a shuffle of words takes their lower halves, which are
/// the values modulo 2³².
pub fn lower_halves<L: Long>(long: &mut L, first: L::Vector, second: L::Vector) -> L::Vector {
    long.take("shuffle_ps", Some(0b10_00_10_00), Lane::F32, &[first, second])
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::arithmetic::{binary, cast};
    use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Type};

    /// The halves of two lanes, the lowest first.
    type Halves = [u64; 4];

    /// Computes instructions on lanes of two halves of `half` bits, as the manuals say of 32.
    struct Model {
        half: u32,
        /// An instruction that is computed as another one.
        wrong: Option<(&'static str, &'static str)>,
        /// The instructions that were taken.
        taken: Vec<&'static str>,
    }

    impl Model {
        fn mask(&self) -> u64 {
            (1 << self.half) - 1
        }

        /// A half as a signed number.
        fn signed(&self, half: u64) -> i64 {
            (half << (64 - self.half)) as i64 >> (64 - self.half)
        }

        fn lane(&self, of: Halves, lane: usize) -> u64 {
            of[2 * lane + 1] << self.half | of[2 * lane]
        }

        fn lanes(&self, lanes: [u64; 2]) -> Halves {
            let [a, b] = lanes;
            [a, a >> self.half, b, b >> self.half].map(|half| half & self.mask())
        }
    }

    impl Long for Model {
        type Vector = Halves;

        fn take(&mut self, name: &'static str, constant: Option<u32>, _: Lane, of: &[Halves]) -> Halves {
            self.taken.push(name);
            let name = self.wrong.filter(|(wrong, _)| *wrong == name).map_or(name, |(_, instead)| instead);
            let a = of[0];
            let b = of.get(1).copied().unwrap_or(a);
            let each = |of: &dyn Fn(u64, u64) -> u64| std::array::from_fn(|at| of(a[at], b[at]) & self.mask());
            let all = |holds: bool| if holds { u64::MAX } else { 0 };
            let chosen = |from: Halves, at: usize| from[(constant.unwrap() >> (2 * at) & 3) as usize];
            match name {
                "sub_epi64" => self.lanes([0, 1].map(|at| self.lane(a, at).wrapping_sub(self.lane(b, at)))),
                "add_epi64" => self.lanes([0, 1].map(|at| self.lane(a, at).wrapping_add(self.lane(b, at)))),
                "and_si" => each(&|a, b| a & b),
                "or_si" => each(&|a, b| a | b),
                "xor_si" => each(&|a, b| a ^ b),
                "cmpeq_epi32" => each(&|a, b| all(a == b)),
                "cmpgt_epi32" => each(&|a, b| all(self.signed(a) > self.signed(b))),
                "shuffle_epi32" => std::array::from_fn(|at| chosen(a, at)),
                "shuffle_ps" => std::array::from_fn(|at| chosen(if at < 2 { a } else { b }, at)),
                _ => panic!("{name}"),
            }
        }
    }

    /// All values of narrow lanes; of 64 bits, powers of two, their neighbours, and their negatives.
    fn values(bits: u32) -> Vec<i64> {
        if bits < 10 {
            return (-(1 << (bits - 1))..1 << (bits - 1)).collect();
        }
        let near = (0..bits).flat_map(|bit| [-1, 0, 1].map(|by| (1i64 << bit).wrapping_add(by)));
        near.flat_map(|value| [value, value.wrapping_neg()]).collect()
    }

    const NARROW: [u32; 4] = [1, 2, 3, 4];

    fn model(half: u32, wrong: Option<(&'static str, &'static str)>) -> Model {
        Model { half, wrong, taken: Vec::new() }
    }

    /// Bits of a lane.
    fn cut(model: &Model, value: i64) -> u64 {
        value as u64 & u64::MAX >> (64 - 2 * model.half)
    }

    /// Whether a > b is found for all pairs of values, with another pair in the other lane.
    fn is_greater(model: &mut Model) -> bool {
        let all = values(2 * model.half);
        let count = all.len();
        (0..count * count).all(|pair| {
            let other = (pair * 7 + 3) % (count * count);
            let pairs = [pair, other].map(|pair| (all[pair / count], all[pair % count]));
            let [a, b] = [pairs.map(|(a, _)| a), pairs.map(|(_, b)| b)].map(|side| side.map(|value| cut(model, value)));
            let found = greater(model, model.lanes(a), model.lanes(b));
            found == model.lanes(pairs.map(|(a, b)| cut(model, -i64::from(a > b))))
        })
    }

    /// Whether all values are shifted by all amounts.
    fn fills_signs(model: &mut Model) -> bool {
        let (bits, all) = (2 * model.half, values(2 * model.half));
        let amounts = (0..bits).flat_map(|n| all.iter().zip(all.iter().rev()).map(move |(&a, &b)| (n, [a, b])));
        amounts.into_iter().all(|(n, values)| {
            let moved = model.lanes(values.map(|value| cut(model, value) >> n));
            let sign = model.lanes([(1u64 << (bits - 1)) >> n; 2]);
            signs(model, Lane::I64, moved, sign) == model.lanes(values.map(|value| cut(model, value >> n)))
        })
    }

    fn takes_lower_halves(model: &mut Model) -> bool {
        let all = values(2 * model.half);
        all.iter().zip(all.iter().rev()).all(|(&a, &b)| {
            let lanes = [a, b, b ^ 1, a ^ 1].map(|value| cut(model, value));
            let found = lower_halves(model, model.lanes([lanes[0], lanes[1]]), model.lanes([lanes[2], lanes[3]]));
            found == lanes.map(|lane| lane & model.mask())
        })
    }

    const SEQUENCES: [fn(&mut Model) -> bool; 3] = [is_greater, fills_signs, takes_lower_halves];

    #[test]
    fn sequences_are_proved() {
        for sequence in SEQUENCES {
            assert!(NARROW.into_iter().chain([32]).all(|half| sequence(&mut model(half, None))));
        }
    }

    /// What the proof expects is what the language says of 64 bits.
    #[test]
    fn the_proof_asks_for_what_the_language_means() {
        let of = |op, a: i64, b: i64| binary(op, Type::I64, Constant::Int(a.into()), Constant::Int(b.into()));
        for a in values(64) {
            for b in values(64) {
                assert_eq!(of(BinaryOp::Gt, a, b), Some(Constant::Bool(a > b)));
            }
            for n in 0..64u32 {
                assert_eq!(of(BinaryOp::Shr, a, n.into()), Some(Constant::Int((a >> n).into())));
                assert_eq!(sign_bit(Lane::I64, n), 1 << (63 - n));
            }
            let lower = cast(CastMode::Wrapping, Type::U32, Constant::Int(a.into()));
            assert_eq!(lower, Some(Constant::Int(i128::from(a as u64 & 0xffff_ffff))));
        }
    }

    /// The proof bites: with any instruction as another one, it fails in some width.
    #[test]
    fn a_wrong_instruction_is_not_proved() {
        const OTHERS: [&str; 7] = ["sub_epi64", "add_epi64", "and_si", "or_si", "xor_si", "cmpeq_epi32", "cmpgt_epi32"];
        let mut tried = 0;
        for sequence in SEQUENCES {
            let mut right = model(2, None);
            assert!(sequence(&mut right));
            right.taken.sort_unstable();
            right.taken.dedup();
            for name in right.taken {
                for instead in OTHERS.into_iter().filter(|other| *other != name) {
                    let is_alike = (name, instead) == ("or_si", "xor_si") || (name, instead) == ("or_si", "add_epi64");
                    let survives = NARROW.into_iter().all(|half| sequence(&mut model(half, Some((name, instead)))));
                    // No half is both above the other and equal to it.
                    assert_eq!(survives, is_alike, "{instead} for {name}");
                    tried += 1;
                }
            }
        }
        assert!(tried >= 40, "{tried}");
    }
}
