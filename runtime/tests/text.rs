//! What `Display` writes, `FromStr` reads back: for every public data type, on values of every kind.

use core::{
    fmt::{Debug, Display},
    str::FromStr,
};
use std::{collections::BTreeSet, fs, path::Path};

use proptest::prelude::*;
#[cfg(feature = "opencl")]
use windrow_runtime::opencl::{
    Access, AuthorLine, BuildOptions, Call, Candidate, DeviceChoice, DeviceKind, Digest, Division as FloatDivision,
    EffectiveNumerics, EffectivePrecision, Fallback, Family, FloatFormat, FloatSupport, Flush, Hint, ImageChannels,
    ImageLimits, ImageShape, IntegerUnits, Level, LocalLimits, LocalSize, MaliGeneration, MemForm, MemMode, Numerics,
    ObjectKind, Packing, PoolCounters, Precision, QueueOptions, Reason, Role, SearchEnd, Severity, ShapeClass, Stamps,
    Storage, Tensor4, TuneLevel, TuneMode, Turns, WasteBound,
};
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

mod common;

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
        if let Ok(inferred) = infer(common::Differences::<1, 1>::CODE.spec, &[&info], BorderMode::Undefined) {
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
    all(OpenClForm::ALL);
    all([Border::Undefined, Border::Replicate, Border::Reflect, Border::Reflect101, Border::Wrap]);
    all([Split::Static, Split::DYNAMIC]);
    all(Format::ALL.iter().flat_map(|format| format.planes()).copied());
    #[cfg(feature = "opencl")]
    {
        all(IntegerUnits::ALL);
        all(Numerics::ALL);
        all(FloatDivision::ALL);
        all(Hint::ALL);
        all(Access::ALL);
        all(Severity::ALL);
        all(DeviceKind::ALL);
        all(MaliGeneration::ALL);
        all(Level::ALL);
        all(SearchEnd::ALL);
        all(TuneMode::ALL);
        all(TuneLevel::ALL);
        all(Turns::ALL);
        all(ObjectKind::ALL);
        all(ObjectKind::ALL.map(Role::Create));
        all([Flush::EachLaunch, Flush::Every(4), Flush::OnWait]);
        all(Call::ALL.iter().copied());
        all(Precision::ALL);
        all(FloatFormat::ALL);
        let effective = || Precision::ALL.map(Some).into_iter().chain([None]);
        all(Precision::ALL
            .into_iter()
            .flat_map(|requested| effective().map(move |effective| EffectivePrecision { requested, effective })));
        all([LocalSize::Driver, LocalSize::Fixed(16, 4)]);
        all(Storage::ALL);
        all(MemMode::ALL);
        all(Fallback::ALL);
        all(MemForm::ALL);
        all(Reason::ALL);
        all(Packing::ALL);
        all([WasteBound::DEFAULT]);
        all([PoolCounters { resident: 9, live: 4, free: 5, peak: 12, made: 3, reused: 7 }]);
        for channels in ImageChannels::ALL {
            all(ElementType::ALL.map(|element| ImageShape { width: 7, height: 5, element, channels }));
        }
        all([Tensor4 { n: 1, c: 3, h: 5, w: 7 }]);
        all((0..16).map(|bits| FloatSupport {
            denormals: bits & 1 == 0,
            infinities_and_nans: bits & 2 == 0,
            rounds_to_nearest: bits & 4 == 0,
            correctly_rounded_division: bits & 8 == 0,
        }));
    }
}

