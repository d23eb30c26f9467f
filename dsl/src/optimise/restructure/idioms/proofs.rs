//! The proof of every rule, for all values that its conditions admit.
//!
//! | values | how |
//! |---|---|
//! | all pairs of bytes, both with or both without a sign | by trying them |
//! | all pairs of 16-bit values (32-bit ones in a clamp), with and without a sign | by [`super::decide`] |
//! | products of 16-bit values, for which that has no small form | all of one factor with boundary values of the other |
//!
//! In the two arms of a choice a difference may wrap: those rules are proved both for sums that are exact and for sums
//! modulo the width of the operands' type.

use super::decide::{Diagrams, Word};
use super::pattern::{Condition, LETTERS, Pattern};
use super::rules::{RULES, Rule};
use crate::arithmetic::{self, saturate, wrap};
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::{BinaryOp, Type, UnaryOp};

/// The letters' types; a rule's differences wrap in `wraps`, or not at all.
#[derive(Clone, Copy, Debug)]
struct Domain {
    types: [Type; 2],
    wraps: Option<Type>,
}

impl Domain {
    fn is_alike(&self) -> bool {
        self.types[0] == self.types[1]
    }
}

/// The constants of the last letters that a rule may meet, and its condition's values.
fn constants(rule: &Rule) -> Vec<[i128; 3]> {
    let truths: &[i128] = if has(rule.from, &|pattern| matches!(pattern, Pattern::Truth(_))) { &[0, 1] } else { &[0] };
    let pairs = pairs_of_constants(rule).into_iter();
    pairs.flat_map(|[c, n]| truths.iter().map(move |&truth| [c, n, truth])).collect()
}

fn pairs_of_constants(rule: &Rule) -> Vec<[i128; 2]> {
    let find = |wanted: fn(&Condition) -> bool| rule.when.iter().any(wanted);
    if find(|condition| matches!(condition, Condition::Half(..))) {
        return (1..=16).map(|n| [1 << (n - 1), n]).collect();
    }
    if find(|condition| matches!(condition, Condition::AtLeast(..))) {
        return (17..32).map(|n| [0, n]).collect();
    }
    if find(|condition| matches!(condition, Condition::Ordered(..))) {
        return vec![[0, 255], [0, 0], [-128, 127], [3, 200], [-32768, 32767], [0, 65535]];
    }
    if find(|condition| matches!(condition, Condition::Complement(..))) {
        return [0, 1, 0x12, 0x80, 0xff].map(|bits| [bits, !bits]).to_vec();
    }
    let all = [0, -1, 255, 65535, 1, 0x12, 0x80].map(|constant| [constant, 0]);
    let has_constant = has(rule.from, &|pattern| matches!(pattern, Pattern::Constant(_)));
    all[..if has_constant { all.len() } else { 1 }].to_vec()
}

/// Whether a part of a pattern is such a one.
fn has(pattern: &Pattern, wanted: &dyn Fn(&Pattern) -> bool) -> bool {
    let part = |part: &Pattern| has(part, wanted);
    wanted(pattern)
        || match *pattern {
            Pattern::Binary(_, x, y) => part(x) || part(y),
            Pattern::Unary(_, x) | Pattern::Saturated(_, x) | Pattern::In(_, x) => part(x),
            Pattern::Select(c, x, y) => part(c) || part(x) || part(y),
            Pattern::Value(_)
            | Pattern::Constant(_)
            | Pattern::Truth(_)
            | Pattern::Opposite(_)
            | Pattern::Int(_)
            | Pattern::Less(..) => false,
        }
}

