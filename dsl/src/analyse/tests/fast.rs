//! What is proved about a `fast` kernel holds for what is emitted, however its floats are rounded.

use super::inputs::Inputs;
use super::random::Random;
use crate::analyse::floats;
use crate::compile_file;
use crate::interpret::stores;
use crate::ir::Overflow::Never;
use crate::ir::range::Floats;
use crate::ir::*;
use crate::optimise::prepare;

/// A float with few or with many digits, small or large.
fn float(random: &mut Random) -> f32 {
    match random.below(4) {
        0 => random.between(-300, 300) as f32,
        1 => random.between(-4000, 4000) as f32 / 64.0,
        2 => random.between(1, 1000) as f32 * f32::MIN_POSITIVE / 64.0,
        _ => Some(f32::from_bits(random.next() as u32)).filter(|value| !value.is_nan()).unwrap_or(1.0),
    }
}

fn floats_around(random: &mut Random, value: f32) -> Floats {
    let other = if random.below(2) == 0 { value } else { float(random) };
    Floats { lo: value.min(other).into(), hi: value.max(other).into(), nan: false }
}

#[test]
fn contracted_and_reciprocal_forms_lie_inside_ranges() {
    let random = &mut Random::new(47);
    for _ in 0..40_000 {
        let [a, b, c] = [(); 3].map(|()| float(random));
        let [x, y, z] = [a, b, c].map(|value| floats_around(random, value));
        let product = floats::fast(BinaryOp::Mul(Never), Type::F32, [x, y], false);
        for (form, value) in [("product", a * b), ("reverse", b * a)] {
            assert!(product.range().contains_float(value.into()), "{form}: {a:?} {b:?} {value:?} {product:?}");
        }
        let sum = floats::binary(BinaryOp::Add(Never), Type::F32, [product, z], false);
        let fused = a.mul_add(b, c);
        assert!(sum.range().contains_float(fused.into()), "{a:?} · {b:?} + {c:?}: {fused:?} {sum:?}");
        let quotient = floats::fast(BinaryOp::Div, Type::F32, [x, y], false);
        for value in [a / b, a * (1.0 / b)] {
            assert!(quotient.range().contains_float(value.into()), "{a:?} / {b:?}: {value:?} {quotient:?}");
        }
        let sum = floats::binary(BinaryOp::Add(Never), Type::F32, [quotient, z], false);
        let fused = a.mul_add(1.0 / b, c);
        assert!(sum.range().contains_float(fused.into()), "{a:?} · 1 / {b:?} + {c:?}: {fused:?} {sum:?}");
        let square = floats::fast(BinaryOp::Mul(Never), Type::F32, [x, x], true);
        let square = floats::binary(BinaryOp::Add(Never), Type::F32, [square, z], false);
        assert!(square.range().contains_float(a.mul_add(a, c).into()), "{a:?}² + {c:?}");
    }
}

/// 41 · (1 / 41) is below 1 in binary32: what the author's function never does, a reciprocal would.
#[test]
fn a_quotient_that_rounding_takes_below_its_bound_is_refused() {
    let function = "fn k(x: u8) -> u8 { let q = (x as f32).max(41.0) / 41.0; (q as i32 - 1) as u8 }";
    assert!(compile_file(&format!("#[kernel] {function}")).errors.is_empty());
    let errors = compile_file(&format!("#[kernel(fast)] {function}")).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].message.contains("(q as i32 - 1) as u8"), "{}", errors[0].message);
    assert!(errors[0].text().contains("`fast`"), "{}", errors[0].text());
}

/// Kernels that are accepted give what the author's function gives, or its neighbour, for all bytes: contracted or not.
#[test]
fn accepted_kernels_stay_in_range() {
    let functions = [
        "fn k(x: u8) -> u8 { let q = (x as f32).max(41.0) / 41.0; (q as i32 - 1).max(0) as u8 }",
        "fn k(x: u8) -> u8 { let p = x as f32 * 0.1 - 25.5; (p.max(-0.5) as i32) as u8 }",
        "fn k(x: u8) -> u8 { let p = (x as f32 * 0.3).max(0.3) - 0.25; (p as i32) as u8 }",
        "fn k(x: u8) -> u8 { let q = x as f32 / 7.0; (q * 7.0 + 0.5) as u8 }",
    ];
    for function in functions {
        let compiled = compile_file(&format!("#[kernel(fast)] {function}"));
        assert!(compiled.errors.is_empty(), "{function}: {:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        let prepared = prepare(kernel);
        for x in 0..=255 {
            let element = Tap { input: InputId(0), channel: 0, dx: 0, dy: 0 }.op();
            let inputs = Inputs { kernel, seed: 0, given: vec![(element, Constant::Int(x))] };
            let stored = |body: &Body| match stores(body, &inputs).as_deref() {
                Ok([Constant::Int(value)]) => *value,
                other => panic!("{function}, {x}: {other:?}"),
            };
            let written = stored(&kernel.bodies[0]);
            for body in [&prepared.bodies[0], &prepared.for_fused(kernel).bodies[0]] {
                assert!(written.abs_diff(stored(body)) <= 1, "{function}, {x}: {written} and {}", stored(body));
            }
        }
    }
}
