//! What `Display` writes, `FromStr` reads back: for every public data type, on values of every kind.

use core::{
    fmt::{Debug, Display},
    str::FromStr,
};

use proptest::prelude::*;
use windrow_runtime::{
    Border, BorderMode, BorderModes, Borders, Dimension, ElementType, Format, Inferred, Kernel, Padding, Rect, Scalar,
    Shape, Splits, TensorInfo, Tier, ValidRegion, Window,
    code::OpenClForm,
    divide::{Anchor, Bodies, Division, Parts, divide},
    divisor::{self, Divisor},
    format::{Channel, ColourRange, ColourSpace, Plane},
    infer,
    layout::{Axis, DataLayout},
    memory::{BlockSize, Counters, Exhaustion, Lifetime, Place, Plan, Planner},
    quantization::Quantization,
    reference::policy::{Overflow, Rank, Rounding},
    scaled::{Interpolation, Sampling},
    schedule::Split,
    spec::{Neighbourhood, Relation, WordCount},
    tiling::{ImageAttributes, TileBorder},
};

#[path = "../common/mod.rs"]
mod common;
mod complete;

fn round_trip<T: Display + FromStr + PartialEq + Debug>(value: T) -> Result<(), TestCaseError>
where
    T::Err: Debug,
{
    let text = value.to_string();
    prop_assert_eq!(text.parse::<T>().ok(), Some(value), "`{}`", text);
    Ok(())
}

fn scalar() -> impl Strategy<Value = Scalar> {
    (0usize..7, any::<u32>()).prop_map(|(element, word)| {
        let scalar = Scalar::from_word(ElementType::ALL[element], word);
        // A NaN is equal to none, itself included.
        if scalar.to_f64().is_nan() { Scalar::F32(f32::NEG_INFINITY) } else { scalar }
    })
}

fn extents() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..40, 1..=6)
}

fn dimension() -> impl Strategy<Value = Dimension> {
    (0usize..50, 0usize..40, 1usize..20)
        .prop_map(|(start, iterations, step)| Dimension::new(start, start + iterations * step, step).unwrap())
}

fn padding() -> impl Strategy<Value = Padding> {
    (0usize..9, 0usize..9, 0usize..9, 0usize..9).prop_map(|(left, right, top, bottom)| Padding {
        left,
        right,
        top,
        bottom,
    })
}

fn quantization() -> impl Strategy<Value = Quantization> {
    (1u32..0x7f80_0000, any::<i32>())
        .prop_map(|(bits, offset)| Quantization::new(f32::from_bits(bits), offset).unwrap())
}

fn region() -> impl Strategy<Value = ValidRegion> {
    (any::<[u8; 6]>(), any::<[u8; 6]>())
        .prop_map(|(start, end)| ValidRegion { start: start.map(usize::from), end: end.map(usize::from) })
}

fn info() -> impl Strategy<Value = TensorInfo> {
    (0usize..7, 1u32..=4, extents(), padding(), prop::option::of(quantization()), any::<(bool, u8)>()).prop_map(
        |(element, channels, extents, padding, quantization, (nhwc, cut))| {
            let element = ElementType::ALL[element];
            let mut info = TensorInfo::new(element, channels, &extents).unwrap().with_padding(padding).unwrap();
            if nhwc {
                info = info.with_layout(DataLayout::Nhwc);
            }
            if let Some(quantization) = quantization {
                info = info.with_quantization(quantization);
            }
            let cut = usize::from(cut).min(extents[0] / 2);
            if cut > 4 {
                info = info.region(&[cut], &[extents[0] - cut]).unwrap().1;
            }
            let mut valid = info.valid_region();
            valid.start[0] = cut.min(valid.end[0]);
            info.with_valid_region(valid).unwrap()
        },
    )
}