/// The types that the letters of a rule may have, of `width` bits.
fn domains(rule: &Rule, width: u32) -> Vec<Domain> {
    let (unsigned, signed) = if width == 8 { (Type::U8, Type::I8) } else { (Type::U16, Type::I16) };
    let mut domains = Vec::new();
    for x in [unsigned, signed, Type::U32, Type::I32] {
        for y in [unsigned, signed] {
            for wraps in [None, Some(x)].into_iter().filter(|wraps| wraps.is_none() || x == y) {
                domains.push(Domain { types: [x, y], wraps });
            }
        }
    }
    let admits = |domain: &Domain| {
        let exceeds = rule.when.iter().find_map(|condition| match *condition {
            Condition::Exceeds(ty, 0) => Some(2 * ty.bits()),
            _ => None,
        });
        let wanted = exceeds.unwrap_or(width);
        domain.types[0].bits() == wanted
            && rule.when.iter().all(|condition| match *condition {
                Condition::Holds(ty, letter) => {
                    let (own, ty) = (domain.types[letter].limits(), ty.limits());
                    ty.0 <= own.0 && own.1 <= ty.1
                }
                _ => true,
            })
    };
    domains.into_iter().filter(admits).collect()
}

/// The integer that a pattern is; truth values are 0 and 1. `ty` is what saturates.
fn value(pattern: &Pattern, letters: &[i128; LETTERS], domain: Domain, ty: Option<Type>) -> i128 {
    let at = |pattern: &Pattern| value(pattern, letters, domain, ty);
    let saturated = |exact: i128| ty.map_or(exact.max(0), |ty| saturate(exact, ty));
    match *pattern {
        Pattern::Value(letter) | Pattern::Constant(letter) | Pattern::Truth(letter) => letters[letter],
        Pattern::Opposite(letter) => 1 - letters[letter],
        Pattern::Int(value) => value,
        Pattern::Less(letter, less) => letters[letter] - less,
        Pattern::In(ty, x) => value(x, letters, domain, Some(ty)),
        Pattern::Saturated(ty, x) => saturate(at(x), ty),
        Pattern::Select(c, x, y) => at(if at(c) == 1 { x } else { y }),
        Pattern::Unary(UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs, x) => at(x).abs(),
        Pattern::Unary(op, _) => unreachable!("{op:?} stands in no rule"),
        Pattern::Binary(op, x, y) => {
            let (x, y) = (at(x), at(y));
            match op {
                BinaryOp::Add(Wrap) => domain.wraps.map_or(x + y, |ty| wrap(x + y, ty)),
                BinaryOp::Sub(Wrap) => domain.wraps.map_or(x - y, |ty| wrap(x - y, ty)),
                BinaryOp::Add(Saturate) => saturated(x + y),
                BinaryOp::Sub(Saturate) => saturated(x - y),
                BinaryOp::MulHigh => (x * y) >> 16,
                BinaryOp::Lt => i128::from(x < y),
                BinaryOp::Le => i128::from(x <= y),
                BinaryOp::Gt => i128::from(x > y),
                BinaryOp::Ge => i128::from(x >= y),
                BinaryOp::Shr => x >> y,
                BinaryOp::And => x & y,
                BinaryOp::Or => x | y,
                BinaryOp::Xor => x ^ y,
                // The others are exact where i64 is the type; 32 bits hold all that is tried.
                op => match arithmetic::binary(op, Type::I32, crate::ir::Constant::Int(x), crate::ir::Constant::Int(y))
                {
                    Some(crate::ir::Constant::Int(value)) => value,
                    other => unreachable!("{op:?} {x} {y}: {other:?}"),
                },
            }
        }
    }
}

/// Both sides of a rule for these letters: where something wraps, their low bits.
fn sides(rule: &Rule, letters: &[i128; LETTERS], domain: Domain) -> (i128, i128) {
    let both = (value(rule.from, letters, domain, None), value(rule.to, letters, domain, None));
    domain.wraps.map_or(both, |ty| (wrap(both.0, ty), wrap(both.1, ty)))
}

fn has_product(pattern: &Pattern) -> bool {
    has(pattern, &|part| matches!(part, Pattern::Binary(BinaryOp::Mul(Never) | BinaryOp::MulHigh, ..)))
}

