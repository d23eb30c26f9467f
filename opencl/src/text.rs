//! What a caller chooses and asks of a device, as text.

use core::fmt::{Display, Formatter, Result as Written};

use crate::{
    AuthorLine, DeviceFamily, DeviceKind, FloatDivision, FloatFormat, Hint, ImageChannels, IntegerUnits, Level,
    LocalSize, MaliGeneration, MapAccess, MemForm, MemFormReason, MemMode, Numerics, ObjectKind, Packing, Precision,
    SerialisedCalls, Severity, Storage, TuneLevel, TuneMode, words::named,
};

/// Closed enums by names: `ALL`, `name`, `Display` and `FromStr`.
macro_rules! words {
    ($($ty:ident $what:literal { $first:ident $example:literal $(, $variant:ident $name:literal)* })*) => {$(
        impl $ty {
            /// Every one, in the order of declaration.
            pub const ALL: [Self; [$example $(, $name)*].len()] = [Self::$first $(, Self::$variant)*];

            /// Returns the name, as it is written.
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
    FloatDivision       "kind of division"       { Unused "unused", Flag "flag", Sequence "sequence", Device "device" }
    Precision      "precision"              { F32 "f32", F16Storage "f16 storage", F16 "f16" }
    FloatFormat    "format of floats"       { F32 "f32", F16 "f16" }
    Hint           "hint"                   { LowPriority "low priority", HighPriority "high priority",
                                              LowMemory "low memory", KeepMemory "kept memory" }
    MapAccess         "kind of access"         { Read "read", Write "write", Overwrite "overwrite" }
    Severity       "severity of a message"  { Error "error", Warning "warning", Note "note" }
    DeviceKind     "kind of device"         { Cpu "cpu", Gpu "gpu", Accelerator "accelerator", Custom "custom" }
    MaliGeneration "generation of Mali"     { Midgard "Midgard", Bifrost "Bifrost", Valhall "Valhall",
                                              FifthGeneration "fifth generation", Unknown "unknown" }
    Level          "level of a device"      { Unknown "unknown", Low "low", Medium "medium", Top "top" }
    SerialisedCalls "choice of what takes serialised (everything, objects or nothing)" { Everything "everything", Objects "objects", Nothing "nothing" }
    MemMode "mode of memory" { Auto "auto", Buffer "buffer", Image "image" }
    MemFormReason "reason for a form of memory" { Asked "asked for", Family "faster on this family", NoImages "no images on this device", TooLarge "too large for an image", Kernel "the kernel reads no images here" }
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

/// `Mali Bifrost`, `Adreno 640`, `NVIDIA`, …
impl Display for DeviceFamily {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            DeviceFamily::Mali(generation) => write!(f, "Mali {generation}"),
            DeviceFamily::Adreno { model } => write!(f, "Adreno {model}"),
            DeviceFamily::Nvidia => f.write_str("NVIDIA"),
            DeviceFamily::Amd => f.write_str("AMD"),
            DeviceFamily::Intel => f.write_str("Intel"),
            DeviceFamily::Cpu => f.write_str("processor"),
            DeviceFamily::Other => f.write_str("other"),
        }
    }
}

/// `src/ops.rs:12`.
impl Display for AuthorLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}:{}", self.file, self.line)
    }
}
