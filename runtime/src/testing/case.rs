//! One case: everything that decides what is run, and the id that names it.
//!
//! An id reads `gaussian3x3::neon::replicate::17x5::random`; what is usual is left out of it. All random contents
//! follow from the id, so the id alone replays the case.

use super::target::Target;
use crate::{border::BorderMode, spec::KernelSpec};
use std::{string::String, vec::Vec};
use windrow_reference::testing::{Data, Random};

/// The environment variable that holds the id of the case to run, or the start of several.
pub const CASE_VARIABLE: &str = "WINDROW_CASE";

/// How an image lies in its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Without gaps, its end at a guard page.
    Dense,
    /// Without gaps, its start at a guard page.
    Front,
    /// Rows further apart than they are long, the end of the last at a guard page.
    Padded,
    /// A region of a larger image.
    Region,
}

impl Layout {
    pub(super) const ALL: [Self; 4] = [Self::Dense, Self::Front, Self::Padded, Self::Region];

    const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Front => "front",
            Self::Padded => "padded",
            Self::Region => "region",
        }
    }
}

/// How the window is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// At once.
    Whole,
    /// Cut into (columns, rows) of sub-windows, one after the other, the last first; each must stay inside itself.
    Split(usize, usize),
    /// On this many threads.
    Threads(usize),
}

/// One case of one kernel on one target.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) border: BorderMode,
    /// The number of the value chosen for each variant.
    pub(super) choice: Vec<u32>,
    /// Which outputs are given.
    pub(super) present: Vec<bool>,
    /// The extents of the outputs.
    pub(super) extents: Vec<usize>,
    pub(super) data: Data,
    pub(super) layout: Layout,
    pub(super) way: Way,
    /// The first output lies in the place of the first input that it can.
    pub(super) in_place: bool,
    /// Tells cases apart that are otherwise the same.
    pub(super) seed: u32,
}

impl Case {
    /// The name of the case.
    pub(super) fn id(&self, spec: &'static KernelSpec, target: Target) -> String {
        let mut parts = std::vec![spec.name.into(), target.name().into()];
        parts.extend(self.parts(spec));
        parts.join("::")
    }

    /// The generator of its contents: the same on every target, so that targets can be compared. Committed digests rest
    /// on the parts of an id, so their form must not change unseen.
    pub(super) fn random(&self, spec: &'static KernelSpec) -> Random {
        let mut parts = std::vec![String::from(spec.name)];
        parts.extend(self.parts(spec));
        Random::of(&parts.join("::"))
    }

    fn parts(&self, spec: &'static KernelSpec) -> Vec<String> {
        let mut parts = std::vec![String::from(self.border.name())];
        let values = spec.variants().zip(&self.choice).filter_map(|((_, values), &index)| values.get(index as usize));
        parts.extend(values.map(|value| value.to_lowercase()));
        if !self.present.iter().all(|present| *present) {
            let given = spec.outputs.iter().zip(&self.present).filter(|(_, present)| **present);
            parts.push(given.map(|(output, _)| output.name).collect::<Vec<_>>().join("+"));
        }
        let extents: Vec<String> = self.extents.iter().map(|extent| std::format!("{extent}")).collect();
        parts.push(extents.join("x"));
        parts.push(self.data.name().into());
        if self.layout != Layout::Dense {
            parts.push(self.layout.name().into());
        }
        match self.way {
            Way::Whole => {}
            Way::Split(columns, rows) => parts.push(std::format!("split{columns}x{rows}")),
            Way::Threads(threads) => parts.push(std::format!("threads{threads}")),
        }
        if self.in_place {
            parts.push("in_place".into());
        }
        if self.seed != 0 {
            parts.push(std::format!("seed{}", self.seed));
        }
        parts
    }
}

/// Whether `id` is the case `wanted`, or one of those whose ids it starts.
pub(super) fn is_wanted(id: &str, wanted: &str) -> bool {
    id.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::is_wanted;

    #[test]
    fn wanted_cases_are_whole_parts_of_an_id() {
        let id = "gaussian3x3::neon::replicate::17x5::random";
        assert!(is_wanted(id, id) && is_wanted(id, "gaussian3x3::neon::replicate"));
        assert!(!is_wanted(id, "gaussian3x3::neon::replicate::1"));
        assert!(!is_wanted(id, "gaussian3x3::opencl"));
    }
}
