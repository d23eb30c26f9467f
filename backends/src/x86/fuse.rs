//! Several nodes as one instruction: sums of products, two at a time.
//!
//! A sum is taken apart into its terms, through the sums in it that no other value needs. Two terms that are bytes times
//! constants become one multiplication of their bytes in turn (`maddubs`); two products of 16-bit values in 32 bits become
//! one multiplication of these in turn (`madd`). Sums wrap, so that terms may be added in any order; `maddubs` saturates,
//! so its two terms must not leave 16 bits.

use super::{X86, beside};
use crate::vector::dots;
use crate::vector::memory::LaneOrder;
use crate::vector::pattern::Term;
use crate::vector::program::{Arg, Lane, VectorId};
use crate::vector::select::Select;
use crate::vector::target::Target;
use crate::vector::value::Value;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Node, Op, Type, ValueId};

/// The greatest sum of two coefficients whose terms of up to 255 fit 16 bits.
const MOST: i128 = 128;

/// A byte times a constant.
#[derive(Clone, Copy, Debug)]
struct ByteTerm {
    bytes: ValueId,
    coefficient: i128,
    /// The term, where it is by itself; none where it is a part of a sum that is multiplied.
    alone: Option<Term>,
    /// Instructions that the term takes by itself, for two vectors.
    cost: u32,
}

/// A multiplication of bytes in turn.
type Pair = (ByteTerm, Option<ByteTerm>);

/// The vectors of a sum, a difference or a product that one of the two instructions computes better.
pub fn binary(
    select: &mut Select<'_, X86>,
    node: &Node,
    op: BinaryOp,
    a: ValueId,
    b: ValueId,
) -> Option<Vec<VectorId>> {
    use BinaryOp::*;
    match (op, node.ty) {
        (Add(Never | Wrap) | Sub(Never | Wrap), Type::U16 | Type::I16 | Type::U32 | Type::I32) => {
            let terms = select.terms(node.ty, op, a, b)?;
            match node.ty {
                Type::U16 | Type::I16 => bytes(select, node.ty, terms),
                _ => words(select, node.ty, terms),
            }
        }
        (Mul(Never | Wrap), Type::U32 | Type::I32) => product(select, a, b),
        _ => None,
    }
}

/// A sum of 16 bits: bytes by pairs, the rest as it is.
fn bytes(select: &mut Select<'_, X86>, ty: Type, terms: Vec<Term>) -> Option<Vec<VectorId>> {
    let (mut of_bytes, mut others) = (Vec::new(), Vec::new());
    for term in terms {
        match byte_terms(select, ty, term) {
            Some(bytes) => of_bytes.extend(bytes),
            None => others.push(term),
        }
    }
    // The most expensive first: of an odd number, one that needs no multiplication is left over.
    of_bytes.sort_by_key(|byte| std::cmp::Reverse(byte.cost));
    let mut pairs = Vec::new();
    while let Some(first) = of_bytes.first().copied() {
        of_bytes.remove(0);
        let partner = partner(select, first, &of_bytes).map(|place| of_bytes.remove(place));
        match (partner, first.alone) {
            (None, Some(term)) if select.tap_of_two(first.bytes).is_none() || first.cost == 0 => others.push(term),
            (Some(second), _) if select.is_behind(second.bytes, first.bytes) => pairs.push((second, Some(first))),
            _ => pairs.push((first, partner)),
        }
    }
    if pairs.is_empty() {
        return None;
    }
    let lane = Lane::of(ty);
    // What is in the order of memory is brought into that of all values when it is summed, or later.
    let is_tap = |(first, _): &Pair| select.tap_of_two(first.bytes).is_some();
    let (lying, brought): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_tap);
    let lying = sum_of_products(select, lane, lying);
    let brought = sum_of_products(select, lane, brought);
    let sum = match (lying, brought) {
        (Some(lying), None) if others.is_empty() => return Some(select.keep_in_memory(lying, lane)),
        (None, brought) => brought?,
        (Some(lying), brought) => {
            let lying = select.in_runs(lying, lane);
            match brought {
                Some(brought) => select.map2(lying, brought, |select, a, b| select.sized("add", lane, &[a, b])),
                None => lying,
            }
        }
    };
    Some(add_others(select, lane, sum, others))
}

