//! Whatever a caller gets wrong is an error that names the argument and the rule.

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, InvalidConfiguration, Kernel, KernelSpec, RunError, Scalar, Serial, Tensor,
    TensorInfo, View, ViewMut, configure, infer,
    quantization::Quantization,
    spec::{ArgumentKind, ArgumentSpec, Relation, RequireSpec, RequireTerm, UniformSpec, WordCount},
    validate,
    validate::Request,
};

fn u8s(extents: &[usize]) -> TensorInfo {
    TensorInfo::new(ElementType::U8, 1, extents).unwrap()
}

fn message(error: impl std::error::Error) -> String {
    error.to_string()
}

type Difference = AbsDiff<8, 1>;

fn abs_diff(a: &TensorInfo, b: &TensorInfo, out: Option<&TensorInfo>) -> Result<(), String> {
    let spec = Difference::CODE.spec();
    validate(spec, &request(&[a, b], &[out], Border::Undefined)).map(drop).map_err(message)
}

#[test]
fn images_that_do_not_fit_are_named() {
    let (five, four) = (u8s(&[5, 5]), u8s(&[4, 5]));
    let wide = TensorInfo::new(ElementType::I16, 1, &[5, 5]).unwrap();
    let pixels = TensorInfo::new(ElementType::U8, 3, &[5, 5]).unwrap();
    assert_eq!(abs_diff(&five, &five, Some(&five)), Ok(()));
    let refused = |result: Result<(), String>, expect: &str| assert_eq!(result, Err(expect.into()));
    refused(abs_diff(&five, &four, Some(&five)), "`b` has the shape 4×5, expected 5×5");
    refused(abs_diff(&five, &five, Some(&four)), "`out` has the shape 4×5, expected 5×5");
    refused(abs_diff(&wide, &five, Some(&five)), "`a` holds i16, expected u8");
    refused(abs_diff(&five, &five, Some(&pixels)), "`out` has 3 channels, expected 1");
    refused(abs_diff(&u8s(&[5, 0]), &five, Some(&five)), "`a` is empty: its shape is 5×0");
    refused(abs_diff(&five, &five, None), "the output `out` may not be left out");
    // Tensors of these types exist, and kernels don't take them.
    let doubles = TensorInfo::of::<f64>(&[5, 5]).unwrap();
    let flags = TensorInfo::of::<bool>(&[5, 5]).unwrap();
    refused(abs_diff(&doubles, &five, Some(&five)), "`a` holds f64, expected u8");
    refused(abs_diff(&five, &five, Some(&flags)), "`out` holds bool, expected u8");
    let volume = u8s(&[2, 5, 5]);
    refused(abs_diff(&five, &five, Some(&volume)), "`out` has the shape 2×5×5, expected 5×5");
}

/// No kernel reads scale and offset: a run would compute on the integers as if they were the values.
#[test]
fn a_quantized_image_is_refused() {
    let plain = u8s(&[5, 5]);
    let quantized = plain.with_quantization(Quantization::new(0.5, 128).unwrap());
    let refused = |result: Result<(), String>, argument: &str| {
        let rule = "is quantized (scale 0.5, offset 128), which the kernel does not read: give it without, and say what the \
                    output means";
        assert_eq!(result, Err(format!("`{argument}` {rule}")));
    };
    refused(abs_diff(&quantized, &plain, Some(&plain)), "a");
    refused(abs_diff(&plain, &quantized, Some(&plain)), "b");
    refused(abs_diff(&plain, &plain, Some(&quantized)), "out");
    refused(
        infer(Difference::CODE.spec(), &[&plain, &quantized], BorderMode::Undefined).map(drop).map_err(message),
        "b",
    );
    // Those of a run are asked too.
    let configured = configure::<Difference>(&request(&[&plain; 2], &[Some(&plain)], Border::Undefined)).unwrap();
    let (src, mut out) = ([3; 25], [0; 25]);
    let of = |info| View::<u8>::import(&src, info).unwrap();
    let mut run = |a, b| configured.run(&Serial, (of(a), of(b)), ViewMut::import(&mut out, plain).unwrap());
    assert_eq!(run(plain, plain), Ok(()));
    assert!(run(plain, quantized).map_err(message).unwrap_err().starts_with("`b` is quantized"));
    // The integers themselves may be asked for.
    assert_eq!(run(quantized.without_quantization(), plain), Ok(()));
    assert_eq!(of(quantized).without_quantization().info(), &plain);
}

