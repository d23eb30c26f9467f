//! The names of precisions, and of the formats of floats in memory.

use serde::{Deserialize, Serialize};
use windrow_runtime::dtype::DType;

/// How floats are stored and computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Precision {
    /// In 32 bits.
    #[default]
    F32,
    /// Stored in 16 bits, computed with in 32. Every device can.
    F16Storage,
    /// In 16 bits.
    F16,
}

/// How floats lie in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum FloatFormat {
    /// In 32 bits, as the host has them.
    #[default]
    F32,
    /// In 16 bits: IEEE 754 binary16.
    F16,
}

impl FloatFormat {
    /// The format of an image of these elements: one of integers is as the host has it.
    pub(super) fn of(self, dtype: impl Into<DType>) -> Self {
        if dtype.into() == DType::F32 { self } else { FloatFormat::F32 }
    }

    /// Bytes on the device of what takes `single` bytes where floats have 32 bits.
    pub(super) const fn bytes(self, single: usize) -> usize {
        match self {
            FloatFormat::F32 => single,
            FloatFormat::F16 => single / 2,
        }
    }
}
