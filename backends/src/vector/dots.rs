//! Sums of 32 bits of products of bytes: an instruction multiplies four bytes of each lane by four signed ones, and adds the
//! products to a sum. Nothing saturates, so the terms may be added in any order. Of which sign the other bytes are, the machine says.

use super::pattern::Term;
use super::program::{Arg, Lane, VectorId};
use super::select::Select;
use super::target::Target;
use super::value::Value;
use windrow_dsl::ir::{CastMode, Op, Type, ValueId};

/// Terms that one instruction adds.
const TOGETHER: usize = 4;

/// The least products of bytes of each lane that are worth bringing beside each other.
const WORTH: usize = 3;

/// A signed byte of each lane, and what it is multiplied by.
#[derive(Clone, Copy, Debug)]
struct Product {
    bytes: ValueId,
    factor: Factor,
    term: Term,
}

/// What a byte is multiplied by.
#[derive(Clone, Copy, Debug)]
enum Factor {
    One,
    /// A byte that is the same for all lanes.
    Scalar(ValueId, VectorId),
    /// One of each lane.
    Lanes(ValueId),
}

/// The sum of the terms that can be added by fours and of one of the others, and those others that are left.
pub fn sum<T: Target>(select: &mut Select<'_, T>, lane: Lane, terms: Vec<Term>) -> (Option<Vec<VectorId>>, Vec<Term>) {
    let Some(other) = select.target.machine().byte_factor.filter(|_| terms.len() >= WORTH) else {
        return (None, terms);
    };
    let (mut others, mut products): (Vec<Term>, [Vec<Product>; 3]) = Default::default();
    for term in terms {
        match product(select, other, term) {
            Some(product) => products[product.factor.kind()].push(product),
            None => others.push(term),
        }
    }
    let [ones, scalars, lanes] = products;
    let mut groups: Vec<Vec<Product>> = Vec::new();
    for of_kind in [ones, lanes] {
        match of_kind.len() {
            0..WORTH => others.extend(of_kind.iter().map(|product| product.term)),
            // As many in each, so that what is three by three is brought beside each other once for neighbouring sums.
            count => groups.extend(of_kind.chunks(count.div_ceil(count.div_ceil(TOGETHER))).map(<[_]>::to_vec)),
        }
    }
    let (whole, rest) = scalars.as_chunks::<TOGETHER>();
    groups.extend(whole.iter().map(|four| four.to_vec()));
    match rest.len() {
        0..WORTH => others.extend(rest.iter().map(|product| product.term)),
        _ => groups.push(rest.to_vec()),
    }
    if groups.is_empty() {
        return (None, others);
    }
    let mut sum = match others.iter().position(|term| !term.is_subtracted) {
        Some(place) => {
            let term = others.remove(place);
            select.vectors(term.value)
        }
        None => vec![T::constant(select, 0, Lane::I32); select.count(Type::I32)],
    };
    for group in groups {
        let factors = factors(select, &group, lane);
        let signed: Vec<ValueId> = group.iter().map(|product| product.bytes).collect();
        let quads = in_turn(select, &signed, lane);
        select.note_quads(&signed, &quads);
        let sums = sum.iter().zip(quads.iter().zip(factors));
        let behind: Vec<_> =
            sums.map(|(&sum, (&bytes, factors))| T::dot(select, lane, sum, [factors, bytes])).collect();
        if matches!(group[0].factor, Factor::One) {
            select.note_sums((&signed, &quads), &sum, &behind);
        }
        sum = behind;
    }
    (Some(sum), others)
}

impl Factor {
    fn kind(self) -> usize {
        match self {
            Factor::One => 0,
            Factor::Scalar(..) => 1,
            Factor::Lanes(_) => 2,
        }
    }
}

