//! The interface as C calls it: results against Rust's own, and every failure by its status and its text.

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::{null, null_mut},
};

use windrow::{Border, Tensor};
use windrow_operators::{accumulate, convolve3x3, gaussian3x3, sobel3x3, table_lookup};

use crate::{describe::*, dlpack::*, plan::*, status::*, tensor::*, types::*, *};

mod bits;
mod dlpack;
mod failures;

crate::export!(registry = windrow_operators::registry());

/// A text of the library's.
fn said(text: *const c_char) -> String {
    // SAFETY: the library's texts end with a NUL, and no call fails meanwhile.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

#[track_caller]
fn ok(status: WindrowStatus) {
    assert_eq!(status, WindrowStatus::Ok, "{}", said(windrow_last_error()));
}

fn find(name: &CStr) -> *const WindrowOperator {
    let mut found = null();
    // SAFETY: a text, and a place of this function's.
    ok(unsafe { windrow_operator_find(name.as_ptr(), &mut found) });
    found
}

const NO_CALL: WindrowCall = WindrowCall {
    inputs: null(),
    input_count: 0,
    outputs: null(),
    output_count: 0,
    values: null(),
    value_count: 0,
    borders: null(),
    border_count: 0,
    output_element: 0,
    columns: 0,
    rows: 0,
};

const REPLICATE: WindrowBorder =
    WindrowBorder { mode: WindrowBorderMode::Replicate as u32, element: 0, integer: 0, real: 0.0 };

/// A call over arrays, which it borrows.
fn call(
    inputs: &[WindrowTensor],
    outputs: &[WindrowTensor],
    values: &[WindrowValue],
    borders: &[WindrowBorder],
) -> WindrowCall {
    WindrowCall {
        inputs: inputs.as_ptr(),
        input_count: inputs.len(),
        outputs: outputs.as_ptr(),
        output_count: outputs.len(),
        values: values.as_ptr(),
        value_count: values.len(),
        borders: borders.as_ptr(),
        border_count: borders.len(),
        ..NO_CALL
    }
}

/// A dense tensor over elements of this process.
fn dense<T>(elements: &mut [T], element: WindrowType, shape: &[usize]) -> WindrowTensor {
    let mut tensor = WindrowTensor::NONE;
    let data = elements.as_mut_ptr().cast::<c_void>();
    // SAFETY: as many extents as the rank says.
    ok(unsafe { windrow_tensor_dense(data, element as u32, 1, shape.len() as u32, shape.as_ptr(), &mut tensor) });
    tensor
}

fn value<T>(name: &CStr, element: WindrowType, extents: &[u32], numbers: &[T]) -> WindrowValue {
    let mut all = [0; 4];
    all[..extents.len()].copy_from_slice(extents);
    let (rank, data) = (extents.len() as u32, numbers.as_ptr().cast());
    WindrowValue { name: name.as_ptr(), choice: null(), element: element as u32, rank, extents: all, data }
}

/// Configures an operator, or its failure.
fn configure(op: *const WindrowOperator, call: &WindrowCall) -> Result<*mut WindrowPlan, (WindrowStatus, String)> {
    let mut plan = null_mut();
    // SAFETY: the arrays of the call are borrowed by the caller.
    match unsafe { windrow_configure(op, call, &mut plan) } {
        WindrowStatus::Ok => Ok(plan),
        status => {
            assert!(plan.is_null());
            Err((status, said(windrow_last_error())))
        }
    }
}

fn run(plan: *const WindrowPlan, inputs: &[WindrowTensor], outputs: &[WindrowTensor], threads: u32) -> WindrowStatus {
    // SAFETY: the tensors are over arrays that the caller borrows.
    unsafe { windrow_run(plan, inputs.as_ptr(), inputs.len(), outputs.as_ptr(), outputs.len(), threads) }
}

/// Configures and runs on one thread and on several, and frees the plan.
fn apply(name: &CStr, call: &WindrowCall, inputs: &[WindrowTensor], outputs: &[WindrowTensor]) {
    let plan = configure(find(name), call).unwrap();
    ok(run(plan, inputs, outputs, 1));
    ok(run(plan, inputs, outputs, 0));
    // SAFETY: it was configured here.
    unsafe { windrow_plan_free(plan) };
}

fn photo() -> Tensor<u8> {
    Tensor::from_fn([30, 50], |[y, x]| (x * 7 + y * 13 + (x * y) % 11) as u8).unwrap()
}

#[test]
fn a_blur_over_strided_memory_is_rusts() {
    let expected = gaussian3x3::apply(&photo(), Border::Replicate).unwrap().to_vec();
    // Rows of 64 bytes, the last row first; the result has every second byte.
    let mut source = vec![0u8; 30 * 64];
    for (y, row) in photo().to_vec().chunks(50).enumerate() {
        source[(29 - y) * 64..][..50].copy_from_slice(row);
    }
    let mut result = vec![9u8; 30 * 100];
    let mut input = dense(&mut source, WindrowType::U8, &[30, 50]);
    (input.data, input.strides) = (input.data.wrapping_byte_add(29 * 64), [-64, 1, 0, 0, 0, 0]);
    let mut output = dense(&mut result, WindrowType::U8, &[30, 50]);
    output.strides = [100, 2, 0, 0, 0, 0];
    apply(c"gaussian3x3", &call(&[input], &[output], &[], &[REPLICATE]), &[input], &[output]);
    assert_eq!(result.iter().copied().step_by(2).collect::<Vec<_>>(), expected);
    assert!(result.iter().skip(1).step_by(2).all(|&byte| byte == 9), "gaps stay as they are");
}

#[test]
fn uniforms_choose_a_member_of_a_family() {
    let mut source = photo().to_vec();
    let coefficients = [[1i16, 0, -1], [2, 0, -2], [1, 0, -1]];
    let (k, scale) =
        (value(c"k", WindrowType::I16, &[3, 3], &coefficients), value(c"scale", WindrowType::U8, &[], &[2u8]));
    let input = dense(&mut source, WindrowType::U8, &[30, 50]);
    let expected = convolve3x3::<i16>::apply(&photo(), coefficients, 2, Border::Replicate).unwrap();
    let mut result = vec![0i16; 30 * 50];
    let output = dense(&mut result, WindrowType::I16, &[30, 50]);
    apply(c"convolve", &call(&[input], &[output], &[k, scale], &[REPLICATE]), &[input], &[output]);
    assert_eq!(result, expected.to_vec());
}

#[test]
fn tables_are_copied() {
    let mut table: Vec<u8> = (0..=255u8).map(|entry| entry ^ 0x5a).collect();
    let expected =
        table_lookup::apply(&photo(), &std::array::from_fn::<u8, 256, _>(|entry| table[entry])).unwrap().to_vec();
    let (mut source, mut result) = (photo().to_vec(), vec![0u8; 30 * 50]);
    let (input, output) =
        (dense(&mut source, WindrowType::U8, &[30, 50]), dense(&mut result, WindrowType::U8, &[30, 50]));
    let lut = value(c"lut", WindrowType::U8, &[256], &table);
    let plan = configure(find(c"table_lookup"), &call(&[input], &[output], &[lut], &[])).unwrap();
    table.fill(0);
    ok(run(plan, &[input], &[output], 1));
    // SAFETY: it was configured here.
    unsafe { windrow_plan_free(plan) };
    assert_eq!(result, expected);
}

#[test]
fn an_output_may_be_left_out() {
    let (mut source, mut result) = (photo().to_vec(), vec![0i16; 30 * 50]);
    let input = dense(&mut source, WindrowType::U8, &[30, 50]);
    let outputs = [WindrowTensor::NONE, dense(&mut result, WindrowType::I16, &[30, 50])];
    apply(c"sobel3x3", &call(&[input], &outputs, &[], &[REPLICATE]), &[input], &outputs);
    let (_, expected) = sobel3x3::apply(&photo(), Border::Replicate).unwrap();
    assert_eq!(result, expected.to_vec());
}

#[test]
fn what_is_written_in_place_stands_among_the_outputs() {
    let (mut source, mut sums) = (photo().to_vec(), vec![100i16; 30 * 50]);
    let mut expected = Tensor::from_vec(sums.clone(), [30, 50]).unwrap();
    accumulate::apply(&photo(), &mut expected).unwrap();
    let (input, output) =
        (dense(&mut source, WindrowType::U8, &[30, 50]), dense(&mut sums, WindrowType::I16, &[30, 50]));
    let plan = configure(find(c"accumulate"), &call(&[input], &[output], &[], &[])).unwrap();
    ok(run(plan, &[input], &[output], 1));
    // SAFETY: it was configured here.
    unsafe { windrow_plan_free(plan) };
    assert_eq!(sums, expected.to_vec());
}

#[test]
fn several_threads_run_one_plan() {
    struct Shared(*const WindrowPlan);
    // SAFETY: as the interface promises.
    unsafe impl Sync for Shared {}
    impl Shared {
        fn plan(&self) -> *const WindrowPlan {
            self.0
        }
    }
    let expected = gaussian3x3::apply(&photo(), Border::Replicate).unwrap().to_vec();
    let mut source = photo().to_vec();
    let input = dense(&mut source, WindrowType::U8, &[30, 50]);
    let plan = configure(find(c"gaussian3x3"), &call(&[input], &[input], &[], &[REPLICATE])).unwrap();
    let shared = &Shared(plan);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (mut source, mut result) = (photo().to_vec(), vec![0u8; 30 * 50]);
                let input = dense(&mut source, WindrowType::U8, &[30, 50]);
                let output = dense(&mut result, WindrowType::U8, &[30, 50]);
                for _ in 0..50 {
                    ok(run(shared.plan(), &[input], &[output], 2));
                }
                assert_eq!(result, expected);
            });
        }
    });
    // SAFETY: it was configured here, and no thread runs it any more.
    unsafe { windrow_plan_free(plan) };
}

