//! Every row of the tables that join several nodes computes the bits of its tree: for all operands of 8 bits, and for a sample
//! of wider ones that holds the edges of their types.

use super::fuse::{FUSED, FusedRow, How, NARROW, NarrowRow, Operands, Root, Wide};
use super::text::INSERTED;
use crate::vector::bits::all;
use windrow_dsl::arithmetic::{binary, cast, saturate, wrap};
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Type};

/// All values of 8 bits; of wider types the edges, powers of two with their neighbours, and a sample.
fn values(ty: Type) -> Vec<i128> {
    let (least, greatest) = ty.limits();
    if ty.bits() == 8 {
        return (least..=greatest).collect();
    }
    let powers = (0..ty.bits()).flat_map(|bit| [-1, 0, 1].map(|by| (1i128 << bit) + by));
    let mut list: Vec<i128> = powers.flat_map(|value| [value, -value]).chain([least, greatest]).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..60 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.push(wrap((state >> 20) as i128, ty));
    }
    list.retain(|value| (least..=greatest).contains(value));
    list.sort_unstable();
    list.dedup();
    list
}

/// What the language says of an operation.
fn of(op: BinaryOp, ty: Type, a: i128, b: i128) -> i128 {
    match binary(op, ty, Constant::Int(a), Constant::Int(b)) {
        Some(Constant::Int(value)) => value,
        other => panic!("{op:?} of {a} and {b}: {other:?}"),
    }
}

/// The integers of half the width, and whether there are any.
fn half(ty: Type) -> Option<Type> {
    Type::of(ty.kind(), ty.bits() / 2)
}

/// What the architecture says of an instruction: exactly, before the result is cut to its lane. The sum is `s`, the other
/// operands are `x` and `y`, the constant is `n`; in `narrow`, what narrows has its result.
fn instruction(intrinsic: &str, narrow: Type, [s, x, y]: [i128; 3], n: u32) -> i128 {
    let rounded = (x + (1 << n >> 1)) >> n;
    match intrinsic {
        "vaddl" => x + y,
        "vsubl" => x - y,
        "vmull" => x * y,
        "vshll" => x << n,
        "vmlal" | "vmlaq" => s + x * y,
        "vmlsl" | "vmlsq" => s - x * y,
        "vabal" | "vabaq" => s + (x - y).abs(),
        "vaddw" => s + y,
        "vsubw" => s - y,
        "vsraq" => s + (x >> n),
        // Where the bits are set it is the mask's, elsewhere the value's.
        INSERTED => x & -y | s & !x,
        "vsliq" => x << n | s & ((1 << n) - 1),
        "vsriq" => {
            let all = all(narrow);
            (x & all) >> n | s & (all ^ (all >> n))
        }
        "vhaddq" => (x + y) >> 1,
        "vrhaddq" => (x + y + 1) >> 1,
        // The odd ones of the lanes of half the width.
        "vuzp2q" => x >> narrow.bits(),
        "vshrn" => x >> n,
        "vrshrn" => rounded,
        "vqshrn" | "vqshrun" => saturate(x >> n, narrow),
        "vqrshrn" | "vqrshrun" => saturate(rounded, narrow),
        other => panic!("{other} has no meaning here"),
    }
}

/// What the tree of a row says in lanes of `ty`, whose widened operands are of `from`.
fn tree(row: &FusedRow, ty: Type, from: Type, [s, x, y]: [i128; 3], n: u32) -> i128 {
    let root = match row.root {
        Root::Sum => BinaryOp::Add(Wrap),
        Root::Difference => BinaryOp::Sub(Wrap),
        Root::Product => BinaryOp::Mul(Wrap),
        Root::ShiftLeft => BinaryOp::Shl(Wrap),
        Root::Union => BinaryOp::Or,
    };
    let [left, right] = match row.operands {
        Operands::Long => [x, y],
        Operands::Wide => [s, y],
        Operands::LongConstant => [x, n.into()],
        Operands::LongPower => [x, 1 << n],
        Operands::LongProduct | Operands::WithProduct => [s, of(BinaryOp::Mul(Wrap), ty, x, y)],
        // A distance is unsigned, and widened so.
        Operands::LongDistance => [s, wrap(of(BinaryOp::AbsDiff, from, x, y), from.unsigned())],
        Operands::WithDistance => [s, of(BinaryOp::AbsDiff, ty, x, y)],
        Operands::WithShifted | Operands::WithBitsBelow => [s, of(BinaryOp::Shr, ty, x, n.into())],
        Operands::WithChosenBits => [s, if y == 1 { x } else { 0 }],
        Operands::WithBitsAbove => [s, of(BinaryOp::Shl(Wrap), ty, x, n.into())],
    };
    of(root, ty, wrap(left, ty), if row.operands == Operands::LongConstant { right } else { wrap(right, ty) })
}

