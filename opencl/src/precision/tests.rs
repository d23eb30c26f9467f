use super::*;
use crate::testing::recorded::{adreno, mali, nvidia};

#[test]
fn lesser_precision_is_reported_and_never_silent() {
    let on = |precision: Precision, caps, numerics| precision.on(&caps, numerics).map(|found| found.effective);
    for caps in [mali(), adreno()] {
        assert_eq!(on(Precision::F16, caps, Numerics::Strict), Ok(Some(Precision::F16)));
    }
    assert_eq!(on(Precision::F16, nvidia(), Numerics::Relaxed), Ok(Some(Precision::F16Storage)));
    let refused = Precision::F16.on(&nvidia(), Numerics::Strict).unwrap_err();
    assert_eq!(refused.to_string(), "NVIDIA H200 lacks arithmetic in half precision");
    for precision in [Precision::F32, Precision::F16Storage] {
        assert_eq!(on(precision, nvidia(), Numerics::Strict), Ok(Some(precision)));
    }
}

#[test]
fn options_and_formats_follow_what_is_in_effect() {
    let of = |effective| EffectivePrecision { requested: Precision::F16, effective };
    let options = |effective| of(effective).options().unwrap().to_string();
    assert_eq!(options(None), "");
    assert_eq!(options(Some(Precision::F32)), "");
    assert_eq!(options(Some(Precision::F16Storage)), "-DWINDROW_F16_STORAGE");
    assert_eq!(options(Some(Precision::F16)), "-DWINDROW_F16 -DWINDROW_F16_STORAGE");
    assert_eq!(of(None).format(), FloatFormat::F32);
    assert_eq!(of(Some(Precision::F16)).format(), FloatFormat::F16);
    assert_eq!(of(Some(Precision::F16Storage)).to_string(), "f16, in effect f16 storage");
    assert_eq!(of(None).to_string(), "f16, not applicable: no image holds floats");
}

#[test]
fn numerics_in_halves_are_those_of_the_devices_halves() {
    const QUOTIENT: &str = "// -cl-fp32-correctly-rounded-divide-sqrt\n#ifdef WINDROW_DIVIDE\n#endif\nfloat f;";
    let of = |caps: DeviceCaps| {
        let precision = Precision::F16.on(&caps, Numerics::Strict).unwrap();
        precision.numerics(&caps, QUOTIENT, false)
    };
    assert_eq!(of(mali()).division, crate::FloatDivision::Sequence);
    assert!(of(mali()).is_exact());
    assert_eq!(of(adreno()).lacks(), ["denormals"]);
}