#[test]
fn what_outputs_would_be_is_inferred() {
    let mut source = photo().to_vec();
    let input = dense(&mut source, WindrowType::U8, &[30, 50]);
    let (mut found, mut count) = ([WindrowTensor::NONE; 2], 0);
    let call = call(&[input], &[], &[], &[REPLICATE]);
    // SAFETY: places of this function's.
    ok(unsafe { windrow_infer(find(c"sobel3x3"), &call, found.as_mut_ptr(), 2, &mut count) });
    assert_eq!(count, 2);
    for tensor in found {
        assert_eq!((tensor.element, tensor.channels, tensor.rank), (WindrowType::I16 as u32, 1, 2));
        assert_eq!((&tensor.shape[..2], &tensor.strides[..2]), (&[30, 50][..], &[100, 2][..]));
        assert!(tensor.data.is_null());
    }
}

#[test]
fn a_kernel_says_what_it_takes() {
    let op = find(c"convolve");
    // SAFETY: an operator of the library's, here and below.
    assert_eq!(unsafe { windrow_operator_kernel_count(op) }, 10);
    let mut kernel = null();
    ok(unsafe { windrow_operator_kernel(op, 0, &mut kernel) });
    assert_eq!(said(unsafe { windrow_kernel_name(kernel) }), "convolve3x3_u8");
    assert!(said(unsafe { windrow_kernel_docs(kernel) }).starts_with("3×3 coefficients"));
    assert_eq!(unsafe { windrow_kernel_argument_count(kernel) }, 4);
    let arguments: Vec<WindrowArgument> = (0..4)
        .map(|index| {
            let mut argument = std::mem::MaybeUninit::uninit();
            ok(unsafe { windrow_kernel_argument(kernel, index, argument.as_mut_ptr()) });
            unsafe { argument.assume_init() }
        })
        .collect();
    let names: Vec<String> = arguments.iter().map(|argument| said(argument.name)).collect();
    assert_eq!(names, ["src", "k", "scale", "out"]);
    let kinds: Vec<u32> = arguments.iter().map(|argument| argument.kind).collect();
    let expected = [WindrowArgumentKind::Input, WindrowArgumentKind::Uniform, WindrowArgumentKind::Uniform];
    assert_eq!(kinds[..3], expected.map(|kind| kind as u32));
    assert_eq!(kinds[3], WindrowArgumentKind::Output as u32);
    let [source, k, ..] = &arguments[..] else { panic!("there are four") };
    assert_eq!((source.left, source.right, source.top, source.bottom), (-1, 1, -1, 1));
    assert_eq!((k.rank, k.extents, k.element), (2, [3, 3, 0, 0], WindrowType::I16 as u32));
    let borders = unsafe { windrow_kernel_borders(kernel) };
    assert!(borders & 1 << WindrowBorderMode::Replicate as u32 != 0);
}