/// Whether a row reads values of half the width.
fn is_long(operands: Operands) -> bool {
    use Operands::*;
    matches!(operands, Long | Wide | LongProduct | LongDistance | LongConstant | LongPower)
}

/// The bits that the sum of a row may have: of rows that put bits into it, all others.
fn own_bits(operands: Operands, ty: Type, x: i128, n: u32) -> i128 {
    match operands {
        Operands::WithChosenBits => !x,
        Operands::WithBitsAbove => (1 << n) - 1,
        Operands::WithBitsBelow => all(ty) ^ (all(ty) >> n),
        _ => -1,
    }
}

#[test]
fn every_fused_row_is_its_tree() {
    for row in FUSED {
        let mut proved = 0;
        for ty in Type::ALL.iter().copied().filter(|ty| ty.is_integer()) {
            let is_long = is_long(row.operands);
            // What is not long has no lanes of 64 bits.
            let Some(from) = (if is_long { half(ty) } else { Some(ty).filter(|ty| ty.bits() < 64) }) else { continue };
            let sums = [0, ty.limits().0, ty.limits().1 / 3];
            // What shifts to the right keeps no sign.
            if row.operands == Operands::WithBitsBelow && ty.is_signed() {
                continue;
            }
            let has_sum = !matches!(row.operands, Operands::Long | Operands::LongConstant | Operands::LongPower);
            let sums = if has_sum { &sums } else { &sums[..1] };
            let amounts = match row.operands {
                Operands::LongConstant | Operands::LongPower => 1..from.bits(),
                Operands::WithShifted | Operands::WithBitsAbove | Operands::WithBitsBelow => 1..ty.bits(),
                _ => 0..1,
            };
            let (operands, mut cases) = (values(from), Vec::new());
            for &x in &operands {
                for n in amounts.clone() {
                    let seconds = match row.operands {
                        Operands::WithChosenBits => &[0, 1][..],
                        _ if amounts.len() > 1 => &[0][..],
                        _ => operands.as_slice(),
                    };
                    cases.extend(seconds.iter().map(|&y| (x, y, n)));
                }
            }
            for (x, y, n) in cases {
                for &s in sums {
                    let s = wrap(s & own_bits(row.operands, ty, x, n), ty);
                    let found = wrap(instruction(row.intrinsic, ty, [s, x, y], n), ty);
                    assert_eq!(found, tree(row, ty, from, [s, x, y], n), "{row:?} {ty:?} {s} {x} {y} {n}");
                    proved += 1;
                }
            }
        }
        assert!(proved > 500, "{row:?}: {proved}");
    }
}

#[test]
fn every_narrowing_row_is_its_tree() {
    for row in NARROW {
        let mut proved = 0;
        for wide in [Type::U16, Type::I16, Type::U32, Type::I32] {
            proved += narrowed(row, wide);
        }
        assert!(proved > 500, "{row:?}: {proved}");
    }
}

/// Proves a row for values of a type; how many.
fn narrowed(row: &NarrowRow, wide: Type) -> u32 {
    let Some(own) = half(wide) else { return 0 };
    let (narrow, modes): (Type, &[CastMode]) = match row.how {
        How::Any => (own, &[CastMode::Wrapping, CastMode::Saturating]),
        How::Wraps => (own, &[CastMode::Wrapping]),
        How::Saturates => (own, &[CastMode::Saturating]),
        How::DropsSign if wide.is_signed() => (own.unsigned(), &[CastMode::Saturating]),
        How::DropsSign => return 0,
    };
    let amounts = match row.wide {
        Wide::Shifted => 1..=narrow.bits(),
        Wide::Upper => narrow.bits()..=narrow.bits(),
        Wide::Sum => 1..=1,
    };
    let (firsts, seconds) = match row.wide {
        Wide::Sum => (values(narrow), values(narrow)),
        Wide::Shifted | Wide::Upper => (values(wide), vec![0]),
    };
    let mut proved = 0;
    for &x in &firsts {
        for &y in &seconds {
            for n in amounts.clone() {
                let value = of(row.op, wide, of(BinaryOp::Add(Wrap), wide, x, y), n.into());
                for &mode in modes {
                    let expected = cast(mode, narrow, Constant::Int(value));
                    let found = wrap(instruction(row.intrinsic, narrow, [0, x, y], n), narrow);
                    assert_eq!(Some(Constant::Int(found)), expected, "{row:?} {wide:?} {x} {y} {n}");
                    proved += 1;
                }
            }
        }
    }
    proved
}