fn sum_of_products(select: &mut Select<'_, X86>, lane: Lane, pairs: Vec<Pair>) -> Option<Vec<VectorId>> {
    let mut sum: Option<Vec<VectorId>> = None;
    for (first, second) in pairs {
        let (bytes, weights) = in_turn_of_bytes(select, first, second);
        let (name, [low, high]) = (select.name(), weights.map(|weight| weight & 255));
        let weights = select.splat_text(&((low | high << 8) as u16).to_string(), Lane::U16, &format!("{name}_weights"));
        let products = select.map(bytes, |select, bytes| select.op("maddubs_epi16", lane, &[bytes, weights]));
        sum = Some(match sum {
            None => products,
            Some(sum) => select.map2(sum, products, |select, a, b| select.sized("add", lane, &[a, b])),
        });
    }
    sum
}

/// Which of the others a byte is multiplied with: what lies beside it in memory, or else what is worth bringing there. What
/// lies between others is not: apart, it needs no instruction more.
fn partner(select: &Select<'_, X86>, first: ByteTerm, others: &[ByteTerm]) -> Option<usize> {
    let fits = |second: &ByteTerm| never_saturates([first.coefficient, second.coefficient]);
    let is_beside =
        |second: &ByteTerm| select.is_behind(first.bytes, second.bytes) || select.is_behind(second.bytes, first.bytes);
    if let Some(place) = others.iter().position(|second| is_beside(second) && fits(second)) {
        return Some(place);
    }
    let is_free = |byte: &ByteTerm| select.tap_of_two(byte.bytes).is_none();
    // Two instructions to bring the bytes together, two to multiply; by themselves, two more to add.
    let pays = |second: &ByteTerm| is_free(second) && first.cost + second.cost + 2 > 4;
    others.iter().position(|second| is_free(&first) && pays(second) && fits(second))
}

/// Whether two bytes times these coefficients have sums of 16 bits, whatever the bytes are.
fn never_saturates(coefficients: [i128; 2]) -> bool {
    [1, -1].iter().all(|side| coefficients.iter().map(|c| (side * c).max(0)).sum::<i128>() <= MOST)
}

/// The bytes of two terms in turn, and their coefficients. Taps lie in memory so, and are left in its order.
fn in_turn_of_bytes(
    select: &mut Select<'_, X86>,
    first: ByteTerm,
    second: Option<ByteTerm>,
) -> (Vec<VectorId>, [i128; 2]) {
    let weights = [first.coefficient, second.map_or(0, |second| second.coefficient)];
    match (select.tap_of_two(first.bytes), second) {
        (Some(tap), None) => {
            let (bytes, place) = select.around(tap, first.bytes, LaneOrder::Memory);
            (bytes, if place == 0 { weights } else { [0, weights[0]] })
        }
        (Some(tap), Some(_)) => (select.behind(tap, first.bytes, LaneOrder::Memory), weights),
        (None, _) => {
            let a = select.vectors(first.bytes);
            let b = match second {
                Some(second) => select.vectors(second.bytes),
                None => vec![select.zero(); a.len()],
            };
            let turn = a.into_iter().zip(b).flat_map(|(a, b)| select.interleave(a, b, Lane::U8, Lane::U8));
            (turn.collect(), weights)
        }
    }
}

fn add_others(select: &mut Select<'_, X86>, lane: Lane, sum: Vec<VectorId>, others: Vec<Term>) -> Vec<VectorId> {
    others.into_iter().fold(sum, |sum, term| {
        let vectors = select.vectors(term.value);
        let base = if term.is_subtracted { "sub" } else { "add" };
        select.map2(sum, vectors, |select, a, b| select.sized(base, lane, &[a, b]))
    })
}

