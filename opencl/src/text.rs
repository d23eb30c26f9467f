//! What a caller chooses and asks of a device, as text.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use std::{borrow::ToOwned, convert::Infallible};

use super::{
    Access, AuthorLine, BuildOptions, Call, Candidate, DeviceChoice, DeviceKind, Division, EffectiveNumerics, Fallback,
    Family, FloatFormat, FloatSupport, Flush, Hint, ImageLimits, IntegerUnits, InvalidOption, Level, LocalLimits,
    LocalSize, MaliGeneration, Numerics, ObjectKind, Precision, QueueOptions, Role, SearchEnd, Severity, ShapeClass,
    Stamps,
};
use crate::words::{fields, keyed, named, parts};
use windrow_runtime::InvalidText;

/// Closed enums by names: `ALL`, `name`, `Display` and `FromStr`.
macro_rules! words {
    ($($ty:ident $what:literal { $first:ident $example:literal $(, $variant:ident $name:literal)* })*) => {$(
        impl $ty {
            /// Every one, in the order of declaration.
            pub const ALL: [Self; [$example $(, $name)*].len()] = [Self::$first $(, Self::$variant)*];

            /// As it is written.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$first => $example,
                    $(Self::$variant => $name,)*
                }
            }
        }

        named! { $ty, $what, $example; }
    )*};
}

words! {
    Numerics       "kind of numerics"       { Strict "strict", Relaxed "relaxed" }
    Division       "kind of division"       { Unused "unused", Flag "flag", Sequence "sequence", Device "device" }
    Precision      "precision"              { F32 "f32", F16Storage "f16 storage", F16 "f16" }
    FloatFormat    "format of floats"       { F32 "f32", F16 "f16" }
    Fallback       "fallback"               { Never "never", Processor "processor" }
    Hint           "hint"                   { LowPriority "low priority", HighPriority "high priority",
                                              LowMemory "low memory", KeepMemory "kept memory" }
    Access         "kind of access"         { Read "read", Write "write", Overwrite "overwrite" }
    Severity       "severity of a message"  { Error "error", Warning "warning", Note "note" }
    DeviceKind     "kind of device"         { Cpu "cpu", Gpu "gpu", Accelerator "accelerator", Custom "custom" }
    MaliGeneration "generation of Mali"     { Midgard "Midgard", Bifrost "Bifrost", Valhall "Valhall",
                                              FifthGeneration "fifth generation", Unknown "unknown" }
    Level          "level of a device"      { Unknown "unknown", Low "low", Medium "medium", Top "top" }
    SearchEnd      "end of a search"        { Complete "complete", Launches "launches", Time "time" }
}

/// `driver`, or `16×4`.
impl Display for LocalSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            LocalSize::Driver => f.write_str("driver"),
            LocalSize::Fixed(x, y) => write!(f, "{x}×{y}"),
        }
    }
}

impl FromStr for LocalSize {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<LocalSize, InvalidText> {
        let read = || match text {
            "driver" => Some(LocalSize::Driver),
            size => {
                let [x, y] = parts(size, "×")?;
                Some(LocalSize::Fixed(x.parse().ok()?, y.parse().ok()?))
            }
        };
        read().ok_or(InvalidText::new("size of work-groups", "16×4"))
    }
}

impl IntegerUnits {
    /// Every kind.
    pub const ALL: [IntegerUnits; 3] = [IntegerUnits::Vectors, IntegerUnits::Scalars, IntegerUnits::ScalarsWithPairs];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            IntegerUnits::Vectors => "vectors",
            IntegerUnits::Scalars => "scalars",
            IntegerUnits::ScalarsWithPairs => "scalars with pairs",
        }
    }
}

impl ObjectKind {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectKind::Context => "context",
            ObjectKind::Queue => "queue",
            ObjectKind::Memory => "memory",
            ObjectKind::Sampler => "sampler",
            ObjectKind::Program => "program",
            ObjectKind::Kernel => "kernel",
            ObjectKind::Event => "event",
            ObjectKind::CommandBuffer => "command buffer",
        }
    }
}

/// `create queue`: what is done, and with what, where it is done with an object.
impl Display for Role {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            Role::Query => f.write_str("query"),
            Role::Create(kind) => write!(f, "create {kind}"),
            Role::Retain(kind) => write!(f, "retain {kind}"),
            Role::Release(kind) => write!(f, "release {kind}"),
            Role::Build => f.write_str("build"),
            Role::Set => f.write_str("set"),
            Role::Transfer => f.write_str("transfer"),
            Role::Copy => f.write_str("copy"),
            Role::Launch => f.write_str("launch"),
            Role::Order => f.write_str("order"),
        }
    }
}

impl FromStr for Role {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Role, InvalidText> {
        let with_object = || {
            let (verb, kind) = text.split_once(' ')?;
            let kind = kind.parse().ok()?;
            match verb {
                "create" => Some(Role::Create(kind)),
                "retain" => Some(Role::Retain(kind)),
                "release" => Some(Role::Release(kind)),
                _ => None,
            }
        };
        let found = match text {
            "query" => Some(Role::Query),
            "build" => Some(Role::Build),
            "set" => Some(Role::Set),
            "transfer" => Some(Role::Transfer),
            "copy" => Some(Role::Copy),
            "launch" => Some(Role::Launch),
            "order" => Some(Role::Order),
            _ => with_object(),
        };
        found.ok_or(InvalidText::new("role of a call", "create queue"))
    }
}

/// The name of the C function.
impl FromStr for Call {
    type Err = InvalidText;

    fn from_str(name: &str) -> Result<Call, InvalidText> {
        let call = Call::ALL.iter().find(|call| call.name() == name);
        call.copied().ok_or(InvalidText::new("function of OpenCL", "clFlush"))
    }
}

