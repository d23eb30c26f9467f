//! What a device's floats do to a kernel's results, before anything is built.
//!
//! OpenCL 1.2 leaves denormals, and the rounding of division and square root, to the device. A kernel takes the flag of the
//! build that asks for correct rounding, or else a sequence of its own source. Where neither helps, [`Numerics::Strict`]
//! refuses it and [`Numerics::Relaxed`] runs it; [`EffectiveNumerics`] says what came of it.

use crate::{BuildError, DeviceCaps, FloatSupport};
use serde::{Deserialize, Serialize};

/// What is done where a device can't give the bits of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Numerics {
    /// The kernel is refused.
    #[default]
    Strict,
    /// The kernel runs, and [`EffectiveNumerics`] says how.
    Relaxed,
}

/// Where division and square root of floats come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FloatDivision {
    /// The kernel has none.
    Unused,
    /// The device's, correctly rounded under a flag.
    Flag,
    /// A sequence in the kernel's source, correctly rounded.
    Sequence,
    /// The device's, rounded as it likes: up to 2.5 units in the last place, 3 for the root.
    Device,
}

/// How the floats of a kernel are computed on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveNumerics {
    /// Whether the kernel computes with floats at all. Everything else is exact where it doesn't.
    pub uses_floats: bool,
    /// Denormals are kept.
    pub denormals: bool,
    /// Infinities and NaNs are kept.
    pub infinities_and_nans: bool,
    /// Results round to the nearest, ties to even.
    pub rounds_to_nearest: bool,
    /// Division and square root.
    pub division: FloatDivision,
}

/// The flag for correctly rounded division and square root.
pub(super) const CORRECT_DIVISION: &str = "-cl-fp32-correctly-rounded-divide-sqrt";
/// The flag that lets a device flush denormals.
pub(super) const FLUSH: &str = "-cl-denorms-are-zero";
/// A source that can divide by itself asks for this macro.
pub(super) const DIVIDE: &str = "WINDROW_DIVIDE";
/// At the end of a line whose floats only come near what integers then settle, on any device.
const ESTIMATE: &str = "// estimate";

impl EffectiveNumerics {
    /// Returns how `source` computes on a device of these caps; `flushes`: denormals are flushed on purpose.
    pub fn of(caps: &DeviceCaps, source: &str, flushes: bool) -> Self {
        let floats = caps.floats;
        // The sequence is exact only where the operations in it are.
        let has_sequence = floats.denormals && !flushes && floats.rounds_to_nearest;
        Self::with(floats, caps, source, flushes, has_sequence)
    }

    /// Returns the numerics where floats are computed in halves; where the device can't, nothing is kept.
    ///
    /// What a half keeps is the device's choice (`CL_DEVICE_HALF_FP_CONFIG`: rounding to zero alone, or to the nearest with
    /// infinities and NaNs; denormals or none). Sums, products and `fma` are correctly rounded. Quotients and roots were, in the
    /// full profile, up to OpenCL C 3.0.17; since then a quotient may be off by 1 unit in the last place (3.0.18), a root by 1.5
    /// (3.0.19); in the embedded profile both always might be ("Relative Error as ULPs", the table of half precision). No flag
    /// asks for more, and nothing of a device says which of these it keeps to. So programs divide and take roots of halves in
    /// floats, by the flag for floats or the sequence. Neither meets a denormal float there: the least quotient of halves is
    /// above 2⁻⁴¹.
    pub fn in_halves(caps: &DeviceCaps, source: &str, flushes: bool) -> Self {
        let none =
            FloatSupport { denormals: false, infinities_and_nans: false, rounds_to_nearest: false, ..caps.floats };
        Self::with(caps.half.unwrap_or(none), caps, source, flushes, true)
    }

    fn with(kept: FloatSupport, caps: &DeviceCaps, source: &str, flushes: bool, has_sequence: bool) -> Self {
        Self {
            uses_floats: uses_floats(source),
            denormals: kept.denormals && !flushes,
            infinities_and_nans: kept.infinities_and_nans,
            rounds_to_nearest: kept.rounds_to_nearest,
            division: match (divides(source), caps.floats.correctly_rounded_division) {
                (false, _) => FloatDivision::Unused,
                (true, true) => FloatDivision::Flag,
                (true, false) if has_sequence && source.contains(DIVIDE) => FloatDivision::Sequence,
                (true, false) => FloatDivision::Device,
            },
        }
    }

    /// Returns what is missing for results equal to the reference to the bit.
    pub fn lacks(&self) -> Vec<&'static str> {
        let Self { uses_floats, denormals, infinities_and_nans, rounds_to_nearest, division } = *self;
        let correctly_rounded_division = division != FloatDivision::Device;
        let kept = FloatSupport { denormals, infinities_and_nans, rounds_to_nearest, correctly_rounded_division };
        if uses_floats { kept.lacks(true) } else { Vec::new() }
    }

    /// Returns whether results are equal to the reference to the bit.
    pub fn is_exact(&self) -> bool {
        self.lacks().is_empty()
    }

    /// Refuses what is not exact, where that is asked for.
    pub fn check(&self, numerics: Numerics, device: &str, kernel: &str) -> Result<(), BuildError> {
        let lacks = self.lacks();
        match numerics {
            Numerics::Strict if !lacks.is_empty() => {
                Err(BuildError::Inexact { device: device.to_string(), kernel: kernel.to_string(), lacks })
            }
            Numerics::Strict | Numerics::Relaxed => Ok(()),
        }
    }
}

/// Whether a program computes with floats.
pub(crate) fn uses_floats(source: &str) -> bool {
    code(source).any(|line| line.contains("float"))
}

/// A program whose floats are divided says so at its head: elsewhere a slash divides integers.
fn divides(source: &str) -> bool {
    uses_floats(source)
        && (source.contains(CORRECT_DIVISION) || code(source).any(|line| line.replace("isqrt", "").contains("sqrt")))
}

/// The lines of a program without their comments, and without those that only estimate.
fn code(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().filter(|line| !line.ends_with(ESTIMATE));
    lines.map(|line| line.split("//").next().unwrap_or(line))
}

#[cfg(test)]
mod tests;
