//! Cases of kernels with a window, or with names of extents: what is read has extents that go together, and the outputs those that
//! follow.

use super::{case::Case, cases::inputs, uniforms, whole::WholeExtents};
use std::collections::BTreeMap;
use windrow_reference::testing::Random;
use windrow_runtime::{
    error::InvalidConfiguration,
    infer::infer_with_uniforms,
    info::{Shape, TensorInfo},
    spec::{Extent, KernelSpec},
};

/// How many sets of extents are tried: at first those that are wanted of the outputs, behind these small ones.
const ATTEMPTS: usize = 400;
const WANTED: usize = 100;
/// The most that a case may read: as if each element of the outputs were made of all that is read of an input for it.
pub(super) const MOST_WORK: usize = 1 << 17;
/// The same that is wished for where a simulator runs the case.
pub(super) const SIMULATED_WORK: usize = 1 << 11;

/// Whether extents of a kernel's inputs go together.
pub(super) fn has_names(spec: &KernelSpec) -> bool {
    !spec.extents.is_empty() || spec.window.is_some()
}

impl Case {
    /// The same with extents that go together, where the kernel says how: as near to the case's as may be. Contents and uniforms
    /// of such a case do not depend on the outputs' extents. The first that are no more than `wished` work are taken, or else those
    /// that are the least work.
    pub(super) fn settled(mut self, spec: &'static KernelSpec, wished: usize) -> Self {
        if !has_names(spec) {
            return self;
        }
        let wanted = self.extents.clone();
        let mut least: Option<(usize, Self)> = None;
        for attempt in 0..ATTEMPTS {
            let named = draw_names(spec, &wanted, self.seed as usize + self.whole.len(), attempt);
            for (image, extents) in &mut self.whole {
                *extents = with_names(spec, *image, *extents, &named);
            }
            let Some(found) = self.outputs(spec) else { continue };
            let work = self.work(spec, &found);
            if work < least.as_ref().map_or(MOST_WORK + 1, |(least, _)| *least) {
                let settled = Self { extents: found, ..self.clone() };
                if work <= wished {
                    return settled;
                }
                least = Some((work, settled));
            }
        }
        least.map_or(self, |(_, settled)| settled)
    }

    /// The same with outputs of the case's extents, as near as may be, where the window follows from what is read anywhere: twice as
    /// large an output follows from inputs of half the size.
    pub(super) fn with_outputs(mut self, spec: &'static KernelSpec) -> Self {
        let wanted = self.extents.clone();
        let Some(found) = self.outputs(spec).filter(|found| *found != wanted) else { return self };
        let scaled = wanted.iter().zip(found).map(|(&wanted, found)| (wanted * wanted / found.max(1)).max(1)).collect();
        let scaled = Case { extents: scaled, ..self.clone() };
        for (image, input) in inputs(spec).enumerate().filter(|(_, input)| input.is_whole()) {
            self.whole.insert(image, scaled.whole_of(image, input));
        }
        if let Some(found) = self.outputs(spec) {
            self.extents = found;
        }
        self
    }

    /// Whether the extents go together.
    ///
    /// # Errors
    /// None were found that do: the window wants too much of small tensors.
    pub(super) fn check_settled(&self, spec: &'static KernelSpec) -> Result<(), String> {
        match has_names(spec) && self.outputs(spec).as_deref() != Some(&self.extents) {
            true => Err("no small tensors go together: narrow the bounds of the uniforms in `window(..)`".to_owned()),
            false => Ok(()),
        }
    }

    /// What outputs of these extents may read.
    fn work(&self, spec: &'static KernelSpec, outputs: &[usize]) -> usize {
        let product = |extents: &[usize]| extents.iter().fold(1, |all: usize, extent| all.saturating_mul(*extent));
        // The extents that an output has too: along them it reads its own.
        let read = inputs(spec).enumerate().filter(|(_, input)| input.inout.is_none()).enumerate();
        let of_each = read.filter(|(_, (_, input))| input.is_whole()).map(|(place, (image, input))| {
            let own = self.whole_of(image, input);
            let is_own = |dimension: usize| !is_of_outputs(spec, (place as u32, dimension as u32));
            let others = own.extents().iter().enumerate().filter(|(dimension, _)| is_own(*dimension));
            others.fold(1, |all: usize, (_, extent)| all.saturating_mul(*extent))
        });
        product(outputs).saturating_mul(of_each.max().unwrap_or(1))
    }