proptest! {
    #[test]
    fn scalars(value in scalar()) {
        round_trip(value)?;
        round_trip(Border::Constant(value))?;
    }

    #[test]
    fn borders(values in prop::collection::vec((0usize..6, scalar()), 0..=8)) {
        let border = |(mode, value): &(usize, Scalar)| match BorderMode::ALL[*mode] {
            BorderMode::Undefined => Border::Undefined,
            BorderMode::Constant => Border::Constant(*value),
            BorderMode::Replicate => Border::Replicate,
            BorderMode::Reflect => Border::Reflect,
            BorderMode::Reflect101 => Border::Reflect101,
            BorderMode::Wrap => Border::Wrap,
        };
        let list: Vec<Border> = values.iter().map(border).collect();
        round_trip(Borders::each(&list))?;
        for border in list {
            round_trip(Borders::from(border))?;
        }
    }

    #[test]
    fn shapes_rectangles_and_regions(extents in extents(), region in region()) {
        round_trip(Shape::new(&extents).unwrap())?;
        round_trip(region)?;
        round_trip(region.plane())?;
    }

    #[test]
    fn windows(dimensions in prop::collection::vec(dimension(), 1..=6)) {
        round_trip(dimensions[0])?;
        round_trip(Window::new(&dimensions).unwrap())?;
    }

    #[test]
    fn tensors(info in info(), padding in padding(), quantization in quantization()) {
        round_trip(info)?;
        round_trip(padding)?;
        round_trip(quantization)?;
    }

    #[test]
    fn neighbourhoods_and_divisions(around in any::<[i8; 4]>(), size in any::<(u8, u8)>(), self_bordered in any::<bool>()) {
        let [left, right, top, bottom] = around.map(i32::from);
        let neighbourhood = Neighbourhood { left, right, top, bottom };
        round_trip(neighbourhood)?;
        let (width, height) = (usize::from(size.0), usize::from(size.1));
        let block = (4, 2);
        let division =
            Division { width, height, block, neighbourhood, self_bordered, anchor: Anchor::Grid, bodies: Bodies::Both };
        round_trip::<Parts>(divide(&division).unwrap())?;
        round_trip(division)?;
    }

    #[test]
    fn splits(granules in any::<[u8; 6]>(), parts in any::<usize>()) {
        let along = |splits: Splits, (d, &granule): (usize, &u8)| match granule % 4 {
            0 => splits,
            _ => splits.along(d, usize::from(granule)),
        };
        round_trip(granules.iter().enumerate().fold(Splits::NONE, along))?;
        round_trip(Split::Dynamic { parts })?;
    }

    #[test]
    fn memory(numbers in any::<[usize; 3]>(), lives in prop::collection::vec(any::<(u16, u8, u8, u8)>(), 0..=8)) {
        let [resident, live, peak] = numbers;
        round_trip(Counters { resident, live, peak })?;
        let life = |&(size, alignment, first, length): &(u16, u8, u8, u8)| Lifetime {
            size: usize::from(size),
            alignment: 1 << (alignment % 8),
            first: usize::from(first),
            last: usize::from(first) + usize::from(length),
        };
        let lives: Vec<Lifetime> = lives.iter().map(life).collect();
        for planner in Planner::ALL {
            let plan = planner.plan(&lives);
            plan.places.iter().try_for_each(|place| round_trip::<Place>(*place))?;
            plan.blocks.iter().try_for_each(|block| round_trip::<BlockSize>(*block))?;
            round_trip::<Plan>(plan)?;
        }
        lives.into_iter().try_for_each(round_trip)?;
    }

    #[test]
    fn what_kernels_say(bits in 1u32..=32, by in 1i64..1 << 31, words in any::<(u32, u32)>(), wide in any::<bool>()) {
        round_trip::<Divisor>(divisor::unsigned(bits, by))?;
        round_trip(WordCount { uniforms: words.0, derived: words.1 })?;
        let (width, height) = (words.0 as usize, words.1 as usize);
        let (format, range) = if wide { (None, ColourRange::Full) } else { (Some(Format::Rgb888), ColourRange::Restricted) };
        round_trip(ImageAttributes { width, height, format, planes: 1, range, space: ColourSpace::Bt709 })?;
    }

    #[test]
    fn what_is_inferred(info in info(), modes in prop::collection::vec(0usize..6, 1..=3)) {
        let list: Vec<Border> = modes.iter().map(|mode| common::EVERY_BORDER[*mode]).collect();
        round_trip::<BorderModes>(Borders::each(&list).modes())?;
        round_trip(BorderModes::from(BorderMode::Wrap))?;
        let info = TensorInfo::new(ElementType::U8, 1, &info.shape().extents()).unwrap();
        if let Ok(inferred) = infer(common::Differences::<1, 1>::CODE.spec(), &[&info], BorderMode::Undefined) {
            round_trip::<Inferred>(inferred)?;
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[0-9×./ a-z,;=-]{0,40}") {
        let _ = (text.parse::<Shape>(), text.parse::<Window>(), text.parse::<Rect>(), text.parse::<ValidRegion>());
        let _ = (text.parse::<TensorInfo>(), text.parse::<Scalar>(), text.parse::<Border>(), text.parse::<Padding>());
        let _ = (text.parse::<Splits>(), text.parse::<Split>(), text.parse::<Plan>(), text.parse::<Lifetime>());
        let _ = (text.parse::<Inferred>(), text.parse::<Plane>(), text.parse::<ImageAttributes>());
    }
}

/// Every value comes back, and what is none of them is refused.
fn all<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>)
where
    T::Err: Debug,
{
    values.into_iter().for_each(|value| round_trip(value).unwrap());
    assert!("none of them".parse::<T>().is_err());
}

#[test]
fn closed_enums() {
    all(ElementType::ALL);
    all(Format::ALL);
    all(Channel::ALL);
    all(DataLayout::ALL);
    all(Axis::ALL);
    all(BorderMode::ALL);
    all(Tier::ALL);
    all(Anchor::ALL);
    all(Relation::ALL);
    all(Planner::ALL);
    all(Exhaustion::ALL);
    all(Overflow::ALL.iter().copied());
    all(Rounding::ALL.iter().copied());
    all(Rank::ALL.iter().copied());
    all(Bodies::ALL);
    all(ColourRange::ALL);
    all(ColourSpace::ALL);
    all(TileBorder::ALL);
    all(Interpolation::ALL);
    all(Sampling::ALL);
    all(OpenClForm::ALL);
    all([Border::Undefined, Border::Replicate, Border::Reflect, Border::Reflect101, Border::Wrap]);
    all([Split::Static, Split::DYNAMIC]);
    all(Format::ALL.iter().flat_map(|format| format.planes()).copied());
}

#[test]
fn texts_are_what_they_look_like() {
    let info = TensorInfo::new(ElementType::U8, 3, &[640, 480]).unwrap();
    assert_eq!(
        info.to_string(),
        "u8×3 640×480 NCHW; strides 3 1920 921600 921600 921600 921600; first 0; buffer 921600; \
         padding left 0, right 0, top 0, bottom 0; valid 0..640×0..480"
    );
    assert_eq!(Window::covering([0; 6], [35, 8, 2, 1, 1, 1], (16, 1)).to_string(), "0..48/16×0..8×0..2");
    assert_eq!(format!("{0} {0:#}", Scalar::I16(-7)), "-7i16 -7");
}
