//! Which programs a generated kernel has: over buffers one in each precision, over images one without and one with
//! comparisons for a border's constant.
//!
//! A configured kernel takes the one that it needs; a [`super::Pack`] holds all that a device may be asked for.

use crate::{
    BuildOptions, DeviceCaps, EffectivePrecision, InvalidOption, MemForm, Numerics, Precision, precision::STORES_HALVES,
};

/// A text over images finds a border's constant by comparisons under this macro: a sampler's own constant is all zeros.
const CONSTANT: &str = "WINDROW_CONSTANT";

/// One of a kernel's programs: what it reads, and how its text is built for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramForm {
    /// It reads buffers; their floats are in this precision, none where there are no floats.
    Buffers(Option<Precision>),
    /// It reads images through samplers.
    Images {
        /// Some border's constant has a bit set.
        constant: bool,
    },
}

impl ProgramForm {
    /// Every form.
    pub const ALL: [ProgramForm; 6] = [
        ProgramForm::Buffers(None),
        ProgramForm::Buffers(Some(Precision::F32)),
        ProgramForm::Buffers(Some(Precision::F16Storage)),
        ProgramForm::Buffers(Some(Precision::F16)),
        ProgramForm::Images { constant: false },
        ProgramForm::Images { constant: true },
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            ProgramForm::Buffers(None) => "buffers",
            ProgramForm::Buffers(Some(Precision::F32)) => "buffers, f32",
            ProgramForm::Buffers(Some(Precision::F16Storage)) => "buffers, f16 storage",
            ProgramForm::Buffers(Some(Precision::F16)) => "buffers, f16",
            ProgramForm::Images { constant: false } => "images",
            ProgramForm::Images { constant: true } => "images, constant border",
        }
    }

    /// Returns what a kernel of this form reads: buffers or images.
    pub const fn reads(self) -> MemForm {
        match self {
            ProgramForm::Buffers(_) => MemForm::Buffer,
            ProgramForm::Images { .. } => MemForm::Image,
        }
    }

    /// The forms of a text over `reads` that a device of these caps may be asked for; `constants`: whether a border may be a
    /// constant.
    pub(super) fn of_text(reads: MemForm, text: &str, constants: bool, caps: &DeviceCaps) -> Vec<ProgramForm> {
        let has_floats = text.contains(STORES_HALVES);
        let is_wanted = |form: &ProgramForm| match form {
            ProgramForm::Buffers(None) => !has_floats,
            ProgramForm::Buffers(Some(precision)) => has_floats && precision.on(caps, Numerics::Strict).is_ok(),
            ProgramForm::Images { constant } => caps.images.is_some() && (constants || !constant),
        };
        Self::ALL.into_iter().filter(|form| form.reads() == reads).filter(is_wanted).collect()
    }

    /// The precision that a text over buffers has when it is built with `options`.
    pub(super) fn precision(text: &str, options: &BuildOptions) -> Option<Precision> {
        let adds_nothing = |precision: &Precision| {
            let wanted = ProgramForm::Buffers(Some(*precision)).options();
            wanted.and_then(|wanted| options.clone().and(&wanted)).as_ref() == Ok(options)
        };
        // The least precise one first: its macros are those of the others, and one more.
        let built = || Precision::ALL.into_iter().rev().find(adds_nothing);
        text.contains(STORES_HALVES).then(built).flatten()
    }

    /// What a text is built with for it.
    pub(super) fn options(self) -> Result<BuildOptions, InvalidOption> {
        match self {
            ProgramForm::Buffers(None) | ProgramForm::Images { constant: false } => Ok(BuildOptions::new()),
            ProgramForm::Buffers(Some(precision)) => {
                EffectivePrecision { requested: precision, effective: Some(precision) }.options()
            }
            ProgramForm::Images { constant: true } => BuildOptions::new().flag(&format!("-D{CONSTANT}")),
        }
    }
}

crate::words::named! { ProgramForm, "form of a program", "images"; }

#[cfg(test)]
mod tests;
