use super::*;
use crate::testing::recorded::{adreno, mali, nvidia};

const INTEGERS: &str = "// a float in a comment\n__kernel void k(__global int *a) { a[0] = a[1] / 3; }";
const SUM: &str = "__kernel void k(__global float *a) { a[0] = a[1] + 3.0f; }";
const QUOTIENT: &str =
    "// -cl-fp32-correctly-rounded-divide-sqrt\n__kernel void k(__global float *a) { a[0] = a[1] / 3.0f; }";
const SEQUENCE: &str = "// -cl-fp32-correctly-rounded-divide-sqrt\n#ifdef WINDROW_DIVIDE\n#endif\nfloat f;";

fn of(caps: DeviceCaps, source: &str) -> EffectiveNumerics {
    EffectiveNumerics::of(&caps, source, false)
}

#[test]
fn integers_are_exact_everywhere() {
    const ROOT: &str = "uint root = min(convert_uint(sqrt(convert_float(a))), 65535u); // estimate\nisqrt_u32(a);";
    for caps in [mali(), adreno(), nvidia()] {
        for source in [INTEGERS, ROOT] {
            let numerics = of(caps.clone(), source);
            assert!(numerics.is_exact() && numerics.division == FloatDivision::Unused, "{source}");
        }
    }
}

#[test]
fn each_device_takes_the_flag_the_sequence_or_neither() {
    let division = |caps, source| of(caps, source).division;
    assert_eq!(division(nvidia(), QUOTIENT), FloatDivision::Flag);
    assert_eq!(division(mali(), QUOTIENT), FloatDivision::Device);
    assert_eq!(division(mali(), SEQUENCE), FloatDivision::Sequence);
    // Without denormals the sequence itself would be rounded wrongly.
    assert_eq!(division(adreno(), SEQUENCE), FloatDivision::Device);
    assert_eq!(division(adreno(), SUM), FloatDivision::Unused);
}

#[test]
fn halves_are_divided_in_floats() {
    let of = |caps: &DeviceCaps, source| EffectiveNumerics::in_halves(caps, source, false);
    for caps in [mali(), adreno()] {
        assert_eq!(of(&caps, SEQUENCE).division, FloatDivision::Sequence);
        assert_eq!(of(&caps, QUOTIENT).division, FloatDivision::Device);
        assert_eq!(of(&caps, SUM).division, FloatDivision::Unused);
        let flagged = DeviceCaps { floats: FloatSupport::IEEE, ..caps };
        assert_eq!(of(&flagged, SEQUENCE).division, FloatDivision::Flag);
    }
    // What else a half keeps is the device's answer for halves, whatever its floats are.
    let truncates = FloatSupport { rounds_to_nearest: false, infinities_and_nans: false, ..FloatSupport::IEEE };
    let caps = DeviceCaps { half: Some(truncates), floats: FloatSupport::IEEE, ..mali() };
    assert_eq!(of(&caps, SEQUENCE).lacks(), ["infinities and NaNs", "rounding to nearest"]);
    assert_eq!(of(&adreno(), SEQUENCE).lacks(), ["denormals"]);
    assert!(of(&mali(), SEQUENCE).is_exact() && !EffectiveNumerics::in_halves(&mali(), SUM, true).is_exact());
    assert_eq!(of(&nvidia(), SUM).lacks().len(), 3);
}

#[test]
fn what_nothing_helps_is_refused_or_reported() {
    assert!(of(nvidia(), QUOTIENT).is_exact() && of(mali(), SUM).is_exact() && of(mali(), SEQUENCE).is_exact());
    assert_eq!(of(mali(), QUOTIENT).lacks(), ["correctly rounded division"]);
    assert_eq!(of(adreno(), SUM).lacks(), ["denormals"]);
    assert_eq!(of(adreno(), QUOTIENT).lacks(), ["denormals", "correctly rounded division"]);
    let strict = of(adreno(), SUM).check(Numerics::Strict, "Adreno", "k");
    assert!(matches!(strict, Err(BuildError::Inexact { .. })));
    assert_eq!(of(adreno(), SUM).check(Numerics::Relaxed, "Adreno", "k"), Ok(()));
    assert_eq!(EffectiveNumerics::of(&nvidia(), SUM, true).lacks(), ["denormals"]);
}
