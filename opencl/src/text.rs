//! What a caller chooses and asks of a device, as text.

use core::fmt::{Display, Formatter, Result as Written};

use crate::{
    device::{
        caps::{DeviceKind, ImageLimits},
        family::{Family, Level, MaliGeneration},
        floats::IntegerUnits,
    },
    driver::{
        call::{ObjectKind, Role},
        turns::Turns,
    },
    format::{FloatFormat, Precision},
    hint::Hint,
    image::map::Access,
    local::{LocalLimits, LocalSize},
    memory::{
        device::Storage,
        form::MemForm,
        mode::{MemMode, Reason},
        packing::Packing,
        shape::ImageChannels,
    },
    numerics::{Division, Numerics},
    program::log::{AuthorLine, Severity},
    queue::Flush,
    tuner::{candidates::TuneLevel, mode::TuneMode, table::ShapeClass},
    words::named,
};

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
    Hint           "hint"                   { LowPriority "low priority", HighPriority "high priority",
                                              LowMemory "low memory", KeepMemory "kept memory" }
    Access         "kind of access"         { Read "read", Write "write", Overwrite "overwrite" }
    Severity       "severity of a message"  { Error "error", Warning "warning", Note "note" }
    DeviceKind     "kind of device"         { Cpu "cpu", Gpu "gpu", Accelerator "accelerator", Custom "custom" }
    MaliGeneration "generation of Mali"     { Midgard "Midgard", Bifrost "Bifrost", Valhall "Valhall",
                                              FifthGeneration "fifth generation", Unknown "unknown" }
    Level          "level of a device"      { Unknown "unknown", Low "low", Medium "medium", Top "top" }
    Turns "choice of what takes turns (everything, objects or nothing)" { Everything "everything", Objects "objects", Nothing "nothing" }
    MemMode "mode of memory" { Auto "auto", Buffer "buffer", Image "image" }
    Reason "reason for a form of memory" { Asked "asked for", Family "faster on this family", NoImages "no images on this device", TooLarge "too large for an image", Kernel "the kernel reads no images here" }
    Storage "kind of storage" { Static "static", Dynamic "dynamic", Separate "separate" }
    MemForm "form of memory" { Buffer "buffer", Image "image" }
    Packing "packing" { ByEights "by eights", ByFours "by fours", Plain "plain" }
    ImageChannels "number of channels" { One "one", Four "four" }
    TuneMode "mode of tuning (off, load or tune)" { Off "off", Load "load", Tune "tune" }
    TuneLevel "level of tuning" { Fast "fast", Normal "normal", Exhaustive "exhaustive" }
    IntegerUnits "kind of integer units" { Vectors "vectors", Scalars "scalars", ScalarsWithPairs "scalars with pairs" }
    ObjectKind "kind of object" { Context "context", Queue "queue", Memory "memory", Sampler "sampler", Program "program", Kernel "kernel", Event "event", CommandBuffer "command buffer" }
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

/// `16384×8192`.
impl Display for ImageLimits {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{}", self.width, self.height)
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

/// `src/ops.rs:12`.
impl Display for AuthorLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// `1920×1280×1`.
impl Display for ShapeClass {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let [width, height, planes] = self.extents();
        write!(f, "{width}×{height}×{planes}")
    }
}

/// `group 1024, items 1024×64, multiple 32`.
impl Display for LocalLimits {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let LocalLimits { group, items: [x, y], multiple } = self;
        write!(f, "group {group}, items {x}×{y}, multiple {multiple}")
    }
}
