//! Whatever a caller gives, a kernel runs or says what is wrong: shapes, strides, types, borders, words and windows at random.

use crate::common::*;
use proptest::prelude::*;
use windrow_runtime::{
    Border, ElementType, Kernel, Padding, Rect, Scalar, Serial, Tensor, TensorInfo, ValidRegion, View, ViewMut, Window,
    configure, infer,
    info::{InvalidTensor, MAX_EXTENT},
    memory::{Lifetime, Planner, lower_bound},
    validate,
    validate::Request,
    window::Dimension,
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
        let strides: Vec<isize> = (0..extents.len())
            .map(|d| (d, extents.len() - 1 - d))
            .map(|(d, inner)| {
                let gap = *gaps.get(inner).unwrap_or(&0);
                match gap % 4 {
                    0 => dense.strides()[d].saturating_add_unsigned(gap),
                    1 => dense.strides()[d],
                    2 => -dense.strides()[d],
                    _ => gap as isize / 32,
                }
            })
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
        [src, given] in [[1usize..3, 0usize..7, 0usize..9], [1usize..3, 0usize..7, 0usize..9]],
        out in [1usize..3, 0usize..7, 0usize..9],
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

/// Numbers on both sides of every limit.
fn number() -> impl Strategy<Value = usize> {
    let limits = [0usize, 7, 1 << 30, 3 << 30, 1 << 32, 1 << 62, isize::MAX as usize, usize::MAX];
    (prop::sample::select(limits.to_vec()), -2isize..3).prop_map(|(limit, by)| limit.wrapping_add_signed(by))
}

fn numbers() -> impl Strategy<Value = [usize; 6]> {
    prop::array::uniform6(number())
}

/// The region of these coordinates of each dimension, innermost first.
fn region(start: &[usize; 6], end: &[usize; 6]) -> Result<ValidRegion, InvalidTensor> {
    let ranges: Vec<_> = start.iter().zip(end).rev().map(|(start, end)| *start..*end).collect();
    ValidRegion::from_ranges(&ranges)
}

/// The greatest coordinate that a window of any numbers has.
const FARTHEST: usize = 3 << 30;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn windows_are_made_of_any_numbers(
        start in numbers(),
        end in numbers(),
        steps in (any::<u32>(), any::<u32>()),
        (dimension, other) in (0usize..8, number()),
        (index, parts, wanted) in (number(), number(), number()),
        by in number(),
        ratio in (any::<u32>(), any::<u32>()),
    ) {
        let window = Window::covering(start, end, steps);
        if let Ok(region) = region(&start, &end) {
            let ranges = [0, 1, 2, 3, 4, 5].map(|d| region.inner_range(d));
            let covering = Window::covering(ranges.clone().map(|r| r.start), ranges.map(|r| r.end), steps);
            prop_assert_eq!(Window::maximal(&region, steps), covering);
        }
        for d in 0..6 {
            let along = window.dimension(d);
            prop_assert!(along.start() <= along.end() && along.step() >= 1);
            prop_assert_eq!(along.start(), start[d].min(FARTHEST));
            prop_assert!(along.end() >= end[d].min(FARTHEST));
            prop_assert_eq!(Dimension::new(along.start(), along.end(), along.step()), Ok(along));
        }
        if let Ok(part) = window.split(dimension, index, parts) {
            prop_assert!(window.is_empty() || window.check_part(&part) == Ok(()));
        }
        let _ = window.split_2d((dimension, other), index, (parts, wanted));
        let _ = (window.parts(dimension, wanted).next(), window.parts_2d((dimension, other), (parts, wanted)).next());
        let _ = (window.parts_2d((dimension, other), (parts, wanted)).len(), window.slices(dimension).len());
        let _ = (window.with_step(dimension, by), window.shift(dimension, by as isize), window.is_empty());
        let _ = (window.scale(dimension, ratio.0, ratio.1), window.collapse(&window, dimension, other));
        let _ = (window.without_dimensions(other).iterations(other), window.slices(other).next());
    }

    #[test]
    fn regions_are_made_of_any_numbers(start in numbers(), end in numbers(), others in numbers(), count in 0usize..8) {
        let (rect, other) = (Rect::new(start[0], start[1], end[0], end[1]), Rect::new(others[0], others[1], end[2], end[3]));
        let both = rect.intersect(&other);
        prop_assert!(both.area() <= rect.area() && (rect.area() == 0) == rect.is_empty());
        let (Ok(region), Ok(narrower)) = (region(&start, &end), region(&others, &end)) else {
            prop_assert!(end.iter().any(|&end| end > MAX_EXTENT));
            return Ok(());
        };
        let both = region.intersect(&narrower);
        prop_assert!((0..6).all(|d| both.inner_range(d).start <= both.inner_range(d).end));
        let _ = (region.plane().area(), region.is_empty(), region.contains(&others[..count.min(6)]));
        let info = TensorInfo::of::<u16>(&[2, 5, 9]).unwrap();
        let inside = (0..6).all(|d| region.inner_range(d).end <= info.shape().inner_extent(d));
        prop_assert_eq!(info.with_valid_region(region).is_ok(), inside);
    }

    #[test]
    fn metadata_is_made_of_any_numbers(
        (extents, strides) in (prop::collection::vec(number(), 0..8), prop::collection::vec(number(), 0..8)),
        start in prop::collection::vec(number(), 0..8),
        [left, right, top, bottom] in prop::array::uniform4(number()),
        (first, last) in (number(), 0usize..8),
    ) {
        for sign in [1, -1] {
            let strides: Vec<isize> = strides.iter().map(|&stride| (stride as isize).wrapping_mul(sign)).collect();
            let _ = (TensorInfo::of::<i16>(&extents), TensorInfo::with_strides(ElementType::I16, 2, &extents, &strides));
        }
        let padding = Padding { left, right, top, bottom };
        let small = TensorInfo::of::<i16>(&[9, 5, 2]).unwrap();
        for info in [Ok(small), small.with_padding(padding), small.with_first_element(first), small.extend_padding(padding)] {
            let Ok(info) = info else { continue };
            let _ = (info.region(&start, &extents), info.offset(&start), info.collapse(first, last), info.collapse(last, first));
            let _ = (info.with_padding(padding), info.with_first_element(first));
        }
    }

    #[test]
    fn memory_is_planned_for_any_numbers(
        lifetimes in prop::collection::vec((number(), number(), number(), number()), 0..7),
    ) {
        let life = |(size, alignment, first, last)| Lifetime { size, alignment, first, last };
        let lifetimes: Vec<Lifetime> = lifetimes.into_iter().map(life).collect();
        let least = lower_bound(&lifetimes);
        for planner in [Planner::Arena, Planner::Pooled] {
            let plan = planner.plan(&lifetimes);
            prop_assert_eq!(plan.places.len(), lifetimes.len());
            prop_assert!(plan.size() >= least, "{} bytes for {}", plan.size(), least);
            for (place, life) in plan.places.iter().zip(&lifetimes) {
                let block = plan.blocks[place.block];
                let inside = place.offset.checked_add(life.size).is_some_and(|end| end <= block.size);
                prop_assert!(inside || block.size == usize::MAX, "{place:?} of {life:?} in {block:?}");
            }
        }
    }
}

/// Neither of two images side by side shares a byte with the other; one byte is enough to refuse.
#[test]
fn images_side_by_side_are_apart() {
    let mut bytes = [7u8; 80];
    let base = std::ptr::NonNull::from(&mut bytes[..]).cast::<u8>();
    let info = TensorInfo::of::<u8>(&[4, 8]).unwrap();
    let other = Tensor::<u8>::new([4, 8]).unwrap();
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
