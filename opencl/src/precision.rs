//! In how many bits a kernel's floats lie in a device's memory, and are computed.
//!
//! The language has no half-precision type: a [`Precision`] is asked for where a kernel of `f32` images is built for a
//! device, and its program is built by macros of its own. Images on the device then hold halves, and say so
//! ([`FloatFormat`]); the host's images, uniforms and tables stay as they are, and integers everywhere. A device that can't
//! compute in halves stores in them: [`EffectivePrecision`] says what there is.

use crate::{
    BuildError, BuildOptions, DeviceCaps, EffectiveNumerics, FloatFormat, InvalidOption, MissingFeature, Numerics,
    Precision,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A source whose images hold floats asks for this macro; under it, they hold halves.
pub(super) const STORES_HALVES: &str = "WINDROW_F16_STORAGE";
/// Under this one beside it, the source computes in halves.
pub(super) const COMPUTES_HALVES: &str = "WINDROW_F16";

/// A precision that was asked for, and the one in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EffectivePrecision {
    /// What was asked for.
    pub requested: Precision,
    /// What there is; none for a kernel whose images hold no floats: it is the same in every precision.
    pub effective: Option<Precision>,
}

impl Precision {
    /// Returns the precision on a device of these caps: where it can't compute in 16 bits it stores in them and
    /// computes in 32. Under [`Numerics::Strict`] another precision than the one asked for is an error.
    pub fn on(self, caps: &DeviceCaps, numerics: Numerics) -> Result<EffectivePrecision, BuildError> {
        let effective = match self {
            Self::F16 if caps.half.is_none() => Self::F16Storage,
            Self::F32 | Self::F16Storage | Self::F16 => self,
        };
        if numerics == Numerics::Strict && effective != self {
            return Err(MissingFeature::new(&*caps.name, "arithmetic in half precision").into());
        }
        Ok(EffectivePrecision { requested: self, effective: Some(effective) })
    }

    /// The same for a program's text: one whose images hold no floats has none.
    pub(super) fn of_text(
        self,
        text: &str,
        caps: &DeviceCaps,
        numerics: Numerics,
    ) -> Result<EffectivePrecision, BuildError> {
        match text.contains(STORES_HALVES) {
            true => self.on(caps, numerics),
            false => Ok(EffectivePrecision { requested: self, effective: None }),
        }
    }
}

impl EffectivePrecision {
    /// Returns how floats of images lie in the device's memory.
    pub const fn format(self) -> FloatFormat {
        match self.effective {
            Some(Precision::F16Storage | Precision::F16) => FloatFormat::F16,
            Some(Precision::F32) | None => FloatFormat::F32,
        }
    }

    /// Returns what a program is built with.
    pub fn options(self) -> Result<BuildOptions, InvalidOption> {
        let macros: &[&str] = match self.effective {
            Some(Precision::F32) | None => &[],
            Some(Precision::F16Storage) => &[STORES_HALVES],
            Some(Precision::F16) => &[STORES_HALVES, COMPUTES_HALVES],
        };
        macros.iter().try_fold(BuildOptions::new(), |options, name| options.flag(&format!("-D{name}")))
    }

    /// How floats are computed on a device of these caps.
    pub(super) fn numerics(self, caps: &DeviceCaps, source: &str, flushes: bool) -> EffectiveNumerics {
        match self.effective {
            Some(Precision::F16) => EffectiveNumerics::in_halves(caps, source, flushes),
            Some(Precision::F32 | Precision::F16Storage) | None => EffectiveNumerics::of(caps, source, flushes),
        }
    }
}

/// `f16, in effect f16 storage`.
impl fmt::Display for EffectivePrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.effective {
            Some(effective) if effective == self.requested => write!(f, "{effective}"),
            Some(effective) => write!(f, "{}, in effect {effective}", self.requested),
            None => write!(f, "{}, not applicable: no image holds floats", self.requested),
        }
    }
}

#[cfg(test)]
mod tests;
