//! What a caller may do wrong.

use super::*;

/// The failure of a configuration.
#[track_caller]
fn refused(name: &CStr, call: &WindrowCall, status: WindrowStatus, text: &str) {
    let (found, said) = configure(find(name), call).expect_err("it is refused");
    assert_eq!(found, status, "{said}");
    assert!(said.contains(text), "{said}");
}

#[test]
fn null_pointers_are_refused() {
    let (op, mut plan, mut found) = (find(c"gaussian3x3"), null_mut(), null());
    // SAFETY: null, or places of this test's.
    unsafe {
        assert_eq!(windrow_operator_find(null(), &mut found), WindrowStatus::NullPointer);
        assert_eq!(said(windrow_last_error()), "`name` is null");
        assert_eq!(windrow_operator_find(c"gaussian3x3".as_ptr(), null_mut()), WindrowStatus::NullPointer);
        assert_eq!(windrow_configure(null(), &NO_CALL, &mut plan), WindrowStatus::NullPointer);
        assert_eq!(said(windrow_last_error()), "`op` is null");
        assert_eq!(windrow_configure(op, null(), &mut plan), WindrowStatus::NullPointer);
        assert_eq!(windrow_configure(op, &NO_CALL, null_mut()), WindrowStatus::NullPointer);
        assert_eq!(windrow_run(null(), null(), 0, null(), 0, 1), WindrowStatus::NullPointer);
        assert_eq!(
            windrow_tensor_dense(null_mut(), 1, 1, 2, null(), &mut WindrowTensor::NONE.clone()),
            WindrowStatus::NullPointer
        );
        let missing = WindrowCall { input_count: 1, ..NO_CALL };
        refused(c"gaussian3x3", &missing, WindrowStatus::NullPointer, "`inputs` is null");
        windrow_plan_free(null_mut());
        assert!(windrow_operator_name(null()).is_null() && windrow_plan_tier(null()).is_null());
    }
}

#[test]
fn names_that_are_none_are_refused() {
    let mut found = null();
    // SAFETY: texts, and a place of this test's.
    unsafe {
        assert_eq!(windrow_operator_find(c"gaussian".as_ptr(), &mut found), WindrowStatus::Ok);
        assert_eq!(windrow_operator_find(c"gaussian4x4".as_ptr(), &mut found), WindrowStatus::UnknownOperator);
        assert_eq!(said(windrow_last_error()), "there is no operator `gaussian4x4`");
        assert_eq!(windrow_operator_find(c"\xff".as_ptr(), &mut found), WindrowStatus::InvalidText);
        assert_eq!(windrow_operator_at(usize::MAX, &mut found), WindrowStatus::InvalidNumber);
    }
}

#[test]
fn tensors_that_cannot_be_are_refused() {
    let mut bytes = vec![0u8; 100];
    let good = dense(&mut bytes, WindrowType::U8, &[5, 10]);
    let cases = [
        (WindrowTensor { element: 77, ..good }, WindrowStatus::InvalidNumber, "`inputs[0]`: 77 is no WindrowType"),
        (WindrowTensor { element: 0, ..good }, WindrowStatus::InvalidNumber, "`inputs[0]`: 0 is no WindrowType"),
        (WindrowTensor { rank: 7, ..good }, WindrowStatus::InvalidNumber, "`inputs[0]`: the rank is 7"),
        (WindrowTensor { shape: [usize::MAX, 10, 0, 0, 0, 0], ..good }, WindrowStatus::InvalidTensor, "`inputs[0]`: "),
        (WindrowTensor { strides: [isize::MIN, 1, 0, 0, 0, 0], ..good }, WindrowStatus::InvalidTensor, "`inputs[0]`: "),
        (WindrowTensor { channels: 0, ..good }, WindrowStatus::InvalidTensor, "`inputs[0]`: "),
        (
            WindrowTensor { channels: 3, ..good },
            WindrowStatus::InvalidConfiguration,
            "`src` has 3 channels, expected 1",
        ),
        (
            WindrowTensor { element: 3, strides: [20, 2, 0, 0, 0, 0], ..good },
            WindrowStatus::InvalidConfiguration,
            "`src` holds u16",
        ),
        (WindrowTensor { shape: [5, 9, 0, 0, 0, 0], ..good }, WindrowStatus::InvalidConfiguration, "shape"),
    ];
    for (input, status, text) in cases {
        refused(c"gaussian3x3", &call(&[input], &[good], &[], &[]), status, text);
    }
    let border = WindrowBorder { mode: 6, ..REPLICATE };
    refused(
        c"gaussian3x3",
        &call(&[good], &[good], &[], &[border]),
        WindrowStatus::InvalidNumber,
        "6 is no WindrowBorderMode",
    );
    let border = WindrowBorder { mode: 1, element: 1, integer: 256, real: 0.0 };
    refused(
        c"gaussian3x3",
        &call(&[good], &[good], &[], &[border]),
        WindrowStatus::InvalidNumber,
        "256 is no value of u8",
    );
    refused(c"gaussian3x3", &call(&[], &[good], &[], &[]), WindrowStatus::InvalidConfiguration, "is 1, found 0");
}

