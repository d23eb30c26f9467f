//! Sums of 32 bits of products of bytes: an instruction multiplies four unsigned bytes of each lane by four signed ones, and adds
//! the products to a sum. Nothing saturates, so the terms may be added in any order.

use crate::vector::pattern::Term;
use crate::vector::program::{Arg, Lane, VectorId};
use crate::vector::select::Select;
use crate::vector::target::Target;
use crate::vector::value::Value;
use crate::x86::X86;
use windrow_dsl::ir::{CastMode, Op, Type, ValueId};

/// Terms that one instruction adds.
const TOGETHER: usize = 4;

/// A signed byte of each lane, times an unsigned one that is the same for all; times one, where there is none.
#[derive(Clone, Copy, Debug)]
struct Product {
    bytes: ValueId,
    factor: Option<(ValueId, VectorId)>,
    term: Term,
}

/// The sum of the terms that can be added by fours and of one of the others, and those others that are left.
pub fn sum(select: &mut Select<'_, X86>, lane: Lane, terms: Vec<Term>) -> (Option<Vec<VectorId>>, Vec<Term>) {
    if !select.target.machine().multiplies_bytes || terms.len() < TOGETHER {
        return (None, terms);
    }
    let (mut others, mut products): (Vec<Term>, [Vec<Product>; 2]) = Default::default();
    for term in terms {
        match product(select, term) {
            Some(product) => products[usize::from(product.factor.is_some())].push(product),
            None => others.push(term),
        }
    }
    let mut fours: Vec<[Product; TOGETHER]> = Vec::new();
    for of_kind in products {
        let (whole, rest) = of_kind.as_chunks::<TOGETHER>();
        fours.extend(whole);
        others.extend(rest.iter().map(|product| product.term));
    }
    if fours.is_empty() {
        return (None, others);
    }
    let mut sum = match others.iter().position(|term| !term.is_subtracted) {
        Some(place) => {
            let term = others.remove(place);
            select.vectors(term.value)
        }
        None => vec![select.zero(); select.count(Type::I32)],
    };
    for four in fours {
        let (factors, bytes) = (factors(select, four), in_turn(select, four, lane));
        sum = select.map2(sum, bytes, |select, sum, bytes| select.op("dpbusd_epi32", lane, &[sum, factors, bytes]));
    }
    (Some(sum), others)
}

/// A term as a product of bytes, or a byte alone.
fn product(select: &Select<'_, X86>, term: Term) -> Option<Product> {
    if term.is_subtracted {
        return None;
    }
    let Some((x, y)) = select.product(term.value) else {
        let bytes = signed_bytes(select, term.value)?;
        return Some(Product { bytes, factor: None, term });
    };
    select.only_user(term.value)?;
    let (bytes, factor) = if select.is_scalar(x) { (y, x) } else { (x, y) };
    let factor = Some(unsigned_scalar(select, factor)?);
    Some(Product { bytes: signed_bytes(select, bytes)?, factor, term })
}

/// The signed bytes that a value in lanes was widened from, in two steps.
fn signed_bytes(select: &Select<'_, X86>, id: ValueId) -> Option<ValueId> {
    let step = |id: ValueId| match select.vector_op(id)? {
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => Some(*inner),
        _ => None,
    };
    let bytes = step(step(id)?)?;
    (select.body.node(bytes).ty == Type::I8).then_some(bytes)
}

/// The scalar of 8 unsigned bits that a scalar was widened from.
fn unsigned_scalar(select: &Select<'_, X86>, id: ValueId) -> Option<(ValueId, VectorId)> {
    match (select.place(id), &select.body.node(id).op) {
        (Value::Scalar(_), Op::Cast(CastMode::Value, inner)) if select.body.node(*inner).ty == Type::U8 => {
            match select.place(*inner) {
                Value::Scalar(made) => Some((*inner, *made)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The unsigned bytes of four terms in all lanes.
fn factors(select: &mut Select<'_, X86>, four: [Product; TOGETHER]) -> VectorId {
    let [Some(a), Some(b), Some(c), Some(d)] = four.map(|product| product.factor) else {
        return select.splat_text("0x0101_0101", Lane::I32, "ones");
    };
    let factors = [a, b, c, d];
    let number = match select.quad(factors.map(|(id, _)| id)) {
        Some(quad) => Arg::Scalar(String::new(), quad, String::new()),
        None => Arg::Parts(factors.map(|(_, made)| made).to_vec()),
    };
    let splat = select.target.splat(Lane::I32, number);
    select.call(Lane::I32, splat)
}

/// The signed bytes of four terms in turn.
fn in_turn(select: &mut Select<'_, X86>, four: [Product; TOGETHER], lane: Lane) -> Vec<VectorId> {
    let [a, b, c, d] = four.map(|product| select.vectors(product.bytes));
    let mut turn = Vec::with_capacity(TOGETHER * a.len());
    for (((a, b), c), d) in a.into_iter().zip(b).zip(c).zip(d) {
        let first = select.interleave(a, b, Lane::U8, Lane::U8);
        let second = select.interleave(c, d, Lane::U8, Lane::U8);
        for (first, second) in first.into_iter().zip(second) {
            turn.extend(select.interleave(first, second, Lane::U16, lane));
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use windrow_dsl::arithmetic::wrap;
    use windrow_dsl::ir::Type;

    /// Four products of bytes do not leave 32 bits, and a byte minus a number is the byte minus another one, times a weight, with the
    /// weights' multiple besides.
    #[test]
    fn sums_of_four_products_are_those_of_the_author() {
        let edges = [-128i128, -127, -1, 0, 1, 126, 127];
        for (s, w) in edges.iter().flat_map(|&s| edges.map(|w| (s, w))) {
            for (zero, before) in
                edges.iter().flat_map(|&zero| [0, i128::from(i32::MAX), i128::from(i32::MIN)].map(|b| (zero, b)))
            {
                let written = (0..4).fold(before, |sum, turn| wrap(sum + (s - zero) * (w ^ turn), Type::I32));
                let unsigned = i128::from(s as u8 ^ 128);
                let dots = (0..4).fold(before, |sum, turn| wrap(sum + unsigned * (w ^ turn), Type::I32));
                let weights: i128 = (0..4).map(|turn| w ^ turn).sum();
                assert_eq!(wrap(dots - (zero + 128) * weights, Type::I32), written, "{s} {w} {zero}");
            }
        }
    }
}