/// `each launch`, `every 4 launches` or `on wait`.
impl Display for Flush {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            Flush::EachLaunch => f.write_str("each launch"),
            Flush::Every(count) => write!(f, "every {count} launches"),
            Flush::OnWait => f.write_str("on wait"),
        }
    }
}

impl FromStr for Flush {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Flush, InvalidText> {
        let count = || keyed(text, "every")?.strip_suffix(" launches")?.parse().ok();
        let found = match text {
            "each launch" => Some(Flush::EachLaunch),
            "on wait" => Some(Flush::OnWait),
            _ => count().map(Flush::Every),
        };
        found.ok_or(InvalidText::new("choice of when commands go to the device", "each launch"))
    }
}

/// `16384×8192`.
impl Display for ImageLimits {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{}", self.width, self.height)
    }
}

impl FromStr for ImageLimits {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<ImageLimits, InvalidText> {
        let read = || {
            let [width, height] = parts(text, "×")?;
            Some(ImageLimits { width: width.parse().ok()?, height: height.parse().ok()? })
        };
        read().ok_or(InvalidText::new("greatest size of images", "16384×16384"))
    }
}

/// `Mali Bifrost`, `Adreno 640`, `NVIDIA`, …
impl Display for Family {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            Family::Mali(generation) => write!(f, "Mali {generation}"),
            Family::Adreno { model } => write!(f, "Adreno {model}"),
            Family::Nvidia => f.write_str("NVIDIA"),
            Family::Amd => f.write_str("AMD"),
            Family::Intel => f.write_str("Intel"),
            Family::Cpu => f.write_str("processor"),
            Family::Other => f.write_str("other"),
        }
    }
}

impl FromStr for Family {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Family, InvalidText> {
        let mali = || keyed(text, "Mali")?.parse().ok().map(Family::Mali);
        let adreno = || Some(Family::Adreno { model: keyed(text, "Adreno")?.parse().ok()? });
        let found = match text {
            "NVIDIA" => Some(Family::Nvidia),
            "AMD" => Some(Family::Amd),
            "Intel" => Some(Family::Intel),
            "processor" => Some(Family::Cpu),
            "other" => Some(Family::Other),
            _ => mali().or_else(adreno),
        };
        found.ok_or(InvalidText::new("family of devices", "Adreno 640"))
    }
}

/// [`DeviceChoice::parse`]: any text is one.
impl FromStr for DeviceChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<DeviceChoice, Infallible> {
        Ok(DeviceChoice::parse(text))
    }
}

/// [`BuildOptions::parse`].
impl FromStr for BuildOptions {
    type Err = InvalidOption;

    fn from_str(text: &str) -> Result<BuildOptions, InvalidOption> {
        BuildOptions::parse(text)
    }
}

/// `src/ops.rs:12`.
impl Display for AuthorLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl FromStr for AuthorLine {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<AuthorLine, InvalidText> {
        let read = || {
            let (file, line) = text.rsplit_once(':')?;
            Some(AuthorLine { file: file.to_owned(), line: line.parse().ok()? })
        };
        read().ok_or(InvalidText::new("author's line", "src/ops.rs:12"))
    }
}

/// `1920×1280×1`.
impl Display for ShapeClass {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let [width, height, planes] = self.extents();
        write!(f, "{width}×{height}×{planes}")
    }
}

/// Only sides that a class has: a shape is put into its class by [`ShapeClass::of`].
impl FromStr for ShapeClass {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<ShapeClass, InvalidText> {
        let read = || {
            let [width, height, planes] = parts(text, "×")?;
            let sides: [usize; 3] = [width.parse().ok()?, height.parse().ok()?, planes.parse().ok()?];
            let class = ShapeClass::of(sides[0], sides[1], sides[2]);
            (class.extents() == sides.map(|side| side as u64)).then_some(class)
        };
        read().ok_or(InvalidText::new("class of shapes", "1920×1280×1"))
    }
}

/// `group 1024, items 1024×64, multiple 32`.
impl Display for LocalLimits {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let LocalLimits { group, items: [x, y], multiple } = self;
        write!(f, "group {group}, items {x}×{y}, multiple {multiple}")
    }
}

impl FromStr for LocalLimits {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<LocalLimits, InvalidText> {
        let read = || {
            let [group, items, multiple] = parts(text, ",")?;
            let [x, y] = parts(keyed(items, "items")?, "×")?;
            Some(LocalLimits {
                group: keyed(group, "group")?.parse().ok()?,
                items: [x.parse().ok()?, y.parse().ok()?],
                multiple: keyed(multiple, "multiple")?.parse().ok()?,
            })
        };
        read().ok_or(InvalidText::new("limit of work-groups", "group 1024, items 1024×64, multiple 32"))
    }
}

named! {
    IntegerUnits, "kind of integer units", "vectors";
    ObjectKind, "kind of object", "queue";
}
fields! {
    QueueOptions { out_of_order, profiling, flush },
    "choice for a queue",
    "out_of_order false, profiling true, flush each launch";
    EffectiveNumerics { uses_floats, denormals, infinities_and_nans, rounds_to_nearest, division },
    "report of numerics",
    "uses_floats true, denormals true, infinities_and_nans true, rounds_to_nearest true, division flag";
    Stamps { queued, submitted, started, ended },
    "list of a launch's times",
    "queued 0, submitted 10, started 20, ended 50";
    Candidate { schedule, local },
    "candidate of a tuner",
    "schedule 1, local 16×4";
    FloatSupport { denormals, infinities_and_nans, rounds_to_nearest, correctly_rounded_division },
    "support of floats",
    "denormals true, infinities_and_nans true, rounds_to_nearest true, correctly_rounded_division false";
}