/// A term as a product of a signed byte and one of a type, or a signed byte alone.
fn product<T: Target>(select: &Select<'_, T>, other: Type, term: Term) -> Option<Product> {
    if term.is_subtracted {
        return None;
    }
    // A product of bytes that 16 bits hold is widened behind.
    let whole = match select.vector_op(term.value)? {
        Op::Cast(CastMode::Value, inner) if select.product(*inner).is_some() => *inner,
        _ => term.value,
    };
    let Some((x, y)) = select.product(whole) else {
        let bytes = bytes(select, term.value, Type::I8)?;
        return Some(Product { bytes, factor: Factor::One, term });
    };
    select.only_user(term.value)?;
    if select.is_scalar(x) || select.is_scalar(y) {
        let (lanes, factor) = if select.is_scalar(x) { (y, x) } else { (x, y) };
        let (id, made) = byte_scalar(select, other, factor)?;
        return Some(Product { bytes: bytes(select, lanes, Type::I8)?, factor: Factor::Scalar(id, made), term });
    }
    let [signed, factor] = [[x, y], [y, x]]
        .into_iter()
        .find_map(|[signed, factor]| Some([bytes(select, signed, Type::I8)?, bytes(select, factor, other)?]))?;
    Some(Product { bytes: signed, factor: Factor::Lanes(factor), term })
}

/// The bytes of a type that a value in lanes was widened from.
fn bytes<T: Target>(select: &Select<'_, T>, id: ValueId, ty: Type) -> Option<ValueId> {
    let mut inner = id;
    while select.body.node(inner).ty.bits() > 8 {
        match select.vector_op(inner)? {
            Op::Cast(CastMode::Value | CastMode::Wrapping, widened) => inner = *widened,
            _ => return None,
        }
    }
    (select.body.node(inner).ty == ty).then_some(inner)
}

/// The scalar byte of a type that a scalar was widened from.
fn byte_scalar<T: Target>(select: &Select<'_, T>, ty: Type, id: ValueId) -> Option<(ValueId, VectorId)> {
    match (select.place(id), &select.body.node(id).op) {
        (Value::Scalar(_), Op::Cast(CastMode::Value, inner)) if select.body.node(*inner).ty == ty => {
            match select.place(*inner) {
                Value::Scalar(made) => Some((*inner, *made)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What the bytes of a group are multiplied by, for each vector of a sum.
fn factors<T: Target>(select: &mut Select<'_, T>, group: &[Product], lane: Lane) -> Vec<VectorId> {
    let count = select.count(Type::I32);
    let scalars: Option<Vec<(ValueId, VectorId)>> = group
        .iter()
        .map(|product| match product.factor {
            Factor::Scalar(id, made) => Some((id, made)),
            _ => None,
        })
        .collect();
    let lanes: Option<Vec<ValueId>> = group
        .iter()
        .map(|product| match product.factor {
            Factor::Lanes(id) => Some(id),
            _ => None,
        })
        .collect();
    if let Some(lanes) = lanes {
        return in_turn(select, &lanes, lane);
    }
    let Some(scalars) = scalars else {
        return vec![select.splat_text("0x0101_0101", Lane::I32, "ones"); count];
    };
    let quad = match scalars.as_slice() {
        &[a, b, c, d] => select.quad([a, b, c, d].map(|(id, _)| id)),
        _ => None,
    };
    let number = match quad {
        Some(quad) => Arg::Scalar(String::new(), quad, String::new()),
        None => Arg::Parts(scalars.iter().map(|(_, made)| *made).collect()),
    };
    let splat = select.target.splat(Lane::I32, number);
    vec![select.call(Lane::I32, splat); count]
}

/// The bytes of up to four values in turn; zeros stand for those that are missing.
fn in_turn<T: Target>(select: &mut Select<'_, T>, values: &[ValueId], lane: Lane) -> Vec<VectorId> {
    let count = select.count(Type::I8);
    let [a, b, c, d] = [0, 1, 2, 3].map(|place| match values.get(place) {
        Some(&value) => select.vectors(value),
        None => vec![T::constant(select, 0, Lane::I32); count],
    });
    let mut turn = Vec::with_capacity(TOGETHER * count);
    for (((a, b), c), d) in a.into_iter().zip(b).zip(c).zip(d) {
        let first = T::interleave(select, [a, b], Lane::U8, Lane::U8);
        let second = T::interleave(select, [c, d], Lane::U8, Lane::U8);
        for (first, second) in first.into_iter().zip(second) {
            turn.extend(T::interleave(select, [first, second], Lane::U16, lane));
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