#[test]
fn counts_that_do_not_fit_are_named() {
    let (spec, image) = (Difference::CODE.spec(), u8s(&[5, 5]));
    let check = |inputs: &[&TensorInfo], outputs: &[Option<&TensorInfo>]| {
        validate(spec, &request(inputs, outputs, Border::Undefined)).map(drop).map_err(message)
    };
    let refused = |result: Result<(), String>, expect: &str| assert_eq!(result, Err(expect.into()));
    refused(check(&[&image], &[Some(&image)]), "the number of images that `abs_diff` reads is 2, found 1");
    refused(check(&[&image; 2], &[Some(&image); 3]), "the number of images that `abs_diff` writes is 1, found 3");
    let mut with = request(&[], &[], Border::Undefined);
    let (inputs, outputs) = ([&image; 2], [Some(&image)]);
    (with.inputs, with.outputs) = (&inputs, &outputs);
    refused(
        validate(spec, &Request { words: &[1], ..with }).map(drop).map_err(message),
        "the uniforms of `abs_diff` take 0 words, found 1",
    );
    refused(
        validate(spec, &Request { choice: &[0], ..with }).map(drop).map_err(message),
        "`abs_diff` has 0 variants to choose, found 1",
    );
}

#[test]
fn borders_that_do_not_fit_are_named() {
    let image = u8s(&[5, 5]);
    let result = validate(Difference::CODE.spec(), &request(&[&image; 2], &[Some(&image)], Border::Wrap));
    assert_eq!(message(result.unwrap_err()), "`abs_diff` does not offer the border mode wrap, it offers undefined");
    let out = TensorInfo::new(ElementType::I32, 1, &[5, 5]).unwrap();
    let spec = Weighted::<8, 4, 0>::CODE.spec();
    let result = validate(spec, &request(&[&image], &[Some(&out)], Border::Constant(Scalar::I16(-1))));
    assert_eq!(message(result.unwrap_err()), "`src` holds u8, which cannot represent the border constant -1");
}

#[test]
fn strided_shapes_round_up() {
    let spec = Weighted::<1, 1, 3>::CODE.spec();
    for (input, expect) in [([4, 5], [2, 3]), ([3, 6], [2, 3]), ([1, 1], [1, 1])] {
        let inferred = infer(spec, &[&u8s(&input)], BorderMode::Replicate).unwrap();
        assert_eq!(inferred.shape(), expect);
        assert_eq!(inferred.output(0).unwrap().dtype(), ElementType::I32);
        assert_eq!(inferred.output(1), None);
    }
    let out = TensorInfo::new(ElementType::I32, 1, &[2, 2]).unwrap();
    let result = validate(spec, &request(&[&u8s(&[4, 5])], &[Some(&out)], Border::Wrap));
    assert_eq!(message(result.unwrap_err()), "`out` has the shape 2×2, expected 2×3");
}

#[test]
fn the_valid_region_under_an_undefined_border_is_what_can_be_computed() {
    let region = |extents: [usize; 2], kind: &'static KernelSpec| {
        infer(kind, &[&u8s(&extents)], BorderMode::Undefined).unwrap().valid_region().plane()
    };
    let rect = windrow_runtime::Rect::new;
    assert_eq!(region([5, 7], Weighted::<1, 1, 0>::CODE.spec()), rect(1, 1, 6, 4));
    assert_eq!(region([5, 2], Weighted::<1, 1, 0>::CODE.spec()), rect(0, 0, 0, 0));
    assert_eq!(region([6, 7], Weighted::<1, 1, 1>::CODE.spec()), rect(3, 0, 6, 4));
    // Stride 2, −2..=2: output x reads 2x − 2 ..= 2x + 2 of 9 columns and 8 rows.
    assert_eq!(region([8, 9], Weighted::<1, 1, 3>::CODE.spec()), rect(1, 1, 4, 3));
}