#[test]
fn every_operator_is_found_and_described() {
    let count = windrow_operator_count();
    assert!(count > 150, "{count}");
    for index in 0..count {
        let (mut op, mut same) = (null(), null());
        // SAFETY: places of this test's, and operators and kernels of the library's, here and below.
        ok(unsafe { windrow_operator_at(index, &mut op) });
        ok(unsafe { windrow_operator_find(windrow_operator_name(op), &mut same) });
        assert_eq!(op, same);
        for kernel in 0..unsafe { windrow_operator_kernel_count(op) } {
            let mut found = null();
            ok(unsafe { windrow_operator_kernel(op, kernel, &mut found) });
            for argument in 0..unsafe { windrow_kernel_argument_count(found) } {
                let mut described = std::mem::MaybeUninit::<WindrowArgument>::uninit();
                ok(unsafe { windrow_kernel_argument(found, argument, described.as_mut_ptr()) });
                let described = unsafe { described.assume_init() };
                assert!((1..=5).contains(&described.kind) && described.rank <= 4, "{described:?}");
                for value in 0..described.names {
                    assert!(!said(unsafe { windrow_kernel_variant(found, argument, value as usize) }).is_empty());
                }
                assert!(unsafe { windrow_kernel_variant(found, argument, described.names as usize) }.is_null());
            }
        }
    }
}