/// A term as bytes times constants: one, or those of a sum that is multiplied by a constant.
fn byte_terms(select: &Select<'_, X86>, ty: Type, term: Term) -> Option<Vec<ByteTerm>> {
    if let Some(byte) = byte_term(select, term) {
        return Some(vec![byte]);
    }
    let (sum, factor) = select.scaled(term.value)?;
    if select.only_user(term.value).is_none() || select.only_user(sum).is_none() || !select.is_sum(sum, ty) {
        return None;
    }
    let mut parts = Vec::new();
    select.collect(ty, Term { value: sum, ..term }, &mut parts);
    let part = |part: Term| {
        let byte = byte_term(select, part)?;
        let coefficient = factor.checked_mul(byte.coefficient).filter(|c| (-128..=127).contains(c))?;
        // A share of the multiplication.
        Some(ByteTerm { coefficient, alone: None, cost: byte.cost + 1, ..byte })
    };
    parts.into_iter().map(part).collect()
}

/// A term as a byte times a constant.
fn byte_term(select: &Select<'_, X86>, term: Term) -> Option<ByteTerm> {
    let scaled = select.scaled(term.value);
    let (widened, factor) = scaled.unwrap_or((term.value, 1));
    let Op::Cast(CastMode::Value | CastMode::Wrapping, bytes) = *select.vector_op(widened)? else { return None };
    if select.body.node(bytes).ty != Type::U8 {
        return None;
    }
    let coefficient = if term.is_subtracted { -factor } else { factor };
    let is_shared = select.only_user(widened).is_none();
    let is_multiplied = scaled.is_some() && select.only_user(term.value).is_some();
    let cost = if is_shared { 0 } else { 2 } + if is_multiplied { 2 } else { 0 };
    (-128..=127).contains(&coefficient).then_some(ByteTerm { bytes, coefficient, alone: Some(term), cost })
}

/// A product of 16-bit values in 32 bits.
#[derive(Clone, Copy, Debug)]
struct Product {
    factors: [ValueId; 2],
    is_subtracted: bool,
}

/// A sum of 32 bits: products by pairs, the rest as it is.
fn words(select: &mut Select<'_, X86>, ty: Type, terms: Vec<Term>) -> Option<Vec<VectorId>> {
    let lane = Lane::of(ty);
    let (beside, terms) = match dots::sum(select, lane, terms) {
        (None, terms) => beside::sum(select, lane, terms),
        (Some(dots), terms) => (Some(dots), terms),
    };
    let (mut products, mut others) = (Vec::new(), Vec::new());
    let mut widened: [Option<(Term, Product)>; 2] = [None; 2];
    for term in terms {
        match (product_term(select, term), widened_product(select, term)) {
            (Some(product), _) => products.push(product),
            // By itself it is widened in two instructions: two of them are taken together, or none.
            (None, Some(product)) => match widened[usize::from(term.is_subtracted)].take() {
                Some((_, first)) => products.extend([first, product]),
                None => widened[usize::from(term.is_subtracted)] = Some((term, product)),
            },
            (None, None) => others.push(term),
        }
    }
    others.extend(widened.into_iter().flatten().map(|(term, _)| term));
    let mut sums: [Option<Vec<VectorId>>; 2] = [beside, None];
    for is_subtracted in [false, true] {
        let of_sign: Vec<Product> =
            products.iter().copied().filter(|product| product.is_subtracted == is_subtracted).collect();
        for pair in of_sign.chunks(2) {
            let sum = pair_of_products(select, lane, pair);
            let known = &mut sums[usize::from(is_subtracted)];
            *known = Some(match known.take() {
                None => sum,
                Some(known) => select.map2(known, sum, |select, a, b| select.op("add_epi32", lane, &[a, b])),
            });
        }
    }
    let [added, subtracted] = sums;
    let sum = match (added, subtracted) {
        (None, _) => return None,
        (Some(added), None) => added,
        (Some(added), Some(subtracted)) => {
            select.map2(added, subtracted, |select, a, b| select.op("sub_epi32", lane, &[a, b]))
        }
    };
    Some(add_others(select, lane, sum, others))
}

