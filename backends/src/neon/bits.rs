//! Bits that are put into a value: by a mask that a comparison gives, or from another value beside its own.

use super::Neon;
use super::fuse::exponent;
use crate::vector::bits::all;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{BinaryOp, Op, Type, ValueId};

/// A value without some bits, and these where a condition holds: of each bit, the mask's or the value's.
pub(super) fn chosen(
    select: &mut Select<'_, Neon>,
    ty: Type,
    intrinsic: &'static str,
    value: ValueId,
    chosen: ValueId,
) -> Option<Vec<VectorId>> {
    let (condition, bits) = select.chosen_bits(chosen)?;
    if !is_left_over(select, value) || select.bits(value) & bits != 0 {
        return None;
    }
    let lane = Lane::of(ty).unsigned();
    let masks = select.masks(condition, ty.bits());
    // What takes just these bits away is not needed: they are overwritten.
    let value = without_mask(select, value, all(ty) ^ bits);
    let values = select.vectors(value);
    let bits = select.splat_int(bits, lane);
    let operands = [vec![bits; masks.len()], masks, values];
    Some(select.each(intrinsic, lane, lane, &operands))
}

/// A value and another one, shifted to the left, above all of its bits.
pub(super) fn above(
    select: &mut Select<'_, Neon>,
    ty: Type,
    intrinsic: &'static str,
    value: ValueId,
    shifted: ValueId,
) -> Option<Vec<VectorId>> {
    let (other, n) = match *select.vector_op(shifted)? {
        Op::Binary(BinaryOp::Shl(_), x, n) => (x, u32::try_from(select.constant(n)?).ok()?),
        Op::Binary(op, x, factor) if op.is_product() => (x, exponent(select.constant(factor)?)?),
        _ => return None,
    };
    if !(1..ty.bits()).contains(&n) {
        return None;
    }
    beside(select, ty, (intrinsic, n), value, other, (1 << n) - 1)
}

/// A value and another one, shifted to the right, below all of its bits.
pub(super) fn below(
    select: &mut Select<'_, Neon>,
    ty: Type,
    intrinsic: &'static str,
    value: ValueId,
    shifted: ValueId,
) -> Option<Vec<VectorId>> {
    let Op::Binary(BinaryOp::Shr, other, n) = *select.vector_op(shifted)? else { return None };
    let n = u32::try_from(select.constant(n)?).ok().filter(|n| (1..ty.bits()).contains(n))?;
    if ty.is_signed() {
        return None;
    }
    beside(select, ty, (intrinsic, n), value, other, all(ty) ^ (all(ty) >> n))
}

/// The instruction that shifts `other` beside the bits of `value`, all of which are among these: it keeps no others.
fn beside(
    select: &mut Select<'_, Neon>,
    ty: Type,
    (intrinsic, n): (&'static str, u32),
    value: ValueId,
    other: ValueId,
    bits: i128,
) -> Option<Vec<VectorId>> {
    if !is_left_over(select, value) || select.bits(value) & !bits != 0 {
        return None;
    }
    let lane = Lane::of(ty).unsigned();
    let kept = match select.chosen_bits(value) {
        Some((condition, chosen)) if chosen == bits => select.masks(condition, ty.bits()),
        _ => {
            let value = without_mask(select, value, bits);
            select.vectors(value)
        }
    };
    let operands = [kept, select.vectors(other)];
    Some(select.each_with(intrinsic, lane, n, &operands))
}

/// Whether nothing else needs a value: the instruction leaves its result where it was.
fn is_left_over(select: &Select<'_, Neon>, value: ValueId) -> bool {
    !select.is_scalar(value) && select.only_user(value).is_some()
}

/// What a value is before all but these bits were taken from it.
fn without_mask(select: &Select<'_, Neon>, value: ValueId, bits: i128) -> ValueId {
    match select.vector_op(value) {
        Some(&Op::Binary(BinaryOp::And, x, mask)) => {
            let ty = select.body.node(value).ty;
            if select.constant(mask).is_some_and(|mask| mask & all(ty) == bits) { x } else { value }
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use crate::neon::TARGET;

    /// The NEON body of a kernel over bytes.
    fn body(expression: &str) -> String {
        let source = format!("#[kernel] fn k(a: u8, b: u8, c: u8) -> u8 {{ {expression} }}");
        let compiled = windrow_dsl::compile_file(&source);
        let errors: Vec<&str> = compiled.errors.iter().map(|error| error.message.as_str()).collect();
        assert!(errors.is_empty(), "{expression}: {errors:?}");
        let kernel = &compiled.kernels[0].kernel;
        (TARGET.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "f", None).unwrap().text
    }

    /// How often each of these occurs in the first of a body's steps, for one vector.
    fn counts<const N: usize>(expression: &str, names: [&str; N]) -> [usize; N] {
        let text = body(expression);
        let stores = text.matches("vst1q_u8(").count();
        names.map(|name| text.matches(name).count() / stores)
    }

    const NAMES: [&str; 5] = ["asm!(\"bit ", "vsliq_n_u8", "vsriq_n_u8", "vorrq_u8", "vbslq_u8"];

    #[test]
    fn a_bit_that_a_condition_sets_takes_one_instruction() {
        let flags = "let mut f = 0u8; if a > b { f |= 1; } if b > c { f |= 6; } if c > a { f |= 0x30; } f";
        assert_eq!(counts(flags, NAMES), [2, 0, 0, 0, 0]);
        let shifted = "(a > b) as u8 | ((b > c) as u8) << 1 | ((c > a) as u8) << 2";
        assert_eq!(counts(shifted, NAMES), [2, 0, 0, 0, 0]);
        let summed = "(a > b) as u8 + ((b > c) as u8 * 2) + ((c > a) as u8 * 4)";
        assert_eq!(counts(summed, NAMES), [2, 0, 0, 0, 0]);
        assert_eq!(counts("if a > b { c | 4 } else { c & !4 }", NAMES), [1, 0, 0, 0, 0]);
    }

    #[test]
    fn bits_that_may_be_set_already_are_kept() {
        assert_eq!(counts("if a > b { c | 4 } else { c }", NAMES), [0, 0, 0, 1, 0]);
        assert_eq!(counts("if a > b { (c & 12) | 4 } else { c & 12 }", NAMES)[0], 0);
        // A constant would have to be copied each time.
        assert_eq!(counts("(a > b) as u8 | 64", NAMES), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn bits_beside_others_are_shifted_in() {
        let census = "let m = (a > b) as u8 | (b & 2); let m = m << 1 | (b > c) as u8; m << 1 | (c > a) as u8";
        assert_eq!(counts(census, NAMES)[..2], [1, 2]);
        assert_eq!(counts("c >> 1 | if a > b { 128 } else { 0 }", NAMES), [0, 0, 1, 0, 0]);
        assert_eq!(counts("(a & 15) << 4 | b >> 4", NAMES), [0, 1, 0, 0, 0]);
        assert_eq!(counts("(a & 15) << 4 | b", NAMES), [0, 0, 0, 1, 0]);
    }
}
