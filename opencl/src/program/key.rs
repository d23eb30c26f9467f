//! What a built program depends on, all of it.

use crate::{BuildOptions, DeviceIdentity, Digest};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The source, the options, the device with its driver and compiler. Equal keys, equal programs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProgramKey {
    /// The SHA-256 of the source.
    pub source: Digest,
    /// The options, in their canonical order.
    pub options: String,
    /// Where it was built.
    pub device: DeviceIdentity,
}

impl ProgramKey {
    /// Returns the key of a source under options on a device.
    pub fn new(source: &str, options: &BuildOptions, device: &DeviceIdentity) -> Self {
        Self { source: Digest::of(source.as_bytes()), options: options.to_string(), device: device.clone() }
    }

    /// Returns one name for all of it.
    pub fn digest(&self) -> Digest {
        let device = self.device.fields().map(|(_, value)| value.as_bytes());
        Digest::of_parts([self.source.bytes().as_slice(), self.options.as_bytes()].into_iter().chain(device))
    }

    /// Returns why a program of the key `found` is not the wanted one.
    pub fn mismatch(&self, found: &ProgramKey) -> Option<Mismatch> {
        if self.source != found.source {
            return Some(Mismatch::Source);
        }
        if self.options != found.options {
            return Some(Mismatch::Options { expected: self.options.clone(), found: found.options.clone() });
        }
        let mut pairs = self.device.fields().into_iter().zip(found.device.fields());
        let ((field, expected), (_, found)) = pairs.find(|((_, expected), (_, found))| expected != found)?;
        Some(Mismatch::Device { field, expected: expected.to_owned(), found: found.to_owned() })
    }
}

/// The first part in which two keys differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum Mismatch {
    /// The source.
    Source,
    /// The options.
    Options { expected: String, found: String },
    /// The device, its driver or its compiler.
    Device {
        /// Which field of its identity.
        field: &'static str,
        expected: String,
        found: String,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source => f.write_str("another source"),
            Self::Options { expected, found } => write!(f, "options `{found}`, here `{expected}`"),
            Self::Device { field, expected, found } => write!(f, "{field} `{found}`, here `{expected}`"),
        }
    }
}

#[cfg(test)]
mod tests;
