//! One case: everything that decides what is run, and the id that names it.
//!
//! An id reads `gaussian3x3::neon::replicate::17x5::random`; what is usual is left out of it. All random contents
//! follow from the id, so the id alone replays the case.

use super::{own::OwnData, target::Target, whole::WholeExtents};
use std::collections::BTreeMap;
use windrow_reference::testing::{Data, Random};
use windrow_runtime::{
    border::BorderMode,
    spec::{InputSpec, KernelSpec},
};

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
    /// Rows from the bottom up.
    BottomUp,
    /// Each row from right to left.
    Flipped,
    /// Elements of a row further apart than they are large: a channel of a larger pixel.
    Apart,
    /// Columns side by side: a transposed image.
    Columns,
    /// One element, row or plane that stands for all, of an image that is read.
    Repeated,
}

impl Layout {
    /// Those whose rows every target takes as they lie.
    pub(super) const ALL: [Self; 4] = [Self::Dense, Self::Front, Self::Padded, Self::Region];

    /// Those of the host's memory: strides of any sign.
    pub(super) const EVERY: [Self; 9] = [
        Self::Dense,
        Self::Front,
        Self::Padded,
        Self::Region,
        Self::BottomUp,
        Self::Flipped,
        Self::Apart,
        Self::Columns,
        Self::Repeated,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Front => "front",
            Self::Padded => "padded",
            Self::Region => "region",
            Self::BottomUp => "bottom_up",
            Self::Flipped => "flipped",
            Self::Apart => "apart",
            Self::Columns => "columns",
            Self::Repeated => "repeated",
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
    /// The extents of the outputs, innermost first, as ids name them: width, height, and on.
    pub(super) extents: Vec<usize>,
    pub(super) data: Data,
    /// The author's own contents, in the place of `data`.
    pub(super) own: Option<OwnData>,
    pub(super) layout: Layout,
    pub(super) way: Way,
    /// The first output lies in the place of the first input that it can.
    pub(super) in_place: bool,
    /// The images that have an extent of 1 where the output has more: by their place among the images, the dimensions as bits.
    pub(super) broadcast: BTreeMap<usize, u8>,
    /// The extents of the images that are read anywhere, by their places among the images; those that are not named have the
    /// outputs' rows and columns.
    pub(super) whole: BTreeMap<usize, WholeExtents>,
    /// Tells cases apart that are otherwise the same.
    pub(super) seed: u32,
}

impl Case {
    /// The name of the case.
    pub(super) fn id(&self, spec: &'static KernelSpec, target: Target) -> String {
        let mut parts = vec![spec.name.into(), target.name().into()];
        parts.extend(self.parts(spec));
        parts.join("::")
    }

    /// The generator of its contents: the same on every target, so that targets can be compared. Committed digests rest
    /// on the parts of an id, so their form must not change unseen.
    pub(super) fn random(&self, spec: &'static KernelSpec) -> Random {
        let mut parts = vec![String::from(spec.name)];
        // Where the outputs' extents follow from uniforms, these don't follow from the extents.
        let settled = spec.window.is_some().then(|| Case { extents: Vec::new(), ..self.clone() });
        parts.extend(settled.as_ref().unwrap_or(self).parts(spec));
        Random::of(&parts.join("::"))
    }

    /// The extents of the image at this place, which is read anywhere.
    pub(super) fn whole_of(&self, image: usize, input: &InputSpec) -> WholeExtents {
        let along = |dimension: usize| self.extents.get(dimension).copied().unwrap_or(1).max(1);
        self.whole.get(&image).copied().unwrap_or_else(|| WholeExtents::of(input, along(0), along(1), along))
    }

