//! Which GPU a device is, from the texts that its driver gives.

use crate::{DeviceCaps, DeviceKind};
use serde::{Deserialize, Serialize};

/// Who made a device, and which of theirs it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeviceFamily {
    /// Arm's GPUs.
    Mali(MaliGeneration),
    /// Qualcomm's GPUs; the number is 0 where the driver doesn't say it.
    Adreno {
        /// 640 for an Adreno 640.
        model: u32,
    },
    /// NVIDIA's GPUs.
    Nvidia,
    /// AMD's GPUs.
    Amd,
    /// Intel's GPUs.
    Intel,
    /// A driver for the host's processor, as PoCL is.
    Cpu,
    /// Anything else.
    Other,
}

/// The generations of Arm's GPUs, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MaliGeneration {
    /// Mali-T600 to T880: vectors of 128 bits.
    Midgard,
    /// Mali-G31 to G76: scalars in warps.
    Bifrost,
    /// Mali-G57 to G715.
    Valhall,
    /// Mali-G620 and later, Immortalis-G720 and later.
    FifthGeneration,
    /// One that is newer than this table, or gives no number.
    Unknown,
}

/// How strong a device is among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Nothing is known.
    Unknown,
    /// Small: few threads hide little latency.
    Low,
    /// In between.
    Medium,
    /// Large.
    Top,
}

/// Returns a device's family and level. It looks at the texts of `caps` and nothing else.
pub fn classify(caps: &DeviceCaps) -> (DeviceFamily, Level) {
    let (name, vendor) = (caps.name.to_lowercase(), caps.vendor.to_lowercase());
    if caps.kind == DeviceKind::Cpu {
        return (DeviceFamily::Cpu, Level::Unknown);
    }
    if name.contains("mali") || name.contains("immortalis") {
        return mali(&name);
    }
    if name.contains("adreno") || vendor.contains("qualcomm") {
        // The number stands in the name, or at the end of the version.
        let model = number_after(&name, "adreno").or_else(|| number_after(&caps.version.to_lowercase(), "adreno"));
        return adreno(model.unwrap_or(0));
    }
    if vendor.contains("nvidia") || name.contains("nvidia") {
        return (DeviceFamily::Nvidia, Level::Top);
    }
    if vendor.contains("advanced micro devices") || vendor.contains("amd") || name.contains("radeon") {
        return (DeviceFamily::Amd, Level::Top);
    }
    if vendor.contains("intel") {
        return (DeviceFamily::Intel, Level::Medium);
    }
    (DeviceFamily::Other, Level::Unknown)
}

fn adreno(model: u32) -> (DeviceFamily, Level) {
    let level = match model {
        0 => Level::Unknown,
        1..540 => Level::Low,
        540..600 => Level::Medium,
        600.. => Level::Top,
    };
    (DeviceFamily::Adreno { model }, level)
}

fn mali(name: &str) -> (DeviceFamily, Level) {
    use MaliGeneration::{Bifrost, FifthGeneration, Midgard, Unknown, Valhall};
    let midgard = number_after(name, "mali-t");
    let model = number_after(name, "mali-g").or_else(|| number_after(name, "immortalis-g"));
    let (generation, level) = match (midgard, model) {
        (Some(model), _) => (Midgard, if model >= 860 { Level::Medium } else { Level::Low }),
        (None, Some(31 | 51 | 52)) => (Bifrost, Level::Low),
        (None, Some(71 | 72)) => (Bifrost, Level::Medium),
        (None, Some(76)) => (Bifrost, Level::Top),
        (None, Some(57 | 68 | 310 | 510)) => (Valhall, Level::Medium),
        (None, Some(77 | 78 | 610 | 615 | 710 | 715)) => (Valhall, Level::Top),
        (None, Some(model)) if model >= 620 => (FifthGeneration, Level::Top),
        (None, Some(_) | None) => (Unknown, Level::Unknown),
    };
    (DeviceFamily::Mali(generation), level)
}

/// The number behind `mark`, after anything but digits and letters (and after `(tm)`).
fn number_after(text: &str, mark: &str) -> Option<u32> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let rest = rest.replace("(tm)", "");
    let digits = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
