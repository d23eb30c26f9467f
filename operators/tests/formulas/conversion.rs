//! Conversions of all pairs of types.

use windrow::{Element, ElementType, Tensor, View, family::AnyTensor, language::f16, prelude::Rounding};
use windrow_operators::{families::CONVERT, *};

use crate::Random;

/// The corners of every type, and what lies near them.
fn corners<T: TryFrom<i64>>() -> Vec<T> {
    let near = [0i64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, i64::from(i32::MAX), 1 << 31, (1 << 24) + 1];
    let numbers = near.iter().flat_map(|n| [n - 1, *n, n + 1, -n - 1, -n, 1 - n]);
    let mut random = Random::new(1);
    let more: Vec<i64> = (0..200).map(|_| i64::from(random.any_i32())).collect();
    numbers.chain(more).filter_map(|n| T::try_from(n).ok()).collect()
}

/// Calls the conversion of a pair of types, with the arguments that it may have.
fn convert<T: Element>(values: &[T], to: ElementType, shift: u32, policy: &'static str) -> AnyTensor {
    let image = View::from_slice(values, [1, values.len()]).unwrap();
    let call = CONVERT.call().image(image).output(to).set("shift", shift).set("policy", policy);
    call.set("rounding", "TowardZero").apply().unwrap().remove(0)
}

#[test]
fn every_pair_of_integers() {
    macro_rules! pairs {
        ($from:ident: $($to:ident $element:ident)*) => {$(
            let values = corners::<$from>();
            for (policy, shift) in [("wrap", 0), ("saturate", 0), ("wrap", 3), ("saturate", 7)] {
                let found = convert(&values, ElementType::$element, shift, policy).to_tensor::<$to>().unwrap().to_vec();
                let widens = size_of::<$to>() > size_of::<$from>() && (<$to>::MIN != 0 || <$from>::MIN == 0);
                for (value, found) in values.iter().zip(found) {
                    let exact = if widens { i64::from(*value) << shift } else { i64::from(*value) >> shift };
                    let saturated = exact.clamp(i64::from(<$to>::MIN), i64::from(<$to>::MAX)) as $to;
                    let expected = if policy == "wrap" { exact as $to } else { saturated };
                    assert_eq!(found, expected, "{value} of {} as {}", stringify!($from), stringify!($to));
                }
            }
        )*};
    }
    pairs! { u8: i8 I8 u16 U16 i16 I16 i32 I32 }
    pairs! { i8: u8 U8 u16 U16 i16 I16 i32 I32 }
    pairs! { u16: u8 U8 i8 I8 i16 I16 i32 I32 }
    pairs! { i16: u8 U8 i8 I8 u16 U16 i32 I32 }
    pairs! { i32: u8 U8 i8 I8 u16 U16 i16 I16 }
}

#[test]
fn every_integer_and_floats() {
    let floats =
        [0.0f32, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 254.5, 255.5, 1e10, -1e10, f32::NAN, f32::INFINITY];
    macro_rules! types {
        ($($ty:ident)*) => {$(
            let values = corners::<$ty>();
            let image = View::from_slice(&values, [1, values.len()]).unwrap();
            let found: Tensor<f32> = to_float::<$ty>::apply(image).unwrap();
            assert_eq!(found.to_vec(), values.iter().map(|value| *value as f32).collect::<Vec<_>>());
            assert_eq!(convert(&values, ElementType::F32, 0, "wrap").to_tensor::<f32>().unwrap().to_vec(), found.to_vec());
            let image = View::from_slice(&floats, [1, floats.len()]).unwrap();
            let found: Tensor<$ty> = from_float::<$ty>::apply(image, Rounding::TowardZero).unwrap();
            assert_eq!(found.to_vec(), floats.map(|value| value as $ty));
            let found: Tensor<$ty> = from_float::<$ty>::apply(image, Rounding::NearestEven).unwrap();
            assert_eq!(found.to_vec(), floats.map(|value| value.round_ties_even() as $ty));
        )*};
    }
    types! { u8 i8 u16 i16 i32 }
}

#[test]
fn every_half_is_exact_and_comes_back() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let floats: Tensor<f32> = from_half::apply(View::from_slice(&halves, [256, 256]).unwrap()).unwrap();
    let back: Tensor<f16> = to_half::apply(&floats).unwrap();
    for ((half, float), back) in halves.iter().zip(floats.to_vec()).zip(back.to_vec()) {
        assert!(float == half.to_f32() || float.is_nan() && half.is_nan());
        assert!(back.to_bits() == half.to_bits() || back.is_nan() && half.is_nan());
    }
    let floats = [65519.0f32, 65520.0, 2049.0, 2051.0, 6e-8, 2.9e-8, -0.0, 1e-40];
    let found: Tensor<f16> = to_half::apply(&Tensor::from_vec(floats.to_vec(), [1, 8]).unwrap()).unwrap();
    assert_eq!(found.to_vec(), [65504.0, f32::INFINITY, 2048.0, 2052.0, 6e-8, 0.0, -0.0, 0.0].map(f16::from_f32));
}

#[test]
fn bytes_of_either_sign_are_128_apart() {
    let bytes: Vec<u8> = (0..=255).collect();
    let signed = to_signed::apply(&Tensor::from_vec(bytes.clone(), [1, 256]).unwrap()).unwrap();
    assert_eq!(signed.to_vec(), (-128..=127).collect::<Vec<i8>>());
    assert_eq!(to_unsigned::apply(&signed).unwrap().to_vec(), bytes);
    let products = multiply_bytes::<i8>::apply(&signed, &signed, [-128, 3]).unwrap();
    assert_eq!(products.to_vec(), (-128..=127).map(|x| (x + 128) * (x - 3)).collect::<Vec<i32>>());
}

#[test]
fn a_range_has_0_in_it_and_255_steps() {
    let (least, greatest) = ([-1.0f32, 2.0, -3.0, 0.0], [1.55f32, 4.0, -1.0, 0.0]);
    let row = |elements: &[f32]| Tensor::from_vec(elements.to_vec(), [1, 4]).unwrap();
    let scales = dynamic_scale::apply(&row(&least), &row(&greatest)).unwrap();
    assert_eq!(scales.to_vec(), [2.55f32 / 255.0, 4.0 / 255.0, 3.0 / 255.0, 1.0]);
    let zeros = dynamic_zero::apply(&row(&least), &scales).unwrap();
    assert_eq!(zeros.to_vec(), [-28, -128, 127, -128]);
}