fn product_term(select: &Select<'_, X86>, term: Term) -> Option<Product> {
    let (x, y) = select.product(term.value)?;
    select.only_user(term.value)?;
    let factors = factors(select, x, y)?;
    Some(Product { factors, is_subtracted: term.is_subtracted })
}

/// A term as a product of 16 bits that is widened.
fn widened_product(select: &Select<'_, X86>, term: Term) -> Option<Product> {
    let (x, y) = select.widened_product(term.value, Type::I16)?;
    select.only_user(term.value)?;
    let has_words = select.body.node(x).ty.bits() == 16;
    has_words.then_some(Product { factors: [x, y], is_subtracted: term.is_subtracted })
}

/// The factors of a product, both values of i16; one that is the same for all lanes comes second.
fn factors(select: &Select<'_, X86>, x: ValueId, y: ValueId) -> Option<[ValueId; 2]> {
    if !select.are_narrow(&[x, y], Type::I16) || select.is_scalar(x) && select.is_scalar(y) {
        return None;
    }
    Some(if select.is_scalar(x) { [y, x] } else { [x, y] })
}

/// x·y + z·w, or x·y alone.
fn pair_of_products(select: &mut Select<'_, X86>, lane: Lane, pair: &[Product]) -> Vec<VectorId> {
    let (first, second) = (pair[0].factors, pair.get(1).map(|product| product.factors));
    let left = in_turn(select, first[0], second.map(|factors| factors[0]));
    let right = in_turn(select, first[1], second.map(|factors| factors[1]));
    select.map2(left, right, |select, a, b| select.op("madd_epi16", lane, &[a, b]))
}

/// The 16-bit values of two in turn; of one, and zeros.
fn in_turn(select: &mut Select<'_, X86>, first: ValueId, second: Option<ValueId>) -> Vec<VectorId> {
    let is_word = |id: ValueId| select.word(id).is_some();
    if is_word(first) && second.is_none_or(is_word) {
        let half = |id: ValueId| format!("({} as u16 as u32)", select.word(id).unwrap_or("0"));
        let text = match second {
            None => half(first),
            Some(second) => format!("({} | {} << 16)", half(first), half(second)),
        };
        let name = format!("{}_factors", select.name());
        return vec![select.splat_text(&text, Lane::U32, &name); select.count(Type::I32)];
    }
    if let (Value::Scalar(low), Some(Value::Scalar(high))) =
        (select.place(first), second.map(|second| select.place(second)))
    {
        let splat = select.target.splat(Lane::I32, Arg::Parts(vec![*low, *high]));
        return vec![select.call(Lane::I32, splat); select.count(Type::I32)];
    }
    if let (Some(a), Some(Some(b))) = (bytes_of(select, first), second.map(|second| bytes_of(select, second)))
        && select.body.node(a).ty == select.body.node(b).ty
    {
        let lane = Lane::of(select.body.node(a).ty);
        let (a, b) = (select.vectors(a), select.vectors(b));
        let pairs: Vec<VectorId> =
            a.into_iter().zip(b).flat_map(|(a, b)| select.interleave(a, b, lane, lane)).collect();
        return pairs.into_iter().flat_map(|bytes| select.widen(bytes, lane)).collect();
    }
    let a = halves(select, first);
    let b = match second {
        Some(second) => halves(select, second),
        None => vec![select.zero(); a.len()],
    };
    a.into_iter().zip(b).flat_map(|(a, b)| select.interleave(a, b, Lane::I16, Lane::I16)).collect()
}

