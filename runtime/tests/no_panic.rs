//! Whatever a caller gives, a kernel runs or says what is wrong: shapes, strides, types, borders, words and windows at random.

mod common;

use common::*;
use proptest::prelude::*;
use windrow_runtime::{
    Border, ElementType, Kernel, Scalar, Serial, Tensor, TensorInfo, View, ViewMut, Window, configure, infer, validate,
    validate::Request, window::Dimension,
};

fn extent() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0usize..12, 1 => prop::sample::select(&[1 << 30, (1 << 30) + 1, usize::MAX][..])]
}

/// Metadata of any type, some of them with gaps; most hold few elements, some no memory could.
fn info() -> impl Strategy<Value = TensorInfo> {
    let element = prop::sample::select(&ElementType::ALL[..]);
    let parts = (element, 1u32..5, prop::collection::vec(extent(), 0..=7), prop::collection::vec(0usize..64, 0..3));
    parts.prop_filter_map("no tensor", |(element, channels, extents, gaps)| {
        let dense = TensorInfo::new(element, channels, &extents).ok()?;
        let strides: Vec<usize> = (0..extents.len())
            .map(|d| dense.stride(d).saturating_add(if d == 0 { 0 } else { *gaps.get(d - 1).unwrap_or(&0) }))
            .collect();
        TensorInfo::with_strides(element, channels, &extents, &strides).ok().or(Some(dense))
    })
}

/// Mostly what the kernel takes: bytes in, `i32` out.
fn input() -> impl Strategy<Value = TensorInfo> {
    let plain = prop::collection::vec(0usize..12, 2..4).prop_map(|extents| TensorInfo::of::<u8>(&extents).unwrap());
    prop_oneof![2 => plain, 1 => info()]
}

fn border() -> impl Strategy<Value = Border> {
    let constant = prop_oneof![
        any::<u8>().prop_map(Scalar::U8),
        any::<i32>().prop_map(Scalar::I32),
        any::<u32>().prop_map(|bits| Scalar::F32(f32::from_bits(bits))),
    ];
    prop_oneof![3 => prop::sample::select(&EVERY_BORDER[..]), 1 => constant.prop_map(Border::Constant)]
}

fn window() -> impl Strategy<Value = Window> {
    let dimension = (0usize..9, 0usize..6, 1usize..5)
        .prop_map(|(start, count, step)| Dimension::new(start, start + count * step, step).unwrap());
    prop::collection::vec(dimension, 0..=6).prop_map(|dimensions| Window::new(&dimensions).unwrap())
}

/// Metadata alone may say anything: nothing is allocated.
fn ask<K: Kernel>(request: &Request<'_>, border: Border) {
    let spec = K::CODE.spec();
    let inferred = infer(spec, request.inputs, border.mode());
    let valid = validate(spec, request);
    let configured = configure::<K>(request);
    assert_eq!(valid.is_ok(), configured.is_ok(), "{request:?}");
    if let (Ok(inferred), Ok(configured)) = (&inferred, &configured) {
        assert_eq!(inferred.shape(), configured.shape());
    }
    if let Err(error) = configured {
        assert!(!error.to_string().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn requests_are_answered(
        inputs in prop::collection::vec(input(), 0..4),
        outputs in prop::collection::vec(prop::option::of(info()), 0..4),
        words in prop::collection::vec(any::<u32>(), 0..3),
        choice in prop::collection::vec(any::<u32>(), 0..2),
        border in border(),
    ) {
        let inputs: Vec<&TensorInfo> = inputs.iter().collect();
        let outputs: Vec<Option<&TensorInfo>> = outputs.iter().map(Option::as_ref).collect();
        let request = Request { inputs: &inputs, outputs: &outputs, words: &words, choice: &choice, border: border.into() };
        ask::<AbsDiff<8, 2>>(&request, border);
        ask::<Weighted<8, 4, 0>>(&request, border);
        ask::<Weighted<4, 2, 3>>(&request, border);
        ask::<Accumulate<8, 2>>(&request, border);
        ask::<Differences<8, 2>>(&request, border);
        ask::<LookUp<8>>(&request, border);
    }

    /// What was configured is given other views and other windows.
    #[test]
    fn runs_are_answered(
        [src, given] in [[0usize..9, 0usize..7, 1usize..3], [0usize..9, 0usize..7, 1usize..3]],
        out in [0usize..9, 0usize..7, 1usize..3],
        same in any::<bool>(),
        border in border(),
        window in window(),
    ) {
        let given = if same { src } else { given };
        let Ok(info) = TensorInfo::of::<u8>(&src) else { return Ok(()) };
        let expected = TensorInfo::of::<i32>(&if same { src } else { out }).unwrap();
        let Ok(configured) = configure::<Weighted<4, 2, 0>>(&request(&[&info], &[Some(&expected)], border)) else {
            return Ok(());
        };
        let src = Tensor::<u8>::new(given).unwrap();
        let mut out = Tensor::<i32>::new(if same { given } else { out }).unwrap();
        let whole = configured.run(&Serial, src.view(), out.view_mut());
        let part = configured.run_window(&Serial, src.view(), out.view_mut(), &window);
        let fits = src.shape() == info.shape() && out.info().shape() == configured.shape();
        prop_assert_eq!(whole.is_ok(), fits);
        // Of nothing, every part is nothing.
        let is_part = configured.window().is_empty() || configured.window().check_part(&window).is_ok();
        prop_assert_eq!(part.is_ok(), fits && is_part);
    }
}

/// Neither of two images side by side shares a byte with the other; one byte is enough to refuse.
#[test]
fn images_side_by_side_are_apart() {
    let mut bytes = [7u8; 80];
    let base = std::ptr::NonNull::from(&mut bytes[..]).cast::<u8>();
    let info = TensorInfo::of::<u8>(&[8, 4]).unwrap();
    let other = Tensor::<u8>::new([8, 4]).unwrap();
    let configured = configure::<AbsDiff<8, 1>>(&request(&[&info; 2], &[Some(&info)], Border::Undefined)).unwrap();
    for (read, written) in (0..48).flat_map(|read| [0, 20, 47].map(move |written| (read, written))) {
        // SAFETY: 32 elements from each offset lie in the array; a run whose views share memory is refused, or reads each
        // element before it is written.
        let (src, out) = unsafe {
            (
                View::<u8>::from_raw(base.add(read), info).unwrap(),
                ViewMut::<u8>::from_raw(base.add(written), info).unwrap(),
            )
        };
        let apart = read == written || read + 32 <= written || written + 32 <= read;
        assert_eq!(configured.run(&Serial, (other.view(), src), out).is_ok(), apart, "{read} {written}");
    }
}