    fn parts(&self, spec: &'static KernelSpec) -> Vec<String> {
        let mut parts = vec![String::from(self.border.name())];
        let values = spec.variants().zip(&self.choice).filter_map(|((_, values), &index)| values.get(index as usize));
        parts.extend(values.map(|value| value.to_lowercase()));
        if !self.present.iter().all(|present| *present) {
            let given = spec.outputs.iter().zip(&self.present).filter(|(_, present)| **present);
            parts.push(given.map(|(output, _)| output.name).collect::<Vec<_>>().join("+"));
        }
        let extents: Vec<String> = self.extents.iter().map(|extent| format!("{extent}")).collect();
        parts.push(extents.join("x"));
        parts.push(self.own.map_or(self.data.name(), |own| own.name).into());
        if self.layout != Layout::Dense {
            parts.push(self.layout.name().into());
        }
        match self.way {
            Way::Whole => {}
            Way::Split(columns, rows) => parts.push(format!("split{columns}x{rows}")),
            Way::Threads(threads) => parts.push(format!("threads{threads}")),
        }
        if self.in_place {
            parts.push("in_place".into());
        }
        for (image, dimensions) in &self.broadcast {
            let names: String =
                DIMENSIONS.chars().enumerate().filter(|(d, _)| dimensions >> d & 1 == 1).map(|(_, n)| n).collect();
            parts.push(format!("broadcast{image}{names}"));
        }
        for (index, (name, _)) in spec.images().enumerate() {
            if let Some(extents) = self.whole.get(&index) {
                parts.push(format!("{name}={extents}"));
            }
        }
        if self.seed != 0 {
            parts.push(format!("seed{}", self.seed));
        }
        parts
    }

    /// The case that `id` names; `None` where it is not the id of a case of this kernel on this target.
    pub(super) fn parse(spec: &'static KernelSpec, target: Target, id: &str, own: &[OwnData]) -> Option<Self> {
        let mut parts = id.split("::").peekable();
        if parts.next()? != spec.name || parts.next()? != target.name() {
            return None;
        }
        let border = parts.next()?;
        let border = BorderMode::ALL.into_iter().find(|mode| mode.name() == border)?;
        let choice: Option<Vec<u32>> = spec
            .variants()
            .map(|(_, values)| {
                let chosen = parts.next()?;
                values.iter().position(|value| value.to_lowercase() == chosen).map(|index| index as u32)
            })
            .collect();
        let is_shape = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
        let given: Option<Vec<&str>> = parts.next_if(|part| !is_shape(part)).map(|names| names.split('+').collect());
        let is_given = |name: &str| given.as_ref().is_none_or(|given| given.contains(&name));
        let present = spec.outputs.iter().map(|output| is_given(output.name)).collect();
        let extents: Result<Vec<usize>, _> = parts.next()?.split('x').map(str::parse).collect();
        let data = parts.next()?;
        let own = own.iter().find(|own| own.name == data).copied();
        let data = Data::EVERY.into_iter().find(|known| known.name() == data).or(own.map(|_| Data::Ramp))?;
        let mut case = Self {
            border,
            choice: choice?,
            present,
            extents: extents.ok()?,
            data,
            own,
            layout: Layout::Dense,
            way: Way::Whole,
            in_place: false,
            broadcast: BTreeMap::new(),
            whole: BTreeMap::new(),
            seed: 0,
        };
        parts.try_for_each(|part| case.parse_part(spec, part))?;
        Some(case)
    }

    /// Takes a part of an id that is left out where it is usual.
    fn parse_part(&mut self, spec: &'static KernelSpec, part: &str) -> Option<()> {
        if let Some(layout) = Layout::EVERY.into_iter().find(|layout| layout.name() == part) {
            self.layout = layout;
        } else if let Some((name, extents)) = part.split_once('=') {
            let mut images = spec.images().enumerate();
            let (image, (_, input)) = images.find(|(_, (known, input))| *known == name && input.is_whole())?;
            self.whole.insert(image, WholeExtents::parse(input, extents)?);
        } else if let Some(threads) = part.strip_prefix("threads") {
            self.way = Way::Threads(threads.parse().ok()?);
        } else if let Some((columns, rows)) = part.strip_prefix("split").and_then(|cut| cut.split_once('x')) {
            self.way = Way::Split(columns.parse().ok()?, rows.parse().ok()?);
        } else if let Some(image) = part.strip_prefix("broadcast") {
            let names = image.find(|c: char| !c.is_ascii_digit())?;
            let dimension = |name: char| DIMENSIONS.find(name).map(|d| 1 << d);
            let dimensions: Option<Vec<u8>> = image[names..].chars().map(dimension).collect();
            self.broadcast.insert(image[..names].parse().ok()?, dimensions?.into_iter().sum());
        } else if let Some(seed) = part.strip_prefix("seed") {
            self.seed = seed.parse().ok()?;
        } else if part == "in_place" {
            self.in_place = true;
        } else {
            return None;
        }
        Some(())
    }
}

/// The names of the dimensions in which an image may be broadcast.
pub(super) const DIMENSIONS: &str = "xyz";

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