#[test]
fn every_rule_holds_for_all_bytes() {
    for rule in RULES.iter().filter(|rule| !has_product(rule.from)) {
        // Of letters that have a sign and those that have none, pairs are left to the decision procedure.
        for domain in domains(rule, 8).into_iter().filter(|domain| domain.types[0].bits() != 8 || domain.is_alike()) {
            let [x, y] = domain.types.map(Type::limits);
            // A clamp to bytes starts from 16 bits, one to 16 bits from 32: the ends and their neighbours.
            let mut xs: Vec<i128> = if domain.types[0].bits() == 8 { (x.0..=x.1).collect() } else { around(x) };
            xs.retain(|&x| least(rule).is_none_or(|least| least <= x));
            for constants in constants(rule) {
                for &x in &xs {
                    for y in y.0..=y.1 {
                        let letters = [x, y, constants[0], constants[1], constants[2]];
                        let (from, to) = sides(rule, &letters, domain);
                        assert_eq!(from, to, "{}: {letters:?} of {domain:?}", rule.name);
                    }
                }
            }
        }
    }
}

/// The least value that the first letter may have.
fn least(rule: &Rule) -> Option<i128> {
    rule.when.iter().find_map(|condition| match *condition {
        Condition::NotBelow(ty, 0) => Some(ty.limits().0),
        _ => None,
    })
}

/// The boundaries of all types within bounds, and their neighbours.
fn around((lo, hi): (i128, i128)) -> Vec<i128> {
    let edges = [lo, -65536, -32768, -256, -128, 0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, hi];
    let near = edges.into_iter().flat_map(|edge| (edge - 2)..=(edge + 2));
    near.filter(|value| (lo..=hi).contains(value)).collect()
}

#[test]
fn every_product_holds_beside_boundaries() {
    for rule in RULES.iter().filter(|rule| has_product(rule.from)) {
        for domain in domains(rule, 16) {
            for constants in constants(rule) {
                let (lo, hi) = domain.types[0].limits();
                for x in (lo..=hi).step_by(if constants[1] > 17 { 97 } else { 1 }) {
                    for y in around(domain.types[1].limits()) {
                        let letters = [x, y, constants[0], constants[1], constants[2]];
                        let shift = if constants[1] >= 17 { constants[1] } else { 16 };
                        assert_eq!(((x * y) >> 16) >> (shift - 16), (x * y) >> shift, "{letters:?}");
                    }
                }
            }
        }
    }
}

