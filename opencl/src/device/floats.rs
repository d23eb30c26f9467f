//! What a device's floats and integers are.

use crate::{
    Driver,
    driver::{ids::DeviceId, platform::number},
};
use opencl3::device::{
    CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
    CL_FP_DENORM, CL_FP_INF_NAN, CL_FP_ROUND_TO_NEAREST,
};
use serde::{Deserialize, Serialize};
use windrow_runtime::code::OpenClForm;

/// What a device computes integers of 8 and 16 bits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntegerUnits {
    /// Vectors of narrow lanes.
    Vectors,
    /// Scalars of 32 bits.
    Scalars,
    /// The same, with the least and the greatest of two halves (NVIDIA, from compute capability 9 on).
    ScalarsWithPairs,
}

/// What floats of one precision keep on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloatSupport {
    /// Denormals are not flushed to zero.
    pub denormals: bool,
    /// Infinities and NaNs are kept.
    pub infinities_and_nans: bool,
    /// Results round to the nearest, ties to even.
    pub rounds_to_nearest: bool,
    /// Division and square root can be correctly rounded, under a flag of the build.
    pub correctly_rounded_division: bool,
}

impl IntegerUnits {
    /// The form of a kernel that computes fastest, the best first.
    pub(crate) fn forms(self) -> &'static [OpenClForm] {
        match self {
            Self::Vectors => &[OpenClForm::Vectors],
            Self::Scalars => &[OpenClForm::Pairs, OpenClForm::Vectors],
            Self::ScalarsWithPairs => &[OpenClForm::Pairs, OpenClForm::ComparedPairs, OpenClForm::Vectors],
        }
    }

    /// A device that does not answer computes as most do.
    pub(super) fn ask(driver: &Driver, id: DeviceId) -> Self {
        let number = |name| number(&driver.device_info(id, name).ok()?);
        match (number(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR), number(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)) {
            (Some(1), Some(9..)) => Self::ScalarsWithPairs,
            (Some(1), _) => Self::Scalars,
            (_, _) => Self::Vectors,
        }
    }
}

impl FloatSupport {
    /// Everything that IEEE 754 asks.
    pub const IEEE: Self =
        Self { denormals: true, infinities_and_nans: true, rounds_to_nearest: true, correctly_rounded_division: true };

    /// Returns what is missing for results equal to the reference to the bit; `divides`: where a kernel divides or
    /// takes a square root.
    pub fn lacks(self, divides: bool) -> Vec<&'static str> {
        let rules = [
            (self.denormals, "denormals"),
            (self.infinities_and_nans, "infinities and NaNs"),
            (self.rounds_to_nearest, "rounding to nearest"),
            (self.correctly_rounded_division || !divides, "correctly rounded division"),
        ];
        rules.into_iter().filter(|(kept, _)| !kept).map(|(_, rule)| rule).collect()
    }

    pub(super) fn from_bits(bits: u64) -> Self {
        Self {
            denormals: bits & CL_FP_DENORM != 0,
            infinities_and_nans: bits & CL_FP_INF_NAN != 0,
            rounds_to_nearest: bits & CL_FP_ROUND_TO_NEAREST != 0,
            correctly_rounded_division: bits & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        }
    }
}
