//! The choice of a device.

use crate::{Device, DeviceKind, Devices, OpenClError};
use std::fmt;

/// The environment variable that [`Devices::choose`] reads.
pub const DEVICE_VARIABLE: &str = "WINDROW_OPENCL_DEVICE";

/// Which device is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The first of this kind; the first of all where there is none.
    Prefer(DeviceKind),
    /// The first of this kind, and no other.
    Only(DeviceKind),
    /// A device of a platform, both counted from 0.
    Exact {
        /// Which platform.
        platform: usize,
        /// Which of its devices.
        device: usize,
    },
    /// The device at this place in the list of all.
    Index(usize),
    /// The first device whose name or platform holds this text, whatever the case.
    Name(String),
}

impl Devices {
    /// Returns the device that is wanted. One that isn't there is an error, never another device.
    pub fn pick(&self, choice: &DeviceChoice) -> Result<&Device, OpenClError> {
        let first_of = |kind: DeviceKind| self.iter().find(|device| device.kind == kind);
        let found = match choice {
            DeviceChoice::Prefer(kind) => first_of(*kind).or_else(|| self.iter().next()),
            DeviceChoice::Only(kind) => first_of(*kind),
            DeviceChoice::Exact { platform, device } => {
                self.iter().find(|one| (one.platform_index, one.device_index) == (*platform, *device))
            }
            DeviceChoice::Index(index) => self.iter().nth(*index),
            DeviceChoice::Name(part) => {
                let wanted = part.to_lowercase();
                self.iter().find(|device| device.to_string().to_lowercase().contains(&wanted))
            }
        };
        found.ok_or_else(|| OpenClError::NotFound {
            wanted: choice.to_string(),
            available: self.iter().map(|device| format!("{}: {device}", device.index)).collect(),
        })
    }

    /// Returns the device that `WINDROW_OPENCL_DEVICE` names (see [`DeviceChoice::parse`]); the first one
    /// without it.
    pub fn choose(&self) -> Result<&Device, OpenClError> {
        match std::env::var(DEVICE_VARIABLE) {
            Ok(wanted) if !wanted.is_empty() => self.pick(&DeviceChoice::parse(&wanted)),
            Ok(_) | Err(_) => self.by_index(0),
        }
    }

    /// Returns the first device whose name or platform holds `part`, whatever the case.
    pub fn by_name(&self, part: &str) -> Result<&Device, OpenClError> {
        self.pick(&DeviceChoice::Name(part.to_string()))
    }

    /// Returns the device at `index`.
    pub fn by_index(&self, index: usize) -> Result<&Device, OpenClError> {
        self.pick(&DeviceChoice::Index(index))
    }
}

impl DeviceChoice {
    /// Returns what a user writes: an index, `platform:device`, `prefer gpu`, `only gpu`, or a part of a name.
    ///
    /// ```
    /// use windrow::opencl::{DeviceChoice, DeviceKind};
    ///
    /// assert_eq!(DeviceChoice::parse("2"), DeviceChoice::Index(2));
    /// assert_eq!(DeviceChoice::parse("1:0"), DeviceChoice::Exact { platform: 1, device: 0 });
    /// assert_eq!(DeviceChoice::parse("prefer gpu"), DeviceChoice::Prefer(DeviceKind::Gpu));
    /// assert_eq!(DeviceChoice::parse("mali"), DeviceChoice::Name("mali".into()));
    /// ```
    pub fn parse(text: &str) -> Self {
        let exact = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let kind = |word: &str| text.strip_prefix(word)?.strip_prefix(' ')?.parse().ok();
        match (text.parse(), exact) {
            (Ok(index), _) => Self::Index(index),
            (Err(_), Some((platform, device))) => Self::Exact { platform, device },
            (Err(_), None) => {
                let of_kind = kind("prefer").map(Self::Prefer).or_else(|| kind("only").map(Self::Only));
                of_kind.unwrap_or_else(|| Self::Name(text.to_string()))
            }
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefer(kind) => write!(f, "prefer {kind}"),
            Self::Only(kind) => write!(f, "only {kind}"),
            Self::Exact { platform, device } => write!(f, "{platform}:{device}"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}