static WEIGHED: KernelSpec = KernelSpec {
    words: WordCount { uniforms: 5, derived: 0 },
    requires: &[RequireSpec {
        text: "lower <= upper",
        left: RequireTerm::Uniform("lower"),
        relation: Relation::LessEqual,
        right: RequireTerm::Uniform("upper"),
    }],
    ..kernel(
        "weighed",
        &[
            input("src", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None),
            uniform("lower", ElementType::F32, &[], Some((Scalar::F32(0.0), Scalar::F32(1.0))), None, 0),
            uniform("upper", ElementType::F32, &[], None, None, 1),
            uniform("k", ElementType::I16, &[3], None, Some(10), 2),
            ArgumentSpec {
                name: "policy",
                kind: ArgumentKind::Variant { enum_name: "Overflow", values: &["Wrap", "Saturate"] },
            },
        ],
        &[output("out", ElementType::U8, false)],
        (1, 1),
        &[BorderMode::Undefined],
    )
};

const fn uniform(
    name: &'static str,
    element: ElementType,
    dims: &'static [u32],
    bounds: Option<(Scalar, Scalar)>,
    sum_of_magnitudes: Option<u64>,
    word: u32,
) -> ArgumentSpec {
    ArgumentSpec { name, kind: ArgumentKind::Uniform(UniformSpec { element, dims, bounds, sum_of_magnitudes, word }) }
}

#[test]
fn uniforms_and_choices_keep_their_rules() {
    let image = u8s(&[5, 5]);
    let check = |lower: f32, upper: f32, k: [i16; 3], choice: u32| {
        let words = [lower.to_bits(), upper.to_bits(), k[0] as u32, k[1] as u32, k[2] as u32];
        let border = Border::Undefined;
        let with = Request {
            inputs: &[&image],
            outputs: &[Some(&image)],
            words: &words,
            choice: &[choice],
            border: border.into(),
        };
        match validate(&WEIGHED, &with) {
            Ok(_) => String::from("fine"),
            Err(error) => message(error),
        }
    };
    assert_eq!(check(0.25, 0.5, [-3, 3, 4], 1), "fine");
    assert_eq!(check(1.5, 2.0, [0; 3], 0), "`lower` is 1.5, expected 0.0 to 1.0");
    assert_eq!(check(f32::NAN, 2.0, [0; 3], 0), "`lower` is NaN, expected 0.0 to 1.0");
    assert_eq!(check(0.75, 0.5, [0; 3], 0), "`weighed` requires lower <= upper, found 0.75 and 0.5");
    assert_eq!(check(0.75, f32::NAN, [0; 3], 0), "`weighed` requires lower <= upper, found 0.75 and NaN");
    assert_eq!(check(0.0, 0.5, [-4, 3, 4], 0), "the magnitudes of `k` sum to 11, expected at most 10");
    assert_eq!(check(0.0, 0.5, [0; 3], 2), "`policy` has 2 values, found the one numbered 2");
}

#[test]
fn a_run_checks_what_was_configured() {
    let (a, b) = (Tensor::<u8>::new([4, 6]).unwrap(), Tensor::<u8>::new([3, 6]).unwrap());
    let mut out = Tensor::<u8>::new([4, 6]).unwrap();
    let configured = configure::<Difference>(&request(&[a.info(); 2], &[Some(out.info())], Border::Undefined)).unwrap();
    let error = configured.run(&Serial, (a.view(), b.view()), out.view_mut()).unwrap_err();
    assert_eq!(message(error), "`b` has the shape 3×6, it was configured with 4×6");
    let mut small = Tensor::<u8>::new([4, 5]).unwrap();
    let error = configured.run(&Serial, (a.view(), a.view()), small.view_mut()).unwrap_err();
    assert_eq!(message(error), "`out` has the shape 4×5, it was configured with 4×6");
}

#[test]
fn outputs_given_must_be_those_configured() {
    let src = Tensor::<u8>::new([4, 6]).unwrap();
    let mut out = Tensor::<i32>::new([4, 6]).unwrap();
    let info = *out.info();
    let with = |outputs: &[Option<&TensorInfo>]| {
        configure::<Differences<8, 2>>(&Request { words: &[1], ..request(&[src.info()], outputs, Border::Wrap) })
    };
    assert_eq!(with(&[None, None]).unwrap_err(), InvalidConfiguration::NoOutput { kernel: "differences" });
    assert_eq!(with(&[Some(&info), Some(&info)]).unwrap().index(), 0);
    assert_eq!(with(&[None, Some(&info)]).unwrap().index(), 1);
    let configured = with(&[Some(&info), None]).unwrap();
    assert_eq!(configured.index(), 2);
    let error = configured.run(&Serial, src.view(), (None, Some(out.view_mut()))).unwrap_err();
    assert_eq!(message(error), "the output `dx` is left out, the kernel was configured the other way");
}