#[test]
fn runs_that_do_not_fit_are_refused() {
    let (mut source, mut result) = (vec![0u8; 101], vec![0u8; 100]);
    let (input, output) =
        (dense(&mut source, WindrowType::U8, &[5, 20]), dense(&mut result, WindrowType::U8, &[5, 20]));
    let plan = configure(find(c"gaussian3x3"), &call(&[input], &[output], &[], &[REPLICATE])).unwrap();
    let refused = |inputs: &[WindrowTensor], outputs: &[WindrowTensor], status, text: &str| {
        assert_eq!(run(plan, inputs, outputs, 1), status);
        let said = said(windrow_last_error());
        assert!(said.contains(text), "{said}");
    };
    let null = WindrowTensor { data: null_mut(), ..input };
    refused(&[null], &[output], WindrowStatus::NullPointer, "`inputs[0]`: `data`");
    refused(&[input], &[input], WindrowStatus::InvalidRun, "shares memory");
    refused(&[input], &[], WindrowStatus::InvalidRun, "is 1, found 0");
    refused(&[input, input], &[output], WindrowStatus::InvalidRun, "is 1, found 2");
    refused(&[input], &[WindrowTensor::NONE], WindrowStatus::InvalidRun, "left out");
    let smaller = WindrowTensor { shape: [4, 20, 0, 0, 0, 0], ..input };
    refused(&[smaller], &[output], WindrowStatus::InvalidRun, "`src` has the shape 4×20");
    let other = WindrowTensor { element: WindrowType::I8 as u32, ..input };
    refused(&[other], &[output], WindrowStatus::InvalidRun, "`src` holds i8");
    let repeated = WindrowTensor { strides: [0, 1, 0, 0, 0, 0], ..output };
    refused(&[input], &[repeated], WindrowStatus::InvalidTensor, "`outputs[0]`: ");
    let away = WindrowTensor { data: std::ptr::without_provenance_mut(usize::MAX - 5), ..input };
    refused(&[away], &[output], WindrowStatus::InvalidNumber, "leaves the address space");
    let below = WindrowTensor { data: std::ptr::without_provenance_mut(5), strides: [-20, 1, 0, 0, 0, 0], ..input };
    refused(&[below], &[output], WindrowStatus::InvalidNumber, "leaves the address space");
    // SAFETY: it was configured here.
    unsafe { windrow_plan_free(plan) };

    let (mut words, mut bytes) = (vec![0i16; 60], vec![0u8; 121]);
    let add = dense(&mut words, WindrowType::I16, &[5, 10]);
    let mut misaligned = dense(&mut bytes, WindrowType::I16, &[5, 10]);
    misaligned.data = misaligned.data.wrapping_byte_add(usize::from(misaligned.data.addr() % 2 == 0));
    let policy = WindrowValue { choice: c"wrap".as_ptr(), ..value::<u8>(c"policy", WindrowType::None, &[], &[]) };
    let plan = configure(find(c"add_i16"), &call(&[add, add], &[add], &[policy], &[])).unwrap();
    assert_eq!(run(plan, &[misaligned, add], &[add], 1), WindrowStatus::InvalidTensor);
    // SAFETY: it was configured here.
    unsafe { windrow_plan_free(plan) };
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let mut bytes = vec![0u8; 50];
    let good = dense(&mut bytes, WindrowType::U8, &[5, 10]);
    let byte =
        |name, number: i32| value(name, WindrowType::I32, &[], std::slice::from_ref(Box::leak(Box::new(number))));
    let (level, above, below) = (byte(c"level", 3), byte(c"above", 255), byte(c"below", 0));
    let with = |values: &[WindrowValue], text: &str| {
        refused(c"threshold", &call(&[good], &[good], values, &[]), WindrowStatus::InvalidValue, text);
    };
    with(&[level, above], "`threshold` needs a value for `below`");
    with(&[level, above, below, byte(c"middle", 3)], "has an argument `middle`");
    with(&[byte(c"level", 256), above, below], "`level` of `threshold` is 256, expected 0 to 255");
    with(&[WindrowValue { choice: c"x".as_ptr(), ..level }, above, below], "is `x`, expected an integer from 0 to 255");
    let status = |value: WindrowValue| {
        configure(find(c"threshold"), &call(&[good], &[good], &[value, above, below], &[])).expect_err("it is refused")
    };
    assert_eq!(status(WindrowValue { name: null(), ..level }).0, WindrowStatus::NullPointer);
    assert_eq!(status(WindrowValue { data: null(), ..level }).0, WindrowStatus::NullPointer);
    assert_eq!(status(WindrowValue { rank: 5, ..level }).0, WindrowStatus::InvalidNumber);
    assert_eq!(status(WindrowValue { element: WindrowType::Bool as u32, ..level }).0, WindrowStatus::InvalidNumber);
    let huge = WindrowValue { rank: 4, extents: [u32::MAX; 4], ..level };
    assert!(status(huge).1.contains("has more than 1048576 numbers"));
    let misaligned = WindrowValue { data: level.data.wrapping_byte_add(1), ..level };
    assert!(status(misaligned).1.contains("`data` is misaligned"));
}

#[test]
fn a_family_says_what_it_has() {
    let (mut bytes, mut floats) = (vec![0u8; 50], vec![0f64; 50]);
    let good = dense(&mut bytes, WindrowType::U8, &[5, 10]);
    let none = dense(&mut floats, WindrowType::F64, &[5, 10]);
    refused(
        c"minimum",
        &call(&[none, good], &[good], &[], &[]),
        WindrowStatus::NoKernel,
        "`minimum` has no kernel for f64, u8",
    );
    let mut sized = call(&[good], &[good], &[], &[REPLICATE]);
    (sized.columns, sized.rows) = (4, 4);
    refused(c"gaussian", &sized, WindrowStatus::NoKernel, "of 4×4");
}
