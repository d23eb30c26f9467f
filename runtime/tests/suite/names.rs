//! What `Display` writes of a choice, `FromStr` reads back: flags, environment variables and configuration files name them.

use core::{
    fmt::{Debug, Display},
    str::FromStr,
};

use proptest::prelude::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Format, Scalar, TensorInfo, Tier, Window,
    data_layout::DataLayout,
    dtype::DType,
    reference::policy::{Overflow, Rank, Rounding},
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
    all(DType::ALL);
    all(Format::ALL);
    all(DataLayout::ALL);
    all(BorderMode::ALL);
    all(Tier::ALL);
    all(Overflow::ALL.iter().copied());
    all(Rounding::ALL.iter().copied());
    all(Rank::ALL.iter().copied());
    all([Border::Undefined, Border::Replicate, Border::Reflect, Border::Reflect101, Border::Wrap]);
}

proptest! {
    #[test]
    fn choices_with_a_value(value in scalar()) {
        round_trip(value)?;
        round_trip(Border::Constant(value))?;
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[0-9a-z×./ (),;=-]{0,40}") {
        let _ = (text.parse::<Scalar>(), text.parse::<Border>(), text.parse::<Tier>());
        let _ = (text.parse::<ElementType>(), text.parse::<Format>(), text.parse::<DataLayout>());
    }
}

#[test]
fn texts_are_what_they_look_like() {
    let info = TensorInfo::new(ElementType::U8, 3, &[480, 640]).unwrap();
    assert_eq!(info.to_string(), "u8×3 480×640 NCHW; strides 1920 3; first 0; buffer 921600; valid 0..480×0..640");
    assert_eq!(Window::covering([0; 6], [35, 8, 2, 1, 1, 1], (16, 1)).to_string(), "0..48/16×0..8×0..2");
    assert_eq!(format!("{0} {0:#}", Scalar::I16(-7)), "-7i16 -7");
}
