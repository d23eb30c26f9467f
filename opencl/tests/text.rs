//! The texts of what is asked of devices, and told of them.

use core::{
    fmt::{Debug, Display},
    str::FromStr,
};
use windrow_opencl::{
    Access, AuthorLine, BuildOptions, Call, Candidate, DeviceChoice, DeviceKind, Digest, Division as FloatDivision,
    EffectiveNumerics, EffectivePrecision, Fallback, Family, FloatFormat, FloatSupport, Flush, Hint, ImageChannels,
    ImageLimits, ImageShape, IntegerUnits, Level, LocalLimits, LocalSize, MaliGeneration, MemForm, MemMode, Numerics,
    ObjectKind, Packing, PoolCounters, Precision, ProgramForm, QueueOptions, Reason, Role, SearchEnd, Severity,
    ShapeClass, Stamps, Storage, Tensor4, TuneLevel, TuneMode, Turns, WasteBound,
};
use windrow_runtime::ElementType;

#[test]
fn closed_enums_of_devices() {
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
    all(ProgramForm::ALL);
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

/// Every value comes back; any text may be one of them.
fn each<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>)
where
    T::Err: Debug,
{
    values.into_iter().for_each(round_trip);
}

#[test]
fn what_is_asked_of_devices() {
    let kinds = DeviceKind::ALL.into_iter().flat_map(|kind| [DeviceChoice::Prefer(kind), DeviceChoice::Only(kind)]);
    each(kinds.chain([
        DeviceChoice::Index(3),
        DeviceChoice::Exact { platform: 1, device: 0 },
        DeviceChoice::Name("Mali-G76".into()),
    ]));
    let generations = MaliGeneration::ALL.map(Family::Mali);
    let makers = [Family::Nvidia, Family::Amd, Family::Intel, Family::Cpu, Family::Other];
    each(generations.into_iter().chain(makers).chain([0, 640].map(|model| Family::Adreno { model })));
    each([ImageLimits { width: 16384, height: 8192 }]);
    each(["", "-DA=1 -DB -w"].map(|text| BuildOptions::parse(text).unwrap()));
    each([Digest::of(b"a kernel")]);
    each([AuthorLine { file: "C:/src/ops.rs".into(), line: 12 }]);
    each([Stamps { queued: 1, submitted: 22, started: 333, ended: u64::MAX }]);
    each([LocalSize::Driver, LocalSize::Fixed(16, 4)].map(|local| Candidate { schedule: 2, local }));
    each([LocalLimits { group: 1024, items: [1024, 64], multiple: 32 }]);
    each(
        [[1920, 1080, 3], [1, 1, 1], [5000, 7, 40]]
            .map(|[width, height, planes]| ShapeClass::of(width, height, planes)),
    );
    assert!("1921×1080×1".parse::<ShapeClass>().is_err(), "no side of a class");
    let flushes = [Flush::EachLaunch, Flush::Every(4), Flush::OnWait];
    each(flushes.map(|flush| QueueOptions { out_of_order: true, profiling: false, flush }));
    each(FloatDivision::ALL.map(|division| EffectiveNumerics {
        uses_floats: true,
        denormals: false,
        infinities_and_nans: true,
        rounds_to_nearest: false,
        division,
    }));
    each(Call::ALL.iter().map(|call| call.role()));
}

fn round_trip<T: Display + FromStr + PartialEq + Debug>(value: T)
where
    T::Err: Debug,
{
    let text = value.to_string();
    assert_eq!(text.parse::<T>().ok(), Some(value), "`{text}`");
}

/// Every value comes back, and what is none of them is refused.
fn all<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>)
where
    T::Err: Debug,
{
    values.into_iter().for_each(round_trip);
    assert!("none of them".parse::<T>().is_err());
}