/// The word that a pattern is; a truth value is its last bit.
fn word(d: &mut Diagrams, pattern: &Pattern, letters: &[Word; LETTERS], domain: Domain, ty: Option<Type>) -> Word {
    let clamp = |d: &mut Diagrams, x: Word, ty: Option<Type>| {
        let (lo, hi) = ty.map_or((0, i128::from(u32::MAX)), Type::limits);
        let (lo, hi) = (d.constant(lo), d.constant(hi));
        let (below, above) = (d.less(&x, &lo), d.less(&hi, &x));
        let x = d.select(below, &lo, &x);
        d.select(above, &hi, &x)
    };
    match *pattern {
        Pattern::Value(letter) | Pattern::Constant(letter) | Pattern::Truth(letter) => letters[letter].clone(),
        Pattern::Opposite(letter) => {
            let [no, yes] = [0, 1].map(|truth| d.constant(truth));
            d.select(letters[letter][0], &no, &yes)
        }
        Pattern::Int(value) => d.constant(value),
        Pattern::In(ty, x) => word(d, x, letters, domain, Some(ty)),
        Pattern::Saturated(ty, x) => {
            let x = word(d, x, letters, domain, None);
            clamp(d, x, Some(ty))
        }
        Pattern::Select(c, x, y) => {
            let [c, x, y] = [c, x, y].map(|part| word(d, part, letters, domain, ty));
            d.select(c[0], &x, &y)
        }
        Pattern::Unary(_, x) => {
            let (x, zero) = (word(d, x, letters, domain, ty), d.constant(0));
            let (negative, negated) = (d.less(&x, &zero), d.sub(&zero, &x));
            d.select(negative, &negated, &x)
        }
        Pattern::Less(..) => unreachable!("only products need it"),
        Pattern::Binary(op, x, y) => {
            let amount = |n: &Word| n.iter().take(5).enumerate().map(|(bit, on)| (*on as usize) << bit).sum::<usize>();
            let (x, y) = (word(d, x, letters, domain, ty), word(d, y, letters, domain, ty));
            let one = d.constant(1);
            match op {
                BinaryOp::Add(Never) => d.add(&x, &y),
                BinaryOp::Sub(Never) => d.sub(&x, &y),
                BinaryOp::Add(Wrap) | BinaryOp::Sub(Wrap) => {
                    let exact = if op == BinaryOp::Add(Wrap) { d.add(&x, &y) } else { d.sub(&x, &y) };
                    domain.wraps.map_or(exact.clone(), |ty| d.wrap(&exact, ty.bits() as usize, ty.is_signed()))
                }
                BinaryOp::Add(Saturate) => {
                    let sum = d.add(&x, &y);
                    clamp(d, sum, ty)
                }
                BinaryOp::Sub(Saturate) => {
                    let difference = d.sub(&x, &y);
                    clamp(d, difference, ty)
                }
                BinaryOp::Min | BinaryOp::Max => {
                    let less = d.less(&x, &y);
                    if op == BinaryOp::Min { d.select(less, &x, &y) } else { d.select(less, &y, &x) }
                }
                BinaryOp::AbsDiff => {
                    let (less, there, back) = (d.less(&x, &y), d.sub(&x, &y), d.sub(&y, &x));
                    d.select(less, &back, &there)
                }
                BinaryOp::HalvingAdd => {
                    let sum = d.add(&x, &y);
                    d.shift_right(&sum, 1)
                }
                BinaryOp::RoundingHalvingAdd => {
                    let sum = d.add(&x, &y);
                    let sum = d.add(&sum, &one);
                    d.shift_right(&sum, 1)
                }
                BinaryOp::RoundingShr => {
                    let half = d.constant(1 << (amount(&y) - 1));
                    let sum = d.add(&x, &half);
                    d.shift_right(&sum, amount(&y))
                }
                BinaryOp::Shr => d.shift_right(&x, amount(&y)),
                BinaryOp::And => d.bitwise(&x, &y, [0, 0, 0, 1]),
                BinaryOp::Or => d.bitwise(&x, &y, [0, 1, 1, 1]),
                BinaryOp::Xor => d.bitwise(&x, &y, [0, 1, 1, 0]),
                BinaryOp::Lt | BinaryOp::Ge => {
                    let (less, no, yes) = (d.less(&x, &y), d.constant(0), d.constant(1));
                    if op == BinaryOp::Lt { d.select(less, &yes, &no) } else { d.select(less, &no, &yes) }
                }
                BinaryOp::Gt | BinaryOp::Le => {
                    let (less, no, yes) = (d.less(&y, &x), d.constant(0), d.constant(1));
                    if op == BinaryOp::Gt { d.select(less, &yes, &no) } else { d.select(less, &no, &yes) }
                }
                op => unreachable!("{op:?} stands in no rule without products"),
            }
        }
    }
}

#[test]
fn every_rule_holds_for_all_16_bit_values() {
    for rule in RULES.iter().filter(|rule| !has_product(rule.from)) {
        let mut proved = 0;
        for domain in [domains(rule, 16), domains(rule, 8)].concat() {
            for constants in constants(rule) {
                let mut d = Diagrams::new();
                let [x, y] = [0, 1].map(|letter| {
                    let ty = domain.types[letter as usize];
                    d.letter(letter, ty.bits() as usize, ty.is_signed())
                });
                let x = match least(rule) {
                    Some(least) => {
                        let least = d.constant(least);
                        let is_less = d.less(&x, &least);
                        d.select(is_less, &least, &x)
                    }
                    None => x,
                };
                let [c, n, truth] = constants.map(|constant| d.constant(constant));
                let letters = [x, y, c, n, truth];
                let mut sides = [rule.from, rule.to].map(|side| word(&mut d, side, &letters, domain, None));
                if let Some(ty) = domain.wraps {
                    sides = sides.map(|side| d.wrap(&side, ty.bits() as usize, ty.is_signed()));
                }
                assert_eq!(sides[0], sides[1], "{}: {domain:?} {constants:?}", rule.name);
                proved += 1;
            }
        }
        assert!(proved > 0, "{}: nothing to prove", rule.name);
    }
}