/// The bytes that a value was widened from, in one step or two.
fn bytes_of(select: &Select<'_, X86>, id: ValueId) -> Option<ValueId> {
    let step = |id: ValueId| match select.body.node(id).op {
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => Some(inner),
        _ => None,
    };
    let are_bytes = |id: &ValueId| matches!(select.body.node(*id).ty, Type::U8 | Type::I8);
    let inner = step(id).filter(|_| select.word(id).is_none())?;
    Some(inner).filter(are_bytes).or_else(|| step(inner).filter(are_bytes))
}

/// The vectors of a value of i16, before it was widened.
fn halves(select: &mut Select<'_, X86>, id: ValueId) -> Vec<VectorId> {
    if select.body.node(id).ty.bits() == 16 {
        return select.vectors(id);
    }
    match select.body.node(id).op {
        Op::Cast(_, inner) if select.word(id).is_none() => select.vectors(inner),
        _ => vec![select.splat(id, Lane::I16); select.count(Type::I16)],
    }
}

/// A product of 16-bit values in 32 bits: by a word as a pair, of two elements by halves.
fn product(select: &mut Select<'_, X86>, a: ValueId, b: ValueId) -> Option<Vec<VectorId>> {
    let [x, y] = factors(select, a, b)?;
    let lane = Lane::I32;
    if select.word(y).is_some() {
        return Some(pair_of_products(select, lane, &[Product { factors: [x, y], is_subtracted: false }]));
    }
    let (x, y) = (halves(select, x), halves(select, y));
    let products = x.into_iter().zip(y).flat_map(|(x, y)| {
        let [low, high] = ["mullo_epi16", "mulhi_epi16"].map(|base| select.op(base, Lane::I16, &[x, y]));
        select.interleave(low, high, Lane::I16, lane)
    });
    Some(products.collect())
}

#[cfg(test)]
mod tests {
    use super::never_saturates;
    use windrow_dsl::arithmetic::{saturate, wrap};
    use windrow_dsl::ir::Type;

    /// A sum of products is least and greatest where each byte is.
    #[test]
    fn sums_of_two_byte_terms_are_those_of_maddubs() {
        let mut fitting = 0;
        for a in -128..=127 {
            for b in (-128..=127).filter(|&b| never_saturates([a, b])) {
                for (x, y) in [(0, 0), (0, 255), (255, 0), (255, 255)] {
                    assert_eq!(saturate(x * a + y * b, Type::I16), x * a + y * b, "{a} {b}");
                }
                fitting += 1;
            }
        }
        assert!(fitting > 30_000, "{fitting}");
        // A coefficient whose partner is 0 always fits.
        assert!((-128..=127).all(|a| never_saturates([a, 0])));
    }

    /// `madd` adds two products in 32 bits, where all sums but one fit; and the language's sums wrap there.
    #[test]
    fn sums_of_two_products_are_those_of_madd() {
        let (least, greatest) = Type::I16.limits();
        let edges = [least, least + 1, -1, 0, 1, greatest - 1, greatest];
        for [x, y] in edges.iter().flat_map(|&x| edges.map(|y| [x, y])) {
            for [z, w] in edges.iter().flat_map(|&z| edges.map(|w| [z, w])) {
                let wrapped = wrap(wrap(x * y, Type::I32) + wrap(z * w, Type::I32), Type::I32);
                // What the architecture says: products of 32 bits, and a sum modulo 2³².
                let instruction = (x as i32 * y as i32).wrapping_add(z as i32 * w as i32);
                assert_eq!(i128::from(instruction), wrapped);
            }
        }
    }

    /// The low and the high half of each product, interleaved.
    #[test]
    fn products_of_halves_are_whole() {
        let (least, greatest) = Type::I16.limits();
        for x in (least..=greatest).step_by(257) {
            for y in (least..=greatest).step_by(251).chain([least, greatest]) {
                let [low, high] = [wrap(x * y, Type::U16), wrap((x * y) >> 16, Type::I16)];
                assert_eq!(low | high << 16, x * y);
            }
        }
    }
}