#[test]
fn memory_shared_by_an_output_is_refused_where_it_would_matter() {
    let mut bytes = [7u8; 64];
    let base = std::ptr::NonNull::from(&mut bytes[..]).cast::<u8>();
    let info = u8s(&[4, 8]);
    // SAFETY: 32 elements from each offset lie in the array; the runs below are what the views may share memory in.
    let view = |offset: usize| unsafe { View::<u8>::from_raw(base.add(offset), info).unwrap() };
    let view_mut = |offset: usize| unsafe { ViewMut::<u8>::from_raw(base.add(offset), info).unwrap() };
    let other = Tensor::<u8>::from_fn([4, 8], |[_, x]| x as u8).unwrap();
    let configured = configure::<Difference>(&request(&[&info; 2], &[Some(&info)], Border::Undefined)).unwrap();
    let error = configured.run(&Serial, (other.view(), view(8)), view_mut(0)).unwrap_err();
    assert_eq!(error, RunError::Overlap { output: "out", other: "b" });
    configured.run(&Serial, (other.view(), view(32)), view_mut(0)).unwrap();
    // The same elements, each read before it is written.
    configured.run(&Serial, (view(0), other.view()), view_mut(0)).unwrap();
    assert_eq!(view(0).row(0), Some(&[7, 5, 3, 1, 1, 3, 5, 7][..]));
}

/// In the sixth dimension too.
#[test]
fn elements_at_other_places_are_no_run_in_place() {
    let mut bytes = [7u8; 8];
    let base = std::ptr::NonNull::from(&mut bytes[..]).cast::<u8>();
    let info =
        |stride| TensorInfo::with_strides(ElementType::U8, 1, &[2, 1, 1, 1, 1, 2], &[stride, 2, 2, 2, 2, 1]).unwrap();
    let (near, far) = (info(2), info(4));
    let other = Tensor::<u8>::new([2, 1, 1, 1, 1, 2]).unwrap();
    let run = |read: TensorInfo| {
        // SAFETY: at most six bytes of eight; a run that would write what it has yet to read is refused.
        let (a, out) = unsafe { (View::<u8>::from_raw(base, read), ViewMut::<u8>::from_raw(base, far)) };
        let images = [&read, other.info()];
        let configured = configure::<Difference>(&request(&images, &[Some(&far)], Border::Undefined)).unwrap();
        configured.run(&Serial, (a.unwrap(), other.view()), out.unwrap())
    };
    assert_eq!(run(near), Err(RunError::Overlap { output: "out", other: "a" }));
    assert_eq!(run(far), Ok(()));
}

#[test]
fn a_neighbourhood_may_not_be_written_over() {
    let mut words = [0i32; 32];
    let base = std::ptr::NonNull::from(&mut words[..]).cast::<u8>();
    let (bytes, out) = (u8s(&[4, 8]), TensorInfo::new(ElementType::I32, 1, &[4, 8]).unwrap());
    // SAFETY: the array holds both; the run is refused.
    let (src, out_view) = unsafe { (View::<u8>::from_raw(base, bytes), ViewMut::<i32>::from_raw(base, out)) };
    let configured = configure::<Weighted<8, 4, 0>>(&request(&[&bytes], &[Some(&out)], Border::Wrap)).unwrap();
    let error = configured.run(&Serial, src.unwrap(), out_view.unwrap()).unwrap_err();
    assert_eq!(error, RunError::Overlap { output: "out", other: "src" });
}

#[test]
fn an_image_smaller_than_the_neighbourhood_leaves_nothing_to_do() {
    let src = Tensor::<u8>::new([2, 2]).unwrap();
    let mut out = Tensor::from_vec(vec![5i32; 4], [2, 2]).unwrap();
    let configured =
        configure::<Weighted<8, 4, 0>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    assert!(configured.valid_region().is_empty() && configured.window().is_empty());
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    configured.run_reference(src.view(), out.view_mut()).unwrap();
    assert_eq!(out.to_vec(), [5; 4]);
}
