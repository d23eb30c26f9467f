//! What `Display` writes, `FromStr` reads back: for every public data type, on values of every kind.

use core::{
    fmt::{Debug, Display},
    str::FromStr,
};

use proptest::prelude::*;
use windrow_runtime::{
    Border, BorderMode, Borders, Dimension, ElementType, Format, Padding, Rect, Scalar, Shape, TensorInfo, Tier,
    ValidRegion, Window,
    divide::{Anchor, Bodies, Division, divide},
    format::{Channel, ColourRange, ColourSpace},
    layout::{Axis, DataLayout},
    memory::{Exhaustion, Planner},
    quantization::Quantization,
    reference::policy::{Overflow, Rank, Rounding},
    scaled::{Interpolation, Sampling},
    spec::{Neighbourhood, Relation},
    tiling::TileBorder,
};

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
        round_trip(divide(&division).unwrap())?;
        round_trip(division)?;
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[0-9×./ a-z,;=-]{0,40}") {
        let _ = (text.parse::<Shape>(), text.parse::<Window>(), text.parse::<Rect>(), text.parse::<ValidRegion>());
        let _ = (text.parse::<TensorInfo>(), text.parse::<Scalar>(), text.parse::<Border>(), text.parse::<Padding>());
    }
}

#[test]
fn closed_enums() {
    fn all<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>)
    where
        T::Err: Debug,
    {
        values.into_iter().for_each(|value| round_trip(value).unwrap());
        assert!("none of them".parse::<T>().is_err());
    }
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
    all([Border::Undefined, Border::Replicate, Border::Reflect, Border::Reflect101, Border::Wrap]);
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
