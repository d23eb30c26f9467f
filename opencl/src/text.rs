//! What a caller chooses and asks of a device, as text.

use core::fmt::{Display, Formatter, Result as Written};

use super::{
    Access, AuthorLine, DeviceKind, Division, Fallback, Family, FloatFormat, Flush, Hint, ImageLimits, IntegerUnits,
    Level, LocalLimits, LocalSize, MaliGeneration, Numerics, ObjectKind, Precision, Role, SearchEnd, Severity,
    ShapeClass,
};
use crate::words::named;

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

named! {
    IntegerUnits, "kind of integer units", "vectors";
    ObjectKind, "kind of object", "queue";
}