#[cfg(feature = "opencl")]
#[test]
fn what_is_asked_of_devices() {
    fn all<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>)
    where
        T::Err: Debug,
    {
        values.into_iter().for_each(|value| round_trip(value).unwrap());
    }
    let kinds = DeviceKind::ALL.into_iter().flat_map(|kind| [DeviceChoice::Prefer(kind), DeviceChoice::Only(kind)]);
    all(kinds.chain([
        DeviceChoice::Index(3),
        DeviceChoice::Exact { platform: 1, device: 0 },
        DeviceChoice::Name("Mali-G76".into()),
    ]));
    let generations = MaliGeneration::ALL.map(Family::Mali);
    let makers = [Family::Nvidia, Family::Amd, Family::Intel, Family::Cpu, Family::Other];
    all(generations.into_iter().chain(makers).chain([0, 640].map(|model| Family::Adreno { model })));
    all([ImageLimits { width: 16384, height: 8192 }]);
    all(["", "-DA=1 -DB -w"].map(|text| BuildOptions::parse(text).unwrap()));
    all([Digest::of(b"a kernel")]);
    all([AuthorLine { file: "C:/src/ops.rs".into(), line: 12 }]);
    all([Stamps { queued: 1, submitted: 22, started: 333, ended: u64::MAX }]);
    all([LocalSize::Driver, LocalSize::Fixed(16, 4)].map(|local| Candidate { schedule: 2, local }));
    all([LocalLimits { group: 1024, items: [1024, 64], multiple: 32 }]);
    all([[1920, 1080, 3], [1, 1, 1], [5000, 7, 40]]
        .map(|[width, height, planes]| ShapeClass::of(width, height, planes)));
    assert!("1921×1080×1".parse::<ShapeClass>().is_err(), "no side of a class");
    let flushes = [Flush::EachLaunch, Flush::Every(4), Flush::OnWait];
    all(flushes.map(|flush| QueueOptions { out_of_order: true, profiling: false, flush }));
    all(FloatDivision::ALL.map(|division| EffectiveNumerics {
        uses_floats: true,
        denormals: false,
        infinities_and_nans: true,
        rounds_to_nearest: false,
        division,
    }));
    all(Call::ALL.iter().map(|call| call.role()));
}

/// Types of the OpenCL runtime that are compared and have no text that is read back, with the reason.
const WRITTEN_OTHERWISE: [(&str, &[&str]); 5] = [
    (
        "read and written as JSON, for files and pipes",
        &[
            "CpuSpan",
            "DeviceCaps",
            "DeviceIdentity",
            "LaunchRecord",
            "ProbeEnd",
            "ProbeFailure",
            "ProbeStep",
            "ProbeVerdict",
            "Profile",
            "ProgramKey",
            "Trial",
            "TrialArgument",
            "TuneKey",
            "TuneTable",
            "Tuning",
        ],
    ),
    ("a file or a line of a form of its own", &["AclRow", "LineTable", "Record"]),
    (
        "printed for people: a report, with the words of a driver or a system",
        &["BuildMessage", "CacheReport", "Difference", "HintReport", "Mismatch", "Rejected", "TuneApplied", "Unsaved"],
    ),
    (
        "set field by field or by calls; its parts have texts",
        &["CacheFolder", "ContextOptions", "Probe", "ProgramSource", "TuneBudget", "TuneSettings"],
    ),
    ("computed from a kernel on a device", &["ScheduleSpace", "Space"]),
];

/// Types that are compared, but are no data: what they name is found in memory, in a chain or on a device.
const HANDLES: [&str; 4] = ["Slot", "TensorId", "Cursor", "Row"];

/// Every type of images and their runs whose values can be compared is data and has a text, unless it is an error or a handle.
#[test]
fn every_public_data_type_is_tested_here() {
    let (mut found, mut missing) = (BTreeSet::new(), Vec::new());
    let otherwise: BTreeSet<&str> = WRITTEN_OTHERWISE.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let mut unseen = otherwise.clone();
    let this = include_str!("text.rs");
    for folder in ["src", "../reference/src"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for_each_source(&folder, &mut |text| {
            for (derived, name) in compared_types(text) {
                let is_error = derived.contains("Error") || text.contains(&format!("Error for {name}"));
                unseen.remove(name);
                if !is_error && !HANDLES.contains(&name) && !otherwise.contains(name) {
                    let is_named = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
                    if !is_named(this) {
                        missing.push(name.to_owned());
                    }
                    found.insert(name.to_owned());
                }
            }
        });
    }
    assert_eq!(missing, [""; 0], "public data types without a test of their texts");
    assert!(unseen.is_empty(), "no such types: {unseen:?}");
    assert!(found.len() >= 75, "{} {found:?}", found.len());
}

/// The public types without lifetimes of a source that derive `PartialEq`, with what they derive.
fn compared_types(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#[derive(").skip(1).filter_map(|item| {
        let (derived, rest) = item.split_once(")]")?;
        let head = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '/']))?;
        let head = head.strip_prefix("pub struct ").or(head.strip_prefix("pub enum "))?;
        let name = head.split(|c: char| !c.is_alphanumeric()).next()?;
        let is_compared = derived.split(", ").any(|derived| derived == "PartialEq");
        (is_compared && !head[name.len()..].starts_with('<')).then_some((derived, name))
    })
}

fn for_each_source(folder: &Path, act: &mut dyn FnMut(&str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true if name == "testing" => {}
            true => for_each_source(&path, act),
            false if name.ends_with(".rs") => act(&fs::read_to_string(&path).unwrap()),
            false => {}
        }
    }
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