    /// The extents of the outputs, innermost first; none where the kernel refuses the inputs.
    fn outputs(&self, spec: &'static KernelSpec) -> Option<Vec<usize>> {
        if spec.window.is_none() {
            return Some(self.extents.clone());
        }
        let words = uniforms::draw(spec, self.data, &mut self.random(spec));
        // Inputs without elements are refused before the window is asked.
        let wanted: Vec<usize> = self.extents.iter().map(|&extent| extent.max(1)).collect();
        let shape = match self.inferred(spec, &words, &wanted)? {
            // The window follows from other inputs, and is what those that are read at the element's own place must have.
            Err(InvalidConfiguration::Shape { expected, .. }) => {
                self.inferred(spec, &words, &innermost_first(expected))?.ok()?
            }
            inferred => inferred.ok()?,
        };
        Some(innermost_first(shape))
    }

    /// The shape of the outputs where what is read at the element's own place has these extents, innermost first; none where no tensor has
    /// those of an input.
    fn inferred(
        &self,
        spec: &'static KernelSpec,
        words: &[u32],
        elements: &[usize],
    ) -> Option<Result<Shape, InvalidConfiguration>> {
        let infos = inputs(spec).enumerate().filter(|(_, input)| input.inout.is_none()).map(|(image, input)| {
            let mut extents =
                if input.is_whole() { self.whole_of(image, input).extents().to_vec() } else { elements.to_vec() };
            extents.reverse();
            TensorInfo::new(input.element, input.channels, &extents).ok()
        });
        let infos: Vec<TensorInfo> = infos.collect::<Option<_>>()?;
        let inferred = infer_with_uniforms(spec, &infos.iter().collect::<Vec<_>>(), words, self.border);
        Some(inferred.map(|inferred| inferred.shape()))
    }
}

fn innermost_first(shape: Shape) -> Vec<usize> {
    shape.extents().iter().rev().copied().collect()
}

/// Whether an extent has a name that is an extent of the outputs by itself.
fn is_of_outputs(spec: &KernelSpec, place: (u32, u32)) -> bool {
    let named = spec.extents.iter().find(|extent| (extent.image, extent.dimension) == place);
    let same = |one: &str| {
        let places = spec.extents.iter().filter(|extent| extent.name == one);
        let places: Vec<(u32, u32)> = places.map(|extent| (extent.image, extent.dimension)).collect();
        let window = spec.window.unwrap_or_default();
        window
            .iter()
            .any(|said| matches!(said, Extent::Named { image, dimension } if places.contains(&(*image, *dimension))))
    };
    named.is_some_and(|extent| same(extent.name))
}

/// An extent for each name: that of the outputs along a dimension which has it, and small ones of many kinds for the others.
fn draw_names(
    spec: &'static KernelSpec,
    wanted: &[usize],
    turn: usize,
    attempt: usize,
) -> BTreeMap<&'static str, usize> {
    let mut random = Random::of(&format!("{}::{turn}::{attempt}", spec.name));
    let mut named = BTreeMap::new();
    for extent in spec.extents {
        let of_output = |said: &Extent| matches!(said, Extent::Named { image, dimension } if (*image, *dimension) == (extent.image, extent.dimension));
        let window = spec.window.unwrap_or_default();
        let dimension = window.iter().rev().position(of_output);
        let own = match dimension {
            Some(dimension) if attempt < WANTED => wanted.get(dimension).copied().unwrap_or(1).max(1),
            Some(_) => [1, 1, 2, 3, 5][random.below(5) as usize],
            None => [1, 2, 3, 5, 7, 9, 17, 33][random.below(if attempt % 4 == 3 { 8 } else { 5 }) as usize],
        };
        let known = named.entry(extent.name).or_insert(own);
        if dimension.is_some() {
            *known = own;
        }
    }
    named
}

/// The extents of an image, where names say some of them.
fn with_names(
    spec: &'static KernelSpec,
    image: usize,
    extents: WholeExtents,
    named: &BTreeMap<&'static str, usize>,
) -> WholeExtents {
    // Names count the images that are read.
    let before = inputs(spec).take(image).filter(|input| input.inout.is_none()).count();
    let own = spec.extents.iter().filter(|extent| extent.image as usize == before);
    own.fold(extents, |extents, extent| match named.get(extent.name) {
        Some(&length) => extents.with(extent.dimension as usize, length),
        None => extents,
    })
}
